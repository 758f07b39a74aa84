//! A training run in a folder: configuration, metrics, checkpoints, the finished model.
//!
//! | file | content |
//! |---|---|
//! | `config.toml` | the complete configuration, every default written out |
//! | `metrics.jsonl` | one line for each report |
//! | `checkpoint.safetensors` | the state of the run and its words, to be resumed |
//! | `model.safetensors` | the model so far, written with each checkpoint; final when the run is done |
//! | `.lock` | empty; locked while a process works on the run |
//!
//! Files are written whole or not at all. However often a run is stopped, killed and resumed, it ends with the same
//! files, to the last bit but for the seconds in `metrics.jsonl` and the checkpoint.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use thiserror::Error;

use super::checkpoint::lexicon_of;
use super::folder::{CHECKPOINT, Folder};
use super::{Completion, Event, Training};
use crate::lexicon::Lexicon;
use crate::{Config, DocumentError, Result};

/// Why a run cannot begin or continue.
#[derive(Debug, Error)]
pub enum RunError {
    /// The folder holds a run already.
    #[error(
        "{0} already holds a run, or files with a run's names: resume that run, or choose another folder"
    )]
    Occupied(String),
    /// The folder has other files.
    #[error("{folder} has other files, such as {file}: choose a new or an empty folder")]
    ForeignFiles {
        /// The folder.
        folder: String,
        /// One of them.
        file: String,
    },
    /// Another process works on the run.
    #[error("{0} is in use: another process trains there; wait for it, or choose another folder")]
    Busy(String),
    /// The folder holds no run.
    #[error("{0} holds no run to resume: it has no {CHECKPOINT}")]
    NothingToResume(String),
    /// A file of the folder cannot be read or written.
    #[error("{action} {path}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The folder's configuration is damaged.
    #[error("{path}")]
    Config {
        /// The file.
        path: String,
        /// What is wrong.
        source: DocumentError,
    },
}

/// A training run in a folder.
pub struct Run {
    folder: Folder,
    training: Training,
    /// Seconds of training so far.
    seconds: f64,
}

impl Run {
    /// Begins a run in a new folder, or in an empty one, on the training part of the words.
    ///
    /// # Errors
    /// When the folder holds a run already or cannot be written, or when the run cannot be prepared.
    pub fn create(folder: &Path, config: &Config, lexicon: &Lexicon, threads: usize) -> Result<Self> {
        Self::begin(folder, config, || Ok(Training::new(config, lexicon, threads)?))
    }

    /// Begins a run with a training that is prepared once the folder is known to be free.
    pub(super) fn begin(
        folder: &Path,
        config: &Config,
        training: impl FnOnce() -> Result<Training>,
    ) -> Result<Self> {
        Folder::check_free(folder, config)?;
        let training = training()?;
        let run = Self { folder: Folder::create(folder, config)?, training, seconds: 0.0 };
        run.save_checkpoint()?;
        Ok(run)
    }

    /// The configuration of the run in a folder.
    ///
    /// # Errors
    /// When the folder holds no run, or its configuration is damaged.
    pub fn config_of(folder: &Path) -> Result<Config> {
        Ok(Folder::config(folder)?)
    }

    /// Continues the run in a folder, on the words that its checkpoint holds: the list itself may be gone, or another by now.
    ///
    /// # Errors
    /// When the folder holds no run or is in use, or its files are damaged.
    pub fn resume(folder: &Path, threads: usize) -> Result<Self> {
        let config = Folder::config(folder)?;
        let folder = Folder::open(folder)?;
        let (bytes, name) = folder.read_checkpoint()?;
        let lexicon = lexicon_of(&bytes, &name)?;
        let mut training = Training::new(&config, &lexicon, threads)?;
        let seconds = training.resume(&bytes, &name)?;
        folder.keep_metrics(training.steps())?;
        Ok(Self { folder, training, seconds })
    }

    /// Changes the number of words to train on, as [`Training::set_words`] does, and writes it to `config.toml`.
    ///
    /// # Errors
    /// When more words have been seen already, or the file cannot be written.
    pub fn set_words(&mut self, words: u64) -> Result<()> {
        self.training.set_words(words)?;
        Ok(self.folder.write_config(self.training.config())?)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The training itself.
    pub fn training(&self) -> &Training {
        &self.training
    }

    #[cfg(test)]
    pub(super) fn training_mut(&mut self) -> &mut Training {
        &mut self.training
    }

    /// Trains until all words are seen or `observe` returns [`ControlFlow::Break`]; either way everything is saved.
    ///
    /// # Errors
    /// When a file cannot be written, or training diverges.
    pub fn train(
        &mut self,
        mut observe: impl FnMut(&Training, &Event) -> ControlFlow<()>,
    ) -> Result<Completion> {
        let (began, before) = (Instant::now(), self.seconds);
        let mut saved = began;
        loop {
            let event = match self.training.step() {
                Ok(Some(event)) => event,
                Ok(None) => break,
                Err(error) => {
                    self.save_checkpoint()?;
                    return Err(error.into());
                }
            };
            self.seconds = before + began.elapsed().as_secs_f64();
            if let Event::Step(step) = &event
                && let Some(report) = &step.report
            {
                self.folder.add_metrics(report, self.seconds)?;
            }
            if observe(&self.training, &event).is_break() {
                break;
            }
            if saved.elapsed().as_secs_f64() >= self.training.config().train.checkpoint_seconds {
                self.save()?;
                saved = Instant::now();
            }
        }
        self.save()?;
        Ok(if self.training.is_done() { Completion::Finished } else { Completion::Cancelled })
    }

    /// Writes the checkpoint, and the model as it is now.
    fn save(&self) -> Result<()> {
        self.save_checkpoint()?;
        Ok(self.training.trained_model().save(&self.folder.model())?)
    }

    fn save_checkpoint(&self) -> Result<()> {
        Ok(self.folder.write_checkpoint(self.training.checkpoint(self.seconds))?)
    }
}
