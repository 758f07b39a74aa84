//! The columns of measured words, by the names that `wug score` gives them.

use pyo3::prelude::*;
use wug::measure::{LetterStatistics, Measure, MeasuredWord, Score, ScoredWord, Shape};

use crate::errors::build;
use crate::table::{Column, Columns, Lists, Texts};

/// What is known of a word.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) word: &'a str,
    pub(crate) score: Option<&'a Score>,
    pub(crate) letters: Option<&'a LetterStatistics>,
    /// Percentiles, and what letters say next to another lexicon.
    pub(crate) measured: Option<&'a MeasuredWord>,
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
        let length = spelling.len();
        Parts { word, score: Some(score), letters: Some(letters), measured: Some(self), length }
    }
}

impl Measured for ScoredWord {
    fn parts(&self) -> Parts<'_> {
        let Self { word, spelling, score } = self;
        Parts { word, score: Some(score), letters: None, measured: None, length: spelling.len() }
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
    /// The letters of the lexicon's words, too.
    Ranks,
    /// The letters, next to another lexicon.
    Other,
    /// The letters of the other lexicon's words, too.
    OtherRanks,
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

/// A number that the letters say next to another lexicon.
macro_rules! other {
    ($name:literal, |$letters:ident| $value:expr) => {
        figure($name, Source::Other, Value::Float(|parts| other(parts).and_then(|$letters| $value)))
    };
}

/// The per cent of the lexicon's words of the length with a smaller figure.
macro_rules! rank {
    ($name:literal, $source:ident, $measure:ident) => {
        figure(
            $name,
            Source::$source,
            Value::Float(|parts| parts.measured.and_then(|word| word.percentile(Measure::$measure))),
        )
    };
}

/// All figures, in the order of the table.
static FIGURES: [Figure; 37] = [
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
    rank!("coltheart_n_percentile", Ranks, ColtheartN),
    rank!("old20_percentile", Ranks, Old20),
    rank!("bigram_frequency_percentile", Ranks, BigramFrequency),
    rank!("positional_bigram_types_percentile", Ranks, PositionalBigramTypes),
    rank!("positional_bigram_tokens_percentile", Ranks, PositionalBigramTokens),
    rank!("positional_trigram_types_percentile", Ranks, PositionalTrigramTypes),
    rank!("positional_trigram_tokens_percentile", Ranks, PositionalTrigramTokens),
    rank!("vowel_groups_percentile", Ranks, VowelGroups),
    figure(
        "other_lexicality",
        Source::Other,
        Value::Text(|parts| other(parts).map_or("", |letters| letters.lexicality.name())),
    ),
    other!("other_coltheart_n", |letters| Some(letters.coltheart_n as f64)),
    other!("other_old20", |letters| letters.old20),
    other!("other_nearest_distance", |letters| letters.nearest_distance.map(|distance| distance as f64)),
    figure(
        "other_nearest",
        Source::Other,
        Value::Texts(|parts| other(parts).map_or(&[], |letters| &letters.nearest)),
    ),
    rank!("other_coltheart_n_percentile", OtherRanks, OtherColtheartN),
    rank!("other_old20_percentile", OtherRanks, OtherOld20),
];

fn other(parts: Parts<'_>) -> Option<&LetterStatistics> {
    parts.measured.and_then(|word| word.other.as_ref())
}

fn shape(parts: Parts<'_>) -> Option<&Shape> {
    parts.letters.and_then(|letters| letters.shape.as_ref())
}

/// The figures of some names, or all of them: percentiles, and those of another lexicon, only if they are asked for.
pub(crate) fn named(
    py: Python<'_>,
    names: Option<&[String]>,
    ranked: bool,
    beside: bool,
) -> PyResult<Vec<&'static Figure>> {
    let is_shown = |figure: &&Figure| match figure.source {
        Source::Ranks => ranked,
        Source::Other => beside,
        Source::OtherRanks => ranked && beside,
        _ => true,
    };
    let shown = || FIGURES.iter().filter(is_shown);
    let Some(names) = names else { return Ok(shown().collect()) };
    let refused = |text: String| build(py, "UnknownNameError", (text,)).unwrap_or_else(|failure| failure);
    let find = |name: &String| {
        let Some(figure) = FIGURES.iter().find(|figure| figure.name == name) else {
            let known: Vec<&str> = FIGURES.iter().map(|figure| figure.name).collect();
            return Err(refused(format!("there is no column `{name}`; there are {}", known.join(", "))));
        };
        if matches!(figure.source, Source::Other | Source::OtherRanks) && !beside {
            return Err(refused(format!("the column `{name}` needs another lexicon: give `other_lexicon`")));
        }
        Ok(figure)
    };
    let mut found: Vec<&Figure> = names.iter().map(find).collect::<PyResult<_>>()?;
    if ranked {
        let is_rank = |figure: &&Figure| matches!(figure.source, Source::Ranks | Source::OtherRanks);
        let more = shown().filter(is_rank).filter(|figure| !names.iter().any(|name| name == figure.name));
        found.extend(more.collect::<Vec<_>>());
    }
    Ok(found)
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
        self.push(Parts { word, score: None, letters: None, measured: None, length: 0 });
    }

    pub(crate) fn into_columns(self) -> Columns {
        self.figures.iter().map(|figure| figure.name.into()).zip(self.columns).collect()
    }
}
