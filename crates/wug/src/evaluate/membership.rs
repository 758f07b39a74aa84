//! Are generated words words? The paper's `w ∈ V` and `w ∈ V unique`.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::lexicon::{END, Lexicon, Symbol};

/// Shares of generated words. The vocabulary V is the training part.
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
    /// The share that is in the whole list: the training part, the test part, and what the filter dropped.
    #[serde(default)]
    pub in_list: Option<f64>,
    /// Distinct words of the whole list among them, divided by the number of generated words.
    #[serde(default)]
    pub in_list_unique: Option<f64>,
}

/// The words that generated words are looked up among.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    vocabulary: HashSet<&'a [Symbol]>,
    /// Words of the list that are not in the vocabulary.
    others: HashSet<Vec<Symbol>>,
}

impl<'a> Known<'a> {
    /// The words that occur in `vocabulary`, and the whole list: all words of `lexicon` and what its filter dropped. A dropped word with
    /// a letter that the model lacks cannot be generated.
    pub(crate) fn new(vocabulary: &'a Lexicon, lexicon: &Lexicon) -> Self {
        let letters = |symbols: &'a [Symbol]| symbols.strip_suffix(&[END]).unwrap_or(symbols);
        let encode = |word: &str| {
            let mut symbols = vocabulary.alphabet().encode(word).ok()?;
            symbols.pop_if(|last| *last == END);
            Some(symbols)
        };
        let kept = lexicon.words().map(|word| word.text);
        let dropped = lexicon.dropped().iter().map(|(word, _)| word.as_ref());
        let vocabulary: HashSet<_> = vocabulary.words().map(|word| letters(word.symbols)).collect();
        let others = kept.chain(dropped).filter_map(encode);
        let others = others.filter(|word| !vocabulary.contains(word.as_slice())).collect();
        Self { vocabulary, others }
    }

    /// Looks up words, given by their symbols without the end.
    pub(crate) fn membership(&self, words: &[Vec<Symbol>]) -> Membership {
        let share = |count: usize| count as f64 / words.len() as f64;
        let shares = |is_in: &dyn Fn(&[Symbol]) -> bool| {
            let inside: Vec<&[Symbol]> =
                words.iter().map(Vec::as_slice).filter(|&word| is_in(word)).collect();
            let distinct: HashSet<&[Symbol]> = inside.iter().copied().collect();
            (share(inside.len()), share(distinct.len()))
        };
        let (in_vocabulary, in_vocabulary_unique) = shares(&|word| self.vocabulary.contains(word));
        let (in_list, in_list_unique) =
            shares(&|word| self.vocabulary.contains(word) || self.others.contains(word));
        Membership {
            words: words.len(),
            in_vocabulary,
            in_vocabulary_error: (in_vocabulary * (1.0 - in_vocabulary) / words.len() as f64).sqrt(),
            in_vocabulary_unique,
            in_list: Some(in_list),
            in_list_unique: Some(in_list_unique),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Filter, WordCounts};

    #[test]
    fn words_are_counted_and_distinct_words_once() {
        let lexicon = Lexicon::from_counts([("ab", 3), ("b", 1)]).unwrap();
        let words = [vec![1, 2], vec![1, 2], vec![2], vec![2, 1], vec![]];
        let expected = Membership {
            words: 5,
            in_vocabulary: 0.6,
            in_vocabulary_error: (0.6 * 0.4 / 5.0f64).sqrt(),
            in_vocabulary_unique: 0.4,
            in_list: Some(0.6),
            in_list_unique: Some(0.4),
        };
        assert_eq!(Known::new(&lexicon, &lexicon).membership(&words), expected);
    }

    /// `ba` is held out, `bb` occurs once and is dropped, and `ç` is no letter of the model.
    #[test]
    fn the_list_has_the_words_that_are_not_learnt_too() {
        let list = [("aa", 9), ("ab", 9), ("ba", 9), ("bb", 1), ("aç", 1)];
        let filter = Filter { min_count: 2, ..Filter::default() };
        let (lexicon, _) = WordCounts::from_counts(list).unwrap().into_lexicon(&filter).unwrap();
        let train = Lexicon::from_counts([("aa", 9), ("ab", 9)]).unwrap();
        let words: [&[Symbol]; 8] = [&[1, 1], &[1, 1], &[2, 1], &[2, 2], &[2, 2], &[1], &[1, 2, 1], &[2]];
        let found = Known::new(&train, &lexicon).membership(&words.map(<[Symbol]>::to_vec));
        assert_eq!((found.in_vocabulary, found.in_vocabulary_unique), (0.25, 0.125));
        assert_eq!((found.in_list, found.in_list_unique), (Some(0.625), Some(0.375)));
    }
}
