//! How a measure is declared.

use super::evidence::Evidence;

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
pub(super) enum Read {
    Number(fn(&Evidence<'_>) -> Option<f64>),
    Count(fn(&Evidence<'_>) -> Option<u64>),
    Text(fn(&Evidence<'_>) -> Option<String>),
    Numbers(fn(&Evidence<'_>) -> Vec<f64>),
    Texts(fn(&Evidence<'_>) -> Vec<String>),
}

/// How a measure is called where words are matched on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matching {
    /// Its name in options, if it is not that of the column.
    pub(super) name: Option<&'static str>,
    /// In sentences of a paper.
    pub(super) prose: &'static str,
    pub(super) source: &'static str,
}

/// A measure of words, declared once: all front ends have it by this declaration. [`MEASURES`](super::MEASURES) are those of the library.
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
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) read: Read,
    pub(super) needs: &'static [Need],
    pub(super) title: &'static str,
    pub(super) digits: usize,
    pub(super) width: usize,
    pub(super) unit: &'static str,
    pub(super) matching: Option<Matching>,
    pub(super) is_ranked: bool,
    pub(super) rank: Option<&'static str>,
    pub(super) is_beside: bool,
    pub(super) is_of_words: bool,
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
