//! Every input that the fuzz targets keep, run through the same functions: `docs/safety.md` tells how to look for more.

#[allow(unreachable_pub, reason = "the functions are written for the fuzz targets")]
#[path = "../../../fuzz/src/targets/mod.rs"]
mod targets;

use std::fs;
use std::path::Path;

/// What a target does with its input.
type Target = fn(&[u8]);

/// The targets by name.
const TARGETS: [(&str, Target); 7] = [
    ("checkpoint", targets::checkpoint::run),
    ("config", targets::config::run),
    ("count_text", targets::count_text::run),
    ("model_file", targets::model_file::run),
    ("pattern", targets::pattern::run),
    ("read_list", targets::read_list::run),
    ("result", targets::result::run),
];

fn folder(of: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(of)
}

#[test]
fn kept_inputs_do_no_harm() {
    for (name, run) in TARGETS {
        let mut count = 0;
        for entry in fs::read_dir(folder("corpus").join(name)).expect("a corpus for each target") {
            let path = entry.expect("an entry").path();
            let bytes = fs::read(&path).expect("a file");
            if let Err(panic) = std::panic::catch_unwind(|| run(&bytes)) {
                eprintln!("the input is {}", path.display());
                std::panic::resume_unwind(panic);
            }
            count += 1;
        }
        assert!(count >= 3, "{name} has {count} inputs");
    }
}

/// A corpus that the program has left behind would look at nothing but the first check.
#[test]
fn good_checkpoints_are_still_read() {
    for name in ["new", "some-steps", "done"] {
        let bytes = fs::read(folder("corpus/checkpoint").join(name)).expect("a file");
        assert!(targets::checkpoint::is_valid(&bytes), "{name}: make it again, as `make_files` says");
    }
}

/// A new target must be run here too.
#[test]
fn every_target_is_here() {
    let files =
        fs::read_dir(folder("fuzz_targets")).expect("the targets").map(|entry| entry.expect("an entry"));
    let mut found: Vec<String> =
        files.map(|file| file.file_name().to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
    found.sort();
    assert_eq!(found, TARGETS.map(|(name, _)| name));
}

/// Writes the inputs that depend on the format of files again: `cargo test -p wug-cli --test corpus -- --ignored`.
#[test]
#[ignore = "it writes into the source tree"]
fn make_files() {
    let write = |target: &str, name: &str, bytes: &[u8]| {
        fs::write(folder("corpus").join(target).join(name), bytes).expect("the corpus can be written");
    };
    let header = |bytes: &[u8]| {
        let length = u64::from_le_bytes(*bytes.first_chunk().expect("a length")) as usize;
        bytes[8..8 + length].trim_ascii_end().to_vec()
    };
    for (name, steps) in [("new", 0), ("some-steps", 3), ("done", 20)] {
        let bytes = targets::checkpoint::seed(steps);
        write("checkpoint", name, &bytes);
        write("checkpoint", &format!("{name}-header"), &header(&bytes));
    }
    // Counters that no run has.
    let new = String::from_utf8(header(&targets::checkpoint::seed(0))).expect("JSON");
    for counter in ["step", "report_step", "fallbacks"] {
        for number in ["18446744073709551615", "4294967295", "21"] {
            let forged = new.replace(&format!("\\\"{counter}\\\":0"), &format!("\\\"{counter}\\\":{number}"));
            assert_ne!(forged, new);
            write("checkpoint", &format!("forged-{counter}-{number}"), forged.as_bytes());
        }
    }
    for (name, change) in [
        ("tril", "generative.flow=tril"),
        ("choice", "generative.flow=choice"),
        ("nvp", "generative.flow=2xnvp"),
        ("own", "inference.flow=diag"),
        ("gru", "kind=gru"),
        ("inverse", "generative.direction=inverse"),
    ] {
        let bytes = targets::model_file::seed(change);
        write("model_file", name, &bytes);
        write("model_file", &format!("{name}-header"), &header(&bytes));
    }
}
