//! The autoregressive baseline.

use super::{Claim, Evidence, Rule, difference};
use crate::{Contrast, Quantity, Statistics, Summary, Variance};

const MODEL: &str = "2xtril-k10";
const BASELINE: &str = "gru-8d";

pub(super) fn on_par_by_mixture(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let contrast = difference(summary, MODEL, BASELINE);
    evidence.add(
        "H(2×tril, K = 10) − H(GRU, d = 8), both by shared trajectories",
        contrast,
        Rule::WITHIN_MARGIN,
    );
    let rule = "by the paper's estimator, H on the test part is at most 0.1 nats per word above the GRU's";
    let remark = "The paper's estimator takes the states of words that the GRU has sampled for a mixture. Such a state \
                  has read the sampled letters, not those of the word in question, so it says little about the GRU.";
    evidence.into_claim("On par with autoregressive models, by the paper's estimator.", rule, Some(remark))
}

pub(super) fn on_par_by_exact(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let contrast = tight_difference(summary, MODEL, BASELINE);
    evidence.add("H ≤ (2×tril, K = 10) − H exact (GRU, d = 8)", contrast, Rule::WITHIN_MARGIN);
    let rule = "with the particle filter for the model and the chain rule for the GRU, H on the test part is at most 0.1 \
                nats per word above the GRU's";
    let remark = "The chain rule gives the GRU's probability of a word exactly; the particle filter bounds the model's \
                  from below on average, so its H is, if anything, too high.";
    evidence.into_claim("On par with autoregressive models, by the exact likelihood.", rule, Some(remark))
}

pub(super) fn held_out_words_are_harder(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    for (name, types, tokens) in
        [("2×tril, K = 10", "types-2xtril-k10", MODEL), ("GRU, d = 8", "types-gru-8d", BASELINE)]
    {
        let name = format!("{name}: H(split by types) − H(split by tokens)");
        evidence.add(&name, difference(summary, types, tokens), Rule::POSITIVE);
    }
    let contrast = difference(summary, "types-2xtril-k10", "types-gru-8d");
    evidence.add("split by types: H(2×tril, K = 10) − H(GRU, d = 8)", contrast, Rule::WITHIN_MARGIN);
    let rule = "by the paper's estimator, H on the test part is higher where words are held out whole, for the model and for the GRU, and \
                there, too, the model's is at most 0.1 nats per word above the GRU's";
    evidence.into_claim("Held-out words are harder, and results carry over to them.", rule, None)
}

/// Choice flows and the GRUs that have as many parameters.
const EQUAL: [(u32, &str); 4] = [(8, "40d"), (16, "44d"), (32, "81d"), (64, "97d")];

pub(super) fn choice_and_equal_states(summary: &Summary<'_>) -> Claim {
    let rows = EQUAL.map(|(d, _)| (format!("d = {d}"), format!("choice-d{d}"), format!("gru-{d}d")));
    let rule = "H on the test part, exact for both, is at most 0.1 nats per word above the GRU's, for d = 8, 16, 32 and 64";
    let claim = "Beyond the paper: the choice flow is on par with GRUs of the same d.";
    let remark = "Between its states the choice flow has networks with hidden layers, and so more parameters than the GRU.";
    each(summary, &rows).into_claim(claim, rule, Some(remark))
}

pub(super) fn choice_and_equal_parameters(summary: &Summary<'_>) -> Claim {
    let rows = EQUAL.map(|(d, gru)| {
        (
            format!("d = {d}, GRU d = {}", gru.trim_end_matches('d')),
            format!("choice-d{d}"),
            format!("gru-{gru}"),
        )
    });
    let rule = "as before, with the GRU that has as many parameters";
    let claim = "Beyond the paper: the choice flow is on par with GRUs of as many parameters.";
    each(summary, &rows).into_claim(claim, rule, None)
}

pub(super) fn choice_on_held_out_words(summary: &Summary<'_>) -> Claim {
    let same = EQUAL.map(|(d, _)| {
        (format!("d = {d}, the same d"), format!("types-choice-d{d}"), format!("types-gru-{d}d"))
    });
    let equal = EQUAL.map(|(d, gru)| {
        (format!("d = {d}, as many parameters"), format!("types-choice-d{d}"), format!("types-gru-{gru}"))
    });
    let rule = "as before on words of which training has seen none, with GRUs of the same d and of as many parameters";
    let claim = "Beyond the paper: the choice flow is on par with GRUs on words that are held out.";
    each(summary, &[same, equal].concat()).into_claim(claim, rule, None)
}

pub(super) fn choice_and_teacher_forced(summary: &Summary<'_>) -> Claim {
    let row = |name: &str, prefix: &str| {
        (name.to_owned(), format!("{prefix}choice-d32"), format!("{prefix}teacher-forced-d32"))
    };
    let rule = "H on the test part is at most 0.1 nats per word above that of the same networks with the letter fed back, d = 32";
    let claim = "Beyond the paper: the choice flow trains as well as its teacher-forced counterpart.";
    let remark = "With equal numbers the two are the same model: the state of the choice flow remembers the letter that the noise has picked, and \
                  the teacher-forced counterpart reads it. So this compares how they start and learn, not what they can express.";
    each(summary, &[row("split by tokens", ""), row("split by types", "types-")]).into_claim(
        claim,
        rule,
        Some(remark),
    )
}

/// Models beside baselines, each pair under its name and with its own verdict.
fn each(summary: &Summary<'_>, rows: &[(String, String, String)]) -> Evidence {
    let mut evidence = Evidence::default();
    for (name, model, baseline) in rows {
        let name = format!("{name}: H(model) − H(baseline)");
        evidence.add_with_verdict(&name, tight_difference(summary, model, baseline), Rule::WITHIN_MARGIN);
    }
    evidence
}

/// The difference of test cross entropies by the particle filter, or exact.
fn tight_difference(summary: &Summary<'_>, model: &str, baseline: &str) -> Option<Contrast> {
    let mut contrast = summary.contrast(&[(model, 1.0), (baseline, -1.0)], Quantity::TightTest)?;
    // All runs are measured on the same draws, so their error does not fall with the number of runs.
    let errors = summary.row(model).into_iter().flat_map(|row| row.findings());
    let errors: Vec<f64> =
        errors.filter_map(|found| Some(found.metrics.log_probability.as_ref()?.test.error)).collect();
    let error = Statistics::of(&errors).map_or(0.0, |found| found.mean);
    contrast.terms.push(Variance { value: error.powi(2), degrees: f64::INFINITY });
    Some(contrast)
}
