//! Spelling dictionaries in Hunspell's format: words with flags in a `.dic` file, and in an `.aff` file the affixes that a flag allows.
//!
//! A language with many forms has millions of them, so they are not written out: affixes are taken off a word until one of the
//! dictionary's entries is left that allows them all. Two suffixes and a prefix at most, as in Hunspell. Compounds are not looked for.

mod affixes;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use foldhash::fast::RandomState;
use sha2::{Digest, Sha256};

use self::affixes::{Affix, Affixes, Flag};
use super::error::LexiconError;
use super::hexadecimal;
use super::known_words::KnownWords;
use super::letters::{Casing, normalise};
use crate::bounded_file::read_bounded;

/// Larger files are no dictionaries.
const MAX_BYTES: u64 = 1 << 28;
/// Suffixes, and prefixes, that a form may have.
const SUFFIXES: usize = 2;
const PREFIXES: usize = 1;

/// Affixes that are tried for a word, after which it counts as one: real dictionaries take some thousands at most.
const MAX_STEPS: u32 = 50_000;

/// A spelling dictionary.
#[derive(Debug)]
pub struct Dictionary {
    name: String,
    digest: String,
    /// The number of each entry's set of flags.
    entries: HashMap<Box<str>, Vec<u32>, RandomState>,
    affixes: Affixes,
}

/// What was taken off a word so far.
#[derive(Clone, Copy)]
struct Taken<'f> {
    /// Flags that the rest must have.
    flags: &'f [Flag],
    /// The last suffix.
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
            read_bounded(path, MAX_BYTES)
                .map_err(|source| LexiconError::Open { name: path.display().to_string(), source })
        };
        let affix_path = path.with_extension("aff");
        let (words, rules) = (read(path)?, read(&affix_path)?);
        let digest = hexadecimal(Sha256::new().chain_update(&words).chain_update(&rules));
        let encoding = affixes::encoding(&rules);
        let decode = |bytes: Vec<u8>, path: &Path| {
            affixes::decode(bytes, &encoding).ok_or_else(|| LexiconError::Encoding {
                name: path.display().to_string(),
                encoding: encoding.clone(),
            })
        };
        let (words, rules) = (decode(words, path)?, decode(rules, &affix_path)?);
        let read = Self::new(&path.display().to_string(), &words, &rules, casing.into());
        let read = read.map_err(|reason| LexiconError::Open {
            name: affix_path.display().to_string(),
            source: io::Error::new(io::ErrorKind::InvalidData, reason),
        })?;
        Ok(Self { digest, ..read })
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
            let own = entries.entry(one_apostrophe(&normalise(word, casing)).into()).or_default();
            if !own.contains(&set) {
                own.push(set);
            }
        }
        Ok(Self { name: name.to_owned(), digest: String::new(), entries, affixes })
    }

    /// Whether a word without what was taken off it is an entry that allows that, or has further affixes; also where there are no more
    /// steps to find out.
    fn explains(&self, word: &str, taken: Taken<'_>, steps: &Cell<u32>) -> bool {
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
            if steps.get() == 0 {
                return true;
            }
            steps.set(steps.get() - 1);
            let others = if suffixes > taken.suffixes { taken.prefixes } else { taken.suffixes };
            let allowed = self.affixes.flags(affix.then);
            let is_suffix = suffixes > taken.suffixes;
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
            self.explains(stem, Taken { flags: &flags, suffix, suffixes, prefixes, crosses }, steps)
        };
        (taken.suffixes < SUFFIXES
            && self
                .affixes
                .without_suffix(word, taken.suffix)
                .any(|(affix, stem)| next(affix, &stem, taken.suffixes + 1, taken.prefixes)))
            || (taken.prefixes < PREFIXES
                && self
                    .affixes
                    .without_prefix(word)
                    .any(|(affix, stem)| next(affix, &stem, taken.suffixes, taken.prefixes + 1)))
    }
}

/// A text with the one apostrophe that keyboards have for the two that are set and written: lists differ in it.
fn one_apostrophe(text: &str) -> Cow<'_, str> {
    const OTHERS: [char; 2] = ['’', 'ʼ'];
    if text.contains(OTHERS) { text.replace(OTHERS, "'").into() } else { text.into() }
}

impl KnownWords for Dictionary {
    fn name(&self) -> &str {
        &self.name
    }

    /// That of the `.dic` file followed by the `.aff` file.
    fn digest(&self) -> String {
        self.digest.clone()
    }

    fn has(&self, word: &str) -> bool {
        let nothing = Taken { flags: &[], suffix: None, suffixes: 0, prefixes: 0, crosses: true };
        self.explains(&one_apostrophe(word), nothing, &Cell::new(MAX_STEPS))
    }
}

#[cfg(test)]
mod tests;
