//! The model: a deep state space model of words, its inference model and training bound, and the baseline.

mod baseline;
mod bound;
mod config;
mod declare;
mod defence;
mod fitted;
pub mod flow;
mod generative;
mod gru;
mod inference;
mod run;

use std::sync::Arc;

use tilegrad::{CellOrder, Element, Graph, GraphError, Lanes, Params, Program, Symbols, Tile, Var};

pub(crate) use baseline::{Baseline, Read};
pub(crate) use bound::log_bound;
pub(crate) use bound::{filter_bound, posterior_noise};
pub(crate) use config::MAX_LAYERS;
pub use config::{
    BoundConfig, Condition, ConfigError, GenerativeConfig, InferenceConfig, InferenceFlow, Kind, MemoryNoise,
    ModelConfig, Survivors,
};
pub use declare::{Declare, Init, Mlp};
pub use fitted::Fitted;
pub(crate) use generative::Generative;
pub(crate) use inference::Inference;
pub use run::RunnerError;

use crate::lexicon::{END, Symbol};
use flow::{Choice, Flow, FlowSizes};

/// The most numbers that a model can have: its checkpoint, up to ten times as large, is still a file that is read.
const MAX_NUMBERS: usize = 1 << 24;

/// The structure of a model: its parameters' names and shapes, and how its computations are recorded. The
/// parameters' numbers live apart, in one flat vector.
#[derive(Debug)]
pub struct Model {
    config: ModelConfig,
    symbols: usize,
    cells: Arc<CellOrder>,
    params: Params,
    inits: Vec<Init>,
    parts: Parts,
}

/// What a model consists of.
#[derive(Debug)]
pub enum Parts {
    /// The state space model.
    StateSpace(Box<StateSpace>),
    /// A recurrent baseline.
    Baseline(Box<Baseline>),
}

/// The two halves of the state space model.
#[derive(Debug)]
pub struct StateSpace {
    /// Noise → states → symbols.
    pub generative: Generative,
    /// Symbols → noise; none if the posterior of the noise is known without it.
    pub inference: Option<Inference>,
}

impl Model {
    /// Builds a model for an alphabet of `symbols` symbols, the end among them, whose cells are in the order of the symbols.
    ///
    /// # Errors
    /// The first setting that is out of its range.
    pub fn new(config: &ModelConfig, symbols: usize) -> Result<Self, ConfigError> {
        let order: Vec<Symbol> = (0..symbols).map(|symbol| symbol as Symbol).collect();
        Self::with_order(config, &order)
    }

    /// The same with the cells of the choice flow in another order, which lists all symbols of the alphabet.
    ///
    /// # Errors
    /// The first setting that is out of its range, or an order that is not a permutation of the symbols.
    pub fn with_order(config: &ModelConfig, order: &[Symbol]) -> Result<Self, ConfigError> {
        config.check()?;
        let rows: Vec<u32> = order.iter().map(|&symbol| symbol.into()).collect();
        let cells = CellOrder::new(&rows).and_then(|cells| cells.with_softness(config.generative.softness));
        let cells = Arc::new(cells.ok_or_else(|| ConfigError {
            key: "cell_order".into(),
            found: format!("[{} symbols]", order.len()),
            expected: "expected every symbol of the alphabet once".into(),
        })?);
        let sizes = config.flow_sizes(&cells);
        Self::build(config, &cells, |declare| {
            let g = &config.generative;
            g.flow.build(declare, "generative.flow", sizes, g.direction)
        })
    }

