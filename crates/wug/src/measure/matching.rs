//! Matching: pseudowords for a whole list of words, as like them as possible in what experiments control for.
//!
//! Words are points: each measure in units of its standard deviation among the lexicon's words of that length. Candidates are made by the
//! model under the request's constraints, for all targets of a length together; each target gets its own by optimal assignment of the
//! smallest sum of squared distances. Small differences that all go the same way would be a trace, so the targets' points are moved
//! until the mean differences vanish.

mod assess;
mod balance;
mod few;
mod nearest_edges;
mod pairs;
mod pool;
mod quality;
mod report;
mod resemblance;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

use super::column::ColumnError;
use super::columns::Columns;
use super::criteria::{Criterion, Feature};
use super::ld1nn::{Bias, MAX_STIMULI, Stimulus, ld1nn_random};
use super::list_index::ListIndex;
use super::measured_word::MeasuredWord;
use super::reference::Reference;
use super::score::{ScoreProblem, ScoreSettings};
use super::words::Measures;
use crate::generate::{Classes, Constraint, ConstraintError};
use crate::lexicon::KnownWords;
use crate::{Execution, Result, TrainedModel};
pub use quality::{Quality, Worst};

/// What pseudowords to find for a list of words.
#[derive(Debug, Clone)]
pub struct MatchRequest {
    /// Pseudowords for each word.
    pub per_target: usize,
    /// What is matched on.
    pub criteria: Vec<Criterion>,
    /// What each pseudoword shares with its word.
    pub same: Vec<Feature>,
    /// Places at which it has the word's letter: 1 is the first, −1 the last.
    pub keep: Vec<i32>,
    /// The minimum number of letters that must be changed to come from the word to the pseudoword.
    pub min_edits: usize,
    /// The maximum number of letters.
    pub max_edits: Option<usize>,
    /// The minimum number of letters in which any two pseudowords differ; 1 only means that none comes twice.
    pub apart: usize,
    /// How often each three letters in a row of a pseudoword occur in the lexicon's words, at least, beginning and end included.
    pub attested: u64,
    /// Candidates for each group of targets that share their constraints; a few thousand unless it is said.
    pub candidates: Option<usize>,
    /// Further conditions on pseudowords.
    pub constraints: Vec<Constraint>,
    /// Classes of letters for them.
    pub classes: Classes,
    /// Lists and dictionaries whose words are no pseudowords. Words of the lexicon never are.
    pub excluded: Vec<Arc<dyn KnownWords>>,
}

impl Default for MatchRequest {
    fn default() -> Self {
        Self {
            per_target: 1,
            criteria: Criterion::usual(),
            same: Vec::new(),
            keep: Vec::new(),
            min_edits: 1,
            max_edits: None,
            apart: 1,
            attested: 3,
            candidates: None,
            constraints: Vec::new(),
            classes: Classes::default(),
            excluded: Vec::new(),
        }
    }
}

/// How far the matching has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchProgress {
    /// What is being done.
    pub stage: MatchStage,
    /// How much of it is done, from 0 to 1.
    pub share: f64,
}

/// The parts of the work, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchStage {
    /// Measuring the targets.
    Targets,
    /// Making and measuring candidates.
    Candidates,
    /// Choosing among them.
    Assignment,
    /// Measuring what was chosen, and testing the list for bias.
    Checks,
}

impl MatchStage {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Targets => "targets",
            Self::Candidates => "candidates",
            Self::Assignment => "assignment",
            Self::Checks => "checks",
        }
    }
}

/// A pseudoword, and how far it is from the word it matches.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Match {
    /// The pseudoword.
    #[serde(flatten)]
    pub candidate: MeasuredWord,
    /// Its distance, in standard deviations: the root of the weighted sum of squares.
    pub match_distance: f64,
}

/// A word with its pseudowords.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchedTarget {
    /// The word.
    pub target: MeasuredWord,
    /// Its pseudowords, the nearest first.
    pub pseudowords: Vec<Match>,
}

/// Why a word of the list has no pseudowords, or too few.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Shortage {
    /// It has no score.
    #[error("{0}")]
    Word(ScoreProblem),
    /// The lexicon does not say what is usual for its length.
    #[error(
        "the lexicon has fewer than {} words with {length} letters, too few to tell how much they differ",
        Reference::MIN_WORDS
    )]
    TooFewWords {
        /// Letters of the word.
        length: usize,
    },
    /// It has no figure for a measure.
    #[error("it has no {measure}")]
    NoFigure {
        /// The measure's name.
        measure: String,
    },
    /// It has no letter at a place that is to be kept, or no shape.
    #[error("it has no {feature} to keep")]
    NoFeature {
        /// What it lacks.
        feature: String,
    },
    /// No word meets its constraints.
    #[error("{0}")]
    Impossible(ConstraintError),
    /// There were not enough candidates that fit.
    #[error("{found} of {wanted} pseudowords found among {candidates} candidates")]
    Candidates {
        /// Pseudowords that were found.
        found: usize,
        /// Pseudowords that were wanted.
        wanted: usize,
        /// Candidates that met its constraints.
        candidates: usize,
    },
}

