//! Why no words can be made.

use thiserror::Error;
use tilegrad::GraphError;

use super::constraint::ConstraintError;
use super::words::GaveUp;
use crate::lexicon::{LexiconError, SpellError};
use crate::model::RunnerError;

/// Why no words can be made, or no more.
#[derive(Debug, Error)]
pub enum SampleError {
    /// The model's own list cannot be used.
    #[error(transparent)]
    List(#[from] LexiconError),
    /// The words cannot meet the constraints.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// A given word is none of the model's.
    #[error(transparent)]
    Spelling(#[from] SpellError),
    /// More letters are to be kept than the word has.
    #[error("`{word}` has only {letters} letters; {keep} cannot be kept")]
    Keep {
        /// Letters to be kept.
        keep: usize,
        /// The word.
        word: String,
        /// Its letters.
        letters: usize,
    },
    /// A sampling parameter is out of its range.
    #[error("{parameter} is {found}; expected {least} to {most}")]
    Parameter {
        /// Which one.
        parameter: &'static str,
        /// Its value.
        found: f32,
        /// The least that is possible.
        least: f32,
        /// The most that is possible.
        most: f32,
    },
    /// Noise that is given does not fit the model.
    #[error("step {step} of the noise has {found}; expected {expected}")]
    Noise {
        /// Counted from 1.
        step: usize,
        /// What there is.
        found: String,
        /// What the model takes.
        expected: String,
    },
    /// The noise chooses letters and nothing else.
    #[error(
        "the model's noise only chooses letters, and scaling it would mean nothing: use the temperature, which acts on the choice"
    )]
    NothingToScale,
    /// The noise chooses letters, so that none is left to choose.
    #[error(
        "the model's noise picks the letters, and its states leave none to choose: use a low temperature"
    )]
    NothingToMaximise,
    /// Words that fit did not come up.
    #[error(transparent)]
    GaveUp(#[from] GaveUp),
    /// Whoever watches did not want to wait.
    #[error("stopped before all words were made")]
    Stopped,
    /// The model's computations cannot be recorded.
    #[error("the model cannot be recorded")]
    Graph(#[from] GraphError),
    /// It takes too much memory, or the system refused a thread.
    #[error(transparent)]
    Runner(#[from] RunnerError),
}
