//! What training tells while it goes on, for any front end to show.

use serde::Serialize;
use thiserror::Error;

/// What [`Training::step`](super::Training::step) did.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The parameters moved.
    Step(Step),
    /// A number was NaN or infinite. Training went back to the last report and continues with half the learning rate.
    Fallback(NotFinite),
}

/// One step, and how far training is.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Steps so far, this one included.
    pub step: u64,
    /// Words seen so far.
    pub words: u64,
    /// Words of the whole run.
    pub total_words: u64,
    /// Learning rate of this step.
    pub learning_rate: f64,
    /// Mean bound on the log-probability of this step's words, in nats per word.
    pub bound: f64,
    /// Norm of the gradient before it was clipped.
    pub gradient_norm: f64,
    /// Means since the last report, about fifty times in a run.
    pub report: Option<Report>,
}

/// How training went since the last report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Steps so far.
    pub step: u64,
    /// Words seen so far.
    pub words: u64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Mean bound since the last report, in nats per word.
    pub bound: f64,
    /// Cross entropy of held-out words under the model as it is, in nats per word; none if it would have to be estimated or nothing is held out.
    pub held_out: Option<f64>,
    /// Mean norm of the gradient since the last report.
    pub gradient_norm: f64,
    /// `Ī` in bits, estimated from few states; none for the baseline.
    pub information: Option<f64>,
    /// `H[w_t | h_t]` in bits, estimated from few states; none for the baseline.
    pub symbol_entropy: Option<f64>,
}

/// The bound, a gradient or a parameter became NaN or infinite.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("at step {step}, {what} is NaN or infinite")]
pub struct NotFinite {
    /// The step, counted from 0.
    pub step: u64,
    /// The bound, or the first gradient or parameter at fault by name.
    pub what: String,
}
