//! `wug score` and `wug check` as users meet them.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn wug(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wug"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The command may stop before it has read all.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The output of a run that ends with this code.
fn stdout(output: &Output, code: i32) -> String {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    text(&output.stdout)
}

/// Asserts that a run ended with this code and that its message has all of the parts.
fn tells(output: &Output, code: i32, parts: &[&str]) {
    stdout(output, code);
    let message = text(&output.stderr);
    parts.iter().for_each(|part| assert!(message.contains(part), "`{part}` is not in: {message}"));
}

/// A folder with a list in some script and a model trained on it for a moment.
fn trained(letters: [&str; 4], more: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut words = Vec::new();
    for number in 0..256usize {
        let spell =
            |places: u32| (0..places).map(|place| letters[number >> (2 * place) & 3]).collect::<String>();
        words.push(format!("{}\t{}", spell(4), 1 + 500 / (number + 1)));
    }
    fs::write(folder.path().join("list.tsv"), words.join("\n")).unwrap();
    let preset: &[&str] = if more.contains(&"--preset") { &[] } else { &["--preset", "default"] };
    let arguments = [&["train", "list.tsv", "--words", "5k", "-o", "run"], preset, more].concat();
    stdout(&wug(folder.path(), &arguments, b""), 0);
    folder
}

const STATE_SPACE: &[&str] = &["--set", "particles=2", "--set", "generative.flow=tril"];

#[test]
fn words_are_scored_in_every_form() {
    let folder = trained(["a", "b", "c", "d"], STATE_SPACE);
    let score = |arguments: &[&str], input: &[u8]| {
        wug(folder.path(), &[&["score", "-m", "run", "--particles", "64"], arguments].concat(), input)
    };
    let table = stdout(&score(&["--format", "tsv", "abcd", "ab"], b""), 0);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.len() == 22));
    let field = |row: usize, name: &str| {
        rows[row][rows[0].iter().position(|column| *column == name).expect("a column")]
    };
    assert_eq!((field(1, "word"), field(1, "length"), field(1, "lexicality")), ("abcd", "4", "word"));
    // All strings of four letters are words: three others for each letter.
    assert_eq!((field(1, "coltheart_n"), field(1, "nearest_distance")), ("12", "1"));
    assert_eq!(
        (field(2, "lexicality"), field(2, "coltheart_n"), field(2, "lexicon_percentile")),
        ("nonword", "0", "")
    );
    let sum: f64 = field(1, "surprisals").split(' ').map(|number| number.parse::<f64>().unwrap()).sum();
    assert!((sum + field(1, "log_probability").parse::<f64>().unwrap()).abs() < 1e-3);

    let lines = stdout(&score(&["--format", "json"], b"abcd\nab\n"), 0);
    let objects: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    for column in rows[0].iter() {
        assert!(objects[0].get(column).is_some(), "{column}");
    }
    assert_eq!(objects[0]["spelling"], serde_json::json!(["a", "b", "c", "d"]));
    assert_eq!(objects[1]["random_percentile"], serde_json::Value::Null);
    let shown: f64 = field(1, "log_probability").parse().unwrap();
    assert!((objects[0]["log_probability"].as_f64().unwrap() - shown).abs() < 1e-3);

    let people = stdout(&score(&["abcd"], b""), 0);
    assert!(people.contains("end ") && people.contains(" % "), "{people}");
}

#[test]
fn a_score_does_not_depend_on_threads_or_other_words() {
    let folder = trained(["a", "b", "c", "d"], STATE_SPACE);
    let score = |arguments: &[&str], input: &[u8]| {
        let more = [&["score", "-m", "run", "--particles", "64", "--format", "tsv"], arguments].concat();
        stdout(&wug(folder.path(), &more, input), 0)
    };
    // More words than the largest batch.
    let words: String = (0..2500usize)
        .map(|number| format!("{}\n", ["abcd", "dab", "cc", "adcba", "bbbb"][number * number % 5]))
        .collect();
    let all = score(&["--threads", "1"], words.as_bytes());
    assert_eq!(all, score(&["--threads", "3", "-i", "-"], words.as_bytes()));
    assert_eq!(all.lines().count(), 2501);
    let alone = score(&["bbbb"], b"");
    assert!(
        all.lines().filter(|line| line.starts_with("bbbb\t")).all(|line| Some(line) == alone.lines().nth(1))
    );
    assert_ne!(alone, score(&["bbbb", "--seed", "2"], b""));
}

