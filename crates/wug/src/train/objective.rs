//! The objective of training: the bound on words drawn from the unigram distribution, and its gradient.

use std::sync::Arc;

use tilegrad::{NoiseKey, Runner, Tile};

use super::gate_part::GatePart;
use super::{TrainConfig, TrainError};
use crate::counts::Contexts;
use crate::lexicon::{Lexicon, TileSampler};
use crate::model::{Model, ModelConfig};

/// Tiles of a step, so that lengths mix and threads share the work; fewer where a step has few words.
const TILES: usize = 8;

/// Draws the words of any step and computes their bound.
pub(super) struct Objective {
    model: Arc<Model>,
    lexicon: Lexicon,
    sampler: TileSampler,
    /// The words that the gate learns from, if the model is mixed with counts.
    gate: Option<GatePart>,
    seed: u64,
    runner: Runner<f32>,
    /// The step's tiles, and others by their program for steps to come.
    tiles: Vec<Tile<f32>>,
    spare: Vec<Vec<Tile<f32>>>,
}

impl Objective {
    /// Prepares to train a model on the words of `lexicon`, and its gate on others, with the counts of all of them.
    pub(super) fn new(
        model: Arc<Model>,
        config: &TrainConfig,
        lexicon: Lexicon,
        gate: Option<(&Lexicon, &Contexts)>,
        threads: usize,
    ) -> Result<Self, TrainError> {
        let symbols = lexicon.alphabet().symbol_count();
        if model.symbols() != symbols {
            return Err(TrainError::Alphabet { model: model.symbols(), lexicon: symbols });
        }
        let words = words_per_tile(config.batch);
        let sampler = TileSampler::new(&lexicon, config.batch / words, |_| words, config.seed)?;
        let mut programs = Vec::new();
        for length in sampler.lengths() {
            if length > ModelConfig::MAX_STEPS {
                return Err(TrainError::TooLong { length });
            }
            programs.push(model.training_program(length, words, config.dropout)?);
        }
        let gate = match gate {
            Some((lexicon, contexts)) if !lexicon.is_empty() => {
                Some(GatePart::new(&model, lexicon, contexts, words, config.seed, &mut programs)?)
            }
            _ => None,
        };
        let spare = programs.iter().map(|_| Vec::new()).collect();
        let runner = model.runner(programs, threads)?;
        Ok(Self { model, lexicon, sampler, gate, seed: config.seed, runner, tiles: Vec::new(), spare })
    }

    /// The mean bound over the words of a step, in nats per word; with a gate, the mean of that and of its own. `gradient` becomes that of minus the bound.
    pub(super) fn bound(&mut self, step: u64, parameters: &[f32], gradient: &mut [f32]) -> f64 {
        self.fill_tiles(step);
        let key = NoiseKey { seed: self.seed, step };
        let loss = self.runner.gradient(parameters, &self.tiles, key, gradient);
        -loss / if self.gate.is_some() { 2.0 } else { 1.0 }
    }

    /// The cross entropy of the words that the gate learns from; none without a gate.
    pub(super) fn validation(&mut self, parameters: &[f32]) -> Option<f64> {
        let Self { model, gate, runner, .. } = self;
        gate.as_ref()?.cross_entropy(model, runner, parameters)
    }

    /// Puts the step's words into tiles; tiles of earlier steps are used again.
    fn fill_tiles(&mut self, step: u64) {
        let Self { model, lexicon, sampler, gate, runner, tiles, spare, .. } = self;
        for tile in tiles.drain(..) {
            spare[tile.program()].push(tile);
        }
        let programs = runner.programs();
        let mut first_item = 0;
        let mut push = |program: usize, words: usize, weight: f64, fill: &dyn Fn(&mut Tile<f32>)| {
            let mut tile = spare[program].pop().unwrap_or_else(|| Tile::new(programs, program));
            fill(&mut tile);
            (tile.first_item, tile.weight) = (first_item, weight as f32);
            first_item += words as u32;
            tiles.push(tile);
        };
        let vocabulary = lexicon.vocabulary();
        // Longest words first: the short tiles at the end even out what the threads have left.
        for drawn in sampler.step(step).into_iter().rev() {
            push(drawn.length_index, drawn.words.len(), drawn.weight, &|tile| {
                model.fill_tile(tile, drawn.words.iter().map(|&word| vocabulary.symbols(word)));
            });
        }
        if let Some(gate) = gate {
            for drawn in gate.step(step) {
                let program = gate.program(drawn.length_index);
                push(program, drawn.words.len(), drawn.weight, &|tile| {
                    gate.fill(tile, model, programs, drawn.length_index, &drawn.words);
                });
            }
        }
    }
}

/// Words in each tile of a step of `batch` words.
fn words_per_tile(batch: usize) -> usize {
    // The most words that leave enough tiles and divide the step.
    [32, 24, 16].into_iter().find(|words| batch.is_multiple_of(*words) && batch / words >= TILES).unwrap_or(8)
}
