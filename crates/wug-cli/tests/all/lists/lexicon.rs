//! `wug lexicon` as a user meets it.

use crate::harness::{DEADLINE, Place, feed, watch, wug};

#[test]
fn the_bundled_list_with_the_papers_filter() {
    let report = wug(&["lexicon", "--filter", "paper"]).words().join("\n");
    for part in [
        "kept          50,058 words, 46,430,473 tokens",
        "dropped       49,577 words, 193,177 tokens: seen fewer than 10 times",
        "6.949 nats, 10.025 bits",
        "15.253 nats",
        "26 letters: a b c",
        "2,872,900    6.19  the",
    ] {
        assert!(report.contains(part), "`{part}` is not in:\n{report}");
    }
}

#[test]
fn the_json_report_has_the_same_figures() {
    let options = ["lexicon", "-", "--format", "json", "--top", "1", "--min-count", "2"];
    let report = feed(&options, "wug 5\nzoë 3\nx 1".as_bytes()).json();
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
        let ended = feed(&[&["lexicon", "-"], options].concat(), list);
        let line = ended.stdout.lines().find(|line| line.starts_with("kept")).map(str::to_string);
        line.unwrap_or(ended.stderr)
    };
    assert!(kept(&[]).ends_with("5 words, 19 tokens"));
    assert!(kept(&["--lower-case"]).ends_with("4 words, 19 tokens"));
    assert!(kept(&["--letters-only"]).ends_with("4 words, 10 tokens"));
    assert!(kept(&["--min-length", "2", "--max-length", "4"]).ends_with("3 words, 14 tokens"));
    assert!(kept(&["--filter", "paper", "--min-count", "3"]).ends_with("1 words, 3 tokens"));
}

#[test]
fn both_parts_of_the_split_are_written() {
    let place = Place::new();
    let list: String = (1..200).map(|number| format!("w{number}\t{number}\n")).collect();
    let read = |name: &str| -> Vec<(String, u64)> {
        let text = place.text(&format!("new/parts/{name}"));
        let pair =
            |line: &str| line.split_once('\t').map(|(word, count)| (word.to_owned(), count.parse().unwrap()));
        text.lines().map(|line| pair(line).unwrap()).collect()
    };
    for (kind, shared) in [("tokens", true), ("types", false)] {
        place.feed(&["lexicon", "-", "--split", kind, "-o", "new/parts"], list.as_bytes()).words();
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
        (&["lexicon", "-", "--split", "words", "-o", "parts"], "there are tokens, types"),
    ] {
        place.feed(arguments, b"wug 3\n").tells(2, &[part]);
    }
}

#[test]
fn bad_lists_are_explained_with_file_and_line() {
    let fails = |input: &[u8], parts: &[&str]| {
        feed(&["lexicon", "-"], input).fails_in_one_line(1, parts);
    };
    fails(b"wug\t3\nblick\t-1\n", &["standard input, line 2", "`-1`", "`blick`", "negative"]);
    fails(b"wug\t3\nblick\t1,234\n", &["line 2", "`1,234`", "thousands"]);
    fails(b"id;word\n1;wug\n2;a;b\n", &["line 3", "3 columns, but the table has 2"]);
    fails(b"wug\t3\nblick\n", &["line 2", "`blick` has no count"]);
    fails(b"wug\t3\nblick\t18446744073709551616\n", &["line 2", "too large", "18446744073709551615"]);
    fails(b"wug\t3\nbl\xffck\t1\n", &["line 2", "offset 8", "UTF-8", "iconv"]);
    fails(b"\x7fELF\x02\x01\x01\0\0\0\0", &["line 1", "NUL", "binary"]);
    fails(b"", &["standard input has no words"]);
    fails(&vec![b'x'; 100 << 20], &["line 1 is longer than 65536 bytes", "wug count"]);
    feed(&["lexicon", "-", "--min-count", "9"], b"wug 3\n")
        .fails_in_one_line(1, &["leaves no word", "1 seen fewer than 9 times"]);
}

#[test]
fn bad_files_are_explained() {
    let place = Place::new();
    let fails = |file: &str, parts: &[&str]| {
        place.wug(&["lexicon", file]).fails_in_one_line(1, parts);
    };
    fails(".", &["is a directory"]);
    fails("none.tsv", &["cannot open", "none.tsv"]);
    let list: String = (0..9999).map(|number| format!("w{number}\t{number}\n")).collect();
    let frame =
        ruzstd::encoding::compress_to_vec(list.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    place.write("cut.zst", &frame[..frame.len() - 9]);
    fails("cut.zst", &["cut.zst, line", "zstd", "cut short"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_unreadable_file_is_explained() {
    // Reading one's own memory at address 0 fails even for the superuser, who may open any file.
    wug(&["lexicon", "/proc/self/mem"]).fails_in_one_line(1, &["/proc/self/mem, line 1", "reading failed"]);
}

#[test]
fn options_that_do_not_go_together_are_wrong_usage() {
    wug(&["lexicon", "--min-length", "5", "--max-length", "3"])
        .fails_in_one_line(2, &["--min-length", "5", "3"]);
    wug(&["lexicon", "--min-count", "-1"]).fails(2, &[]);
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let place = Place::new();
    let ended = watch(&mut place.command(&["lexicon", "--top", "99999"]), b"", DEADLINE, 10);
    assert_eq!((ended.stdout.len(), ended.succeeds().stderr.as_str()), (10, ""));
}
