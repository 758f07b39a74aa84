//! `wug match` and `wug name` as users meet them.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

pub(super) fn wug(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wug")).args(arguments).current_dir(folder).output().unwrap()
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub(super) fn stdout(output: &Output, code: i32) -> String {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    text(&output.stdout)
}

pub(super) fn tells(output: &Output, code: i32, parts: &[&str]) {
    stdout(output, code);
    let message = text(&output.stderr);
    parts.iter().for_each(|part| assert!(message.contains(part), "`{part}` is not in: {message}"));
}

const TARGETS: [&str; 12] = [
    "hamper", "gravel", "pellet", "trowel", "bugle", "mallet", "thistle", "pigeon", "lantern", "bramble",
    "quiver", "ferret",
];

fn list(words: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("targets.txt"), words.join("\n")).unwrap();
    folder
}

#[test]
fn a_list_gets_its_pseudowords() {
    let folder = list(&TARGETS);
    let base = ["match", "targets.txt", "-n", "2", "--candidates", "600"];
    let run = |more: &[&str]| wug(folder.path(), &[&base, more].concat());
    let report: serde_json::Value = serde_json::from_str(&stdout(&run(&["--format", "json"]), 0)).unwrap();
    let mut all = HashSet::new();
    for (target, expected) in report["targets"].as_array().unwrap().iter().zip(TARGETS) {
        assert_eq!(target["target"]["word"], expected);
        let own = target["pseudowords"].as_array().unwrap();
        assert_eq!(own.len(), 2, "{expected}");
        for found in own {
            assert_eq!(
                (found["length"].as_u64(), &found["lexicality"]),
                (Some(expected.len() as u64), &"nonword".into())
            );
            assert!(found["rarest_trigram"].as_u64().unwrap() >= 3, "{found}");
            assert!(all.insert(found["word"].as_str().unwrap().to_owned()), "{found} comes twice");
        }
        assert!(own[0]["match_distance"].as_f64() <= own[1]["match_distance"].as_f64());
    }
    assert_eq!(report["quality"].as_array().unwrap().len(), 4);
    for quality in report["quality"].as_array().unwrap() {
        let mean = quality["standardised_mean"].as_f64().unwrap();
        assert!(mean.abs() < 0.3, "{quality}");
        assert!(quality["worst"]["target"].is_string() && quality["p"].as_f64().unwrap() > 0.01, "{quality}");
    }
    // The same pairs as a table on one thread; the report goes to standard error.
    let output = run(&["--format", "csv", "--threads", "1"]);
    let table = stdout(&output, 0);
    let rows: Vec<Vec<&str>> = table.split_terminator("\r\n").map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 25);
    assert_eq!(rows[0][..3], ["word", "pseudoword", "match_distance"]);
    assert!(rows[0].contains(&"word_old20") && rows[0].contains(&"pseudoword_old20"));
    assert!(rows[1..].iter().all(|row| all.contains(row[1])), "{rows:?}");
    tells(&output, 0, &["LD1NN: odds", "old20", "paired p"]);
    // The figures are those of `wug score`.
    let score = stdout(&wug(folder.path(), &["score", rows[1][1], "--format", "json"]), 0);
    let score: serde_json::Value = serde_json::from_str(score.trim()).unwrap();
    let place = rows[0].iter().position(|name| *name == "pseudoword_log_probability").unwrap();
    assert!(
        (score["log_probability"].as_f64().unwrap() - rows[1][place].parse::<f64>().unwrap()).abs() < 1e-3
    );
}

/// What the guide promises for its sixty nouns, with fewer candidates than usual.
#[test]
fn sixty_nouns_are_matched_and_not_given_away() {
    let nouns = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/nouns.txt");
    let run = ["match", nouns, "--candidates", "1000", "--format", "json"];
    let report = stdout(&wug(Path::new("."), &run), 0);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let nouns = fs::read_to_string(nouns).unwrap();
    assert_eq!(report["targets"].as_array().unwrap().len(), nouns.lines().count());
    for quality in report["quality"].as_array().unwrap() {
        let figure = |name: &str| quality[name].as_f64().unwrap();
        assert!(figure("standardised_distance") < 0.25, "{quality}");
        assert!(figure("standardised_mean").abs() < 0.05 && figure("p") > 0.1, "{quality}");
    }
    let bias = &report["bias"];
    let (coefficient, error) =
        (bias["coefficient"].as_f64().unwrap(), bias["standard_error"].as_f64().unwrap());
    assert!((coefficient / error).abs() < 1.3, "{coefficient} ± {error}");
}

