//! The paper's two figures, and how the estimate of the cross entropy falls with the number of trajectories.

use serde::Serialize;
use wug::evaluate::Spread;

use crate::claims::mean_history;
use crate::svg::{BoxPlot, DotPlot, Line, LinePlot, PlottedBox};
use crate::{Findings, Row, RowSpec, Statistics, Summary};

/// A figure with its caption.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drawing {
    /// Its heading.
    pub title: String,
    /// What it shows.
    pub caption: String,
    /// The plot.
    pub plot: Plot,
}

/// A plot.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plot {
    /// Boxes.
    Boxes(BoxPlot),
    /// Lines.
    Lines(LinePlot),
    /// Dots.
    Dots(DotPlot),
}

impl Plot {
    /// As SVG.
    pub fn to_svg(&self) -> String {
        match self {
            Plot::Boxes(plot) => plot.to_svg(),
            Plot::Lines(plot) => plot.to_svg(),
            Plot::Dots(plot) => plot.to_svg(),
        }
    }
}

/// The figures whose runs are there.
pub(super) fn figures(summary: &Summary<'_>) -> Vec<Drawing> {
    let shown = |figure: u8, baseline: bool| {
        let mut rows = summary.rows().iter();
        rows.find(|row| row.spec.figures.contains(&figure) && is_baseline(row.spec) == baseline)
    };
    let drawing = |title: &str, caption: &str, plot: Option<Plot>| {
        Some(Drawing { title: title.into(), caption: caption.into(), plot: plot? })
    };
    let all = [
        drawing(
            "Figure 1: what the noise decides at each position",
            "I(t) over the states that 2×tril, K = 10 reaches: median, quartiles and whiskers, the dot is the mean. Each \
             number is the mean over runs.",
            shown(1, false).and_then(boxes).map(Plot::Boxes),
        ),
        drawing(
            "Figure 2: entropy during training",
            "2×tril, K = 10, mean over runs: what the noise decides (Ī), and what is left to chance at each symbol. The \
             level line is the entropy of the next symbol of the trained GRU, d = 8.",
            shown(2, false).and_then(|row| training(row, shown(2, true))).map(Plot::Lines),
        ),
        drawing(
            "The estimate falls with the number of trajectories",
            "H on the test part by the paper's estimator over K shared trajectories, and its tight value: by the particle \
             filter for 2×tril, K = 10, exact for the GRU, d = 8. First run of each.",
            shown(2, false).zip(shown(2, true)).and_then(|(row, gru)| estimates(row, gru)).map(Plot::Lines),
        ),
    ];
    all.into_iter().flatten().collect()
}

fn is_baseline(row: &RowSpec) -> bool {
    row.config().is_some_and(|config| config.model.kind == wug::model::Kind::Gru)
}

fn boxes(row: &Row<'_>) -> Option<BoxPlot> {
    let runs: Vec<_> = row.findings().filter_map(|found| found.metrics.information.as_ref()).collect();
    let positions = &runs.first()?.positions;
    let boxes = positions.iter().enumerate().map(|(index, own)| {
        let spreads: Vec<Spread> =
            runs.iter().filter_map(|run| Some(run.positions.get(index)?.information)).collect();
        PlottedBox { name: own.position.to_string(), spread: mean_spread(&spreads) }
    });
    Some(BoxPlot {
        title: "Box plot of I(t) in bits over the position t".into(),
        x_name: "position t".into(),
        y_name: "I(t), bits".into(),
        boxes: boxes.collect(),
    })
}

/// The mean of each number of several boxes.
fn mean_spread(spreads: &[Spread]) -> Spread {
    let mean = |number: fn(&Spread) -> f64| {
        Statistics::of(&spreads.iter().map(number).collect::<Vec<f64>>()).map_or(0.0, |found| found.mean)
    };
    Spread {
        mean: mean(|own| own.mean),
        lower_whisker: mean(|own| own.lower_whisker),
        lower_quartile: mean(|own| own.lower_quartile),
        median: mean(|own| own.median),
        upper_quartile: mean(|own| own.upper_quartile),
        upper_whisker: mean(|own| own.upper_whisker),
    }
}

fn training(row: &Row<'_>, baseline: Option<&Row<'_>>) -> Option<LinePlot> {
    let information = mean_history(row, |moment| moment.information);
    let (first, last) = (information.first()?.0, information.last()?.0);
    let mut lines = vec![
        Line { name: "Ī".into(), points: information },
        Line { name: "H[w_t | h_t]".into(), points: mean_history(row, |moment| moment.symbol_entropy) },
    ];
    let entropies = baseline.into_iter().flat_map(|row| row.findings());
    let entropies: Vec<f64> = entropies.filter_map(|found| found.metrics.baseline_symbol_entropy).collect();
    if let Some(found) = Statistics::of(&entropies) {
        lines.push(Line { name: "GRU, d = 8".into(), points: vec![(first, found.mean), (last, found.mean)] });
    }
    Some(LinePlot {
        title: "Mutual information and symbol entropy in bits over training".into(),
        x_name: "million words seen".into(),
        y_name: "bits".into(),
        logarithmic: false,
        from_zero: true,
        lines,
    })
}

fn estimates(row: &Row<'_>, baseline: &Row<'_>) -> Option<LinePlot> {
    let mut lines = Vec::new();
    for (row, tight, name) in [(row, "tight", "2×tril"), (baseline, "exact", "GRU")] {
        let found: &Findings = row.findings().next()?;
        let curve = &found.metrics.cross_entropy.as_ref()?.curve;
        let points: Vec<(f64, f64)> =
            curve.iter().map(|point| (point.trajectories as f64, point.test)).collect();
        let (first, last) = (points.first()?.0, points.last()?.0);
        let level = found.metrics.log_probability.as_ref()?.test.mean;
        lines.push(Line { name: format!("{name}, shared"), points });
        lines.push(Line { name: format!("{name}, {tight}"), points: vec![(first, level), (last, level)] });
    }
    Some(LinePlot {
        title: "Cross entropy in nats per word over the number of shared trajectories".into(),
        x_name: "shared trajectories K".into(),
        y_name: "H test, nats per word".into(),
        logarithmic: true,
        from_zero: false,
        lines,
    })
}
