//! What is to be trained, as a person asks for it, and the plan that comes of it: what is not set follows from the list.
//!
//! A front end fills a [`TrainRequest`], shows the [`Plan`], and runs it.
//!
//! ```
//! use wug::train::TrainRequest;
//!
//! let names = ["ada", "alan", "barbara", "edsger", "grace", "john", "kurt", "noam"];
//! let list = wug::lexicon::WordCounts::from_counts(names.map(|name| (name, 1)))?;
//! let settings = vec!["state=4".to_owned()];
//! let request = TrainRequest { lexicon: Some("names".into()), words: Some(1280), settings, ..TrainRequest::default() };
//! let plan = request.plan_for(list, None)?;
//! assert_eq!(plan.config.train.words, 1280);
//! let (mut training, _) = plan.training(1)?;
//! training.run(|_, _| std::ops::ControlFlow::Continue(()))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Run, Start, Training, Transfer, start_for};
use crate::lexicon::{FilterChanges, Lexicon, LexiconError, Summary, Weighting, WordCounts};
use crate::model::ConfigError;
use crate::{Config, DataConfig, DocumentError, Result, TrainedModel, UnknownName};

/// What is to be trained. Nothing has to be set.
///
/// Later fields win over earlier ones. Without a preset, all words have the same weight, and the size of the model and the length of
/// training follow from the list: a preset sets everything.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainRequest {
    /// A named configuration to begin with.
    pub preset: Option<String>,
    /// A document of settings.
    pub document: Option<String>,
    /// The list: a path, the code of a language, or the name of words that are given. It is not filtered unless that is asked for; the
    /// list of a language has a filter of its own. None is the list of the document or the preset.
    pub lexicon: Option<String>,
    /// The column of words in the list's table, by name or number.
    pub word_column: Option<String>,
    /// The column of counts.
    pub count_column: Option<String>,
    /// Changes to the filter.
    pub filter: FilterChanges,
    /// Whether words are turned into lower case.
    pub lower_case: bool,
    /// Whether the capitals of a list in title case are learnt; if not, they come back in the words that are made.
    pub keep_case: bool,
    /// The language whose rules that follows.
    pub language: Option<String>,
    /// The weighting of the words.
    pub weighting: Option<Weighting>,
    /// Words to train on.
    pub words: Option<u64>,
    /// Seed of the training.
    pub seed: Option<u64>,
    /// Whether the model file does without the list.
    pub without_list: bool,
    /// Single settings, `key=value`.
    pub settings: Vec<String>,
}

/// Which part of a request is wrong.
#[derive(Debug, Error)]
pub enum PlanError {
    /// There is no such preset.
    #[error(transparent)]
    Preset(#[from] UnknownName),
    /// The document is no configuration.
    #[error(transparent)]
    Document(DocumentError),
    /// A value is out of its range.
    #[error(transparent)]
    Value(#[from] ConfigError),
    /// A single setting is wrong.
    #[error(transparent)]
    Settings(DocumentError),
    /// The list cannot be read, or no word is left.
    #[error(transparent)]
    List(#[from] LexiconError),
    /// The settings do not go with the model to start from.
    #[error("{0}; leave out settings of the model")]
    Source(ConfigError),
}

/// All that is settled before training begins.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The complete configuration.
    pub config: Config,
    /// The words.
    pub lexicon: Lexicon,
    /// What the filter has kept.
    pub summary: Summary,
    source: Option<&'a TrainedModel>,
    /// Whether the settings follow from the list.
    follows_list: bool,
}

impl TrainRequest {
    /// Which words are asked for.
    ///
    /// # Errors
    /// When a part of the request is wrong.
    pub fn data(&self) -> Result<DataConfig, PlanError> {
        let mut base = self.preset()?.unwrap_or_default();
        if self.preset.is_none() {
            // For making new words every word counts the same, however often it occurs.
            base.data.set_weighting(Weighting::Types);
        }
        Ok(self.settle(base)?.data)
    }

    /// Reads the list and settles everything; `source` is a model to start from.
    ///
    /// # Errors
    /// When a part of the request is wrong, or the list cannot be read.
    pub fn plan<'a>(&self, source: Option<&'a TrainedModel>) -> Result<Plan<'a>, PlanError> {
        let list = self.data()?.read_unfiltered()?;
        self.plan_for(list, source)
    }

