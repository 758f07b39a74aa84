//! Many trainings at once, and parts of them.

use super::common::{Place, SMALL, finish, succeed};

const GRID: [&str; 7] = ["names.txt", "--grid", "state=3,4", "--grid", "seed=1,2", "--words", "640"];
const RUNS: [&str; 4] = ["state3-seed1", "state3-seed2", "state4-seed1", "state4-seed2"];

/// All but the size of the state, which the grid says.
fn small() -> Vec<&'static str> {
    SMALL.chunks(2).filter(|pair| !pair[1].starts_with("state")).flatten().copied().collect()
}

#[test]
fn parts_add_up_to_the_grid() {
    let place = Place::new();
    let whole = succeed(place.train(&GRID).args(small()).args(["-o", "whole"])).0;
    assert_eq!(whole.lines().count(), 4, "{whole}");
    for shard in ["1/3", "3/3", "2/3"] {
        succeed(place.train(&GRID).args(small()).args(["-o", "parts", "--shard", shard]));
    }
    for run in RUNS {
        let model = |grid: &str| place.read(&format!("{grid}/{run}/model.safetensors"));
        assert_eq!(model("whole"), model("parts"), "{run}");
    }
    // One of them by itself is the same, too.
    let single = ["names.txt", "--words", "640", "--set", "state=4", "--seed", "2", "-o", "single"];
    succeed(place.train(&single).args(small()));
    assert_eq!(place.read("single/model.safetensors"), place.read("whole/state4-seed2/model.safetensors"));
}

#[test]
fn what_is_there_is_not_done_again() {
    let place = Place::new();
    succeed(place.train(&GRID).args(small()).args(["-o", "grid", "--shard", "1/2"]));
    let before = place.read("grid/state3-seed1/model.safetensors");
    let (stdout, stderr) = succeed(place.train(&GRID).args(small()).args(["-o", "grid"]));
    assert_eq!(stdout.lines().count(), 4);
    assert_eq!(stderr.matches("resuming after 640 words").count(), 2, "{stderr}");
    assert_eq!(place.read("grid/state3-seed1/model.safetensors"), before);
}

#[test]
fn mistakes_are_told() {
    let place = Place::new();
    for (arguments, message) in [
        (&["--grid", "state", "-o", "grid"][..], "such as state=16,32"),
        (&["--grid", "state=3,3", "-o", "grid"], "comes twice"),
        (&["--grid", "sate=3", "-o", "grid"], "there is no setting `sate`"),
        (&["--grid", "state=3"], "--output"),
        (&["--shard", "1/2", "-o", "grid"], "--grid"),
        (&["--grid", "state=3", "-o", "grid", "--resume"], "cannot be used with"),
    ] {
        let (code, _, stderr) = finish(place.train(&["names.txt"]).args(arguments));
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
}
