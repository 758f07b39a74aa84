//! A system that refuses: memory, space on disk, folders, readers. `tools/limits.sh` has what takes longer or needs more rights.

use std::time::Duration;

use super::run::{TRAIN, place, run};
use crate::harness::{Ended, Place};

fn limited(place: &Place, limits: &str, arguments: &[&str]) -> Ended {
    run(place, limits, arguments, Duration::from_secs(60))
}

/// Whatever memory there is, a command does its work or says that there is too little.
#[test]
fn little_memory_is_told() {
    let place = &place();
    let commands: [&[&str]; 5] = [
        &["sample", "-n", "3", "--threads", "4"],
        &["score", "-m", "run", "--particles", "64", "--threads", "4", "ada"],
        &[
            "eval",
            "names.txt",
            "-m",
            "run",
            "--trajectories",
            "100",
            "--draws",
            "10",
            "--particles",
            "8",
            "--threads",
            "4",
        ],
        &["train", "--resume", "-o", "run", "--threads", "4"],
        &["lexicon"],
    ];
    // Below some size not even the shell or the loader runs, which is not the command's to tell.
    let starts =
        |kilobytes: &u32| limited(place, &format!("ulimit -v {kilobytes}"), &["--version"]).code == Some(0);
    let sizes: Vec<u32> = (10_000..100_000).step_by(1000).collect();
    let least = sizes[sizes.partition_point(|kilobytes| !starts(kilobytes))];
    for arguments in commands {
        let mut refused = 0;
        for more in [0, 4_000, 12_000, 20_000, 70_000, 2_000_000] {
            let kilobytes = least + more;
            let ended = limited(place, &format!("ulimit -v {kilobytes}"), arguments);
            // The decompressor has its own way to say that there is no memory.
            let is_unpacking = ended.code == Some(101)
                && ended.stderr.contains("Allocating new space for the ringbuffer failed");
            assert!(
                (is_unpacking || matches!(ended.code, None | Some(0 | 1 | 134))) && !ended.late,
                "{kilobytes}: {arguments:?}: {ended:?}"
            );
            assert!(
                !ended.stderr.contains("panicked") || is_unpacking,
                "{kilobytes}: {arguments:?}: {ended:?}"
            );
            if ended.code != Some(0) {
                let told = [
                    "memory allocation of",
                    "no thread could be started",
                    "Cannot allocate",
                    "not enough memory",
                    "Allocating new space",
                ];
                assert!(
                    told.iter().any(|part| ended.stderr.contains(part)),
                    "{kilobytes}: {arguments:?}: {ended:?}"
                );
                refused += 1;
            }
            assert!(kilobytes < 2_000_000 || ended.code == Some(0), "{arguments:?}: {ended:?}");
        }
        assert!(refused > 0, "{arguments:?} was never short of memory");
    }
    place.train(&["--resume", "-o", "run"]).succeeds();
}

/// More threads than the system allows: fewer do the work, or the command says so.
#[test]
fn refused_threads_are_told() {
    let place = &place();
    let commands: [&[&str]; 4] = [
        &["count", "names.txt", "--threads", "1000"],
        &["sample", "-n", "3", "--threads", "1000"],
        &["eval", "names.txt", "-m", "run", "--trajectories", "100", "--draws", "10", "--threads", "1000"],
        &["score", "-m", "run", "--particles", "8", "--threads", "1000", "ada"],
    ];
    for arguments in commands {
        // The stacks of a thousand threads do not fit.
        let ended = limited(place, "ulimit -v 600000", arguments);
        assert!(
            matches!(ended.code, Some(0..=2)) && !ended.stderr.contains("panicked"),
            "{arguments:?}: {ended:?}"
        );
    }
}

#[test]
fn a_full_disk_is_told_and_old_files_stay() {
    let place = &place();
    let full = "exec >/dev/full";
    let commands: [&[&str]; 5] = [
        &["sample", "-n", "3"],
        &["score", "--particles", "8", "wug"],
        &["between", "wug", "bug"],
        &["lexicon", "names.txt"],
        &["count", "names.txt"],
    ];
    for arguments in commands {
        limited(place, full, arguments).tells(1, &["standard output", "No space left on device"]);
    }
    let count = ["count", "names.txt", "-o", "counts.tsv"];
    place.wug(&count).succeeds();
    let before = place.read("counts.tsv");
    limited(place, "trap '' XFSZ; ulimit -f 0", &count).tells(1, &["counts.tsv", "File too large"]);
    assert_eq!(place.read("counts.tsv"), before);
}

/// Messages that no one can read are no reason to fail, nor to panic.
#[test]
fn standard_error_may_be_full_or_closed() {
    let place = &place();
    for limits in ["exec 2>/dev/full", "exec 2>&-"] {
        let train = [&["train", "-o", "new"], &TRAIN[..]].concat();
        let _ = std::fs::remove_dir_all(place.path("new"));
        for (arguments, code) in [
            (&train[..], 0),
            (&["train", "--resume", "-o", "new"], 0),
            (&["count", "names.txt"], 0),
            (&["sample", "-m", "no/such"], 1),
            (&["sample", "--max-length", "0"], 2),
            (&["score", "-m", "run", "--particles", "8", "ada", "x"], 3),
        ] {
            limited(place, limits, arguments).tells(code, &[]);
        }
    }
}

/// A folder that may not be written, where the user is not one who may do anything.
#[test]
fn a_folder_that_may_not_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = &place();
    let files = ["config.toml", "metrics.jsonl", "checkpoint.safetensors", "model.safetensors"];
    let read = || files.map(|name| place.read(&format!("run/{name}")));
    let before = read();
    let mode = |mode| std::fs::set_permissions(place.path("run"), std::fs::Permissions::from_mode(mode));
    mode(0o555).expect("the folder is ours");
    if std::fs::write(place.path("run/probe"), "").is_ok() {
        eprintln!("skipped: this user may write anywhere");
    } else {
        place.train(&["--resume", "-o", "run"]).fails(1, &["run/.lock", "ermission denied"]);
        place.wug(&["count", "names.txt", "-o", "run/a.tsv"]).fails(1, &["run/a.tsv"]);
        assert!(read() == before);
    }
    mode(0o755).expect("the folder is ours");
    // A folder that is none for anyone.
    place.train(&[&["-o", "/proc/wug"], &TRAIN[..]].concat()).fails(1, &["cannot write /proc/wug"]);
}
