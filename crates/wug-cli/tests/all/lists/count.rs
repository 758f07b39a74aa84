//! `wug count` as a user meets it.

use std::fs;
use std::io::Write;

use super::fixture;
use crate::harness::{Place, WUG, feed, wug};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// `mixed.tsv` was made by `python3 count.py mixed.txt > mixed.tsv`.
#[test]
fn it_agrees_with_an_independent_count() {
    let expected = fs::read_to_string(fixture("mixed.tsv")).unwrap();
    let path = fixture("mixed.txt");
    for threads in ["1", "3"] {
        let ended = wug(&["count", path.to_str().unwrap(), "--threads", threads]);
        assert_eq!(ended.tells(0, &["10 with an apostrophe"]).stdout, expected);
    }
}

#[test]
fn compressed_files_and_standard_input_give_the_same() {
    let text = fs::read(fixture("mixed.txt")).unwrap();
    let expected = fs::read_to_string(fixture("mixed.tsv")).unwrap();
    for bytes in [text.clone(), gzip(&text), zstd(&text)] {
        assert_eq!(feed(&["count", "-"], &bytes).succeeds().stdout, expected);
    }
}

#[test]
fn files_add_up_and_the_list_is_written_whole() {
    let place = Place::with("a.txt", "wug blick");
    place.write("b.gz", gzip(b"Wug\n"));
    place.write("list.tsv", "old");
    let ended = place.wug(&["count", "a.txt", "b.gz", "-o", "list.tsv"]).succeeds();
    assert_eq!((ended.stdout.as_str(), place.text("list.tsv").as_str()), ("", "wug\t2\nblick\t1\n"));

    place.write("bad.txt", b"caf\xe9");
    place
        .wug(&["count", "a.txt", "bad.txt", "-o", "list.tsv"])
        .fails_in_one_line(1, &["bad.txt, line 1", "offset 3", "UTF-8", "iconv"]);
    assert_eq!(place.text("list.tsv"), "wug\t2\nblick\t1\n");
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), 4, "no temporary file is left");
}

#[test]
fn bad_input_is_explained() {
    let place = Place::new();
    let fails = |input: &[u8], parts: &[&str]| {
        place.feed(&["count", "-"], input).fails_in_one_line(1, parts);
    };
    place.wug(&["count", "."]).fails_in_one_line(1, &["error: .", "is a directory"]);
    place.wug(&["count", "no-such-file"]).fails_in_one_line(1, &["cannot open no-such-file"]);
    fails(b"one\ntwo \0 three", &["standard input, line 2", "offset 8", "binary"]);
    let cut = gzip(&fs::read(fixture("mixed.txt")).unwrap());
    fails(&cut[..cut.len() / 2], &["standard input, line", "gzip", "cut short"]);
    fails(&vec![b'x'; 100 << 20], &["standard input, line 1", "without white space"]);
    place
        .feed(&["count", "-", "-o", "no/list.tsv"], b"wug")
        .fails_in_one_line(1, &["--output", "no/list.tsv"]);
    place.wug(&["count"]).fails(2, &[]);
    place.wug(&["count", "-", "--threads", "0"]).fails(2, &[]);
}

#[test]
fn no_words_are_an_empty_list() {
    assert_eq!(feed(&["count", "-"], b"1 2 3 ...").tells(0, &["0 words"]).stdout, "");
}

/// Memory is bounded by the vocabulary: eight times the text takes hardly more.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_text() {
    let peak = |copies: usize| {
        use std::process::{Command, Stdio};
        let mut child = Command::new(WUG)
            .args(["count", "-", "-o", "/dev/null", "--threads", "2"])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let line = "every wug of the house met another wug and went away\n".repeat(1 << 12);
        for _ in 0..copies {
            stdin.write_all(line.as_bytes()).unwrap();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        drop(stdin);
        assert!(child.wait().unwrap().success());
        let row = status.lines().find(|row| row.starts_with("VmHWM")).unwrap();
        row.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
    };
    let (small, large) = (peak(40), peak(320));
    assert!(large < small + 4096, "{small} KB for 8 MB of text, {large} KB for 68 MB");
}
