//! What a score is made of: independent estimates of `log P(w)`, each from some particles. An exact model needs one of each.

use tilegrad::{Graph, Symbols, Var};

use super::bound::{PosteriorNoise, filter_bound, posterior_noise};
use super::{Model, Parts};

/// How scores are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Words that run at once in a tile, all their estimates side by side.
    pub(crate) words: usize,
    /// Independent estimates of a word in a tile.
    pub(crate) estimates: usize,
    /// Particles of an estimate, and tiles of a word, that have as many particles together as were asked for.
    pub(crate) particles: usize,
    pub(crate) tiles: usize,
}

/// Estimates that run at once for a word: they fill the lanes.
const ESTIMATES: usize = 8;
/// The most particles of one estimate.
const MAX_PARTICLES: usize = 1000;
/// Words that run at once where no particles are needed.
const WORDS: usize = 64;

impl Model {
    /// How a word is scored with at least so many particles.
    pub(crate) fn score_sizes(&self, particles: usize) -> Sizes {
        match &self.parts {
            Parts::Exact(_) => Sizes { words: WORDS, estimates: 1, particles: 1, tiles: 1 },
            Parts::StateSpace(_) => {
                let tiles = particles.div_ceil(ESTIMATES * MAX_PARTICLES).max(1);
                let particles = particles.div_ceil(ESTIMATES * tiles).max(1);
                Sizes { words: 1, estimates: ESTIMATES, particles, tiles }
            }
        }
    }

    /// Records what each symbol adds to an estimate of the log-probability, the end symbol last.
    pub(crate) fn score_steps<'g>(&self, graph: &'g Graph, length: usize) -> Vec<Var<'g>> {
        let symbols: Vec<Symbols<'g>> = (0..length).map(|_| graph.symbols()).collect();
        match &self.parts {
            Parts::Exact(exact) => exact.log_probabilities(graph, &symbols),
            Parts::StateSpace(parts) => filter_bound(graph, parts, &symbols),
        }
    }

    /// Records particles of the posterior of the noise that moved the states of a word; none if noise does not move them.
    pub(crate) fn posterior_noise<'g>(&self, graph: &'g Graph, length: usize) -> Option<PosteriorNoise<'g>> {
        let symbols: Vec<Symbols<'g>> = (0..length).map(|_| graph.symbols()).collect();
        match &self.parts {
            Parts::Exact(_) => None,
            Parts::StateSpace(parts) => Some(posterior_noise(graph, parts, &symbols)),
        }
    }
}