    /// The same for a list that has been read.
    ///
    /// # Errors
    /// When a part of the request is wrong, or no word is left.
    pub fn plan_for<'a>(
        &self,
        list: WordCounts,
        source: Option<&'a TrainedModel>,
    ) -> Result<Plan<'a>, PlanError> {
        let mut data = self.data()?;
        let mut list = list;
        if self.preset.is_none() && !data.lower_case && !self.keep_case {
            (list, data.title_case) = list.without_title_case(data.lower_casing());
            data.lower_case = data.title_case;
        }
        let (lexicon, summary) = list.into_lexicon(&data.filter())?;
        let preset = self.preset()?;
        let follows_list = preset.is_none();
        let base = preset.unwrap_or_else(|| Config::planned(&data, &lexicon, source));
        let config = Config { data, ..self.settle(base)? };
        Ok(Plan { config, lexicon, summary, source, follows_list })
    }

    fn preset(&self) -> Result<Option<Config>, PlanError> {
        Ok(self.preset.as_deref().map(Config::preset).transpose()?)
    }

    /// A configuration with everything that is asked for.
    fn settle(&self, mut config: Config) -> Result<Config, PlanError> {
        if let Some(list) = &self.lexicon {
            config.data.set_list(list);
        }
        if let Some(document) = &self.document {
            config = config.with_toml(document).map_err(PlanError::Document)?;
        }
        let data = &mut config.data;
        if let Some(list) = &self.lexicon {
            data.lexicon.clone_from(list);
        }
        if data.lexicon.is_empty() {
            DataConfig::BUNDLED.clone_into(&mut data.lexicon);
        }
        data.set_filter(&self.filter.of(data.filter()));
        data.lower_case |= self.lower_case;
        if let Some(column) = &self.word_column {
            data.word_column.clone_from(column);
        }
        if let Some(column) = &self.count_column {
            data.count_column.clone_from(column);
        }
        if let Some(language) = &self.language {
            data.language.clone_from(language);
        }
        if let Some(weighting) = self.weighting {
            data.set_weighting(weighting);
        }
        data.store_list &= !self.without_list;
        config.train.words = self.words.unwrap_or(config.train.words);
        config.train.seed = self.seed.unwrap_or(config.train.seed);
        config.check()?;
        config.with_overrides(&self.settings).map_err(PlanError::Settings)
    }
}

