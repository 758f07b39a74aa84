//! Importance weighting.

use super::{Claim, Evidence, Verdict, difference};
use crate::{Quantity, Summary};

/// Flows and their runs with K = 1, 2, 5, 10.
const FAMILIES: [(&str, [&str; 4]); 2] = [
    ("tril", ["tril", "tril-k2", "tril-k5", "tril-k10"]),
    ("2×tril", ["2xtril", "2xtril-k2", "2xtril-k5", "2xtril-k10"]),
];

pub(super) fn helps(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    for (name, [one, .., ten]) in FAMILIES {
        let name = format!("{name}: H(K = 1) − H(K = 10)");
        evidence.add(&name, difference(summary, one, ten), Verdict::positive);
    }
    let rule = "H on the test part falls from K = 1 to K = 10, for tril and for 2×tril";
    evidence.into_claim("Importance weighting helps.", rule, None)
}

pub(super) fn diminishing(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let terms = |[one, two, five, ten]: [&'static str; 4], factor: f64| {
        [(one, factor), (two, -factor), (five, -factor), (ten, factor)]
    };
    let mean: Vec<(&str, f64)> = FAMILIES.iter().flat_map(|&(_, names)| terms(names, 0.5)).collect();
    let contrast = summary.contrast(&mean, Quantity::Test);
    evidence.add("[H(1) − H(2)] − [H(5) − H(10)], mean of both", contrast, Verdict::positive);
    for (name, names) in FAMILIES {
        evidence.show(name, summary.contrast(&terms(names, 1.0), Quantity::Test));
    }
    let rule =
        "doubling K from 1 to 2 gains more than doubling it from 5 to 10, on average over tril and 2×tril";
    evidence.into_claim("Its returns diminish.", rule, None)
}
