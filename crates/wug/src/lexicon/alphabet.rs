//! The symbols of a lexicon: the end symbol and the letters that the data has.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use thiserror::Error;

use super::letters::{self, Casing};

/// A symbol's number: 0 is the end of the word, 1 … V−1 are letters in code-point order.
pub type Symbol = u16;

/// The symbol that ends every word.
pub const END: Symbol = 0;

/// The maximum number of letters an alphabet can have.
const MAX_SIZE: usize = Symbol::MAX as usize;

/// Why letters do not make an alphabet, or a word cannot be spelt in it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AlphabetError {
    /// More letters than symbols have numbers.
    #[error("{found} different letters, at most {MAX_SIZE} are possible: is this a list of words?")]
    TooManyLetters {
        /// How many there are.
        found: usize,
    },
    /// Letters out of order, repeated or empty.
    #[error(
        "the letters must be distinct, not empty and in code-point order, but `{letter}` is not after the one before it"
    )]
    OutOfOrder {
        /// The first letter that breaks the order.
        letter: String,
    },
    /// A word has a letter that the alphabet lacks.
    #[error("the letter `{letter}` of `{word}` is not in the alphabet")]
    UnknownLetter {
        /// The letter.
        letter: String,
        /// The word it stands in.
        word: String,
    },
}

/// The end symbol and the letters, each with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alphabet {
    letters: Vec<Box<str>>,
    symbols: HashMap<Box<str>, Symbol>,
}

impl Alphabet {
    /// An alphabet of the given letters, which must be distinct and in code-point order, as [`Self::letters`]
    /// returns them.
    pub fn from_letters<I>(letters: I) -> Result<Self, AlphabetError>
    where
        I: IntoIterator,
        I::Item: Into<Box<str>>,
    {
        let letters: Vec<Box<str>> = letters.into_iter().map(Into::into).collect();
        if letters.len() > MAX_SIZE {
            return Err(AlphabetError::TooManyLetters { found: letters.len() });
        }
        let mut previous: &str = "";
        for letter in &letters {
            if **letter <= *previous {
                return Err(AlphabetError::OutOfOrder { letter: letter.to_string() });
            }
            previous = letter;
        }
        let symbols = (1..).zip(&letters).map(|(symbol, letter)| (letter.clone(), symbol)).collect();
        Ok(Self { letters, symbols })
    }

    /// The alphabet of all letters that occur in the words.
    pub(crate) fn of_words<'a>(words: impl Iterator<Item = &'a str>) -> Result<Self, AlphabetError> {
        let mut distinct: BTreeSet<&str> = BTreeSet::new();
        for letter in words.flat_map(letters::letters) {
            distinct.insert(letter);
        }
        Self::from_letters(distinct)
    }

    /// V, the number of symbols: the letters and the end.
    pub fn symbol_count(&self) -> usize {
        self.letters.len() + 1
    }

    /// The letters in code-point order; the first is symbol 1.
    pub fn letters(&self) -> impl ExactSizeIterator<Item = &str> {
        self.letters.iter().map(AsRef::as_ref)
    }

    /// The letter of a symbol; none for the end symbol and for numbers beyond the alphabet.
    pub fn letter(&self, symbol: Symbol) -> Option<&str> {
        self.letters.get(usize::from(symbol).checked_sub(1)?).map(AsRef::as_ref)
    }

    /// The symbol of a letter.
    pub fn symbol(&self, letter: &str) -> Option<Symbol> {
        self.symbols.get(letter).copied()
    }

    /// What becomes of capital letters in this alphabet: if it has none they make no difference. Letters tell Turkish from other languages.
    pub fn casing(&self) -> Casing {
        let has_capitals = self.letters().any(|letter| letter.chars().any(char::is_uppercase));
        match (has_capitals, self.symbol("ı")) {
            (true, _) => Casing::Keep,
            (false, None) => Casing::Lower,
            (false, Some(_)) => Casing::LowerTurkic,
        }
    }

    /// A word as it is looked up and spelt in this alphabet: in normal form C, and in lower case if the alphabet has no capitals.
    pub fn fold<'a>(&self, word: &'a str) -> Cow<'a, str> {
        letters::normalise(word, self.casing())
    }

    /// A word that begins with a capital letter.
    pub fn capitalise(&self, word: &str) -> String {
        let mut signs = word.chars();
        match signs.next() {
            Some('i') if self.symbol("ı").is_some() => format!("İ{}", signs.as_str()),
            first => first.into_iter().flat_map(char::to_uppercase).chain(signs).collect(),
        }
    }

    /// The symbols of a word, with the end symbol last. The word is brought to normal form C first.
    pub fn encode(&self, word: &str) -> Result<Vec<Symbol>, AlphabetError> {
        let word = letters::normalise(word, false);
        let mut symbols = letters::letters(&word)
            .map(|letter| {
                self.symbol(letter).ok_or_else(|| AlphabetError::UnknownLetter {
                    letter: letter.to_string(),
                    word: word.to_string(),
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        symbols.push(END);
        Ok(symbols)
    }

    /// The letters of the symbols up to the first end symbol. Numbers beyond the alphabet become `U+FFFD`.
    pub fn decode(&self, symbols: &[Symbol]) -> String {
        symbols
            .iter()
            .take_while(|&&symbol| symbol != END)
            .map(|&symbol| self.letter(symbol).unwrap_or("\u{fffd}"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_numbered_in_code_point_order_after_the_end() {
        let alphabet = Alphabet::of_words(["zoë", "ab", "Жук", "ba"].into_iter()).unwrap();
        let letters: Vec<&str> = alphabet.letters().collect();
        assert_eq!(letters, ["a", "b", "o", "z", "ë", "Ж", "к", "у"]);
        assert_eq!(alphabet.symbol_count(), 9);
        assert_eq!(alphabet.symbol("a"), Some(1));
        assert_eq!(alphabet.letter(END), None);
        assert_eq!(alphabet.letter(9), None);
    }

    #[test]
    fn words_are_encoded_with_the_end_and_decoded_up_to_it() {
        let alphabet = Alphabet::of_words(["noël"].into_iter()).unwrap();
        let symbols = alphabet.encode("noe\u{308}l").unwrap();
        assert_eq!(symbols, [2, 3, 4, 1, END]);
        assert_eq!(alphabet.decode(&[2, 3, END, 1]), "no");
        assert_eq!(alphabet.decode(&[2, 77]), "n\u{fffd}");
        let error = alphabet.encode("nox").unwrap_err();
        assert_eq!(error.to_string(), "the letter `x` of `nox` is not in the alphabet");
    }

    #[test]
    fn stored_letters_are_checked() {
        for wrong in [vec!["b", "a"], vec!["a", "a"], vec![""]] {
            assert!(matches!(Alphabet::from_letters(wrong), Err(AlphabetError::OutOfOrder { .. })));
        }
        let many = (0..=MAX_SIZE).map(|number| format!("{number:06}"));
        assert_eq!(Alphabet::from_letters(many), Err(AlphabetError::TooManyLetters { found: MAX_SIZE + 1 }));
    }
}
