//! Measuring words: the values of columns.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, OnceLock};

use super::column::{Column, ColumnError};
use super::columns::Columns;
use super::declaration::Need;
use super::evidence::{Evidence, InList};
use super::length_profile::Spread;
use super::list_index::ListIndex;
use super::measured_word::MeasuredWord;
use super::parallel;
use super::reference::Reference;
use super::score::{MAX_SCORED, Score, ScoreProblem, ScoreSettings};
use super::value::Value;
use crate::lexicon::Casing;
use crate::{Result, TrainedModel};

/// What words are measured by.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The model.
    pub model: Option<Arc<TrainedModel>>,
    /// The lexicon that words are compared with.
    pub lexicon: Option<Arc<ListIndex>>,
    /// A second lexicon.
    pub other: Option<Arc<ListIndex>>,
}

impl Sources {
    /// A model, and a lexicon that words are compared with.
    pub fn new(model: &Arc<TrainedModel>, lexicon: &Arc<ListIndex>) -> Self {
        Self { model: Some(Arc::clone(model)), lexicon: Some(Arc::clone(lexicon)), other: None }
    }

    /// A model and the list that it was trained on.
    ///
    /// # Errors
    /// When the model was saved without its list.
    pub fn of(model: &Arc<TrainedModel>) -> Result<Self> {
        Ok(Self::new(model, &ListIndex::of(Arc::new(model.lexicon()?))))
    }
}

/// Measures words. Only what the columns need is computed. A word's values depend on the sources, the settings and the word alone.
#[derive(Debug)]
pub struct Measures {
    pub(super) columns: Columns,
    pub(super) sources: Sources,
    settings: ScoreSettings,
    model_key: OnceLock<Arc<str>>,
}

impl Measures {
    /// Prepares to measure.
    ///
    /// # Errors
    /// When a column needs something that is not there.
    pub fn new(columns: Columns, sources: Sources, settings: ScoreSettings) -> Result<Self, ColumnError> {
        let measures = Self { columns, sources, settings, model_key: OnceLock::new() };
        measures.check(measures.columns.iter())?;
        Ok(measures)
    }

    /// Whether there is all that some columns need.
    pub(super) fn check(&self, mut columns: impl Iterator<Item = Column>) -> Result<(), ColumnError> {
        let Sources { model, lexicon, other } = &self.sources;
        let lacking = [
            (Need::Model, model.is_none(), "a model"),
            (Need::Lexicon, lexicon.is_none(), "a lexicon"),
            (Need::OtherLexicon, other.is_none(), "another lexicon"),
        ];
        let lacks = |column: Column| {
            lacking
                .iter()
                .find(|(need, is_lacking, _)| *is_lacking && column.needs(*need))
                .map(|found| (column, found.2))
        };
        match columns.find_map(lacks) {
            Some((column, need)) => Err(ColumnError::Lacking { column: column.name().into_owned(), need }),
            None => Ok(()),
        }
    }

    /// The columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The settings.
    pub fn settings(&self) -> ScoreSettings {
        self.settings
    }

    /// Tells models apart, by all that their scores depend on: counts are those of the list under the settings.
    pub(super) fn model_key(&self) -> Arc<str> {
        let key = |model: &Arc<TrainedModel>| {
            let TrainedModel { config, provenance, .. } = &**model;
            format!("{} {} {}", model.fingerprint(), provenance.lexicon_digest, config.to_toml())
        };
        let key = || self.sources.model.as_ref().map_or_else(String::new, key).into();
        Arc::clone(self.model_key.get_or_init(key))
    }

