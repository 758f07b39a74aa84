//! The columns that come of the measures.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::declaration::{Measure, Need, Read};
use super::evidence::Evidence;
use super::measures::MEASURES;
use super::value::Value;

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
