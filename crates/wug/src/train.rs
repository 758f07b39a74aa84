//! Training: words drawn from the unigram distribution, the bound's gradient, Adam.
//!
//! [`Training`] is the loop: it takes steps, recovers from NaN, and says what happens. It knows no files and no clock.
//! [`train()`] runs it in memory, [`Run`] in a folder with checkpoints.

mod checkpoint;
mod event;
mod folder;
mod gate_part;
mod held_out;
mod objective;
mod plan;
mod request;
mod run;
mod start;
mod state;
#[cfg(test)]
mod tests;
mod training;
mod transfer;

use std::ops::ControlFlow;

use thiserror::Error;
use tilegrad::GraphError;
use tilegrad::optim::OptimError;

pub use crate::config::TrainConfig;
pub use event::{Event, NotFinite, Report, Step};
pub use request::{Plan, PlanError, TrainRequest};
pub use run::{Run, RunError};
pub use start::{Start, start_for};
pub use training::Training;
pub use transfer::Transfer;

use crate::lexicon::{Lexicon, TileError};
use crate::model::{ConfigError, ModelConfig, RunnerError};
use crate::{Config, Result, TrainedModel};

/// How often a run may go back to its last report with half the learning rate.
const MAX_FALLBACKS: u32 = 3;

/// Why training cannot begin or continue.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A setting is out of its range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There is nothing to train on.
    #[error(transparent)]
    Tiles(#[from] TileError),
    /// The model was built for another alphabet.
    #[error("the model has {model} symbols with the end, the words have {lexicon}")]
    Alphabet {
        /// Symbols of the model.
        model: usize,
        /// Symbols of the words.
        lexicon: usize,
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
    /// The model's computations cannot be recorded.
    #[error("the model cannot be recorded")]
    Graph(#[from] GraphError),
    /// The optimiser refused its settings.
    #[error(transparent)]
    Optimiser(#[from] OptimError),
    /// It takes too much memory, or the system refused a thread.
    #[error(transparent)]
    Runner(#[from] RunnerError),
    /// A number became NaN or infinite again and again.
    #[error(
        "{0}, although the learning rate was halved {MAX_FALLBACKS} times; begin a new run with a smaller train.learning_rate"
    )]
    Diverged(NotFinite),
}

/// How a call that trains came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// All words have been seen, or the held-out words no longer gained.
    Finished,
    /// The observer stopped it; it can be continued.
    Cancelled,
}

/// Trains on the training part of some words, in memory. `observe` gets every event and can stop training early by
/// returning [`ControlFlow::Break`]; the model is then the one of that step.
///
/// The words are taken as they are, whatever filter the configuration has; `data.lexicon` is the name that the model
/// remembers them by. The same words, configuration and seed give the same model, to the last bit, on any number of
/// threads. [`Run`] does the same in a folder, with checkpoints.
///
/// # Errors
/// When a setting is out of its range, there is nothing to train on, or training diverges.
pub fn train(
    config: &Config,
    lexicon: &Lexicon,
    threads: usize,
    observe: impl FnMut(&Training, &Event) -> ControlFlow<()>,
) -> Result<TrainedModel> {
    let mut training = Training::new(config, lexicon, threads)?;
    training.run(observe)?;
    Ok(training.trained_model())
}
