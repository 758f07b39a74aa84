//! Parts of the whole: lists, shards, merging.

use std::process::Command;

use super::common::{FEW, Place, finish, succeed};

#[test]
fn shards_make_the_same_report_as_the_whole() {
    let place = Place::new();
    succeed(&mut place.reproduce("whole", &FEW));
    for part in ["1/2", "2/2"] {
        succeed(place.reproduce(&format!("part{}", &part[..1]), &FEW).args(["--shard", part]));
    }
    assert_eq!(place.results("part1").len() + place.results("part2").len(), 6);
    let merge = |folders: &[&str]| {
        let mut command = place.reproduce("merged", &FEW);
        command.arg("--merge").args(folders);
        finish(&mut command)
    };
    // One part alone is reported on, and what is missing is told.
    let (code, _, stderr) = merge(&["part1"]);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("3 runs are missing from the report: "), "{stderr}");
    assert_ne!(place.report("merged"), place.report("whole"));
    let (code, _, stderr) = merge(&["part1", "part2"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(place.report("merged"), place.report("whole"));
    assert_eq!(place.results("merged"), place.results("whole"));
}

/// Each line is a command that a shell runs by itself.
#[cfg(unix)]
#[test]
fn listed_commands_do_their_runs() {
    let place = Place::new();
    let selection = ["tril", "gru-8d", "--words", "1.5k"];
    succeed(&mut place.reproduce("whole", &selection));
    let (list, _) = succeed(place.reproduce("my out", &selection).arg("--list"));
    assert_eq!(list.lines().count(), 4);
    for line in list.lines() {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(place.path("."));
        succeed(&mut shell);
    }
    assert_eq!(place.report("my out"), place.report("whole"));
    // What is done is listed no more.
    let (list, _) = succeed(place.reproduce("my out", &selection).arg("--list"));
    assert_eq!(list, "");
}
