//! Measures next to the lexicon and next to another one, and reports as tables.

use std::collections::BTreeMap;

use crate::harness::{Place, SMALL};

/// Words of five letters, and others of another list.
const WORDS: &str = "stone\nstore\nstove\nshore\nshone\nscore\nscone\nspore\nspoke\nsmoke\nsmote\nstoke\nstole\nslope\nslate\nstate\nplate\nplane\nplant\ngrant\ngrand\nbrand\nbread\nbroad\n";
const OTHERS: &str = "sport\nstort\nstern\nstirn\nstein\nstaub\nstore\nblond\nbrand\nhafer\nhafen\nhaben\ngeben\nleben\nreben\nnebel\ngabel\nkabel\nhobel\nvogel\n";

/// The rows of a table with commas, by the names in the header.
fn rows(table: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = table.split_terminator("\r\n");
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines.map(|line| names.iter().copied().zip(line.split(',')).collect()).collect()
}

fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (number, letter) in left.iter().enumerate() {
        let mut before = std::mem::replace(&mut row[0], number + 1);
        for place in 0..right.len() {
            let changed = before + usize::from(*letter != right[place]);
            before = row[place + 1];
            row[place + 1] = changed.min(before + 1).min(row[place] + 1);
        }
    }
    row[right.len()]
}

#[test]
fn every_measure_has_a_percentile_and_two_lexicons_their_neighbours() {
    let place = Place::english();
    place.write("words.txt", WORDS);
    place.write("others.txt", OTHERS);
    let score = |format: &str, more: &[&str]| {
        let base = ["score", "-m", "english", "--lexicon", "words.txt", "--format", format];
        place.wug(&[&base[..], more].concat())
    };
    let of_words = score("csv", &["-i", "words.txt"]).succeeds().stdout;
    let of_words = rows(&of_words);
    let options = ["--percentiles", "--other-lexicon", "others.txt"];
    let table = score("csv", &[&options[..], &["slone", "brant", "store"]].concat()).succeeds().stdout;
    let number = |text: &str| text.parse::<f64>().unwrap();
    for row in rows(&table) {
        for measure in [
            "coltheart_n",
            "old20",
            "bigram_frequency",
            "positional_bigram_types",
            "positional_bigram_tokens",
            "positional_trigram_types",
            "positional_trigram_tokens",
            "vowel_groups",
        ] {
            let figures: Vec<f64> = of_words.iter().map(|own| number(own[measure])).collect();
            let own = number(row[measure]);
            let smaller = figures.iter().filter(|figure| **figure < own).count() as f64;
            let equal = figures.iter().filter(|figure| **figure == own).count() as f64;
            let expected = 100.0 * (smaller + equal / 2.0) / figures.len() as f64;
            let found = number(row[format!("{measure}_percentile").as_str()]);
            // Both were printed with four places.
            assert!((found - expected).abs() < 1e-3, "{} {measure}: {found}, not {expected}", row["word"]);
        }
        let mut distances: Vec<usize> = OTHERS.lines().map(|other| distance(row["word"], other)).collect();
        distances.sort_unstable();
        let is_word = distances[0] == 0;
        assert_eq!(row["other_lexicality"], if is_word { "word" } else { "nonword" });
        distances.retain(|distance| *distance > 0);
        let neighbours = OTHERS.lines().filter(|other| {
            row["word"].len() == other.len()
                && row["word"].bytes().zip(other.bytes()).filter(|(left, right)| left != right).count() == 1
        });
        assert_eq!(row["other_coltheart_n"], neighbours.count().to_string(), "{}", row["word"]);
        assert_eq!(row["other_nearest_distance"], distances[0].to_string());
        // Twenty others are needed: the list has twenty, and one of them may be the word itself.
        let mean = distances.iter().sum::<usize>() as f64 / 20.0;
        let expected = if is_word { String::new() } else { format!("{mean:.4}") };
        assert_eq!(row["other_old20"], expected, "{}", row["word"]);
    }
    // The same as JSON, under the same names.
    score("csv", &["slone", "--format", "json"]).fails(2, &["--format"]);
    let json = score("json", &[&options[..], &["slone"]].concat()).json();
    for (name, value) in &rows(&table)[0] {
        match (&json[*name], value.parse::<f64>()) {
            (serde_json::Value::Number(found), Ok(expected)) => {
                assert!((found.as_f64().unwrap() - expected).abs() < 1e-4, "{name}")
            }
            (serde_json::Value::String(found), _) => assert_eq!(found, value, "{name}"),
            (serde_json::Value::Array(_), _) => {}
            (serde_json::Value::Null, _) => assert!(value.is_empty(), "{name}"),
            (other, _) => panic!("{name}: {other} and {value}"),
        }
    }
}

#[test]
fn columns_that_need_more_say_so() {
    let place = Place::english();
    let score = |more: &[&str]| place.wug(&[&["score", "-m", "english", "blick"], more].concat());
    score(&["--columns", "word,other_old20"]).fails(2, &["--columns other_old20", "--other-lexicon"]);
    let text = score(&["--percentiles", "--format", "text"]).succeeds().stdout;
    assert!(text.contains("log P") && text.contains("old20_percentile"), "{text}");
    let table = score(&["--columns", "word,old20_percentile"]).succeeds().stdout;
    assert_eq!(table.lines().next(), Some("word\told20_percentile"));
    let share: f64 = table.lines().nth(1).unwrap().split('\t').nth(1).unwrap().parse().unwrap();
    assert!((0.0..=100.0).contains(&share), "{table}");
    // Nothing of the kind is there unless it is asked for.
    let usual = score(&["--format", "tsv"]).succeeds().stdout;
    assert!(!usual.contains("old20_percentile") && !usual.contains("other_"), "{usual}");
}