#[test]
fn hostile_lines_are_told_and_skipped() {
    let folder = trained(["a", "b", "c", "d"], &["--preset", "gru-8d"]);
    let long = "a".repeat(200_000);
    let list =
        [b"abcd\nw\xffg\n\n", long.as_bytes(), b"\nbad\x1b\nxyz\nb\0b\nthe quick fox\ndcba\n"].concat();
    let output = wug(folder.path(), &["score", "-m", "run", "--format", "tsv"], &list);
    let words: Vec<String> =
        stdout(&output, 3).lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned()).collect();
    assert_eq!(words, ["abcd", "dcba"]);
    tells(
        &output,
        3,
        &[
            "standard input, line 2",
            "UTF-8",
            "line 4 is longer",
            "line 5",
            "U+001B",
            "line 6",
            "`x` of `xyz`",
            "(a b c d)",
            "line 7",
            "NUL",
            "line 8",
            "3 columns",
            "6 words or lines were left out",
        ],
    );
    // Messages are bounded, however many bad lines there are.
    let output = wug(folder.path(), &["score", "-m", "run"], "x\n".repeat(5000).as_bytes());
    tells(&output, 3, &["5,000 words or lines were left out"]);
    assert_eq!(text(&output.stderr).lines().count(), 21);
    let output = wug(folder.path(), &["score", "-m", "run", "a b", "", "ABCD"], b"");
    tells(
        &output,
        3,
        &[
            "argument 1: `a b` has a space in it",
            "argument 2: a word without letters",
            "argument 3",
            "`A` of `ABCD`",
        ],
    );
    let output = wug(folder.path(), &["score", "-m", "run", "--lower-case", "ABCD"], b"");
    assert!(stdout(&output, 0).contains("abcd"));

    tells(&wug(folder.path(), &["score", "-m", "run", "-i", "none.txt"], b""), 1, &["cannot open none.txt"]);
    tells(&wug(folder.path(), &["score", "-m", "none", "abc"], b""), 1, &["none"]);
    tells(
        &wug(folder.path(), &["score", "-m", "run", "--lexicon", "none.tsv", "abc"], b""),
        1,
        &["none.tsv"],
    );
    tells(&wug(folder.path(), &["score", "-m", "run", "--particles", "0", "abc"], b""), 2, &["--particles"]);
    fs::remove_file(folder.path().join("list.tsv")).unwrap();
    // The model has its list with it.
    assert!(stdout(&wug(folder.path(), &["score", "-m", "run", "abc"], b""), 0).contains("abc"));
}

#[test]
fn letters_may_be_of_any_script() {
    for letters in [["ж", "у", "к", "а"], ["ä", "ö", "k", "l"], ["t͡ʃ", "ɛ̃", "kʰ", "ə"]] {
        let folder = trained(letters, &["--preset", "gru-8d"]);
        let word = letters.concat();
        let output = wug(folder.path(), &["score", "-m", "run", "--format", "json", &word], b"");
        let found: serde_json::Value = serde_json::from_str(&stdout(&output, 0)).unwrap();
        assert_eq!((&found["word"], &found["lexicality"]), (&word.clone().into(), &"word".into()));
        let spelling = found["spelling"].as_array().unwrap();
        assert_eq!(spelling.len() + 1, found["surprisals"].as_array().unwrap().len());
        assert_eq!(found["length"], spelling.len());
    }
}

