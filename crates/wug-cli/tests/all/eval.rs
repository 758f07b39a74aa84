//! `wug eval` and `wug ngram` as users meet them.

use crate::harness::Place;

/// A folder with a list and models trained on it for a moment.
fn trained() -> Place {
    let words: String = (0..200u32).map(|i| format!("{}\t{}\n", spell(i), 1000 / (i + 1) + 1)).collect();
    let place = Place::with("list.tsv", words);
    for (run, preset) in [("run", "tril-k2"), ("gru", "gru-8d")] {
        place.train(&["list.tsv", "--words", "20k", "-o", run, "--preset", preset]).succeeds();
    }
    place
}

fn spell(mut number: u32) -> String {
    let mut word = String::new();
    while word.is_empty() || number > 0 {
        word.push(['a', 'b', 'c'][(number % 3) as usize]);
        number /= 3;
    }
    word
}

#[test]
fn models_are_measured() {
    let place = trained();
    let quick = ["--trajectories", "1k", "--particles", "16", "--draws", "200", "--format", "json"];
    let run =
        |model: &str, more: &[&str]| place.wug(&[&["eval", "-m", model], &quick[..], more].concat()).json();
    let one = run("run", &["--threads", "1"]);
    assert_eq!(one, run("run/model.safetensors", &["--threads", "2"]));
    assert_ne!(one, run("run", &["--seed", "2"]));
    let metrics = one["metrics"].as_object().unwrap();
    let names: Vec<&str> = metrics.keys().map(String::as_str).collect();
    let expected = [
        "cross-entropy",
        "information",
        "membership",
        "ngrams",
        "log-probability",
        "ngram-baselines",
        "oracles",
    ];
    assert_eq!(names.iter().copied().collect::<std::collections::BTreeSet<_>>(), expected.into());
    let curve = metrics["cross-entropy"]["curve"].as_array().unwrap();
    assert_eq!(
        curve.iter().map(|point| point["trajectories"].as_u64().unwrap()).collect::<Vec<_>>(),
        [10, 32, 100, 316, 1000]
    );
    let test = |value: &serde_json::Value| value.as_f64().unwrap();
    let (oracle, iid) =
        (&metrics["oracles"]["test"]["entropy"], &metrics["oracles"]["test"]["independent_symbols"]);
    for estimate in [&metrics["cross-entropy"]["test"], &metrics["log-probability"]["test"]["mean"]] {
        assert!(test(estimate) > test(oracle) && test(estimate) < 1.5 * test(iid), "{estimate}");
    }
    assert_eq!(metrics["information"]["positions"].as_array().unwrap().len(), 10);

    let gru = run("gru", &["--metrics", "cross-entropy,log-probability,information,membership"]);
    let metrics = &gru["metrics"];
    // The mixture is worse than the exact figure, which has no error.
    assert!(test(&metrics["cross-entropy"]["test"]) > test(&metrics["log-probability"]["test"]["mean"]));
    assert_eq!(metrics["log-probability"]["test"]["error"], 0.0);
    // Its noise picks symbols and does nothing else.
    assert_eq!(metrics["information"]["mean_symbol_entropy"], 0.0);
    assert_eq!(metrics["information"]["mean_information"], metrics["baseline-symbol-entropy"]);
    assert!(metrics["membership"]["argmax"].is_null());
    assert_eq!(metrics.as_object().unwrap().len(), 5);

    // Training reported information too.
    let last = |run: &str| -> serde_json::Value {
        let lines = place.text(&format!("{run}/metrics.jsonl"));
        serde_json::from_str(lines.lines().last().unwrap()).unwrap()
    };
    let reported = last("run")["information"].as_f64().unwrap();
    let measured = one["metrics"]["information"]["mean_information"].as_f64().unwrap();
    assert!((reported - measured).abs() < 0.1 + 0.2 * measured, "{reported} reported, {measured} measured");
    assert!(last("run")["symbol_entropy"].as_f64().unwrap() > 0.0);
    assert!(last("gru")["information"].as_f64().unwrap() > 0.0 && last("gru")["symbol_entropy"] == 0.0);

    // `wug ngram` has the same baselines.
    let baselines =
        place.wug(&["ngram", "--lexicon", "list.tsv", "--split", "tokens", "--format", "json"]).json();
    for (own, other) in baselines["orders"]
        .as_array()
        .unwrap()
        .iter()
        .zip(one["metrics"]["ngram-baselines"].as_array().unwrap())
    {
        assert_eq!((&own["order"], &own["cross_entropy"]), (&other["order"], &other["test"]));
        assert!(other["train"].as_f64() < other["test"].as_f64(), "{other}");
    }

    let report = place.wug(&["eval", "-m", "run", "--metrics", "oracles,ngrams"]).succeeds().stdout;
    assert!(report.contains("ORACLE-TRAIN") && report.contains("argmax symbols"), "{report}");
}

