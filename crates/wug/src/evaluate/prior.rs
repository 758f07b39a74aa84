//! Trajectories of the state space model: `h_t = F_g(h_{t−1}, ξ_t)` with `ξ_t ~ N(0, I)`.

use tilegrad::{Graph, NoiseKey, Runner, Tile, VarId};

use super::EvaluateError;
use super::emissions::{Block, LANES, Rows, Trajectories};
use crate::Execution;
use crate::model::{Fitted, Generative};

/// Trajectories of the prior. Trajectory number k is a function of the seed and k alone.
pub(crate) struct Prior<'a> {
    runner: Runner<f32>,
    fitted: Fitted<'a>,
    logits: Vec<VarId>,
    seed: u64,
}

impl<'a> Prior<'a> {
    /// Prepares to run `positions` steps of the generative part of `model`.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub(crate) fn new(
        fitted: Fitted<'a>,
        generative: &Generative,
        positions: usize,
        Execution { seed, threads }: Execution,
    ) -> Result<Self, EvaluateError> {
        let model = fitted.model();
        let graph = Graph::new(model.params(), 1);
        let mut state = generative.initial_state(&graph);
        let mut logits = Vec::new();
        for stream in 0..positions {
            let noise = graph.normal(stream as u16, generative.state_size(), tilegrad::Lanes::Word);
            state = generative.transition(&graph, state).forward(noise).value;
            logits.push(generative.emission().logits(&graph, state));
        }
        let program = graph.compile(LANES, None, &logits)?;
        let logits = logits.into_iter().map(|logits| logits.id()).collect();
        let runner = model.runner(vec![program], threads)?;
        Ok(Self { runner, fitted, logits, seed })
    }
}

impl Trajectories for Prior<'_> {
    fn fill(&mut self, rows: &Rows, blocks: &mut [Block]) {
        let tiles: Vec<Tile<f32>> = blocks
            .iter()
            .map(|block| {
                let mut tile = Tile::new(self.runner.programs(), 0);
                tile.first_item = block.first as u32;
                tile
            })
            .collect();
        // Noise is addressed by 32 bits of an item and the step beyond.
        let key = NoiseKey { seed: self.seed, step: blocks.first().map_or(0, |block| block.first >> 32) };
        let logits = &self.logits;
        self.runner.map(self.fitted.parameters(), tiles.iter().zip(blocks), |(tile, block), worker| {
            worker.forward(tile, key, |values| {
                for (position, &logits) in logits.iter().enumerate() {
                    block.set(rows, position, values.get(logits));
                }
            });
        });
    }
}
