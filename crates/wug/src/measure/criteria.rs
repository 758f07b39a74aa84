//! What words can be matched on.

use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::column::{Column, ColumnError, find};
use super::measures::MATCHED;

/// A measure, how much it matters, and how far a match may be off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Criterion {
    /// The measure.
    #[serde(serialize_with = "criterion_name")]
    pub measure: Column,
    /// Its weight against the others; 1 is usual.
    pub weight: f64,
    /// The largest difference of a match, in the measure's own unit; 0 is exact.
    pub tolerance: Option<f64>,
}

impl Criterion {
    /// A measure of weight 1.
    pub fn new(measure: Column) -> Self {
        Self { measure, weight: 1.0, tolerance: None }
    }

    /// A measure of weight 1, by its name.
    ///
    /// # Errors
    /// When nothing of that name can be matched on.
    pub fn named(name: &str) -> Result<Self, ColumnError> {
        Column::matched(name).map(Self::new)
    }

    /// What is matched on unless something else is said.
    pub fn usual() -> Vec<Self> {
        MATCHED.iter().filter_map(|name| Self::named(name).ok()).collect()
    }
}

/// Something that a pseudoword shares with its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// The first letter.
    FirstLetter,
    /// The last letter.
    LastLetter,
    /// The letters before the first vowel.
    Onset,
    /// The letters from the last group of vowels on.
    Ending,
    /// Which letters are consonants and which are vowels.
    Skeleton,
    /// The number of groups of vowels.
    Syllables,
}

impl Feature {
    /// All features.
    pub const ALL: [Self; 6] =
        [Self::FirstLetter, Self::LastLetter, Self::Onset, Self::Ending, Self::Skeleton, Self::Syllables];

    /// Its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::FirstLetter => "first-letter",
            Self::LastLetter => "last-letter",
            Self::Onset => "onset",
            Self::Ending => "ending",
            Self::Skeleton => "skeleton",
            Self::Syllables => "syllables",
        }
    }
}

impl FromStr for Feature {
    type Err = ColumnError;

    fn from_str(text: &str) -> Result<Self, ColumnError> {
        find(text, Self::ALL.into_iter().map(|feature| (feature.name().into(), feature)))
    }
}

/// A measure by its name in options.
pub(super) fn criterion_name<S: Serializer>(measure: &Column, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&measure.criterion_name())
}
