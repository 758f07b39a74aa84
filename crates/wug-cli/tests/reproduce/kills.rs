//! A reproduction that is killed or stopped in the middle.
#![cfg(unix)]

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Place, SOME, finish, succeed};

/// Longer than in other tests, with a checkpoint every moment, so that there is something to be cut off.
const LONGER: [&str; 6] =
    ["--set", "train.words=20000", "--set", "checkpoint_seconds=0.05", "--threads", "2"];

fn begin(place: &Place) -> Child {
    let mut command = place.reproduce("out", &SOME);
    command.args(LONGER).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the command starts")
}

#[test]
fn killed_and_started_again_it_gives_the_same_report() {
    let place = Place::new();
    let start = Instant::now();
    succeed(place.reproduce("whole", &SOME).args(LONGER));
    let time = start.elapsed();
    for share in [0.3, 0.2] {
        let mut child = begin(&place);
        std::thread::sleep(time.mul_f64(share));
        child.kill().expect("the child is there");
        child.wait().expect("the child ends");
    }
    let done = place.results("out").iter().filter(|name| !name.starts_with('.')).count();
    let begun = std::fs::read_dir(place.path("out/runs")).expect("runs").count();
    assert!(done < 10 && begun > 0, "{done} done, {begun} begun: the kills came too late or too early");
    succeed(place.reproduce("out", &SOME).args(LONGER));
    assert_eq!(place.report("out"), place.report("whole"));
}

#[test]
fn a_signal_saves_and_the_same_command_goes_on() {
    let place = Place::new();
    let mut child = begin(&place);
    let begun = place.path("out/runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !begun.exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill");
    assert!(sent.success());
    assert_eq!(child.wait().expect("the child ends").code(), Some(1));
    assert!(!place.path("out/report.html").exists());
    let (code, stdout, stderr) = finish(place.reproduce("out", &SOME).args(LONGER));
    assert_eq!((code, stdout.as_str()), (Some(0), "out/report.html\n"), "{stderr}");
}
