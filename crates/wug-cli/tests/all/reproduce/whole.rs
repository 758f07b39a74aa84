//! From nothing to the report.

use super::common::{SOME, place, report, reproduce, results};

#[test]
fn runs_are_done_and_reported_and_not_done_again() {
    let place = &place();
    let ended = reproduce(place, "out", &SOME).succeeds();
    assert_eq!(ended.stdout, "out/report.html\n");
    let stderr = ended.stderr;
    assert!(stderr.starts_with("10 runs, 0 of them done already"), "{stderr}");
    assert_eq!(stderr.lines().count(), 11, "a line for each run: {stderr}");
    let results = results(place, "out");
    assert_eq!(results.len(), 10);
    assert!(results.contains(&"2xtril-k10-s2".to_owned()));

    let [html, markdown, json] = report(place, "out");
    let tables: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(tables["setting"]["runs"], 10);
    let row = &tables["tables"][0]["rows"][0];
    assert_eq!(row["label"], "tril");
    let test = &row["cells"][2];
    assert_eq!((&test["here"]["value"]["runs"], &test["paper"]), (&2.into(), &"11.99±.11".into()));
    assert!(test["here"]["value"]["mean"].as_f64().is_some_and(|h| h > 3.0 && h < 20.0), "{test}");
    assert_eq!(row["cells"][8]["paper"], "0.95±.04");
    assert_eq!(tables["claims"].as_array().map(Vec::len), Some(7));
    assert!(html.contains("<svg") && markdown.contains("| tril | 2 |"), "{markdown}");

    // Everything is there: nothing is done, and the report is the same.
    let stderr = reproduce(place, "out", &SOME).succeeds().stderr;
    assert_eq!(stderr, "10 runs, 10 of them done already\n");
    assert_eq!(report(place, "out"), [html, markdown, json]);
}

/// A result has all that figures need.
#[test]
fn results_hold_configuration_history_curve_and_samples() {
    let place = &place();
    reproduce(place, "out", &["2xtril-k10-s1", "gru-8d-s1"]).succeeds();
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&place.text(&format!("out/runs/{name}.json"))).expect("JSON")
    };
    let result = read("2xtril-k10-s1");
    assert_eq!(result["config"]["model"]["bound"]["particles"], 10);
    assert_eq!(result["words_seen"], 2000);
    let history = result["history"].as_array().expect("a history");
    assert!(history.len() >= 20 && history.iter().all(|moment| moment["information"].is_f64()));
    let found = &result["outcome"]["measured"];
    let metrics = &found["metrics"];
    assert_eq!(metrics["cross-entropy"]["curve"].as_array().map(Vec::len), Some(4));
    assert_eq!(metrics["information"]["positions"].as_array().map(Vec::len), Some(10));
    let samples = found["samples"].as_array().expect("samples");
    assert_eq!(samples.len(), 40);
    assert!(samples.iter().all(|sample| sample["word"] != ""));
    let baseline = read("gru-8d-s1");
    let entropy =
        baseline["outcome"]["measured"]["metrics"]["baseline-symbol-entropy"].as_f64().expect("an entropy");
    assert!(entropy > 0.0 && entropy <= 5f64.log2() + 1e-6, "five symbols: {entropy}");
}

/// Numbers that leave their bounds are a result, not a failure: sixty layers with steps that are far too large.
#[test]
fn divergence_is_reported() {
    let place = &place();
    let wild = [
        "2xtril-2xtril",
        "--set",
        "learning_rate=1.0",
        "--set",
        "clip_norm=1000000.0",
        "--set",
        "generative.flow=60xdiag",
        "--seeds",
        "1",
    ];
    reproduce(place, "out", &wild).tells(0, &["diverged"]);
    let [html, ..] = report(place, "out");
    assert!(html.contains("Diverged: 2xtril-2xtril-s1"));
}
