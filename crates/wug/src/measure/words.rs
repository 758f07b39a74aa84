//! Everything about a word at once.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::criteria::Measure;
use super::length_profile::LengthProfile;
use super::letters::{LetterMeasures, LetterStatistics, Lexicality};
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
    /// The per cent of the lexicon's words of the length with a smaller figure, if [asked for](Measures::ranked). That of the
    /// log-probability is in the score.
    #[serde(flatten, serialize_with = "percentile_fields")]
    pub percentiles: BTreeMap<Measure, f64>,
    /// What the letters say next to the other lexicon, if there is one.
    #[serde(flatten, serialize_with = "other_fields")]
    pub other: Option<LetterStatistics>,
}

/// Fields `old20_percentile` and so on.
fn percentile_fields<S: Serializer>(all: &BTreeMap<Measure, f64>, serializer: S) -> Result<S::Ok, S::Error> {
    let field = |(measure, share): (&Measure, &f64)| (format!("{}_percentile", measure.field()), *share);
    serializer.collect_map(all.iter().map(field))
}

/// Fields `other_old20` and so on, for those that depend on the lexicon.
fn other_fields<S: Serializer>(other: &Option<LetterStatistics>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Other<'a> {
        other_lexicality: Lexicality,
        other_coltheart_n: usize,
        other_old20: Option<f64>,
        other_nearest_distance: Option<usize>,
        other_nearest: &'a [String],
    }
    let fields = other.as_ref().map(|found| Other {
        other_lexicality: found.lexicality,
        other_coltheart_n: found.coltheart_n,
        other_old20: found.old20,
        other_nearest_distance: found.nearest_distance,
        other_nearest: &found.nearest,
    });
    fields.serialize(serializer)
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
        Self { word, spelling, score, letters, percentiles: BTreeMap::new(), other: None }
    }

    /// The per cent of the lexicon's words of its length with a smaller figure, if it was asked for.
    pub fn percentile(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::LogProbability => self.score.lexicon_percentile,
            _ => self.percentiles.get(&measure).copied(),
        }
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
    /// Whether words get percentiles of every measure.
    ranked: bool,
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
            ranked: false,
        }
    }

    /// Measures next to another lexicon too, such as that of a second language.
    #[must_use]
    pub fn beside(self, other: &'a Lexicon) -> Self {
        Self { other: Some(LetterMeasures::of(other)), ..self }
    }

    /// Adds the percentile of each measure among the lexicon's words of the length, from 500 of them at most.
    #[must_use]
    pub fn ranked(self) -> Self {
        Self { ranked: true, ..self }
    }

    /// The same without percentiles of the log-probability.
    pub fn without_percentiles(
        model: &'a TrainedModel,
        lexicon: &'a Lexicon,
        settings: ScoreSettings,
    ) -> Self {
        let scorer = Scorer::without_percentiles(model, settings);
        let letters = LetterMeasures::of(lexicon);
        Self { model, scorer, letters, other: None, lengths: BTreeMap::new(), ranked: false }
    }

    /// Measures words. A word's figures do not depend on the others.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn measure(&mut self, words: &[&str]) -> Result<Vec<Result<MeasuredWord, ScoreProblem>>> {
        let scores = self.scorer.score(words)?;
        self.join_ranked(words, scores)
    }

    /// Adds what letters say, and percentiles if asked for.
    pub(super) fn join_ranked(
        &mut self,
        words: &[&str],
        scores: Vec<Result<Score, ScoreProblem>>,
    ) -> Result<Vec<Result<MeasuredWord, ScoreProblem>>> {
        let mut measured = self.join(words, scores);
        if self.ranked {
            for word in measured.iter_mut().flatten() {
                word.percentiles = self.percentiles(word)?;
            }
        }
        Ok(measured)
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