#[test]
fn mistakes_are_told() {
    let place = trained();
    let fails = |arguments: &[&str], code, parts: &[&str]| {
        place.wug(&[&["eval"], arguments].concat()).fails(code, parts);
    };
    fails(&["-m", "run", "--metrics", "oracle"], 2, &["--metrics", "'oracle'", "oracles"]);
    fails(&["-m", "none.safetensors"], 1, &["none.safetensors"]);
    fails(&["-m", "list.tsv"], 1, &["list.tsv is text and no model"]);

    let model = place.read("run/model.safetensors");
    place.write("short.safetensors", &model[..model.len() - 10]);
    fails(&["-m", "short.safetensors"], 1, &["short.safetensors", "damaged"]);
    let version = br#""format_version":""#;
    let at = model.windows(version.len()).position(|window| window == version).unwrap();
    let mut newer = model;
    newer[at + version.len()] = b'9';
    place.write("newer.safetensors", &newer);
    fails(&["-m", "newer.safetensors"], 1, &["format version 9", "newer wug"]);

    place.write("other.tsv", "abd\t3\nab\t2\n".repeat(20));
    fails(&["-m", "run", "other.tsv"], 1, &["letter `d` of `abd`", "(a b c)", "other.tsv"]);
    place.write("tiny.tsv", b"ab\t1\n");
    fails(&["-m", "run", "tiny.tsv"], 1, &["test part", "empty", "1 words"]);
}

#[test]
fn words_have_perplexities() {
    let place = Place::with("list.tsv", "a\t2\nab\t1\n");
    place.write("words.txt", "a\n");
    place.write("other.txt", "zoo\n");
    let ngram = |arguments: &[&str]| place.wug(&[&["ngram", "--lexicon", "list.tsv"], arguments].concat());
    let json = |arguments: &[&str]| ngram(&[arguments, &["--format", "json"]].concat()).json();
    let report = json(&["--order", "2", "-i", "words.txt"]);
    // By hand: p(a|start) = 3.4/4, p(end|a) = 2.8/5.
    let expected = 0.85f64 * 0.56;
    let near = |value: &serde_json::Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-12;
    let own = &report["orders"][0];
    assert!(
        near(&own["perplexity"], expected.powf(-0.5)) && near(&own["cross_entropy"], -expected.ln()),
        "{report}"
    );
    assert!(ngram(&["--order", "2"]).stdout.contains("\n  Kneser–Ney, 2-grams "));
    let each = json(&["--order", "2", "-i", "words.txt", "--each"]);
    assert!(each["word"] == "a" && near(&each["witten_bell_2"], expected.ln()), "{each}");
    let table = ngram(&["-i", "words.txt", "--each"]).stdout;
    assert!(table.starts_with("word\twitten_bell_2\t") && table.lines().count() == 2, "{table}");
    assert!(table.contains(&format!("\na\t{:.6}\t", expected.ln())), "{table}");
    let orders: Vec<u64> =
        json(&[])["orders"].as_array().unwrap().iter().map(|own| own["order"].as_u64().unwrap()).collect();
    assert_eq!(orders, [2, 3, 4, 5, 6, 7].repeat(2));
    ngram(&["--split", "types"]).fails(2, &["--split", "empty", "longer list"]);
    ngram(&["--split", "tokens", "-i", "words.txt"]).fails(2, &["--split", "--input"]);
    ngram(&["--order", "0"]).fails(2, &["--order", "1 to 16"]);
    ngram(&["--order", "2", "-i", "other.txt"]).fails(1, &["--input", "`z` of `zoo`"]);
}
