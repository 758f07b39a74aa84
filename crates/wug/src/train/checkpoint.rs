//! Checkpoints: everything a run needs to go on to the same end, to the last bit.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use safetensors::Dtype;
use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::model_file::{Content, ModelFileError, Numbers, name, read_bounded, tensors_to_bytes};
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
        let other = |reason: String| io(std::io::Error::other(reason));
        let progress = serde_json::to_string(&self.progress).map_err(|error| other(error.to_string()))?;
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
        let bytes = tensors_to_bytes(model, &sets, metadata).map_err(other)?;
        let mut file = AtomicFile::create(path).map_err(io)?;
        file.write_all(&bytes).map_err(io)?;
        file.commit().map_err(io)
    }

    /// Reads a checkpoint of this model, configuration and words.
    pub(crate) fn load(
        path: &Path,
        model: &Model,
        config: &Config,
        digest: &str,
    ) -> Result<Self, ModelFileError> {
        let bytes = read_bounded(path)?;
        let label = name(path);
        let content = Content::open(&bytes, &label)?;
        if Config::from_toml(content.text("config")?).ok().as_ref() != Some(config) {
            return Err(content.bad("config", &"the run was begun with other settings"));
        }
        if content.text("lexicon_digest")? != digest {
            return Err(content.bad("lexicon_digest", &"the run was begun with other words"));
        }
        let progress: Progress = serde_json::from_str(content.text("progress")?)
            .map_err(|error| content.bad("progress", &error))?;
        if !(progress.rate_factor > 0.0 && progress.rate_factor <= 1.0) {
            return Err(content.bad("progress", &"the rate factor is not between 0 and 1"));
        }
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
