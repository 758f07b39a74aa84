//! The model: a deep state space model of words, its inference model and training bound, and the baseline.

mod baseline;
mod bound;
mod config;
mod declare;
pub mod flow;
mod generative;
mod gru;
mod inference;

use tilegrad::{Graph, GraphError, Params, Program, Symbols, Var};

pub use baseline::Baseline;
pub use bound::log_bound;
pub use config::{
    BoundConfig, Condition, ConfigError, GenerativeConfig, InferenceConfig, InferenceFlow, Kind, ModelConfig,
    Survivors,
};
pub use declare::{Declare, Mlp, Start};
pub use generative::{Emission, Generative};
pub use gru::Gru;
pub use inference::{Inference, Proposal};

use flow::FlowSizes;

/// The structure of a model: its parameters' names and shapes, and how its computations are recorded. The
/// parameters' numbers live apart, in one flat vector.
#[derive(Debug)]
pub struct Model {
    config: ModelConfig,
    symbols: usize,
    params: Params,
    parts: Parts,
}

/// What a model consists of.
#[derive(Debug)]
pub enum Parts {
    /// The state space model.
    StateSpace {
        /// Noise → states → symbols.
        generative: Generative,
        /// Symbols → noise.
        inference: Inference,
    },
    /// The recurrent baseline.
    Gru(Baseline),
}

impl Model {
    /// Builds a model for an alphabet of `symbols` symbols, the end among them; returns it with the numbers that
    /// its parameters start with, a function of the seed.
    ///
    /// # Errors
    /// The first setting that is out of its range.
    pub fn new(config: &ModelConfig, symbols: usize, seed: u64) -> Result<(Self, Vec<f32>), ConfigError> {
        config.check()?;
        let mut declare = Declare::default();
        let parts = match config.kind {
            Kind::StateSpace => {
                let (g, q) = (&config.generative, &config.inference);
                let sizes = FlowSizes { state: config.state, hidden: &g.hidden, delta: g.delta };
                let f_g = g.flow.build(&mut declare, "generative.flow", sizes, g.direction);
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
                Parts::StateSpace { generative, inference }
            }
            Kind::Gru => Parts::Gru(Baseline::new(&mut declare, config.state, symbols)),
        };
        let (params, numbers) = declare.finish(seed);
        Ok((Self { config: config.clone(), symbols, params, parts }, numbers))
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
        let symbols: Vec<Symbols<'g>> = (0..length).map(|_| graph.symbols()).collect();
        match &self.parts {
            Parts::StateSpace { generative, inference } => {
                log_bound(graph, generative, inference, bound, &symbols)
            }
            Parts::Gru(baseline) => baseline.log_probability(graph, graph.symbols(), &symbols),
        }
    }

    /// The program that trains on tiles of `words` words of `length` symbols: its loss is minus the bound.
    ///
    /// # Errors
    /// When the graph cannot be recorded, which is a mistake in the model's code.
    pub fn training_program(&self, length: usize, words: usize) -> Result<Program<f32>, GraphError> {
        let graph = Graph::new(&self.params, self.particles());
        let loss = -self.log_probability(&graph, length, &self.config.bound);
        graph.compile(words, Some(loss), &[])
    }
}
