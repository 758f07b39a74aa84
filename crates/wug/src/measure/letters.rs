//! All that letters alone say about a word, next to a lexicon.

use serde::Serialize;

use super::bigrams::Bigrams;
use super::neighbours::{Neighbourhood, Neighbours};
use super::parallel;
use super::positional::PositionalNgrams;
use super::shape::Shape;
use crate::lexicon::letters::{letters, normalise};
use crate::lexicon::{END, Lexicon, Symbol};
use crate::vowels::Vowels;

/// Nearest words that are named.
const NAMED: usize = 5;

/// Whether a lexicon has a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lexicality {
    /// It has.
    Word,
    /// It has not.
    Nonword,
}

impl Lexicality {
    /// As it is written in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Word => "word",
            Self::Nonword => "nonword",
        }
    }
}

/// Statistics of a word's letters. `docs/statistics.md` gives the definitions with their sources.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LetterStatistics {
    /// Letters.
    pub length: usize,
    /// Whether the word is in the lexicon.
    pub lexicality: Lexicality,
    /// Coltheart's N: words of the lexicon that differ in one letter.
    pub coltheart_n: usize,
    /// Mean Levenshtein distance to the twenty nearest words; none if the lexicon has fewer.
    pub old20: Option<f64>,
    /// Mean frequency of the word's bigrams; none for a single letter.
    pub bigram_frequency: Option<f64>,
    /// Words of the same length with the same bigram at the same place, the mean over the word's bigrams; none for a single letter.
    pub positional_bigram_types: Option<f64>,
    /// The same by their frequency in a million words.
    pub positional_bigram_tokens: Option<f64>,
    /// Words of the same length with the same trigram at the same place, the mean over the word's trigrams; none for fewer than three letters.
    pub positional_trigram_types: Option<f64>,
    /// The same by their frequency in a million words.
    pub positional_trigram_tokens: Option<f64>,
    /// How often the rarest of the word's trigrams, beginning and end included, occurs in the lexicon's words.
    pub rarest_trigram: u64,
    /// Consonants and vowels; none in scripts that the table of vowels lacks.
    #[serde(flatten)]
    pub shape: Option<Shape>,
    /// The distance of the nearest words; none if there is no other word.
    pub nearest_distance: Option<usize>,
    /// The nearest words: up to five at the smallest distance, the most frequent first.
    pub nearest: Vec<String>,
}

/// Measures words against a lexicon.
#[derive(Debug)]
pub struct LetterMeasures<'a> {
    neighbours: Neighbours<'a>,
    bigrams: Bigrams,
    positional: PositionalNgrams,
    vowels: Vowels,
}

impl<'a> LetterMeasures<'a> {
    /// Prepares to measure against a lexicon.
    pub fn of(lexicon: &'a Lexicon) -> Self {
        Self {
            neighbours: Neighbours::of(lexicon),
            bigrams: Bigrams::of(lexicon),
            positional: PositionalNgrams::of(lexicon),
            vowels: Vowels::of(lexicon.alphabet()),
        }
    }

    /// The lexicon.
    pub fn lexicon(&self) -> &'a Lexicon {
        self.neighbours.lexicon()
    }

    /// Measures a word, which may have letters that the lexicon lacks.
    pub fn measure(&self, word: &str) -> LetterStatistics {
        let shape = Shape::of(letters(&normalise(word, false)), self.vowels);
        let letters = self.neighbours.letters(word);
        let found = self.neighbours.around(&letters);
        let [bigrams, trigrams] = [2, 3].map(|size| self.positional.mean(&letters, size));
        LetterStatistics {
            length: letters.len(),
            lexicality: if found.word.is_some() { Lexicality::Word } else { Lexicality::Nonword },
            coltheart_n: found.substitutions,
            old20: found.old20(),
            bigram_frequency: self.bigrams.mean(&letters),
            positional_bigram_types: bigrams.map(|mean| mean.types),
            positional_bigram_tokens: bigrams.map(|mean| mean.tokens),
            positional_trigram_types: trigrams.map(|mean| mean.types),
            positional_trigram_tokens: trigrams.map(|mean| mean.tokens),
            rarest_trigram: self.positional.rarest_trigram(&letters),
            shape,
            nearest_distance: found.nearest.first().map(|nearest| nearest.distance),
            nearest: self.named(&found),
        }
    }

    /// How often the rarest of a word's trigrams occurs, which takes little time.
    pub fn rarest_trigram(&self, word: &str) -> u64 {
        self.positional.rarest_trigram(&self.neighbours.letters(word))
    }

    /// The lexicon's number of a letter; [`END`] if it lacks it.
    pub(crate) fn symbol(&self, letter: &str) -> Symbol {
        self.lexicon().alphabet().symbol(letter).unwrap_or(END)
    }

    /// How often three letters in a row occur in the lexicon's words; [`END`] stands for their beginning and end.
    pub(crate) fn trigram(&self, letters: [Symbol; 3]) -> u64 {
        self.positional.trigram(letters)
    }

    /// Measures words on several threads.
    pub fn measure_all<W: AsRef<str> + Sync>(&self, words: &[W], threads: usize) -> Vec<LetterStatistics> {
        parallel::map(words, threads, |word| self.measure(word.as_ref()))
    }

    fn named(&self, found: &Neighbourhood) -> Vec<String> {
        let smallest = found.nearest.first().map(|nearest| nearest.distance);
        let nearest = found.nearest.iter().take_while(|other| Some(other.distance) == smallest);
        let vocabulary = self.lexicon().vocabulary();
        nearest.take(NAMED).map(|other| vocabulary.text(other.word).to_owned()).collect()
    }
}
