//! What measures are read off: a word, the model's judgement of it, and the word next to a lexicon.

use std::cell::OnceCell;

use super::list_index::ListIndex;
use super::neighbours::Neighbourhood;
use super::positional::NgramFrequency;
use super::reference::Reference;
use super::score::Score;
use super::shape::Shape;
use crate::lexicon::Symbol;

/// A word with all that its measures are read off. What takes time is computed when a measure asks for it.
#[derive(Debug)]
pub struct Evidence<'a> {
    pub(super) word: &'a str,
    pub(super) letters: &'a [String],
    pub(super) score: Option<&'a Score>,
    pub(super) reference: Option<&'a Reference>,
    pub(super) list: Option<InList<'a>>,
}

impl<'a> Evidence<'a> {
    /// The word, in normal form C.
    pub fn word(&self) -> &'a str {
        self.word
    }

    /// Its letters.
    pub fn letters(&self) -> &'a [String] {
        self.letters
    }

    /// What the model says, if the measure needs the [model](super::Need::Model).
    pub fn score(&self) -> Option<&'a Score> {
        self.score
    }

    /// The word next to the lexicon, if the measure needs the [lexicon](super::Need::Lexicon).
    pub fn list(&self) -> Option<&InList<'a>> {
        self.list.as_ref()
    }

    /// The log-probabilities of words and strings of the length, if there are enough.
    pub(super) fn reference(&self) -> Option<&'a Reference> {
        self.reference
    }
}

/// A word next to a lexicon.
#[derive(Debug)]
pub struct InList<'a> {
    index: &'a ListIndex,
    word: &'a str,
    letters: &'a [String],
    symbols: Vec<Symbol>,
    neighbours: OnceCell<Neighbourhood>,
    shape: OnceCell<Option<Shape>>,
}

impl<'a> InList<'a> {
    pub(super) fn new(index: &'a ListIndex, word: &'a str, letters: &'a [String]) -> Self {
        let symbols = index.symbols(letters.iter().map(String::as_str));
        Self { index, word, letters, symbols, neighbours: OnceCell::new(), shape: OnceCell::new() }
    }

    fn neighbours(&self) -> &Neighbourhood {
        self.neighbours.get_or_init(|| self.index.neighbours().around(&self.symbols))
    }

    /// How often the lexicon has the word; none if it lacks it.
    pub fn count(&self) -> Option<u64> {
        self.index.count(self.word)
    }

    /// How many times a million times the word is counted in the lexicon.
    pub fn per_million(&self) -> f64 {
        self.count().unwrap_or(0) as f64 * 1e6 / self.index.lexicon().tokens().max(1) as f64
    }

    /// The word's frequency on the Zipf scale, with one more added to each word's count (van Heuven, Mandera, Keuleers & Brysbaert 2014).
    pub fn zipf(&self) -> f64 {
        let lexicon = self.index.lexicon();
        let all = lexicon.tokens() as f64 + lexicon.types() as f64;
        libm::log10((self.count().unwrap_or(0) as f64 + 1.0) / all) + 9.0
    }

    /// Words of the same length that differ in one letter.
    pub fn coltheart_n(&self) -> u64 {
        self.neighbours().substitutions as u64
    }

    /// The mean distance to the twenty nearest words; none if the lexicon has fewer.
    pub fn old20(&self) -> Option<f64> {
        self.neighbours().old20
    }

    /// The distance of the nearest words; none if there is no other word.
    pub fn nearest_distance(&self) -> Option<u64> {
        self.neighbours().distance.map(|distance| distance as u64)
    }

    /// Up to five words at the smallest distance, the most frequent first.
    pub fn nearest(&self) -> Vec<String> {
        let vocabulary = self.index.lexicon().vocabulary();
        self.neighbours().nearest.iter().map(|&word| vocabulary.text(word).to_owned()).collect()
    }

    /// The mean frequency of the pairs of letters; none for fewer than two letters.
    pub fn bigram_frequency(&self) -> Option<f64> {
        self.index.bigrams().mean(&self.symbols)
    }

    /// Bigrams or trigrams at their places; none for words that are too short.
    pub(super) fn positional(&self, size: usize) -> Option<NgramFrequency> {
        self.index.positional().mean(&self.symbols, size)
    }

    /// How often the rarest of the word's trigrams occurs, its beginning and end included.
    pub fn rarest_trigram(&self) -> u64 {
        self.index.positional().rarest_trigram(&self.symbols)
    }

    /// Consonants and vowels; none in scripts that the table of vowels lacks.
    pub fn shape(&self) -> Option<&Shape> {
        let letters = || self.letters.iter().map(String::as_str);
        self.shape.get_or_init(|| Shape::of(letters(), self.index.vowels())).as_ref()
    }

    /// The logarithm of the probability of the letters and the end, each by its share among those of the lexicon's words; none if the lexicon
    /// lacks a letter.
    pub fn unigram_log_probability(&self) -> Option<f64> {
        let logs = self.index.symbol_logs();
        let log = |&symbol: &Symbol| (symbol != crate::lexicon::END).then(|| logs[usize::from(symbol)]);
        let letters: Option<f64> = self.symbols.iter().map(log).sum();
        Some(letters? + logs[usize::from(crate::lexicon::END)])
    }
}
