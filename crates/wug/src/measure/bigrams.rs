//! Mean bigram frequency: how common a word's pairs of letters are.
//!
//! The frequency of a pair is the number of times it occurs in the words of the lexicon, at any place, each word counted once
//! (types). A word's figure is the mean over its pairs of successive letters. This is `BG_Mean` of the English Lexicon Project
//! (Balota et al. 2007), with this lexicon in place of theirs.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::lexicon::{END, Lexicon, Symbol};

/// How often each pair of letters occurs in the words of a lexicon.
#[derive(Debug, Clone)]
pub(crate) struct Bigrams {
    counts: HashMap<(Symbol, Symbol), u64, RandomState>,
}

impl Bigrams {
    /// Counts the pairs of a lexicon's words.
    pub(crate) fn of(lexicon: &Lexicon) -> Self {
        let mut counts: HashMap<_, u64, RandomState> = HashMap::default();
        for word in lexicon.words() {
            for pair in pairs(word.symbols).filter(|&(_, second)| second != END) {
                *counts.entry(pair).or_default() += 1;
            }
        }
        Self { counts }
    }

    /// The mean frequency of the pairs of letters, which are without the end symbol; none for fewer than two letters. A letter
    /// that the lexicon lacks is [`END`], which is in no pair.
    pub(crate) fn mean(&self, letters: &[Symbol]) -> Option<f64> {
        let total: u64 = pairs(letters).map(|pair| self.counts.get(&pair).copied().unwrap_or(0)).sum();
        (letters.len() > 1).then(|| total as f64 / (letters.len() - 1) as f64)
    }
}

fn pairs(letters: &[Symbol]) -> impl Iterator<Item = (Symbol, Symbol)> {
    letters.windows(2).map(|pair| (pair[0], pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_at_any_place_once_for_each_word_they_are_in() {
        let lexicon = Lexicon::from_counts([("abab", 100), ("bab", 1), ("c", 5)]).unwrap();
        let bigrams = Bigrams::of(&lexicon);
        let mean = |word: &str| {
            let letters: Vec<Symbol> = word
                .chars()
                .map(|letter| lexicon.alphabet().symbol(&letter.to_string()).unwrap_or(END))
                .collect();
            bigrams.mean(&letters)
        };
        // `ab` twice in `abab` and once in `bab`, `ba` once in each; counts of words do not matter.
        assert_eq!(mean("ab"), Some(3.0));
        assert_eq!(mean("aba"), Some(2.5));
        assert_eq!(mean("abc"), Some(1.5));
        assert_eq!(mean("cx"), Some(0.0));
        assert_eq!((mean("a"), mean("")), (None, None));
    }
}
