//! Flows of the generative and of the inference model.

use super::{Claim, Evidence, Rule, Verdict, difference};
use crate::statistics::rounded;
use crate::{Quantity, Row, Summary};

/// The share of the gap under which a model is no better than independent symbols.
const NO_GAP: f64 = 0.02;

/// From weak to strong.
const STRENGTH: [&str; 4] = ["id", "diag", "tril", "2xtril"];

pub(super) fn two_layers(summary: &Summary<'_>) -> Claim {
    const PAIRS: [(&str, &str, &str); 4] = [
        ("K = 1", "tril", "2xtril"),
        ("K = 2", "tril-k2", "2xtril-k2"),
        ("K = 5", "tril-k5", "2xtril-k5"),
        ("K = 10", "tril-k10", "2xtril-k10"),
    ];
    let mut evidence = Evidence::default();
    let mean: Vec<(&str, f64)> =
        PAIRS.iter().flat_map(|&(_, one, two)| [(one, 0.25), (two, -0.25)]).collect();
    let contrast = summary.contrast(&mean, Quantity::Test);
    evidence.add("H(tril) − H(2×tril), mean over K", contrast, Rule::POSITIVE);
    for (name, one, two) in PAIRS {
        evidence.show(name, difference(summary, one, two));
    }
    let rule = "H on the test part is lower with two layers, on average over K";
    evidence.into_claim("Two layers of tril beat one.", rule, None)
}

pub(super) fn independent_symbols(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    for row in summary.rows().iter().filter(|row| row.spec.has_independent_symbols()) {
        let label = &row.spec.label;
        match row.statistics(Quantity::GapClosed) {
            Some(found) => {
                let information = row.statistics(Quantity::Information).map_or(0.0, |own| own.mean);
                let gap = rounded(found.mean, 3);
                evidence.lines.push(format!("{label}: gap closed {gap}, Ī {information:.2} bits"));
                let fails = found.mean <= NO_GAP;
                evidence.verdicts.push(if fails { Verdict::Holds } else { Verdict::DoesNotHold });
            }
            None if row.diverged() > 0 => evidence.lines.push(format!("{label}: diverged")),
            None => evidence.lack(label),
        }
    }
    let rule = "with F_g = id no more than 0.02 of the gap to the oracle is closed";
    let remark = "With F_g = id no state depends on another, so symbols are independent whatever is learnt.";
    evidence.into_claim("F_g = id fails.", rule, Some(remark))
}

pub(super) fn stronger_generative(summary: &Summary<'_>) -> Claim {
    let strength = |name: &str| STRENGTH.iter().position(|flow| *flow == name);
    let best = |stronger: bool| {
        let cells = summary
            .rows()
            .iter()
            .filter(|row| row.spec.flows().is_some_and(|[g, q]| (strength(&g) > strength(&q)) == stronger));
        let measured = cells.filter_map(|row| Some((row, row.statistics(Quantity::Test)?.mean)));
        measured.min_by(|left, right| left.1.total_cmp(&right.1)).map(|(row, _)| row)
    };
    let mut evidence = Evidence::default();
    let cells = summary.rows().iter().filter(|row| row.spec.table3.is_some());
    let missing = cells.filter(|row| row.results.is_empty()).count();
    if missing > 0 {
        evidence.lack(&format!("{missing} other pairs"));
    }
    if let (Some(stronger), Some(other)) = (best(true), best(false)) {
        let name = format!("H({}) − H({})", pair(other), pair(stronger));
        let contrast = difference(summary, &other.spec.name, &stronger.spec.name);
        evidence.add(&name, contrast, Rule::POSITIVE);
        evidence.lines.push(format!(
            "best with F_g stronger than F_q: {}; best of the others: {}",
            pair(stronger),
            pair(other)
        ));
    }
    let rule = "the best pair in which F_g is stronger than F_q (id < diag < tril < 2×tril) has a lower H on the test part \
                than the best of the other pairs; both are chosen by the same runs, which makes the interval too narrow";
    evidence.into_claim("A slightly stronger F_g than F_q is best.", rule, None)
}

pub(super) fn identity_inference(summary: &Summary<'_>) -> Claim {
    const PAIRS: [(&str, &str, &str); 3] =
        [("diag", "diag-id", "diag-diag"), ("tril", "tril-id", "tril"), ("2×tril", "2xtril-id", "2xtril")];
    let mut evidence = Evidence::default();
    for (name, identity, diagonal) in PAIRS {
        let name = format!("F_g = {name}: H(F_q = id) − H(F_q = diag)");
        evidence.add_with_verdict(&name, difference(summary, identity, diagonal), Rule::POSITIVE);
    }
    let rule =
        "H on the test part is higher with F_q = id than with F_q = diag, for F_g = diag, tril and 2×tril";
    evidence.into_claim("F_q = id degrades performance.", rule, None)
}

pub(super) fn unstable_pairs(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let unstable = |row: &&Row<'_>| row.spec.table3.as_ref().is_some_and(|cell| cell.unstable);
    let (mut runs, mut diverged) = (0, 0);
    for row in summary.rows().iter().filter(unstable) {
        if row.results.is_empty() {
            evidence.lack(&row.spec.label);
        }
        (runs, diverged) = (runs + row.results.len(), diverged + row.diverged());
    }
    if runs > 0 {
        evidence.lines.push(format!("{diverged} of {runs} runs of these pairs diverged"));
        evidence.figure = Some(format!("{diverged} of {runs} runs diverged"));
        evidence.verdicts.push(if diverged > 0 { Verdict::Holds } else { Verdict::DoesNotHold });
    }
    let rule = "a run of a pair of flows that the paper marks with a bar diverges";
    let remark = "Training here clips gradients, warms the learning rate up and lets it fall to zero, keeps diagonals away from zero and \
                  starts flows near the identity. Which of these makes the difference was not tested.";
    evidence.into_claim("Pairs of flows with a bar in Table 3 do not train stably.", rule, Some(remark))
}

/// The two flows of a cell of Table 3.
fn pair(row: &Row<'_>) -> String {
    let [g, q] = row.spec.flows().unwrap_or_default();
    format!("F_g = {g}, F_q = {q}").replace("2x", "2×")
}
