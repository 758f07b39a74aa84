//! The lexicon: from any text to words that can be trained on.
//!
//! Data flow one way: text → [`count_text`] → list → [`read_list`] → [`Filter`] → [`Lexicon`] → [`Split`] →
//! `TileSampler`. A word is its letters followed by the end symbol; a letter is a grapheme cluster after
//! normalisation to NFC, so any script works.
//!
//! ```
//! use wug::lexicon::{Filter, Input, SplitKind, Statistics, bundled, read_list};
//!
//! // The bundled list, with the paper's filter …
//! let (lexicon, summary) = bundled()?.into_lexicon(&Filter::PAPER)?;
//! assert_eq!(lexicon.types(), 50_058);
//! println!("{summary}");
//!
//! // … or one's own.
//! let input = Input::from_reader("my list", "wug\t12\nblick\t7\nzoë\t3\n".as_bytes())?;
//! let (lexicon, _) = read_list(input, false)?.into_lexicon(&Filter::default())?;
//! let word = lexicon.words().next().unwrap();
//! assert_eq!((word.text, word.count), ("wug", 12));
//! assert_eq!(lexicon.alphabet().decode(word.symbols), "wug");
//!
//! // Every occurrence goes to the test part with probability 0.1.
//! let split = lexicon.split(SplitKind::Tokens, 1);
//! assert_eq!(split.train.tokens() + split.test.tokens(), 22);
//! println!("{:.2} nats", Statistics::of(&lexicon).entropy);
//! # Ok::<(), wug::lexicon::LexiconError>(())
//! ```

mod alias;
mod alphabet;
#[cfg(feature = "english")]
mod bundled;
mod count;
mod dictionary;
mod encoding;
mod error;
mod filter;
mod input;
mod known_words;
pub(crate) mod letters;
mod lines;
pub(crate) mod packed;
pub(crate) mod read;
mod seriation;
mod spelling;
mod split;
mod statistics;
mod stream;
mod table;
mod tiles;
mod title_case;
mod trie;
mod vocabulary;
mod weighting;
mod word_counts;
#[cfg(feature = "compression")]
mod zstd;

use std::io::{self, Write};
use std::sync::Arc;

use sha2::{Digest, Sha256};

pub use alphabet::{Alphabet, AlphabetError, END, Symbol};
#[cfg(feature = "english")]
pub use bundled::bundled;
pub use count::{CountRules, LeftOut, TextCounts, count_text};
pub use dictionary::Dictionary;
pub use error::{CountProblem, LexiconError, LineProblem, Place};
pub use filter::{Filter, FilterChanges, Rejection, Summary, Tally};
pub use input::{Format, Input};
pub use known_words::{KnownWords, open_known};
pub use letters::Casing;
pub use read::read_list;
pub use spelling::SpellError;
pub use split::{Split, SplitKind};
pub use statistics::{LengthRow, Statistics};
pub use stream::{ListLine, ListLines, check_word, read_excluded, read_lines};
pub(crate) use table::is_word;
pub use table::{ListOptions, TableColumns};
pub use tiles::TileError;
pub(crate) use trie::Trie;
pub(crate) use vocabulary::{Vocabulary, WordId};
pub use weighting::Weighting;
pub use word_counts::WordCounts;

pub(crate) use alias::AliasTable;
pub(crate) use statistics::symbol_cross_entropy;
pub(crate) use tiles::{Tile as DrawnTile, TileSampler};

/// A unigram distribution: a vocabulary and how often each of its words occurs.
///
/// Words are numbered by falling count, equal counts in code-point order, whatever order they were read in. The
/// two parts of a [`Split`] share the vocabulary of the whole; words that a part lacks have count 0 there.
#[derive(Debug, Clone, PartialEq)]
pub struct Lexicon {
    vocabulary: Arc<Vocabulary>,
    counts: Vec<u64>,
    /// Words of the list that a filter dropped: known, though not to be learnt.
    dropped: Arc<[(Box<str>, u64)]>,
    types: usize,
    tokens: u64,
}

/// One word of a lexicon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    /// Its number.
    pub id: WordId,
    /// Its text.
    pub text: &'a str,
    /// Its letters and the end symbol.
    pub symbols: &'a [Symbol],
    /// How often it occurs.
    pub count: u64,
}

impl Lexicon {
    /// A lexicon of words with counts. Words are brought to normal form C, equal words add up, and words that
    /// never occur are dropped.
    pub fn from_counts<W: AsRef<str>>(
        words: impl IntoIterator<Item = (W, u64)>,
    ) -> Result<Self, LexiconError> {
        Ok(WordCounts::from_counts(words)?.into_lexicon(&Filter::default())?.0)
    }

    /// Distinct words in normal form whose counts are positive and have a sum that fits.
    pub(crate) fn from_distinct(mut words: Vec<(Box<str>, u64)>) -> Result<Self, LexiconError> {
        words.sort_unstable_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        let vocabulary = Vocabulary::new(words.iter().map(|(word, _)| word.as_ref()))?;
        Ok(Self::with_counts(Arc::new(vocabulary), words.into_iter().map(|(_, count)| count).collect()))
    }

