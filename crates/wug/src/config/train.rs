//! How a model is trained: data with all defaults in one place, checked once at the door.

use serde::{Deserialize, Serialize};
use tilegrad::optim::{Decay, OptimError, Schedule};

use super::within_toml;
use crate::model::ConfigError;

/// The settings of a training run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Words to train on.
    pub words: u64,
    /// Words in a step, a multiple of 8.
    pub batch: usize,
    /// Peak learning rate of Adam.
    pub learning_rate: f64,
    /// Steps over which the learning rate rises linearly to its peak.
    pub warmup_steps: u64,
    /// Learning rate at the end of the run, after a cosine decay from the peak.
    pub final_learning_rate: f64,
    /// Largest norm of the gradient; a larger gradient is scaled down to it.
    pub clip_norm: f64,
    /// Decay of the exponential moving average (EMA) of the parameters, which becomes the model; 0 takes the last parameters instead.
    pub ema_decay: f64,
    /// Share of the hidden units that a word does without, drawn anew for each word and symbol: against learning a short list by heart.
    pub dropout: f64,
    /// How fast weights shrink towards 0, for each unit of the learning rate (decoupled weight decay); vectors do not.
    pub weight_decay: f64,
    /// Training stops after so many reports, of fifty, without a gain on the held-out words; 0 for never. The model is the one that was best on them.
    pub patience: u64,
    /// Seed of the initial parameters, the words drawn and the noise.
    pub seed: u64,
    /// Seconds between checkpoints: what a crash can cost. 0 for one after each step.
    pub checkpoint_seconds: f64,
}

impl Default for TrainConfig {
    fn default() -> Self {
        Self {
            words: 8_000_000,
            batch: 256,
            learning_rate: 3e-3,
            warmup_steps: 200,
            final_learning_rate: 0.0,
            clip_norm: 5.0,
            ema_decay: 0.999,
            dropout: 0.0,
            weight_decay: 0.0,
            patience: 15,
            seed: 1,
            checkpoint_seconds: 20.0,
        }
    }
}

/// The most words in a step.
const MAX_BATCH: usize = 1 << 16;

/// The most words of a run.
const MAX_WORDS: u64 = 1_000_000_000_000_000;

impl TrainConfig {
    /// Checks all values.
    ///
    /// # Errors
    /// The first setting that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        let fail = |key: &str, found: String, expected: &str| {
            Err(ConfigError { key: format!("train.{key}"), found, expected: expected.into() })
        };
        for (key, found) in [
            ("train.warmup_steps", self.warmup_steps),
            ("train.patience", self.patience),
            ("train.seed", self.seed),
        ] {
            within_toml(key, found)?;
        }
        if !(1..=MAX_WORDS).contains(&self.words) {
            return fail("words", self.words.to_string(), "expected 1 to 1000000000000000");
        }
        if self.batch == 0 || !self.batch.is_multiple_of(8) || self.batch > MAX_BATCH {
            return fail("batch", self.batch.to_string(), "expected a multiple of 8 up to 65536");
        }
        if !(self.learning_rate > 0.0 && self.learning_rate <= 1.0) {
            return fail(
                "learning_rate",
                self.learning_rate.to_string(),
                "expected more than 0 and at most 1",
            );
        }
        if !(0.0..=self.learning_rate).contains(&self.final_learning_rate) {
            let found = self.final_learning_rate.to_string();
            return fail("final_learning_rate", found, "expected 0 to train.learning_rate");
        }
        // The squares of larger gradients would leave single precision.
        if !(self.clip_norm > 0.0 && self.clip_norm <= 1e6) {
            return fail("clip_norm", self.clip_norm.to_string(), "expected more than 0 and at most 1000000");
        }
        if !(0.0..1.0).contains(&self.ema_decay) {
            return fail("ema_decay", self.ema_decay.to_string(), "expected 0 or more and less than 1");
        }
        if !(0.0..=0.9).contains(&self.dropout) {
            return fail("dropout", self.dropout.to_string(), "expected 0 to 0.9");
        }
        if !(0.0..=10.0).contains(&self.weight_decay) {
            return fail("weight_decay", self.weight_decay.to_string(), "expected 0 to 10");
        }
        if !(0.0..=86_400.0).contains(&self.checkpoint_seconds) {
            return fail("checkpoint_seconds", self.checkpoint_seconds.to_string(), "expected 0 to 86400");
        }
        Ok(())
    }

    /// The learning rate as a share of its peak, by the step.
    pub(crate) fn schedule(&self) -> Result<Schedule, OptimError> {
        let floor = self.final_learning_rate / self.learning_rate;
        Schedule::new(self.warmup_steps, Decay::Cosine { floor })
    }

    /// Steps of the whole run.
    pub fn steps(&self) -> u64 {
        self.words.div_ceil(self.batch as u64)
    }
}
