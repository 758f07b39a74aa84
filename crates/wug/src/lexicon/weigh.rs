//! What a word weighs: how often it is drawn in training, and how much it counts in a cross entropy.
//!
//! A word that occurs c times weighs f(c): c itself (`tokens`, running text), 1 (`types`, every word alike) or a power
//! `c^α` between them. Who wants new words, or the word-likeness of nonwords, wants types.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use super::Lexicon;

/// The largest power of a count.
const MAX_POWER: f64 = 4.0;

/// Powers are kept as whole numbers: this is what a weight of 1 becomes if the sum allows it.
const ONE: f64 = (1 << 20) as f64;
/// What all weights add up to at most, nearly.
const MOST: f64 = (1_u64 << 60) as f64;

/// What a word weighs that occurs some number of times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weigh {
    /// As often as it occurs.
    Tokens,
    /// All words the same.
    Types,
    /// This power of how often it occurs.
    Power(f64),
}

/// What is neither a name nor a power.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` does not tell what words weigh; expected `tokens`, `types` or a power of the count from 0 to {MAX_POWER}"
)]
pub struct UnknownWeigh(String);

impl Weigh {
    /// A power of the count.
    ///
    /// # Errors
    /// When it is negative, NaN or too large.
    pub(crate) fn power(power: f64) -> Result<Self, UnknownWeigh> {
        if (0.0..=MAX_POWER).contains(&power) {
            Ok(Self::Power(power))
        } else {
            Err(UnknownWeigh(power.to_string()))
        }
    }
}

impl FromStr for Weigh {
    type Err = UnknownWeigh;

    fn from_str(text: &str) -> Result<Self, UnknownWeigh> {
        match text {
            "tokens" => Ok(Self::Tokens),
            "types" => Ok(Self::Types),
            other => {
                let unknown = UnknownWeigh(other.chars().take(40).collect());
                other.parse().ok().and_then(|power| Self::power(power).ok()).ok_or(unknown)
            }
        }
    }
}

impl fmt::Display for Weigh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tokens => f.write_str("tokens"),
            Self::Types => f.write_str("types"),
            Self::Power(power) => write!(f, "{power}"),
        }
    }
}

impl Serialize for Weigh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Power(power) => serializer.serialize_f64(*power),
            name => serializer.serialize_str(&name.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Weigh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Weigh;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`tokens`, `types` or a power of the count")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Weigh, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_f64<E: de::Error>(self, power: f64) -> Result<Weigh, E> {
                Weigh::power(power).map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, power: i64) -> Result<Weigh, E> {
                self.visit_f64(power as f64)
            }

            fn visit_u64<E: de::Error>(self, power: u64) -> Result<Weigh, E> {
                self.visit_f64(power as f64)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Lexicon {
    /// The same words with their weights for counts: what is drawn from it, counted in it or averaged over it goes by
    /// weight. The weights are whole numbers, a common unit times those that `weigh` gives, and at least 1.
    pub fn weighed(&self, weigh: Weigh) -> Self {
        let power = match weigh {
            Weigh::Tokens => return self.clone(),
            Weigh::Types => {
                let counts = self.counts.iter().map(|&count| u64::from(count > 0)).collect();
                return Self::with_counts(Arc::clone(&self.vocabulary), counts);
            }
            Weigh::Power(power) => power,
        };
        let weight = |count: u64| if count == 0 { 0.0 } else { libm::pow(count as f64, power) };
        let sum: f64 = self.counts.iter().map(|&count| weight(count)).sum();
        let unit = ONE.min(MOST / sum.max(1.0));
        let whole = |count: u64| if count == 0 { 0 } else { ((unit * weight(count)).round() as u64).max(1) };
        let counts = self.counts.iter().map(|&count| whole(count)).collect();
        Self { unit, ..Self::with_counts(Arc::clone(&self.vocabulary), counts) }
    }

    /// What a word that weighs 1 has for its count: 1 but for [weighed](Self::weighed) words.
    pub(crate) fn unit(&self) -> f64 {
        self.unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Ngrams, Smoothing};

    fn lexicon() -> Lexicon {
        Lexicon::from_counts([("wug", 100), ("blick", 4), ("dax", 1)]).unwrap()
    }

    #[test]
    fn weights_are_functions_of_the_count() {
        assert_eq!(lexicon().weighed(Weigh::Tokens), lexicon());
        assert_eq!(lexicon().weighed(Weigh::Types).counts(), [1, 1, 1]);
        let root = lexicon().weighed(Weigh::Power(0.5));
        assert_eq!(root.counts(), [10 << 20, 2 << 20, 1 << 20]);
        assert_eq!((root.unit(), root.types()), (ONE, 3));
        // The sum of the largest counts stays within 64 bits.
        let large = Lexicon::from_counts([("a", u64::MAX - 1), ("b", 1)]).unwrap();
        for power in [0.0, 0.9, 1.0, 4.0] {
            let weighed = large.weighed(Weigh::Power(power));
            assert!(weighed.tokens() < 1 << 61 && weighed.types() == 2, "{power}");
        }
    }

    #[test]
    fn words_that_do_not_occur_weigh_nothing() {
        let split = lexicon().split(crate::lexicon::SplitKind::Types, 3);
        for weigh in [Weigh::Tokens, Weigh::Types, Weigh::Power(0.3)] {
            assert_eq!(split.train.weighed(weigh).types(), split.train.types());
        }
    }

    /// The names and the powers that mean the same give the same n-grams.
    #[test]
    fn ngrams_count_by_weight() {
        let lexicon = lexicon();
        let fits = |weigh: Weigh| {
            let part = lexicon.weighed(weigh);
            Ngrams::of(&part, 3, Smoothing::WittenBell).unwrap().fits(part.words().map(|word| (word.symbols, word.count)))
        };
        for (name, power) in [(Weigh::Tokens, 1.0), (Weigh::Types, 0.0)] {
            for (own, other) in fits(name).iter().zip(fits(Weigh::Power(power))) {
                assert!((own.cross_entropy - other.cross_entropy).abs() < 1e-9, "{own:?} {other:?}");
            }
        }
        assert!(fits(Weigh::Types)[2].cross_entropy > fits(Weigh::Tokens)[2].cross_entropy);
    }

    #[test]
    fn names_and_powers_are_read_and_others_refused() {
        for (text, weigh) in [("tokens", Weigh::Tokens), ("types", Weigh::Types), ("0.5", Weigh::Power(0.5))]
        {
            assert_eq!(text.parse(), Ok(weigh));
            assert_eq!(weigh.to_string(), text);
        }
        for text in ["-1", "NaN", "1000000000", "inf", "", "token", "-0.1"] {
            let error = text.parse::<Weigh>().unwrap_err().to_string();
            assert!(
                error.contains("expected `tokens`, `types` or a power of the count from 0 to 4"),
                "{error}"
            );
        }
    }
}