    /// The same vocabulary with other counts, one for each word.
    fn with_counts(vocabulary: Arc<Vocabulary>, counts: Vec<u64>) -> Self {
        let types = counts.iter().filter(|&&count| count > 0).count();
        let tokens = counts.iter().sum();
        Self { vocabulary, counts, dropped: Arc::default(), types, tokens }
    }

    /// The same with words that a filter dropped.
    pub(crate) fn with_dropped(self, dropped: Vec<(Box<str>, u64)>) -> Self {
        Self { dropped: dropped.into(), ..self }
    }

    /// The words of the list that a filter dropped, with their counts. They are not learnt, but known: words that are to be new
    /// are none of them.
    pub fn dropped(&self) -> &[(Box<str>, u64)] {
        &self.dropped
    }

    /// The same words in another alphabet, such as that of a model trained on another list.
    ///
    /// # Errors
    /// The first letter that the alphabet lacks.
    pub fn spelt(&self, alphabet: &Alphabet) -> Result<Self, AlphabetError> {
        if alphabet == self.alphabet() {
            return Ok(self.clone());
        }
        let words = self.vocabulary.ids().map(|id| self.vocabulary.text(id));
        let vocabulary = Arc::new(Vocabulary::spelt(words, alphabet.clone())?);
        Ok(Self { vocabulary, ..self.clone() })
    }

    /// The words, whatever their counts.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The symbols of the vocabulary.
    pub fn alphabet(&self) -> &Alphabet {
        self.vocabulary.alphabet()
    }

    /// The counts by the words' numbers.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How often a word occurs.
    ///
    /// # Panics
    /// If the vocabulary has no word of this number.
    pub fn count(&self, id: WordId) -> u64 {
        self.counts[id as usize]
    }

    /// The number of distinct words that occur.
    pub fn types(&self) -> usize {
        self.types
    }

    /// The sum of all counts.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Whether no word occurs. Only a part of a split can be empty.
    pub fn is_empty(&self) -> bool {
        self.tokens == 0
    }

    /// The words that occur, in the order of their numbers.
    pub fn words(&self) -> impl Iterator<Item = Word<'_>> {
        let vocabulary = self.vocabulary();
        vocabulary.ids().zip(&self.counts).filter(|&(_, &count)| count > 0).map(|(id, &count)| Word {
            id,
            text: vocabulary.text(id),
            symbols: vocabulary.symbols(id),
            count,
        })
    }

    /// Writes `word<TAB>count` lines in the order of the words' numbers, a list that [`read_list`] reads back.
    pub fn write_tsv(&self, mut writer: impl Write) -> io::Result<()> {
        self.words().try_for_each(|word| writeln!(writer, "{}\t{}", word.text, word.count))
    }

    /// The SHA-256 of what [`Self::write_tsv`] writes, in hexadecimal: the same for the same words and counts,
    /// whatever file they came from.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for word in self.words() {
            hash.update(format!("{}\t{}\n", word.text, word.count));
        }
        hexadecimal(hash)
    }
}

/// A finished hash.
fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbered_by_count_and_then_by_code_point() {
        let lexicon =
            Lexicon::from_counts([("b", 2), ("a", 2), ("z", 9), ("a", 1), ("é", 2), ("never", 0)]).unwrap();
        let words: Vec<(&str, u64)> = lexicon.words().map(|word| (word.text, word.count)).collect();
        assert_eq!(words, [("z", 9), ("a", 3), ("b", 2), ("é", 2)]);
        assert_eq!((lexicon.types(), lexicon.tokens()), (4, 16));
        assert_eq!(lexicon.vocabulary().symbols(3), [4, END]);
    }

    #[test]
    fn words_can_be_spelt_in_a_larger_alphabet() {
        let lexicon = Lexicon::from_counts([("bd", 2), ("d", 1)]).unwrap();
        let alphabet = Alphabet::from_letters(["a", "b", "c", "d"]).unwrap();
        let spelt = lexicon.spelt(&alphabet).unwrap();
        assert_eq!(spelt.vocabulary().symbols(0), [2, 4, END]);
        assert_eq!((spelt.counts(), spelt.digest()), (lexicon.counts(), lexicon.digest()));
        let alphabet = Alphabet::from_letters(["a", "b"]).unwrap();
        let error = lexicon.spelt(&alphabet).unwrap_err();
        assert_eq!(error.to_string(), "the letter `d` of `bd` is not in the alphabet");
    }

    #[test]
    fn the_digest_is_that_of_the_written_list() {
        let lexicon = Lexicon::from_counts([("wug", 2), ("blick", 5)]).unwrap();
        let mut list = Vec::new();
        lexicon.write_tsv(&mut list).unwrap();
        assert_eq!(list, b"blick\t5\nwug\t2\n");
        // printf 'blick\t5\nwug\t2\n' | sha256sum
        assert_eq!(lexicon.digest(), "a9a6995e511a98887b8bd9cb94b1d3f408dab8a02ede7bdcf46a3e3f0e31faf0");
    }

    #[test]
    fn nothing_and_too_much_are_errors() {
        assert!(matches!(Lexicon::from_counts([("wug", 0)]), Err(LexiconError::FilteredOut(_))));
        assert!(matches!(
            Lexicon::from_counts([("a", u64::MAX), ("b", 1)]),
            Err(LexiconError::TooManyTokens)
        ));
    }
}
