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
use super::information::InformationSettings;
use crate::Execution;
use crate::lexicon::END;
use crate::model::{Baseline, Fitted, Read};
use crate::random::{categorical, streams};

/// Trajectories of the baseline's own words. Trajectory number k is a function of the seed and k alone.
pub(crate) struct SampledStates<'a> {
    runner: Runner<f32>,
    fitted: Fitted<'a>,
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
    pub(crate) fn new(
        fitted: Fitted<'a>,
        baseline: &Baseline,
        Execution { seed, threads }: Execution,
    ) -> Result<Self, EvaluateError> {
        let model = fitted.model();
        let graph = Graph::new(model.params(), 1);
        let state = graph.data(fitted.initial_state().len(), Lanes::Word);
        let Read { state: next, logits } = baseline.read(&graph, state, graph.symbols());
        let program = graph.compile(LANES, None, &[next, logits])?;
        let (state, next, logits) = (state.id(), next.id(), logits.id());
        let runner = model.runner(vec![program], threads)?;
        let (symbols, noise) = (model.symbols(), Noise::new(seed));
        Ok(Self { runner, fitted, state, next, logits, symbols, noise })
    }

    /// The symbol that a trajectory goes on with.
    fn draw(&self, position: usize, trajectory: u64, lane: usize, logits: &[f32]) -> u32 {
        let stream = streams::SYMBOL + position as u16;
        let [u, _] = self.noise.uniform_f64(stream, trajectory >> 32, trajectory as u32, 0);
        categorical(self.symbols, |symbol| f64::from(logits[symbol * LANES + lane]), u) as u32
    }
}

impl Trajectories for SampledStates<'_> {
    fn fill(&mut self, rows: &Rows, blocks: &mut [Block]) {
        let start = self.fitted.initial_state();
        let mut tiles: Vec<Tile<f32>> = blocks.iter().map(|_| Tile::new(self.runner.programs(), 0)).collect();
        for tile in &mut tiles {
            (0..LANES).for_each(|lane| tile.set_data(&self.runner.programs()[0], self.state, lane, start));
            tile.symbol_row_mut(0).fill(u32::from(END));
        }
        for position in 0..rows.positions() {
            // The tiles draw no noise of their own.
            let key = NoiseKey { seed: 0, step: 0 };
            let Self { runner, fitted, next, logits, .. } = self;
            let results = runner.forward(fitted.parameters(), &tiles, key, |_, values| {
                (values.get(*logits).to_vec(), values.get(*next).to_vec())
            });
            for ((block, tile), (logits, states)) in blocks.iter_mut().zip(&mut tiles).zip(results) {
                block.set(rows, position, &logits);
                let drawn: Vec<u32> = (0..LANES)
                    .map(|lane| self.draw(position, block.first + lane as u64, lane, &logits))
                    .collect();
                tile.symbol_row_mut(0).copy_from_slice(&drawn);
                let mut own = vec![0.0; start.len()];
                for lane in 0..LANES {
                    own.iter_mut().enumerate().for_each(|(row, own)| *own = states[row * LANES + lane]);
                    tile.set_data(&self.runner.programs()[0], self.state, lane, &own);
                }
            }
        }
    }
}

/// The baseline's counterpart to `H[w_t | h_t]`: the mean entropy of its next symbol in bits, over the positions and as
/// many sampled words as the settings have states.
///
/// # Errors
/// When the model cannot be recorded, or the system refuses a thread.
pub(crate) fn baseline_symbol_entropy(
    fitted: Fitted<'_>,
    baseline: &Baseline,
    settings: InformationSettings,
    threads: usize,
) -> Result<f64, EvaluateError> {
    let rows = Rows::all(settings.positions, fitted.model().symbols());
    let mut source = SampledStates::new(fitted, baseline, Execution { seed: settings.seed, threads })?;
    let mut block = Block::new(&rows);
    let (mut nats, mut done) = (0.0, 0);
    while done < settings.states {
        let active = (settings.states - done).min(LANES);
        block.begin(done as u64, active);
        source.fill(&rows, std::slice::from_mut(&mut block));
        for (p, log_p) in block.probability.iter().zip(&block.log_probability) {
            let (p, log_p): (&[f32], &[f32]) = (bytemuck::cast_slice(p), bytemuck::cast_slice(log_p));
            let terms = p.iter().zip(log_p).take(active);
            nats -= terms.map(|(&p, &log_p)| f64::from(p) * f64::from(log_p)).sum::<f64>();
        }
        done += active;
    }
    Ok(nats / (settings.states * settings.positions) as f64 / std::f64::consts::LN_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::model::{Model, Parts};

    /// With parameters of zero every symbol is as probable as any other.
    #[test]
    fn the_entropy_of_equal_symbols() {
        let config = Config::preset("gru-8d").unwrap();
        let model = Model::new(&config.model, 16).unwrap();
        let parameters = vec![0.0; model.params().len()];
        let Parts::Baseline(baseline) = model.parts() else { panic!("a baseline") };
        let settings = InformationSettings { states: 300, positions: 3, ..Default::default() };
        let bits = baseline_symbol_entropy(Fitted::new(&model, &parameters), baseline, settings, 1).unwrap();
        assert!((bits - 4.0).abs() < 1e-6, "{bits}");
    }
}
