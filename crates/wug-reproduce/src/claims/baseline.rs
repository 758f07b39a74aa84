//! The autoregressive baseline.

use super::{Claim, Evidence, Verdict, difference};
use crate::{Quantity, Statistics, Summary, Variance};

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
    let mut contrast = summary.contrast(&[(MODEL, 1.0), (BASELINE, -1.0)], Quantity::TightTest);
    if let Some(contrast) = &mut contrast {
        // All runs are measured on the same draws, so their error does not fall with the number of runs.
        let errors = summary.row(MODEL).into_iter().flat_map(|row| row.findings());
        let errors: Vec<f64> = errors.map(|found| found.metrics.particle_filter.test.error).collect();
        let error = Statistics::of(&errors).map_or(0.0, |found| found.mean);
        contrast.terms.push(Variance { value: error.powi(2), degrees: f64::INFINITY });
    }
    evidence.add("H ≤ (2×tril, K = 10) − H exact (GRU, d = 8)", contrast, Verdict::within_margin);
    let rule = "with the particle filter for the model and the chain rule for the GRU, H on the test part is at most 0.1 \
                nats per word above the GRU's";
    let remark = "The chain rule gives the GRU's probability of a word exactly; the particle filter bounds the model's \
                  from below on average, so its H is, if anything, too high.";
    evidence.into_claim("On par with autoregressive models, by the exact likelihood.", rule, Some(remark))
}
