//! Training: words drawn from the unigram distribution, the bound's gradient, Adam.

mod checkpoint;
mod config;
mod folder;
mod in_memory;
mod run;
#[cfg(test)]
mod tests;
mod trials;

use thiserror::Error;
use tilegrad::optim::{Adam, AdamSettings, Average, Decay, OptimError, Schedule, clip_global_norm};
use tilegrad::{GraphError, NoiseKey, Runner, Tile};

pub use checkpoint::{Progress, Snapshot};
pub use config::TrainConfig;
pub use in_memory::train;
pub use run::{Event, Metrics, Outcome, Run, RunError};
pub use trials::Trial;

use crate::lexicon::{Lexicon, TileError, TileSampler};
use crate::model::{ConfigError, Model, ModelConfig, RunnerError};

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
    /// The model was built for another alphabet.
    #[error("the model has {model} symbols with the end, the words have {lexicon}")]
    Alphabet {
        /// Symbols of the model.
        model: usize,
        /// Symbols of the words.
        lexicon: usize,
    },
    /// A word is too long.
    #[error(
        "a word has {length} symbols with its end, more than the {} a model can have",
        ModelConfig::MAX_STEPS
    )]
    TooLong {
        /// Symbols of the word.
        length: usize,
    },
    /// The model's computations cannot be recorded.
    #[error("the model cannot be recorded")]
    Graph(#[from] GraphError),
    /// The optimiser refused its settings or state.
    #[error(transparent)]
    Optimiser(#[from] OptimError),
    /// It takes too much memory, or the system refused a thread.
    #[error(transparent)]
    Runner(#[from] RunnerError),
    /// Numbers went out of bounds.
    #[error("{0}: train with a smaller train.rate")]
    Diverged(NotFinite),
}

/// What one step came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// The step's bound on the log-probability of a word, in nats.
    pub bound: f64,
    /// The gradient's norm before it was clipped.
    pub norm: f64,
}

/// The bound or its gradient is not a finite number.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("at step {step}, {} is not a finite number", self.what())]
pub struct NotFinite {
    /// The step.
    pub step: u64,
    /// The first parameter whose gradient is concerned; none if it is the bound alone.
    pub parameter: Option<String>,
}

impl NotFinite {
    fn what(&self) -> String {
        match &self.parameter {
            Some(parameter) => format!("the gradient of `{parameter}`"),
            None => "the bound".to_owned(),
        }
    }
}

/// Training in memory: the state of a run and how it takes a step. It trains one start, whatever `train.starts` says;
/// [`train`] and [`Run`] try several.
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
    /// Counters.
    pub progress: Progress,
    /// Steps whose gradient a test wants to be spoiled.
    #[cfg(test)]
    faults: Vec<u64>,
}

impl Trainer {
    /// Prepares to train on the words of `lexicon`.
    ///
    /// # Errors
    /// When a setting is out of its range or there is nothing to train on.
    pub fn new(
        model: &ModelConfig,
        config: &TrainConfig,
        lexicon: Lexicon,
        threads: usize,
    ) -> Result<Self, TrainError> {
        let model = Model::new(model, lexicon.alphabet().symbol_count())?;
        Self::with_model(model, config, lexicon, threads)
    }

    /// The same for a model that has been built already, for instance with a flow of one's own.
    ///
    /// # Errors
    /// When a setting is out of its range, the model has another alphabet's size, or there is nothing to train on.
    pub fn with_model(
        model: Model,
        config: &TrainConfig,
        lexicon: Lexicon,
        threads: usize,
    ) -> Result<Self, TrainError> {
        config.check()?;
        let symbols = lexicon.alphabet().symbol_count();
        if model.symbols() != symbols {
            return Err(TrainError::Alphabet { model: model.symbols(), lexicon: symbols });
        }
        let parameters = model.first_parameters(config.seed);
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
        let runner = model.runner(programs, threads)?;
        let adam = Adam::new(AdamSettings::default(), parameters.len())?;
        let average =
            if config.average > 0.0 { Some(Average::new(config.average, parameters.len())?) } else { None };
        let schedule = Schedule::new(config.warm_up, Decay::Cosine { floor: config.floor })?;
        let gradient = vec![0.0; parameters.len()];
        Ok(Self {
            model,
            config: config.clone(),
            sampler,
            lexicon,
            runner,
            tiles: Vec::new(),
            spare,
            schedule,
            parameters,
            gradient,
            adam,
            average,
            progress: Progress::default(),
            #[cfg(test)]
            faults: Vec::new(),
        })
    }

