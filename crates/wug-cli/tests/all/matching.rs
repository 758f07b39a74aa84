//! `wug match` and `wug name` as users meet them.

use std::collections::HashSet;

use crate::harness::{Place, wug};

const TARGETS: [&str; 12] = [
    "hamper", "gravel", "pellet", "trowel", "bugle", "mallet", "thistle", "pigeon", "lantern", "bramble",
    "quiver", "ferret",
];

/// A folder with words to match.
fn list(words: &[&str]) -> Place {
    let place = Place::english();
    place.write("targets.txt", words.join("\n"));
    place
}

const MATCH: [&str; 4] = ["match", "targets.txt", "-m", "english"];

#[test]
fn a_list_gets_its_pseudowords() {
    let place = list(&TARGETS);
    let run = |more: &[&str]| place.wug(&[&MATCH[..], &["-n", "2", "--candidates", "600"], more].concat());
    let report = run(&["--format", "json"]).json();
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
    let table =
        run(&["--format", "csv", "--threads", "1"]).tells(0, &["LD1NN: odds", "old20", "paired p"]).stdout;
    let rows: Vec<Vec<&str>> = table.split_terminator("\r\n").map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 25);
    assert_eq!(rows[0][..3], ["word", "pseudoword", "match_distance"]);
    assert!(rows[0].contains(&"word_old20") && rows[0].contains(&"pseudoword_old20"));
    assert!(rows[1..].iter().all(|row| all.contains(row[1])), "{rows:?}");
    // The figures are those of `wug score`.
    let score = place.wug(&["score", "-m", "english", rows[1][1], "--format", "json"]).json();
    let column = rows[0].iter().position(|name| *name == "pseudoword_log_probability").unwrap();
    assert!(
        (score["log_probability"].as_f64().unwrap() - rows[1][column].parse::<f64>().unwrap()).abs() < 1e-3
    );
}

/// What the guide promises for its sixty nouns, with fewer candidates than usual.
#[test]
fn sixty_nouns_are_matched_and_not_given_away() {
    let nouns = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/nouns.txt");
    let run = ["match", nouns, "--candidates", "1000", "--format", "json"];
    let report = wug(&run).json();
    let nouns = std::fs::read_to_string(nouns).unwrap();
    assert_eq!(report["targets"].as_array().unwrap().len(), nouns.lines().count());
    for quality in report["quality"].as_array().unwrap() {
        let figure = |name: &str| quality[name].as_f64().unwrap();
        // Few strings that are no words are as probable as a common noun: their mean stays a fifth of a standard deviation below.
        if quality["measure"] == "log-probability" {
            assert!(figure("standardised_distance") < 0.3, "{quality}");
            assert!(figure("standardised_mean").abs() < 0.25, "{quality}");
            continue;
        }
        assert!(figure("standardised_distance") < 0.35, "{quality}");
        assert!(figure("standardised_mean").abs() < 0.05 && figure("p") > 0.1, "{quality}");
    }
    let bias = &report["bias"];
    let (coefficient, error) =
        (bias["coefficient"].as_f64().unwrap(), bias["standard_error"].as_f64().unwrap());
    assert!((coefficient / error).abs() < 1.3, "{coefficient} ± {error}");
}

#[test]
fn what_is_asked_for_is_kept() {
    let place = list(&TARGETS[..6]);
    place.write("not.txt", "gurden\n");
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
    let ended = place.wug(&[&MATCH[..], &options[..]].concat());
    let rows: Vec<Vec<&str>> = ended.stdout.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    assert!(rows.len() >= 4, "{ended:?}");
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
    let place = list(&["garden", "naïve", "antidisestablishment", "is"]);
    let run = |more: &[&str]| place.wug(&[&MATCH[..], &["--candidates", "200"], more].concat());
    run(&["-n", "900"]).tells(
        3,
        &["`ï` of `naïve`", "fewer than 20 words with 20 letters", "is: ", "of 900 pseudowords found"],
    );
    run(&["--measures", "beauty"]).fails(2, &["`beauty` is none of log-probability"]);
    run(&["--measures", "old20:-1"]).fails(2, &["a weight such as 2"]);
    run(&["--tolerance", "old20"]).fails(2, &["such as old20=0.2"]);
    run(&["--same", "colour"]).fails(2, &["`colour` is none of first-letter"]);
    run(&["--min-edits", "3", "--max-edits", "2"]).fails(2, &["--min-edits"]);
    run(&["--measures", "other-old20"]).fails(2, &["needs another lexicon"]);
    run(&["--keep", "0"]).fails(2, &["places to keep"]);
    place.wug(&["match", "nothing.txt"]).fails(1, &["nothing.txt"]);
}

