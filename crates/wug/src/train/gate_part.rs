//! The words that a gate learns from: the network does not learn from them, and the counts leave out the word at hand.

use std::collections::HashMap;

use tilegrad::{NoiseKey, Program, Runner, Tile, VarId};

use super::TrainError;
use crate::counts::{Contexts, training_data, training_rows};
use crate::evaluate::Sample;
use crate::lexicon::{DrawnTile, Lexicon, TileSampler, WordId};
use crate::model::{Model, ModelConfig};

/// The most words that a report looks at.
const MOST: usize = 5000;

/// Words of the gate's part, with what the counts say of them.
pub(super) struct GatePart {
    lexicon: Lexicon,
    sampler: TileSampler,
    /// Words in each tile.
    words: usize,
    /// The programs of its lengths follow from this number on.
    first_program: usize,
    /// For each of its programs, the words' losses and the variables of what counts say.
    places: Vec<(VarId, Vec<VarId>)>,
    /// What counts say of each word.
    data: HashMap<WordId, Box<[f32]>>,
    /// Words that are looked at to see how well training goes, with what they count for.
    sample: Vec<(WordId, f64)>,
    /// Numbers for each symbol.
    rows: usize,
}

impl GatePart {
    /// Prepares tiles of `words` words, one in each step, and adds its programs to others.
    pub(super) fn new(
        model: &Model,
        lexicon: &Lexicon,
        contexts: &Contexts,
        words: usize,
        seed: u64,
        programs: &mut Vec<Program<f32>>,
    ) -> Result<Self, TrainError> {
        let sampler = TileSampler::new(lexicon, 1, |_| words, !seed)?;
        let (first_program, mut places) = (programs.len(), Vec::new());
        for length in sampler.lengths() {
            if length > ModelConfig::MAX_STEPS {
                return Err(TrainError::TooLong { length });
            }
            if let Some(recorded) = model.gate_program(length, words)? {
                programs.push(recorded.program);
                places.push((recorded.loss, recorded.data));
            }
        }
        let shape = model.gate_shape();
        let say =
            |symbols| shape.map(|shape| training_data(contexts, shape, symbols).into()).unwrap_or_default();
        let data = lexicon.words().map(|word| (word.id, say(word.symbols))).collect();
        let rows = shape.map_or(0, training_rows);
        let draws = if lexicon.types() <= MOST { 0 } else { MOST };
        let Sample { words: ids, weights, .. } = Sample::of(lexicon, draws, 1);
        let sample = ids.into_iter().zip(weights).collect();
        Ok(Self { lexicon: lexicon.clone(), sampler, words, first_program, places, data, sample, rows })
    }

    /// The tile of a step.
    pub(super) fn step(&self, step: u64) -> Vec<DrawnTile> {
        self.sampler.step(step)
    }

    /// The program of words of a length, by its number.
    pub(super) fn program(&self, length_index: usize) -> usize {
        self.first_program + length_index
    }

    /// Puts words of one length into a tile.
    pub(super) fn fill(
        &self,
        tile: &mut Tile<f32>,
        model: &Model,
        programs: &[Program<f32>],
        length_index: usize,
        words: &[WordId],
    ) {
        let vocabulary = self.lexicon.vocabulary();
        model.fill_tile(tile, words.iter().map(|&word| vocabulary.symbols(word)));
        let program = &programs[self.program(length_index)];
        for (lane, word) in words.iter().enumerate() {
            let steps = self.data[word].chunks_exact(self.rows);
            for (&var, numbers) in self.places[length_index].1.iter().zip(steps) {
                tile.set_data(program, var, lane, numbers);
            }
        }
    }

    /// The cross entropy of the words in nats per word; none if it is not finite.
    pub(super) fn cross_entropy(
        &self,
        model: &Model,
        runner: &mut Runner<f32>,
        parameters: &[f32],
    ) -> Option<f64> {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (index, length) in self.sampler.lengths().enumerate() {
            let symbols = |word| self.lexicon.vocabulary().symbols(word).len();
            let (words, own): (Vec<WordId>, Vec<f64>) =
                self.sample.iter().filter(|word| symbols(word.0) == length).copied().unzip();
            let tile = |words: &[WordId]| {
                let mut tile = Tile::new(runner.programs(), self.program(index));
                self.fill(&mut tile, model, runner.programs(), index, words);
                tile
            };
            let tiles: Vec<Tile<f32>> = words.chunks(self.words).map(tile).collect();
            let loss = self.places[index].0;
            let losses =
                runner.forward(parameters, &tiles, NoiseKey { seed: 0, step: 0 }, |number, values| {
                    values.get(loss)[..tiles[number].active()].to_vec()
                });
            for (weight, loss) in own.into_iter().zip(losses.concat()) {
                sum += weight * f64::from(loss);
                weights += weight;
            }
        }
        Some(sum / weights).filter(|mean| mean.is_finite())
    }
}
