//! Importance weighting.

use super::{Claim, Evidence, Rule, difference};
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
        evidence.add(&name, difference(summary, one, ten), Rule::POSITIVE);
    }
    let rule = "H on the test part falls from K = 1 to K = 10, for tril and for 2×tril";
    evidence.into_claim("Importance weighting helps.", rule, None)
}

pub(super) fn diminishing(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    for (name, [one, two, five, ten]) in FAMILIES {
        let terms = [(one, 1.0), (two, -1.0), (five, -1.0), (ten, 1.0)];
        let name = format!("{name}: [H(1) − H(2)] − [H(5) − H(10)]");
        evidence.add(&name, summary.contrast(&terms, Quantity::Test), Rule::POSITIVE);
    }
    let rule = "doubling K from 1 to 2 gains more than doubling it from 5 to 10";
    evidence.into_claim("Its returns diminish.", rule, None)
}
