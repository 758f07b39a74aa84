//! `cross-entropy`: `H[P, P̂]` over all words from K shared trajectories, with the curve over K.

use serde::{Deserialize, Serialize};

use super::{Metric, Metrics, Progress, finite};
use crate::evaluate::oracle::Bounds;
use crate::evaluate::report::Table;
use crate::evaluate::{Context, EvaluateError, ModelTrajectories, WordProbabilities, shared_trajectories};

pub(super) const METRIC: Metric = Metric {
    name: "cross-entropy",
    about: "H[P, P̂] over all words from shared trajectories, and its curve over their number",
    measure,
};

/// Cross entropy from shared trajectories, in nats per word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SharedCrossEntropy {
    /// What the trajectories are.
    pub estimate: TrajectoryKind,
    /// On the training part.
    pub train: f64,
    /// On the test part.
    pub test: f64,
    /// The share of the gap that is closed on the test part ([`Bounds::gap_closed`]).
    pub gap_closed: Option<f64>,
    /// How it falls with the number of trajectories; the last point is the estimate.
    pub curve: Vec<CurvePoint>,
}

/// What trajectories are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrajectoryKind {
    /// States that the prior reaches.
    #[serde(rename = "prior trajectories")]
    Prior,
    /// States that an exact model reaches when it samples words: says little about it.
    // Reports of runs with the choice flow called this so.
    #[serde(rename = "mixture over trajectories of sampled words")]
    SampledWords,
}

/// Cross entropy from some number of trajectories.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// K.
    pub trajectories: u64,
    /// On the training part.
    pub train: f64,
    /// On the test part.
    pub test: f64,
}

impl SharedCrossEntropy {
    pub(super) fn tables(&self) -> [Table; 2] {
        let mut table = Table::new("H[P, P̂], nats per word", &["train", "test", "gap closed"], 3);
        let kind = match self.estimate {
            TrajectoryKind::Prior => "prior trajectories",
            TrajectoryKind::SampledWords => "mixture over trajectories of sampled words",
        };
        let count = self.curve.last().map_or(0, |last| last.trajectories);
        table.row(format!("{count} {kind}"), [Some(self.train), Some(self.test), self.gap_closed]);
        let mut points = Table::new("  by the number of trajectories", &["train", "test"], 3);
        for point in &self.curve {
            points.row(point.trajectories.to_string(), [point.train, point.test]);
        }
        [table, points]
    }
}

fn measure(context: &Context<'_>, progress: Progress<'_>, found: &mut Metrics) -> Result<(), EvaluateError> {
    let fitted = context.model.fitted();
    let settings = context.settings;
    let (execution, threads, total) = (settings.execution(), settings.threads, settings.trajectories);
    let mut curve = Vec::new();
    let reached = |found: WordProbabilities| {
        let [train, test] = context.parts().map(|part| found.cross_entropy(part));
        curve.push(CurvePoint { trajectories: found.trajectories, train, test });
    };
    let progress = &mut |done| progress(done as f64 / total as f64);
    let mut source = ModelTrajectories::new(fitted, execution)?;
    shared_trajectories(&context.lexicon, total, threads, &mut source, reached, progress);
    let picks_symbols = fitted.model().noise().picks_symbols;
    let estimate = if picks_symbols { TrajectoryKind::SampledWords } else { TrajectoryKind::Prior };
    let [train, test] = curve.last().map_or([f64::NAN; 2], |last| [last.train, last.test]);
    let (train, test) = (finite(train, "cross entropy")?, finite(test, "cross entropy")?);
    let gap_closed = Bounds::of(&context.split, &context.split.test).gap_closed(test);
    found.cross_entropy = Some(SharedCrossEntropy { estimate, train, test, gap_closed, curve });
    Ok(())
}
