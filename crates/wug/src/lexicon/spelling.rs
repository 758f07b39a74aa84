//! Words that are given to a model: can it spell them?

use std::ops::RangeInclusive;

use thiserror::Error;

use super::alphabet::{Alphabet, AlphabetError, Symbol};

/// Why a word cannot be given to a model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SpellError {
    /// The model does not know a letter.
    #[error(
        "{error} of the model ({letters}){}",
        if *in_lower_case { "; in lower case it can be spelt" } else { "" }
    )]
    Letter {
        /// What is missing.
        error: AlphabetError,
        /// The letters that the model has.
        letters: String,
        /// Whether the model has all letters of the word in lower case.
        in_lower_case: bool,
    },
    /// The word is too long, or empty.
    #[error("`{word}` has {letters} letters; expected {least} to {most} letters")]
    Length {
        /// The word.
        word: String,
        /// Its letters.
        letters: usize,
        /// The minimum that is possible.
        least: usize,
        /// The maximum that is possible.
        most: usize,
    },
}

impl Alphabet {
    /// The symbols of a word with a number of letters within `lengths`, and the end.
    ///
    /// # Errors
    /// When the alphabet lacks a letter, or the word is too long or too short. Where the alphabet has no capitals, those of the word make no
    /// difference.
    pub(crate) fn spell(
        &self,
        word: &str,
        lengths: RangeInclusive<usize>,
    ) -> Result<Vec<Symbol>, SpellError> {
        let word = &*self.fold(word);
        let symbols = self.encode(word).map_err(|error| SpellError::Letter {
            error,
            letters: self.letters().collect::<Vec<_>>().join(" "),
            in_lower_case: self.encode(&word.to_lowercase()).is_ok(),
        })?;
        let letters = symbols.len() - 1;
        if lengths.contains(&letters) {
            return Ok(symbols);
        }
        let (least, most) = lengths.into_inner();
        Err(SpellError::Length { word: word.to_owned(), letters, least, most })
    }
}
