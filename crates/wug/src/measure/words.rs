//! Everything about a word at once.

use serde::Serialize;

use super::letters::{LetterMeasures, LetterStatistics};
use super::score::{Score, ScoreProblem, ScoreSettings, Scorer};
use crate::Result;
use crate::TrainedModel;
use crate::lexicon::Lexicon;
use crate::lexicon::letters::normalise;

/// A word with all that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasuredWord {
    /// The word.
    pub word: String,
    /// Its letters, to which the surprisals belong.
    pub spelling: Vec<String>,
    /// What the model says.
    #[serde(flatten)]
    pub score: Score,
    /// What the letters say.
    #[serde(flatten)]
    pub letters: LetterStatistics,
}

/// A word with what the model says, and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoredWord {
    /// The word.
    pub word: String,
    /// Its letters, to which the surprisals belong.
    pub spelling: Vec<String>,
    /// What the model says.
    #[serde(flatten)]
    pub score: Score,
}

impl ScoredWord {
    pub(super) fn new(word: &str, score: Score) -> Self {
        let word = normalise(word, false).into_owned();
        let spelling = crate::lexicon::letters::letters(&word).map(str::to_owned).collect();
        Self { word, spelling, score }
    }
}

impl MeasuredWord {
    pub(super) fn new(word: &str, score: Score, letters: LetterStatistics) -> Self {
        let ScoredWord { word, spelling, score } = ScoredWord::new(word, score);
        Self { word, spelling, score, letters }
    }
}

/// Measures words by a model and a lexicon.
#[derive(Debug)]
pub struct Measures<'a> {
    pub(super) scorer: Scorer<'a>,
    pub(super) letters: LetterMeasures<'a>,
}

impl<'a> Measures<'a> {
    /// Prepares to measure by a model, next to a lexicon.
    pub fn new(model: &'a TrainedModel, lexicon: &'a Lexicon, settings: ScoreSettings) -> Self {
        Self { scorer: Scorer::new(model, lexicon, settings), letters: LetterMeasures::of(lexicon) }
    }

    /// The same without percentiles.
    pub fn without_percentiles(
        model: &'a TrainedModel,
        lexicon: &'a Lexicon,
        settings: ScoreSettings,
    ) -> Self {
        let scorer = Scorer::without_percentiles(model, settings);
        Self { scorer, letters: LetterMeasures::of(lexicon) }
    }

    /// Measures words. A word's figures do not depend on the others.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn measure(&mut self, words: &[&str]) -> Result<Vec<Result<MeasuredWord, ScoreProblem>>> {
        let letters = self.letters.measure_all(words, self.scorer.settings().execution.threads);
        let scores = self.scorer.score(words)?;
        let join = |((word, score), letters): ((&&str, Result<Score, ScoreProblem>), LetterStatistics)| {
            score.map(|score| MeasuredWord::new(word, score, letters))
        };
        Ok(words.iter().zip(scores).zip(letters).map(join).collect())
    }
}
