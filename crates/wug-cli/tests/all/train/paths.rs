//! The same model from every instruction set that fuses multiplication and addition, and nearly the same from others.

use std::process::Command;

use crate::train::common::{Place, finish, succeed, wug};

/// The paths of this processor: what the complaint about a wrong one lists.
fn paths() -> Vec<String> {
    let (code, _, message) = finish(wug().args(["sample", "-n", "1"]).env("WUG_SIMD", "abacus"));
    assert_eq!(code, Some(2), "{message}");
    let (_, list) = message
        .split_once("WUG_SIMD is \"abacus\", but this program on this processor can use: ")
        .unwrap_or_else(|| panic!("{message}"));
    list.trim().split(", ").map(str::to_owned).collect()
}

/// Log-probabilities of all names.
fn scores(place: &Place, path: &str) -> Vec<f64> {
    let mut command: Command = wug();
    let arguments = ["score", "-m", "model", "--format", "tsv", "--threads", "1", "-i", "names.txt"];
    let (code, table, message) =
        finish(command.current_dir(place.path("")).args(arguments).env("WUG_SIMD", path));
    assert_eq!(code, Some(0), "{message}");
    table.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap().parse().unwrap()).collect()
}

#[test]
fn paths_that_fuse_train_the_same_model() {
    let paths = paths();
    assert_eq!(paths.last().map(String::as_str), Some("plain"));
    let place = Place::new();
    let mut known: Option<Vec<u8>> = None;
    for path in paths.iter().filter(|path| *path != "plain") {
        let run = format!("run-{path}");
        let arguments = ["names.txt", "-o", &run, "--words", "320", "--set", "batch=16", "--seed", "5"];
        succeed(place.train(&arguments).args(crate::train::common::SMALL).env("WUG_SIMD", path));
        let model = std::fs::read(place.path(&run).join("model.safetensors")).unwrap();
        std::fs::write(place.path("model"), &model).unwrap();
        assert!(known.get_or_insert_with(|| model.clone()) == &model, "{path} trains another model");
    }
    // Without fusing, the same model gives the same scores to at least five digits.
    let Some(first) = paths.first().filter(|path| *path != "plain") else { return };
    for (found, expected) in scores(&place, "plain").into_iter().zip(scores(&place, first)) {
        assert!((found - expected).abs() < 1e-5 * expected.abs(), "{found}, expected {expected}");
    }
}
