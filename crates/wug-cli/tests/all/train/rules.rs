//! Settings that follow from the list, the weighting of words, and models to start from.

use std::fmt::Write;

use crate::harness::{Place, SMALL};

/// The configuration of the run in `run`, with everything resolved.
fn config(place: &Place) -> wug::Config {
    wug::train::Run::config_of(&place.path("run")).expect("a configuration")
}

#[test]
fn sizes_follow_from_the_list_unless_they_are_set() {
    let place = Place::names();
    let few = ["names.txt", "-o", "run", "--words", "640"];
    place.train(&few).tells(0, &["the list is short: with --from "]);
    let planned = config(&place);
    assert_eq!(planned.data.weighting, wug::lexicon::Weighting::Types);
    assert_eq!(planned.data.split, wug::lexicon::SplitKind::Types);
    assert!(planned.train.dropout > 0.0 && planned.train.weight_decay > 0.0);
    assert_eq!((planned.model.state, planned.train.words), (32, 640));
    std::fs::remove_dir_all(place.path("run")).expect("a folder");
    place.write("own.toml", "[train]\ndropout = 0.25\n");
    let settings = ["--config", "own.toml", "--set", "state=4", "--weighting", "tokens"];
    place.train(&[&few[..], &settings].concat()).succeeds();
    let own = config(&place);
    assert_eq!((own.train.dropout, own.model.state), (0.25, 4));
    assert_eq!(own.data.weighting, wug::lexicon::Weighting::Tokens);
    assert_eq!(own.train.weight_decay, planned.train.weight_decay);
}

#[test]
fn unknown_weightings_are_refused() {
    let place = Place::names();
    for weighting in ["-1", "0.5", "token"] {
        place
            .train(&["names.txt", "-o", "run", "--weighting", weighting])
            .fails(2, &["there are tokens, types"]);
        assert!(!place.path("run").exists());
        place.train(&["names.txt", "-o", "run", "--set", &format!("weighting={weighting}")]).fails(2, &[]);
    }
}

/// All words alike, and a thousand different letters.
#[test]
fn odd_lists_work_without_settings() {
    let place = Place::names();
    place.write("alike.txt", "wug\n".repeat(50));
    let mut letters = String::new();
    for number in 0..1000_u32 {
        let letter = char::from_u32(0x4e00 + number).expect("a letter");
        writeln!(letters, "{letter}{letter}").expect("a string takes text");
    }
    place.write("letters.txt", letters);
    place.train(&["alike.txt", "-o", "alike", "--words", "640"]).succeeds();
    // Before it has learnt when to end, a model of so many letters makes long words: a small one does that faster.
    let letters = [&["letters.txt", "-o", "letters", "--words", "64"], &SMALL[..]].concat();
    assert_eq!(place.train(&letters).succeeds().stdout.lines().count(), 40);
}

#[test]
fn a_model_to_start_from_says_what_is_kept() {
    let place = Place::names();
    place.train_names(&["--words", "640"]).succeeds();
    place.write("others.txt", "ada\nnoé\nana\nèda\nedna\n");
    let stderr = place
        .train(&["others.txt", "--from", "run", "-o", "other", "--words", "640"])
        .tells(0, &["starting from a model: ", "5 letters are kept; 2 start fresh: è é"])
        .stderr;
    assert!(!stderr.contains("the list is short"), "{stderr}");
    let of =
        |run: &str| wug::TrainedModel::load(&place.path(run).join("model.safetensors")).expect("a model");
    assert_eq!(of("other").config.model, of("run").config.model);
    // Another structure cannot be had from it.
    place
        .train(&["others.txt", "--from", "run", "-o", "third", "--set", "state=9"])
        .fails(2, &["--from", "leave out --set"]);
    place.train(&["others.txt", "--from", "nowhere", "-o", "third"]).fails(1, &["nowhere"]);
}

#[test]
fn a_folder_with_other_files_is_refused() {
    let place = Place::names();
    place
        .train(&[&["names.txt", "-o", "."], &SMALL[..]].concat())
        .fails(1, &["has other files, such as names.txt: choose a new or an empty folder"]);
}
