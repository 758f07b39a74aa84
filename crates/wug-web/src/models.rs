//! Open models.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use wug::lexicon::WordCounts;
use wug::measure::{Columns, ListIndex, Measures, ScoreSettings, Sources};
use wug::{Execution, TrainedModel};

use crate::{Answer, Failure};

/// Examples are taken from so many of the most frequent words.
const EXAMPLES_FROM: usize = 4000;
const EXAMPLE_LENGTHS: std::ops::RangeInclusive<usize> = 5..=7;

/// Models by their names.
#[derive(Default)]
pub(crate) struct Models(BTreeMap<String, OpenModel>);

/// A model with what was prepared for it.
pub(crate) struct OpenModel {
    pub(crate) model: Arc<TrainedModel>,
    /// The words that it was trained on; read when they are needed.
    list: Option<Arc<WordCounts>>,
    lexicon: Option<Arc<ListIndex>>,
}

impl Models {
    /// Opens a model file, or without one a model that comes with the library.
    pub(crate) fn open(&mut self, name: &str, bytes: &[u8]) -> Result<Answer, Failure> {
        let model = match bytes {
            [] => TrainedModel::named(name)?,
            file => TrainedModel::from_bytes(file, name)?,
        };
        let opened = OpenModel::new(model);
        let answer = opened.describe();
        self.add(name, opened);
        Ok(answer)
    }

    pub(crate) fn add(&mut self, name: &str, opened: OpenModel) {
        self.0.insert(name.to_owned(), opened);
    }

    pub(crate) fn get(&mut self, name: &str) -> Result<&mut OpenModel, Failure> {
        self.0.get_mut(name).ok_or_else(|| Failure(format!("the model `{name}` is not open")))
    }
}

impl OpenModel {
    pub(crate) fn new(model: TrainedModel) -> Self {
        Self { model: Arc::new(model), list: None, lexicon: None }
    }

    /// The words that are known, to be excluded.
    pub(crate) fn list(&mut self) -> Result<Arc<WordCounts>, Failure> {
        if self.list.is_none() {
            self.list = Some(Arc::new(self.model.known_words()?));
        }
        Ok(self.list.clone().unwrap_or_else(|| unreachable!("it was just set")))
    }

    /// The words that it was trained on, to be compared with.
    pub(crate) fn lexicon(&mut self) -> Result<Arc<ListIndex>, Failure> {
        if self.lexicon.is_none() {
            self.lexicon = Some(ListIndex::of(Arc::new(self.model.lexicon()?)));
        }
        Ok(self.lexicon.clone().unwrap_or_else(|| unreachable!("it was just set")))
    }

    /// Measures next to these words.
    pub(crate) fn measures(&mut self, columns: Columns, seed: u64) -> Result<Measures, Failure> {
        let settings =
            ScoreSettings { execution: Execution { seed, threads: 1 }, ..ScoreSettings::default() };
        let list = self.lexicon()?;
        let sources = Sources::new(&self.model, &list);
        Ok(Measures::new(columns, sources, settings)?)
    }

    /// Some words of the list that are neither rare nor short nor long, to begin with.
    pub(crate) fn examples(&mut self, count: usize) -> Result<Answer, Failure> {
        let list = self.lexicon()?;
        let mut words: Vec<_> = list.lexicon().words().collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.count));
        words.truncate(EXAMPLES_FROM);
        let usual = |length| words.iter().filter(move |word| word.symbols.len() == length);
        // All of one length, the one that most words have: figures of a length are prepared once.
        let length = EXAMPLE_LENGTHS.max_by_key(|length| usual(*length).count()).unwrap_or_default();
        let every = (usual(length).count() / count.max(1)).max(1);
        let words: Vec<&str> = usual(length).step_by(every).take(count).map(|word| word.text).collect();
        Ok(Answer::of(json!({ "words": words })))
    }

    /// What the page shows of a model.
    pub(crate) fn describe(&self) -> Answer {
        let TrainedModel { model, alphabet, provenance, config, .. } = &*self.model;
        Answer::of(json!({
            "letters": alphabet.letters().collect::<Vec<_>>(),
            "provenance": provenance,
            "kind": config.model.kind.name(),
            "parameters": model.params().len(),
            "exact": model.is_exact(),
            "noise": self.model.noise_size(),
        }))
    }
}
