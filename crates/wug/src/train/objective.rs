//! The objective of training: the bound on words drawn from the unigram distribution, and its gradient.
//!
//! A model that is mixed with the counts of its list learns from two parts: the network from the one, and the gate, which says how far the network is
//! to be trusted, from the other. Counts are those of both parts, each word without itself.

use std::cell::OnceCell;
use std::sync::Arc;

use tilegrad::{NoiseKey, Program, Runner, Tile, VarId};

use super::{TrainConfig, TrainError};
use crate::counts::{Contexts, training_data, training_rows};
use crate::lexicon::{Lexicon, TileSampler, WordId};
use crate::model::{Learner, Model, ModelConfig};

/// Tiles of a step, so that lengths mix and threads share the work; fewer where a step has few words.
const TILES: usize = 8;
/// Words of the gate's part that are looked at to see how well training generalises.
const MOST_VALIDATED: usize = 4000;
/// The most numbers that are kept of what counts say of words; more are computed again each time.
const MOST_KEPT: usize = 1 << 25;

/// Draws the words of any step and computes their bound.
pub(super) struct Objective {
    model: Arc<Model>,
    parts: Vec<Part>,
    contexts: Option<Arc<Contexts>>,
    seed: u64,
    /// Words in each tile.
    words: usize,
    runner: Runner<f32>,
    /// The step's tiles, and others by their program for steps to come.
    tiles: Vec<Tile<f32>>,
    spare: Vec<Vec<Tile<f32>>>,
}

/// Words that some part of the model learns from.
struct Part {
    lexicon: Lexicon,
    sampler: TileSampler,
    /// The programs of its lengths follow from this number on.
    first_program: usize,
    /// For each of its programs, the words' losses and the variables of what counts say.
    places: Vec<(VarId, Vec<VarId>)>,
    /// What counts say of each word, if that is not too much to keep.
    data: Vec<OnceCell<Box<[f32]>>>,
}

impl Objective {
    /// Prepares to train a model on the words of `learn`, and its gate on those of `validation`.
    pub(super) fn new(
        model: Arc<Model>,
        config: &TrainConfig,
        learn: Lexicon,
        gate: Option<(Lexicon, Arc<Contexts>)>,
        threads: usize,
    ) -> Result<Self, TrainError> {
        let symbols = learn.alphabet().symbol_count();
        if model.symbols() != symbols {
            return Err(TrainError::Alphabet { model: model.symbols(), lexicon: symbols });
        }
        let words = words_per_tile(config.batch);
        let mut programs = Vec::new();
        let mut part = |lexicon: Lexicon, tiles: usize, seed: u64, learner| -> Result<Part, TrainError> {
            let sampler = TileSampler::new(&lexicon, tiles, |_| words, seed)?;
            let (first_program, mut places) = (programs.len(), Vec::new());
            for length in sampler.lengths() {
                if length > ModelConfig::MAX_STEPS {
                    return Err(TrainError::TooLong { length });
                }
                let recorded = model.training_program(length, words, config.dropout, learner)?;
                programs.push(recorded.program);
                places.push((recorded.loss, recorded.data));
            }
            let rows = model.gate_shape().map_or(0, training_rows);
            let numbers: usize = lexicon.words().map(|word| word.symbols.len() * rows).sum();
            let kept = if numbers <= MOST_KEPT { lexicon.counts().len() } else { 0 };
            let data = (0..kept).map(|_| OnceCell::new()).collect();
            Ok(Part { lexicon, sampler, first_program, places, data })
        };
        let mut parts = vec![part(learn, config.batch / words, config.seed, Learner::Network)?];
        let mut contexts = None;
        if let Some((gate, own)) = gate {
            contexts = Some(own);
            if !gate.is_empty() {
                parts.push(part(gate, 1, !config.seed, Learner::Gate)?);
            }
        }
        let spare = programs.iter().map(|_| Vec::new()).collect();
        let runner = model.runner(programs, threads)?;
        Ok(Self { model, parts, contexts, seed: config.seed, words, runner, tiles: Vec::new(), spare })
    }

