//! A reproduction that is killed or stopped in the middle.
#![cfg(unix)]

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::common::{FEW, command, place, report, reproduce, results};
use crate::harness::Place;

/// Longer than in other tests, with a checkpoint every moment, so that there is something to be cut off.
fn longer() -> Vec<&'static str> {
    let longer = ["--set", "train.words=20000", "--set", "checkpoint_seconds=0.05", "--threads", "2"];
    [&FEW[..], &longer].concat()
}

fn begin(place: &Place) -> Child {
    let mut command = command(place, "out", &longer());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts")
}

/// Waits until a folder has an entry whose name passes.
fn wait_for(place: &Place, folder: &str, wanted: fn(&str) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    let found = || {
        let mut entries = std::fs::read_dir(place.path(folder)).into_iter().flatten().flatten();
        entries.any(|entry| entry.file_name().to_str().is_some_and(wanted))
    };
    while !found() {
        assert!(Instant::now() < deadline, "nothing happens in {folder}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn killed_and_started_again_it_gives_the_same_report() {
    let place = place();
    reproduce(&place, "whole", &longer()).succeeds();
    let kill = |mut child: Child| {
        child.kill().expect("the child is there");
        child.wait().expect("the child ends");
    };
    // Once while it trains, once when something is done.
    let child = begin(&place);
    wait_for(&place, "out/runs", |name| name.starts_with("tril"));
    std::thread::sleep(Duration::from_millis(300));
    kill(child);
    let child = begin(&place);
    wait_for(&place, "out/runs", |name| name.ends_with(".json"));
    kill(child);
    let done = results(&place, "out").len();
    assert!(done < 6, "the kill came too late: everything is done");
    reproduce(&place, "out", &longer()).succeeds();
    assert_eq!(report(&place, "out"), report(&place, "whole"));
}

#[test]
fn a_signal_saves_and_the_same_command_goes_on() {
    let place = place();
    let mut child = begin(&place);
    wait_for(&place, "out/runs", |_| true);
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill");
    assert!(sent.success());
    assert_eq!(child.wait().expect("the child ends").code(), Some(1));
    assert!(!place.path("out/report.html").exists());
    assert_eq!(reproduce(&place, "out", &longer()).succeeds().stdout, "out/report.html\n");
}