#[test]
fn output_to_a_reader_that_leaves_is_no_failure() {
    let folder = trained(["a", "b", "c", "d"], &["--preset", "gru-8d"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_wug"))
        .args(["score", "-m", "run"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || drop(stdin.write_all("abcd\n".repeat(100_000).as_bytes())));
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

/// Words and nonwords that differ in their last letter, and such that differ in nothing.
fn stimuli(biased: bool) -> String {
    let spell = |number: usize| (0..6).map(|place| ['a', 'b'][number >> place & 1]).collect::<String>();
    (0..64)
        .map(|number| {
            let is_word = number * 37 % 64 < 32;
            let ending = if biased && is_word { "xx" } else { "yy" };
            format!("{}{ending}\t{}\n", spell(number), if is_word { "word" } else { "nonword" })
        })
        .collect()
}

#[test]
fn lists_are_checked_for_bias() {
    let folder = tempfile::tempdir().unwrap();
    let check = |list: &str, more: &[&str]| {
        let arguments = [&["check", "-", "--format", "json"], more].concat();
        let report = stdout(&wug(folder.path(), &arguments, list.as_bytes()), 0);
        serde_json::from_str::<serde_json::Value>(&report).unwrap()
    };
    let number = |report: &serde_json::Value, name: &str| report[name].as_f64().unwrap();
    let biased = check(&stimuli(true), &[]);
    assert!(number(&biased, "odds") > 3.0 && number(&biased, "p") < 0.01, "{biased}");
    assert_eq!((&biased["orders"], &biased["kinds"]), (&100.into(), &"list".into()));
    assert_eq!(biased["words"]["count"], 32);
    assert_eq!(biased, check(&stimuli(true), &["--threads", "1"]));
    assert_ne!(biased, check(&stimuli(true), &["--seed", "2"]));
    assert!(number(&biased, "smallest_odds") < number(&biased, "odds"));
    let listed = check(&stimuli(true), &["--as-listed"]);
    assert_eq!((&listed["orders"], number(&listed, "smallest_odds")), (&0.into(), number(&listed, "odds")));
    assert_eq!(listed["stimuli"][0]["word_probability"], 0.5);
    assert!(number(&check(&stimuli(false), &[]), "p") > 0.05);

    // What the lexicon has is a word.
    let list = "cat house mouse table water light stone river blick wug frouse trable flight stoke"
        .replace(' ', "\n");
    let nonwords = "mave coud grust whin pleam thost frime";
    let list = &format!("{list}\n{}\n", nonwords.replace(' ', "\n"));
    let report = check(list, &[]);
    assert_eq!((&report["kinds"], &report["words"]["count"]), (&"lexicon".into(), &11.into()));
    fs::write(folder.path().join("own.txt"), nonwords.replace(' ', "\n")).unwrap();
    assert_eq!(check(list, &["--lexicon", "own.txt"])["words"]["count"], 7);

    let output = wug(folder.path(), &["check", "-"], stimuli(true).as_bytes());
    let report = stdout(&output, 0);
    assert!(report.contains("LD1NN") && report.contains("biased: "), "{report}");
}

#[test]
fn lists_that_cannot_be_checked_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let check = |list: &str| wug(folder.path(), &["check", "-"], list.as_bytes());
    tells(&check(""), 1, &["0 words and 0 nonwords"]);
    tells(&check("cat\tword\n"), 1, &["1 words and 0 nonwords", "some of each"]);
    tells(&check("cat\tword\nzz\tnonword\n"), 1, &["too few stimuli"]);
    let list = format!("{}a\nb\tmaybe\n\u{7}\tword\n", stimuli(true));
    tells(
        &check(&list),
        3,
        &["line 65: no second column", "line 66", "`maybe`", "line 67", "3 words or lines"],
    );
    tells(&wug(folder.path(), &["check", "none.tsv"], b""), 1, &["cannot open none.tsv"]);
    tells(&wug(folder.path(), &["check", "-", "--as-listed", "--orders", "5"], b""), 2, &["--orders"]);
}

#[test]
fn samples_come_with_their_statistics() {
    let folder = tempfile::tempdir().unwrap();
    let sample = |arguments: &[&str]| {
        let base = ["sample", "-n", "12", "--min-length", "5", "--max-length", "5"];
        stdout(&wug(folder.path(), &[&base, arguments].concat(), b""), 0)
    };
    let words = sample(&[]);
    let table = sample(&["--format", "tsv"]);
    let first: Vec<&str> = table.lines().skip(1).map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(first, words.lines().collect::<Vec<_>>());
    assert_eq!(table, sample(&["--format", "tsv", "--threads", "1"]));
    assert_eq!(sample(&["--format", "json"]).lines().count(), 12);
    // The same with commas, and every column stands in the guide.
    let commas = sample(&["--format", "csv"]);
    let first: Vec<&str> = commas.split("\r\n").skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(first[..12], words.lines().collect::<Vec<_>>());
    let guide = include_str!("../../../../docs/statistics.md");
    for column in table.lines().next().unwrap().split('\t') {
        assert!(guide.contains(&format!("| `{column}` |")), "{column}");
    }
}

/// A capital letter must not make a nonword of a word in silence.
#[test]
fn capital_letters_of_stimuli_are_told() {
    let here = Path::new(".");
    let list = b"Garden\nwarden\nharden\nforest\nsilver\ngardeq\nwardeq\nforesq\nsilveq\nhardeq\n";
    let output = wug(here, &["check", "-"], list);
    tells(&output, 0, &["1 stimuli such as Garden", "--lower-case"]);
    assert!(text(&output.stdout).contains("words           4"), "{output:?}");
    let output = wug(here, &["check", "-", "--lower-case"], list);
    assert!(text(&output.stdout).contains("words           5") && output.stderr.is_empty(), "{output:?}");
    tells(
        &wug(here, &["score", "Blick", "--particles", "8"], b""),
        3,
        &["in lower case it can be spelt: give --lower-case"],
    );
}

#[test]
fn only_the_columns_that_are_asked_for_are_there() {
    let folder = trained(["a", "b", "c", "d"], &[]);
    let score =
        |arguments: &[&str]| wug(folder.path(), &[&["score", "-m", "run", "abcd"], arguments].concat(), b"");
    let table = stdout(&score(&["--columns", "surprisals,word,old20"]), 0);
    assert_eq!(table.lines().next(), Some("surprisals\tword\told20"));
    let fields: Vec<&str> = table.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!((fields[0].split(' ').count(), fields[1], fields[2]), (5, "abcd", "1.4000"));
    let object =
        stdout(&score(&["--columns", "word,log_probability,lexicon_percentile", "--format", "json"]), 0);
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    assert_eq!(object.as_object().unwrap().len(), 3);
    assert!(object["lexicon_percentile"].is_number() && object["log_probability"].is_number());
    // A list is not read unless it is needed.
    let missing = ["--lexicon", "missing.txt", "--columns"];
    stdout(&score(&[&missing[..], &["word,log_probability,surprisals"]].concat()), 0);
    tells(&score(&[&missing[..], &["word,random_percentile"]].concat()), 1, &["missing.txt"]);
    tells(&score(&["--columns", "word", "--format", "text"]), 2, &["--columns", "tsv, csv or json"]);
    tells(&score(&["--columns", "old"]), 2, &["--columns", "old"]);
}

#[test]
fn an_error_can_be_asked_for_instead_of_particles() {
    let folder = trained(["a", "b", "c", "d"], STATE_SPACE);
    let score = |arguments: &[&str]| {
        let columns = ["--columns", "standard_error", "abcd", "dcba", "bb"];
        wug(folder.path(), &[&["score", "-m", "run"], &columns[..], arguments].concat(), b"")
    };
    let table = stdout(&score(&["--error", "0.02"]), 0);
    assert!(table.lines().skip(1).all(|error| error.parse::<f64>().unwrap() <= 0.02), "{table}");
    tells(&score(&["--error", "0"]), 2, &["--error", "expected a number from 0.001 to 10"]);
    tells(&score(&["--error", "0.1", "--particles", "5"]), 2, &["--error", "--particles"]);
}

#[test]
fn noise_goes_out_and_comes_back_in_every_form() {
    for more in [&[][..], STATE_SPACE] {
        let folder = trained(["a", "b", "ж", "한"], more);
        let noise =
            |arguments: &[&str]| wug(folder.path(), &[&["noise", "-m", "run"], arguments].concat(), b"");
        let words = ["aжb한", "b"];
        assert!(stdout(&noise(&words), 0).contains("also probable"));
        for format in ["tsv", "json", "npy"] {
            let output = noise(&[&words[..], &["--format", format]].concat());
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            fs::write(folder.path().join("noise"), &output.stdout).unwrap();
            let back = stdout(&noise(&["--from", "noise"]), 0);
            // An array of noise lacks the points that choose the letters of the paper's flows.
            if format != "npy" || more.is_empty() {
                assert_eq!(back.lines().collect::<Vec<_>>(), words, "{format} {more:?}");
            }
            assert_eq!(back.lines().count(), 2);
        }
        let states = noise(&["b", "--format", "npy", "--array", "states"]).stdout;
        assert_eq!((&states[..6], states.len() % 64), (&b"\x93NUMPY"[..], 0));
        fs::write(folder.path().join("noise"), "noise\n0.5\n0 0\n").unwrap();
        tells(&noise(&["--from", "noise"]), 1, &["noise", "word 1: step", "numbers"]);
        tells(&noise(&["--from", "missing"]), 1, &["cannot read missing"]);
        tells(&noise(&[]), 2, &["no words"]);
        tells(&noise(&["ab", "xyz"]), 3, &["argument 2", "`x`"]);
    }
}
