//! Training: words drawn from the unigram distribution, the bound's gradient, Adam.

mod config;

use thiserror::Error;
use tilegrad::optim::{Adam, AdamSettings, Average, Decay, OptimError, Schedule, clip_global_norm};
use tilegrad::{GraphError, NoiseKey, Runner, Tile};

pub use config::TrainConfig;

use crate::lexicon::{END, Lexicon, TileError, TileSampler};
use crate::model::{ConfigError, Kind, Model, ModelConfig};

/// Tiles of a step, so that lengths mix and threads share the work; fewer where a step has few words.
const TILES: usize = 8;

/// Why a run cannot begin or go on.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A setting is out of its range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There is nothing to train on.
    #[error(transparent)]
    Tiles(#[from] TileError),
    /// A word is too long.
    #[error("a word has {length} symbols with its end, more than the {} a model can have", ModelConfig::MAX_STEPS)]
    TooLong {
        /// Symbols of the word.
        length: usize,
    },
    /// The model's computations cannot be recorded.
    #[error("the model cannot be recorded")]
    Graph(#[from] GraphError),
    /// The optimiser refused its settings.
    #[error(transparent)]
    Optimiser(#[from] OptimError),
    /// The system refused a thread.
    #[error("no thread could be started")]
    Threads(#[from] std::io::Error),
}

/// What one step came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// The step's bound on the log-probability of a word, in nats.
    pub bound: f64,
    /// The gradient's norm before it was clipped.
    pub norm: f64,
    /// The step size.
    pub rate: f64,
}

/// A training run in memory.
pub struct Trainer {
    model: Model,
    config: TrainConfig,
    sampler: TileSampler,
    lexicon: Lexicon,
    runner: Runner<f32>,
    /// The step's tiles, and others by their length for steps to come.
    tiles: Vec<Tile<f32>>,
    spare: Vec<Vec<Tile<f32>>>,
    schedule: Schedule,
    parameters: Vec<f32>,
    gradient: Vec<f32>,
    adam: Adam<f32>,
    average: Option<Average>,
    step: u64,
}

impl Trainer {
    /// Prepares a run on the words of `lexicon`.
    ///
    /// # Errors
    /// When a setting is out of its range or there is nothing to train on.
    pub fn new(
        model: &ModelConfig,
        config: &TrainConfig,
        lexicon: Lexicon,
        threads: usize,
    ) -> Result<Self, TrainError> {
        config.check()?;
        let (model, parameters) = Model::new(model, lexicon.alphabet().symbol_count(), config.seed)?;
        let words = words_per_tile(config.batch);
        let sampler = TileSampler::new(&lexicon, config.batch / words, |_| words, config.seed)?;
        let mut programs = Vec::new();
        for length in sampler.lengths() {
            if length > ModelConfig::MAX_STEPS {
                return Err(TrainError::TooLong { length });
            }
            programs.push(model.training_program(length, words)?);
        }
        let spare = programs.iter().map(|_| Vec::new()).collect();
        let runner = Runner::new(model.params(), programs, threads)?;
        let adam = Adam::new(AdamSettings::default(), parameters.len())?;
        let average =
            if config.average > 0.0 { Some(Average::new(config.average, parameters.len())?) } else { None };
        let schedule = Schedule::new(config.warm_up, Decay::Cosine { floor: config.floor })?;
        let gradient = vec![0.0; parameters.len()];
        let (config, tiles) = (config.clone(), Vec::new());
        Ok(Self {
            model,
            config,
            sampler,
            lexicon,
            runner,
            tiles,
            spare,
            schedule,
            parameters,
            gradient,
            adam,
            average,
            step: 0,
        })
    }

    /// One step: draws words, computes the bound and its gradient, moves the parameters.
    ///
    /// # Errors
    /// When the gradient is not finite: then nothing has changed.
    pub fn step(&mut self) -> Result<StepReport, OptimError> {
        self.fill_tiles();
        let key = NoiseKey { seed: self.config.seed, step: self.step };
        let loss = self.runner.gradient(&self.parameters, &self.tiles, key, &mut self.gradient);
        let norm = clip_global_norm(&mut self.gradient, self.config.clip)?;
        let rate = self.config.rate * self.schedule.factor(self.step, self.config.steps());
        self.adam.step(&mut self.parameters, &self.gradient, rate)?;
        if let Some(average) = &mut self.average {
            average.update(&self.parameters)?;
        }
        self.step += 1;
        Ok(StepReport { bound: -loss, norm, rate })
    }

    /// Puts the step's words into tiles; tiles of earlier steps are used again.
    fn fill_tiles(&mut self) {
        for tile in self.tiles.drain(..) {
            self.spare[tile.program()].push(tile);
        }
        let vocabulary = self.lexicon.vocabulary();
        let mut first_item = 0;
        for drawn in self.sampler.step(self.step) {
            let index = drawn.length_index;
            let mut tile =
                self.spare[index].pop().unwrap_or_else(|| Tile::new(self.runner.programs(), index));
            for position in 0..drawn.length {
                let row = tile.symbol_row_mut(position);
                for (symbol, &word) in row.iter_mut().zip(&drawn.words) {
                    *symbol = u32::from(vocabulary.symbols(word)[position]);
                }
            }
            if self.model.config().kind == Kind::Gru {
                tile.symbol_row_mut(drawn.length).fill(u32::from(END));
            }
            tile.first_item = first_item;
            tile.weight = drawn.weight as f32;
            first_item += drawn.words.len() as u32;
            self.tiles.push(tile);
        }
    }

    /// The model's structure.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// The parameters that make the model: the running average, or the last ones.
    pub fn parameters(&self) -> Vec<f32> {
        let mut parameters = self.parameters.clone();
        if let Some(average) = &self.average
            && average.updates() > 0
        {
            // The lengths agree by construction.
            let _ = average.write_to(&mut parameters);
        }
        parameters
    }
}

/// Words in each tile of a step of `batch` words.
fn words_per_tile(batch: usize) -> usize {
    // The most words that leave enough tiles and divide the step.
    [32, 24, 16].into_iter().find(|words| batch % words == 0 && batch / words >= TILES).unwrap_or(8)
}
