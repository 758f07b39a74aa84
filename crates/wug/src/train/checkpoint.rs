//! Checkpoints: everything a run needs to go on to the same end, to the last bit.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use safetensors::Dtype;
use serde::{Deserialize, Serialize};

use super::TrainConfig;
use crate::model::Model;
use crate::model_file::{
    Content, EncodeError, ModelFileError, Numbers, name, read_model_file, tensors_to_bytes,
};
use crate::{AtomicFile, Config};

/// The state of a run between two steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The parameters.
    pub parameters: Vec<f32>,
    /// Adam's first moments.
    pub first_moment: Vec<f32>,
    /// Adam's second moments.
    pub second_moment: Vec<f32>,
    /// The running average, if one is kept.
    pub average: Option<Vec<f64>>,
    /// Counters.
    pub progress: Progress,
    /// While starts are tried, the best of those before.
    pub best: Option<Box<Snapshot>>,
}

/// The counters of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Steps taken.
    pub step: u64,
    /// Updates of Adam, which may be fewer after a fallback.
    pub updates: u64,
    /// What the step size is multiplied with after numbers went out of bounds.
    pub rate_factor: f64,
    /// How often that happened.
    pub fallbacks: u32,
    /// Sum of the bounds since the last report.
    pub bound_sum: f64,
    /// Sum of the gradients' norms since the last report.
    pub norm_sum: f64,
    /// Steps since the last report.
    pub since_report: u64,
    /// Seconds of training so far.
    pub seconds: f64,
    /// The start at work, from 0 on.
    #[serde(default)]
    pub start: usize,
    /// Whether it has been chosen from several.
    #[serde(default)]
    pub chosen: bool,
    /// Sum of the bounds by which it is judged.
    #[serde(default)]
    pub trial_sum: f64,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            step: 0,
            updates: 0,
            rate_factor: 1.0,
            fallbacks: 0,
            bound_sum: 0.0,
            norm_sum: 0.0,
            since_report: 0,
            seconds: 0.0,
            start: 0,
            chosen: false,
            trial_sum: 0.0,
        }
    }
}

impl Progress {
    /// Refuses counters that no such run can have.
    fn check(&self, config: &TrainConfig) -> Result<(), &'static str> {
        let Self { step, updates, rate_factor, since_report, seconds, start, .. } = *self;
        if start >= config.starts {
            return Err("there are more starts than the run has");
        }
        if step > config.steps() {
            return Err("there are more steps than the run has");
        }
        // A trainer that is used by itself goes on with its only start without a choice.
        let tried = step >= config.trial_steps();
        if if self.chosen { !tried } else { tried && start > 0 } {
            return Err("the step is not one of a trial, or not one after it");
        }
        if updates > step || since_report > step {
            return Err("there are more updates, or steps since the last report, than steps");
        }
        if !(rate_factor > 0.0 && rate_factor <= 1.0) {
            return Err("the rate factor is not between 0 and 1");
        }
        let sums = [self.bound_sum, self.norm_sum, self.trial_sum, seconds];
        if sums.iter().any(|sum| !sum.is_finite()) || seconds < 0.0 {
            return Err("a sum is not a finite number, or the time is negative");
        }
        Ok(())
    }
}

/// Prefixes of the tensors' names.
const FIRST: &str = "adam.first.";
const SECOND: &str = "adam.second.";
const AVERAGE: &str = "average.";
/// Comes before these for the best start so far.
const BEST: &str = "best.";
/// Entries of the header.
const PROGRESS: &str = "progress";
const BEST_PROGRESS: &str = "best_progress";

impl Snapshot {
    /// Writes the checkpoint, whole or not at all. `digest` is that of the words trained on.
    pub(crate) fn save(
        &self,
        path: &Path,
        model: &Model,
        config: &Config,
        digest: &str,
    ) -> Result<(), ModelFileError> {
        let io = |source| ModelFileError::Io { action: "cannot write", path: name(path), source };
        let bytes = self.to_bytes(model, config, digest).map_err(|error| io(std::io::Error::other(error)))?;
        let mut file = AtomicFile::create(path).map_err(io)?;
        file.write_all(&bytes).map_err(io)?;
        file.commit().map_err(io)
    }

