//! Words and how often each was seen, before a filter has looked at them.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::error::LexiconError;
use super::letters::{Casing, normalise};

/// Distinct words with their counts, as read from a list.
#[derive(Debug, Clone)]
pub struct WordCounts {
    pub(crate) name: String,
    pub(crate) lines: u64,
    pub(crate) header: bool,
    /// The first line whose count is set apart by spaces alone, as it was understood.
    pub(crate) spaced: Option<String>,
    /// What was found out about the table that they stand in, if a reader should know.
    pub(crate) table: Option<String>,
    /// Counts are multiplied by this power of ten.
    pub(crate) decimals: u32,
    // A fast hash with a random state: hostile lists cannot aim at its collisions. Its order never shows.
    counts: HashMap<Box<str>, u64, RandomState>,
    tokens: u64,
}

/// Why a word could not be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddError {
    /// The sum of all counts would not fit.
    TooManyTokens,
    /// There are no numbers left for words.
    TooManyWords,
}

impl From<AddError> for LexiconError {
    fn from(error: AddError) -> Self {
        match error {
            AddError::TooManyTokens => Self::TooManyTokens,
            AddError::TooManyWords => Self::TooManyWords,
        }
    }
}

impl WordCounts {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_string(),
            lines: 0,
            header: false,
            spaced: None,
            table: None,
            decimals: 0,
            counts: HashMap::default(),
            tokens: 0,
        }
    }

    /// Words with their counts. Words are brought to normal form C, and equal ones add up.
    ///
    /// # Errors
    /// When there are more words, or their counts add up to more, than numbers can tell.
    pub fn from_counts<W: AsRef<str>>(
        words: impl IntoIterator<Item = (W, u64)>,
    ) -> Result<Self, LexiconError> {
        let mut counts = Self::new("the given words");
        for (word, count) in words {
            counts.add(&normalise(word.as_ref(), false), count)?;
            counts.lines += 1;
        }
        Ok(counts)
    }

    /// Adds to the count of a word in normal form.
    pub(crate) fn add(&mut self, word: &str, count: u64) -> Result<(), AddError> {
        self.tokens = self.tokens.checked_add(count).ok_or(AddError::TooManyTokens)?;
        if let Some(sum) = self.counts.get_mut(word) {
            *sum += count;
        } else if self.counts.len() < u32::MAX as usize {
            self.counts.insert(word.into(), count);
        } else {
            return Err(AddError::TooManyWords);
        }
        Ok(())
    }

    /// The same for a count whose last digits are decimals.
    pub(crate) fn add_decimal(&mut self, word: &str, digits: u64, decimals: u32) -> Result<(), AddError> {
        let times = |count: u64, power: u32| 10u64.checked_pow(power).and_then(|ten| count.checked_mul(ten));
        if let Some(more) = decimals.checked_sub(self.decimals).filter(|more| *more > 0) {
            // No count is more than the sum, which fits.
            self.tokens = times(self.tokens, more).ok_or(AddError::TooManyTokens)?;
            self.counts.values_mut().for_each(|count| *count *= 10u64.pow(more));
            self.decimals = decimals;
        }
        let count = times(digits, self.decimals - decimals).ok_or(AddError::TooManyTokens)?;
        self.add(word, count)
    }

    /// What was found out about the table that they were read from, if a reader should know: its header, its columns.
    pub fn table(&self) -> Option<&str> {
        self.table.as_deref()
    }

    /// The same words with other capital letters; equal ones add up.
    pub(crate) fn in_case(self, casing: Casing) -> Self {
        let mut counts: HashMap<Box<str>, u64, RandomState> = HashMap::default();
        for (word, count) in self.counts {
            // The sum of all counts fits.
            *counts.entry(normalise(&word, casing).into()).or_default() += count;
        }
        Self { counts, ..self }
    }

    /// Adds to what a reader should know.
    pub(crate) fn tell(&mut self, note: String) {
        self.table = Some(self.table.take().map_or(note.clone(), |table| format!("{table}, {note}")));
    }

    /// Where the words come from, as errors and summaries call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How often a word in normal form was seen.
    pub fn count(&self, word: &str) -> u64 {
        self.counts.get(word).copied().unwrap_or(0)
    }

    /// The number of distinct words.
    pub fn types(&self) -> usize {
        self.counts.len()
    }

    /// The sum of all counts.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Whether there is no word at all.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The words, in no order.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.counts.keys().map(|word| &**word)
    }

    pub(crate) fn into_words(self) -> impl Iterator<Item = (Box<str>, u64)> {
        self.counts.into_iter()
    }
}
