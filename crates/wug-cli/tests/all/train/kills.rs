//! A run that is killed at random moments, again and again.
//!
//! Checkpoints are written after every step, so that many kills hit a file that is being written.
//! `WUG_KILLS=50 cargo test -p wug-cli --test all train::kills` does it fifty times.
#![cfg(unix)]

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::assert_whole;
use crate::harness::Place;

#[test]
fn kills_lose_nothing_but_the_steps_since_the_last_checkpoint() {
    let kills: u32 = std::env::var("WUG_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let place = Place::names();
    let words = (320 * kills).to_string();
    let settings = ["--words", &words, "--set", "batch=16", "--set", "checkpoint_seconds=0"];
    // How long it takes undisturbed, and where it ends.
    let begin = Instant::now();
    place.train_names(&[&settings[..], &["--threads", "1"]].concat()).succeeds();
    let whole_time = begin.elapsed();
    std::fs::rename(place.path("run"), place.path("whole")).expect("the folder can be renamed");

    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let (mut killed, mut last) = (0, 0);
    while killed < kills {
        let mut command = match place.path("run/checkpoint.safetensors").exists() {
            true => place.command(&["train", "--resume", "-o", "run"]),
            false => place.names_command(&settings),
        };
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        // Within the time that leaves most of the kills before the end.
        let share = (random >> 40) as f64 / (1 << 24) as f64;
        std::thread::sleep(whole_time.mul_f64(share * 2.0 / f64::from(kills)).max(Duration::from_millis(2)));
        child.kill().expect("the child is there");
        let done = child.wait().expect("the child ends").success();
        killed += 1;
        if !place.path("run/checkpoint.safetensors").exists() {
            continue;
        }
        assert_whole(&place.path("run"));
        let found = last_checkpoint(&place);
        assert!(found >= last, "a checkpoint of {last} steps became one of {found}");
        last = found;
        if done {
            break;
        }
    }
    if place.path("run/checkpoint.safetensors").exists() {
        place.train(&["--resume", "-o", "run", "--threads", "2"]).succeeds();
    } else {
        place.train_names(&settings).succeeds();
    }
    assert!(place.read("run/model.safetensors") == place.read("whole/model.safetensors"));
    let (own, whole) = (metrics(&place, "run"), metrics(&place, "whole"));
    assert_eq!(own.len(), whole.len());
    own.iter().zip(&whole).for_each(|(own, whole)| assert_eq!(own, whole));
    let files = std::fs::read_dir(place.path("run")).expect("the folder").flatten();
    let partial = files.filter(|file| file.file_name().to_string_lossy().ends_with(".partial")).count();
    assert_eq!(partial, 0, "what was half written is swept away");
}

/// Steps at the last checkpoint, from its header.
fn last_checkpoint(place: &Place) -> u64 {
    let bytes = place.read("run/checkpoint.safetensors");
    let length = u64::from_le_bytes(*bytes.first_chunk().expect("a length")) as usize;
    let header: serde_json::Value = serde_json::from_slice(&bytes[8..8 + length]).expect("a header");
    let counters = header["__metadata__"]["counters"].as_str().expect("the counters");
    let counters: serde_json::Value = serde_json::from_str(counters).expect("JSON");
    counters["step"].as_u64().expect("a number")
}

/// All lines without their time.
fn metrics(place: &Place, folder: &str) -> Vec<serde_json::Value> {
    let text = place.text(&format!("{folder}/metrics.jsonl"));
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    lines
        .map(|mut line: serde_json::Value| {
            line["seconds"] = serde_json::Value::Null;
            line
        })
        .collect()
}
