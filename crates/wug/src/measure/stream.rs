//! Words without number, measured as they come.

use std::collections::VecDeque;

use super::score::ScoreProblem;
use super::words::{MeasuredWord, Measures};
use crate::Result;

/// Words that are measured together: few at first, so that something is seen soon.
const FIRST_BATCH: usize = 16;
const LARGEST_BATCH: usize = 1024;

/// Words with their measures, in their order, by [`Measures::stream`].
pub struct MeasuredStream<'s, 'a, I: Iterator> {
    measures: &'s mut Measures<'a>,
    words: I,
    size: usize,
    ready: VecDeque<(I::Item, Result<MeasuredWord, ScoreProblem>)>,
}

impl<'a> Measures<'a> {
    /// Measures words as they come, batch by batch. Each comes back with its measures, or why it has none.
    pub fn stream<I>(&mut self, words: I) -> MeasuredStream<'_, 'a, I::IntoIter>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        MeasuredStream { measures: self, words: words.into_iter(), size: FIRST_BATCH, ready: VecDeque::new() }
    }
}

impl<I: Iterator<Item: AsRef<str>>> MeasuredStream<'_, '_, I> {
    /// Whether the next word is at hand already. If not, it takes a while: print what there is.
    pub fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }
}

impl<I: Iterator<Item: AsRef<str>>> Iterator for MeasuredStream<'_, '_, I> {
    type Item = Result<(I::Item, Result<MeasuredWord, ScoreProblem>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            let batch: Vec<I::Item> = self.words.by_ref().take(self.size).collect();
            self.size = (2 * self.size).min(LARGEST_BATCH);
            let texts: Vec<&str> = batch.iter().map(AsRef::as_ref).collect();
            match self.measures.measure(&texts) {
                Ok(measured) => self.ready = batch.into_iter().zip(measured).collect(),
                Err(error) => return Some(Err(error)),
            }
        }
        self.ready.pop_front().map(Ok)
    }
}
