//! What words can be matched on.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::words::MeasuredWord;

/// A measure of words that can be matched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// `log P(w)` under the model.
    LogProbability,
    /// Coltheart's N.
    ColtheartN,
    /// OLD20.
    Old20,
    /// Mean frequency of the bigrams at any place, by types.
    BigramFrequency,
    /// Mean number of words of the length with the same bigrams at the same places.
    PositionalBigramTypes,
    /// The same by their frequency in a million words.
    PositionalBigramTokens,
    /// Mean number of words of the length with the same trigrams at the same places.
    PositionalTrigramTypes,
    /// The same by their frequency in a million words.
    PositionalTrigramTokens,
    /// The surprisal of each letter and of the end: the root of the mean squared difference.
    SurprisalProfile,
    /// Groups of vowels.
    VowelGroups,
    /// Coltheart's N in the other lexicon.
    OtherColtheartN,
    /// OLD20 in the other lexicon.
    OtherOld20,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 12] = [
        Self::LogProbability,
        Self::ColtheartN,
        Self::Old20,
        Self::BigramFrequency,
        Self::PositionalBigramTypes,
        Self::PositionalBigramTokens,
        Self::PositionalTrigramTypes,
        Self::PositionalTrigramTokens,
        Self::SurprisalProfile,
        Self::VowelGroups,
        Self::OtherColtheartN,
        Self::OtherOld20,
    ];
    /// What is matched on unless something else is said.
    pub const DEFAULT: [Self; 4] =
        [Self::LogProbability, Self::ColtheartN, Self::Old20, Self::BigramFrequency];

    /// Its name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::LogProbability => "log-probability",
            Self::ColtheartN => "coltheart-n",
            Self::Old20 => "old20",
            Self::BigramFrequency => "bigram-frequency",
            Self::PositionalBigramTypes => "positional-bigram-types",
            Self::PositionalBigramTokens => "positional-bigram-tokens",
            Self::PositionalTrigramTypes => "positional-trigram-types",
            Self::PositionalTrigramTokens => "positional-trigram-tokens",
            Self::SurprisalProfile => "surprisal-profile",
            Self::VowelGroups => "vowel-groups",
            Self::OtherColtheartN => "other-coltheart-n",
            Self::OtherOld20 => "other-old20",
        }
    }

    /// Its name in tables and JSON.
    pub fn field(self) -> String {
        self.name().replace('-', "_")
    }

    /// A word's figure; none if it has none. A profile is no single figure.
    pub fn of(self, word: &MeasuredWord) -> Option<f64> {
        let MeasuredWord { score, letters, other, .. } = word;
        match self {
            Self::LogProbability => Some(score.log_probability),
            Self::ColtheartN => Some(letters.coltheart_n as f64),
            Self::Old20 => letters.old20,
            Self::BigramFrequency => letters.bigram_frequency,
            Self::PositionalBigramTypes => letters.positional_bigram_types,
            Self::PositionalBigramTokens => letters.positional_bigram_tokens,
            Self::PositionalTrigramTypes => letters.positional_trigram_types,
            Self::PositionalTrigramTokens => letters.positional_trigram_tokens,
            Self::SurprisalProfile => None,
            Self::VowelGroups => letters.shape.as_ref().map(|shape| shape.vowel_groups as f64),
            Self::OtherColtheartN => other.as_ref().map(|other| other.coltheart_n as f64),
            Self::OtherOld20 => other.as_ref().and_then(|other| other.old20),
        }
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A measure, how much it matters, and how far a match may be off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Criterion {
    /// The measure.
    pub measure: Measure,
    /// Its weight against the others; 1 is usual.
    pub weight: f64,
    /// The largest difference of a match, in the measure's own unit; 0 is exact.
    pub tolerance: Option<f64>,
}

impl Criterion {
    /// A measure of weight 1.
    pub fn new(measure: Measure) -> Self {
        Self { measure, weight: 1.0, tolerance: None }
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

/// A name that none of the measures, or none of the features, has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{found}` is none of {known}")]
pub struct UnknownName {
    found: String,
    known: String,
}

fn find<T: Copy>(found: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, UnknownName> {
    let normal = found.trim().to_lowercase().replace('_', "-");
    let names = || all.iter().map(|&one| name(one)).collect::<Vec<_>>().join(", ");
    let unknown = || UnknownName { found: found.to_owned(), known: names() };
    all.iter().copied().find(|&one| name(one) == normal).ok_or_else(unknown)
}

impl FromStr for Measure {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find(text, &Self::ALL, Self::name)
    }
}

impl FromStr for Feature {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find(text, &Self::ALL, Self::name)
    }
}
