use std::fs;

use crate::harness::{Place, wug};

/// A model that trains in a moment.
const TRAIN: [&str; 12] = [
    "train",
    "names.txt",
    "-o",
    "run",
    "--words",
    "160",
    "--set",
    "batch=16",
    "--set",
    "generative.hidden=[4]",
    "--set",
    "state=3",
];

/// What a command says normally, quietly and at length; its results must be the same.
fn said(arguments: &[&str]) -> [String; 3] {
    let mut results = Vec::new();
    let said = [&[][..], &["--quiet"], &["-v"]].map(|level: &[&str]| {
        let ended = Place::names().wug(&[level, arguments].concat()).succeeds();
        results.push(ended.stdout);
        ended.stderr
    });
    assert!(results.iter().all(|stdout| *stdout == results[0]), "{arguments:?}: {results:?}");
    said
}

#[test]
fn every_command_can_be_quiet_and_can_say_more() {
    let commands: [&[&str]; 8] = [
        &TRAIN,
        &["sample", "-n", "3", "--threads", "1"],
        &["between", "winter", "summer", "--steps", "3"],
        &["score", "blick", "--particles", "10"],
        &["count", "names.txt"],
        &["lexicon", "names.txt"],
        &["ngram", "--order", "2", "--lexicon", "names.txt"],
        &["eval", "--metrics", "oracles"],
    ];
    for arguments in commands {
        let [normal, quiet, verbose] = said(arguments);
        assert_eq!(quiet, "", "{arguments:?}");
        assert!(verbose.lines().count() > normal.lines().count(), "{arguments:?}: {verbose}");
    }
}

#[test]
fn details_are_those_of_the_run() {
    let [normal, _, verbose] = said(&TRAIN);
    assert!(
        normal.contains("names.txt: kept 8 of 8 words") && normal.contains("done: the model is run/"),
        "{normal}"
    );
    for detail in ["threads: ", "10 steps of 16 words, seed 1", "model.state=3", "folder: run"] {
        assert!(verbose.contains(detail) && !normal.contains(detail), "{detail}: {verbose}");
    }
}

#[test]
fn errors_are_said_even_quietly() {
    let told = wug(&["-q", "lexicon", "nothing.txt"]).fails(1, &[]).stderr;
    assert!(told.starts_with("error: cannot open nothing.txt"), "{told}");
    let ended = wug(&["-q", "score", "blick", "blïck", "--particles", "10"]).tells(3, &[]);
    let (found, told) = (ended.stdout, ended.stderr);
    assert_eq!((found.lines().count(), told.lines().count()), (2, 2), "{found}{told}");
    assert!(told.starts_with("error: argument 2: "), "{told}");
}

/// On either side of the command's name.
#[test]
fn quiet_and_verbose_exclude_each_other() {
    for arguments in [&["-q", "-v", "sample"][..], &["-q", "sample", "-v"], &["sample", "-v", "-q"]] {
        wug(arguments).fails(2, &["--quiet cannot be used with --verbose"]);
    }
}

/// Messages that nobody reads must not end the work.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_error_is_no_failure() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let place = Place::names();
    let output = place.command(&["-v", "count", "names.txt"]).stderr(full).output().unwrap();
    assert_eq!(
        (output.status.code(), output.stdout.iter().filter(|byte| **byte == b'\n').count()),
        (Some(0), 8)
    );
}
