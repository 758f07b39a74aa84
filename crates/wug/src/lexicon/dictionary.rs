//! Spelling dictionaries in Hunspell's format: words with flags in a `.dic` file, and in an `.aff` file the affixes that a flag allows.
//!
//! A language with many forms has millions of them, so they are not written out: affixes are taken off a word until one of the
//! dictionary's entries is left that allows them all. Two suffixes and a prefix at most, as in Hunspell. Compounds are not looked for.

mod affixes;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use foldhash::fast::RandomState;

use self::affixes::{Affix, Affixes, Flag};
use super::error::LexiconError;
use super::known_words::KnownWords;
use super::letters::{Casing, normalise};
use crate::bounded_file::read_bounded;

/// Larger files are no dictionaries.
const MOST_BYTES: u64 = 1 << 28;
/// Suffixes, and prefixes, that a form may have.
const SUFFIXES: usize = 2;
const PREFIXES: usize = 1;

/// A spelling dictionary.
#[derive(Debug)]
pub struct Dictionary {
    name: String,
    /// The number of each entry's set of flags.
    entries: HashMap<Box<str>, Vec<u32>, RandomState>,
    affixes: Affixes,
}

/// What was taken off a word so far.
#[derive(Clone, Copy)]
struct Taken<'f> {
    /// Flags that the rest must have.
    flags: &'f [Flag],
    /// The last suffix: one that stands before it must allow it, whatever the entry allows.
    suffix: Option<Flag>,
    suffixes: usize,
    prefixes: usize,
    /// Whether affixes of the other kind may stand beside them.
    crosses: bool,
}

impl Dictionary {
    /// Whether this is the path of a dictionary: the name ends in `.dic`, and the first line is the number of entries.
    pub(crate) fn is_one(path: &Path) -> bool {
        let mut start = Vec::new();
        path.extension().is_some_and(|extension| extension == "dic")
            && File::open(path).and_then(|file| file.take(32).read_to_end(&mut start)).is_ok()
            && start
                .strip_prefix(b"\xef\xbb\xbf")
                .unwrap_or(&start)
                .split(|byte| b"\r\n\t ".contains(byte))
                .next()
                .is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
    }

    /// Opens a dictionary by its `.dic` file; the `.aff` file is beside it. Entries are brought to lower case if asked for.
    ///
    /// # Errors
    /// When one of the files cannot be read, or is neither UTF-8 nor Latin-1.
    pub fn open(path: &Path, casing: impl Into<Casing>) -> Result<Self, LexiconError> {
        let read = |path: &Path| {
            read_bounded(path, MOST_BYTES)
                .map_err(|source| LexiconError::Open { name: path.display().to_string(), source })
        };
        let affix_path = path.with_extension("aff");
        let (words, rules) = (read(path)?, read(&affix_path)?);
        let encoding = affixes::encoding(&rules);
        let decode = |bytes: Vec<u8>, path: &Path| {
            affixes::decode(bytes, &encoding).ok_or_else(|| LexiconError::Encoding {
                name: path.display().to_string(),
                encoding: encoding.clone(),
            })
        };
        let (words, rules) = (decode(words, path)?, decode(rules, &affix_path)?);
        Self::new(&path.display().to_string(), &words, &rules, casing.into()).map_err(|reason| {
            LexiconError::Open {
                name: affix_path.display().to_string(),
                source: io::Error::new(io::ErrorKind::InvalidData, reason),
            }
        })
    }

    /// The text of both files.
    fn new(name: &str, words: &str, rules: &str, casing: Casing) -> Result<Self, String> {
        let mut affixes = Affixes::read(rules)?;
        let mut entries: HashMap<Box<str>, Vec<u32>, RandomState> = HashMap::default();
        for line in words.lines().skip(1) {
            // Flags follow after a slash, what is known of the word after white space.
            let Some(entry) = line.split_whitespace().next() else { continue };
            let (word, flags) = entry.split_once('/').unwrap_or((entry, ""));
            let set = affixes.set(flags);
            let own = entries.entry(normalise(word, casing).into()).or_default();
            if !own.contains(&set) {
                own.push(set);
            }
        }
        Ok(Self { name: name.to_owned(), entries, affixes })
    }

    /// Whether a word without what was taken off it is an entry that allows that, or has further affixes.
    fn explains(&self, word: &str, taken: Taken<'_>) -> bool {
        let allows = |set: &u32| {
            let flags = self.affixes.flags(*set);
            taken.flags.iter().all(|flag| flags.contains(flag))
                && !self.affixes.forbids(flags)
                && (!taken.flags.is_empty() || self.affixes.stands_alone(flags))
        };
        if self.entries.get(word).is_some_and(|sets| sets.iter().any(allows)) {
            return true;
        }
        let next = |affix: &Affix, stem: &str, suffixes: usize, prefixes: usize| {
            let others = if suffixes > taken.suffixes { taken.prefixes } else { taken.suffixes };
            let allowed = self.affixes.flags(affix.then);
            let is_suffix = suffixes > taken.suffixes;
            if is_suffix && taken.suffix.is_some_and(|outer| !allowed.contains(&outer)) {
                return false;
            }
            if (others > 0 && !(taken.crosses && affix.crosses))
                || (taken.flags.is_empty() && !self.affixes.stands_alone(allowed))
            {
                return false;
            }
            // What an inner affix allows need not be allowed by the entry.
            let mut flags: Vec<Flag> =
                taken.flags.iter().copied().filter(|flag| !allowed.contains(flag)).collect();
            flags.push(affix.flag);
            let crosses = taken.crosses && affix.crosses;
            let suffix = if is_suffix { Some(affix.flag) } else { taken.suffix };
            self.explains(stem, Taken { flags: &flags, suffix, suffixes, prefixes, crosses })
        };
        (taken.suffixes < SUFFIXES
            && self
                .affixes
                .without_suffix(word)
                .any(|(affix, stem)| next(affix, &stem, taken.suffixes + 1, taken.prefixes)))
            || (taken.prefixes < PREFIXES
                && self
                    .affixes
                    .without_prefix(word)
                    .any(|(affix, stem)| next(affix, &stem, taken.suffixes, taken.prefixes + 1)))
    }
}

impl KnownWords for Dictionary {
    fn name(&self) -> &str {
        &self.name
    }

    fn has(&self, word: &str) -> bool {
        self.explains(word, Taken { flags: &[], suffix: None, suffixes: 0, prefixes: 0, crosses: true })
    }
}

#[cfg(test)]
mod tests;
