//! Many trainings at once, and parts of them.

use crate::harness::{Ended, Place, SMALL};

const GRID: [&str; 7] = ["names.txt", "--grid", "state=3,4", "--grid", "seed=1,2", "--words", "640"];
const RUNS: [&str; 4] = ["state3-seed1", "state3-seed2", "state4-seed1", "state4-seed2"];

/// Trains small models, but for the size of the state.
fn train(place: &Place, arguments: &[&str], more: &[&str]) -> Ended {
    let small: Vec<&str> =
        SMALL.chunks(2).filter(|pair| !pair[1].starts_with("state")).flatten().copied().collect();
    place.train(&[arguments, &small, more].concat()).succeeds()
}

#[test]
fn parts_add_up_to_the_grid() {
    let place = &Place::names();
    let whole = train(place, &GRID, &["-o", "whole"]).stdout;
    assert_eq!(whole.lines().count(), 4, "{whole}");
    for shard in ["1/3", "3/3", "2/3"] {
        train(place, &GRID, &["-o", "parts", "--shard", shard]);
    }
    for run in RUNS {
        let model = |grid: &str| place.read(&format!("{grid}/{run}/model.safetensors"));
        assert_eq!(model("whole"), model("parts"), "{run}");
    }
    // One of them by itself is the same, too.
    let single = ["names.txt", "--words", "640", "--set", "state=4", "--seed", "2", "-o", "single"];
    train(place, &single, &[]);
    assert_eq!(place.read("single/model.safetensors"), place.read("whole/state4-seed2/model.safetensors"));
}

#[test]
fn what_is_there_is_not_done_again() {
    let place = &Place::names();
    train(place, &GRID, &["-o", "grid", "--shard", "1/2"]);
    let before = place.read("grid/state3-seed1/model.safetensors");
    let ended = train(place, &GRID, &["-o", "grid"]);
    assert_eq!(ended.stdout.lines().count(), 4);
    assert_eq!(ended.stderr.matches("resuming after 640 words").count(), 2, "{}", ended.stderr);
    assert_eq!(place.read("grid/state3-seed1/model.safetensors"), before);
}

#[test]
fn mistakes_are_told() {
    let place = &Place::names();
    for (arguments, message) in [
        (&["--grid", "state", "-o", "grid"][..], "such as state=16,32"),
        (&["--grid", "state=3,3", "-o", "grid"], "comes twice"),
        (&["--grid", "sate=3", "-o", "grid"], "there is no setting `sate`"),
        (&["--grid", "state=3"], "--output"),
        (&["--shard", "1/2", "-o", "grid"], "--grid"),
        (&["--grid", "state=3", "-o", "grid", "--resume"], "cannot be used with"),
    ] {
        place.train(&[&["names.txt"], arguments].concat()).fails(2, &[message]);
    }
}
