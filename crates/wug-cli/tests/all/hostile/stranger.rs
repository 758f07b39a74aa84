//! A model file from a stranger is data: it cannot make a command write, wait, take memory without bounds, or steer a terminal.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::run::{TRAIN, place, run};
use crate::harness::{Ended, Place};

/// Commands that read a model.
const COMMANDS: [&[&str]; 7] = [
    &["sample", "-n", "3", "--threads", "2", "-m", "forged"],
    &[
        "sample",
        "-n",
        "2",
        "--novel",
        "--pattern",
        "a*",
        "--max-tries",
        "10k",
        "--threads",
        "2",
        "-m",
        "forged",
    ],
    &["match", "names.txt", "--candidates", "50", "--threads", "2", "-m", "forged"],
    &["name", "ada", "--threads", "2", "-m", "forged"],
    &["score", "--particles", "8", "--threads", "2", "-m", "forged", "ada"],
    &["eval", "--trajectories", "100", "--draws", "10", "--particles", "8", "--threads", "2", "-m", "forged"],
    &["between", "ada", "bo", "--steps", "3", "--threads", "2", "-m", "forged"],
];

/// No file can be written at all, and a gigabyte of address space is all there is.
const LIMITS: &str = "ulimit -f 0; ulimit -c 0; ulimit -v 1000000";

/// A model file taken apart.
struct Forgery {
    header: Value,
    data: Vec<u8>,
}

impl Forgery {
    fn of(place: &Place) -> Self {
        let bytes = place.read("run/model.safetensors");
        let length = u64::from_le_bytes(*bytes.first_chunk().expect("a length")) as usize;
        let header = serde_json::from_slice(&bytes[8..8 + length]).expect("a header");
        Self { header, data: bytes[8 + length..].to_vec() }
    }

    /// The file with another header.
    fn with(&self, change: impl FnOnce(&mut Value)) -> Vec<u8> {
        let mut header = self.header.clone();
        change(&mut header);
        self.with_text(&serde_json::to_string(&header).expect("JSON"))
    }

    /// The file with other text for a header.
    fn with_text(&self, header: &str) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &self.data].concat()
    }

    fn with_metadata(&self, key: &str, text: &str) -> Vec<u8> {
        self.with(|header| header["__metadata__"][key] = text.into())
    }

    /// The file with something else in its configuration.
    fn with_setting(&self, from: &str, to: &str) -> Vec<u8> {
        let config = self.header["__metadata__"]["config"].as_str().expect("the configuration");
        assert!(config.contains(from), "{config}");
        self.with_metadata("config", &config.replace(from, to))
    }
}

/// Files in a folder.
fn files(folder: &Path) -> BTreeSet<std::ffi::OsString> {
    std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect()
}

/// Runs commands on a file.
fn meet(place: &Place, what: &str, bytes: &[u8], commands: &[&[&str]]) -> Vec<Ended> {
    place.write("forged", bytes);
    let before = files(&place.path(""));
    let meet = |arguments: &&[&str]| {
        let ended = run(place, LIMITS, arguments, Duration::from_secs(30));
        assert!(!ended.late, "{what}: {arguments:?} does not end");
        assert!(matches!(ended.code, Some(0..=3)), "{what}: {arguments:?}: {ended:?}");
        assert!(!ended.stderr.contains("panicked"), "{what}: {arguments:?}: {ended:?}");
        assert!(ended.stderr.len() < 20_000, "{what}: {arguments:?}: a message of {}", ended.stderr.len());
        for text in [&ended.stdout, &ended.stderr] {
            let steers = |c: char| (c.is_control() && !"\n\t".contains(c)) || c == '\u{202e}';
            assert!(!text.contains(steers), "{what}: {arguments:?}: {ended:?}");
        }
        ended
    };
    let ended = commands.iter().map(meet).collect();
    assert_eq!(files(&place.path("")), before, "{what}: a file was written");
    ended
}

/// The same for a file that must be refused, for this reason. All commands read models in the same way, so two will do.
fn refuse(place: &Place, what: &str, bytes: &[u8], reason: &str) {
    for ended in meet(place, what, bytes, &[COMMANDS[0], COMMANDS[4]]) {
        ended.fails(1, &["error: ", reason]);
    }
}

