//! What the world does to a run: interrupts, other processes, a full disk.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use super::common::{Place, assert_whole, finish, succeed};

/// Starts a run that would take long, and waits until it trains.
fn start(place: &Place) -> Child {
    let mut command = place.train_names(&["--words", "1G", "--set", "batch=16"]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let mut line = String::new();
    let stderr = child.stderr.as_mut().expect("standard error");
    BufReader::with_capacity(1, stderr).read_line(&mut line).expect("a line");
    assert!(line.contains("names.txt"), "{line}");
    while !place.path("run/checkpoint.safetensors").exists() {
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
        let place = Place::new();
        let mut child = start(&place);
        std::thread::sleep(std::time::Duration::from_millis(200));
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
    let place = Place::new();
    let mut child = start(&place);
    let (code, _, message) = finish(&mut place.train(&["--resume", "-o", "run"]));
    assert_eq!(code, Some(1));
    assert!(message.contains("run is in use: another process trains there"), "{message}");
    child.kill().expect("the child runs");
    child.wait().expect("the child ends");
    // A lock does not outlive its process.
    assert_whole(&place.path("run"));
}

/// The limit on the size of files stands for a disk that is full: the system refuses to write on.
#[test]
fn a_full_disk_leaves_earlier_files_whole() {
    let place = Place::new();
    succeed(&mut place.train_names(&["--words", "160", "--set", "batch=16"]));
    let files = ["config.toml", "metrics.jsonl", "checkpoint.safetensors", "model.safetensors"];
    let before = files.map(|name| place.read(&format!("run/{name}")));
    let limited = |script: &str| {
        let mut command = Command::new("sh");
        command.current_dir(place.path("")).env("WUG", env!("CARGO_BIN_EXE_wug"));
        command.args(["-c", &format!("trap '' XFSZ; ulimit -f 4; exec \"$WUG\" train {script}")]);
        finish(&mut command)
    };
    let (code, stdout, message) = limited("--resume -o run");
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{message}");
    assert!(message.contains("cannot write run/checkpoint.safetensors: File too large"), "{message}");
    assert!(before == files.map(|name| place.read(&format!("run/{name}"))));
    assert_whole(&place.path("run"));
    // A new run fails before it trains, and can begin again in the same folder.
    let (code, _, message) = limited("names.txt -o other --words 160");
    assert_eq!(code, Some(1));
    assert!(message.contains("cannot write other/checkpoint.safetensors"), "{message}");
    succeed(&mut place.train(&["names.txt", "-o", "other", "--words", "160"]));
}