/// Why nothing can be matched.
#[derive(Debug, Error)]
pub enum MatchError {
    /// Something in the request is none of what there is.
    #[error("{0}")]
    Request(String),
    /// A measure needs something that is not there.
    #[error(transparent)]
    Column(#[from] ColumnError),
    /// Whoever watches did not want to wait.
    #[error("stopped before the list was matched")]
    Stopped,
}

/// Pseudowords for a list of words. Printed, it is a report of how well they match.
#[derive(Debug, Clone, Serialize)]
pub struct Matched {
    /// The words that could be measured, in their order.
    pub targets: Vec<MatchedTarget>,
    /// Words of the list with too few pseudowords or none, and why.
    #[serde(serialize_with = "shortages")]
    pub shortages: Vec<(String, Shortage)>,
    /// How well each criterion is matched.
    pub quality: Vec<Quality>,
    /// Whether words and pseudowords can be told apart by their neighbours in the list; none where the list is too short or too long.
    pub bias: Option<Bias>,
    /// Candidates that were measured.
    pub candidates: usize,
    /// Seed of everything that was drawn.
    pub seed: u64,
}

fn shortages<S: serde::Serializer>(all: &[(String, Shortage)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(all.iter().map(|(word, shortage)| (word, shortage.to_string())))
}

/// Random orders of the test for bias.
pub(crate) const ORDERS: usize = 100;

/// Tells progress, and whether to go on.
struct Watch<'w>(&'w mut dyn FnMut(MatchProgress) -> ControlFlow<()>);

impl Watch<'_> {
    fn tell(&mut self, stage: MatchStage, share: f64) -> Result<(), MatchError> {
        match (self.0)(MatchProgress { stage, share }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(MatchError::Stopped),
        }
    }
}

impl MatchRequest {
    fn check(&self) -> Result<(), MatchError> {
        let wrong = |text: &str| Err(MatchError::Request(text.to_owned()));
        if self.per_target == 0 || self.criteria.is_empty() {
            return wrong("expected at least one pseudoword for each word, and one measure to match on");
        }
        for (index, Criterion { measure, weight, tolerance }) in self.criteria.iter().enumerate() {
            let name = measure.criterion_name();
            if !weight.is_finite()
                || *weight < 0.0
                || tolerance.is_some_and(|most| most.is_nan() || most < 0.0)
            {
                return wrong(&format!("{name}: weights and tolerances are not negative"));
            }
            if self.criteria[..index].iter().any(|other| other.measure == *measure) {
                return wrong(&format!("{name} is named twice"));
            }
        }
        if self.keep.contains(&0) {
            return wrong("places to keep are 1, 2, … from the beginning and -1, -2, … from the end");
        }
        Ok(())
    }
}

impl Measures {
    /// The model that makes candidates, and the lexicon that none is a word of.
    fn makers(&self) -> Result<(&TrainedModel, &ListIndex), MatchError> {
        let missing = || MatchError::Request("matching needs a model and a lexicon".to_owned());
        let model = self.sources.model.as_deref().ok_or_else(missing)?;
        Ok((model, self.sources.lexicon.as_deref().ok_or_else(missing)?))
    }

    /// Whether a list can be matched or judged, and the columns of its words: those of the table, and the criteria.
    fn checked(&self, request: &MatchRequest) -> Result<Columns, MatchError> {
        request.check()?;
        let criteria = || request.criteria.iter().map(|criterion| criterion.measure);
        self.check(criteria())?;
        Ok(self.columns.with(pairs::columns_for(criteria())))
    }