#[test]
fn headers_that_lie_are_refused() {
    let place = &place();
    let own = Forgery::of(place);
    for length in [0, 1, 99_999_999, 1 << 40, u64::MAX] {
        let forged = [&u64::to_le_bytes(length)[..], &own.with(|_| ())[8..]].concat();
        refuse(place, "a wrong length", &forged, "forged");
    }
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    refuse(place, "a deep header", &own.with_text(&format!("{{\"a\":{}}}", deep(1_000_000))), "damaged");
    refuse(place, "a deep alphabet", &own.with_metadata("alphabet", &deep(1_000_000)), "alphabet");
    refuse(
        place,
        "a deep configuration",
        &own.with_metadata("config", &format!("a = {}", deep(100_000))),
        "config",
    );
    let name = "generative.emission.bias";
    for shape in [json!([1_u64 << 40]), json!([u64::MAX, 2]), json!([1_000_000_000, 1_000_000_000])] {
        refuse(place, "a huge shape", &own.with(|header| header[name]["shape"] = shape), "damaged");
    }
    refuse(place, "an overlap", &own.with(|header| header[name]["data_offsets"] = json!([0, 44])), "damaged");
    let mut nan = own.with(|_| ());
    let data = nan.len() - own.data.len();
    nan[data..data + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    refuse(place, "a number that is none", &nan, "not finite");
}

#[test]
fn absurd_configurations_are_refused() {
    let place = &place();
    let own = Forgery::of(place);
    for (from, to) in [
        ("state = 2", "state = 1000000000"),
        ("state = 2", "state = 4096"),
        ("\"2xtril\"", "\"1000000000xtril\""),
        ("\"2xtril\"", "\"64xnvp\""),
        ("hidden = [2]", "hidden = [4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096]"),
        ("particles = 2", "particles = 1000000000"),
        ("delta = 0.1", "delta = nan"),
    ] {
        refuse(place, to, &own.with_setting(from, to), "forged");
    }
    let layers = format!("hidden = [{}]", "1, ".repeat(1_000_000));
    refuse(place, "a million layers", &own.with_setting("hidden = [2]", &layers), "at most 8 layers");
    let key = "k".repeat(10_000_000);
    let start = std::time::Instant::now();
    refuse(place, "a long key", &own.with_setting("[model]", &format!("[model]\n{key} = 1")), "no setting");
    assert!(start.elapsed() < Duration::from_secs(20), "a long key is not compared with all others");
}

#[test]
fn nothing_in_a_file_steers_a_terminal() {
    let place = &place();
    let own = Forgery::of(place);
    let letters = own.header["__metadata__"]["alphabet"].as_str().expect("letters").to_owned();
    let count = serde_json::from_str::<Vec<String>>(&letters).expect("letters").len();
    for sign in
        ["\u{1b}[2J", "\n", "\t", "\r", " ", "\u{7f}", "\u{9b}31m", "\u{202e}", "\u{2028}", "\u{feff}"]
    {
        // As many letters as before, in order, so that nothing else is wrong.
        let mut forged: Vec<String> = (1..count).map(|number| format!("z{number:03}")).collect();
        forged.push(format!("a{sign}"));
        forged.sort();
        let forged = serde_json::to_string(&forged).expect("JSON");
        refuse(place, "an alphabet", &own.with_metadata("alphabet", &forged), "`alphabet`");
        let disorder = serde_json::to_string(&["b", &format!("a{sign}")]).expect("JSON");
        refuse(place, "an alphabet out of order", &own.with_metadata("alphabet", &disorder), "`alphabet`");
    }
    let escape = "\u{1b}]0;title\u{7}\u{1b}[31m\u{9b}2J";
    refuse(
        place,
        "a broken configuration",
        &own.with_metadata("config", &format!("[model]\n{escape}")),
        "config",
    );
    let quoted = "[model]\n\"\\u001b[31m\" = 1";
    refuse(place, "a key", &own.with_setting("[model]", quoted), "no setting");
    refuse(place, "a flow", &own.with_setting("\"2xtril\"", "\"\\u001b[31m\""), "no flow");
    refuse(place, "a path", &own.with_setting("\"names.txt\"", "\"\\u001b[31m\""), "data.lexicon");
    refuse(place, "a version", &own.with_metadata("format_version", escape), "format_version");
    let provenance =
        json!({"lexicon": escape, "lexicon_digest": "", "words_seen": 1, "version": ""}).to_string();
    refuse(place, "an origin", &own.with_metadata("provenance", &provenance), "provenance");
    let tensor = own.with(|header| header[escape] = header["generative.start"].clone());
    refuse(place, "a tensor's name", &tensor, "forged");
}

/// A model file has its words in it, so a command follows no path that it names.
#[test]
fn paths_in_a_file_open_nothing() {
    let place = &place();
    let own = Forgery::of(place);
    let made = Command::new("mkfifo").arg(place.path("pipe")).status().expect("mkfifo");
    assert!(made.success());
    let mut commands = COMMANDS;
    // All metrics have the same list: these are the fast ones.
    let metrics = ["--metrics", "oracles,ngram-baselines,cross-entropy,membership"];
    let eval = [COMMANDS[5], &metrics].concat();
    commands[5] = &eval;
    let words = meet(place, "its own path", &own.with(|_| ()), &commands);
    for path in ["pipe", "-", "/dev/zero", "/dev/stdin", "/dev/tty", "/proc/self/fd/0", "/", "", "no/such"] {
        let forged = own.with_setting("\"names.txt\"", &format!("\"{path}\""));
        for (ended, own) in meet(place, path, &forged, &commands).iter().zip(&words) {
            // The report has the list's name in its second line.
            let figures =
                |text: &str| text.lines().filter(|line| !line.contains("split by")).collect::<String>();
            assert_eq!(ended.code, own.code, "{path}: {ended:?}");
            assert_eq!(figures(&ended.stdout), figures(&own.stdout), "{path}: {ended:?}");
        }
    }
}

/// Bytes that unpack to gigabytes, or to anything but words.
#[test]
fn forged_lists_do_no_harm() {
    let place = &place();
    let own = Forgery::of(place);
    let zlib = |bytes: &[u8]| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    };
    for (what, list) in [
        ("zeros without end", zlib(&vec![0; 1 << 28])),
        ("an escape sequence", zlib(b"\0\x1b[2J\n")),
        ("no list", b"no list".to_vec()),
    ] {
        let mut header = own.header.clone();
        for name in ["lexicon.words", "lexicon.counts", "lexicon.dropped.words", "lexicon.dropped.counts"] {
            header.as_object_mut().expect("an object").remove(name);
        }
        let end = |tensor: &Value| tensor["data_offsets"][1].as_u64();
        let numbers = header.as_object().expect("an object").values().filter_map(end).max().expect("tensors");
        let end = numbers + list.len() as u64;
        header["lexicon.words"] =
            json!({"dtype": "U8", "shape": [list.len()], "data_offsets": [numbers, end]});
        header["lexicon.counts"] =
            json!({"dtype": "U8", "shape": [list.len()], "data_offsets": [end, end + list.len() as u64]});
        let data = [&own.data[..numbers as usize], &list, &list].concat();
        let forged = Forgery { header, data }.with(|_| ());
        for (number, ended) in meet(place, what, &forged, &COMMANDS).into_iter().enumerate() {
            match number {
                // Words that need no list can be made.
                0 | 6 => ended.succeeds(),
                _ => ended.tells(1, &["the list in the model file is damaged"]),
            };
        }
    }
}

/// Files that are valid and nothing else.
#[test]
fn strange_but_valid_models_do_no_harm() {
    let place = &place();
    let own = Forgery::of(place);
    let mut large = own.with(|_| ());
    let data = large.len() - own.data.len();
    for (number, chunk) in large[data..].chunks_exact_mut(4).enumerate() {
        chunk.copy_from_slice(&if number % 2 == 0 { 3e38_f32 } else { -3e38 }.to_le_bytes());
    }
    meet(place, "numbers as large as can be", &large, &COMMANDS);
    let mut zero = own.with(|_| ());
    zero[data..].fill(0);
    meet(place, "nothing but zeros", &zero, &COMMANDS);
    for (kind, settings) in [("gru", "--set=kind=gru"), ("nvp", "--set=generative.flow=nvp")] {
        place.train(&[&["-o", kind, settings], &TRAIN[..]].concat()).succeeds();
        meet(place, kind, &place.read(&format!("{kind}/model.safetensors")), &COMMANDS);
    }
}
