//! Trajectories of exact models, as the paper treats those of its baseline: words are sampled, and the states that they lead
//! through are taken for a mixture, `P̂(w) = (1/K) Σ_k Π_t P(w_t | s_t^(k))`.
//!
//! A state knows the sampled letters, not those of w, so the mixture is far worse than the exact
//! probability by the chain rule ([`particle_filter`](super::particle_filter)); the paper's figures are of this kind.
//! After an end symbol the model goes on with the next word.

use tilegrad::noise::Noise;

use super::EvaluateError;
use super::emissions::{Block, LANES, Rows, Trajectories};
use crate::Execution;
use crate::generate::steps::{self, Stepper, Steps};
use crate::lexicon::Symbol;
use crate::model::Fitted;
use crate::random::{categorical, streams};

/// Groups of lanes in a block.
const GROUPS: usize = LANES / steps::LANES;

/// Trajectories of the words that an exact model samples. Trajectory number k is a function of the seed and k alone.
pub(crate) struct SampledStates<'a> {
    steps: Steps<'a>,
    noise: Noise,
}

/// Logits of the next symbol along some trajectories, and the symbols that were drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sampled {
    /// For each position a row of [`steps::LANES`] numbers for each symbol.
    pub(crate) logits: Vec<Vec<f32>>,
    /// For each position the symbol of each lane.
    pub(crate) drawn: Vec<[Symbol; steps::LANES]>,
}

impl<'a> SampledStates<'a> {
    /// Prepares to sample from a model.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub(crate) fn new(
        fitted: Fitted<'a>,
        Execution { seed, threads }: Execution,
    ) -> Result<Self, EvaluateError> {
        Ok(Self { steps: Steps::new(fitted, threads)?, noise: Noise::new(seed) })
    }

    /// Runs groups of [`steps::LANES`] trajectories, each from a number on.
    pub(crate) fn run(&mut self, firsts: impl IntoIterator<Item = u64>, positions: usize) -> Vec<Sampled> {
        let noise = self.noise;
        self.steps.map(firsts, |first, stepper| sample(stepper, &noise, first, positions))
    }
}

/// Samples words one after the other in each lane.
fn sample(stepper: &mut Stepper<'_, '_>, noise: &Noise, first: u64, positions: usize) -> Sampled {
    let mut found = Sampled::default();
    (0..steps::LANES).for_each(|lane| stepper.begin(lane));
    for position in 0..positions {
        let stream = streams::SYMBOL + position as u16;
        // The step draws no noise of its own.
        let key = tilegrad::NoiseKey { seed: 0, step: 0 };
        let (logits, drawn) = stepper.look(key, 0, |look| {
            let logits = look.logits;
            let symbols = logits.len() / steps::LANES;
            let drawn = std::array::from_fn(|lane| {
                let trajectory = first + lane as u64;
                let [u, _] = noise.uniform_f64(stream, trajectory >> 32, trajectory as u32, 0);
                let logit = |symbol: usize| f64::from(logits[symbol * steps::LANES + lane]);
                categorical(symbols, logit, u) as Symbol
            });
            (logits.to_vec(), drawn)
        });
        stepper.take(&drawn);
        found.logits.push(logits);
        found.drawn.push(drawn);
    }
    found
}

impl Trajectories for SampledStates<'_> {
    fn fill(&mut self, rows: &Rows, blocks: &mut [Block]) {
        let firsts: Vec<u64> = blocks
            .iter()
            .flat_map(|block| (0..GROUPS).map(|group| block.first + (group * steps::LANES) as u64))
            .collect();
        let found = self.run(firsts, rows.positions());
        for (block, groups) in blocks.iter_mut().zip(found.chunks_exact(GROUPS)) {
            for position in 0..rows.positions() {
                let symbols = groups[0].logits[position].len() / steps::LANES;
                let row = |symbol: usize| {
                    groups.iter().flat_map(move |group| {
                        &group.logits[position][symbol * steps::LANES..][..steps::LANES]
                    })
                };
                let logits: Vec<f32> = (0..symbols).flat_map(row).copied().collect();
                block.set(rows, position, &logits);
            }
        }
    }
}
