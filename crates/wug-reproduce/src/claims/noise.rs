//! What the noise carries.

use super::{Claim, Evidence, Rule, describe};
use crate::{Interval, Row, RunResult, Statistics, Summary, Variance};

/// What makes no difference, in bits.
const MARGIN_BITS: f64 = 0.05;

/// The row of Figures 1 and 2.
const ROW: &str = "2xtril-k10";

pub(super) fn falls_with_position(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let row = summary.row(ROW);
    let positions = row.map(information_by_position).unwrap_or_default();
    let falls: Vec<f64> = positions.iter().filter_map(|own| fall(own)).collect();
    if let Some(found) = over_runs(&falls) {
        evidence
            .lines
            .push(format!("mean of I(1) … I(5) minus mean of I(6) … I(10): {} bits", describe(found)));
        evidence.verdicts.push(Rule::POSITIVE.judge(found));
    } else if !falls.is_empty() {
        evidence.lack("a second run, without which there is no spread");
    }
    let at = |index: usize| {
        Statistics::of(&positions.iter().filter_map(|own| own.get(index).copied()).collect::<Vec<_>>())
    };
    if let (Some(first), Some(second), Some(last)) = (at(0), at(1), at(POSITIONS - 1)) {
        evidence.figure = Some(format!("I(1) = {:.2}, I({POSITIONS}) = {:.2} bits", first.mean, last.mean));
        let text = format!(
            "I(1) = {:.2}, I(2) = {:.2}, I({POSITIONS}) = {:.2} bits",
            first.mean, second.mean, last.mean
        );
        evidence.lines.push(text);
    }
    let rule = "the mean of I(t) over t = 1 … 5 is larger than over t = 6 … 10, for 2×tril, K = 10";
    evidence.into_claim("I(t) falls with t.", rule, None)
}

pub(super) fn grows_in_training(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let runs: Vec<Vec<f64>> = summary.row(ROW).map(information_in_training).unwrap_or_default();
    let change = |from: fn(usize) -> usize| -> Vec<f64> {
        runs.iter().filter_map(|own| Some(own.last()? - own.get(from(own.len()))?)).collect()
    };
    let (whole, late) = (change(|_| 0), change(|length| length / 2));
    if let (Some(whole), Some(late)) = (over_runs(&whole), over_runs(&late)) {
        evidence.lines.push(format!("Ī at the end minus Ī at the first report: {} bits", describe(whole)));
        evidence.lines.push(format!("Ī at the end minus Ī half way: {} bits", describe(late)));
        evidence.verdicts.push(Rule::POSITIVE.judge(whole));
        evidence.verdicts.push(Rule::Above(-MARGIN_BITS).judge(late));
    } else if !whole.is_empty() {
        evidence.lack("a second run, without which there is no spread");
    }
    let points =
        summary.row(ROW).map(|row| mean_history(row, |moment| moment.information)).unwrap_or_default();
    let highest = points.iter().max_by(|left, right| left.1.total_cmp(&right.1));
    if let (Some(first), Some(highest), Some(last)) = (points.first(), highest, points.last()) {
        evidence.figure = Some(format!("Ī = {:.2}, then {:.2} bits", first.1, last.1));
        evidence.lines.push(format!(
            "mean over runs at the first report {:.2} bits, at most {:.2} after {:.1} million words, at the end {:.2}",
            first.1, highest.1, highest.0, last.1
        ));
    }
    let rule = "Ī is higher at the end of training than at the first report, and falls by no more than 0.05 bits over the second half, \
                for 2×tril, K = 10";
    evidence.into_claim("The noise carries more and more information during training.", rule, None)
}

/// Positions that are averaged over, as in the paper.
const POSITIONS: usize = 10;

/// The mean of some numbers with the spread over runs; none for fewer than two.
fn over_runs(numbers: &[f64]) -> Option<Interval> {
    let Statistics { runs, mean, deviation } = Statistics::of(numbers)?;
    let runs = runs as f64;
    Some(Interval::new(mean, &[Variance { value: deviation?.powi(2) / runs, degrees: runs - 1.0 }]))
}

/// By how much `I(t)` is larger in the first half of the positions than in the second.
fn fall(positions: &[f64]) -> Option<f64> {
    let (first, second) = positions.get(..POSITIONS)?.split_at(POSITIONS / 2);
    let mean = |half: &[f64]| half.iter().sum::<f64>() / half.len() as f64;
    Some(mean(first) - mean(second))
}

/// `I(t)` of each run.
fn information_by_position(row: &Row<'_>) -> Vec<Vec<f64>> {
    let runs = row.findings().filter_map(|findings| findings.metrics.information.as_ref());
    runs.map(|run| run.positions.iter().map(|own| own.information.mean).collect()).collect()
}

/// `Ī` of each run at each report.
fn information_in_training(row: &Row<'_>) -> Vec<Vec<f64>> {
    let history =
        |result: &&RunResult| result.history.iter().filter_map(|moment| moment.information).collect();
    row.results.iter().map(history).collect()
}

/// The mean over runs of something that is reported during training, by millions of words.
pub(crate) fn mean_history(row: &Row<'_>, number: fn(&crate::Moment) -> Option<f64>) -> Vec<(f64, f64)> {
    let Some(first) = row.results.first() else { return Vec::new() };
    let at = |words: u64| {
        let moments = row.results.iter().flat_map(|result| &result.history);
        let numbers: Vec<f64> = moments.filter(|moment| moment.words == words).filter_map(number).collect();
        Statistics::of(&numbers).map(|found| found.mean)
    };
    let words = first.history.iter().map(|moment| moment.words);
    words.filter_map(|words| Some((words as f64 / 1e6, at(words)?))).collect()
}
