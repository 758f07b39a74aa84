//! The model's judgement of words: log-probability, surprisals, and where a word stands among others of its length.

use std::collections::BTreeMap;

use serde::Serialize;
use thiserror::Error;

use super::reference::Reference;
use crate::evaluate::{Estimate, EvaluateError, Precision, Surprisals, surprisals};
use crate::lexicon::{Lexicon, SpellError, Symbol};
use crate::{Execution, Result, TrainedModel};

/// The longest word that is scored, in letters.
pub(crate) const MAX_SCORED: usize = 1000;

/// How scores are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreSettings {
    /// Particles for each word, at least; none are needed where scores are exact.
    pub particles: usize,
    /// The largest standard error of a log-probability: particles are added until it is reached, up to
    /// [`MOST_PARTICLES`](crate::evaluate::MOST_PARTICLES).
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
    /// The share of the lexicon's words of the same length that are less probable, in per cent; none if there are too few.
    pub lexicon_percentile: Option<f64>,
    /// The share of random strings of the same length that are less probable, in per cent; none with the other one.
    pub random_percentile: Option<f64>,
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

    /// Scores words. Percentiles need words to compare with: see [`Scorer`].
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
    /// Without percentiles.
    fn of(found: Surprisals) -> Self {
        let Surprisals { log_probability: Estimate { mean, error }, surprisals } = found;
        Self {
            log_probability: mean,
            standard_error: error,
            surprisals,
            lexicon_percentile: None,
            random_percentile: None,
        }
    }
}

fn filter(
    model: &TrainedModel,
    words: &[&[Symbol]],
    settings: ScoreSettings,
) -> Result<Vec<Surprisals>, EvaluateError> {
    let ScoreSettings { particles, error, execution } = settings;
    surprisals(model.fitted(), words, Precision { particles, error }, execution, &mut |_| {})
}

/// Scores words. A word's score is a function of the model, the lexicon, the settings and the word alone.
#[derive(Debug)]
pub struct Scorer<'a> {
    model: &'a TrainedModel,
    /// None for scores without percentiles.
    lexicon: Option<&'a Lexicon>,
    settings: ScoreSettings,
    /// What words are compared with, by length; made when a word of the length comes up.
    references: BTreeMap<usize, Option<Reference>>,
}

impl<'a> Scorer<'a> {
    /// Prepares to score by a model, next to a lexicon.
    pub fn new(model: &'a TrainedModel, lexicon: &'a Lexicon, settings: ScoreSettings) -> Self {
        Self { model, lexicon: Some(lexicon), settings, references: BTreeMap::new() }
    }

    /// Prepares to score without percentiles, which need words to compare with and most of the time.
    pub fn without_percentiles(model: &'a TrainedModel, settings: ScoreSettings) -> Self {
        Self { model, lexicon: None, settings, references: BTreeMap::new() }
    }

    /// The model.
    pub(super) fn model(&self) -> &'a TrainedModel {
        self.model
    }

    /// The settings.
    pub fn settings(&self) -> ScoreSettings {
        self.settings
    }

    /// Scores words, with percentiles if there is a lexicon.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn score(&mut self, words: &[&str]) -> Result<Vec<Result<Score, ScoreProblem>>> {
        let mut scores = self.model.scores(words, self.settings)?;
        for score in scores.iter_mut().flatten() {
            if let Some(reference) = self.reference(score.surprisals.len() - 1)? {
                score.lexicon_percentile = Some(reference.among_words(score.log_probability));
                score.random_percentile = Some(reference.among_strings(score.log_probability));
            }
        }
        Ok(scores)
    }

    /// What words of so many letters are compared with; none if the lexicon has too few of them, or there is none.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub(crate) fn reference(&mut self, length: usize) -> Result<Option<&Reference>> {
        let Some(lexicon) = self.lexicon else { return Ok(None) };
        if !self.references.contains_key(&length) {
            let settings = ScoreSettings { particles: Reference::PARTICLES, error: None, ..self.settings };
            let logs = |words: &[&[Symbol]]| -> Result<Vec<f64>, EvaluateError> {
                let found = filter(self.model, words, settings)?;
                Ok(found.into_iter().map(|word| word.log_probability.mean).collect())
            };
            let (is_exact, seed) = (self.model.model.is_exact(), settings.execution.seed);
            let reference = Reference::draw(lexicon, &self.model.alphabet, length, is_exact, seed, logs)?;
            self.references.insert(length, reference);
        }
        Ok(self.references.get(&length).and_then(Option::as_ref))
    }
}
