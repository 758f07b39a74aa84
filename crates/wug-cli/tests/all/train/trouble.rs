//! What the world does to a run: interrupts, other processes, a full disk.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use super::assert_whole;
use crate::harness::{Place, WUG, end};

/// Starts a run that would take long, and waits until it trains.
fn start(place: &Place) -> Child {
    let settings = ["--words", "1G", "--set", "batch=16", "--set", "checkpoint_seconds=0"];
    let mut command = place.names_command(&settings);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let mut line = String::new();
    let stderr = child.stderr.as_mut().expect("standard error");
    BufReader::with_capacity(1, stderr).read_line(&mut line).expect("a line");
    assert!(line.contains("names.txt"), "{line}");
    // The first checkpoint is written before the first step.
    let checkpoint = || std::fs::read(place.path("run/checkpoint.safetensors")).ok();
    let mut first = None;
    while first.is_none() || checkpoint() == first {
        first = first.or_else(checkpoint);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill");
    assert!(status.success());
}

#[test]
fn an_interrupted_run_says_how_to_go_on() {
    for name in ["-INT", "-TERM"] {
        let place = Place::names();
        let mut child = start(&place);
        signal(&child, name);
        let status = child.wait().expect("the command ends");
        let mut stderr = String::new();
        child.stderr.take().expect("standard error").read_to_string(&mut stderr).expect("UTF-8");
        assert_eq!(status.code(), Some(1), "{stderr}");
        let last = stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with("error: stopped after "), "{stderr}");
        assert!(last.ends_with(" words; continue with: wug train --resume -o run"), "{stderr}");
        assert_whole(&place.path("run"));
        assert!(place.path("run/model.safetensors").exists(), "the model so far");
    }
}

#[test]
fn two_processes_do_not_share_a_folder() {
    let place = Place::names();
    let mut child = start(&place);
    place.train(&["--resume", "-o", "run"]).fails(1, &["run is in use: another process trains there"]);
    child.kill().expect("the child runs");
    child.wait().expect("the child ends");
    // A lock does not outlive its process.
    assert_whole(&place.path("run"));
}

/// The limit on the size of files stands for a disk that is full: the system refuses to write on.
#[test]
fn a_full_disk_leaves_earlier_files_whole() {
    let place = Place::names();
    place.train_names(&["--words", "160", "--set", "batch=16"]).succeeds();
    let files = ["config.toml", "metrics.jsonl", "checkpoint.safetensors", "model.safetensors"];
    let before = files.map(|name| place.read(&format!("run/{name}")));
    let limited = |script: &str| {
        let mut command = Command::new("sh");
        command.current_dir(place.path("")).env("WUG", WUG);
        command.args(["-c", &format!("trap '' XFSZ; ulimit -f 4; exec \"$WUG\" train {script}")]);
        end(&mut command)
    };
    limited("--resume -o run").fails(1, &["cannot write run/checkpoint.safetensors: File too large"]);
    assert!(before == files.map(|name| place.read(&format!("run/{name}"))));
    assert_whole(&place.path("run"));
    // A new run fails before it trains, and can begin again in the same folder.
    limited("names.txt -o other --words 160").fails(1, &["cannot write other/checkpoint.safetensors"]);
    place.train(&["names.txt", "-o", "other", "--words", "160"]).succeeds();
}
