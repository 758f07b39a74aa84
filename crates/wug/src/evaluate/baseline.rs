//! Trajectories of the recurrent baseline, as the paper treats them: words are sampled, and the states that they lead
//! through are taken for a mixture, `P̂(w) = (1/K) Σ_k Π_t P(w_t | s_t^(k))`.
//!
//! A state knows the sampled letters, not those of w, so the mixture is far worse than the baseline's exact
//! probability by the chain rule ([`particle_filter`](super::particle_filter)); the paper's figures are of this kind.
//! After an end symbol the network goes on with the next word.

use tilegrad::noise::Noise;
use tilegrad::{Graph, Lanes, NoiseKey, Runner, Tile, VarId};

use super::EvaluateError;
use super::emissions::{Block, LANES, Rows, Trajectories};
use super::forward::forward;
use crate::generate::categorical;
use crate::lexicon::END;
use crate::model::{Baseline, Model};

/// Stream of noise that symbols are drawn from. Seeds are an interface: the number must not change.
const SYMBOL_STREAM: u16 = 1 << 15;

/// Trajectories of the baseline's own words. Trajectory number k is a function of the seed and k alone.
pub struct SampledStates<'a> {
    runner: Runner<f32>,
    parameters: &'a [f32],
    start: Vec<f32>,
    state: VarId,
    next: VarId,
    logits: VarId,
    symbols: usize,
    noise: Noise,
}

impl<'a> SampledStates<'a> {
    /// Prepares to sample from the baseline in `model`.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn new(
        model: &Model,
        baseline: &Baseline,
        parameters: &'a [f32],
        seed: u64,
        threads: usize,
    ) -> Result<Self, EvaluateError> {
        let graph = Graph::new(model.params(), 1);
        let start = model.params().view(baseline.start_param(), parameters).to_vec();
        let state = graph.data(start.len(), Lanes::Word);
        let next = baseline.step(&graph, graph.symbols(), state);
        let logits = baseline.emission().logits(&graph, next);
        let program = graph.compile(LANES, None, &[next, logits])?;
        let (state, next, logits) = (state.id(), next.id(), logits.id());
        let runner = Runner::new(model.params(), vec![program], threads)?;
        let (symbols, noise) = (model.symbols(), Noise::new(seed));
        Ok(Self { runner, parameters, start, state, next, logits, symbols, noise })
    }

    /// The symbol that a trajectory goes on with.
    fn draw(&self, position: usize, trajectory: u64, lane: usize, logits: &[f32]) -> u32 {
        let stream = SYMBOL_STREAM + position as u16;
        let [u, _] = self.noise.uniform_f64(stream, trajectory >> 32, trajectory as u32, 0);
        categorical(self.symbols, |symbol| f64::from(logits[symbol * LANES + lane]), u) as u32
    }
}

impl Trajectories for SampledStates<'_> {
    fn fill(&mut self, rows: &Rows, blocks: &mut [Block]) {
        let mut tiles: Vec<Tile<f32>> = blocks.iter().map(|_| Tile::new(self.runner.programs(), 0)).collect();
        for tile in &mut tiles {
            (0..LANES)
                .for_each(|lane| tile.set_data(&self.runner.programs()[0], self.state, lane, &self.start));
            tile.symbol_row_mut(0).fill(u32::from(END));
        }
        for position in 0..rows.positions() {
            // The tiles draw no noise of their own.
            let key = NoiseKey { seed: 0, step: 0 };
            let Self { runner, parameters, next, logits, .. } = self;
            let results = forward(runner, parameters, &tiles, key, |_, values| {
                (values.get(*logits).to_vec(), values.get(*next).to_vec())
            });
            for ((block, tile), (logits, states)) in blocks.iter_mut().zip(&mut tiles).zip(results) {
                block.set(rows, position, &logits);
                let drawn: Vec<u32> = (0..LANES)
                    .map(|lane| self.draw(position, block.first + lane as u64, lane, &logits))
                    .collect();
                tile.symbol_row_mut(0).copy_from_slice(&drawn);
                let mut own = vec![0.0; self.start.len()];
                for lane in 0..LANES {
                    own.iter_mut().enumerate().for_each(|(row, own)| *own = states[row * LANES + lane]);
                    tile.set_data(&self.runner.programs()[0], self.state, lane, &own);
                }
            }
        }
    }
}
