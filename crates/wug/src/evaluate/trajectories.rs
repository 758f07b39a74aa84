//! Trajectories of a model that runs through states without knowing the word: `P̂(w) = (1/K) Σ_k Π_t P(w_t | h_t^(k))`.
//!
//! In the paper's model noise alone drives them: `h_t = F_g(h_{t−1}, ξ_t)` with `ξ_t ~ N(0, I)`. An exact model samples words, and goes on
//! with the next one after an end symbol. A state then knows the sampled letters, not those of w, so the mixture is far worse than the
//! exact probability by the chain rule ([`log_probabilities`](super::log_probabilities)); the paper's figures of its baseline are of this
//! kind.

use tilegrad::NoiseKey;
use tilegrad::noise::Noise;

use super::EvaluateError;
use super::emissions::{Block, LANES, Rows, Trajectories};
use crate::Execution;
use crate::generate::steps::{self, Stepper, Steps};
use crate::lexicon::{END, Symbol};
use crate::model::Fitted;
use crate::random::{categorical, streams};

/// Groups of lanes in a block.
const GROUPS: usize = LANES / steps::LANES;

/// Trajectories of a model. Number k is a function of the seed and k alone.
pub(crate) struct ModelTrajectories<'a> {
    steps: Steps<'a>,
    seed: u64,
}

impl<'a> ModelTrajectories<'a> {
    /// Prepares to run a model.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub(crate) fn new(
        fitted: Fitted<'a>,
        Execution { seed, threads }: Execution,
    ) -> Result<Self, EvaluateError> {
        Ok(Self { steps: Steps::new(fitted, threads)?, seed })
    }
}

/// Runs [`steps::LANES`] trajectories from a number on; gives for each position a row of logits for each symbol.
fn run(stepper: &mut Stepper<'_, '_>, seed: u64, first: u64, positions: usize) -> Vec<Vec<f32>> {
    (0..steps::LANES).for_each(|lane| {
        stepper.begin(lane);
        stepper.set_noise(lane, (None, 1.0), 1.0);
    });
    let picks_symbols = stepper.noise().picks_symbols;
    let step = |position| {
        let key = NoiseKey { seed, step: streams::trajectory(first, position) };
        let (logits, drawn) = stepper.look(key, first as u32, |look| {
            let drawn = match picks_symbols {
                true => draw(look.logits, (seed, first), position),
                false => [END; steps::LANES],
            };
            (look.logits.to_vec(), drawn)
        });
        stepper.take(&drawn);
        logits
    };
    (0..positions).map(step).collect()
}

/// Draws the symbol of each lane at a position of trajectories from a number on.
fn draw(logits: &[f32], (seed, first): (u64, u64), position: usize) -> [Symbol; steps::LANES] {
    std::array::from_fn(|lane| {
        let logit = |symbol: usize| f64::from(logits[symbol * steps::LANES + lane]);
        draw_symbol(logits.len() / steps::LANES, logit, (seed, first + lane as u64), position)
    })
}

/// Draws the symbol of a trajectory at a position.
pub(crate) fn draw_symbol(
    symbols: usize,
    logit: impl Fn(usize) -> f64,
    (seed, trajectory): (u64, u64),
    position: usize,
) -> Symbol {
    let stream = streams::SYMBOL + position as u16;
    let [u, _] = Noise::new(seed).uniform_f64(stream, trajectory >> 32, trajectory as u32, 0);
    categorical(symbols, logit, u) as Symbol
}

impl Trajectories for ModelTrajectories<'_> {
    fn fill(&mut self, rows: &Rows, blocks: &mut [Block]) {
        let firsts: Vec<u64> = blocks
            .iter()
            .flat_map(|block| (0..GROUPS).map(|group| block.first + (group * steps::LANES) as u64))
            .collect();
        let (seed, positions) = (self.seed, rows.positions());
        let found = self.steps.map(firsts, |first, stepper| run(stepper, seed, first, positions));
        for (block, groups) in blocks.iter_mut().zip(found.chunks_exact(GROUPS)) {
            for position in 0..rows.positions() {
                let symbols = groups[0][position].len() / steps::LANES;
                let row = |symbol: usize| {
                    groups
                        .iter()
                        .flat_map(move |group| &group[position][symbol * steps::LANES..][..steps::LANES])
                };
                let logits: Vec<f32> = (0..symbols).flat_map(row).copied().collect();
                block.set(rows, position, &logits);
            }
        }
    }
}
