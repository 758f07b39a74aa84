//! A training run in a folder: configuration, metrics, checkpoints, the finished model.
//!
//! | file | content |
//! |---|---|
//! | `config.toml` | the complete configuration, every default written out |
//! | `metrics.jsonl` | one line for each report |
//! | `checkpoint.safetensors` | the state of the run, to be resumed |
//! | `model.safetensors` | the model so far, written with each checkpoint; final when the run is done |
//! | `.lock` | empty; locked while a process works on the run |
//!
//! Files are written whole or not at all. A resumed run ends with the same model, to the last bit.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::Serialize;
use thiserror::Error;

use super::folder::{CHECKPOINT, Folder};
use super::in_memory::{finished, prepare};
use super::trials::{Trial, Trials};
use super::{NotFinite, Progress, Snapshot, TrainError, Trainer};
use crate::evaluate::{Information, InformationSettings, information};
use crate::lexicon::Lexicon;
use crate::model::{Fitted, Parts};
use crate::model_file::{ModelFileError, TrainedModel};
use crate::{Config, DocumentError};

/// Reports of a whole run.
const REPORTS: u64 = 50;
/// States from which a report estimates information: some ten milliseconds of work.
const INFORMATION_STATES: usize = 128;
/// How often a run may fall back to an earlier state with a smaller step size.
const MAX_FALLBACKS: u32 = 3;

/// Why a run cannot begin or go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The folder holds a run already.
    #[error(
        "{0} holds a run or files of its names already: give --resume to go on with it, or another folder"
    )]
    Occupied(String),
    /// Another process works on the run.
    #[error("{0} is in use: another process trains there; wait for it, or give another folder")]
    Busy(String),
    /// The folder holds no run.
    #[error("{0} holds no run that could be resumed: it has no {CHECKPOINT}")]
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
    /// A checkpoint or model cannot be read or written.
    #[error(transparent)]
    File(#[from] ModelFileError),
    /// The run cannot be prepared.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// Numbers went out of bounds again and again.
    #[error(
        "{0}, although the step size was halved {MAX_FALLBACKS} times; begin a new run with a smaller train.rate"
    )]
    Diverged(NotFinite),
}

/// One line of `metrics.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metrics {
    /// The start, from 1 on.
    pub start: usize,
    /// Steps taken.
    pub step: u64,
    /// Words seen.
    pub words: u64,
    /// Mean bound since the last report, in nats per word.
    pub bound: f64,
    /// Mean norm of the gradient since the last report.
    pub gradient_norm: f64,
    /// `Ī` in bits, from few states; none for the baseline.
    pub information: Option<f64>,
    /// `H[w_t | h_t]` in bits, from few states; none for the baseline.
    pub symbol_entropy: Option<f64>,
    /// Seconds of training so far.
    pub seconds: f64,
}

/// What a run tells while it goes on.
pub enum Event<'a> {
    /// A step is done.
    Step {
        /// Words drawn so far, those of starts that were given up included.
        words: u64,
        /// The step's bound.
        bound: f64,
    },
    /// A start has been tried.
    Trial(Trial),
    /// It is time for a report.
    Report(&'a Metrics, &'a Trainer),
    /// Numbers went out of bounds; the run goes on from an earlier state with a smaller step size.
    Fallback(&'a NotFinite),
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All words have been seen.
    Done,
    /// It was asked to stop; the checkpoint is saved.
    Interrupted,
}

/// A training run in a folder.
pub struct Run {
    folder: Folder,
    config: Config,
    digest: String,
    alphabet: crate::lexicon::Alphabet,
    trainer: Trainer,
    trials: Trials,
}