    /// One step: draws words, computes the bound and its gradient, moves the parameters.
    ///
    /// # Errors
    /// When the bound or its gradient is not finite: then the parameters have not changed.
    pub fn step(&mut self) -> Result<StepReport, NotFinite> {
        self.fill_tiles();
        let step = self.progress.step;
        let key = NoiseKey { seed: self.config.seed_of(self.progress.start), step };
        let loss = self.runner.gradient(&self.parameters, &self.tiles, key, &mut self.gradient);
        #[cfg(test)]
        self.inject_fault(step);
        match self.advance(loss) {
            Ok(norm) => {
                self.progress.bound_sum -= loss;
                self.progress.norm_sum += norm;
                self.progress.since_report += 1;
                if self.is_judged() {
                    self.progress.trial_sum -= loss;
                }
                Ok(StepReport { bound: -loss, norm })
            }
            Err(_) => Err(NotFinite { step, parameter: self.first_not_finite() }),
        }
    }

    /// Moves the parameters along the gradient, whose norm it returns; the first check that fails leaves them
    /// as they are.
    fn advance(&mut self, loss: f64) -> Result<f64, OptimError> {
        let progress = &mut self.progress;
        if !loss.is_finite() {
            let (what, expected) = ("bound", "a finite number");
            return Err(OptimError::Value { what, index: 0, value: loss, expected });
        }
        let schedule = self.schedule.factor(progress.step, self.config.steps());
        let rate = self.config.rate * schedule * progress.rate_factor;
        let norm = clip_global_norm(&mut self.gradient, self.config.clip)?;
        self.adam.step(&mut self.parameters, &self.gradient, rate)?;
        if let Some(average) = &mut self.average {
            average.update(&self.parameters)?;
        }
        progress.step += 1;
        progress.updates = self.adam.steps();
        Ok(norm)
    }

    /// Spoils the gradient if a test wants that for this step: once for each time the step is listed.
    #[cfg(test)]
    fn inject_fault(&mut self, step: u64) {
        if let Some(found) = self.faults.iter().position(|fault| *fault == step) {
            self.faults.swap_remove(found);
            self.gradient[0] = f32::NAN;
        }
    }

    /// The first parameter whose gradient is not finite.
    fn first_not_finite(&self) -> Option<String> {
        let bad = |numbers: &[f32]| numbers.iter().any(|number| !number.is_finite());
        let found = self.model.params().iter().find(|info| bad(&self.gradient[info.range()]));
        found.map(|info| info.name.clone())
    }

    /// Puts the step's words into tiles; tiles of earlier steps are used again.
    fn fill_tiles(&mut self) {
        for tile in self.tiles.drain(..) {
            self.spare[tile.program()].push(tile);
        }
        let vocabulary = self.lexicon.vocabulary();
        let mut first_item = 0;
        // Longest words first: the short tiles at the end even out what the threads have left.
        for drawn in self.sampler.step(self.progress.step).into_iter().rev() {
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

    /// The model's structure.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Begins anew with the seed of another start; the time that was spent still counts.
    fn begin(&mut self, start: usize) -> Result<(), TrainError> {
        let zeros = vec![0.0; self.parameters.len()];
        self.restore(Snapshot {
            parameters: self.model.first_parameters(self.config.seed_of(start)),
            first_moment: zeros.clone(),
            second_moment: zeros.clone(),
            average: self.average.as_ref().map(|_| vec![0.0; zeros.len()]),
            progress: Progress { start, seconds: self.progress.seconds, ..Progress::default() },
            best: None,
        })
    }

    /// Whether all words have been seen.
    pub fn is_done(&self) -> bool {
        self.progress.step >= self.config.steps()
    }

    /// Words that the model has seen so far.
    pub fn words_seen(&self) -> u64 {
        self.progress.step * self.config.batch as u64
    }

    /// The parameters that make the model: the running average, or the last ones.
    pub fn parameters(&self) -> Vec<f32> {
        self.snapshot().model_parameters()
    }

    /// The state of the run.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            parameters: self.parameters.clone(),
            first_moment: self.adam.first_moment().to_vec(),
            second_moment: self.adam.second_moment().to_vec(),
            average: self.average.as_ref().map(|average| average.values().to_vec()),
            progress: self.progress,
            best: None,
        }
    }

    /// Goes back, or on, to a state of a run.
    ///
    /// # Errors
    /// When the state does not fit the model.
    pub fn restore(&mut self, snapshot: Snapshot) -> Result<(), TrainError> {
        let Snapshot { parameters, first_moment, second_moment, average, progress, best: _ } = snapshot;
        let settings = self.adam.settings();
        self.adam = Adam::restore(settings, first_moment, second_moment, progress.updates)?;
        self.average = match average {
            Some(values) => Some(Average::restore(self.config.average, values, progress.updates)?),
            None => None,
        };
        self.parameters = parameters;
        self.progress = progress;
        self.sampler.reseed(self.config.seed_of(progress.start));
        Ok(())
    }
}

/// Words in each tile of a step of `batch` words.
fn words_per_tile(batch: usize) -> usize {
    // The most words that leave enough tiles and divide the step.
    [32, 24, 16].into_iter().find(|words| batch.is_multiple_of(*words) && batch / words >= TILES).unwrap_or(8)
}
