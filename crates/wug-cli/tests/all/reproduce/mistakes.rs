//! What is wrong is named, with what to do.

use std::fs;

use super::common::{place, reproduce};
use crate::harness::Place;

#[track_caller]
fn fails(place: &Place, arguments: &[&str], code: i32, parts: &[&str]) {
    reproduce(place, "out", arguments).fails(code, parts);
}

#[test]
fn options_that_make_no_sense() {
    let place = &place();
    fails(place, &["tril-k3"], 2, &["there is no `tril-k3`", "table1"]);
    fails(place, &["--set", "partciles=3"], 2, &["--set", "did you mean `model.bound.particles`"]);
    fails(place, &["--set", "seed=3"], 2, &["train.seed", "--seeds"]);
    fails(place, &["--shard", "3/2"], 2, &["--shard", "i/n"]);
    fails(place, &["--merge", "nowhere"], 2, &["--merge: nowhere holds no results"]);
    fails(place, &["--set", "data.lexicon=missing.tsv", "tril"], 1, &["missing.tsv"]);
    assert!(!place.path("nowhere").exists());
    fails(place, &["--seeds", "0"], 2, &[]);
    place.write("tiny.toml", "seeds = 1");
    fails(place, &["tril"], 2, &["--profile tiny.toml", "words"]);
    fs::remove_file(place.path("tiny.toml")).expect("the folder can be written");
    fails(place, &["tril"], 2, &["--profile tiny.toml: neither quick nor full"]);
}

#[test]
fn results_of_other_settings_are_not_mixed() {
    let place = &place();
    reproduce(place, "out", &["gru-8d-s1"]).succeeds();
    let other = ["gru-8d-s1", "--set", "learning_rate=0.001"];
    fails(place, &other, 1, &["gru-8d-s1.json was made with other settings (configuration)", "--out"]);
    // A run that was begun and has no result yet.
    fs::remove_file(place.path("out/runs/gru-8d-s1.json")).expect("a result");
    fails(place, &other, 1, &["gru-8d-s1 was begun with other settings", "--out"]);
    // Two results of the same run that differ.
    reproduce(place, "out", &["gru-8d-s1"]).succeeds();
    reproduce(place, "other", &other).succeeds();
    fails(place, &["gru-8d-s1", "--merge", "other"], 1, &["are results of the same run but differ"]);
}

#[test]
fn damaged_results_are_named() {
    let place = &place();
    reproduce(place, "out", &["gru-8d-s1"]).succeeds();
    let path = "out/runs/gru-8d-s1.json";
    let whole = place.text(path);
    for (damaged, message) in [
        (whole[..whole.len() / 2].to_owned(), "gru-8d-s1.json is not a result"),
        (whole.replace("\"format_version\": 1", "\"format_version\": 9"), "format 9, expected 1"),
        (whole.replace("\"seed\": 1", "\"seed\": 2"), "it holds the run gru-8d-s2"),
    ] {
        place.write(path, damaged);
        fails(place, &["gru-8d-s1"], 1, &[message, "remove it and the run will be done again"]);
    }
}