#[test]
fn a_method_section_names_versions_hashes_and_seeds() {
    let place = list(&TARGETS[..4]);
    let options = ["--candidates", "200", "--seed", "7", "--method=method.txt", "--attested", "1"];
    place.wug(&[&MATCH[..], &options].concat()).succeeds();
    let method = place.text("method.txt");
    let parts = [
        concat!("wug ", env!("CARGO_PKG_VERSION")),
        "model english (SHA-256 ",
        "which was trained on ",
        "(seed 7; ",
        "Words of the lexicon (",
        "fewer than 1 times",
        "optimal assignment",
        "Coltheart's N (Coltheart et al., 1977), OLD20 (Yarkoni et al., 2008)",
        "LD1NN",
        "@inproceedings{schmidt2018deep",
        "@incollection{coltheart1977access",
        "@article{yarkoni2008moving",
        "@article{keuleers2011detecting",
    ];
    for part in parts {
        assert!(method.contains(part), "{part}: {method}");
    }
}

#[test]
fn a_second_lexicon_has_neighbours_of_its_own() {
    let place = list(&["table", "chair"]);
    let other: Vec<String> = (0..200).map(|number| format!("{:05}", number * 37)).collect();
    place.write("other.txt", other.join("\n"));
    let options = ["--candidates", "200", "--measures", "old20,other-old20", "--format", "tsv"];
    let run = [&MATCH[..], &options, &["--other-lexicon", "other.txt"]].concat();
    let table = place.wug(&run).succeeds().stdout;
    let column =
        table.lines().next().unwrap().split('\t').position(|name| name == "pseudoword_other_old20").unwrap();
    // Five letters against five digits.
    assert!(table.lines().skip(1).all(|row| row.split('\t').nth(column) == Some("5.0000")), "{table}");
}

#[test]
fn keys_have_words_for_ever() {
    let place = Place::english();
    let run = |arguments: &[&str]| place.wug(&[&["name", "-m", "english"], arguments].concat());
    let name = |arguments: &[&str]| run(arguments).succeeds().stdout;
    // The bundled model keeps clear of all known words.
    let known = wug::lexicon::bundled().unwrap();
    let word = wug(&["name", "server-1"]).succeeds().stdout;
    assert!((4..=10).contains(&word.trim_end().len()) && known.count(word.trim_end()) == 0, "{word}");
    let known = wug::TrainedModel::load(&place.path("english")).unwrap().training_list().unwrap();
    let both = name(&["server-1", "server-2"]);
    assert_eq!(both, name(&["server-1"]) + &name(&["server-2", "--threads", "1"]));
    for word in both.lines() {
        assert!((4..=10).contains(&word.len()) && known.count(word) == 0, "{word}");
    }
    let parts = name(&["server-1", "--parts", "2", "--capital"]);
    let first = parts.split('-').next().unwrap().to_lowercase();
    assert_eq!(Some(first.as_str()), both.lines().next());
    let short = name(&["a", "b", "c", "--syllables", "1", "--max-length", "5"]);
    assert!(short.lines().all(|word| word.len() <= 5), "{short}");
    let explained = run(&["a", "--explain"])
        .tells(0, &["naming version 1", "fingerprint", "different words", "with even odds"]);
    let fingerprint =
        explained.stderr.split("fingerprint ").nth(1).unwrap().split_whitespace().next().unwrap();
    assert_eq!(name(&["a", "--pin", &fingerprint[..8]]), explained.stdout);
    run(&["a", "--pin", "none"]).fails(2, &["--pin none", "another one"]);
    run(&[]).fails(2, &["no keys"]);
    // The options are looked at before keys that may be long in coming.
    run(&["-i", "none.txt", "--pattern", "[p{L}]"]).fails(2, &["the letter `{`"]);
    wug(&["name", "a", "--pattern", "window"]).fails(3, &["there are no more", "known: 1", "--novel"]);
}

/// Whoever keeps names relies on these. If the first check fails, the bundled model is another one: put in its fingerprint and its names. If
/// only the others fail, the same model gives the same keys other names: raise `NAME_VERSION`, and say so in the changelog.
#[test]
fn names_are_those_of_version_1() {
    assert_eq!(wug::generate::NAME_VERSION, 1);
    let name = |arguments: &[&str]| wug(&[&["name"], arguments].concat()).succeeds().stdout;
    name(&["a", "--pin", "8f145a88acf8a6b51d3e79d39ee5d6bc48036d66c27ba5c153df5f81733c58e2"]);
    assert_eq!(name(&["server-1", "level 2", "ключ"]), "satanises\njemmier\nsaff\n");
    assert_eq!(name(&["server-1", "--parts", "2", "--capital"]), "Satanises-Robotizers\n");
    // Another way of making words, for those that chance hardly makes.
    assert_eq!(name(&["server-1", "--pattern", "x?zz*"]), "xuzzled\n");
}