impl Run {
    /// Begins a run in a new folder, or in an empty one, on the training part of the words.
    ///
    /// # Errors
    /// When the folder holds a run already or cannot be written, or when the run cannot be prepared.
    pub fn create(
        folder: &Path,
        config: &Config,
        lexicon: &Lexicon,
        threads: usize,
    ) -> Result<Self, RunError> {
        Folder::check_free(folder, config)?;
        let trainer = prepare(config, lexicon, threads)?;
        let run = Self::new(Folder::create(folder, config)?, config.clone(), lexicon, trainer);
        run.checkpoint()?;
        Ok(run)
    }

    /// The configuration of the run in a folder.
    ///
    /// # Errors
    /// When the folder holds no run, or its configuration is damaged.
    pub fn config_of(folder: &Path) -> Result<Config, RunError> {
        Folder::config(folder)
    }

    /// Goes on with the run in a folder, on the same words.
    ///
    /// # Errors
    /// When the folder holds no run or is in use, its files are damaged, or the words are others.
    pub fn resume(folder: &Path, lexicon: &Lexicon, threads: usize) -> Result<Self, RunError> {
        let config = Folder::config(folder)?;
        let trainer = prepare(&config, lexicon, threads)?;
        let mut run = Self::new(Folder::open(folder)?, config, lexicon, trainer);
        let path = run.folder.checkpoint();
        let snapshot = Snapshot::load(&path, run.trainer.model(), &run.config, &run.digest)?;
        run.restore(snapshot)?;
        run.keep_own_metrics()?;
        Ok(run)
    }

