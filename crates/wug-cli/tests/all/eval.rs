//! `wug eval` and `wug ngram` as users meet them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn wug(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wug")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A failure with this exit code whose message has all of the parts.
fn fails(output: &Output, code: i32, parts: &[&str]) {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(output.stdout.is_empty());
    assert!(!message.contains("panicked"), "{message}");
    parts.iter().for_each(|part| assert!(message.contains(part), "`{part}` is not in: {message}"));
}

/// A folder with a list and models trained on it for a moment.
fn trained() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let words: String = (0..200u32).map(|i| format!("{}\t{}\n", spell(i), 1000 / (i + 1) + 1)).collect();
    fs::write(folder.path().join("list.tsv"), words).unwrap();
    let train = |output: &str, more: &[&str]| {
        let mut arguments = vec!["train", "list.tsv", "--words", "20k", "-o", output];
        arguments.extend(more);
        let output = wug(&arguments, folder.path());
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    train("run", &["--preset", "tril-k2"]);
    train("gru", &["--preset", "gru-8d"]);
    folder
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
    let folder = trained();
    let quick = ["--trajectories", "1k", "--particles", "16", "--draws", "200", "--format", "json"];
    let run = |model: &str, more: &[&str]| -> serde_json::Value {
        let output = wug(&[&["eval", "-m", model], &quick[..], more].concat(), folder.path());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let one = run("run", &["--threads", "1"]);
    assert_eq!(one, run("run/model.safetensors", &["--threads", "2"]));
    assert_ne!(one, run("run", &["--seed", "2"]));
    let metrics = one["metrics"].as_object().unwrap();
    let names: Vec<&str> = metrics.keys().map(String::as_str).collect();
    let expected =
        ["cross-entropy", "information", "membership", "ngrams", "opponents", "oracles", "particle-filter"];
    assert_eq!(names.iter().copied().collect::<std::collections::BTreeSet<_>>(), expected.into());
    let curve = metrics["cross-entropy"]["curve"].as_array().unwrap();
    assert_eq!(
        curve.iter().map(|point| point["trajectories"].as_u64().unwrap()).collect::<Vec<_>>(),
        [10, 32, 100, 316, 1000]
    );
    let test = |value: &serde_json::Value| value.as_f64().unwrap();
    let (oracle, iid) =
        (&metrics["oracles"]["test"]["entropy"], &metrics["oracles"]["test"]["independent_symbols"]);
    for estimate in [&metrics["cross-entropy"]["test"], &metrics["particle-filter"]["test"]["mean"]] {
        assert!(test(estimate) > test(oracle) && test(estimate) < 1.5 * test(iid), "{estimate}");
    }
    assert_eq!(metrics["information"]["positions"].as_array().unwrap().len(), 10);

    let gru = run("gru", &["--metrics", "cross-entropy,particle-filter,information,membership"]);
    let metrics = &gru["metrics"];
    // The mixture is worse than the exact figure, which has no error.
    assert!(test(&metrics["cross-entropy"]["test"]) > test(&metrics["particle-filter"]["test"]["mean"]));
    assert_eq!(metrics["particle-filter"]["test"]["error"], 0.0);
    assert!(metrics["information"].is_null() && metrics["membership"]["argmax"].is_null());
    assert_eq!(metrics.as_object().unwrap().len(), 4);

    // Training reported information too.
    let last = |run: &str| -> serde_json::Value {
        let lines = fs::read_to_string(folder.path().join(run).join("metrics.jsonl")).unwrap();
        serde_json::from_str(lines.lines().last().unwrap()).unwrap()
    };
    let reported = last("run")["information"].as_f64().unwrap();
    let measured = one["metrics"]["information"]["mean_information"].as_f64().unwrap();
    assert!((reported - measured).abs() < 0.1 + 0.2 * measured, "{reported} reported, {measured} measured");
    assert!(last("run")["symbol_entropy"].as_f64().unwrap() > 0.0);
    assert!(last("gru")["information"].is_null());

    // `wug ngram` has the same opponents.
    let output =
        wug(&["ngram", "--lexicon", "list.tsv", "--split", "tokens", "--format", "json"], folder.path());
    let opponents: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for (own, other) in
        opponents["orders"].as_array().unwrap().iter().zip(one["metrics"]["opponents"].as_array().unwrap())
    {
        assert_eq!((&own["order"], &own["cross_entropy"]), (&other["order"], &other["test"]));
        assert!(test(&other["train"]) < test(&other["test"]), "{other}");
    }

    let output = wug(&["eval", "-m", "run", "--metrics", "oracles,ngrams"], folder.path());
    let report = text(&output.stdout);
    assert!(report.contains("ORACLE-TRAIN") && report.contains("argmax symbols"), "{report}");
}

#[test]
fn mistakes_are_told() {
    let folder = trained();
    let eval = |arguments: &[&str]| wug(&[&["eval"], arguments].concat(), folder.path());
    let write = |name: &str, content: &[u8]| fs::write(folder.path().join(name), content).unwrap();
    fails(&eval(&["-m", "run", "--metrics", "oracle"]), 2, &["--metrics", "'oracle'", "oracles"]);
    fails(&eval(&["-m", "none.safetensors"]), 1, &["none.safetensors"]);
    fails(&eval(&["-m", "list.tsv"]), 1, &["list.tsv is not a model file"]);

    let model = fs::read(folder.path().join("run/model.safetensors")).unwrap();
    write("short.safetensors", &model[..model.len() - 10]);
    fails(&eval(&["-m", "short.safetensors"]), 1, &["short.safetensors", "damaged"]);
    let version = br#""format_version":""#;
    let at = model.windows(version.len()).position(|window| window == version).unwrap();
    let mut newer = model;
    newer[at + version.len()] = b'9';
    write("newer.safetensors", &newer);
    fails(&eval(&["-m", "newer.safetensors"]), 1, &["format version 9", "newer wug"]);

    write("other.tsv", "abd\t3\nab\t2\n".repeat(20).as_bytes());
    fails(&eval(&["-m", "run", "other.tsv"]), 1, &["letter `d` of `abd`", "(a b c)", "other.tsv"]);
    write("tiny.tsv", b"ab\t1\n");
    fails(&eval(&["-m", "run", "tiny.tsv"]), 1, &["test part", "empty", "1 words"]);
}

#[test]
fn words_have_perplexities() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("list.tsv", "a\t2\nab\t1\n");
    write("words.txt", "a\n");
    write("other.txt", "zoo\n");
    let ngram =
        |arguments: &[&str]| wug(&[&["ngram", "--lexicon", "list.tsv"], arguments].concat(), folder.path());
    let json = |arguments: &[&str]| -> serde_json::Value {
        let output = ngram(&[arguments, &["--format", "json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
    };
    let report = json(&["--order", "2", "-i", "words.txt"]);
    // By hand: p(a|start) = 3.4/4, p(end|a) = 2.8/5.
    let expected = 0.85f64 * 0.56;
    let near = |value: &serde_json::Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-12;
    let own = &report["orders"][0];
    assert!(
        near(&own["perplexity"], expected.powf(-0.5)) && near(&own["cross_entropy"], -expected.ln()),
        "{report}"
    );
    assert!(text(&ngram(&["--order", "2"]).stdout).contains("\n  2-grams "));
    let orders: Vec<u64> =
        json(&[])["orders"].as_array().unwrap().iter().map(|own| own["order"].as_u64().unwrap()).collect();
    assert_eq!(orders, [2, 3, 4, 5, 6, 7]);
    fails(&ngram(&["--split", "types"]), 2, &["--split", "empty", "longer list"]);
    fails(&ngram(&["--split", "tokens", "-i", "words.txt"]), 2, &["--split", "--input"]);
    fails(&ngram(&["--order", "0"]), 2, &["--order", "1 to 16"]);
    fails(&ngram(&["--order", "2", "-i", "other.txt"]), 1, &["--input", "`z` of `zoo`"]);
}
