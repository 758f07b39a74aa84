//! The weighting of words: how often a word is drawn in training, and how much it counts in a cross entropy.
//!
//! A word that occurs c times has the weight c (`tokens`, running text) or 1 (`types`, every word alike). For new words, or the
//! word-likeness of nonwords, types are right.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Lexicon;
use crate::suggest::UnknownName;

/// The weight of a word that occurs some number of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weighting {
    /// As often as it occurs.
    Tokens,
    /// All words the same.
    Types,
}

impl FromStr for Weighting {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        match text {
            "tokens" => Ok(Self::Tokens),
            "types" => Ok(Self::Types),
            other => Err(UnknownName::new("weighting", other, ["tokens", "types"])),
        }
    }
}

impl fmt::Display for Weighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tokens => "tokens",
            Self::Types => "types",
        })
    }
}

impl Lexicon {
    /// The same words with their weights for counts: what is drawn from it, counted in it or averaged over it goes by
    /// weight.
    pub fn weighted(&self, weighting: Weighting) -> Self {
        match weighting {
            Weighting::Tokens => self.clone(),
            Weighting::Types => {
                let counts = self.counts.iter().map(|&count| u64::from(count > 0)).collect();
                Self::with_counts(Arc::clone(&self.vocabulary), counts)
            }
        }
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
        assert_eq!(lexicon().weighted(Weighting::Tokens), lexicon());
        assert_eq!(lexicon().weighted(Weighting::Types).counts(), [1, 1, 1]);
    }

    #[test]
    fn words_that_do_not_occur_have_no_weight() {
        let split = lexicon().split(crate::lexicon::SplitKind::Types, 3);
        for weighting in [Weighting::Tokens, Weighting::Types] {
            assert_eq!(split.train.weighted(weighting).types(), split.train.types());
        }
    }

    #[test]
    fn ngrams_count_by_weight() {
        let lexicon = lexicon();
        let fits = |weighting: Weighting| {
            let part = lexicon.weighted(weighting);
            Ngrams::of(&part, 3, Smoothing::WittenBell)
                .unwrap()
                .fits(part.words().map(|word| (word.symbols, word.count)))
        };
        let once = Lexicon::from_counts([("wug", 1), ("blick", 1), ("dax", 1)]).unwrap();
        let expected = Ngrams::of(&once, 3, Smoothing::WittenBell)
            .unwrap()
            .fits(once.words().map(|word| (word.symbols, 1)));
        for (found, expected) in fits(Weighting::Types).iter().zip(expected) {
            assert!((found.cross_entropy - expected.cross_entropy).abs() < 1e-12, "{found:?} {expected:?}");
        }
        assert!(fits(Weighting::Types)[2].cross_entropy > fits(Weighting::Tokens)[2].cross_entropy);
    }

    #[test]
    fn names_are_read_and_others_refused() {
        for (text, weighting) in [("tokens", Weighting::Tokens), ("types", Weighting::Types)] {
            assert_eq!(text.parse(), Ok(weighting));
            assert_eq!(weighting.to_string(), text);
        }
        for text in ["-1", "0.5", "", "token"] {
            let error = text.parse::<Weighting>().unwrap_err().to_string();
            assert!(error.contains("tokens") && error.contains("types"), "{error}");
        }
    }
}
