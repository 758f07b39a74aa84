//! Are generated words words? The paper's `w ∈ V` and `w ∈ V unique`.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::lexicon::{END, Lexicon, Symbol};

/// Shares of generated words.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Membership {
    /// Generated words.
    pub words: usize,
    /// `w ∈ V`: the share of them that are in the vocabulary.
    pub in_vocabulary: f64,
    /// Its standard error: `√(p (1 − p) / n)`, since words are drawn independently.
    pub in_vocabulary_error: f64,
    /// `w ∈ V unique`: distinct words of the vocabulary among them, divided by the number of generated words.
    pub in_vocabulary_unique: f64,
}

impl Membership {
    /// Looks words, given by their symbols without the end, up among the words that occur in `vocabulary`.
    pub fn of(words: &[Vec<Symbol>], vocabulary: &Lexicon) -> Self {
        let known: HashSet<&[Symbol]> = vocabulary
            .words()
            .map(|word| word.symbols.strip_suffix(&[END]).unwrap_or(word.symbols))
            .collect();
        let inside: Vec<&[Symbol]> =
            words.iter().map(Vec::as_slice).filter(|&word| known.contains(word)).collect();
        let distinct: HashSet<&[Symbol]> = inside.iter().copied().collect();
        let share = |count: usize| count as f64 / words.len() as f64;
        let in_vocabulary = share(inside.len());
        Self {
            words: words.len(),
            in_vocabulary,
            in_vocabulary_error: (in_vocabulary * (1.0 - in_vocabulary) / words.len() as f64).sqrt(),
            in_vocabulary_unique: share(distinct.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_and_distinct_words_once() {
        let lexicon = Lexicon::from_counts([("ab", 3), ("b", 1)]).unwrap();
        let words = [vec![1, 2], vec![1, 2], vec![2], vec![2, 1], vec![]];
        let membership = Membership::of(&words, &lexicon);
        let in_vocabulary_error = (0.6 * 0.4 / 5.0f64).sqrt();
        let expected =
            Membership { words: 5, in_vocabulary: 0.6, in_vocabulary_error, in_vocabulary_unique: 0.4 };
        assert_eq!(membership, expected);
    }
}
