//! The first page, for who reads no more: one figure, one table, a few sentences. All figures in it come from the results.

use serde::Serialize;
use wug::grouped;
use wug::model::Kind;

use super::figures::{Drawing, Plot};
use super::paper::paper_gap_closed;
use crate::statistics::rounded;
use crate::svg::{DotPlot, DotRow};
use crate::{Claim, Quantity, Row, RunResult, Statistics, Summary, Verdict};

/// What stands before everything else. The table is that of the claims.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FirstPage {
    /// What was found.
    pub sentences: Vec<String>,
    /// The gap closed by the models that matter most.
    pub figure: Option<Drawing>,
    /// How far a model without feedback can be pushed.
    pub answer: Vec<String>,
}

/// The rows of the figure.
const ROWS: [&str; 12] = [
    "tril-k10",
    "2xtril-k10",
    "2xtril-k10-d16",
    "2xtril-k10-d32",
    "gru-8d",
    "gru-16d",
    "gru-32d",
    "shared-d8",
    "shared-d32",
    "choice-d8",
    "choice-d32",
    "choice-d64",
];
/// N-grams of the figure, by their order.
const ORDERS: [usize; 3] = [3, 4, 5];

impl FirstPage {
    pub(super) fn of(results: &[RunResult], summary: &Summary<'_>, claims: &[Claim]) -> Self {
        let sentences = [
            what_was_done(results, summary),
            gap(summary),
            verdicts(claims),
            information_and_words(summary),
            likelihood(summary),
        ];
        let answer = [false, true].into_iter().filter_map(|types| answer(summary, types)).collect();
        Self { sentences: sentences.into_iter().flatten().collect(), figure: figure(summary), answer }
    }
}

/// Mean and deviation of a quantity, as text.
fn found(summary: &Summary<'_>, name: &str, quantity: Quantity, decimals: usize) -> Option<String> {
    let Statistics { mean, deviation, .. } = summary.row(name)?.statistics(quantity)?;
    let spread = deviation.map(|own| format!(" ± {own:.decimals$}")).unwrap_or_default();
    Some(rounded(mean, decimals) + &spread)
}

fn what_was_done(results: &[RunResult], summary: &Summary<'_>) -> Option<String> {
    let rows = summary.rows().iter().filter(|row| !row.results.is_empty()).count();
    let diverged: usize = summary.rows().iter().map(Row::diverged).sum();
    let words = results.iter().map(|result| result.config.train.words).max()?;
    let diverged = if diverged == 0 { "none".to_owned() } else { diverged.to_string() };
    Some(format!(
        "{} runs of {rows} rows saw {} words each; {diverged} diverged.",
        results.len(),
        grouped(words)
    ))
}

fn gap(summary: &Summary<'_>) -> Option<String> {
    let part = |name: &str, d: u32| {
        let own = found(summary, name, Quantity::GapClosed, 3)?;
        let paper = paper_gap_closed(summary.row(name)?.spec.table1.as_ref()?.test.mean)?;
        Some(format!("{own} with d = {d} (the paper {paper:.3})"))
    };
    let parts: Vec<String> = [part("2xtril-k10", 8), part("2xtril-k10-d16", 16), part("2xtril-k10-d32", 32)]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| {
        format!(
            "By the paper's estimator 2×tril, K = 10 closes this share of the gap between independent symbols and the words \
             themselves: {}.",
            parts.join(", ")
        )
    })
}

fn verdicts(claims: &[Claim]) -> Option<String> {
    let of_the_paper: Vec<&Claim> = claims.iter().filter(|claim| claim.is_of_the_paper()).collect();
    let count = |verdict| of_the_paper.iter().filter(|claim| claim.verdict == verdict).count();
    (!of_the_paper.is_empty()).then(|| {
        format!(
            "Of {} claims of the paper {} hold, {} do not, and {} cannot be told.",
            of_the_paper.len(),
            count(Verdict::Holds),
            count(Verdict::DoesNotHold),
            count(Verdict::CannotSay)
        )
    })
}

fn information_and_words(summary: &Summary<'_>) -> Option<String> {
    let own = |quantity| found(summary, "2xtril-k10", quantity, 2);
    let paper = summary.row("2xtril-k10")?.spec.table1.as_ref()?;
    let mut text = format!(
        "With d = 8 the noise decides Ī = {} bits of a letter (the paper {})",
        own(Quantity::Information)?,
        paper.information.as_ref()?
    );
    if let Some(living) = own(Quantity::UnbiasedLivingInformation) {
        text.push_str(&format!(", {living} over living words and without the bias of the estimate"));
    }
    text.push_str(&format!("; w∈V is {} (the paper {})", own(Quantity::InVocabulary)?, paper.in_vocabulary));
    if let Some(list) = own(Quantity::InList) {
        text.push_str(&format!(", {list} in the whole list"));
    }
    Some(text + ".")
}

