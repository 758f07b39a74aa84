//! The model: a deep state space model of words, its inference model and training bound, and the baseline.

mod baseline;
mod bound;
mod config;
mod declare;
mod fitted;
pub mod flow;
mod generative;
mod gru;
mod inference;
mod run;

use tilegrad::{Element, Graph, GraphError, Lanes, Params, Program, Symbols, Tile, Var};

pub use baseline::Baseline;
pub use bound::{PosteriorNoise, log_bound, posterior_noise};
pub use config::{
    BoundConfig, Condition, ConfigError, GenerativeConfig, InferenceConfig, InferenceFlow, Kind, ModelConfig,
    Survivors,
};
pub use declare::{Declare, Mlp, Start};
pub use fitted::Fitted;
pub use generative::{Emission, Generative};
pub use gru::Gru;
pub use inference::{Inference, Proposal};
pub use run::RunnerError;

use crate::lexicon::{END, Symbol};
use flow::{Flow, FlowSizes};

/// The most numbers that a model can have: its checkpoint, up to ten times as large, is still a file that is read.
const MAX_NUMBERS: usize = 1 << 24;

/// The structure of a model: its parameters' names and shapes, and how its computations are recorded. The
/// parameters' numbers live apart, in one flat vector.
#[derive(Debug)]
pub struct Model {
    config: ModelConfig,
    symbols: usize,
    params: Params,
    starts: Vec<Start>,
    parts: Parts,
}

/// What a model consists of.
#[derive(Debug)]
pub enum Parts {
    /// The state space model.
    StateSpace(Box<StateSpace>),
    /// The recurrent baseline.
    Gru(Box<Baseline>),
}

/// The two halves of the state space model.
#[derive(Debug)]
pub struct StateSpace {
    /// Noise → states → symbols.
    pub generative: Generative,
    /// Symbols → noise.
    pub inference: Inference,
}

impl Model {
    /// Builds a model for an alphabet of `symbols` symbols, the end among them.
    ///
    /// # Errors
    /// The first setting that is out of its range.
    pub fn new(config: &ModelConfig, symbols: usize) -> Result<Self, ConfigError> {
        let g = &config.generative;
        let sizes = FlowSizes { state: config.state, hidden: &g.hidden, delta: g.delta };
        Self::with_transition(config, symbols, |declare| {
            g.flow.build(declare, "generative.flow", sizes, g.direction)
        })
    }

    /// The same with a transition F_g of one's own instead of `config.generative.flow`: a flow that this library does
    /// not know. Such a model can be trained, measured and sampled, but its file cannot be read without the flow.
    ///
    /// # Errors
    /// The first setting that is out of its range.
    pub fn with_transition(
        config: &ModelConfig,
        symbols: usize,
        transition: impl FnOnce(&mut Declare) -> Box<dyn Flow>,
    ) -> Result<Self, ConfigError> {
        config.check()?;
        let mut declare = Declare::default();
        let parts = match config.kind {
            Kind::StateSpace => {
                let q = &config.inference;
                let f_g = transition(&mut declare);
                let generative = Generative::new(&mut declare, f_g, config.state, symbols);
                let f_q = match q.flow {
                    InferenceFlow::Shared => None,
                    InferenceFlow::Own(flow) => {
                        let sizes = FlowSizes { state: config.state, hidden: &q.flow_hidden, delta: q.delta };
                        Some(flow.build(&mut declare, "inference.flow", sizes, q.direction))
                    }
                };
                let inference =
                    Inference::new(&mut declare, q, f_q, (config.state, symbols), config.bound.peek);
                Parts::StateSpace(Box::new(StateSpace { generative, inference }))
            }
            Kind::Gru => Parts::Gru(Box::new(Baseline::new(&mut declare, config.state, symbols))),
        };
        let (params, starts) = declare.finish();
        if params.len() > MAX_NUMBERS {
            let expected = format!(
                "with the other sizes this makes a model of {} numbers; expected at most {MAX_NUMBERS}",
                params.len()
            );
            return Err(ConfigError { key: "state".into(), found: config.state.to_string(), expected });
        }
        Ok(Self { config: config.clone(), symbols, params, starts, parts })
    }

    /// The numbers that its parameters start with in training, a function of the seed.
    pub fn first_parameters(&self, seed: u64) -> Vec<f32> {
        Start::numbers(&self.starts, &self.params, seed)
    }

    /// Its settings.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// Size of the alphabet with the end symbol.
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// Names and shapes of its parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Its parts.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Particles for each word in training.
    pub fn particles(&self) -> usize {
        match self.config.kind {
            Kind::StateSpace => self.config.bound.particles,
            Kind::Gru => 1,
        }
    }

    /// Records the log-probability of words of `length` symbols, or its lower bound: one number per word. The
    /// tile's rows of symbols are the word's symbols, and then one of end symbols for the baseline.
    pub fn log_probability<'g>(&self, graph: &'g Graph, length: usize, bound: &BoundConfig) -> Var<'g> {
        let gains = self.log_probability_steps(graph, length, bound);
        let nothing = || graph.constant(0.0, 1, Lanes::Word);
        gains.into_iter().reduce(|total, gain| total + gain).unwrap_or_else(nothing)
    }

    /// Records what each symbol adds to [`Model::log_probability`], the end symbol last.
    pub fn log_probability_steps<'g>(
        &self,
        graph: &'g Graph,
        length: usize,
        bound: &BoundConfig,
    ) -> Vec<Var<'g>> {
        let symbols: Vec<Symbols<'g>> = (0..length).map(|_| graph.symbols()).collect();
        match &self.parts {
            Parts::StateSpace(parts) => {
                log_bound(graph, &parts.generative, &parts.inference, bound, &symbols)
            }
            Parts::Gru(baseline) => baseline.log_probabilities(graph, graph.symbols(), &symbols),
        }
    }

    /// Puts words of one length into a tile of a program that records [`Model::log_probability`].
    pub fn fill_tile<'a, T: Element>(&self, tile: &mut Tile<T>, words: impl Iterator<Item = &'a [Symbol]>) {
        let mut count = 0;
        for word in words {
            for (position, &symbol) in word.iter().enumerate() {
                tile.symbol_row_mut(position)[count] = u32::from(symbol);
            }
            if self.config.kind == Kind::Gru {
                tile.symbol_row_mut(word.len())[count] = u32::from(END);
            }
            count += 1;
        }
        tile.set_active(count);
    }

    /// The program that trains on tiles of `words` words of `length` symbols: its loss is minus the bound.
    ///
    /// # Errors
    /// When the graph cannot be recorded, which is a mistake in the model's code.
    pub fn training_program<T: Element>(
        &self,
        length: usize,
        words: usize,
    ) -> Result<Program<T>, GraphError> {
        let graph = Graph::new(&self.params, self.particles());
        let loss = -self.log_probability(&graph, length, &self.config.bound);
        graph.compile(words, Some(loss), &[])
    }
}