    fn new(folder: Folder, config: Config, lexicon: &Lexicon, trainer: Trainer) -> Self {
        let (digest, alphabet) = (lexicon.digest(), lexicon.alphabet().clone());
        Self { folder, config, digest, alphabet, trainer, trials: Trials::default() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The run's configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The training itself.
    pub fn trainer(&self) -> &Trainer {
        &self.trainer
    }

    #[cfg(test)]
    pub(super) fn trainer_mut(&mut self) -> &mut Trainer {
        &mut self.trainer
    }

    /// Trains until all words are seen or `stop` is set, telling `observe` what happens.
    ///
    /// # Errors
    /// When a file cannot be written, or training diverges again and again.
    pub fn train(
        &mut self,
        stop: &AtomicBool,
        mut observe: impl FnMut(Event<'_>),
    ) -> Result<Outcome, RunError> {
        let report_every = self.config.train.steps().div_ceil(REPORTS);
        let mut clock = Instant::now();
        let mut saved = Instant::now();
        let mut good = self.snapshot();
        while !self.trainer.is_done() {
            if stop.load(Ordering::Relaxed) {
                self.tick(&mut clock);
                self.save()?;
                return Ok(Outcome::Interrupted);
            }
            let bound = match self.trainer.step() {
                Ok(report) => report.bound,
                Err(problem) => {
                    if !self.fall_back(&good)? {
                        let Some(trial) = self.trials.give_up(&mut self.trainer)? else {
                            self.checkpoint()?;
                            return Err(RunError::Diverged(problem));
                        };
                        self.end_trial(trial, &mut observe)?;
                        good = self.snapshot();
                        continue;
                    }
                    observe(Event::Fallback(&problem));
                    continue;
                }
            };
            observe(Event::Step { words: self.trainer.words_drawn(), bound });
            if self.trainer.progress.step.is_multiple_of(report_every) || self.trainer.is_done() {
                self.tick(&mut clock);
                let metrics = self.report()?;
                observe(Event::Report(&metrics, &self.trainer));
                good = self.snapshot();
            }
            if let Some(trial) = self.trials.after_step(&mut self.trainer)? {
                self.tick(&mut clock);
                self.end_trial(trial, &mut observe)?;
                (good, saved) = (self.snapshot(), Instant::now());
            }
            if saved.elapsed().as_secs_f64() >= self.config.train.checkpoint_seconds {
                self.tick(&mut clock);
                self.save()?;
                saved = Instant::now();
            }
        }
        self.save()?;
        Ok(Outcome::Done)
    }

    /// Adds the time since the last tick to the run's.
    fn tick(&mut self, clock: &mut Instant) {
        self.trainer.progress.seconds += clock.elapsed().as_secs_f64();
        *clock = Instant::now();
    }

    /// Tells of a trial's end and saves what it came to. The checkpoint comes first: it tells a resumed run whose metrics to keep.
    fn end_trial(&mut self, trial: Trial, observe: &mut impl FnMut(Event<'_>)) -> Result<(), RunError> {
        observe(Event::Trial(trial));
        self.save()?;
        self.keep_own_metrics()
    }

    /// Returns to the last good state; with half the step size, unless that has been done too often.
    fn fall_back(&mut self, good: &Snapshot) -> Result<bool, RunError> {
        let progress = self.trainer.progress;
        self.restore(good.clone())?;
        if progress.fallbacks >= MAX_FALLBACKS {
            return Ok(false);
        }
        self.trainer.progress.fallbacks = progress.fallbacks + 1;
        self.trainer.progress.rate_factor = progress.rate_factor / 2.0;
        Ok(true)
    }

    /// Writes a line of metrics and begins a new period.
    fn report(&mut self) -> Result<Metrics, RunError> {
        let progress = self.trainer.progress;
        let count = progress.since_report.max(1) as f64;
        let information = self.information();
        let metrics = Metrics {
            start: progress.start + 1,
            step: progress.step,
            words: self.trainer.words_seen(),
            bound: progress.bound_sum / count,
            gradient_norm: progress.norm_sum / count,
            information: information.as_ref().map(|found| found.mean_information),
            symbol_entropy: information.as_ref().map(|found| found.mean_symbol_entropy),
            seconds: progress.seconds,
        };
        let progress = &mut self.trainer.progress;
        (progress.bound_sum, progress.norm_sum, progress.since_report) = (0.0, 0.0, 0);
        self.folder.add_metrics(&metrics)?;
        Ok(metrics)
    }

    /// What the noise decides, for the model as it is now: a function of the parameters, whatever the step.
    fn information(&self) -> Option<Information> {
        let model = self.trainer.model();
        let Parts::StateSpace(parts) = model.parts() else { return None };
        let settings = InformationSettings { states: INFORMATION_STATES, ..Default::default() };
        let parameters = self.trainer.parameters();
        information(Fitted::new(model, &parameters), &parts.generative, settings, 1).ok()
    }

    fn checkpoint(&self) -> Result<(), RunError> {
        let (path, model) = (self.folder.checkpoint(), self.trainer.model());
        Ok(self.snapshot().save(&path, model, &self.config, &self.digest)?)
    }

    /// The state of the training and of the trials.
    fn snapshot(&self) -> Snapshot {
        Snapshot { best: self.trials.best.clone(), ..self.trainer.snapshot() }
    }

    fn restore(&mut self, mut snapshot: Snapshot) -> Result<(), RunError> {
        self.trials.best = snapshot.best.take();
        Ok(self.trainer.restore(snapshot)?)
    }

    /// Drops metrics that the state at work does not know of: later ones, and after the choice those of the other starts.
    fn keep_own_metrics(&self) -> Result<(), RunError> {
        let Progress { start, step, chosen, .. } = self.trainer.progress;
        let own = (start as u64 + 1, step);
        self.folder.keep_metrics(|found| found <= own && (found.0 == own.0 || !chosen))
    }

    /// Writes the checkpoint, and the model as it is now.
    fn save(&self) -> Result<(), RunError> {
        self.checkpoint()?;
        Ok(self.model()?.save(&self.folder.model())?)
    }

    /// The model as it is now; while starts are tried, the best of those that have been.
    ///
    /// # Errors
    /// Never, unless the configuration has become invalid.
    pub fn model(&self) -> Result<TrainedModel, RunError> {
        let state = self.trials.best.as_deref().cloned().unwrap_or_else(|| self.trainer.snapshot());
        Ok(finished(&self.config, &state, &self.alphabet, &self.digest)?)
    }
}
