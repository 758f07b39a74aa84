//! The columns of measured words. `docs/statistics.md` describes each.

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};
use wug::measure::{LetterStatistics, Measure, MeasuredWord, Score, ScoredWord, Shape};

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
    VowelGroups,
    Onset,
    Ending,
    NearestDistance,
    Nearest,
    ColtheartNPercentile,
    Old20Percentile,
    BigramFrequencyPercentile,
    PositionalBigramTypesPercentile,
    PositionalBigramTokensPercentile,
    PositionalTrigramTypesPercentile,
    PositionalTrigramTokensPercentile,
    VowelGroupsPercentile,
    OtherLexicality,
    OtherColtheartN,
    OtherOld20,
    OtherNearestDistance,
    OtherNearest,
    OtherColtheartNPercentile,
    OtherOld20Percentile,
}

impl Column {
    /// The columns of a table, in their order: those of percentiles and of another lexicon only if they are asked for.
    pub(crate) fn all(ranked: bool, beside: bool) -> Vec<Self> {
        let is_shown =
            |column: &Self| (ranked || column.ranks().is_none()) && (beside || !column.is_of_other());
        Self::value_variants().iter().copied().filter(is_shown).collect()
    }

    /// The name in the header.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether it compares a word's probability with those of others.
    pub(crate) fn is_percentile(self) -> bool {
        matches!(self, Self::LexiconPercentile | Self::RandomPercentile)
    }

    /// Whether it compares a word's letters with a lexicon.
    pub(crate) fn is_of_letters(self) -> bool {
        !matches!(
            self,
            Self::Word | Self::Length | Self::LogProbability | Self::StandardError | Self::Surprisals
        ) && !self.is_percentile()
    }

    /// Whether it needs another lexicon.
    pub(crate) fn is_of_other(self) -> bool {
        self.name().starts_with("other_")
    }

    /// The measure that it is the percentile of.
    pub(crate) fn ranks(self) -> Option<Measure> {
        match self {
            Self::ColtheartNPercentile => Some(Measure::ColtheartN),
            Self::Old20Percentile => Some(Measure::Old20),
            Self::BigramFrequencyPercentile => Some(Measure::BigramFrequency),
            Self::PositionalBigramTypesPercentile => Some(Measure::PositionalBigramTypes),
            Self::PositionalBigramTokensPercentile => Some(Measure::PositionalBigramTokens),
            Self::PositionalTrigramTypesPercentile => Some(Measure::PositionalTrigramTypes),
            Self::PositionalTrigramTokensPercentile => Some(Measure::PositionalTrigramTokens),
            Self::VowelGroupsPercentile => Some(Measure::VowelGroups),
            Self::OtherColtheartNPercentile => Some(Measure::OtherColtheartN),
            Self::OtherOld20Percentile => Some(Measure::OtherOld20),
            _ => None,
        }
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
    pub(crate) fn json(self, Parts { word, spelling, score, measured }: Parts<'_>) -> Value {
        if let Some(measure) = self.ranks() {
            return json!(measured.and_then(|measured| measured.percentile(measure)));
        }
        let letters = measured.map(|measured| &measured.letters);
        let of_letters = |value: &dyn Fn(&LetterStatistics) -> Value| letters.map_or(Value::Null, value);
        let other = measured.and_then(|measured| measured.other.as_ref());
        let of_other = |value: &dyn Fn(&LetterStatistics) -> Value| other.map_or(Value::Null, value);
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
            Self::VowelGroups => of_shape(&|shape| json!(shape.vowel_groups)),
            Self::NearestDistance => of_letters(&|letters| json!(letters.nearest_distance)),
            Self::Nearest => of_letters(&|letters| json!(letters.nearest)),
            Self::OtherLexicality => of_other(&|other| json!(other.lexicality)),
            Self::OtherColtheartN => of_other(&|other| json!(other.coltheart_n)),
            Self::OtherOld20 => of_other(&|other| json!(other.old20)),
            Self::OtherNearestDistance => of_other(&|other| json!(other.nearest_distance)),
            Self::OtherNearest => of_other(&|other| json!(other.nearest)),
            Self::ColtheartNPercentile
            | Self::Old20Percentile
            | Self::BigramFrequencyPercentile
            | Self::PositionalBigramTypesPercentile
            | Self::PositionalBigramTokensPercentile
            | Self::PositionalTrigramTypesPercentile
            | Self::PositionalTrigramTokensPercentile
            | Self::VowelGroupsPercentile
            | Self::OtherColtheartNPercentile
            | Self::OtherOld20Percentile => Value::Null,
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
    /// None if the model's judgement is all that was asked for.
    pub(crate) measured: Option<&'a MeasuredWord>,
}

/// A word with measures.
pub(crate) trait Row: Serialize {
    /// What they are.
    fn parts(&self) -> Parts<'_>;
}

impl Row for MeasuredWord {
    fn parts(&self) -> Parts<'_> {
        let Self { word, spelling, score, .. } = self;
        Parts { word, spelling, score, measured: Some(self) }
    }
}

impl Row for ScoredWord {
    fn parts(&self) -> Parts<'_> {
        let Self { word, spelling, score } = self;
        Parts { word, spelling, score, measured: None }
    }
}