    /// Measures words. A word's values do not depend on the others.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn measure(&self, words: &[&str]) -> Result<Vec<Result<MeasuredWord, ScoreProblem>>> {
        self.rows(&self.columns, words, self.settings)
    }

    /// Some columns of words, scored with settings of their own.
    pub(super) fn rows(
        &self,
        columns: &Columns,
        words: &[&str],
        settings: ScoreSettings,
    ) -> Result<Vec<Result<MeasuredWord, ScoreProblem>>> {
        let mut rows: Vec<Result<MeasuredWord, ScoreProblem>> = Vec::with_capacity(words.len());
        for (word, score) in words.iter().zip(self.scores(columns, words, settings)?) {
            rows.push(score.map(|score| MeasuredWord::new(word, &self.fold(word), score, columns)));
        }
        let mut lengths: BTreeMap<usize, Others> = BTreeMap::new();
        let needs_others =
            columns.need(Need::Reference) || columns.iter().any(|column| column.ranks().is_some());
        for row in rows.iter().flatten().filter(|_| needs_others) {
            let length = row.spelling.len();
            if let Entry::Vacant(place) = lengths.entry(length) {
                place.insert(self.others(columns, length)?);
            }
        }
        let read = |row: &Result<MeasuredWord, ScoreProblem>| match row {
            Ok(row) => self.values(row, lengths.get(&row.spelling.len())),
            Err(_) => Vec::new(),
        };
        // The first word alone: what is made for it is there when threads come for the others.
        let (first, rest) = rows.split_at(rows.len().min(1));
        let mut values: Vec<Vec<Value>> = first.iter().map(read).collect();
        values.extend(parallel::map(rest, settings.execution.threads, read));
        for (row, values) in rows.iter_mut().zip(values) {
            if let Ok(row) = row {
                row.values = values;
            }
        }
        Ok(rows)
    }

    /// A word as it is spelt: in lower case where the model, or else the lexicon, has no capitals.
    pub(super) fn fold<'a>(&self, word: &'a str) -> Cow<'a, str> {
        let Sources { model, lexicon, .. } = &self.sources;
        let alphabet = model.as_ref().map(|model| &model.alphabet);
        match alphabet.or(lexicon.as_ref().map(|list| list.lexicon().alphabet())) {
            Some(alphabet) => alphabet.fold(word),
            None => Cow::Borrowed(word),
        }
    }

    /// What the model says, if a column needs it; if not, which words it cannot spell.
    fn scores(
        &self,
        columns: &Columns,
        words: &[&str],
        settings: ScoreSettings,
    ) -> Result<Vec<Result<Option<Score>, ScoreProblem>>> {
        let Some(model) = &self.sources.model else { return Ok(words.iter().map(|_| Ok(None)).collect()) };
        if columns.need(Need::Model) {
            return Ok(model.scores(words, settings)?.into_iter().map(|score| score.map(Some)).collect());
        }
        let spell = |word: &&str| Ok(model.alphabet.spell(word, 0..=MAX_SCORED).map(|_| None)?);
        Ok(words.iter().map(spell).collect())
    }

    /// What words of a length are compared with.
    fn others(&self, columns: &Columns, length: usize) -> Result<Others> {
        let ranked: Vec<Column> = columns.iter().filter_map(Column::ranks).collect();
        let reference = if columns.need(Need::Reference) { self.reference(length)? } else { None };
        let spreads = if ranked.is_empty() { None } else { self.spreads(length, &ranked)? };
        Ok(Others { reference, spreads })
    }

    fn values(&self, row: &MeasuredWord, others: Option<&Others>) -> Vec<Value> {
        let MeasuredWord { word, spelling, score, columns, .. } = row;
        let Sources { lexicon, other, .. } = &self.sources;
        let spelt = spelling.concat();
        // A lexicon with capitals has the word as it was given.
        let texts = [lexicon, other].map(|list| {
            let is_kept =
                list.as_ref().is_some_and(|list| list.lexicon().alphabet().casing() == Casing::Keep);
            if is_kept { word.as_str() } else { spelt.as_str() }
        });
        let [own, other] = [(lexicon, texts[0]), (other, texts[1])].map(|(list, text)| Evidence {
            word,
            letters: spelling,
            score: score.as_ref(),
            reference: others.and_then(|others| others.reference.as_deref()),
            list: list.as_deref().map(|list| InList::new(list, text, spelling)),
        });
        let mut spreads = others.and_then(|others| others.spreads.as_ref()).into_iter().flatten();
        let value = |column: Column| {
            let value = column.read(&own, &other);
            if column.ranks().is_none() {
                return value;
            }
            let spread = spreads.next();
            Value::Number(spread.zip(value.number()).and_then(|(spread, number)| spread.percentile(number)))
        };
        columns.iter().map(value).collect()
    }
}

/// What words of a length are compared with: none where the lexicon has too few of them.
#[derive(Default)]
struct Others {
    reference: Option<Arc<Reference>>,
    /// For each column of percentiles, what the words have in the column that it ranks.
    spreads: Option<Vec<Arc<Spread>>>,
}