impl Plan<'_> {
    /// Prepares the training in memory, and tells what it takes over from the model to start from.
    ///
    /// # Errors
    /// When there is nothing to train on, or the model to start from has another structure.
    pub fn training(&self, threads: usize) -> Result<(Training, Option<Transfer>)> {
        let mut training = Training::new(&self.config, &self.lexicon, threads)?;
        let transfer = self.source.map(|source| training.start_from(source)).transpose();
        Ok((training, transfer.map_err(PlanError::Source)?))
    }

    /// The same in a folder, which is new or empty.
    ///
    /// # Errors
    /// When the folder cannot be used, as well.
    pub fn run(&self, folder: &Path, threads: usize) -> Result<(Run, Option<Transfer>)> {
        let mut transfer = None;
        let run = Run::begin(folder, &self.config, || {
            let (training, found) = self.training(threads)?;
            transfer = found;
            Ok(training)
        })?;
        Ok((run, transfer))
    }

    /// A model to start from, if the list is short and nothing else is said.
    pub fn suggested_start(&self) -> Option<Start> {
        let is_open = self.follows_list && self.source.is_none();
        is_open.then(|| start_for(&self.lexicon)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::SplitKind;

    fn list() -> WordCounts {
        WordCounts::from_counts([("ada", 20), ("Alan", 1), ("x2", 30), ("barbara", 12)]).unwrap()
    }

    fn plan(request: &TrainRequest) -> Result<Plan<'static>, PlanError> {
        request.plan_for(list(), None)
    }

    #[test]
    fn what_is_not_set_follows_from_the_list() {
        let plan = plan(&TrainRequest { lexicon: Some("names".into()), ..TrainRequest::default() }).unwrap();
        let data = &plan.config.data;
        assert_eq!((plan.lexicon.types(), data.lexicon.as_str()), (4, "names"));
        assert_eq!((data.weighting, data.split), (Weighting::Types, SplitKind::Types));
        assert_eq!(plan.config, Config::planned(data, &plan.lexicon, None));
    }

    #[test]
    fn later_parts_win() {
        let request = TrainRequest {
            document: Some(
                "[data]\nlexicon = \"other\"\nmin_count = 10\n[train]\nwords = 5\nseed = 5".into(),
            ),
            lexicon: Some("names".into()),
            filter: FilterChanges { letters_only: true, max_length: Some(6), ..FilterChanges::default() },
            weighting: Some(Weighting::Tokens),
            words: Some(7000),
            without_list: true,
            settings: vec!["seed=9".into(), "batch=8".into()],
            ..TrainRequest::default()
        };
        let Plan { config, lexicon, .. } = plan(&request).unwrap();
        assert_eq!((lexicon.types(), config.data.lexicon.as_str()), (1, "names"));
        assert_eq!((config.train.words, config.train.seed, config.train.batch), (7000, 9, 8));
        assert_eq!((config.data.split, config.data.store_list), (SplitKind::Tokens, false));
    }

    #[test]
    fn a_preset_sets_everything() {
        let request = TrainRequest { preset: Some("tril".into()), ..TrainRequest::default() };
        let planned = plan(&request).unwrap();
        assert_eq!(planned.config, Config::preset("tril").unwrap());
        assert_eq!(planned.lexicon.types(), 2, "the preset's filter");
        assert!(planned.suggested_start().is_none());
    }

    #[test]
    fn requests_are_data() {
        let text = r#"{"lexicon": "names", "filter": {"min_count": 2}, "weighting": "types", "settings": ["state=4"]}"#;
        let request: TrainRequest = serde_json::from_str(text).unwrap();
        assert_eq!(request.filter.min_count, Some(2));
        let again: TrainRequest = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
        assert_eq!(again, request);
        assert!(serde_json::from_str::<TrainRequest>(r#"{"word": 3}"#).is_err());
    }

    #[test]
    fn errors_say_which_part_is_wrong() {
        let ask = |change: fn(&mut TrainRequest)| {
            let mut request = TrainRequest::default();
            change(&mut request);
            plan(&request).unwrap_err()
        };
        assert!(matches!(ask(|request| request.preset = Some("best".into())), PlanError::Preset(_)));
        assert!(matches!(ask(|request| request.document = Some("[".into())), PlanError::Document(_)));
        assert!(matches!(ask(|request| request.words = Some(0)), PlanError::Value(_)));
        assert!(matches!(ask(|request| request.settings = vec!["x=1".into()]), PlanError::Settings(_)));
        assert!(matches!(ask(|request| request.filter.min_count = Some(99)), PlanError::List(_)));
    }

    #[test]
    fn the_model_to_start_from_has_the_say_about_the_structure() {
        let base = ["lexicon=names", "words=640", "state=4", "generative.hidden=[8]", "choice_hidden=[8]"];
        let config = Config::default().with_overrides(&base).unwrap();
        let lexicon = Lexicon::from_counts([("ada", 1), ("abba", 1)]).unwrap();
        let source =
            crate::train::train(&config, &lexicon, 1, |_, _| std::ops::ControlFlow::Continue(())).unwrap();
        let request = TrainRequest { lexicon: Some("names".into()), ..TrainRequest::default() };
        let plan = request.plan_for(list(), Some(&source)).unwrap();
        assert_eq!(plan.config.model, source.config.model);
        assert!(plan.training(1).unwrap().1.is_some_and(|transfer| transfer.parameters > 0));
        let other = TrainRequest { settings: vec!["state=5".into()], ..request };
        let Err(error) = other.plan_for(list(), Some(&source)).unwrap().training(1) else {
            panic!("other sizes")
        };
        assert!(error.to_string().contains("leave out settings of the model"), "{error}");
    }
}
