//! The columns of measured words, by the names that `wug score` gives them.

use pyo3::prelude::*;
use wug::measure::{LetterStatistics, MeasuredWord, Score, ScoredWord, Shape};

use crate::errors::build;
use crate::table::{Column, Columns, Lists, Texts};

/// What is known of a word.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) word: &'a str,
    pub(crate) score: Option<&'a Score>,
    pub(crate) letters: Option<&'a LetterStatistics>,
    /// Letters of the word.
    pub(crate) length: usize,
}

/// A word with measures.
pub(crate) trait Measured {
    /// What they are.
    fn parts(&self) -> Parts<'_>;
}

impl Measured for MeasuredWord {
    fn parts(&self) -> Parts<'_> {
        let Self { word, spelling, score, letters, .. } = self;
        Parts { word, score: Some(score), letters: Some(letters), length: spelling.len() }
    }
}

impl Measured for ScoredWord {
    fn parts(&self) -> Parts<'_> {
        let Self { word, spelling, score } = self;
        Parts { word, score: Some(score), letters: None, length: spelling.len() }
    }
}

/// What a figure is computed from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The word itself.
    Word,
    /// The model.
    Model,
    /// The model's judgement of others, too.
    Percentiles,
    /// The letters, next to the lexicon.
    Letters,
}

/// How a figure is read off.
enum Value {
    Float(fn(Parts<'_>) -> Option<f64>),
    Whole(fn(Parts<'_>) -> i64),
    Text(for<'a> fn(Parts<'a>) -> &'a str),
    Floats(for<'a> fn(Parts<'a>) -> &'a [f64]),
    Texts(for<'a> fn(Parts<'a>) -> &'a [String]),
}

/// A column.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) source: Source,
    value: Value,
}

const fn figure(name: &'static str, source: Source, value: Value) -> Figure {
    Figure { name, source, value }
}

/// A number that the model says.
macro_rules! score {
    ($name:literal, $source:ident, |$score:ident| $value:expr) => {
        figure($name, Source::$source, Value::Float(|parts| parts.score.and_then(|$score| $value)))
    };
}

/// A number that the letters say.
macro_rules! letters {
    ($name:literal, |$letters:ident| $value:expr) => {
        figure($name, Source::Letters, Value::Float(|parts| parts.letters.and_then(|$letters| $value)))
    };
}

/// All figures, in the order of the table.
static FIGURES: [Figure; 22] = [
    figure("word", Source::Word, Value::Text(|parts| parts.word)),
    figure("length", Source::Word, Value::Whole(|parts| parts.length as i64)),
    score!("log_probability", Model, |score| Some(score.log_probability)),
    score!("standard_error", Model, |score| Some(score.standard_error)),
    score!("lexicon_percentile", Percentiles, |score| score.lexicon_percentile),
    score!("random_percentile", Percentiles, |score| score.random_percentile),
    figure(
        "surprisals",
        Source::Model,
        Value::Floats(|parts| parts.score.map_or(&[], |score| &score.surprisals)),
    ),
    figure(
        "lexicality",
        Source::Letters,
        Value::Text(|parts| parts.letters.map_or("", |letters| letters.lexicality.name())),
    ),
    letters!("coltheart_n", |letters| Some(letters.coltheart_n as f64)),
    letters!("old20", |letters| letters.old20),
    letters!("bigram_frequency", |letters| letters.bigram_frequency),
    letters!("positional_bigram_types", |letters| letters.positional_bigram_types),
    letters!("positional_bigram_tokens", |letters| letters.positional_bigram_tokens),
    letters!("positional_trigram_types", |letters| letters.positional_trigram_types),
    letters!("positional_trigram_tokens", |letters| letters.positional_trigram_tokens),
    letters!("rarest_trigram", |letters| Some(letters.rarest_trigram as f64)),
    figure(
        "skeleton",
        Source::Letters,
        Value::Text(|parts| shape(parts).map_or("", |shape| &shape.skeleton)),
    ),
    letters!("vowel_groups", |letters| letters.shape.as_ref().map(|shape| shape.vowel_groups as f64)),
    figure("onset", Source::Letters, Value::Text(|parts| shape(parts).map_or("", |shape| &shape.onset))),
    figure("ending", Source::Letters, Value::Text(|parts| shape(parts).map_or("", |shape| &shape.ending))),
    letters!("nearest_distance", |letters| letters.nearest_distance.map(|distance| distance as f64)),
    figure(
        "nearest",
        Source::Letters,
        Value::Texts(|parts| parts.letters.map_or(&[], |letters| &letters.nearest)),
    ),
];

fn shape(parts: Parts<'_>) -> Option<&Shape> {
    parts.letters.and_then(|letters| letters.shape.as_ref())
}

/// The figures of some names, or all of them.
pub(crate) fn named(py: Python<'_>, names: Option<&[String]>) -> PyResult<Vec<&'static Figure>> {
    let Some(names) = names else { return Ok(FIGURES.iter().collect()) };
    let find = |name: &String| FIGURES.iter().find(|figure| figure.name == name);
    let known = || FIGURES.iter().map(|figure| figure.name).collect::<Vec<_>>().join(", ");
    let unknown = |name: &String| {
        let text = format!("there is no column `{name}`; there are {}", known());
        build(py, "UnknownNameError", (text,)).unwrap_or_else(|failure| failure)
    };
    names.iter().map(|name| find(name).ok_or_else(|| unknown(name))).collect()
}

/// The figures that need no model.
pub(crate) fn of_letters() -> Vec<&'static Figure> {
    let is_own = |figure: &&Figure| matches!(figure.source, Source::Word | Source::Letters);
    FIGURES.iter().filter(is_own).collect()
}

/// Columns that are filled word by word.
pub(crate) struct Rows {
    figures: Vec<&'static Figure>,
    columns: Vec<Column>,
}

impl Rows {
    pub(crate) fn new(figures: Vec<&'static Figure>) -> Self {
        let columns = figures.iter().map(|figure| match figure.value {
            Value::Float(_) => Column::Floats(Vec::new()),
            Value::Whole(_) => Column::Whole(Vec::new()),
            Value::Text(_) => Column::Texts(Texts::default()),
            Value::Floats(_) => Column::FloatLists(Lists::default()),
            Value::Texts(_) => Column::TextLists(Lists::default()),
        });
        Self { columns: columns.collect(), figures }
    }

    pub(crate) fn push(&mut self, parts: Parts<'_>) {
        for (figure, column) in self.figures.iter().zip(&mut self.columns) {
            match (&figure.value, column) {
                (Value::Float(of), Column::Floats(numbers)) => numbers.push(of(parts).unwrap_or(f64::NAN)),
                (Value::Whole(of), Column::Whole(numbers)) => numbers.push(of(parts)),
                (Value::Text(of), Column::Texts(texts)) => texts.push(of(parts)),
                (Value::Floats(of), Column::FloatLists(lists)) => lists.push(of(parts)),
                (Value::Texts(of), Column::TextLists(lists)) => lists.push(of(parts)),
                // A column has the kind of its figure.
                _ => {}
            }
        }
    }

    /// A word without figures.
    pub(crate) fn push_missing(&mut self, word: &str) {
        self.push(Parts { word, score: None, letters: None, length: 0 });
    }

    pub(crate) fn into_columns(self) -> Columns {
        self.figures.iter().map(|figure| figure.name.into()).zip(self.columns).collect()
    }
}