/// The values of a report by their paths.
fn flat(value: &serde_json::Value, path: &str, into: &mut BTreeMap<String, String>) {
    let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(key, field)| flat(field, &inner(key), into))
        }
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| flat(item, &inner(&index.to_string()), into));
        }
        serde_json::Value::Null => drop(into.insert(path.to_owned(), String::new())),
        serde_json::Value::String(text) => drop(into.insert(path.to_owned(), text.clone())),
        other => drop(into.insert(path.to_owned(), other.to_string())),
    }
}

#[test]
fn reports_are_tables_too() {
    let place = Place::english();
    place.write("words.txt", WORDS);
    let stimuli: Vec<String> = WORDS
        .lines()
        .map(|word| format!("{word}\tword"))
        .chain(OTHERS.lines().map(|word| format!("{word}\tnonword")))
        .collect();
    place.write("stimuli.tsv", stimuli.join("\n"));
    for command in [
        &["lexicon", "words.txt"][..],
        &["eval", "words.txt", "-m", "english", "--metrics", "log-probability"],
        &["ngram", "--lexicon", "words.txt"],
        &["check", "stimuli.tsv"],
    ] {
        let run = |format| place.wug(&[command, &["--format", format]].concat()).succeeds().stdout;
        let mut expected = BTreeMap::new();
        flat(&serde_json::from_str(&run("json")).unwrap(), "", &mut expected);
        assert!(expected.len() > 4, "{command:?}");
        for (format, separator, end) in [("csv", ',', "\r\n"), ("tsv", '\t', "\n")] {
            let table = run(format);
            let mut rows = table.split_terminator(end).map(|row| row.split_once(separator).unwrap());
            assert_eq!(rows.next(), Some(("name", "value")), "{command:?}");
            let found: BTreeMap<String, String> =
                rows.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect();
            // What takes time differs from run to run.
            let is_same = |name: &String| name.contains("seconds") || found.get(name) == expected.get(name);
            assert_eq!(found.len(), expected.len(), "{command:?} {format}");
            let other: Vec<&String> = expected.keys().filter(|name| !is_same(name)).collect();
            assert!(other.is_empty(), "{command:?} {format}: {other:?}");
        }
    }
}

#[test]
fn names_of_several_words_are_not_cut_in_silence() {
    let place = Place::english();
    place.write("rooms.txt", "Room 101\nRoom 102\nstudio 54\n");
    let lexicon = place.wug(&["lexicon", "rooms.txt"]).succeeds().stdout;
    assert!(lexicon.contains("`Room 101` is Room, 101 times"), "{lexicon}");
    place
        .train(&[&["rooms.txt", "--words", "200", "-o", "run"], &SMALL[..]].concat())
        .tells(0, &["numbers after spaces are counts: `Room 101` is Room, 101 times"]);
    place
        .wug(&["score", "-m", "english", "-i", "rooms.txt", "--lower-case"])
        .tells(0, &["of `room 101` the word is room"]);
    // A key is a line, whatever is in it.
    let name = |arguments: &[&str]| place.wug(&[&["name", "-m", "english"], arguments].concat()).words();
    let names = name(&["-i", "rooms.txt"]);
    assert_eq!(names, name(&["Room 101", "Room 102", "studio 54"]));
    assert!(names[0] != names[1], "{names:?}");
}

#[test]
fn letters_that_are_given_may_be_turned_into_lower_case() {
    let place = Place::english();
    let run = |arguments: &[&str]| place.wug(&[arguments, &["-m", "english"]].concat());
    let sample = |arguments: &[&str]| run(&[&["sample", "-n", "8"], arguments].concat()).words();
    assert_eq!(
        sample(&["--prefix", "Str", "--suffix", "ING", "--lower-case"]),
        sample(&["--prefix", "str", "--suffix", "ing"])
    );
    assert_eq!(sample(&["--like", "Glimmer", "--lower-case"]), sample(&["--like", "glimmer"]));
    // A model without capitals reads them as what it has.
    assert_eq!(sample(&["--prefix", "Str"]), sample(&["--prefix", "str"]));
    run(&["sample", "--prefix", "new york", "--lower-case"]).fails(2, &["--prefix", "has a space"]);
    place.write("words.txt", "GARDEN\n");
    let base = ["match", "words.txt", "--candidates", "200", "--format", "tsv"];
    let table = run(&[&base[..], &["--lower-case", "--prefix", "S"]].concat()).succeeds().stdout;
    let row: Vec<&str> = table.lines().nth(1).unwrap().split('\t').collect();
    assert!(row[0] == "garden" && row[1].starts_with('s'), "{table}");
}

#[test]
fn rare_letters_go_with_their_words() {
    let place = Place::with("words.txt", format!("{WORDS}αβγ\nвода\n"));
    let run = |arguments: &[&str]| place.wug(&[&["lexicon", "words.txt"], arguments].concat());
    assert!(run(&[]).succeeds().stdout.contains("α"));
    let report = run(&["--min-letter-share", "0.05"]).succeeds().stdout;
    assert!(report.contains("with rare letters (") && !report.contains("αβγ"), "{report}");
    run(&["--min-letter-share", "2"]).fails(2, &["a share of the words from 0 to 1"]);
    let train = ["words.txt", "--words", "200", "--min-letter-share", "0.05", "-o", "run"];
    place.train(&train).tells(0, &["with rare letters"]);
    let config = place.text("run/config.toml");
    assert!(config.contains("min_letter_share = 0.05"), "{config}");
    place.train(&["words.txt", "--set", "min_letter_share=-1"]).fails(2, &["min_letter_share"]);
}
