//! The columns of measured words. `docs/statistics.md` describes each.

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};
use wug::measure::{LetterStatistics, MeasuredWord, Score, ScoredWord, Shape};

/// What a column shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Column {
    Word,
    Length,
    LogProbability,
    StandardError,
    LexiconPercentile,
    RandomPercentile,
    Surprisals,
    Lexicality,
    ColtheartN,
    Old20,
    BigramFrequency,
    PositionalBigramTypes,
    PositionalBigramTokens,
    PositionalTrigramTypes,
    PositionalTrigramTokens,
    RarestTrigram,
    Skeleton,
    Onset,
    Ending,
    NearestDistance,
    Nearest,
}

impl Column {
    /// All columns, in the order of the table.
    pub(crate) fn all() -> &'static [Self] {
        Self::value_variants()
    }

    /// The name in the header.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether it compares a word's probability with those of others.
    pub(crate) fn is_percentile(self) -> bool {
        matches!(self, Self::LexiconPercentile | Self::RandomPercentile)
    }

    /// Whether it compares a word's letters with the lexicon.
    pub(crate) fn is_of_letters(self) -> bool {
        use Column::{
            Length, LexiconPercentile, LogProbability, RandomPercentile, StandardError, Surprisals, Word,
        };
        !matches!(
            self,
            Word | Length
                | LogProbability
                | StandardError
                | LexiconPercentile
                | RandomPercentile
                | Surprisals
        )
    }

    /// A word's field; empty where there is nothing.
    pub(crate) fn text(self, row: Parts<'_>) -> String {
        let joined = |values: &[Value]| values.iter().map(field).collect::<Vec<_>>().join(" ");
        match self.json(row) {
            Value::Array(values) => joined(&values),
            value => field(&value),
        }
    }

    /// The same as JSON.
    pub(crate) fn json(self, Parts { word, spelling, score, letters }: Parts<'_>) -> Value {
        let of_letters = |value: &dyn Fn(&LetterStatistics) -> Value| letters.map_or(Value::Null, value);
        let of_shape = |value: &dyn Fn(&Shape) -> Value| {
            of_letters(&|letters| letters.shape.as_ref().map_or(Value::Null, value))
        };
        match self {
            Self::Word => json!(word),
            Self::Length => json!(spelling.len()),
            Self::LogProbability => json!(score.log_probability),
            Self::StandardError => json!(score.standard_error),
            Self::LexiconPercentile => json!(score.lexicon_percentile),
            Self::RandomPercentile => json!(score.random_percentile),
            Self::Surprisals => json!(score.surprisals),
            Self::Lexicality => of_letters(&|letters| json!(letters.lexicality)),
            Self::ColtheartN => of_letters(&|letters| json!(letters.coltheart_n)),
            Self::Old20 => of_letters(&|letters| json!(letters.old20)),
            Self::BigramFrequency => of_letters(&|letters| json!(letters.bigram_frequency)),
            Self::PositionalBigramTypes => of_letters(&|letters| json!(letters.positional_bigram_types)),
            Self::PositionalBigramTokens => of_letters(&|letters| json!(letters.positional_bigram_tokens)),
            Self::PositionalTrigramTypes => of_letters(&|letters| json!(letters.positional_trigram_types)),
            Self::PositionalTrigramTokens => of_letters(&|letters| json!(letters.positional_trigram_tokens)),
            Self::RarestTrigram => of_letters(&|letters| json!(letters.rarest_trigram)),
            Self::Skeleton => of_shape(&|shape| json!(shape.skeleton)),
            Self::Onset => of_shape(&|shape| json!(shape.onset)),
            Self::Ending => of_shape(&|shape| json!(shape.ending)),
            Self::NearestDistance => of_letters(&|letters| json!(letters.nearest_distance)),
            Self::Nearest => of_letters(&|letters| json!(letters.nearest)),
        }
    }
}

/// A value as it stands in a table: whole numbers as they are, others with four places.
fn field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => format!("{:.4}", number.as_f64().unwrap_or(f64::NAN)),
        other => other.to_string(),
    }
}

/// What is known of a word.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) word: &'a str,
    pub(crate) spelling: &'a [String],
    pub(crate) score: &'a Score,
    /// None if they were not asked for.
    pub(crate) letters: Option<&'a LetterStatistics>,
}

/// A word with measures.
pub(crate) trait Row: Serialize {
    /// What they are.
    fn parts(&self) -> Parts<'_>;
}

impl Row for MeasuredWord {
    fn parts(&self) -> Parts<'_> {
        let Self { word, spelling, score, letters, .. } = self;
        Parts { word, spelling, score, letters: Some(letters) }
    }
}

impl Row for ScoredWord {
    fn parts(&self) -> Parts<'_> {
        let Self { word, spelling, score } = self;
        Parts { word, spelling, score, letters: None }
    }
}
