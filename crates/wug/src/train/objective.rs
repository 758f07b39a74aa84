//! The objective of training: the bound on words drawn from the unigram distribution, and its gradient.

use std::sync::Arc;

use tilegrad::{NoiseKey, Runner, Tile};

use super::{TrainConfig, TrainError};
use crate::lexicon::{Lexicon, TileSampler};
use crate::model::{Model, ModelConfig};

/// Tiles of a step, so that lengths mix and threads share the work; fewer where a step has few words.
const TILES: usize = 8;

/// Draws the words of any step and computes their bound.
pub(super) struct Objective {
    model: Arc<Model>,
    lexicon: Lexicon,
    sampler: TileSampler,
    seed: u64,
    runner: Runner<f32>,
    /// The step's tiles, and others by their length for steps to come.
    tiles: Vec<Tile<f32>>,
    spare: Vec<Vec<Tile<f32>>>,
}

impl Objective {
    /// Prepares to train a model on the words of `lexicon`.
    pub(super) fn new(
        model: Arc<Model>,
        config: &TrainConfig,
        lexicon: Lexicon,
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
        let spare = programs.iter().map(|_| Vec::new()).collect();
        let runner = model.runner(programs, threads)?;
        Ok(Self { model, lexicon, sampler, seed: config.seed, runner, tiles: Vec::new(), spare })
    }

    /// The mean bound over the words of a step, in nats per word. `gradient` becomes that of minus the bound.
    pub(super) fn bound(&mut self, step: u64, parameters: &[f32], gradient: &mut [f32]) -> f64 {
        self.fill_tiles(step);
        let key = NoiseKey { seed: self.seed, step };
        -self.runner.gradient(parameters, &self.tiles, key, gradient)
    }

    /// Puts the step's words into tiles; tiles of earlier steps are used again.
    fn fill_tiles(&mut self, step: u64) {
        for tile in self.tiles.drain(..) {
            self.spare[tile.program()].push(tile);
        }
        let vocabulary = self.lexicon.vocabulary();
        let mut first_item = 0;
        // Longest words first: the short tiles at the end even out what the threads have left.
        for drawn in self.sampler.step(step).into_iter().rev() {
            let index = drawn.length_index;
            let mut tile =
                self.spare[index].pop().unwrap_or_else(|| Tile::new(self.runner.programs(), index));
            self.model.fill_tile(&mut tile, drawn.words.iter().map(|&word| vocabulary.symbols(word)));
            tile.first_item = first_item;
            tile.weight = drawn.weight as f32;
            first_item += drawn.words.len() as u32;
            self.tiles.push(tile);
        }
    }
}

/// Words in each tile of a step of `batch` words.
fn words_per_tile(batch: usize) -> usize {
    // The most words that leave enough tiles and divide the step.
    [32, 24, 16].into_iter().find(|words| batch.is_multiple_of(*words) && batch / words >= TILES).unwrap_or(8)
}
