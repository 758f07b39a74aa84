//! The same model from every instruction set that fuses multiplication and addition, and nearly the same from others.

use crate::harness::{Place, end};

/// The paths of this processor: what the complaint about a wrong one lists.
fn paths(place: &Place) -> Vec<String> {
    let message = end(place.command(&["sample", "-n", "1"]).env("WUG_SIMD", "abacus")).fails(2, &[]).stderr;
    let (_, list) = message
        .split_once("WUG_SIMD is \"abacus\", but this program on this processor can use: ")
        .unwrap_or_else(|| panic!("{message}"));
    list.trim().split(", ").map(str::to_owned).collect()
}

/// Log-probabilities of all names.
fn scores(place: &Place, path: &str) -> Vec<f64> {
    let arguments = ["score", "-m", "model", "--format", "tsv", "--threads", "1", "-i", "names.txt"];
    let table = end(place.command(&arguments).env("WUG_SIMD", path)).succeeds().stdout;
    table.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap().parse().unwrap()).collect()
}

#[test]
fn paths_that_fuse_train_the_same_model() {
    let place = Place::names();
    let paths = paths(&place);
    assert_eq!(paths.last().map(String::as_str), Some("plain"));
    let mut known: Option<Vec<u8>> = None;
    for path in paths.iter().filter(|path| *path != "plain") {
        let arguments = ["--words", "320", "--set", "batch=16", "--seed", "5"];
        end(place.names_command(&arguments).env("WUG_SIMD", path)).succeeds();
        let model = place.read("run/model.safetensors");
        place.write("model", &model);
        std::fs::remove_dir_all(place.path("run")).unwrap();
        assert!(known.get_or_insert_with(|| model.clone()) == &model, "{path} trains another model");
    }
    // Without fusing, the same model gives the same scores to at least five digits.
    let Some(first) = paths.first().filter(|path| *path != "plain") else { return };
    for (found, expected) in scores(&place, "plain").into_iter().zip(scores(&place, first)) {
        assert!((found - expected).abs() < 1e-5 * expected.abs(), "{found}, expected {expected}");
    }
}
