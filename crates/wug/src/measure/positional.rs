//! Position-specific bigrams and trigrams, and the letters in a row that a lexicon has at all.
//!
//! A bigram or trigram is *constrained*, as MCWord has it (Medler & Binder 2005): the same letters at the same place in words of the same
//! length. A word's figure is the mean over its places of the number of the lexicon's words that have it there (types), or of their
//! summed frequency in a million (tokens: `N2_F` and `N3_F` of MCWord; the ARC Nonword Database lists both kinds too).

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::lexicon::{END, Lexicon, Symbol};

/// Letters at a place of words of a length: `(length, place, letters)`.
type Key = (u16, u16, [Symbol; 3]);

/// How often letters stand at a place of a lexicon's words.
#[derive(Debug, Clone)]
pub(crate) struct PositionalNgrams {
    /// Words and their summed counts. The third letter of a bigram is [`END`].
    counts: HashMap<Key, (u64, u64), RandomState>,
    /// How often three letters in a row occur in words, at any place, with [`END`] on both sides of a word.
    trigrams: HashMap<[Symbol; 3], u64, RandomState>,
    tokens: u64,
}

/// The mean of a word's bigrams or trigrams.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NgramFrequency {
    /// Words of the same length that have the same letters at the same place, the word itself among them if the lexicon has it.
    pub(crate) types: f64,
    /// Their frequency in a million words of running text.
    pub(crate) tokens: f64,
}

impl PositionalNgrams {
    /// Counts the bigrams and trigrams of a lexicon's words.
    pub(crate) fn of(lexicon: &Lexicon) -> Self {
        let mut counts: HashMap<Key, (u64, u64), RandomState> = HashMap::default();
        let mut trigrams: HashMap<[Symbol; 3], u64, RandomState> = HashMap::default();
        for word in lexicon.words() {
            let letters = &word.symbols[..word.symbols.len() - 1];
            for size in [2, 3] {
                for key in keys(letters, size) {
                    let entry = counts.entry(key).or_default();
                    *entry = (entry.0 + 1, entry.1 + word.count);
                }
            }
            bounded(letters).for_each(|trigram| *trigrams.entry(trigram).or_default() += 1);
        }
        Self { counts, trigrams, tokens: lexicon.tokens() }
    }

    /// The mean over the word's bigrams (`size` 2) or trigrams (3); none for words that are too short.
    pub(crate) fn mean(&self, letters: &[Symbol], size: usize) -> Option<NgramFrequency> {
        let places = (letters.len() + 1).checked_sub(size).filter(|&places| places > 0)? as f64;
        let found = keys(letters, size).filter_map(|key| self.counts.get(&key));
        let (types, tokens) = found.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let million = 1e6 / self.tokens.max(1) as f64;
        Some(NgramFrequency { types: types as f64 / places, tokens: tokens as f64 * million / places })
    }

    /// How often the rarest of the word's trigrams occurs in the lexicon's words, at any place; the beginning and the end of a word count
    /// as letters. Zero means that no word spells like this.
    pub(crate) fn rarest_trigram(&self, letters: &[Symbol]) -> u64 {
        bounded(letters).map(|trigram| self.trigram(trigram)).min().unwrap_or(0)
    }

    /// How often a trigram occurs, with [`END`] for the beginning and the end of a word.
    pub(crate) fn trigram(&self, letters: [Symbol; 3]) -> u64 {
        self.trigrams.get(&letters).copied().unwrap_or(0)
    }
}

fn keys(letters: &[Symbol], size: usize) -> impl Iterator<Item = Key> {
    let length = letters.len() as u16;
    // A letter that the lexicon lacks is `END`, which no entry has before its last letter.
    letters.windows(size).zip(0..).map(move |(own, place)| {
        let third = if size == 3 { own[2] } else { END };
        let strange = own.contains(&END);
        (if strange { 0 } else { length }, place, [own[0], own[1], third])
    })
}

/// All trigrams, with the end on both sides.
fn bounded(letters: &[Symbol]) -> impl Iterator<Item = [Symbol; 3]> {
    let at = |place: usize| place.checked_sub(1).and_then(|place| letters.get(place)).copied().unwrap_or(END);
    (0..letters.len()).map(move |place| [at(place), at(place + 1), at(place + 2)])
}
