//! Measuring a model: every number in the paper, as it is stated there and as tightly as possible.
//!
//! [`Metric`]s have names and are measured together by [`evaluate()`]; what they are made of can be used by itself.
//! Cross entropies are in nats per word, information in bits.

mod context;
mod cross_entropy;
mod emissions;
mod figures;
mod information;
mod log_probability;
mod membership;
mod metrics;
mod ngram;
mod oracle;
mod report;
mod spread;
#[cfg(test)]
mod tests;
mod trajectories;
mod trie_sums;

use thiserror::Error;
use tilegrad::GraphError;

pub use context::{Context, Settings};
pub use figures::{Figures, figures};
pub use information::{Information, InformationSettings, PositionInformation, information};
pub use log_probability::{Estimate, MAX_PARTICLES, log_probabilities};
pub use membership::Membership;
pub(crate) use metrics::Sample;
pub use metrics::{
    CrossEntropy, CurvePoint, Estimator, GeneratedWords, Memberships, Metric, Metrics, NgramBaseline,
    Oracles, Perplexities, Progress, SharedCrossEntropy, TrajectoryKind, evaluate,
};
pub use ngram::{BadOrder, MAX_ORDER, NgramFit, Ngrams, Smoothing};
pub use oracle::Bounds;
pub use report::{LexiconDescription, ModelDescription, PartDescription, Report, Table};
pub use spread::Spread;

pub(crate) use cross_entropy::{WordProbabilities, cross_entropy, shared_trajectories};
pub(crate) use log_probability::{Precision, Surprisals, surprisals};
pub(crate) use trajectories::ModelTrajectories;

use crate::generate::SampleError;
use crate::lexicon::{AlphabetError, LexiconError, SplitKind};
use crate::model::{ModelConfig, RunnerError};

/// Why a model cannot be measured.
#[derive(Debug, Error)]
pub enum EvaluateError {
    /// The model's own list cannot be used.
    #[error(transparent)]
    List(#[from] LexiconError),
    /// The words cannot be spelt with the model's letters.
    #[error(
        "{error} of the model ({letters}), so {lexicon} cannot be measured: filter the words, or train on such a list"
    )]
    Alphabet {
        /// The list of words.
        lexicon: String,
        /// What is missing.
        error: AlphabetError,
        /// The letters that the model has.
        letters: String,
    },
    /// A word is too long.
    #[error(
        "a word has {length} symbols with its end, more than the {} a model can have",
        ModelConfig::MAX_STEPS
    )]
    TooLong {
        /// Symbols of the word.
        length: usize,
    },
    /// Nothing to measure on.
    #[error(
        "the {part} part of the {split} split is empty, because the list has only {types} words: give a longer list"
    )]
    EmptyPart {
        /// Which part.
        part: &'static str,
        /// Distinct words of the list.
        types: usize,
        /// How it was divided.
        split: SplitKind,
    },
    /// The model's parameters are such that its numbers overflow.
    #[error("the {what} is not a finite number: the model's parameters are too large")]
    NotFinite {
        /// What was computed.
        what: &'static str,
    },
    /// The n-grams are too long.
    #[error(transparent)]
    Order(#[from] BadOrder),
    /// No words can be generated.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The model's computations cannot be recorded.
    #[error("the model cannot be recorded")]
    Graph(#[from] GraphError),
    /// It takes too much memory, or the system refused a thread.
    #[error(transparent)]
    Runner(#[from] RunnerError),
}
