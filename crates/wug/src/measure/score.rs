//! The model's judgement of words: log-probability and surprisals.

use serde::Serialize;
use thiserror::Error;

use crate::evaluate::{Estimate, EvaluateError, Precision, Surprisals, surprisals};
use crate::lexicon::{SpellError, Symbol};
use crate::{Execution, Result, TrainedModel};

/// The longest word that is scored, in letters.
pub(crate) const MAX_SCORED: usize = 1000;

/// How scores are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreSettings {
    /// Particles for each word, at least; none are needed where scores are exact.
    pub particles: usize,
    /// The largest standard error of a log-probability: particles are added until it is reached, up to
    /// [`MAX_PARTICLES`](crate::evaluate::MAX_PARTICLES).
    pub error: Option<f64>,
    /// Seed and threads.
    pub execution: Execution,
}

impl Default for ScoreSettings {
    fn default() -> Self {
        Self { particles: 1000, error: None, execution: Execution::default() }
    }
}

/// What a model says about a word.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// `log P(w)` in nats.
    pub log_probability: f64,
    /// Its standard error; 0 where it is exact: the choice flow with a deterministic memory, and the baselines.
    pub standard_error: f64,
    /// `−log P(w_t | w_<t)` in nats of each letter and of the end; the sum is minus the log-probability.
    pub surprisals: Vec<f64>,
}

/// Why a word has no score.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScoreProblem {
    /// The model cannot spell it.
    #[error(transparent)]
    Spelling(#[from] SpellError),
    /// The model's numbers overflow.
    #[error("the probability of `{word}` is not a finite number: the model's parameters are too large")]
    NotFinite {
        /// The word.
        word: String,
    },
}

impl TrainedModel {
    /// Scores a word, the same as `wug score WORD`, on one thread.
    ///
    /// # Errors
    /// When the model does not know a letter, or cannot be used.
    pub fn score(&self, word: &str) -> Result<Score> {
        let mut scores = self.scores(&[word], ScoreSettings::default())?;
        let not_finite = || ScoreProblem::NotFinite { word: word.to_owned() };
        Ok(scores.pop().ok_or_else(not_finite)??)
    }

    /// Scores words. [`Measures`](super::Measures) compares them with others.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn scores(
        &self,
        words: &[&str],
        settings: ScoreSettings,
    ) -> Result<Vec<Result<Score, ScoreProblem>>> {
        let spelt: Vec<Result<Vec<Symbol>, SpellError>> =
            words.iter().map(|word| self.alphabet.spell(word, 0..=MAX_SCORED)).collect();
        let known: Vec<&[Symbol]> = spelt.iter().flatten().map(Vec::as_slice).collect();
        let mut found = filter(self, &known, settings)?.into_iter();
        let score = |(word, spelt): (&&str, Result<_, SpellError>)| match spelt.map(|_| found.next()) {
            Err(problem) => Err(problem.into()),
            Ok(Some(found)) if found.log_probability.mean.is_finite() => Ok(Score::of(found)),
            Ok(_) => Err(ScoreProblem::NotFinite { word: (*word).to_owned() }),
        };
        Ok(words.iter().zip(spelt).map(score).collect())
    }
}

impl Score {
    fn of(found: Surprisals) -> Self {
        let Surprisals { log_probability: Estimate { mean, error }, surprisals } = found;
        Self { log_probability: mean, standard_error: error, surprisals }
    }
}

fn filter(
    model: &TrainedModel,
    words: &[&[Symbol]],
    settings: ScoreSettings,
) -> Result<Vec<Surprisals>, EvaluateError> {
    let ScoreSettings { particles, error, execution } = settings;
    surprisals(model.fitted().leaving_out(), words, Precision { particles, error }, execution, &mut |_| {})
}

/// Log-probabilities of spelt words.
pub(super) fn log_probabilities(
    model: &TrainedModel,
    words: &[&[Symbol]],
    settings: ScoreSettings,
) -> Result<Vec<f64>, EvaluateError> {
    Ok(filter(model, words, settings)?.into_iter().map(|word| word.log_probability.mean).collect())
}
