//! Which words are kept, and an account of those that are not.

use std::fmt;

use serde::Serialize;

use super::Lexicon;
use super::error::LexiconError;
use super::letters;
use super::word_counts::WordCounts;

/// Conditions that a word must meet. The default keeps every word that occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Filter {
    /// The fewest letters.
    pub min_length: usize,
    /// The most letters.
    pub max_length: usize,
    /// The fewest occurrences; words that never occur are always dropped.
    pub min_count: u64,
    /// Whether every letter must be alphabetic.
    pub letters_only: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self { min_length: 1, max_length: usize::MAX, min_count: 1, letters_only: false }
    }
}

impl Filter {
    /// The paper's filter: 2 to 12 letters, letters only, at least 10 occurrences.
    pub const PAPER: Self = Self { min_length: 2, max_length: 12, min_count: 10, letters_only: true };

    /// Refuses a filter that cannot let any word pass.
    pub fn check(&self) -> Result<(), LexiconError> {
        if self.min_length > self.max_length {
            return Err(LexiconError::EmptyLengthRange { min: self.min_length, max: self.max_length });
        }
        Ok(())
    }

    /// The first condition that a word in normal form fails, none if it is kept.
    pub fn rejects(&self, word: &str, count: u64) -> Option<Rejection> {
        let length = letters::letters(word).count();
        if length < self.min_length {
            Some(Rejection::TooShort)
        } else if length > self.max_length {
            Some(Rejection::TooLong)
        } else if self.letters_only && !letters::is_letters_only(word) {
            Some(Rejection::NotLetters)
        } else if count < self.min_count.max(1) {
            Some(Rejection::TooRare)
        } else {
            None
        }
    }
}

/// Why a word was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejection {
    /// Fewer letters than the minimum.
    TooShort,
    /// More letters than the maximum.
    TooLong,
    /// Signs that are not letters.
    NotLetters,
    /// Fewer occurrences than the minimum.
    TooRare,
}

/// A number of distinct words and of their occurrences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Distinct words.
    pub types: u64,
    /// Their occurrences.
    pub tokens: u64,
}

impl Tally {
    fn add(&mut self, count: u64) {
        self.types += 1;
        self.tokens += count;
    }
}

/// What a filter kept and dropped. A word is counted under the first condition that it fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Where the words come from.
    pub source: String,
    /// The entries of the list, before equal words were added up.
    pub entries: u64,
    /// Whether a header line was skipped.
    pub header: bool,
    /// The conditions.
    pub filter: Filter,
    /// Distinct words read.
    pub read: Tally,
    /// Words that meet all conditions.
    pub kept: Tally,
    /// Words with too few letters.
    pub too_short: Tally,
    /// Words with too many letters.
    pub too_long: Tally,
    /// Words with signs that are not letters.
    pub not_letters: Tally,
    /// Words that occur too rarely.
    pub too_rare: Tally,
}

impl Summary {
    /// The reasons with what was dropped for each, in words.
    pub fn dropped(&self) -> impl Iterator<Item = (String, Tally)> {
        let filter = &self.filter;
        [
            (format!("shorter than {}", filter.min_length), self.too_short),
            (format!("longer than {}", filter.max_length), self.too_long),
            ("not only letters".to_string(), self.not_letters),
            (format!("seen fewer than {} times", filter.min_count.max(1)), self.too_rare),
        ]
        .into_iter()
        .filter(|(_, tally)| tally.types > 0)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, read, kept, .. } = self;
        write!(formatter, "{source}: kept {} of {} words", kept.types, read.types)?;
        for (index, (reason, tally)) in self.dropped().enumerate() {
            let lead = if index == 0 { "; dropped " } else { ", " };
            write!(formatter, "{lead}{} {reason}", tally.types)?;
        }
        Ok(())
    }
}

impl WordCounts {
    /// The words that the filter keeps, as a lexicon, with an account of what was dropped and why.
    pub fn into_lexicon(self, filter: &Filter) -> Result<(Lexicon, Summary), LexiconError> {
        filter.check()?;
        let mut summary = Summary {
            source: self.name().to_string(),
            entries: self.lines,
            header: self.header,
            filter: *filter,
            read: Tally { types: self.types() as u64, tokens: self.tokens() },
            kept: Tally::default(),
            too_short: Tally::default(),
            too_long: Tally::default(),
            not_letters: Tally::default(),
            too_rare: Tally::default(),
        };
        let (mut kept, mut dropped) = (Vec::new(), Vec::new());
        for (word, count) in self.into_words() {
            let rejection = filter.rejects(&word, count);
            let tally = match rejection {
                None => &mut summary.kept,
                Some(Rejection::TooShort) => &mut summary.too_short,
                Some(Rejection::TooLong) => &mut summary.too_long,
                Some(Rejection::NotLetters) => &mut summary.not_letters,
                Some(Rejection::TooRare) => &mut summary.too_rare,
            };
            tally.add(count);
            let side = if rejection.is_none() { &mut kept } else { &mut dropped };
            side.push((word, count));
        }
        if kept.is_empty() {
            return Err(LexiconError::FilteredOut(Box::new(summary)));
        }
        // The table that they come from has no order.
        dropped.sort_unstable();
        Ok((Lexicon::from_distinct(kept)?.with_dropped(dropped), summary))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Input, read_list};

    const LIST: &str = "a 50\nwug 30\nwugs 9\ndon't 20\nincomprehensibly 40\nzero 0\n";

    fn filtered(filter: &Filter) -> Result<(Lexicon, Summary), LexiconError> {
        read_list(Input::from_reader("list", LIST.as_bytes()).unwrap(), false).unwrap().into_lexicon(filter)
    }

    #[test]
    fn every_word_is_accounted_for_once() {
        let (lexicon, summary) = filtered(&Filter::PAPER).unwrap();
        assert_eq!((lexicon.types(), lexicon.tokens()), (1, 30));
        let one = |tokens| Tally { types: 1, tokens };
        assert_eq!(summary.read, Tally { types: 6, tokens: 149 });
        assert_eq!(summary.kept, one(30));
        assert_eq!(summary.too_short, one(50));
        assert_eq!(summary.too_long, one(40));
        assert_eq!(summary.not_letters, one(20));
        assert_eq!(summary.too_rare, Tally { types: 2, tokens: 9 });
        assert_eq!(
            summary.to_string(),
            "list: kept 1 of 6 words; dropped 1 shorter than 2, 1 longer than 12, 1 not only letters, \
             2 seen fewer than 10 times"
        );
    }

    #[test]
    fn the_default_keeps_all_that_occurs() {
        let (lexicon, summary) = filtered(&Filter::default()).unwrap();
        assert_eq!((lexicon.types(), summary.too_rare.types), (5, 1));
    }

    #[test]
    fn a_filter_that_leaves_nothing_says_why() {
        let error = filtered(&Filter { min_count: 100, ..Filter::default() }).unwrap_err().to_string();
        assert!(error.contains("6 seen fewer than 100 times"), "{error}");
        let error = filtered(&Filter { min_length: 3, max_length: 2, ..Filter::default() }).unwrap_err();
        assert!(matches!(error, LexiconError::EmptyLengthRange { min: 3, max: 2 }));
    }
}
