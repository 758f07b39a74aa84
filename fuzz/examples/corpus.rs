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
    const CHOICE: &str = "kind=choice";
    let models: [(&str, &[&str], Precision); 8] = [
        ("tril", &["generative.flow=tril"], Precision::Single),
        ("nvp", &["generative.flow=2xnvp"], Precision::Single),
        ("own", &["inference.flow=diag"], Precision::Single),
        ("gru", &["kind=gru"], Precision::Single),
        ("inverse", &["generative.direction=inverse"], Precision::Single),
        ("choice", &[CHOICE], Precision::Single),
        ("choice-half", &[CHOICE], Precision::Half),
        ("teacher-forced", &["kind=teacher-forced"], Precision::Single),
    ];
    for (name, changes, precision) in models {
        let bytes = targets::model_file::seed(changes, precision);
        write("model_file", name, &bytes);
        write("model_file", &format!("{name}-header"), &header(&bytes));
    }
    // Cells that no model has, and cells in another order.
    let choice = String::from_utf8(header(&targets::model_file::seed(&[CHOICE], Precision::Single))).expect("JSON");
    let forge = |name: &str, own: &str, other: &str| {
        let forged = choice.replace(own, other);
        assert_ne!(forged, choice, "{own}");
        write("model_file", &format!("forged-{name}"), forged.as_bytes());
    };
    let orders = [("turned", "[0,3,1,2]"), ("twice", "[0,1,1,2]"), ("short", "[0,1,2]"), ("long", "[0,1,2,3,4]"), ("beyond", "[0,1,2,99]")];
    for (name, order) in orders.into_iter().chain([("negative", "[0,1,2,-1]"), ("huge", "[0,1,2,1e20]"), ("text", "no order")]) {
        forge(&format!("order-{name}"), "\"[0,1,2,3]\"", &format!("\"{order}\""));
    }
}
