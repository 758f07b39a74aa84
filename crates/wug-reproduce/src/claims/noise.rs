//! What the noise carries.

use super::{Claim, Evidence, Verdict, describe};
use crate::{Row, Statistics, Summary, slope};

/// What makes no difference, in bits.
const MARGIN_BITS: f64 = 0.05;

/// The row of Figures 1 and 2.
const ROW: &str = "2xtril-k10";

pub(super) fn falls_with_position(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let points = summary.row(ROW).map(information_by_position).unwrap_or_default();
    if let (Some(found), Some(first), Some(last)) = (slope(&points), points.first(), points.last()) {
        evidence.figure = Some(format!("I(1) = {:.2}, I({}) = {:.2} bits", first.1, last.0, last.1));
        evidence.lines.push(format!("slope: {} bits per position", describe(found)));
        evidence.lines.push(format!("I({}) = {:.2}, I({}) = {:.2} bits", first.0, first.1, last.0, last.1));
        evidence.verdicts.push(match Verdict::positive(found) {
            Verdict::Holds => Verdict::DoesNotHold,
            Verdict::DoesNotHold => Verdict::Holds,
            Verdict::CannotSay => Verdict::CannotSay,
        });
    }
    let rule = "the slope of the mean I(t) over t = 1 … 10 is negative, for 2×tril, K = 10";
    evidence.into_claim("I(t) falls with t.", rule, None)
}

pub(super) fn grows_in_training(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let points = summary.row(ROW).map(information_in_training).unwrap_or_default();
    let half = &points[points.len() / 2..];
    if let (Some(whole), Some(late), Some(first), Some(middle), Some(last)) =
        (slope(&points), slope(half), points.first(), half.first(), points.last())
    {
        let change = late.times(last.0 - middle.0);
        evidence.figure = Some(format!("Ī = {:.2}, then {:.2} bits", first.1, last.1));
        evidence.lines.push(format!("slope of Ī: {} bits per million words", describe(whole)));
        evidence.lines.push(format!("change over the second half: {} bits", describe(change)));
        evidence.lines.push(format!("Ī at the first report {:.2} bits, at the last {:.2}", first.1, last.1));
        evidence.verdicts.push(Verdict::positive(whole));
        if change.upper() < -MARGIN_BITS {
            evidence.verdicts.push(Verdict::DoesNotHold);
        }
    }
    let rule = "the slope of Ī over training is positive, and over the second half it does not fall by more than 0.05 bits, \
                for 2×tril, K = 10";
    evidence.into_claim("The noise carries more and more information during training.", rule, None)
}

/// Mean `I(t)` over runs.
fn information_by_position(row: &Row<'_>) -> Vec<(f64, f64)> {
    let runs: Vec<_> = row.findings().filter_map(|findings| findings.metrics.information.as_ref()).collect();
    let positions = runs.first().map_or(&[][..], |run| &run.positions[..]).iter();
    let mean = |index: usize| {
        let numbers: Vec<f64> =
            runs.iter().filter_map(|run| Some(run.positions.get(index)?.information.mean)).collect();
        Statistics::of(&numbers).map(|found| found.mean)
    };
    positions.enumerate().filter_map(|(index, own)| Some((own.position as f64, mean(index)?))).collect()
}

/// Mean `Ī` over runs at each report, by millions of words.
fn information_in_training(row: &Row<'_>) -> Vec<(f64, f64)> {
    mean_history(row, |moment| moment.information)
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
