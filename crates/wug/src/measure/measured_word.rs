//! A word with its values.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::column::Column;
use super::columns::Columns;
use super::evidence::Evidence;
use super::score::Score;
use super::value::Value;
use crate::lexicon::letters::{letters, normalise};

/// A word with its values.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredWord {
    /// The word as it was given, in normal form C.
    pub word: String,
    /// Its letters, to which the surprisals belong: in lower case where the model or the lexicon has no capitals.
    pub spelling: Vec<String>,
    /// What the model says, if a column needs it.
    pub score: Option<Score>,
    pub(super) columns: Columns,
    pub(super) values: Vec<Value>,
}

impl MeasuredWord {
    /// A word whose values are still to be read.
    pub(super) fn new(word: &str, spelt: &str, score: Option<Score>, columns: &Columns) -> Self {
        let word = normalise(word, false).into_owned();
        let spelling = letters(&normalise(spelt, false)).map(str::to_owned).collect();
        Self { word, spelling, score, columns: columns.clone(), values: Vec::new() }
    }

    /// The same word written in another way.
    pub(super) fn shown_as(&mut self, word: String) {
        if let Some(place) = self.columns.iter().position(|column| column.name() == "word")
            && let Some(value) = self.values.get_mut(place)
        {
            *value = Value::Text(Some(word.clone()));
        }
        self.word = word;
    }

    /// Its columns, and its value of each.
    pub fn values(&self) -> impl ExactSizeIterator<Item = (Column, &Value)> {
        self.columns.iter().zip(&self.values)
    }

    /// Its value in a column, if it is one of them.
    pub fn value(&self, column: Column) -> Option<&Value> {
        Some(&self.values[self.columns.place(column)?])
    }

    /// The number in the column of a name; none if there is no such column, or it has no number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.values().find(|(column, _)| column.name() == name)?.1.number()
    }

    /// Its number in a column.
    pub(super) fn figure(&self, column: Column) -> Option<f64> {
        self.value(column)?.number()
    }

    /// Its numbers in a column.
    pub(super) fn profile(&self, column: Column) -> &[f64] {
        match self.value(column) {
            Some(Value::Numbers(all)) => all,
            _ => &[],
        }
    }
}

impl Columns {
    /// A word that cannot be measured: only what is read off the word itself is there.
    pub fn of_unmeasured(&self, word: &str) -> MeasuredWord {
        let mut row = MeasuredWord::new(word, word, None, self);
        let read = |column: Column| {
            let word = Evidence {
                word: &row.word,
                letters: &row.spelling,
                score: None,
                reference: None,
                list: None,
            };
            if column.ranks().is_some() { column.missing() } else { column.read(&word, &word) }
        };
        row.values = self.iter().map(read).collect();
        row
    }
}

/// Fields `word`, `spelling` and those of the columns.
impl Serialize for MeasuredWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("word", &self.word)?;
        fields.serialize_entry("spelling", &self.spelling)?;
        for (column, value) in self.values().filter(|(column, _)| column.name() != "word") {
            fields.serialize_entry(&column.name(), value)?;
        }
        fields.end()
    }
}
