//! The model: a deep state space model of words, its inference model and training bound, and the baseline.

mod bound;
pub(crate) mod code;
mod config;
mod declare;
mod defence;
mod exact;
mod fitted;
pub mod flow;
mod generative;
mod gru;
mod inference;
mod list_gate;
mod recurrence;
mod run;
mod score;
mod step;
#[cfg(test)]
mod tests;

use tilegrad::{Element, Graph, GraphError, Lanes, Params, Program, Symbols, Tile, Var, VarId};

use bound::log_bound;
use code::CellOrder;
pub use config::{
    BoundConfig, Condition, ConfigError, CountsConfig, GenerativeConfig, GenerativeFlow, InferenceConfig,
    InferenceFlow, Kind, ModelConfig, Resampling,
};
pub use declare::{Declare, Init, Mlp};
use exact::Exact;
pub use fitted::Fitted;
use generative::Generative;
use inference::Inference;
pub use run::RunnerError;
pub(crate) use score::Sizes;
pub(crate) use step::NoiseShape;

use crate::counts::gate::{Gate, GateShape};
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
    cells: CellOrder,
    params: Params,
    inits: Vec<Init>,
    parts: Parts,
}

/// What a model consists of.
#[derive(Debug)]
enum Parts {
    /// A model that goes symbol by symbol.
    Exact(Box<Exact>),
    /// The paper's model.
    StateSpace(Box<StateSpace>),
}

/// The two halves of the paper's model.
#[derive(Debug)]
struct StateSpace {
    /// Noise → states → symbols.
    pub(crate) generative: Generative,
    /// Symbols → noise.
    pub(crate) inference: Inference,
}

impl StateSpace {
    fn new(
        config: &ModelConfig,
        declare: &mut Declare,
        symbols: usize,
        transition: impl FnOnce(&mut Declare) -> Box<dyn Flow>,
    ) -> Self {
        let (state, q) = (config.state, &config.inference);
        let f_g = transition(declare);
        let generative = Generative::new(declare, f_g, state, symbols);
        let f_q = match q.flow {
            InferenceFlow::Shared => None,
            InferenceFlow::Own(flow) => {
                let sizes = FlowSizes { state, hidden: &q.flow_hidden, delta: q.delta };
                Some(flow.build(declare, "inference.flow", sizes, q.direction))
            }
        };
        let inference = Inference::new(declare, q, f_q, (state, symbols), config.bound.peek);
        Self { generative, inference }
    }
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

    /// The same with the cells in another order, which lists all symbols of the alphabet.
    ///
    /// # Errors
    /// The first setting that is out of its range, or an order that is not a permutation of the symbols.
    pub fn with_order(config: &ModelConfig, order: &[Symbol]) -> Result<Self, ConfigError> {
        let g = &config.generative;
        Self::build(config, order, |declare| {
            if let Some(exact) = Exact::new(config, declare, order.len()) {
                return Ok(Parts::Exact(Box::new(exact)));
            }
            let GenerativeFlow::Known(flow) = &g.flow else {
                let expected =
                    "a flow that is defined elsewhere: its model is built by the program that defines it";
                return Err(ConfigError {
                    key: "generative.flow".into(),
                    found: g.flow.to_string(),
                    expected: expected.into(),
                });
            };
            Ok(Parts::StateSpace(Box::new(StateSpace::new(config, declare, order.len(), |declare| {
                flow.build(declare, "generative.flow", config.flow_sizes(), g.direction)
            }))))
        })
    }

    /// The paper's model with a transition F_g of one's own: a flow that this library does not know. Its configuration has the flow's
    /// name as `own:NAME`. Such a model can be trained, measured and sampled, but its file cannot be read without the flow.
    ///
    /// # Errors
    /// The first setting that is out of its range.
    pub fn with_transition(
        config: &ModelConfig,
        symbols: usize,
        name: &str,
        transition: impl FnOnce(&mut Declare) -> Box<dyn Flow>,
    ) -> Result<Self, ConfigError> {
        let mut config = ModelConfig { kind: Kind::StateSpace, ..config.clone() };
        config.generative.flow = GenerativeFlow::Own(name.to_owned());
        let order: Vec<Symbol> = (0..symbols).map(|symbol| symbol as Symbol).collect();
        Self::build(&config, &order, |declare| {
            Ok(Parts::StateSpace(Box::new(StateSpace::new(&config, declare, symbols, transition))))
        })
    }