    /// The mean bound over the words of a step, in nats per word. `gradient` becomes that of minus the bound.
    pub(super) fn bound(&mut self, step: u64, parameters: &[f32], gradient: &mut [f32]) -> f64 {
        let Self { model, parts, contexts, seed, runner, tiles, spare, .. } = self;
        for tile in tiles.drain(..) {
            spare[tile.program()].push(tile);
        }
        let mut first_item = 0;
        for part in parts.iter() {
            // Longest words first: the short tiles at the end even out what the threads have left.
            for drawn in part.sampler.step(step).into_iter().rev() {
                let index = drawn.length_index;
                let program = part.first_program + index;
                let mut tile = spare[program].pop().unwrap_or_else(|| Tile::new(runner.programs(), program));
                part.fill(&mut tile, model, contexts.as_deref(), runner.programs(), index, &drawn.words);
                tile.first_item = first_item;
                tile.weight = drawn.weight as f32;
                first_item += drawn.words.len() as u32;
                tiles.push(tile);
            }
        }
        let loss = runner.gradient(parameters, tiles, NoiseKey { seed: *seed, step }, gradient);
        -loss / parts.len() as f64
    }

    /// The cross entropy of the gate's part in nats per word, each word scored with counts that do not know it; none without such a part.
    pub(super) fn validation(&mut self, parameters: &[f32]) -> Option<f64> {
        let Self { model, parts, contexts, runner, words: size, .. } = self;
        let part = parts.get(1)?;
        let (mut sum, mut weights) = (0.0, 0.0);
        for (index, length) in part.sampler.lengths().enumerate() {
            let words: Vec<WordId> = part.lexicon.words().take(MOST_VALIDATED)
                .filter(|word| word.symbols.len() == length).map(|word| word.id).collect();
            let program = part.first_program + index;
            let tiles: Vec<Tile<f32>> = words.chunks(*size).map(|words| {
                let mut tile = Tile::new(runner.programs(), program);
                part.fill(&mut tile, model, contexts.as_deref(), runner.programs(), index, words);
                tile
            }).collect();
            let loss = part.places[index].0;
            let losses = runner.forward(parameters, &tiles, NoiseKey { seed: 0, step: 0 }, |number, values| {
                values.get(loss)[..tiles[number].active()].to_vec()
            });
            for (&word, loss) in words.iter().zip(losses.concat()) {
                let weight = part.lexicon.count(word) as f64;
                sum += weight * f64::from(loss);
                weights += weight;
            }
        }
        Some(sum / weights).filter(|mean| mean.is_finite())
    }
}

impl Part {
    /// Puts words of one length into a tile.
    fn fill(
        &self,
        tile: &mut Tile<f32>,
        model: &Model,
        contexts: Option<&Contexts>,
        programs: &[Program<f32>],
        index: usize,
        words: &[WordId],
    ) {
        let vocabulary = self.lexicon.vocabulary();
        model.fill_tile(tile, words.iter().map(|&word| vocabulary.symbols(word)));
        let (Some(contexts), Some(shape)) = (contexts, model.gate_shape()) else { return };
        let program = &programs[self.first_program + index];
        for (lane, &word) in words.iter().enumerate() {
            let compute = || training_data(contexts, shape, vocabulary.symbols(word)).into_boxed_slice();
            let own;
            let data = match self.data.get(word as usize) {
                Some(kept) => kept.get_or_init(compute),
                None => {
                    own = compute();
                    &own
                }
            };
            for (&var, numbers) in self.places[index].1.iter().zip(data.chunks_exact(training_rows(shape))) {
                tile.set_data(program, var, lane, numbers);
            }
        }
    }
}

/// Words in each tile of a step of `batch` words.
fn words_per_tile(batch: usize) -> usize {
    // The most words that leave enough tiles and divide the step.
    [32, 24, 16].into_iter().find(|words| batch.is_multiple_of(*words) && batch / words >= TILES).unwrap_or(8)
}
