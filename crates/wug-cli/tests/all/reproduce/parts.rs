//! Parts of the whole: lists, shards, merging.

use std::process::Command;

use super::common::{FEW, place, report, reproduce, results};
use crate::harness::end;

#[test]
fn shards_make_the_same_report_as_the_whole() {
    let place = &place();
    reproduce(place, "whole", &FEW).succeeds();
    for part in ["1/2", "2/2"] {
        let arguments = [&FEW[..], &["--shard", part]].concat();
        reproduce(place, &format!("part{}", &part[..1]), &arguments).succeeds();
    }
    assert_eq!(results(place, "part1").len() + results(place, "part2").len(), 6);
    let merge = |folders: &[&str]| reproduce(place, "merged", &[&FEW[..], &["--merge"], folders].concat());
    // One part alone is reported on, and what is missing is told.
    merge(&["part1"]).tells(3, &["3 runs are missing from the report: "]);
    assert_ne!(report(place, "merged"), report(place, "whole"));
    merge(&["part1", "part2"]).succeeds();
    assert_eq!(report(place, "merged"), report(place, "whole"));
    assert_eq!(results(place, "merged"), results(place, "whole"));
}

/// Each line is a command that a shell runs by itself.
#[cfg(unix)]
#[test]
fn listed_commands_do_their_runs() {
    let place = &place();
    let selection = ["tril", "gru-8d", "--words", "1.5k"];
    reproduce(place, "whole", &selection).succeeds();
    let list = || reproduce(place, "my out", &[&selection[..], &["--list"]].concat()).succeeds().stdout;
    let commands = list();
    assert_eq!(commands.lines().count(), 4);
    for line in commands.lines() {
        end(Command::new("sh").args(["-c", line]).current_dir(place.path("."))).succeeds();
    }
    assert_eq!(report(place, "my out"), report(place, "whole"));
    // What is done is listed no more.
    assert_eq!(list(), "");
}
