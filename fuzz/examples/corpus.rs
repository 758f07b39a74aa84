//! Writes the inputs that depend on the format of files again: `cargo run --example corpus` in the folder `fuzz`.

use std::fs;
use std::path::Path;

use wug::Precision;
use wug_fuzz::targets;

fn main() {
    let write = |target: &str, name: &str, bytes: &[u8]| {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target).join(name), bytes).expect("the corpus can be written");
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
        let bytes = targets::model_file::seed(change, Precision::Single);
        write("model_file", name, &bytes);
        write("model_file", &format!("{name}-header"), &header(&bytes));
    }
    let bytes = targets::model_file::seed("generative.flow=choice", Precision::Half);
    write("model_file", "choice-half", &bytes);
    write("model_file", "choice-half-header", &header(&bytes));
}
