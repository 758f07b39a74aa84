//! Every input that the fuzz targets keep, run through the same functions: `docs/safety.md` tells how to look for more.

#[allow(unreachable_pub, dead_code, reason = "the functions are written for the fuzz targets")]
#[path = "../../../../fuzz/src/targets/mod.rs"]
mod targets;

use std::fs;
use std::path::Path;

/// What a target does with its input.
type Target = fn(&[u8]);

/// The targets by name.
const TARGETS: [(&str, Target); 8] = [
    ("checkpoint", targets::checkpoint::run),
    ("config", targets::config::run),
    ("count_text", targets::count_text::run),
    ("model_file", targets::model_file::run),
    ("noise", targets::noise::run),
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
        assert!(
            targets::checkpoint::is_valid(&bytes),
            "{name}: make it again with `fuzz/examples/corpus.rs`"
        );
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
