//! The first page, for who reads no more: one figure, one table, a few sentences. All figures in it come from the results.

use serde::Serialize;
use wug::grouped;

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
    /// How far a model without feedback can be pushed: a paragraph; none if too little was run.
    pub answer: Option<String>,
}

/// The rows of the figure: flows that forget their letters, flows that remember them, and models that read them.
const ROWS: [&str; 11] = [
    "tril-k10",
    "2xtril-k10",
    "2xtril-k10-d16",
    "2xtril-k10-d32",
    "choice-d8",
    "choice-d32",
    "choice-d64",
    "teacher-forced-d32",
    "gru-8d",
    "gru-32d",
    "gru-81d",
];
/// N-grams of the figure, by their order.
const ORDERS: [usize; 3] = [3, 5, 7];

impl FirstPage {
    pub(super) fn of(results: &[RunResult], summary: &Summary<'_>, claims: &[Claim]) -> Self {
        let sentences = [
            what_was_done(results, summary),
            gap(summary),
            verdicts(claims),
            information_and_words(summary),
            likelihood(summary),
        ];
        Self {
            sentences: sentences.into_iter().flatten().collect(),
            figure: figure(summary),
            answer: answer(summary),
        }
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
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    Some(format!(
        "{} of {} saw {} words each; {diverged} diverged.",
        counted(results.len(), "run"),
        counted(rows, "row"),
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
             themselves, 0 to 1: {}.",
            parts.join(", ")
        )
    })
}

fn verdicts(claims: &[Claim]) -> Option<String> {
    let of_the_paper: Vec<&Claim> = claims.iter().filter(|claim| claim.is_of_the_paper()).collect();
    let count = |verdict| of_the_paper.iter().filter(|claim| claim.verdict == verdict).count();
    (!of_the_paper.is_empty()).then(|| {
        format!(
            "Of the {} claims of the paper that are judged here {} hold, {} do not, and {} cannot be told.",
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
    if let Some(living) = own(Quantity::LivingInformation) {
        text.push_str(&format!(", {living} where words that have ended are left out"));
    }
    let (words, paper) = (own(Quantity::InVocabulary)?, &paper.in_vocabulary);
    text.push_str(&format!("; {words} of its words are training words (the paper {paper})"));
    if let Some(list) = own(Quantity::InList) {
        text.push_str(&format!(", {list} are in the whole list, which is nearer to the paper's in size"));
    }
    Some(text + ".")
}

fn likelihood(summary: &Summary<'_>) -> Option<String> {
    let h = |name: &str| Some(summary.row(name)?.statistics(Quantity::TightTest)?.mean);
    let (model, gru) = (h("2xtril-k10")?, h("gru-8d")?);
    let mut text = format!(
        "By the likelihood itself H is {} nats per word for 2×tril, K = 10 and {} for the GRU of the same d",
        rounded(model, 2),
        rounded(gru, 2)
    );
    if let (Some(choice), Some(gru)) = (h("choice-d32"), h("gru-81d")) {
        text.push_str(&format!(
            "; the choice flow with d = 32, whose noise picks the letter and whose state remembers it, reaches {} where a GRU of as many parameters \
             has {}",
            rounded(choice, 2),
            rounded(gru, 2)
        ));
    }
    Some(text + ".")
}

/// What models without feedback reach beside models with it, on both splits.
fn answer(summary: &Summary<'_>) -> Option<String> {
    let h = |name: &str| found(summary, name, Quantity::TightTest, 2);
    let mean = |name: &str| Some(summary.row(name)?.statistics(Quantity::TightTest)?.mean);
    let best = |names: &[(&'static str, &'static str, u32)]| {
        let known = names.iter().filter_map(|own| Some((*own, mean(own.0)?)));
        known.min_by(|left, right| left.1.total_cmp(&right.1)).map(|(own, _)| own)
    };
    let paper =
        [("2xtril-k10", "gru-8d", 8), ("2xtril-k10-d16", "gru-16d", 16), ("2xtril-k10-d32", "gru-32d", 32)];
    let (model, gru, d) = best(&paper)?;
    let mut sentences = vec![format!(
        "The paper's flows, which forget the letters that they draw, reach an H of {} nats per word at best (d = {d}), where a GRU of the same d \
         has {}.",
        h(model)?,
        h(gru)?
    )];
    if let (Some(own), Some(forced), Some(gru)) = (h("choice-d32"), h("teacher-forced-d32"), h("gru-81d")) {
        sentences.push(format!(
            "The choice flow, which remembers them, has {own} with d = 32, its teacher-forced counterpart {forced}, and a GRU of as many parameters {gru}."
        ));
    }
    let choices = [("choice-d32", "gru-81d", 32), ("choice-d64", "gru-97d", 64)];
    if let Some((own, gru, 64)) = best(&choices) {
        let gru = h(gru).map(|gru| format!(" (a GRU of as many parameters {gru})")).unwrap_or_default();
        sentences.push(format!("With d = 64 it reaches {}{gru}.", h(own)?));
    }
    let held_out = [
        ("the paper's flow", "types-2xtril-k10"),
        ("the GRU with d = 8", "types-gru-8d"),
        ("the choice flow with d = 8", "types-choice-d8"),
        ("the choice flow with d = 32", "types-choice-d32"),
        ("a GRU of as many parameters", "types-gru-81d"),
    ];
    let held_out: Vec<String> =
        held_out.iter().filter_map(|(label, name)| Some(format!("{label} {}", h(name)?))).collect();
    if held_out.len() > 1 {
        sentences.push(format!("On words that are held out whole: {}.", held_out.join(", ")));
    }
    let ngrams: Vec<String> =
        [false, true].into_iter().filter_map(|types| best_ngram(summary, types)).collect();
    if !ngrams.is_empty() {
        sentences.push(format!("The best n-grams: {}.", ngrams.join(", ")));
    }
    sentences.push(
        "So what costs nats is not the lack of feedback but forgetting: a flow whose state remembers its letters is an autoregressive model \
         in other clothes, with noise for input."
            .into(),
    );
    Some(sentences.join(" "))
}

/// The n-grams of the training part with the lowest H on the test part.
fn best_ngram(summary: &Summary<'_>, types: bool) -> Option<String> {
    let mut findings =
        summary.rows().iter().filter(|row| row.spec.splits_types() == types).flat_map(|row| row.findings());
    let baselines = findings.find_map(|found| found.metrics.ngram_baselines.as_ref())?;
    let best = baselines.iter().min_by(|left, right| left.test.total_cmp(&right.test))?;
    let split = if types { "split by types" } else { "split by tokens" };
    Some(format!("{} with n = {} ({split})", rounded(best.test, 2), best.order))
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
            // It stands below the flow that it is the teacher-forced counterpart of.
            Some(("teacher-forced choice flow", rest)) => {
                format!("its teacher-forced counterpart, {rest}")
            }
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
    let baselines = findings.find_map(|found| found.metrics.ngram_baselines.as_ref());
    let ngrams = baselines.into_iter().flatten().filter(|own| ORDERS.contains(&own.order));
    rows.extend(
        ngrams.map(|own| DotRow {
            name: format!("{}-grams", own.order),
            dots: vec![None, None, own.gap_closed],
        }),
    );
    Some(Drawing {
        title: "How much of the gap is closed".into(),
        caption: "Split by tokens. 0 is what independent symbols reach on the test part, 1 what the training words themselves do. The paper's estimator \
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
