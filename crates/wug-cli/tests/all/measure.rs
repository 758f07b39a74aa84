//! `wug score` and `wug check` as users meet them.

use crate::harness::{DEADLINE, Place, watch};

/// A folder with a list in some script and a model trained on it for a moment.
fn trained(letters: [&str; 4], more: &[&str]) -> Place {
    let mut words = Vec::new();
    for number in 0..256usize {
        let spell =
            |places: u32| (0..places).map(|place| letters[number >> (2 * place) & 3]).collect::<String>();
        words.push(format!("{}\t{}", spell(4), 1 + 500 / (number + 1)));
    }
    let place = Place::with("list.tsv", words.join("\n"));
    let small = ["--preset", "default", "--set", "state=8", "--set", "generative.hidden=[16]"];
    let small = if more.contains(&"--preset") { &[][..] } else { &small };
    place.train(&[&["list.tsv", "--words", "5k", "-o", "run"], small, more].concat()).succeeds();
    place
}

const STATE_SPACE: &[&str] = &["--set", "particles=2", "--set", "generative.flow=tril"];

#[test]
fn words_are_scored_in_every_form() {
    let place = trained(["a", "b", "c", "d"], STATE_SPACE);
    let score = |arguments: &[&str], input: &[u8]| {
        let base = ["score", "-m", "run", "--particles", "64"];
        place.feed(&[&base[..], arguments].concat(), input).succeeds().stdout
    };
    let table = score(&["--format", "tsv", "abcd", "ab"], b"");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()) && rows[0].len() > 25);
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

    let lines = score(&["--format", "json"], b"abcd\nab\n");
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

    let people = score(&["abcd"], b"");
    assert!(people.contains("end ") && people.contains(" % "), "{people}");
}

