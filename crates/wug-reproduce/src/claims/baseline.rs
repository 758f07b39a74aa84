//! The autoregressive baseline.

use super::{Claim, Evidence, Verdict, difference};
use crate::{Contrast, Quantity, Statistics, Summary, Variance};

const MODEL: &str = "2xtril-k10";
const BASELINE: &str = "gru-8d";

pub(super) fn on_par_by_mixture(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let contrast = difference(summary, MODEL, BASELINE);
    evidence.add(
        "H(2×tril, K = 10) − H(GRU, d = 8), both by shared trajectories",
        contrast,
        Verdict::within_margin,
    );
    let rule = "by the paper's estimator, H on the test part is at most 0.1 nats per word above the GRU's";
    let remark = "The paper's estimator takes the states of words that the GRU has sampled for a mixture. Such a state \
                  has read the sampled letters, not those of the word in question, so it says little about the GRU.";
    evidence.into_claim("On par with autoregressive models, by the paper's estimator.", rule, Some(remark))
}

pub(super) fn on_par_by_exact(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let contrast = tight_difference(summary, MODEL, BASELINE);
    evidence.add("H ≤ (2×tril, K = 10) − H exact (GRU, d = 8)", contrast, Verdict::within_margin);
    let rule = "with the particle filter for the model and the chain rule for the GRU, H on the test part is at most 0.1 \
                nats per word above the GRU's";
    let remark = "The chain rule gives the GRU's probability of a word exactly; the particle filter bounds the model's \
                  from below on average, so its H is, if anything, too high.";
    evidence.into_claim("On par with autoregressive models, by the exact likelihood.", rule, Some(remark))
}

/// Not a claim of the paper: the same with F_q = F_g, which closes the bound where F_q of its own leaves a gap.
pub(super) fn on_par_with_shared_flow(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    for d in [8, 16, 32] {
        let contrast = tight_difference(summary, &format!("shared-d{d}"), &format!("gru-{d}d"));
        let name = format!("d = {d}: H ≤ (2×tril, F_q = F_g) − H exact (GRU)");
        evidence.add(&name, contrast, Verdict::within_margin);
    }
    let rule = "as before with F_q = F_g and q that sees the state, for d = 8, 16 and 32";
    let remark = "This is beyond the paper. Both have seen the same words; from longer training the model gains more than \
                  the GRU (docs/experiments).";
    evidence.into_claim(
        "On par with autoregressive models of the same size if F_q = F_g, by the exact likelihood.",
        rule,
        Some(remark),
    )
}

/// The difference of test cross entropies by the particle filter, or exact.
fn tight_difference(summary: &Summary<'_>, model: &str, baseline: &str) -> Option<Contrast> {
    let mut contrast = summary.contrast(&[(model, 1.0), (baseline, -1.0)], Quantity::TightTest)?;
    // All runs are measured on the same draws, so their error does not fall with the number of runs.
    let errors = summary.row(model).into_iter().flat_map(|row| row.findings());
    let errors: Vec<f64> =
        errors.filter_map(|found| Some(found.metrics.particle_filter.as_ref()?.test.error)).collect();
    let error = Statistics::of(&errors).map_or(0.0, |found| found.mean);
    contrast.terms.push(Variance { value: error.powi(2), degrees: f64::INFINITY });
    Some(contrast)
}
