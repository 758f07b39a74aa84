//! Checkpoints: everything that training needs to continue to the same end, to the last bit.
//!
//! A checkpoint holds the state of training, and the state that it would fall back to.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use tilegrad::optim::{Adam, AdamSettings, Average};

use super::held_out::Best;
use super::state::State;
use super::{MAX_FALLBACKS, TrainConfig, Training};
use crate::Config;
use crate::lexicon::Lexicon;
use crate::model::Model;
use crate::model_file::{Content, EncodeError, FORMAT_VERSION, ModelFileError, Numbers, tensors_to_bytes};

/// Prefixes of the tensors' names.
const FIRST_MOMENT: &str = "adam.first.";
const SECOND_MOMENT: &str = "adam.second.";
const EMA: &str = "ema.";
/// Comes before these for the state that training would fall back to.
const FALLBACK: &str = "fallback.";
/// Comes before the names of the parameters that were best on the held-out words.
const BEST: &str = "best.";
/// The entry of the header.
const COUNTERS: &str = "counters";

/// What is not a tensor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counters {
    /// Steps taken.
    step: u64,
    /// Steps at the last report, where a fallback would go.
    report_step: u64,
    /// How often training has fallen back.
    fallbacks: u32,
    /// Sum of the bounds since the last report.
    bound_sum: f64,
    /// Sum of the gradients' norms since the last report.
    norm_sum: f64,
    /// The cross entropy of the held-out words at the best report.
    best_held_out: Option<f64>,
    /// Reports since then.
    stale: u64,
    /// Seconds of training so far.
    seconds: f64,
}

impl Counters {
    /// Refuses counters that no such run can have.
    fn check(&self, config: &TrainConfig) -> Result<(), &'static str> {
        if self.step > config.steps() {
            return Err("there are more steps than the run has");
        }
        if self.report_step > self.step {
            return Err("the last report is after the last step");
        }
        if self.fallbacks > MAX_FALLBACKS {
            return Err("there are more fallbacks than a run can have");
        }
        let sums = [self.bound_sum, self.norm_sum, self.seconds, self.best_held_out.unwrap_or(0.0)];
        if sums.iter().any(|sum| !sum.is_finite()) || self.seconds < 0.0 {
            return Err("a sum is not a finite number, or the time is negative");
        }
        Ok(())
    }
}

impl Training {
    /// The content of a checkpoint. `seconds` is how long training has taken so far, for callers that keep time.
    ///
    /// # Errors
    /// When the header is too long to be written.
    pub fn checkpoint(&self, seconds: f64) -> Result<Vec<u8>, EncodeError> {
        let counters = Counters {
            step: self.state.step(),
            report_step: self.good.step(),
            fallbacks: self.fallbacks,
            bound_sum: self.sums.0,
            norm_sum: self.sums.1,
            best_held_out: self.best_held_out(),
            stale: self.best.as_ref().map_or(0, |best| best.stale),
            seconds,
        };
        let metadata = HashMap::from([
            ("format".to_owned(), "wug".to_owned()),
            ("format_version".to_owned(), FORMAT_VERSION.to_string()),
            ("config".to_owned(), self.config.to_toml()),
            (COUNTERS.to_owned(), serde_json::to_string(&counters).map_err(EncodeError::json)?),
            ("lexicon_digest".to_owned(), self.digest.clone()),
        ]);
        let sets = [("", &self.state), (FALLBACK, &self.good)].map(|(prefix, state)| state.sets(prefix));
        let best = self.best.iter().map(|best| (BEST.to_owned(), Numbers::Single(&best.parameters)));
        let sets: Vec<_> = sets.into_iter().flatten().chain(best).collect();
        let sets: Vec<_> = sets.iter().map(|(prefix, set)| (prefix.as_str(), *set)).collect();
        tensors_to_bytes(&self.model, &sets, Some(&self.list), metadata)
    }

