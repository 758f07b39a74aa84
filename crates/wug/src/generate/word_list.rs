//! Many words in flat arrays.

use crate::lexicon::Symbol;

/// Words as symbols without the end, and how many tries each took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WordList {
    symbols: Vec<Symbol>,
    ends: Vec<(usize, u64)>,
}

impl WordList {
    /// Appends a word that `tries` tries led to.
    pub(crate) fn push(&mut self, letters: &[Symbol], tries: u64) {
        self.symbols.extend_from_slice(letters);
        self.ends.push((self.symbols.len(), tries));
    }

    /// The number of words.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no word.
    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A word with the tries that it took, its own among them; none after the last.
    pub(crate) fn get(&self, number: usize) -> Option<(&[Symbol], u64)> {
        let &(end, tries) = self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before].0);
        Some((&self.symbols[start..end], tries))
    }

    /// The words after the first ones.
    pub(crate) fn after(&self, first: usize) -> Self {
        let mut rest = Self::default();
        for (letters, tries) in (first..self.len()).filter_map(|number| self.get(number)) {
            rest.push(letters, tries);
        }
        rest
    }

    /// The words' letters.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Symbol]> {
        (0..self.len()).filter_map(|number| Some(self.get(number)?.0))
    }
}
