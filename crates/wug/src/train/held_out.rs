//! Words that are held out: they tell how well training generalises, and when it no longer does.

use crate::Execution;
use crate::evaluate::{Sample, log_probabilities};
use crate::lexicon::{Lexicon, Symbol};
use crate::model::{Fitted, Model};

/// The most words that a report looks at: a fraction of a second of work.
const MAX: usize = 2000;

/// Words of the held-out part, all of them or a fixed draw.
#[derive(Debug)]
pub(super) struct HeldOut {
    words: Vec<Vec<Symbol>>,
    /// What each counts for.
    weights: Vec<f64>,
}

impl HeldOut {
    /// Words of the held-out part, by weight. None if it is empty, or if the model's probabilities would have to be estimated.
    pub(super) fn of(part: &Lexicon, model: &Model) -> Option<Self> {
        if part.is_empty() || !model.is_exact() {
            return None;
        }
        let draws = if part.types() <= MAX { 0 } else { MAX };
        let Sample { words, weights, .. } = Sample::of(part, draws, 1);
        let words = words.into_iter().map(|id| part.vocabulary().symbols(id).to_vec()).collect();
        Some(Self { words, weights })
    }

    /// Their cross entropy, in nats per word; a function of the parameters.
    pub(super) fn cross_entropy(&self, fitted: Fitted<'_>, threads: usize) -> Option<f64> {
        let words: Vec<&[Symbol]> = self.words.iter().map(Vec::as_slice).collect();
        let found = log_probabilities(fitted, &words, 1, Execution { seed: 1, threads }, &mut |_| {}).ok()?;
        let sum: f64 = found.iter().zip(&self.weights).map(|(word, weight)| weight * word.mean).sum();
        (-sum).is_finite().then_some(-sum)
    }
}

/// The best model so far, and how long ago that was.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Best {
    /// Its parameters.
    pub(super) parameters: Vec<f32>,
    /// Its cross entropy on the held-out words.
    pub(super) held_out: f64,
    /// Reports since then.
    pub(super) stale: u64,
}

impl Best {
    /// Takes in a report: the better of both.
    pub(super) fn update(best: &mut Option<Self>, held_out: f64, parameters: Vec<f32>) {
        match best {
            Some(best) if held_out >= best.held_out => best.stale += 1,
            _ => *best = Some(Self { parameters, held_out, stale: 0 }),
        }
    }
}
