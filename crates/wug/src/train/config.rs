//! How a model is trained: data with all defaults in one place, checked once at the door.

use serde::{Deserialize, Serialize};

use crate::config::within_toml;
use crate::model::ConfigError;

/// The settings of a training run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Words that the model is to see.
    pub words: u64,
    /// Words in a step, a multiple of 8.
    pub batch: usize,
    /// Adam's step size at its height.
    pub rate: f64,
    /// Steps over which the step size rises to its height.
    pub warm_up: u64,
    /// What the step size falls to along a half cosine, as a share of its height.
    pub floor: f64,
    /// Largest Euclidean norm of the gradient; longer ones are shortened.
    pub clip: f64,
    /// Starts that are tried; the best goes on.
    #[serde(default = "one")]
    pub starts: usize,
    /// How much of the run each start is tried for, as a share of its words.
    pub trial: f64,
    /// Decay of the running average of the parameters that becomes the model; 0 keeps the last ones.
    pub average: f64,
    /// Seed of the first parameters, the words drawn and the noise.
    pub seed: u64,
    /// Seconds between checkpoints: what a crash can cost. 0 for one after each step.
    pub checkpoint_seconds: f64,
}

/// Results that do not say how many starts they had are from before there could be several.
fn one() -> usize {
    1
}

impl Default for TrainConfig {
    fn default() -> Self {
        Self {
            words: 24_000_000,
            batch: 128,
            rate: 3e-3,
            warm_up: 200,
            floor: 0.0,
            clip: 5.0,
            starts: 4,
            trial: 0.05,
            average: 0.999,
            seed: 1,
            checkpoint_seconds: 20.0,
        }
    }
}

/// The most words in a step.
const MAX_BATCH: usize = 1 << 16;

/// The most starts of a run.
const MAX_STARTS: usize = 1000;

/// The most words of a run: those of all starts can still be counted, and no run is anywhere near it.
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
        for (key, found) in [("train.warm_up", self.warm_up), ("train.seed", self.seed)] {
            within_toml(key, found)?;
        }
        if !(1..=MAX_WORDS).contains(&self.words) {
            return fail("words", self.words.to_string(), "expected 1 to 1000000000000000");
        }
        if self.batch == 0 || !self.batch.is_multiple_of(8) || self.batch > MAX_BATCH {
            return fail("batch", self.batch.to_string(), "expected a multiple of 8 up to 65536");
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            return fail("rate", self.rate.to_string(), "expected more than 0 and at most 1");
        }
        if !(0.0..=1.0).contains(&self.floor) {
            return fail("floor", self.floor.to_string(), "expected 0 to 1");
        }
        // The squares of larger gradients would leave single precision.
        if !(self.clip > 0.0 && self.clip <= 1e6) {
            return fail("clip", self.clip.to_string(), "expected more than 0 and at most 1000000");
        }
        if !(1..=MAX_STARTS).contains(&self.starts) {
            return fail("starts", self.starts.to_string(), "expected 1 to 1000");
        }
        if !(self.trial > 0.0 && self.trial <= 1.0) {
            return fail("trial", self.trial.to_string(), "expected more than 0 and at most 1");
        }
        if !(0.0..1.0).contains(&self.average) {
            return fail("average", self.average.to_string(), "expected 0 or more and less than 1");
        }
        if !(0.0..=86_400.0).contains(&self.checkpoint_seconds) {
            return fail("checkpoint_seconds", self.checkpoint_seconds.to_string(), "expected 0 to 86400");
        }
        Ok(())
    }

    /// Steps of the whole run.
    pub fn steps(&self) -> u64 {
        self.words.div_ceil(self.batch as u64)
    }
}