    /// Finds pseudowords for a list of words. The result is a function of the list, the request, the model, the lexicon and the settings'
    /// seed; threads do not matter. `watch` is told the progress now and then, and may end the work.
    ///
    /// # Errors
    /// When the request is wrong, no candidates can be made at all, the model cannot be used, or the watcher ends the work. Words that
    /// cannot be matched are no error: they are in [`Matched::shortages`].
    pub fn match_list(
        &self,
        given: &[&str],
        request: &MatchRequest,
        mut watch: impl FnMut(MatchProgress) -> ControlFlow<()>,
    ) -> Result<Matched> {
        let columns = self.checked(request)?;
        let (model, _) = self.makers()?;
        let folded: Vec<Cow<'_, str>> = given.iter().map(|word| self.fold(word)).collect();
        let targets: &[&str] = &folded.iter().map(AsRef::as_ref).collect::<Vec<_>>();
        let of_words = request.criteria.iter().find(|criterion| criterion.measure.is_of_words());
        if let Some(Criterion { measure, .. }) = of_words {
            let name = measure.criterion_name();
            return Err(MatchError::Request(format!(
                "{name}: pseudowords are in no list, and all have the same"
            ))
            .into());
        }
        if targets.is_empty() {
            return Err(MatchError::Request("there is no word to match in the list".to_owned()).into());
        }
        let mut watch = Watch(&mut watch);
        watch.tell(MatchStage::Targets, 0.0)?;
        let mut shortages = Vec::new();
        let words = self.measured(&columns, targets, &mut shortages)?;
        let mut pool = pool::Pool::gather(self, words, request, &mut shortages, &mut watch)?;
        let chosen = balance::choose(self, &mut pool, request, &mut watch)?;
        watch.tell(MatchStage::Checks, 0.0)?;
        let found = self.final_measures(&columns, &pool, &chosen)?;
        let mut found = found.into_iter();
        let mut matched = Vec::new();
        for (target, own) in pool.targets.iter().zip(&chosen) {
            let mut pseudowords: Vec<Match> = found
                .by_ref()
                .take(own.len())
                .flatten()
                .map(|candidate| Match { match_distance: pool.distance(target, &candidate), candidate })
                .collect();
            pseudowords.sort_by(|left, right| {
                let by_distance = left.match_distance.total_cmp(&right.match_distance);
                by_distance.then_with(|| left.candidate.word.cmp(&right.candidate.word))
            });
            if pseudowords.len() < request.per_target {
                let (found, wanted) = (pseudowords.len(), request.per_target);
                let candidates = pool.groups[target.group].candidates.len();
                shortages
                    .push((target.word.word.clone(), Shortage::Candidates { found, wanted, candidates }));
            }
            matched.push(MatchedTarget { target: target.word.clone(), pseudowords });
        }
        // Words come back as they were given, and their pseudowords with them.
        let written: HashMap<&str, &str> = targets.iter().copied().zip(given.iter().copied()).collect();
        for MatchedTarget { target, pseudowords } in &mut matched {
            let Some(own) = written.get(target.word.as_str()).filter(|own| **own != target.word) else {
                continue;
            };
            if model.alphabet.capitalise(&target.word) == **own {
                for Match { candidate, .. } in pseudowords {
                    candidate.shown_as(model.alphabet.capitalise(&candidate.word));
                }
            }
            target.shown_as((*own).to_owned());
        }
        let found = self.judged(matched, shortages, &pool);
        watch.tell(MatchStage::Checks, 1.0)?;
        Ok(found)
    }

    /// The words that have measures; why the others have none is added to the shortages.
    fn measured(
        &self,
        columns: &Columns,
        words: &[&str],
        shortages: &mut Vec<(String, Shortage)>,
    ) -> Result<Vec<MeasuredWord>> {
        let mut found = Vec::new();
        for (word, measured) in words.iter().zip(self.rows(columns, words, self.settings())?) {
            match measured {
                Ok(measured) => found.push(measured),
                Err(problem) => shortages.push(((*word).to_owned(), Shortage::Word(problem))),
            }
        }
        Ok(found)
    }

    /// How well a list is matched, and whether it gives itself away.
    fn judged(
        &self,
        targets: Vec<MatchedTarget>,
        shortages: Vec<(String, Shortage)>,
        pool: &pool::Pool,
    ) -> Matched {
        let Execution { seed, threads } = self.settings().execution;
        let quality = quality::of(&targets, pool);
        let stimuli: Vec<Stimulus> = targets.iter().flat_map(stimuli).collect();
        let bias = if stimuli.len() <= MAX_STIMULI {
            ld1nn_random(&stimuli, ORDERS, seed, threads).ok()
        } else {
            None
        };
        Matched { targets, shortages, quality, bias, candidates: pool.candidates.len(), seed }
    }

    /// Measures what was chosen, with noise that the choice knew nothing of where scores are estimates.
    fn final_measures(
        &self,
        columns: &Columns,
        pool: &pool::Pool,
        chosen: &[Vec<u32>],
    ) -> Result<Vec<Result<MeasuredWord, ScoreProblem>>> {
        let words: Vec<&str> = chosen
            .iter()
            .flatten()
            .map(|&candidate| pool.candidates[candidate as usize].word.as_str())
            .collect();
        self.rows(columns, &words, fresh(self.settings(), 2))
    }
}

/// The same settings with other noise.
fn fresh(settings: ScoreSettings, times: u64) -> ScoreSettings {
    // Any other seed: this one is not among those that people type.
    let seed = settings.execution.seed ^ (times << 56);
    ScoreSettings { execution: Execution { seed, ..settings.execution }, ..settings }
}

/// A word and its pseudowords as a participant sees them.
fn stimuli(matched: &MatchedTarget) -> Vec<Stimulus> {
    let own = Stimulus { text: matched.target.word.clone(), is_word: true };
    let others = matched
        .pseudowords
        .iter()
        .map(|found| Stimulus { text: found.candidate.word.clone(), is_word: false });
    std::iter::once(own).chain(others).collect()
}

#[cfg(test)]
mod tests;