    /// Continues from the content of a checkpoint of the same words and settings; only `train.words` may be another.
    /// `path` is for messages. Returns the seconds that training had taken.
    ///
    /// # Errors
    /// When the content is not a whole and valid checkpoint of this run. Then nothing has changed.
    pub fn resume(&mut self, bytes: &[u8], path: &str) -> Result<f64, ModelFileError> {
        let content = Content::open(bytes, path)?;
        let mut stored =
            Config::from_toml(content.text("config")?).map_err(|error| content.bad("config", &error))?;
        stored.train.words = self.config.train.words;
        if stored != self.config {
            return Err(content.bad("config", &"the run was begun with other settings"));
        }
        if content.text("lexicon_digest")? != self.digest {
            return Err(content.bad("lexicon_digest", &"the run was begun with other words"));
        }
        let counters: Counters =
            serde_json::from_str(content.text(COUNTERS)?).map_err(|error| content.bad(COUNTERS, &error))?;
        counters.check(&self.config.train).map_err(|problem| content.bad(COUNTERS, &problem))?;
        let Counters { step, report_step, fallbacks, bound_sum, norm_sum, best_held_out, stale, seconds } =
            counters;
        let decay = self.config.train.ema_decay;
        let state = State::read(&content, &self.model, ("", step), decay)?;
        let good = State::read(&content, &self.model, (FALLBACK, report_step), decay)?;
        let best = match best_held_out {
            Some(held_out) => Some(Best { parameters: content.single(&self.model, BEST)?, held_out, stale }),
            None => None,
        };
        let sets = state.sets("").len() + good.sets("").len() + usize::from(best.is_some());
        content.check_count(sets * self.model.params().iter().len() + self.list.tensors().count())?;
        self.best = best;
        (self.state, self.good, self.fallbacks, self.sums) = (state, good, fallbacks, (bound_sum, norm_sum));
        Ok(seconds)
    }
}

/// The words of the run that a checkpoint belongs to. `path` is for messages.
///
/// # Errors
/// When the content is no checkpoint, or its words are damaged.
pub(super) fn lexicon_of(bytes: &[u8], path: &str) -> Result<Lexicon, ModelFileError> {
    let content = Content::open(bytes, path)?;
    let list = content.list()?.ok_or_else(|| content.bad("tensors", &"the list of words is missing"))?;
    list.lexicon().map_err(|error| content.bad("tensors", &error))
}

impl State {
    /// Its tensors, with a prefix before each set's own.
    fn sets(&self, prefix: &str) -> Vec<(String, Numbers<'_>)> {
        let mut sets = vec![
            ("", Numbers::Single(&self.parameters)),
            (FIRST_MOMENT, Numbers::Single(self.adam.first_moment())),
            (SECOND_MOMENT, Numbers::Single(self.adam.second_moment())),
        ];
        sets.extend(self.ema.as_ref().map(|ema| (EMA, Numbers::Double(ema.values()))));
        sets.into_iter().map(|(set, numbers)| (format!("{prefix}{set}"), numbers)).collect()
    }

    /// Reads what has this prefix, a state after some steps.
    fn read(
        content: &Content<'_>,
        model: &Model,
        (prefix, step): (&str, u64),
        ema_decay: f64,
    ) -> Result<Self, ModelFileError> {
        let single = |set: &str| content.single(model, &format!("{prefix}{set}"));
        let bad = |error| content.bad("tensors", &error);
        let (first, second) = (single(FIRST_MOMENT)?, single(SECOND_MOMENT)?);
        let ema = if ema_decay > 0.0 {
            let set = format!("{prefix}{EMA}");
            let values = content.double(model, &set)?;
            Some(Average::restore(ema_decay, values, step).map_err(bad)?)
        } else {
            None
        };
        let adam = Adam::restore(AdamSettings::default(), first, second, step).map_err(bad)?;
        Ok(Self { parameters: single("")?, adam, ema })
    }
}
