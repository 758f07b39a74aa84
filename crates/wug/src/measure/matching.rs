//! Matching: which candidates are most like a word in what experiments control for?
//!
//! Words are points: log-probability, Coltheart's N, OLD20, mean bigram frequency, each in units of its standard deviation among
//! the lexicon's words of that length. The nearest candidates of the same length by Euclidean distance are the best matches.

use std::collections::BTreeSet;

use serde::Serialize;
use thiserror::Error;

use super::letters::LetterStatistics;
use super::reference::Reference;
use super::score::ScoreProblem;
use super::words::{MeasuredWord, Measures};
use crate::generate::{Constraint, SampleError, WordBuilder};
use crate::{Error, Result};

/// Candidates that are scored at a time.
const BATCH: usize = 64;
/// Candidates for a match: so many for each word that is wanted, within bounds.
const CANDIDATES_EACH: u64 = 30;
const FEWEST_CANDIDATES: u64 = 3000;
const MOST_CANDIDATES: u64 = 1 << 20;
/// Tries in a row after which there are no more candidates.
const CANDIDATE_TRIES: u64 = 20_000;

/// A candidate, and how far it is from the word it is to match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Match {
    /// The candidate.
    #[serde(flatten)]
    pub candidate: MeasuredWord,
    /// Its distance, in standard deviations.
    pub match_distance: f64,
}

/// Why nothing can be matched.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The word has no score.
    #[error(transparent)]
    Word(#[from] ScoreProblem),
    /// The lexicon does not say what is usual for the length.
    #[error(
        "the lexicon has fewer than {} words with {length} letters, too few to tell how much words of that length differ",
        Reference::FEWEST
    )]
    TooFewWords {
        /// Letters of the word.
        length: usize,
    },
}

/// The words that match a word best.
#[derive(Debug, Clone, PartialEq)]
pub struct Matches {
    /// The nearest candidates, the nearest first.
    pub nearest: Vec<Match>,
    /// Candidates that there were.
    pub candidates: usize,
}

impl Measures<'_> {
    /// The `count` words that match a word best, out of some thousands of the same length that `words` makes. No word comes
    /// twice.
    ///
    /// # Errors
    /// When the word has no score, the lexicon has too few words of its length, or no candidates can be made. Fewer
    /// candidates than hoped for are no error.
    pub fn matches(&mut self, word: &str, count: usize, words: WordBuilder<'_>) -> Result<Matches> {
        let target = Target::new(self, word)?;
        let length = target.word.letters.length;
        let wanted = (count as u64).saturating_mul(CANDIDATES_EACH).clamp(FEWEST_CANDIDATES, MOST_CANDIDATES);
        let words = words.constraint(Constraint::AtLeast(length)).constraint(Constraint::AtMost(length));
        let made = words.unique(true).max_tries(CANDIDATE_TRIES).make(wanted)?.filter(|word| {
            // Short words are soon all known.
            !matches!(word, Err(Error::Sample(SampleError::GaveUp(_))))
        });
        let made: Vec<String> = made.collect::<Result<_, _>>()?;
        let candidates = made.len();
        Ok(Matches { nearest: target.nearest(self, made, count)?, candidates })
    }
}

/// What letters alone put into a point. A figure that does not exist does not for any word of the length.
fn of_letters(letters: &LetterStatistics) -> [f64; 3] {
    [letters.coltheart_n as f64, letters.old20.unwrap_or(0.0), letters.bigram_frequency.unwrap_or(0.0)]
}

/// A word to be matched.
#[derive(Debug, Clone)]
pub struct Target {
    /// The word.
    pub word: MeasuredWord,
    log_scale: f64,
    letter_scales: [f64; 3],
}