#[test]
fn what_is_asked_for_is_kept() {
    let folder = list(&TARGETS[..6]);
    fs::write(folder.path().join("not.txt"), "gurden\n").unwrap();
    let options = [
        "--candidates",
        "400",
        "--same",
        "first-letter,syllables",
        "--keep",
        "-1",
        "--min-edits",
        "2",
        "--max-edits",
        "5",
        "--apart",
        "3",
        "--tolerance",
        "coltheart-n=4",
        "--measures",
        "old20:2,log-probability,positional-bigram-types",
        "--without",
        "q",
        "--not-in",
        "not.txt",
        "--format",
        "tsv",
        "--attested",
        "1",
    ];
    let output = wug(folder.path(), &[&["match", "targets.txt"], &options[..]].concat());
    let table = text(&output.stdout);
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    assert!(rows.len() >= 4, "{table} {}", text(&output.stderr));
    let groups = |word: &str| {
        word.split(|letter| !"aeiouy".contains(letter)).filter(|group| !group.is_empty()).count()
    };
    for row in &rows {
        let (word, other) = (row[0], row[1]);
        assert_eq!((&word[..1], &word[5..]), (&other[..1], &other[5..]), "{row:?}");
        assert_eq!(groups(word), groups(other), "{row:?}");
        assert!(
            word.bytes().zip(other.bytes()).filter(|(a, b)| a != b).count() >= 2 && !other.contains('q'),
            "{row:?}"
        );
    }
}

#[test]
fn mistakes_and_shortages_are_told() {
    let folder = list(&["garden", "naïve", "antidisestablishment", "is"]);
    let run = |more: &[&str]| {
        wug(folder.path(), &[&["match", "targets.txt", "--candidates", "200"], more].concat())
    };
    tells(
        &run(&["-n", "900"]),
        3,
        &["`ï` of `naïve`", "fewer than 20 words with 20 letters", "is: ", "of 900 pseudowords found"],
    );
    tells(&run(&["--measures", "beauty"]), 2, &["`beauty` is none of log-probability"]);
    tells(&run(&["--measures", "old20:-1"]), 2, &["a weight such as 2"]);
    tells(&run(&["--tolerance", "old20"]), 2, &["such as old20=0.2"]);
    tells(&run(&["--same", "colour"]), 2, &["`colour` is none of first-letter"]);
    tells(&run(&["--min-edits", "3", "--max-edits", "2"]), 2, &["--min-edits"]);
    tells(&run(&["--measures", "other-old20"]), 2, &["needs another lexicon"]);
    tells(&run(&["--keep", "0"]), 2, &["places to keep"]);
    tells(&wug(folder.path(), &["match", "nothing.txt"]), 1, &["nothing.txt"]);
}

#[test]
fn a_method_section_names_versions_hashes_and_seeds() {
    let folder = list(&TARGETS[..4]);
    let run = [
        "match",
        "targets.txt",
        "--candidates",
        "200",
        "--seed",
        "7",
        "--method=method.txt",
        "--attested",
        "1",
    ];
    stdout(&wug(folder.path(), &run), 0);
    let method = fs::read_to_string(folder.path().join("method.txt")).unwrap();
    for part in
        [env!("CARGO_PKG_VERSION"), "SHA-256", "seed 7", "optimal assignment", "LD1NN", "@inproceedings"]
    {
        assert!(method.contains(part), "{part}: {method}");
    }
}

#[test]
fn a_second_lexicon_has_neighbours_of_its_own() {
    let folder = list(&["table", "chair"]);
    let other: Vec<String> = (0..200).map(|number| format!("{:05}", number * 37)).collect();
    fs::write(folder.path().join("other.txt"), other.join("\n")).unwrap();
    let run = [
        "match",
        "targets.txt",
        "--candidates",
        "200",
        "--other-lexicon",
        "other.txt",
        "--measures",
        "old20,other-old20",
        "--format",
        "tsv",
    ];
    let table = stdout(&wug(folder.path(), &run), 0);
    let place =
        table.lines().next().unwrap().split('\t').position(|name| name == "pseudoword_other_old20").unwrap();
    // Five letters against five digits.
    assert!(table.lines().skip(1).all(|row| row.split('\t').nth(place) == Some("5.0000")), "{table}");
}

#[test]
fn keys_have_words_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let name = |arguments: &[&str]| stdout(&wug(folder.path(), &[&["name"], arguments].concat()), 0);
    let both = name(&["server-1", "server-2"]);
    assert_eq!(both, name(&["server-1"]) + &name(&["server-2", "--threads", "1"]));
    let known = wug::lexicon::bundled().unwrap();
    for word in both.lines() {
        assert!((4..=10).contains(&word.len()) && known.count(word) == 0, "{word}");
    }
    let parts = name(&["server-1", "--parts", "2", "--capital"]);
    let first = parts.split('-').next().unwrap().to_lowercase();
    assert_eq!(Some(first.as_str()), both.lines().next());
    let short = name(&["a", "b", "c", "--syllables", "1", "--max-length", "5"]);
    assert!(short.lines().all(|word| word.len() <= 5), "{short}");
    let explained = wug(folder.path(), &["name", "a", "--explain"]);
    tells(&explained, 0, &["naming version 1", "fingerprint", "different words", "with even odds"]);
    let message = text(&explained.stderr);
    let fingerprint = message.split("fingerprint ").nth(1).unwrap().split_whitespace().next().unwrap();
    assert_eq!(name(&["a", "--pin", &fingerprint[..8]]), text(&explained.stdout));
    tells(&wug(folder.path(), &["name", "a", "--pin", "none"]), 2, &["--pin none", "another one"]);
    tells(&wug(folder.path(), &["name"]), 2, &["no keys"]);
}
