//! Measures as they are declared, and the columns that come of them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::evidence::Evidence;
use super::measures::MEASURES;
use super::value::Value;

/// What a measure is computed from, beside the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A model.
    Model,
    /// The model's judgement of other words and of random strings of the length.
    Reference,
    /// The lexicon that words are compared with.
    Lexicon,
    /// Another lexicon, such as that of a second language.
    OtherLexicon,
}

/// How a measure is read off a word.
#[derive(Debug, Clone, Copy)]
enum Read {
    Number(fn(&Evidence<'_>) -> Option<f64>),
    Count(fn(&Evidence<'_>) -> Option<u64>),
    Text(fn(&Evidence<'_>) -> Option<String>),
    Numbers(fn(&Evidence<'_>) -> Vec<f64>),
    Texts(fn(&Evidence<'_>) -> Vec<String>),
}

/// How a measure is called where words are matched on it.
#[derive(Debug, Clone, Copy)]
struct Matching {
    /// Its name in options, if it is not that of the column.
    name: Option<&'static str>,
    /// In sentences of a paper.
    prose: &'static str,
    source: &'static str,
}

/// A measure of words, declared once: all front ends have it by this declaration. [`MEASURES`] are those of the library.
///
/// ```
/// use wug::measure::{Column, Columns, Measure, Measures, Sources};
///
/// static DOUBLE: Measure = Measure::count("double_letters", "letters that are like the one before", |word| {
///     Some(word.letters().windows(2).filter(|pair| pair[0] == pair[1]).count() as u64)
/// });
/// let columns = Columns::from_iter([Column::of(&DOUBLE)]);
/// let measures = Measures::new(columns, Sources::default(), Default::default())?;
/// let word = measures.measure(&["wassail"])?.remove(0)?;
/// assert_eq!(word.number("double_letters"), Some(1.0));
/// # Ok::<(), wug::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    name: &'static str,
    about: &'static str,
    read: Read,
    needs: &'static [Need],
    title: &'static str,
    digits: usize,
    width: usize,
    unit: &'static str,
    matching: Option<Matching>,
    is_ranked: bool,
    rank: Option<&'static str>,
    is_beside: bool,
    is_of_words: bool,
}

impl Measure {
    const fn new(name: &'static str, about: &'static str, read: Read) -> Self {
        Self {
            name,
            about,
            read,
            needs: &[],
            title: name,
            digits: 2,
            width: 8,
            unit: "",
            matching: None,
            is_ranked: false,
            rank: None,
            is_beside: false,
            is_of_words: false,
        }
    }

    /// A number for each word, or none. The name stands in tables; what it is about is said in half a sentence.
    pub const fn number(
        name: &'static str,
        about: &'static str,
        read: fn(&Evidence<'_>) -> Option<f64>,
    ) -> Self {
        Self::new(name, about, Read::Number(read))
    }

    /// A whole number.
    pub const fn count(
        name: &'static str,
        about: &'static str,
        read: fn(&Evidence<'_>) -> Option<u64>,
    ) -> Self {
        Self::new(name, about, Read::Count(read)).shown(name, 8, 0)
    }

    /// A text.
    pub const fn text(
        name: &'static str,
        about: &'static str,
        read: fn(&Evidence<'_>) -> Option<String>,
    ) -> Self {
        Self::new(name, about, Read::Text(read))
    }

    /// Numbers, such as one for each letter.
    pub const fn numbers(
        name: &'static str,
        about: &'static str,
        read: fn(&Evidence<'_>) -> Vec<f64>,
    ) -> Self {
        Self::new(name, about, Read::Numbers(read))
    }

    /// Texts.
    pub const fn texts(
        name: &'static str,
        about: &'static str,
        read: fn(&Evidence<'_>) -> Vec<String>,
    ) -> Self {
        Self::new(name, about, Read::Texts(read))
    }

    /// What it is computed from.
    #[must_use]
    pub const fn from(self, needs: &'static [Need]) -> Self {
        Self { needs, ..self }
    }

    /// How people see it: the heading, and the width and decimal places of a number at a terminal.
    #[must_use]
    pub const fn shown(self, title: &'static str, width: usize, digits: usize) -> Self {
        Self { title, width, digits, ..self }
    }

    /// What stands behind the number.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// It can be matched on: numbers by their difference, lists of numbers by the root of the mean squared difference. `prose` is what a method
    /// section calls it, `source` whom that cites, if anybody.
    #[must_use]
    pub const fn matched(self, prose: &'static str, source: &'static str) -> Self {
        Self { matching: Some(Matching { name: None, prose, source }), ..self }
    }

    /// It can be matched on under a name of its own.
    #[must_use]
    pub const fn matched_as(self, name: &'static str, prose: &'static str) -> Self {
        Self { matching: Some(Matching { name: Some(name), prose, source: "" }), ..self }
    }

    /// There is a column with its percentile among the lexicon's words of the length.
    #[must_use]
    pub const fn ranked(self) -> Self {
        Self { is_ranked: true, ..self }
    }

    /// Another measure is its percentile.
    #[must_use]
    pub const fn ranked_by(self, measure: &'static str) -> Self {
        Self { rank: Some(measure), ..self }
    }

    /// It says nothing of pseudowords, which all have the same value.
    #[must_use]
    pub const fn of_words(self) -> Self {
        Self { is_of_words: true, ..self }
    }

    /// There is a column with its value next to the other lexicon.
    #[must_use]
    pub const fn beside(self) -> Self {
        Self { is_beside: true, ..self }
    }
}

/// A column of measured words: a measure, the same next to the other lexicon, or the percentile of either.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    measure: &'static Measure,
    is_other: bool,
    is_percentile: bool,
}

impl Column {
    /// The column of a measure.
    pub const fn of(measure: &'static Measure) -> Self {
        Self { measure, is_other: false, is_percentile: false }
    }

    /// All columns: the measures, their percentiles, and both next to the other lexicon.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        let own = || MEASURES.iter().map(Self::of);
        let percentiles =
            |column: Self| column.measure.is_ranked.then_some(Self { is_percentile: true, ..column });
        let other = || {
            own().filter(|column| column.measure.is_beside).map(|column| Self { is_other: true, ..column })
        };
        own().chain(own().filter_map(percentiles)).chain(other()).chain(other().filter_map(percentiles))
    }

    /// The column of a name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<Self, ColumnError> {
        find(name, Self::all().map(|column| (column.name(), column)))
    }

    /// What words can be matched on.
    pub fn all_matched() -> impl Iterator<Item = Self> + Clone {
        Self::all().filter(|column| column.measure.matching.is_some() && !column.is_percentile)
    }

    /// What words can be matched on, by its [name](Column::criterion_name).
    ///
    /// # Errors
    /// When there is none.
    pub fn matched(name: &str) -> Result<Self, ColumnError> {
        find(name, Self::all_matched().map(|column| (column.criterion_name(), column)))
    }

    /// The name in tables and JSON.
    pub fn name(self) -> Cow<'static, str> {
        let Measure { name, .. } = self.measure;
        match (self.is_other, self.is_percentile) {
            (false, false) => (*name).into(),
            (false, true) => format!("{name}_percentile").into(),
            (true, false) => format!("other_{name}").into(),
            (true, true) => format!("other_{name}_percentile").into(),
        }
    }

    /// The name in options and reports of a match.
    pub fn criterion_name(self) -> Cow<'static, str> {
        let own = self.measure.matching.and_then(|matching| matching.name);
        own.map_or_else(|| self.name().replace('_', "-").into(), Into::into)
    }

    /// What it is, in half a sentence.
    pub fn about(self) -> Cow<'static, str> {
        let Measure { name, about, .. } = self.measure;
        match (self.is_other, self.is_percentile) {
            (false, false) => (*about).into(),
            (true, false) => format!("`{name}` in the other lexicon").into(),
            (_, true) => {
                let of = Self { is_percentile: false, ..self };
                let of = of.name();
                format!("per cent of the lexicon's words of the length with a smaller `{of}`").into()
            }
        }
    }

    /// The heading for people.
    pub fn title(self) -> Cow<'static, str> {
        if self.is_other || self.is_percentile { self.name() } else { self.measure.title.into() }
    }

    /// What it is called in sentences.
    pub(super) fn prose(self) -> String {
        let prose = self.measure.matching.map_or(self.measure.name, |matching| matching.prose);
        if self.is_other { format!("{prose} in the other lexicon") } else { prose.to_owned() }
    }

    /// Whom a paper cites for it.
    pub(super) fn source(self) -> &'static str {
        if self.is_other { "" } else { self.measure.matching.map_or("", |matching| matching.source) }
    }

    /// The width of its numbers at a terminal; none of texts and lists, which take what they need.
    pub fn width(self) -> Option<usize> {
        matches!(self.missing(), Value::Number(_) | Value::Count(_)).then_some(self.measure.width)
    }

    /// The decimal places that people see.
    pub fn digits(self) -> usize {
        if self.is_percentile { 0 } else { self.measure.digits }
    }

    /// What stands behind a number for people.
    pub fn unit(self) -> &'static str {
        if self.is_percentile { " %" } else { self.measure.unit }
    }

    /// A value as people see it.
    pub fn shown(self, value: &Value) -> String {
        let (digits, unit) = (self.digits(), self.unit());
        match (value, value.number()) {
            (Value::Number(_) | Value::Count(_), None) => "–".to_owned(),
            (_, Some(number)) => format!("{number:.digits$}{unit}"),
            (value, None) => value.to_string(),
        }
    }

    /// Whether it is computed from something.
    pub fn needs(self, need: Need) -> bool {
        let needs = self.measure.needs;
        match need {
            // Percentiles are among the words of the first lexicon.
            Need::Lexicon => {
                self.is_percentile
                    || needs.contains(&Need::Reference)
                    || needs.contains(&Need::Lexicon) && !self.is_other
            }
            Need::OtherLexicon => self.is_other || needs.contains(&Need::OtherLexicon),
            Need::Model => needs.contains(&Need::Model) || needs.contains(&Need::Reference),
            Need::Reference => needs.contains(&Need::Reference),
        }
    }

    /// The column that it is the percentile of.
    pub fn ranks(self) -> Option<Self> {
        self.is_percentile.then_some(Self { is_percentile: false, ..self })
    }

    /// The column that is its percentile, if there is one.
    pub fn percentile(self) -> Option<Self> {
        match self.measure.rank {
            Some(name) => Self::named(name).ok(),
            None => self.measure.is_ranked.then_some(Self { is_percentile: true, ..self }),
        }
    }

    /// Whether it says nothing of pseudowords.
    pub(super) fn is_of_words(self) -> bool {
        self.measure.is_of_words
    }

    /// Whether it has a list of numbers.
    pub(super) fn is_profile(self) -> bool {
        matches!(self.measure.read, Read::Numbers(_))
    }

    /// What stands where a word has no value; its type is that of all values. Where every word has one, it is no missing one.
    pub fn missing(self) -> Value {
        match self.measure.read {
            _ if self.is_percentile => Value::Number(None),
            Read::Number(_) => Value::Number(None),
            Read::Count(_) => Value::Count(self.measure.needs.is_empty().then_some(0)),
            Read::Text(_) => Value::Text(None),
            Read::Numbers(_) => Value::Numbers(Vec::new()),
            Read::Texts(_) => Value::Texts(Vec::new()),
        }
    }

    /// The measure's value, next to one lexicon or the other.
    pub(super) fn read(self, own: &Evidence<'_>, other: &Evidence<'_>) -> Value {
        let word = if self.is_other { other } else { own };
        match self.measure.read {
            Read::Number(read) => Value::Number(read(word)),
            Read::Count(read) => Value::Count(read(word)),
            Read::Text(read) => Value::Text(read(word)),
            Read::Numbers(read) => Value::Numbers(read(word)),
            Read::Texts(read) => Value::Texts(read(word)),
        }
    }

    /// Somebody else's measure may have the same name.
    fn key(self) -> (&'static str, bool, bool, *const Measure) {
        (self.measure.name, self.is_other, self.is_percentile, self.measure)
    }
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Column {}

impl PartialOrd for Column {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Column {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

/// Why there is no such column.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ColumnError {
    /// No column has the name.
    #[error("`{found}` is none of {known}")]
    Unknown {
        /// The name.
        found: String,
        /// The names that there are.
        known: String,
    },
    /// It is computed from something that is not there.
    #[error("the column `{column}` needs {need}")]
    Lacking {
        /// The column.
        column: String,
        /// What it needs.
        need: &'static str,
    },
}

/// What has a name, which may be written with `-` or `_`.
pub(super) fn find<T>(
    found: &str,
    all: impl Iterator<Item = (Cow<'static, str>, T)> + Clone,
) -> Result<T, ColumnError> {
    let normal = |name: &str| name.trim().to_lowercase().replace('_', "-");
    let wanted = normal(found);
    let known = || all.clone().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    let unknown = || ColumnError::Unknown { found: found.to_owned(), known: known() };
    all.clone().find(|(name, _)| normal(name) == wanted).map(|(_, one)| one).ok_or_else(unknown)
}

/// The columns of a table, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns(Arc<[Column]>);

impl Columns {
    /// Every column but percentiles and those next to another lexicon, which are there only if they are asked for.
    pub fn all(percentiles: bool, other_lexicon: bool) -> Self {
        let is_shown =
            |column: &Column| (percentiles || !column.is_percentile) && (other_lexicon || !column.is_other);
        Column::all().filter(is_shown).collect()
    }

    /// The columns of some names, and all percentiles if they are asked for.
    ///
    /// # Errors
    /// When there is no such column.
    pub fn named<N: AsRef<str>>(
        names: impl IntoIterator<Item = N>,
        percentiles: bool,
        other_lexicon: bool,
    ) -> Result<Self, ColumnError> {
        let mut columns: Vec<Column> =
            names.into_iter().map(|name| Column::named(name.as_ref())).collect::<Result<_, _>>()?;
        if percentiles {
            let all = Self::all(true, other_lexicon);
            columns.extend(
                all.iter()
                    .filter(|column| column.is_percentile && !columns.contains(column))
                    .collect::<Vec<_>>(),
            );
        }
        Ok(columns.into_iter().collect())
    }

    /// What letters say next to a lexicon alone, without a model.
    pub fn of_letters() -> Self {
        let is_own = |column: &Column| !column.needs(Need::Model);
        Self::all(false, false).iter().filter(is_own).collect()
    }

    /// The columns.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Column> + Clone + use<'_> {
        self.0.iter().copied()
    }

    /// Whether one of them is computed from something.
    pub fn need(&self, need: Need) -> bool {
        self.iter().any(|column| column.needs(need))
    }

    /// These and others that are not among them.
    pub(super) fn with(&self, more: impl IntoIterator<Item = Column>) -> Self {
        let mut all = self.0.to_vec();
        for column in more {
            if !all.contains(&column) {
                all.push(column);
            }
        }
        all.into_iter().collect()
    }

    pub(super) fn place(&self, column: Column) -> Option<usize> {
        self.iter().position(|own| own == column)
    }
}

impl FromIterator<Column> for Columns {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        Self(columns.into_iter().collect())
    }
}