impl Target {
    /// Measures the word, and how much words of its length differ.
    ///
    /// # Errors
    /// When the word has no score or the lexicon has too few words of its length.
    pub fn new(measures: &mut Measures<'_>, word: &str) -> Result<Self> {
        let threads = measures.scorer.settings().execution.threads;
        let [word] = <[_; 1]>::try_from(measures.measure(&[word])?)
            .unwrap_or_else(|found| unreachable!("one word gave {} results", found.len()));
        let word = word.map_err(MatchError::Word)?;
        let length = word.letters.length;
        let reference = measures.scorer.reference(length)?.ok_or(MatchError::TooFewWords { length })?.words();
        let vocabulary = measures.letters.lexicon().vocabulary();
        let texts: Vec<&str> = reference.iter().map(|&(id, _)| vocabulary.text(id)).collect();
        let logs: Vec<f64> = reference.iter().map(|&(_, log)| log).collect();
        let points: Vec<[f64; 3]> =
            measures.letters.measure_all(&texts, threads).iter().map(of_letters).collect();
        let letter_scales = [0, 1, 2].map(|row| scale(points.iter().map(|point| point[row])));
        Ok(Self { word, log_scale: scale(logs.into_iter()), letter_scales })
    }

    /// The square of the distance in what letters alone say.
    fn letter_distance(&self, letters: &LetterStatistics) -> f64 {
        let (own, other) = (of_letters(&self.word.letters), of_letters(letters));
        (0..3).map(|row| ((own[row] - other[row]) / self.letter_scales[row]).powi(2)).sum()
    }

    /// The `count` candidates of the word's length that are nearest to it, the nearest first; equally near ones in code-point
    /// order. Repeated candidates, the word itself and candidates without a score are left out.
    ///
    /// A candidate's log-probability is computed only if its letters leave it a chance.
    ///
    /// # Errors
    /// When the model cannot be used.
    pub fn nearest(
        &self,
        measures: &mut Measures<'_>,
        candidates: impl IntoIterator<Item = String>,
        count: usize,
    ) -> Result<Vec<Match>> {
        let distinct: BTreeSet<String> =
            candidates.into_iter().filter(|candidate| *candidate != self.word.word).collect();
        let distinct: Vec<String> = distinct.into_iter().collect();
        let threads = measures.scorer.settings().execution.threads;
        let letters = measures.letters.measure_all(&distinct, threads);
        let mut open: Vec<(f64, String, LetterStatistics)> = distinct
            .into_iter()
            .zip(letters)
            .filter(|(_, letters)| letters.length == self.word.letters.length)
            .map(|(word, letters)| (self.letter_distance(&letters), word, letters))
            .collect();
        open.sort_by(|left, right| left.0.total_cmp(&right.0));
        let mut best: Vec<Match> = Vec::new();
        let mut open = open.into_iter().peekable();
        while let Some((least, _, _)) = open.peek() {
            // Log-probability only adds to the distance.
            if best.len() == count && best.last().is_none_or(|last| least.sqrt() > last.match_distance) {
                break;
            }
            let batch: Vec<(f64, String, LetterStatistics)> = open.by_ref().take(BATCH).collect();
            let words: Vec<&str> = batch.iter().map(|(_, word, _)| word.as_str()).collect();
            let scores = measures.scorer.score(&words)?;
            for ((square, word, letters), score) in batch.into_iter().zip(scores) {
                let Ok(score) = score else { continue };
                let difference = (score.log_probability - self.word.score.log_probability) / self.log_scale;
                let match_distance = (square + difference.powi(2)).sqrt();
                best.push(Match { candidate: MeasuredWord::new(&word, score, letters), match_distance });
            }
            best.sort_by(|left, right| {
                let by_distance = left.match_distance.total_cmp(&right.match_distance);
                by_distance.then_with(|| left.candidate.word.cmp(&right.candidate.word))
            });
            best.truncate(count);
        }
        Ok(best)
    }
}

/// The standard deviation, or 1 where all numbers are the same.
fn scale(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    let variance = numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    if variance > 0.0 { variance.sqrt() } else { 1.0 }
}