#[test]
fn a_score_does_not_depend_on_threads_or_other_words() {
    let place = trained(["a", "b", "c", "d"], STATE_SPACE);
    let score = |arguments: &[&str], input: &[u8]| {
        let base = ["score", "-m", "run", "--particles", "64", "--format", "tsv"];
        place.feed(&[&base[..], arguments].concat(), input).succeeds().stdout
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
    let place = trained(["a", "b", "c", "d"], &["--preset", "gru-8d"]);
    let score = |arguments: &[&str]| place.wug(&[&["score", "-m", "run"], arguments].concat());
    let long = "a".repeat(200_000);
    let list =
        [b"abcd\nw\xffg\n\n", long.as_bytes(), b"\nbad\x1b\nxyz\nb\0b\nthe quick fox\ndcba\n"].concat();
    let ended = place.feed(&["score", "-m", "run", "--format", "tsv"], &list);
    let words: Vec<&str> =
        ended.stdout.lines().skip(1).map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(words, ["abcd", "dcba"]);
    ended.tells(
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
    let ended = place.feed(&["score", "-m", "run"], "x\n".repeat(5000).as_bytes());
    assert_eq!(ended.tells(3, &["5,000 words or lines were left out"]).stderr.lines().count(), 21);
    score(&["a b", "", "ABCD"]).tells(
        3,
        &[
            "argument 1: `a b` has a space in it",
            "argument 2: a word without letters",
            "ABCD is measured as abcd",
        ],
    );
    assert!(score(&["--lower-case", "ABCD"]).succeeds().stdout.contains("abcd"));

    score(&["-i", "none.txt"]).tells(1, &["cannot open none.txt"]);
    place.wug(&["score", "-m", "none", "abc"]).fails(1, &["none"]);
    score(&["--lexicon", "none.tsv", "abc"]).fails(1, &["none.tsv"]);
    score(&["--particles", "0", "abc"]).fails(2, &["--particles"]);
    std::fs::remove_file(place.path("list.tsv")).unwrap();
    // The model has its list with it.
    assert!(score(&["abc"]).succeeds().stdout.contains("abc"));
}

#[test]
fn letters_may_be_of_any_script() {
    for letters in [["ж", "у", "к", "а"], ["ä", "ö", "k", "l"], ["t͡ʃ", "ɛ̃", "kʰ", "ə"]] {
        let place = trained(letters, &["--preset", "gru-8d"]);
        let word = letters.concat();
        let found = place.wug(&["score", "-m", "run", "--format", "json", &word]).json();
        assert_eq!((&found["word"], &found["lexicality"]), (&word.clone().into(), &"word".into()));
        let spelling = found["spelling"].as_array().unwrap();
        assert_eq!(spelling.len() + 1, found["surprisals"].as_array().unwrap().len());
        assert_eq!(found["length"], spelling.len());
    }
}

#[test]
fn output_to_a_reader_that_leaves_is_no_failure() {
    let place = trained(["a", "b", "c", "d"], &["--preset", "gru-8d"]);
    let input = "abcd\n".repeat(100_000);
    let ended = watch(&mut place.command(&["score", "-m", "run"]), input.as_bytes(), DEADLINE, 10);
    assert_eq!((ended.code, ended.stderr.as_str(), ended.stdout.len()), (Some(0), "", 10));
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
    let place = Place::with("own.txt", "mave\ncoud\ngrust\nwhin\npleam\nthost\nfrime\n");
    let check = |list: &str, more: &[&str]| {
        place.feed(&[&["check", "-", "--format", "json"], more].concat(), list.as_bytes()).json()
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
    let list = &format!("{list}\n{}", place.text("own.txt"));
    let report = check(list, &[]);
    assert_eq!((&report["kinds"], &report["words"]["count"]), (&"lexicon".into(), &11.into()));
    assert_eq!(check(list, &["--lexicon", "own.txt"])["words"]["count"], 7);

    let report = place.feed(&["check", "-"], stimuli(true).as_bytes()).succeeds().stdout;
    assert!(report.contains("LD1NN") && report.contains("biased: "), "{report}");
}

#[test]
fn lists_that_cannot_be_checked_are_explained() {
    let place = Place::new();
    let check = |list: &str| place.feed(&["check", "-"], list.as_bytes());
    check("").fails(1, &["0 words and 0 nonwords"]);
    check("cat\tword\n").fails(1, &["1 words and 0 nonwords", "some of each"]);
    check("cat\tword\nzz\tnonword\n").fails(1, &["too few stimuli"]);
    check(&format!("{}a\nb\tmaybe\n\u{7}\tword\n", stimuli(true)))
        .tells(3, &["line 65: no kind", "line 66", "`maybe`", "line 67", "3 words or lines"]);
    place.wug(&["check", "none.tsv"]).fails(1, &["cannot open none.tsv"]);
    place.wug(&["check", "-", "--as-listed", "--orders", "5"]).fails(2, &["--orders"]);
}

#[test]
fn samples_come_with_their_statistics() {
    let place = Place::english();
    let sample = |arguments: &[&str]| {
        let base = ["sample", "-m", "english", "-n", "12", "--min-length", "5", "--max-length", "5"];
        place.wug(&[&base[..], arguments].concat()).succeeds().stdout
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

/// A capital letter makes no difference where there are none, and is said where it does.
#[test]
fn capital_letters_of_stimuli_are_heeded() {
    let place = Place::english();
    let list = b"Garden\nwarden\nharden\nforest\nsilver\ngardeq\nwardeq\nforesq\nsilveq\nhardeq\n";
    let ended = place.feed(&["check", "-"], list);
    assert!(ended.stdout.contains("words           5") && ended.stderr.is_empty(), "{ended:?}");
    place.write("own.txt", "garden\nwarden\nharden\nforest\nsilver\nLisa\n");
    let own = &["check", "-", "--lexicon", "own.txt"][..];
    let ended = place.feed(own, list).tells(0, &["1 stimuli such as Garden", "--lower-case"]);
    assert!(ended.stdout.contains("words           4"), "{ended:?}");
    let ended = place.feed(&[own, &["--lower-case"]].concat(), list);
    assert!(ended.stdout.contains("words           5") && ended.stderr.is_empty(), "{ended:?}");
    let ended =
        place.wug(&["score", "-m", "english", "--columns", "word,count,log_probability", "Garden", "garden"]);
    let ended = ended.tells(0, &["Garden is measured as garden"]);
    let rows: Vec<&str> = ended.stdout.lines().skip(1).collect();
    assert!(rows[1].starts_with("garden\t") && rows[0] == rows[1].replace("garden", "Garden"), "{rows:?}");
}

#[test]
fn only_the_columns_that_are_asked_for_are_there() {
    let place = trained(["a", "b", "c", "d"], &[]);
    let score = |arguments: &[&str]| place.wug(&[&["score", "-m", "run", "abcd"], arguments].concat());
    let table = score(&["--columns", "surprisals,word,old20"]).succeeds().stdout;
    assert_eq!(table.lines().next(), Some("surprisals\tword\told20"));
    let fields: Vec<&str> = table.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!((fields[0].split(' ').count(), fields[1], fields[2]), (5, "abcd", "1.4000"));
    let object = score(&["--columns", "word,log_probability,lexicon_percentile", "--format", "json"]).json();
    assert_eq!(object.as_object().unwrap().len(), 3);
    assert!(object["lexicon_percentile"].is_number() && object["log_probability"].is_number());
    // A list is not read unless it is needed.
    let missing = ["--lexicon", "missing.txt", "--columns"];
    score(&[&missing[..], &["word,log_probability,surprisals"]].concat()).succeeds();
    score(&[&missing[..], &["word,random_percentile"]].concat()).fails(1, &["missing.txt"]);
    let text = score(&["--columns", "word,old20", "--format", "text"]).succeeds().stdout;
    let cells: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(cells, [["word", "OLD20"], ["abcd", "1.40"]]);
    score(&["--columns", "old"]).fails(2, &["--columns", "old"]);
    // Sorted by what is asked for, or by word-likeness.
    let sorted = |sort: &str, name: &str| -> Vec<f64> {
        let columns = format!("{name},word");
        let table = score(&["dddd", "aa", "cab", sort, "--columns", &columns]).succeeds().stdout;
        table.lines().skip(1).map(|row| row.split('\t').next().unwrap().parse().unwrap()).collect()
    };
    for (sort, name) in [("--sort", "wordlikeness"), ("--sort=length", "length")] {
        let numbers = sorted(sort, name);
        assert!(numbers.len() == 4 && numbers.is_sorted_by(|left, right| left >= right), "{numbers:?}");
    }
    score(&["--sort=surprisals"]).fails(2, &["--sort=surprisals", "--columns"]);
    score(&["--sort=old20"]).fails(2, &["--sort=old20", "--columns"]);
}

/// What the library declares is in the help, in tables and in objects, under the same names.
#[test]
fn every_column_is_everywhere() {
    let place = Place::english();
    let run = |arguments: &[&str]| place.wug(arguments).succeeds().stdout;
    let all = ["--percentiles", "--other-lexicon", "de", "blick"];
    let table = run(&[&["score", "-m", "english", "--format", "tsv"], &all[..]].concat());
    let object = run(&[&["score", "-m", "english", "--format", "json"], &all[..]].concat());
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    let (names, help) = (table.lines().next().unwrap(), run(&["score", "--help"]));
    assert!(wug::measure::Column::all().map(|column| column.name()).eq(names.split('\t')));
    for name in names.split('\t') {
        assert!(object.get(name).is_some(), "{name}");
        assert!(help.contains(&format!("- {name}: ")), "{name}");
    }
    let help = run(&["match", "--help"]);
    for column in wug::measure::Column::all_matched() {
        assert!(help.contains(&format!("- {}: ", column.criterion_name())), "{}", column.criterion_name());
    }
}

#[test]
fn an_error_can_be_asked_for_instead_of_particles() {
    let place = trained(["a", "b", "c", "d"], STATE_SPACE);
    let score = |arguments: &[&str]| {
        let base = ["score", "-m", "run", "--columns", "standard_error", "abcd", "dcba", "bb"];
        place.wug(&[&base[..], arguments].concat())
    };
    let table = score(&["--error", "0.02"]).succeeds().stdout;
    assert!(table.lines().skip(1).all(|error| error.parse::<f64>().unwrap() <= 0.02), "{table}");
    score(&["--error", "0"]).fails(2, &["--error", "expected a number from 0.001 to 10"]);
    score(&["--error", "0.1", "--particles", "5"]).fails(2, &["--error", "--particles"]);
}

#[test]
fn noise_goes_out_and_comes_back_in_every_form() {
    for more in [&[][..], STATE_SPACE] {
        let place = trained(["a", "b", "ж", "한"], more);
        let noise = |arguments: &[&str]| place.wug(&[&["noise", "-m", "run"], arguments].concat());
        let words = ["aжb한", "b"];
        assert!(noise(&words).succeeds().stdout.contains("also probable"));
        for format in ["tsv", "csv", "json"] {
            place.write("noise", noise(&[&words[..], &["--format", format]].concat()).succeeds().stdout);
            let back = noise(&["--from", "noise"]).words();
            assert_eq!(back, words, "{format} {more:?}");
        }
        place.write("noise", "noise\n0.5\n0 0\n");
        noise(&["--from", "noise"]).fails(1, &["noise", "word 1: step", "numbers"]);
        noise(&["--from", "missing"]).fails(1, &["cannot read missing"]);
        noise(&[]).fails(2, &["no words"]);
        noise(&["ab", "xyz"]).tells(3, &["argument 2", "`x`"]);
    }
}
