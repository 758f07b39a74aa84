//! `wug count` as a user meets it.

use std::fs;
use std::io::Write;

use super::common::{assert_fails, fixture, wug};

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
        let run = wug(&["count", path.to_str().unwrap(), "--threads", threads], b"");
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), expected.as_str()));
        assert!(run.stderr.contains("10 with an apostrophe"), "{}", run.stderr);
    }
}

#[test]
fn compressed_files_and_standard_input_give_the_same() {
    let text = fs::read(fixture("mixed.txt")).unwrap();
    let expected = fs::read_to_string(fixture("mixed.tsv")).unwrap();
    for bytes in [text.clone(), gzip(&text), zstd(&text)] {
        assert_eq!(wug(&["count", "-"], &bytes).stdout, expected);
    }
}

#[test]
fn files_add_up_and_the_list_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(path("a.txt"), "wug blick").unwrap();
    fs::write(path("b.gz"), gzip(b"Wug\n")).unwrap();
    fs::write(path("list.tsv"), "old").unwrap();
    let run = wug(&["count", &path("a.txt"), &path("b.gz"), "-o", &path("list.tsv")], b"");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(path("list.tsv")).unwrap(), "wug\t2\nblick\t1\n");

    fs::write(path("bad.txt"), b"caf\xe9").unwrap();
    let run = wug(&["count", &path("a.txt"), &path("bad.txt"), "-o", &path("list.tsv")], b"");
    assert_fails(&run, 1, &["bad.txt, line 1", "offset 3", "UTF-8", "iconv"]);
    assert_eq!(fs::read_to_string(path("list.tsv")).unwrap(), "wug\t2\nblick\t1\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "no temporary file is left");
}

#[test]
fn bad_input_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    assert_fails(&wug(&["count", name], b""), 1, &[name, "is a directory"]);
    assert_fails(&wug(&["count", "no-such-file"], b""), 1, &["cannot open no-such-file"]);
    assert_fails(
        &wug(&["count", "-"], b"one\ntwo \0 three"),
        1,
        &["standard input, line 2", "offset 8", "binary"],
    );
    let cut = gzip(&fs::read(fixture("mixed.txt")).unwrap());
    assert_fails(
        &wug(&["count", "-"], &cut[..cut.len() / 2]),
        1,
        &["standard input, line", "gzip", "cut short"],
    );
    let run = wug(&["count", "-"], &vec![b'x'; 100 << 20]);
    assert_fails(&run, 1, &["standard input, line 1", "without white space"]);
    let run = wug(&["count", "-", "-o", &format!("{name}/no/list.tsv")], b"wug");
    assert_fails(&run, 1, &["--output", "no/list.tsv"]);
    assert_eq!(wug(&["count"], b"").code, Some(2));
    assert_eq!(wug(&["count", "-", "--threads", "0"], b"").code, Some(2));
}

#[test]
fn no_words_are_an_empty_list() {
    let run = wug(&["count", "-"], b"1 2 3 ...");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    assert!(run.stderr.contains("0 words"), "{}", run.stderr);
}

/// Memory is bounded by the vocabulary: eight times the text takes hardly more.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_text() {
    let peak = |copies: usize| {
        use std::process::{Command, Stdio};
        let mut child = Command::new(env!("CARGO_BIN_EXE_wug"))
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
