//! Distinct words with their numbers, as text and as symbols, in flat arrays.

use super::alphabet::{Alphabet, AlphabetError, Symbol};

/// A word's number in its vocabulary.
pub(crate) type WordId = u32;

/// Distinct words, numbered from 0, over one alphabet. A lexicon and the two parts of its split share one
/// vocabulary, so a word has the same number in all three.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Vocabulary {
    alphabet: Alphabet,
    text: String,
    text_ends: Vec<usize>,
    symbols: Vec<Symbol>,
    symbol_ends: Vec<usize>,
}

impl Vocabulary {
    /// Words in the order of their numbers. They must be distinct and in normal form C.
    pub(crate) fn new<'a>(words: impl Iterator<Item = &'a str> + Clone) -> Result<Self, AlphabetError> {
        let alphabet = Alphabet::of_words(words.clone())?;
        Self::spelt(words, alphabet)
    }

    /// The same in a given alphabet, which must have all letters.
    pub(crate) fn spelt<'a>(
        words: impl Iterator<Item = &'a str>,
        alphabet: Alphabet,
    ) -> Result<Self, AlphabetError> {
        let (mut text, mut symbols) = (String::new(), Vec::new());
        let (mut text_ends, mut symbol_ends) = (Vec::new(), Vec::new());
        for word in words {
            text.push_str(word);
            text_ends.push(text.len());
            symbols.extend(alphabet.encode(word)?);
            symbol_ends.push(symbols.len());
        }
        Ok(Self { alphabet, text, text_ends, symbols, symbol_ends })
    }

    /// The number of words.
    pub(crate) fn len(&self) -> usize {
        self.text_ends.len()
    }

    /// The numbers of all words.
    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = WordId> + use<> {
        let count =
            WordId::try_from(self.len()).expect("a vocabulary is built with at most `WordId::MAX` words");
        0..count
    }

    /// The symbols that occur.
    pub(crate) fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The word as text.
    ///
    /// # Panics
    /// If the vocabulary has no word of this number.
    pub(crate) fn text(&self, id: WordId) -> &str {
        &self.text[span(&self.text_ends, id)]
    }

    /// The word as symbols: its letters and the end symbol, T in all.
    ///
    /// # Panics
    /// If the vocabulary has no word of this number.
    pub(crate) fn symbols(&self, id: WordId) -> &[Symbol] {
        &self.symbols[span(&self.symbol_ends, id)]
    }
}

fn span(ends: &[usize], id: WordId) -> std::ops::Range<usize> {
    let index = id as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] };
    start..ends[index]
}