fn likelihood(summary: &Summary<'_>) -> Option<String> {
    let h = |name: &str| Some(summary.row(name)?.statistics(Quantity::TightTest)?.mean);
    let (model, gru) = (h("2xtril-k10")?, h("gru-8d")?);
    let mut text = format!(
        "By the likelihood itself H is {} nats per word for 2×tril, K = 10 and {} for the GRU of the same size",
        rounded(model, 2),
        rounded(gru, 2)
    );
    if let (Some(choice), Some(gru)) = (h("choice-d32"), h("gru-81d")) {
        text.push_str(&format!(
            "; the choice flow with d = 32, which has no feedback either, reaches {} where a GRU of as many parameters has {}",
            rounded(choice, 2),
            rounded(gru, 2)
        ));
    }
    Some(text + ".")
}

/// What models without feedback reach on a split, beside models with it.
fn answer(summary: &Summary<'_>, types: bool) -> Option<String> {
    let rows: Vec<(&Row<'_>, f64)> = summary
        .rows()
        .iter()
        .filter(|row| row.spec.beyond && row.spec.splits_types() == types)
        .filter_map(|row| Some((row, row.statistics(Quantity::TightTest)?.mean)))
        .collect();
    let is_own = |row: &Row<'_>| row.spec.config().is_some_and(|own| own.model.kind == Kind::StateSpace);
    let best = |own: bool| {
        let side = rows.iter().filter(|(row, _)| is_own(row) == own);
        side.min_by(|left, right| left.1.total_cmp(&right.1))
    };
    let ((model, own), (baseline, other)) = (best(true)?, best(false)?);
    let figures = |own: bool| {
        let side = rows.iter().filter(|(row, _)| is_own(row) == own);
        side.map(|(row, h)| format!("{} ({})", rounded(*h, 2), row.spec.label)).collect::<Vec<_>>().join(", ")
    };
    let mut findings = rows.iter().flat_map(|(row, _)| row.findings());
    let metrics = &findings.find(|found| found.metrics.opponents.is_some())?.metrics;
    let ngrams: Vec<String> = metrics
        .opponents
        .iter()
        .flatten()
        .map(|own| format!("{} ({}-grams)", rounded(own.test, 2), own.order))
        .collect();
    let bounds = metrics.oracles.as_ref()?.test;
    let difference = own - other;
    let side = if difference > 0.0 { "above" } else { "below" };
    Some(format!(
        "{}: the best model without feedback ({}) has an H of {} nats per word, {} {side} the best model with feedback ({}). Independent symbols \
         have {}, and {} is the entropy of the test part. Without feedback: {}. With feedback: {}. N-grams: {}.",
        if types { "Split by types" } else { "Split by tokens" },
        model.spec.label,
        rounded(*own, 2),
        rounded(difference.abs(), 2),
        baseline.spec.label,
        rounded(bounds.independent_symbols, 2),
        rounded(bounds.entropy, 2),
        figures(true),
        figures(false),
        ngrams.join(", ")
    ))
}

fn figure(summary: &Summary<'_>) -> Option<Drawing> {
    let mean = |row: &Row<'_>, quantity| row.statistics(quantity).map(|own| own.mean);
    let line = |name: &&str| {
        let row = summary.row(name)?;
        let paper = row.spec.table1.as_ref().and_then(|paper| paper_gap_closed(paper.test.mean));
        // The choice flow has no estimate by shared trajectories.
        let (here, tight) = (mean(row, Quantity::GapClosed), mean(row, Quantity::TightGapClosed)?);
        let label = match row.spec.label.split_once(", ") {
            // The size comes last, as in the other rows.
            Some((size, rest)) if size.starts_with("d = ") => format!("{rest}, {size}"),
            Some(("2×tril", rest)) if rest.starts_with("F_q") => rest.to_owned(),
            _ => row.spec.label.clone(),
        };
        Some(DotRow { name: label, dots: vec![paper, here, Some(tight)] })
    };
    let mut rows: Vec<DotRow> = ROWS.iter().filter_map(line).collect();
    if rows.is_empty() {
        return None;
    }
    let mut findings =
        summary.rows().iter().filter(|row| !row.spec.splits_types()).flat_map(|row| row.findings());
    let opponents = findings.find_map(|found| found.metrics.opponents.as_ref());
    let ngrams = opponents.into_iter().flatten().filter(|own| ORDERS.contains(&own.order));
    rows.extend(
        ngrams.map(|own| DotRow {
            name: format!("{}-grams", own.order),
            dots: vec![None, None, own.gap_closed],
        }),
    );
    Some(Drawing {
        title: "How much of the gap is closed".into(),
        caption: "0 is what independent symbols reach on the test part, 1 what the training words themselves do. The paper's estimator \
                  does not suit GRUs: it takes the states of other words for theirs."
            .into(),
        plot: Plot::Dots(DotPlot {
            title: "Gap closed by each model: the paper, the same estimator here, and the likelihood itself".into(),
            x_name: "gap closed on the test part".into(),
            series: ["the paper", "here, the paper's estimator", "here, tight or exact"].map(str::to_owned).to_vec(),
            rows,
        }),
    })
}