    /// A model with a transition F_g of one's own instead of `config.generative.flow`: a flow that this library does
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
        let rows: Vec<u32> = (0..symbols as u32).collect();
        let cells = CellOrder::new(&rows).ok_or_else(|| ConfigError {
            key: "symbols".into(),
            found: symbols.to_string(),
            expected: "expected at least one".into(),
        })?;
        Self::build(config, &Arc::new(cells), transition)
    }

    fn build(
        config: &ModelConfig,
        cells: &Arc<CellOrder>,
        transition: impl FnOnce(&mut Declare) -> Box<dyn Flow>,
    ) -> Result<Self, ConfigError> {
        let mut declare = Declare::default();
        let (state, symbols) = (config.state, cells.count());
        let parts = match config.kind {
            Kind::StateSpace => {
                let q = &config.inference;
                let f_g = transition(&mut declare);
                let generative = Generative::new(&mut declare, f_g, state, symbols);
                let f_q = match q.flow {
                    InferenceFlow::Shared => None,
                    InferenceFlow::Own(flow) => {
                        let sizes =
                            FlowSizes { hidden: &q.flow_hidden, delta: q.delta, ..config.flow_sizes(cells) };
                        Some(flow.build(&mut declare, "inference.flow", sizes, q.direction))
                    }
                };
                // The choice is known from the word: q is for the noise of the memory alone, if there is any.
                let is_choice = generative.choice().is_some();
                let needed = !is_choice || q.memory == MemoryNoise::Network;
                let sizes = (state, generative.noise_size() - usize::from(is_choice), symbols);
                let inference =
                    needed.then(|| Inference::new(&mut declare, q, f_q, sizes, config.bound.peek));
                Parts::StateSpace(Box::new(StateSpace { generative, inference }))
            }
            Kind::Gru => Parts::Baseline(Box::new(Baseline::gru(&mut declare, state, symbols))),
            Kind::Twin => Parts::Baseline(Box::new(Baseline::twin(&mut declare, config.flow_sizes(cells)))),
        };
        let (params, inits) = declare.finish();
        if params.len() > MAX_NUMBERS {
            let expected = format!(
                "with the other sizes this makes a model of {} numbers; expected at most {MAX_NUMBERS}",
                params.len()
            );
            return Err(ConfigError { key: "state".into(), found: config.state.to_string(), expected });
        }
        Ok(Self { config: config.clone(), symbols, cells: Arc::clone(cells), params, inits, parts })
    }

    /// The numbers that training begins with, a function of the seed.
    pub fn initial_parameters(&self, seed: u64) -> Vec<f32> {
        Init::numbers(&self.inits, &self.params, seed)
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
        if self.is_exact() { 1 } else { self.config.bound.particles }
    }

    /// Whether the bound is the log-probability itself: no noise is left to be integrated over.
    pub fn is_exact(&self) -> bool {
        match &self.parts {
            Parts::StateSpace(_) => self.chooses().is_some_and(Choice::is_deterministic),
            Parts::Baseline(_) => true,
        }
    }

    /// The choice flow if its noise decides the symbol alone: hard edges.
    pub fn chooses(&self) -> Option<&Choice> {
        match &self.parts {
            Parts::StateSpace(parts) => {
                parts.generative.choice().filter(|choice| choice.order().softness() == 0.0)
            }
            Parts::Baseline(_) => None,
        }
    }

    /// The symbols in the order of the choice flow's cells.
    pub fn cell_order(&self) -> Vec<Symbol> {
        self.cells.rows().iter().map(|&symbol| symbol as Symbol).collect()
    }

    /// Records the log-probability of words of `length` symbols, or its lower bound: one number per word. The
    /// tile's rows of symbols are the word's symbols, and then one of end symbols for the baselines.
    pub fn log_probability<'g>(&self, graph: &'g Graph, length: usize, bound: &BoundConfig) -> Var<'g> {
        self.total_log_probability(graph, length, bound, 0.0)
    }

    fn total_log_probability<'g>(
        &self,
        graph: &'g Graph,
        length: usize,
        bound: &BoundConfig,
        dropout: f64,
    ) -> Var<'g> {
        let gains = self.steps_with_dropout(graph, length, bound, dropout);
        let nothing = || graph.constant(0.0, 1, Lanes::Word);
        gains.into_iter().reduce(|total, gain| total + gain).unwrap_or_else(nothing)
    }

    fn steps_with_dropout<'g>(
        &self,
        graph: &'g Graph,
        length: usize,
        bound: &BoundConfig,
        dropout: f64,
    ) -> Vec<Var<'g>> {
        let symbols: Vec<Symbols<'g>> = (0..length).map(|_| graph.symbols()).collect();
        match &self.parts {
            Parts::StateSpace(parts) => log_bound(graph, parts, (bound, dropout), &symbols),
            Parts::Baseline(baseline) => {
                baseline.log_probabilities(graph, graph.symbols(), &symbols, dropout)
            }
        }
    }

    /// Records what each symbol adds to an estimate of the log-probability by a particle filter, the end symbol last; exact if
    /// [`Model::is_exact`].
    pub(crate) fn filter_steps<'g>(&self, graph: &'g Graph, length: usize) -> Vec<Var<'g>> {
        let symbols: Vec<Symbols<'g>> = (0..length).map(|_| graph.symbols()).collect();
        match &self.parts {
            Parts::StateSpace(parts) => filter_bound(graph, parts, &symbols),
            Parts::Baseline(baseline) => baseline.log_probabilities(graph, graph.symbols(), &symbols, 0.0),
        }
    }

    /// Puts words of one length into a tile of a program that records [`Model::log_probability`].
    pub fn fill_tile<'a, T: Element>(&self, tile: &mut Tile<T>, words: impl Iterator<Item = &'a [Symbol]>) {
        let mut count = 0;
        for word in words {
            for (position, &symbol) in word.iter().enumerate() {
                tile.symbol_row_mut(position)[count] = u32::from(symbol);
            }
            if self.config.kind != Kind::StateSpace {
                tile.symbol_row_mut(word.len())[count] = u32::from(END);
            }
            count += 1;
        }
        tile.set_active(count);
    }

    /// The program that trains on tiles of `words` words of `length` symbols: its loss is minus the bound. `dropout` is
    /// the share of the hidden units of the choice flow, of its twin and of the recurrent baseline that each word does without.
    ///
    /// # Errors
    /// When the graph cannot be recorded, which is a mistake in the model's code.
    pub(crate) fn training_program<T: Element>(
        &self,
        length: usize,
        words: usize,
        dropout: f64,
    ) -> Result<Program<T>, GraphError> {
        let graph = Graph::new(&self.params, self.particles());
        let loss = -self.total_log_probability(&graph, length, &self.config.bound, dropout);
        graph.compile(words, Some(loss), &[])
    }
}
