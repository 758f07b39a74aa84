//! Words that are known, and so are no new words.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::dictionary::Dictionary;
use super::error::LexiconError;
use super::hexadecimal;
use super::input::Input;
use super::letters::Casing;
use super::stream::read_excluded;
use super::word_counts::WordCounts;

/// Something that knows words: a list that has them, or a dictionary that tells how they are formed.
pub trait KnownWords: fmt::Debug + Send + Sync {
    /// What reports call it.
    fn name(&self) -> &str;

    /// A SHA-256 in hexadecimal that tells it from others.
    fn digest(&self) -> String;

    /// Whether it knows a word, which is in normal form C.
    fn has(&self, word: &str) -> bool;
}

impl KnownWords for WordCounts {
    fn name(&self) -> &str {
        Self::name(self)
    }

    /// That of its words, one on each line, in the order of their bytes.
    fn digest(&self) -> String {
        let mut words: Vec<&str> = self.words().filter(|word| self.count(word) > 0).collect();
        words.sort_unstable();
        let hash = words.into_iter().fold(Sha256::new(), |hash, word| hash.chain_update(format!("{word}\n")));
        hexadecimal(hash)
    }

    fn has(&self, word: &str) -> bool {
        self.count(word) > 0
    }
}

impl<T: KnownWords + ?Sized> KnownWords for Arc<T> {
    fn name(&self) -> &str {
        T::name(self)
    }

    fn digest(&self) -> String {
        T::digest(self)
    }

    fn has(&self, word: &str) -> bool {
        T::has(self, word)
    }
}

/// Opens a file of words that are known: a Hunspell dictionary, which ends in `.dic` and has its `.aff` beside it, or a list, which may
/// hold anything ([`read_excluded`]).
///
/// # Errors
/// When a file cannot be read.
pub fn open_known(path: &Path, casing: impl Into<Casing>) -> Result<Arc<dyn KnownWords>, LexiconError> {
    if Dictionary::is_one(path) {
        return Ok(Arc::new(Dictionary::open(path, casing)?));
    }
    Ok(Arc::new(read_excluded(Input::open(path)?, casing)?))
}
