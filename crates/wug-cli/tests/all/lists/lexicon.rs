//! `wug lexicon` as a user meets it.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use super::common::{assert_fails, wug};

#[test]
fn the_bundled_list_with_the_papers_filter() {
    let run = wug(&["lexicon", "--filter", "paper"], b"");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for part in [
        "kept          50,058 words, 46,430,473 tokens",
        "dropped       49,577 words, 193,177 tokens: seen fewer than 10 times",
        "6.949 nats, 10.025 bits",
        "15.253 nats",
        "26 letters: a b c",
        "2,872,900    6.19  the",
    ] {
        assert!(run.stdout.contains(part), "`{part}` is not in:\n{}", run.stdout);
    }
}

#[test]
fn the_json_report_has_the_same_figures() {
    let run = wug(
        &["lexicon", "-", "--format", "json", "--top", "1", "--min-count", "2"],
        "wug 5\nzoë 3\nx 1".as_bytes(),
    );
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["summary"]["kept"], serde_json::json!({ "types": 2, "tokens": 8 }));
    assert_eq!(report["summary"]["too_rare"]["types"], 1);
    assert_eq!(report["alphabet"], serde_json::json!(["g", "o", "u", "w", "z", "ë"]));
    assert_eq!(report["most_frequent"], serde_json::json!([{ "word": "wug", "count": 5 }]));
    let (nats, bits) =
        (report["statistics"]["entropy"].as_f64().unwrap(), report["entropy_bits"].as_f64().unwrap());
    assert!((nats - 0.661_563).abs() < 1e-6 && (bits - 0.954_434).abs() < 1e-6);
}

#[test]
fn options_change_what_is_kept() {
    let list = "Wug,3\nwug,2\nit's,9\na,4\nincomprehensible,1\n".as_bytes();
    let kept = |options: &[&str]| {
        let run = wug(&[&["lexicon", "-"], options].concat(), list);
        let line = run.stdout.lines().find(|line| line.starts_with("kept")).map(str::to_string);
        line.unwrap_or(run.stderr)
    };
    assert!(kept(&[]).ends_with("5 words, 19 tokens"));
    assert!(kept(&["--lower-case"]).ends_with("4 words, 19 tokens"));
    assert!(kept(&["--letters-only"]).ends_with("4 words, 10 tokens"));
    assert!(kept(&["--min-length", "2", "--max-length", "4"]).ends_with("3 words, 14 tokens"));
    assert!(kept(&["--filter", "paper", "--min-count", "3"]).ends_with("1 words, 3 tokens"));
}

#[test]
fn both_parts_of_the_split_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let parts = folder.path().join("new/parts");
    let list: String = (1..200).map(|number| format!("w{number}\t{number}\n")).collect();
    let read = |name: &str| -> Vec<(String, u64)> {
        let text = fs::read_to_string(parts.join(name)).unwrap();
        let pair =
            |line: &str| line.split_once('\t').map(|(word, count)| (word.to_owned(), count.parse().unwrap()));
        text.lines().map(|line| pair(line).unwrap()).collect()
    };
    for (kind, shared) in [("tokens", true), ("types", false)] {
        let run = wug(&["lexicon", "-", "--split", kind, "-o", parts.to_str().unwrap()], list.as_bytes());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        let (train, test) = (read("train.tsv"), read("test.tsv"));
        let mut counts = std::collections::BTreeMap::new();
        for (word, count) in train.iter().chain(&test) {
            *counts.entry(word.clone()).or_insert(0) += count;
        }
        assert!((1..200).all(|number| counts[&format!("w{number}")] == number) && counts.len() == 199);
        let both = test.iter().any(|(word, _)| train.iter().any(|(own, _)| own == word));
        assert_eq!(both, shared, "{kind}");
    }
    for (arguments, part) in [
        (&["lexicon", "-", "-o", "parts"][..], "--split"),
        (&["lexicon", "-", "--split", "words", "-o", "parts"], "expected `tokens` or `types`"),
    ] {
        let run = wug(arguments, b"wug 3\n");
        assert!(run.code == Some(2) && run.stderr.contains(part), "{}", run.stderr);
    }
}

#[test]
fn bad_lists_are_explained_with_file_and_line() {
    let fails = |input: &[u8], parts: &[&str]| assert_fails(&wug(&["lexicon", "-"], input), 1, parts);
    fails(b"wug\t3\nblick\t-1\n", &["standard input, line 2", "`-1`", "`blick`", "negative"]);
    fails(b"wug\t3\nblick\t1.5\n", &["line 2", "`1.5`", "not whole"]);
    fails(b"wug\t3\nblick\n", &["line 2", "`blick` has no count"]);
    fails(b"wug\t3\nblick\t18446744073709551616\n", &["line 2", "too large", "18446744073709551615"]);
    fails(b"wug\t3\nbl\xefck\t1\n", &["line 2", "offset 8", "UTF-8", "iconv"]);
    fails(b"\x7fELF\x02\x01\x01\0\0\0\0", &["line 1", "NUL", "binary"]);
    fails(b"", &["standard input has no words"]);
    fails(&vec![b'x'; 100 << 20], &["line 1 is longer than 65536 bytes", "wug count"]);
    fails(b"\xff\xfew\0u\0g\0", &["UTF-16", "iconv"]);
    let run = wug(&["lexicon", "-", "--min-count", "9"], b"wug 3\n");
    assert_fails(&run, 1, &["leaves no word", "1 seen fewer than 9 times"]);
}

#[test]
fn bad_files_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    assert_fails(&wug(&["lexicon", &path("")], b""), 1, &["is a directory"]);
    assert_fails(&wug(&["lexicon", &path("none.tsv")], b""), 1, &["cannot open", "none.tsv"]);
    let list: String = (0..9999).map(|number| format!("w{number}\t{number}\n")).collect();
    let frame =
        ruzstd::encoding::compress_to_vec(list.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    fs::write(path("cut.zst"), &frame[..frame.len() - 9]).unwrap();
    assert_fails(&wug(&["lexicon", &path("cut.zst")], b""), 1, &["cut.zst, line", "zstd", "cut short"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_unreadable_file_is_explained() {
    // Reading one's own memory at address 0 fails even for the superuser, who may open any file.
    assert_fails(&wug(&["lexicon", "/proc/self/mem"], b""), 1, &["/proc/self/mem, line 1", "reading failed"]);
}

#[test]
fn options_that_do_not_go_together_are_wrong_usage() {
    let run = wug(&["lexicon", "--min-length", "5", "--max-length", "3"], b"");
    assert_fails(&run, 2, &["--min-length", "5", "3"]);
    assert_eq!(wug(&["lexicon", "--min-count", "-1"], b"").code, Some(2));
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wug"))
        .args(["lexicon", "--top", "99999"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
