//! Claims on results whose truth is known.

use super::*;
use crate::synthetic::{diverged, measured, moment, position};
use crate::{RunOutcome, RunResult};

/// Three runs around a mean, 0.02 apart.
fn runs(name: &str, test: f64) -> Vec<RunResult> {
    (1..=3).map(|seed| measured(name, seed, test + 0.02 * (seed as f64 - 2.0))).collect()
}

fn all(rows: &[(&str, f64)]) -> Vec<RunResult> {
    rows.iter().flat_map(|&(name, test)| runs(name, test)).collect()
}

fn verdict(results: &[RunResult], claim: fn(&Summary<'_>) -> Claim) -> Verdict {
    claim(&Summary::of(results)).verdict
}

const WEIGHTED: [(&str, f64); 8] = [
    ("tril", 12.0),
    ("tril-k2", 11.8),
    ("tril-k5", 11.5),
    ("tril-k10", 11.45),
    ("2xtril", 11.9),
    ("2xtril-k2", 11.6),
    ("2xtril-k5", 11.4),
    ("2xtril-k10", 11.35),
];

#[test]
fn without_results_nothing_is_said() {
    assert_eq!(claims(&Summary::of(&[])), []);
    // A claim that lacks a part of its evidence says so and stays open.
    let some = all(&[("tril", 12.0), ("tril-k10", 11.0)]);
    let helps = claims(&Summary::of(&some)).into_iter().next().expect("a claim");
    assert_eq!(helps.verdict, Verdict::CannotSay);
    assert_eq!(helps.evidence[1], "Not run: 2×tril: H(K = 1) − H(K = 10).");
}

#[test]
fn importance_weighting() {
    let results = all(&WEIGHTED);
    assert_eq!(verdict(&results, weighting::helps), Verdict::Holds);
    assert_eq!(verdict(&results, weighting::diminishing), Verdict::Holds);
    assert_eq!(verdict(&results, flows::two_layers), Verdict::Holds);
    let evidence = weighting::helps(&Summary::of(&results)).evidence;
    assert!(evidence[0].starts_with("tril: H(K = 1) − H(K = 10): +0.550 ± 0.016"), "{evidence:?}");

    // One family helps, the other does not: the claim is about both.
    let mut mixed = WEIGHTED;
    mixed[3].1 = 12.5;
    assert_eq!(verdict(&all(&mixed), weighting::helps), Verdict::DoesNotHold);
    // The other way round: gains grow.
    let mut growing = WEIGHTED;
    (growing[1].1, growing[5].1) = (11.99, 11.89);
    (growing[3].1, growing[7].1) = (11.0, 10.9);
    assert_eq!(verdict(&all(&growing), weighting::diminishing), Verdict::DoesNotHold);
    // One layer is better.
    let swapped = WEIGHTED.map(|(name, test)| (name, if name.starts_with('2') { test + 1.0 } else { test }));
    assert_eq!(verdict(&all(&swapped), flows::two_layers), Verdict::DoesNotHold);
}

/// With one run each, the paper's deviations stand in: a difference of 0.1 says nothing, one of 1 does.
#[test]
fn single_runs_are_judged_by_the_papers_spread() {
    let single = |test: f64| {
        vec![
            measured("tril", 1, 11.0 + test),
            measured("tril-k10", 1, 11.0),
            measured("2xtril", 1, 11.0 + test),
            measured("2xtril-k10", 1, 11.0),
        ]
    };
    assert_eq!(verdict(&single(0.1), weighting::helps), Verdict::CannotSay);
    assert_eq!(verdict(&single(1.0), weighting::helps), Verdict::Holds);
    let results = single(1.0);
    let evidence = weighting::helps(&Summary::of(&results)).evidence;
    assert!(evidence[2].contains("taken from the paper's Table 1"), "{evidence:?}");
    // The spread of rows with several runs takes its place as soon as there are any.
    let mut pooled = single(0.1);
    pooled.extend(runs("tril-k2", 11.5));
    assert_eq!(verdict(&pooled, weighting::helps), Verdict::CannotSay);
    pooled.extend(runs("tril-k5", 11.5));
    pooled.extend(runs("2xtril-k5", 11.5));
    assert_eq!(verdict(&pooled, weighting::helps), Verdict::Holds);
    let evidence = weighting::helps(&Summary::of(&pooled)).evidence;
    assert!(evidence[2].contains("from all rows of its split and kind"), "{evidence:?}");
}

#[test]
fn independent_symbols_close_no_gap() {
    let flat = |test: f64| all(&[("id-id", 15.0), ("id-diag", 15.0), ("id-tril", 15.1), ("id-2xtril", test)]);
    assert_eq!(verdict(&flat(15.0), flows::independent_symbols), Verdict::Holds);
    assert_eq!(verdict(&flat(14.0), flows::independent_symbols), Verdict::DoesNotHold);
    // Divergence is a failure too; a row that was not run is not.
    let mut results = all(&[("id-id", 15.0), ("id-diag", 15.0), ("id-tril", 15.0)]);
    assert_eq!(verdict(&results, flows::independent_symbols), Verdict::CannotSay);
    results.push(diverged("id-2xtril", 1));
    assert_eq!(verdict(&results, flows::independent_symbols), Verdict::Holds);
}

#[test]
fn the_best_pair_of_flows() {
    let pairs = |stronger: f64, equal: f64, weaker: f64| {
        let mut results = all(&[("2xtril-tril", stronger), ("tril-tril", equal), ("diag-tril", weaker)]);
        let others = crate::rows().iter().filter(|own| own.table3.is_some()).map(|own| &own.name);
        for name in others {
            if results.iter().all(|result| result.row != *name) {
                results.extend(runs(name, 14.0));
            }
        }
        results
    };
    assert_eq!(verdict(&pairs(11.5, 12.0, 12.5), flows::stronger_generative), Verdict::Holds);
    assert_eq!(verdict(&pairs(12.0, 11.5, 12.5), flows::stronger_generative), Verdict::DoesNotHold);
    assert_eq!(verdict(&pairs(11.5, 11.505, 12.5), flows::stronger_generative), Verdict::CannotSay);
    // A pair that was not run may be the best one.
    let mut some = pairs(11.5, 12.0, 12.5);
    some.retain(|result| result.row != "id-tril");
    assert_eq!(verdict(&some, flows::stronger_generative), Verdict::CannotSay);
}

#[test]
fn reading_both_ways_gains_less_than_the_margin() {
    let bidi = |test: f64| all(&[("2xtril-k10", 11.35), ("2xtril-k10-bidi", test)]);
    assert_eq!(verdict(&bidi(11.36), encoder::bidi), Verdict::Holds);
    assert_eq!(verdict(&bidi(11.0), encoder::bidi), Verdict::DoesNotHold);
    assert_eq!(verdict(&bidi(11.25), encoder::bidi), Verdict::CannotSay);
}

#[test]
fn information_over_positions() {
    let mut results = runs("2xtril-k10", 11.35);
    assert_eq!(verdict(&results, noise::falls_with_position), Verdict::Holds);
    let mut with = |information: fn(f64) -> f64| {
        for result in &mut results {
            let RunOutcome::Measured(findings) = &mut result.outcome else { panic!("measured") };
            let Some(found) = &mut findings.metrics.information else { panic!("a state space model") };
            found.positions = (1..=10).map(|t| position(t, information(t as f64))).collect();
        }
        verdict(&results, noise::falls_with_position)
    };
    assert_eq!(with(|t| 0.1 * t), Verdict::DoesNotHold);
    assert_eq!(with(|t| 1.0 + 0.1 * (t % 5.0)), Verdict::CannotSay);
}

#[test]
fn information_in_training() {
    let mut results = runs("2xtril-k10", 11.35);
    assert_eq!(verdict(&results, noise::grows_in_training), Verdict::Holds);
    let mut with = |information: fn(f64) -> f64| {
        for result in &mut results {
            result.history = (1..=20).map(|report| moment(report, information(report as f64))).collect();
        }
        verdict(&results, noise::grows_in_training)
    };
    assert_eq!(with(|x| 2.0 - 0.05 * x), Verdict::DoesNotHold);
    // It rises fast, then falls slowly.
    assert_eq!(with(|x| if x < 10.0 { 0.3 * x } else { 3.4 - 0.04 * x }), Verdict::DoesNotHold);
    // It rises fast, then falls by 0.01.
    assert_eq!(with(|x| if x < 10.0 { 0.3 * x } else { 3.01 - 0.001 * x }), Verdict::Holds);
    // It rises fast, then no more.
    assert_eq!(with(|x| if x < 10.0 { 0.3 * x } else { 3.0 + 0.01 * (x % 2.0) }), Verdict::Holds);
}

#[test]
fn the_baseline_by_both_estimators() {
    // By the mixture the model is far better; exactly, it is worse: the filter's 11.8 against 11.3.
    let results = all(&[("2xtril-k10", 12.0), ("gru-8d", 13.0)]);
    assert_eq!(verdict(&results, baseline::on_par_by_mixture), Verdict::Holds);
    assert_eq!(verdict(&results, baseline::on_par_by_exact), Verdict::Holds);
    let mut worse = results;
    for result in worse.iter_mut().filter(|result| result.row == "gru-8d") {
        let RunOutcome::Measured(findings) = &mut result.outcome else { panic!("measured") };
        findings.metrics.log_probability.as_mut().expect("a filter").test.mean = 11.3;
    }
    assert_eq!(verdict(&worse, baseline::on_par_by_mixture), Verdict::Holds);
    assert_eq!(verdict(&worse, baseline::on_par_by_exact), Verdict::DoesNotHold);
    // An uncertain filter leaves it open, however many runs there are.
    for result in worse.iter_mut().filter(|result| result.row == "2xtril-k10") {
        let RunOutcome::Measured(findings) = &mut result.outcome else { panic!("measured") };
        findings.metrics.log_probability.as_mut().expect("a filter").test.error = 0.5;
    }
    assert_eq!(verdict(&worse, baseline::on_par_by_exact), Verdict::CannotSay);
}

/// Each size is judged by itself, and all have to hold.
#[test]
fn the_choice_flow_beside_baselines() {
    let equal = |large: f64| {
        let rows = [(8, "40d", 11.0), (16, "44d", 11.0), (32, "81d", 11.0), (64, "97d", large)];
        let rows = rows.into_iter().flat_map(|(d, gru, test)| {
            [runs(&format!("choice-d{d}"), test), runs(&format!("gru-{gru}"), 11.0)].concat()
        });
        rows.collect::<Vec<_>>()
    };
    assert_eq!(verdict(&equal(11.0), baseline::choice_and_equal_parameters), Verdict::Holds);
    let results = equal(11.4);
    let claim = baseline::choice_and_equal_parameters(&Summary::of(&results));
    assert_eq!(claim.verdict, Verdict::DoesNotHold);
    assert!(claim.evidence[0].ends_with(": holds"), "{claim:?}");
    assert!(claim.evidence[3].ends_with(": does not hold"), "{claim:?}");
    assert_eq!(claim.figure.as_deref(), Some("0.00 to +0.40 nats, 3 of 4 hold"));
    assert!(!claim.is_of_the_paper() && weighting::helps(&Summary::of(&[])).is_of_the_paper());
    let forced = all(&[
        ("choice-d32", 9.0),
        ("teacher-forced-d32", 9.0),
        ("types-choice-d32", 9.5),
        ("types-teacher-forced-d32", 9.0),
    ]);
    assert_eq!(verdict(&forced, baseline::choice_and_teacher_forced), Verdict::DoesNotHold);
}

/// A difference that is smaller than what makes one is a reason that more runs would not change.
#[test]
fn what_cannot_be_told_has_a_reason() {
    let mut close = WEIGHTED;
    (close[3].1, close[7].1) = (12.01, 11.89);
    let results = all(&close);
    let claim = weighting::helps(&Summary::of(&results));
    assert_eq!(claim.verdict, Verdict::CannotSay);
    assert!(claim.evidence.iter().any(|line| line.contains("smaller than 0.1 nats per word")), "{claim:?}");
}

/// On held-out words models vary more, and those that a bound trains more than those with an exact likelihood: rows with few runs borrow from
/// their kin alone.
#[test]
fn spreads_are_borrowed_from_kin() {
    let wide = |name: &str| {
        (1..=3).map(|seed| measured(name, seed, 12.0 + 0.5 * (seed as f64 - 2.0))).collect::<Vec<_>>()
    };
    let mut results = [wide("tril"), runs("gru-8d", 12.0), wide("types-gru-8d")].concat();
    results.extend(
        ["gru-64d", "choice-d64", "types-gru-64d", "types-choice-d64"].map(|name| measured(name, 1, 11.0)),
    );
    let summary = Summary::of(&results);
    let reach = |model: &str, gru: &str| {
        summary
            .contrast(&[(model, 1.0), (gru, -1.0)], Quantity::TightTest)
            .expect("measured")
            .estimate()
            .reach
    };
    let (tokens, types) = (reach("choice-d64", "gru-64d"), reach("types-choice-d64", "types-gru-64d"));
    // Two degrees of freedom, and the variance of two rows.
    let expected = 4.303 * 2f64.sqrt();
    assert!(
        (tokens - 0.02 * expected).abs() < 1e-9 && (types - 0.5 * expected).abs() < 1e-9,
        "{tokens} {types}"
    );
}

#[test]
fn flows_that_the_paper_found_wanting() {
    let identity = |worse: f64| {
        all(&[
            ("diag-id", worse),
            ("diag-diag", 12.0),
            ("tril-id", 13.0),
            ("tril", 12.0),
            ("2xtril-id", 13.0),
            ("2xtril", 12.0),
        ])
    };
    assert_eq!(verdict(&identity(13.0), flows::identity_inference), Verdict::Holds);
    assert_eq!(verdict(&identity(11.0), flows::identity_inference), Verdict::DoesNotHold);
    let unstable: Vec<&str> = crate::rows()
        .iter()
        .filter(|own| own.table3.as_ref().is_some_and(|cell| cell.unstable))
        .map(|own| own.name.as_str())
        .collect();
    let mut results: Vec<RunResult> = unstable.iter().flat_map(|name| runs(name, 12.0)).collect();
    assert_eq!(verdict(&results, flows::unstable_pairs), Verdict::DoesNotHold);
    results.push(diverged(unstable[0], 4));
    assert_eq!(verdict(&results, flows::unstable_pairs), Verdict::Holds);
}

#[test]
fn held_out_words() {
    let rows = |types: f64, gru: f64| {
        all(&[("2xtril-k10", 11.0), ("gru-8d", 12.0), ("types-2xtril-k10", types), ("types-gru-8d", gru)])
    };
    assert_eq!(verdict(&rows(12.0, 13.0), baseline::held_out_words_are_harder), Verdict::Holds);
    assert_eq!(verdict(&rows(10.0, 13.0), baseline::held_out_words_are_harder), Verdict::DoesNotHold);
    assert_eq!(verdict(&rows(14.0, 13.0), baseline::held_out_words_are_harder), Verdict::DoesNotHold);
}

/// How many more runs would decide follows from the interval.
#[test]
fn more_runs_are_asked_for_where_they_would_help() {
    let interval = |value, reach| Interval { value, error: reach / 2.0, reach };
    let reason = |value, reach| Rule::POSITIVE.why_open(interval(value, reach));
    assert!(reason(0.2, 0.3).contains("about 3 times as many runs"), "{}", reason(0.2, 0.3));
    assert!(reason(0.01, 0.3).contains("would not decide it"), "{}", reason(0.01, 0.3));
    assert!(reason(0.01, 0.05).contains("smaller than 0.1 nats"), "{}", reason(0.01, 0.05));
}
