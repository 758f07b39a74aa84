//! Many words in flat arrays.

use crate::lexicon::Symbol;

/// Words as symbols without the end, and how many tries each took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    symbols: Vec<Symbol>,
    ends: Vec<(usize, u64)>,
}

impl Words {
    /// Appends a word that `tries` tries led to.
    pub(crate) fn push(&mut self, letters: &[Symbol], tries: u64) {
        self.symbols.extend_from_slice(letters);
        self.ends.push((self.symbols.len(), tries));
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A word's letters.
    ///
    /// # Panics
    /// If there is no word of this number.
    pub fn letters(&self, number: usize) -> &[Symbol] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before].0);
        &self.symbols[start..self.ends[number].0]
    }

    /// The words with the tries that each took, its own among them.
    pub fn iter(&self) -> impl Iterator<Item = (&[Symbol], u64)> {
        (0..self.len()).map(|number| (self.letters(number), self.ends[number].1))
    }
}
