//! Which words are kept, and an account of those that are not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Lexicon;
use super::error::LexiconError;
use super::letters;
use super::word_counts::WordCounts;

/// Conditions that a word must meet. The default keeps every word that occurs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Filter {
    /// The minimum number of letters.
    pub min_length: usize,
    /// The maximum number of letters.
    pub max_length: usize,
    /// The minimum number of occurrences; words that never occur are always dropped.
    pub min_count: u64,
    /// Whether every letter must be alphabetic.
    pub letters_only: bool,
    /// The smallest share of the words that meet all other conditions in which each letter of a word must occur; 0 for any letter.
    pub min_letter_share: f64,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            min_length: 1,
            max_length: usize::MAX,
            min_count: 1,
            letters_only: false,
            min_letter_share: 0.0,
        }
    }
}

/// Changes to a filter: conditions that are set, and take the place of those that it has.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FilterChanges {
    /// The minimum of letters.
    pub min_length: Option<usize>,
    /// The maximum of letters.
    pub max_length: Option<usize>,
    /// The minimum of occurrences.
    pub min_count: Option<u64>,
    /// Words of letters alone, whatever the filter says.
    pub letters_only: bool,
    /// The smallest share of words in which each letter of a word must occur.
    pub min_letter_share: Option<f64>,
}

impl FilterChanges {
    /// The changed filter.
    pub fn of(self, filter: Filter) -> Filter {
        Filter {
            min_length: self.min_length.unwrap_or(filter.min_length),
            max_length: self.max_length.unwrap_or(filter.max_length),
            min_count: self.min_count.unwrap_or(filter.min_count),
            letters_only: self.letters_only || filter.letters_only,
            min_letter_share: self.min_letter_share.unwrap_or(filter.min_letter_share),
        }
    }
}

impl Filter {
    /// The paper's filter: 2 to 12 letters, letters only, at least 10 occurrences.
    pub const PAPER: Self =
        Self { min_length: 2, max_length: 12, min_count: 10, letters_only: true, min_letter_share: 0.0 };

    /// Refuses a filter that cannot let any word pass.
    pub fn check(&self) -> Result<(), LexiconError> {
        if self.min_length > self.max_length {
            return Err(LexiconError::EmptyLengthRange { min: self.min_length, max: self.max_length });
        }
        if !(0.0..=1.0).contains(&self.min_letter_share) {
            return Err(LexiconError::LetterShare { found: self.min_letter_share });
        }
        Ok(())
    }

    /// The first condition that a word in normal form fails, none if it is kept. Whether its letters are rare depends on the
    /// other words, and is not asked here.
    pub(crate) fn rejects(&self, word: &str, count: u64) -> Option<Rejection> {
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

    /// The letters that too few of some words have, in code-point order.
    fn rare_letters(&self, words: &[(Box<str>, u64)]) -> BTreeSet<String> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (word, _) in words {
            let own: BTreeSet<&str> = letters::letters(word).collect();
            own.into_iter().for_each(|letter| *counts.entry(letter).or_default() += 1);
        }
        let least = self.min_letter_share * words.len() as f64;
        counts
            .into_iter()
            .filter(|(_, count)| (*count as f64) < least)
            .map(|(letter, _)| letter.to_owned())
            .collect()
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
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// Words with a rare letter.
    pub with_rare_letters: Tally,
    /// These letters.
    pub rare_letters: Vec<String>,
    /// The first line whose count is set apart by spaces alone, as it was understood.
    pub spaced: Option<String>,
    /// What was found out about the table that the words stand in, if it is not a plain list.
    pub table: Option<String>,
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
            (format!("with rare letters ({})", self.rare_letters.join(" ")), self.with_rare_letters),
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
        if let Some(table) = &self.table {
            write!(formatter, "; {table}")?;
        }
        if let Some(spaced) = &self.spaced {
            write!(formatter, "; numbers after spaces are counts: {spaced}")?;
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
            with_rare_letters: Tally::default(),
            rare_letters: Vec::new(),
            spaced: self.spaced.clone(),
            table: self.table.clone(),
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
        if filter.min_letter_share > 0.0 {
            let rare = filter.rare_letters(&kept);
            let is_rare =
                |(word, _): &mut (Box<str>, u64)| letters::letters(word).any(|own| rare.contains(own));
            for (word, count) in kept.extract_if(.., is_rare) {
                summary.with_rare_letters.add(count);
                summary.kept.types -= 1;
                summary.kept.tokens -= count;
                dropped.push((word, count));
            }
            summary.rare_letters = rare.into_iter().collect();
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

    const LIST: &str = "a\t50\nwug\t30\nwugs\t9\ndon't\t20\nincomprehensibly\t40\nzero\t0\n";

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
    fn words_with_rare_letters_go_together() {
        let list = "talo 9\nkala 5\nαλφα 7\nvμo 2\nala 1\nqat 3\nsana 2\ntalvi 2\nsata 1\nquo 2\n";
        let words = read_list(Input::from_reader("list", list.as_bytes()).unwrap(), false).unwrap();
        // q is in two of ten words, φ in one; k, i and n are in one word of so short a list, too.
        let filter = Filter { min_letter_share: 0.15, ..Filter::default() };
        let (lexicon, summary) = words.clone().into_lexicon(&filter).unwrap();
        assert_eq!(summary.rare_letters, ["i", "k", "n", "u", "α", "λ", "μ", "φ"]);
        let mut kept: Vec<&str> = lexicon.words().map(|word| word.text).collect();
        kept.sort_unstable();
        assert_eq!(kept, ["ala", "qat", "sata", "talo"]);
        assert_eq!(summary.with_rare_letters, Tally { types: 6, tokens: 20 });
        assert_eq!((summary.kept.types, summary.kept.tokens), (4, 14));
        assert!(summary.to_string().contains("6 with rare letters (i k n u α λ μ φ)"), "{summary}");
        assert_eq!(words.clone().into_lexicon(&Filter::default()).unwrap().0.types(), 10);
        let all = Filter { min_letter_share: 1.0, ..Filter::default() };
        assert!(matches!(words.clone().into_lexicon(&all), Err(LexiconError::FilteredOut(_))));
        for share in [-0.1, 1.5, f64::NAN] {
            let filter = Filter { min_letter_share: share, ..Filter::default() };
            assert!(matches!(words.clone().into_lexicon(&filter), Err(LexiconError::LetterShare { .. })));
        }
    }

    #[test]
    fn a_count_after_spaces_is_told() {
        let summary = |list: &str| {
            let input = Input::from_reader("list", list.as_bytes().to_vec().leak() as &[u8]).unwrap();
            read_list(input, false).unwrap().into_lexicon(&Filter::default()).unwrap().1
        };
        let room = summary("Room 101\nStudio 54\n");
        assert!(room.to_string().ends_with("counts: `Room 101` is Room, 101 times"), "{room}");
        for list in ["Room\t101\n", "Room,101\n", "Room\nStudio\n"] {
            assert_eq!(summary(list).spaced, None, "{list}");
        }
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
