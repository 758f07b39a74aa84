//! `cross-entropy`: `H[P, P̂]` over all words from K shared trajectories, with the curve over K.

use serde::Serialize;

use super::{Metric, Progress, finite, section};
use crate::evaluate::oracle::Bounds;
use crate::evaluate::report::{Section, Table};
use crate::evaluate::{Context, EvaluateError, Prior, SampledStates, WordProbabilities, shared_trajectories};
use crate::model::Parts;

pub(super) const METRIC: Metric = Metric {
    name: "cross-entropy",
    about: "H[P, P̂] over all words from shared trajectories, and its curve over their number",
    measure,
};

#[derive(Debug, Serialize)]
struct Found {
    /// What the trajectories are.
    estimate: &'static str,
    train: f64,
    test: f64,
    gap_closed: f64,
    curve: Vec<Point>,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Point {
    trajectories: u64,
    train: f64,
    test: f64,
}

fn measure(context: &Context<'_>, progress: Progress<'_>) -> Result<Section, EvaluateError> {
    let fitted = context.model.fitted();
    let settings = context.settings;
    let (execution, threads, total) = (settings.execution(), settings.threads, settings.trajectories);
    let mut curve = Vec::new();
    let reached = |found: WordProbabilities| {
        let [train, test] = context.parts().map(|(_, part)| found.cross_entropy(part));
        curve.push(Point { trajectories: found.trajectories, train, test });
    };
    let progress = &mut |done| progress(done as f64 / total as f64);
    let estimate = match fitted.model().parts() {
        Parts::StateSpace(parts) => {
            let source = |positions| Prior::new(fitted, &parts.generative, positions, execution);
            shared_trajectories(&context.lexicon, total, threads, source, reached, progress)?;
            "prior trajectories"
        }
        Parts::Baseline(baseline) => {
            let source = |_| SampledStates::new(fitted, baseline, execution);
            shared_trajectories(&context.lexicon, total, threads, source, reached, progress)?;
            "mixture over trajectories of sampled words"
        }
    };
    let last = curve.last().copied().unwrap_or(Point { trajectories: 0, train: f64::NAN, test: f64::NAN });
    let (train, test) = (finite(last.train, "cross entropy")?, finite(last.test, "cross entropy")?);
    let gap_closed = Bounds::of(&context.split, &context.split.test).gap_closed(test);
    let mut table = Table::new("H[P, P̂], nats per word", &["train", "test", "gap closed"], 3);
    table.row(format!("{} {estimate}", last.trajectories), &[train, test, gap_closed]);
    let mut points = Table::new("  by the number of trajectories", &["train", "test"], 3);
    for point in &curve {
        points.row(point.trajectories.to_string(), &[point.train, point.test]);
    }
    section(&Found { estimate, train, test, gap_closed, curve }, vec![table, points])
}
