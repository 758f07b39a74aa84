//! Are generated words words? The paper's `w ∈ V` and `w ∈ V unique`.

use std::collections::HashSet;

use serde::Serialize;

use crate::lexicon::{END, Lexicon, Symbol};

/// Shares of generated words.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Membership {
    /// Generated words.
    pub words: usize,
    /// `w ∈ V`: the share of them that are in the vocabulary.
    pub in_vocabulary: f64,
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
        Self {
            words: words.len(),
            in_vocabulary: share(inside.len()),
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
        assert_eq!(membership, Membership { words: 5, in_vocabulary: 0.6, in_vocabulary_unique: 0.4 });
    }
}
