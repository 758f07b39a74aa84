//! Checkpoints: everything a run needs to go on to the same end, to the last bit.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use safetensors::Dtype;
use serde::{Deserialize, Serialize};

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
        }
    }
}

impl Progress {
    /// Refuses counters that no run of so many steps can have.
    fn check(&self, steps: u64) -> Result<(), &'static str> {
        let Self { step, updates, rate_factor, bound_sum, norm_sum, since_report, seconds, .. } = *self;
        if step > steps {
            return Err("there are more steps than the run has");
        }
        if updates > step || since_report > step {
            return Err("there are more updates, or steps since the last report, than steps");
        }
        if !(rate_factor > 0.0 && rate_factor <= 1.0) {
            return Err("the rate factor is not between 0 and 1");
        }
        if !(bound_sum.is_finite() && norm_sum.is_finite() && seconds.is_finite() && seconds >= 0.0) {
            return Err("a sum is not a finite number, or the time is negative");
        }
        Ok(())
    }
}

/// Prefixes of the tensors' names.
const FIRST: &str = "adam.first.";
const SECOND: &str = "adam.second.";
const AVERAGE: &str = "average.";

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
        let progress = serde_json::to_string(&self.progress).map_err(EncodeError::json)?;
        let metadata = HashMap::from([
            ("format".to_owned(), "wug".to_owned()),
            ("format_version".to_owned(), "1".to_owned()),
            ("config".to_owned(), config.to_toml()),
            ("progress".to_owned(), progress),
            ("lexicon_digest".to_owned(), digest.to_owned()),
        ]);
        let mut sets = vec![
            ("", Numbers::Single(&self.parameters)),
            (FIRST, Numbers::Single(&self.first_moment)),
            (SECOND, Numbers::Single(&self.second_moment)),
        ];
        sets.extend(self.average.as_ref().map(|average| (AVERAGE, Numbers::Double(average))));
        tensors_to_bytes(model, &sets, metadata)
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
        if Config::from_toml(content.text("config")?).ok().as_ref() != Some(config) {
            return Err(content.bad("config", &"the run was begun with other settings"));
        }
        if content.text("lexicon_digest")? != digest {
            return Err(content.bad("lexicon_digest", &"the run was begun with other words"));
        }
        let progress: Progress = serde_json::from_str(content.text("progress")?)
            .map_err(|error| content.bad("progress", &error))?;
        progress.check(config.train.steps()).map_err(|problem| content.bad("progress", &problem))?;
        let average = if config.train.average > 0.0 {
            Some(content.numbers(model, AVERAGE, Dtype::F64, f64::from_le_bytes, f64::is_finite)?)
        } else {
            None
        };
        let snapshot = Self {
            parameters: content.single(model, "")?,
            first_moment: content.single(model, FIRST)?,
            second_moment: content.single(model, SECOND)?,
            average,
            progress,
        };
        let sets = 3 + usize::from(snapshot.average.is_some());
        content.check_count(sets * model.params().iter().len())?;
        Ok(snapshot)
    }
}