    /// The content of a checkpoint of a model that is trained with this configuration. `digest` is that of the words
    /// trained on.
    ///
    /// # Errors
    /// When the header is too long to be written.
    pub fn to_bytes(&self, model: &Model, config: &Config, digest: &str) -> Result<Vec<u8>, EncodeError> {
        let counters = |snapshot: &Self| serde_json::to_string(&snapshot.progress).map_err(EncodeError::json);
        let mut metadata = HashMap::from([
            ("format".to_owned(), "wug".to_owned()),
            ("format_version".to_owned(), "1".to_owned()),
            ("config".to_owned(), config.to_toml()),
            (PROGRESS.to_owned(), counters(self)?),
            ("lexicon_digest".to_owned(), digest.to_owned()),
        ]);
        let mut sets = self.sets("");
        if let Some(best) = &self.best {
            metadata.insert(BEST_PROGRESS.to_owned(), counters(best)?);
            sets.extend(best.sets(BEST));
        }
        let sets: Vec<_> = sets.iter().map(|(prefix, numbers)| (prefix.as_str(), *numbers)).collect();
        tensors_to_bytes(model, &sets, metadata)
    }

    /// The parameters that make the model: the running average, or the last ones.
    pub fn model_parameters(&self) -> Vec<f32> {
        match &self.average {
            Some(average) if self.progress.updates > 0 => {
                average.iter().map(|&number| number as f32).collect()
            }
            _ => self.parameters.clone(),
        }
    }

    /// Its tensors, with a prefix before each set's own.
    fn sets(&self, prefix: &str) -> Vec<(String, Numbers<'_>)> {
        let mut sets = vec![
            ("", Numbers::Single(&self.parameters)),
            (FIRST, Numbers::Single(&self.first_moment)),
            (SECOND, Numbers::Single(&self.second_moment)),
        ];
        sets.extend(self.average.as_ref().map(|average| (AVERAGE, Numbers::Double(average))));
        sets.into_iter().map(|(set, numbers)| (format!("{prefix}{set}"), numbers)).collect()
    }

    /// Reads a checkpoint of this model, configuration and words.
    pub(crate) fn load(
        path: &Path,
        model: &Model,
        config: &Config,
        digest: &str,
    ) -> Result<Self, ModelFileError> {
        Self::from_bytes(&read_model_file(path)?, &name(path), model, config, digest)
    }

    /// Reads a checkpoint of this model, configuration and words from the content of a file; `path` is for messages.
    ///
    /// # Errors
    /// When the content is not a whole and valid checkpoint of theirs.
    pub fn from_bytes(
        bytes: &[u8],
        path: &str,
        model: &Model,
        config: &Config,
        digest: &str,
    ) -> Result<Self, ModelFileError> {
        let content = Content::open(bytes, path)?;
        if Config::from_stored(content.text("config")?).ok().as_ref() != Some(config) {
            return Err(content.bad("config", &"the run was begun with other settings"));
        }
        if content.text("lexicon_digest")? != digest {
            return Err(content.bad("lexicon_digest", &"the run was begun with other words"));
        }
        let mut snapshot = Self::part(&content, model, &config.train, ("", PROGRESS))?;
        let mut sets = snapshot.sets("").len();
        let Progress { start, chosen, .. } = snapshot.progress;
        // There is none if all starts before have failed.
        if start > 0 && !chosen && content.has(BEST_PROGRESS) {
            let best = Self::part(&content, model, &config.train, (BEST, BEST_PROGRESS))?;
            if best.progress.start >= start || best.progress.step != config.train.trial_steps() {
                return Err(content.bad(BEST_PROGRESS, &"it is not from the end of an earlier trial"));
            }
            sets += best.sets(BEST).len();
            snapshot.best = Some(Box::new(best));
        }
        content.check_count(sets * model.params().iter().len())?;
        Ok(snapshot)
    }

    /// The state at work, or the best start so far: what has this prefix and these counters.
    fn part(
        content: &Content<'_>,
        model: &Model,
        config: &TrainConfig,
        (prefix, counters): (&str, &'static str),
    ) -> Result<Self, ModelFileError> {
        let progress: Progress =
            serde_json::from_str(content.text(counters)?).map_err(|error| content.bad(counters, &error))?;
        progress.check(config).map_err(|problem| content.bad(counters, &problem))?;
        let single = |set: &str| content.single(model, &format!("{prefix}{set}"));
        let average = if config.average > 0.0 {
            let set = format!("{prefix}{AVERAGE}");
            Some(content.numbers(model, &set, Dtype::F64, f64::from_le_bytes, f64::is_finite)?)
        } else {
            None
        };
        let second_moment = single(SECOND)?;
        if second_moment.iter().any(|moment| *moment < 0.0) {
            return Err(content.bad("tensors", &"a second moment is negative"));
        }
        Ok(Self {
            parameters: single("")?,
            first_moment: single(FIRST)?,
            second_moment,
            average,
            progress,
            best: None,
        })
    }
}
