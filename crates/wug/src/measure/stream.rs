//! Words without number, measured as they come.

use std::collections::VecDeque;

use super::measured_word::MeasuredWord;
use super::score::ScoreProblem;
use super::words::Measures;
use crate::Result;

/// Words that are measured together: few at first, so that something is seen soon.
const FIRST_BATCH: usize = 16;
/// The most words where a score takes a thousand particles, and where it takes one pass: enough words of each length to fill
/// the lanes.
const LARGEST_BATCH: usize = 256;
const LARGEST_EXACT_BATCH: usize = 1 << 14;

impl Measures {
    /// Measures words as they come, batch by batch. Each comes back with its measures, or why it has none.
    pub fn stream<I>(&self, words: I) -> MeasuredStream<'_, I::IntoIter>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        MeasuredStream { measures: self, words: words.into_iter(), size: FIRST_BATCH, ready: VecDeque::new() }
    }

    fn largest_batch(&self) -> usize {
        let is_quick = self.sources.model.as_ref().is_none_or(|model| model.model.is_exact());
        if is_quick { LARGEST_EXACT_BATCH } else { LARGEST_BATCH }
    }
}

/// A word's measures, or why it has none.
type Outcome = Result<MeasuredWord, ScoreProblem>;

/// Words with their measures, in their order, by [`Measures::stream`].
pub struct MeasuredStream<'s, I: Iterator> {
    measures: &'s Measures,
    words: I,
    size: usize,
    ready: VecDeque<(I::Item, Outcome)>,
}

impl<I: Iterator<Item: AsRef<str>>> MeasuredStream<'_, I> {
    /// Whether the next word is at hand already. If not, it takes a while: print what there is.
    pub fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }
}

impl<I: Iterator<Item: AsRef<str>>> Iterator for MeasuredStream<'_, I> {
    type Item = Result<(I::Item, Outcome)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            let batch: Vec<I::Item> = self.words.by_ref().take(self.size).collect();
            self.size = (2 * self.size).min(self.measures.largest_batch());
            let texts: Vec<&str> = batch.iter().map(AsRef::as_ref).collect();
            match self.measures.measure(&texts) {
                Ok(measured) => self.ready = batch.into_iter().zip(measured).collect(),
                Err(error) => return Some(Err(error)),
            }
        }
        self.ready.pop_front().map(Ok)
    }
}
