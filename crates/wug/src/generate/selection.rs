//! What is excluded after a word is made: words that are known, and words that came before.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::lexicon::KnownWords;

/// Excludes words, and counts what it excluded.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    known: Vec<Arc<dyn KnownWords>>,
    seen: Option<HashSet<Box<str>, RandomState>>,
    tally: Tally,
}

/// How many words were excluded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// In a list of known words.
    pub(crate) known: u64,
    /// Made before.
    pub(crate) repeated: u64,
}

impl Selection {
    /// Excludes the words of these lists, and repeated ones if asked for.
    pub(crate) fn new(known: Vec<Arc<dyn KnownWords>>, unique: bool) -> Self {
        Self { known, seen: unique.then(HashSet::default), tally: Tally::default() }
    }

    /// Whether a word, which is in normal form, may pass.
    pub(crate) fn admits(&mut self, word: &str) -> bool {
        if self.known.iter().any(|known| known.has(word)) {
            self.tally.known += 1;
            return false;
        }
        if let Some(seen) = &mut self.seen
            && !seen.insert(word.into())
        {
            self.tally.repeated += 1;
            return false;
        }
        true
    }

    /// What was excluded so far.
    pub(crate) fn tally(&self) -> Tally {
        self.tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Input, read_list};

    #[test]
    fn known_and_repeated_words_are_excluded() {
        let list = |text: &'static str| -> Arc<dyn KnownWords> {
            Arc::new(read_list(Input::from_reader("list", text.as_bytes()).unwrap(), false).unwrap())
        };
        let mut selection = Selection::new(vec![list("wug\n"), list("blick\t3\n")], true);
        let passed: Vec<&str> = ["wug", "dax", "blick", "dax", "wug", "tove"]
            .into_iter()
            .filter(|word| selection.admits(word))
            .collect();
        assert_eq!(passed, ["dax", "tove"]);
        assert_eq!(selection.tally(), Tally { known: 3, repeated: 1 });
        let mut any = Selection::default();
        assert!(any.admits("dax") && any.admits("dax"));
    }
}