    fn build(
        config: &ModelConfig,
        order: &[Symbol],
        parts: impl FnOnce(&mut Declare) -> Result<Parts, ConfigError>,
    ) -> Result<Self, ConfigError> {
        config.check()?;
        let cells = CellOrder::new(order).filter(|_| !order.is_empty()).ok_or_else(|| ConfigError {
            key: "cell_order".into(),
            found: format!("[{} symbols]", order.len()),
            expected: "expected every symbol of the alphabet once".into(),
        })?;
        let mut declare = Declare::default();
        let parts = parts(&mut declare)?;
        let (params, inits) = declare.finish();
        if params.len() > MAX_NUMBERS {
            let expected = format!(
                "with the other sizes this makes a model of {} numbers; expected at most {MAX_NUMBERS}",
                params.len()
            );
            return Err(ConfigError { key: "state".into(), found: config.state.to_string(), expected });
        }
        Ok(Self { config: config.clone(), symbols: order.len(), cells, params, inits, parts })
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

    /// Particles for each word in training.
    pub fn particles(&self) -> usize {
        if self.is_exact() { 1 } else { self.config.bound.particles }
    }

    /// Whether the bound is the log-probability itself: no noise is left to be integrated over, because it does nothing but pick
    /// symbols.
    pub fn is_exact(&self) -> bool {
        matches!(self.parts, Parts::Exact(_))
    }

    /// The order of the symbols' cells.
    pub(crate) fn cells(&self) -> &CellOrder {
        &self.cells
    }

    /// The symbols in the order of their cells.
    pub fn cell_order(&self) -> Vec<Symbol> {
        self.cells.symbols().to_vec()
    }

    /// Records the log-probability of words of `length` symbols, or its lower bound: one number per word. The
    /// tile's rows of symbols are the word's symbols, and then one of end symbols for exact models.
    pub fn log_probability<'g>(&self, graph: &'g Graph, length: usize, bound: &BoundConfig) -> Var<'g> {
        self.total_log_probability(graph, length, bound, Exact::log_probabilities)
    }

    fn total_log_probability<'g>(
        &self,
        graph: &'g Graph,
        length: usize,
        bound: &BoundConfig,
        exact_gains: impl FnOnce(&Exact, &'g Graph, &[Symbols<'g>]) -> Vec<Var<'g>>,
    ) -> Var<'g> {
        let symbols: Vec<Symbols<'g>> = (0..length).map(|_| graph.symbols()).collect();
        let gains = match &self.parts {
            Parts::Exact(exact) => exact_gains(exact, graph, &symbols),
            Parts::StateSpace(parts) => log_bound(graph, parts, bound.resampling, &symbols),
        };
        sum(graph, gains)
    }

    /// Puts words of one length into a tile of a program that records [`Model::log_probability`].
    pub fn fill_tile<'a, T: Element>(&self, tile: &mut Tile<T>, words: impl Iterator<Item = &'a [Symbol]>) {
        let mut count = 0;
        for word in words {
            for (position, &symbol) in word.iter().enumerate() {
                tile.symbol_row_mut(position)[count] = u32::from(symbol);
            }
            if self.is_exact() {
                tile.symbol_row_mut(word.len())[count] = u32::from(END);
            }
            count += 1;
        }
        tile.set_active(count);
    }

    /// The sizes of the gate between the network and the counts of a list; none if the model goes without counts.
    pub(crate) fn gate_shape(&self) -> Option<GateShape> {
        match &self.parts {
            Parts::Exact(exact) => exact.gate.as_ref().map(|gate| gate.shape()),
            Parts::StateSpace(_) => None,
        }
    }

    /// The gate with its numbers.
    pub(crate) fn gate(&self, parameters: &[f32]) -> Option<Gate> {
        match &self.parts {
            Parts::Exact(exact) => exact.gate.as_ref().map(|gate| gate.numbers(&self.params, parameters)),
            Parts::StateSpace(_) => None,
        }
    }

    /// The program that trains on tiles of `words` words of `length` symbols: its loss is minus the bound. `dropout` is the share of the hidden units
    /// of exact models that each word does without.
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
        let log_p =
            self.total_log_probability(&graph, length, &self.config.bound, |exact, graph, symbols| {
                exact.objective(graph, symbols, dropout)
            });
        let loss = -log_p;
        graph.compile(words, Some(loss), &[])
    }

    /// The program that the gate learns from; none if the model goes without counts.
    ///
    /// # Errors
    /// When the graph cannot be recorded, which is a mistake in the model's code.
    pub(crate) fn gate_program<T: Element>(
        &self,
        length: usize,
        words: usize,
    ) -> Result<Option<GateProgram<T>>, GraphError> {
        let Parts::Exact(exact) = &self.parts else { return Ok(None) };
        let Some(gate) = &exact.gate else { return Ok(None) };
        let graph = Graph::new(&self.params, 1);
        let symbols: Vec<Symbols<'_>> = (0..length).map(|_| graph.symbols()).collect();
        let (gains, data) = exact.mixture_log_probabilities(gate, &graph, &symbols);
        let loss = -sum(&graph, gains);
        Ok(Some(GateProgram { program: graph.compile(words, Some(loss), &[loss])?, loss: loss.id(), data }))
    }
}

/// A program that a gate learns from.
pub(crate) struct GateProgram<T: Element> {
    /// It.
    pub(crate) program: Program<T>,
    /// Minus the log-probability of each word.
    pub(crate) loss: VarId,
    /// What the counts say of each symbol: see [`training_data`](crate::counts::training_data).
    pub(crate) data: Vec<VarId>,
}

fn sum<'g>(graph: &'g Graph, gains: Vec<Var<'g>>) -> Var<'g> {
    let nothing = || graph.constant(0.0, 1, Lanes::Word);
    gains.into_iter().reduce(|total, gain| total + gain).unwrap_or_else(nothing)
}
