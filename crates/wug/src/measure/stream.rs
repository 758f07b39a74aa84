//! Words without number, measured as they come.

use std::collections::VecDeque;

use super::score::{ScoreProblem, Scorer};
use super::words::{MeasuredWord, Measures, ScoredWord};
use crate::Result;

/// Words that are measured together: few at first, so that something is seen soon.
const FIRST_BATCH: usize = 16;
/// The most words where a score takes a thousand particles, and where it takes one pass: enough words of each length to fill
/// the lanes.
const LARGEST_BATCH: usize = 256;
const LARGEST_EXACT_BATCH: usize = 1 << 14;

/// What measures words in batches.
pub trait MeasureBatch {
    /// A word with its measures.
    type Measured;

    /// Measures words. A word's figures do not depend on the others.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    fn measure_batch(&mut self, words: &[&str]) -> Result<Vec<Result<Self::Measured, ScoreProblem>>>;

    /// The most words of a batch.
    fn largest_batch(&self) -> usize;

    /// Measures words as they come, batch by batch. Each comes back with its measures, or why it has none.
    fn stream<I>(&mut self, words: I) -> MeasuredStream<'_, Self, I::IntoIter>
    where
        Self: Sized,
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        MeasuredStream { measures: self, words: words.into_iter(), size: FIRST_BATCH, ready: VecDeque::new() }
    }
}

impl Measures<'_> {
    /// Measures words as they come, batch by batch. Each comes back with its measures, or why it has none.
    pub fn stream<I>(&mut self, words: I) -> MeasuredStream<'_, Self, I::IntoIter>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        MeasureBatch::stream(self, words)
    }
}

/// All measures.
impl MeasureBatch for Measures<'_> {
    type Measured = MeasuredWord;

    fn measure_batch(&mut self, words: &[&str]) -> Result<Vec<Result<MeasuredWord, ScoreProblem>>> {
        self.measure(words)
    }

    fn largest_batch(&self) -> usize {
        LARGEST_BATCH
    }
}

/// What the model says alone.
impl MeasureBatch for Scorer<'_> {
    type Measured = ScoredWord;

    fn measure_batch(&mut self, words: &[&str]) -> Result<Vec<Result<ScoredWord, ScoreProblem>>> {
        let scores = self.score(words)?;
        let join = |(word, score): (&&str, Result<_, _>)| score.map(|score| ScoredWord::new(word, score));
        Ok(words.iter().zip(scores).map(join).collect())
    }

    fn largest_batch(&self) -> usize {
        if self.model().model.is_exact() { LARGEST_EXACT_BATCH } else { LARGEST_BATCH }
    }
}

/// A word's measures, or why it has none.
type Outcome<M> = Result<<M as MeasureBatch>::Measured, ScoreProblem>;

/// Words with their measures, in their order, by [`MeasureBatch::stream`].
pub struct MeasuredStream<'s, M: MeasureBatch, I: Iterator> {
    measures: &'s mut M,
    words: I,
    size: usize,
    ready: VecDeque<(I::Item, Outcome<M>)>,
}

impl<M: MeasureBatch, I: Iterator<Item: AsRef<str>>> MeasuredStream<'_, M, I> {
    /// Whether the next word is at hand already. If not, it takes a while: print what there is.
    pub fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }
}

impl<M: MeasureBatch, I: Iterator<Item: AsRef<str>>> Iterator for MeasuredStream<'_, M, I> {
    type Item = Result<(I::Item, Outcome<M>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            let batch: Vec<I::Item> = self.words.by_ref().take(self.size).collect();
            self.size = (2 * self.size).min(self.measures.largest_batch());
            let texts: Vec<&str> = batch.iter().map(AsRef::as_ref).collect();
            match self.measures.measure_batch(&texts) {
                Ok(measured) => self.ready = batch.into_iter().zip(measured).collect(),
                Err(error) => return Some(Err(error)),
            }
        }
        self.ready.pop_front().map(Ok)
    }
}
