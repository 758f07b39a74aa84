//! Everything about a word at once.

use std::collections::BTreeMap;

use serde::Serialize;

use super::length_profile::LengthProfile;
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
    /// What the letters say next to the other lexicon, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<LetterStatistics>,
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
        Self { word, spelling, score, letters, other: None }
    }
}

/// Measures words by a model and a lexicon.
#[derive(Debug)]
pub struct Measures<'a> {
    pub(super) model: &'a TrainedModel,
    pub(super) scorer: Scorer<'a>,
    pub(super) letters: LetterMeasures<'a>,
    pub(super) other: Option<LetterMeasures<'a>>,
    /// What words of a length are like; made when one comes up.
    pub(super) lengths: BTreeMap<usize, LengthProfile>,
}

impl<'a> Measures<'a> {
    /// Prepares to measure by a model, next to a lexicon.
    pub fn new(model: &'a TrainedModel, lexicon: &'a Lexicon, settings: ScoreSettings) -> Self {
        Self {
            model,
            scorer: Scorer::new(model, lexicon, settings),
            letters: LetterMeasures::of(lexicon),
            other: None,
            lengths: BTreeMap::new(),
        }
    }

    /// Measures next to another lexicon too, such as that of a second language.
    #[must_use]
    pub fn beside(self, other: &'a Lexicon) -> Self {
        Self { other: Some(LetterMeasures::of(other)), ..self }
    }

    /// The same without percentiles.
    pub fn without_percentiles(
        model: &'a TrainedModel,
        lexicon: &'a Lexicon,
        settings: ScoreSettings,
    ) -> Self {
        let scorer = Scorer::without_percentiles(model, settings);
        let letters = LetterMeasures::of(lexicon);
        Self { model, scorer, letters, other: None, lengths: BTreeMap::new() }
    }

    /// Measures words. A word's figures do not depend on the others.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn measure(&mut self, words: &[&str]) -> Result<Vec<Result<MeasuredWord, ScoreProblem>>> {
        let scores = self.scorer.score(words)?;
        Ok(self.join(words, scores))
    }

    /// Adds what letters say to what the model said.
    pub(super) fn join(
        &self,
        words: &[&str],
        scores: Vec<Result<Score, ScoreProblem>>,
    ) -> Vec<Result<MeasuredWord, ScoreProblem>> {
        let threads = self.scorer.settings().execution.threads;
        let letters = self.letters.measure_all(words, threads);
        let mut other = self.other.as_ref().map(|other| other.measure_all(words, threads).into_iter());
        let join = |((word, score), letters): ((&&str, Result<Score, ScoreProblem>), LetterStatistics)| {
            let other = other.as_mut().and_then(Iterator::next);
            score.map(|score| MeasuredWord { other, ..MeasuredWord::new(word, score, letters) })
        };
        words.iter().zip(scores).zip(letters).map(join).collect()
    }
}
