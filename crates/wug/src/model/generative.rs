//! The generative model: noise → states → symbols, with no symbol ever fed back.
//!
//! `h_t = F_g(h_{t−1}, ξ_t)` with `ξ_t ~ N(0, I)` from a learned `h_0`, and `P(w_t | h_t) = softmax(E h_t + b)`; with the
//! choice flow, `w_t` is the symbol in whose cell the state lies.

use std::sync::Arc;

use tilegrad::{Activation, CellOrder, Graph, Param, Symbols, Var};

use super::declare::Declare;
use super::flow::{Choice, Flow, Transform};
use crate::lexicon::END;

/// `h_0`, `F_g`, and the emission `E`, `b`.
#[derive(Debug)]
pub struct Generative {
    start: Param,
    flow: Box<dyn Flow>,
    emission: Emission,
}

impl Generative {
    /// Declares the first state and the emission around a flow that is declared already.
    pub fn new(declare: &mut Declare, flow: Box<dyn Flow>, state: usize, symbols: usize) -> Self {
        let (start, emission) = match flow.as_choice() {
            // Before the first letter, a word before it has just ended.
            Some(choice) => {
                let order = choice.order();
                let end = order.cell(END.into()) as f64 + 0.5;
                (declare.vector_from("generative.start", state, end), Emission::Cells(Arc::clone(order)))
            }
            None => {
                let start = declare.vector("generative.start", state, 0.0);
                (start, Emission::new(declare, "generative.emission", state, symbols))
            }
        };
        Self { start, flow, emission }
    }

    /// `h_0` for every word.
    pub fn initial_state<'g>(&self, graph: &'g Graph) -> Var<'g> {
        graph.broadcast(self.start)
    }

    /// The parameter that holds `h_0`.
    pub(crate) fn initial_state_param(&self) -> Param {
        self.start
    }

    /// Size of states: d.
    pub fn state_size(&self) -> usize {
        self.start.rows
    }

    /// Numbers of noise that a step takes.
    pub fn noise_size(&self) -> usize {
        self.flow.noise_size(self.state_size())
    }

    /// The choice flow, if F_g is one.
    pub fn choice(&self) -> Option<&Choice> {
        self.flow.as_choice()
    }

    /// The transform `f_g(ξ) = F_g(h, ξ)`.
    pub fn transition<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        self.flow.given(graph, state)
    }

    /// What a state says about the symbol.
    pub fn emission(&self) -> &Emission {
        &self.emission
    }
}

/// What a state says about the symbol.
#[derive(Debug, Clone)]
pub enum Emission {
    /// `softmax(E h + b)`.
    Softmax {
        /// `E`.
        weight: Param,
        /// `b`.
        bias: Param,
    },
    /// The symbol in whose cell the state's first number lies.
    Cells(Arc<CellOrder>),
}

impl Emission {
    /// Declares the emission of one of `symbols` symbols from states of size `state`.
    pub fn new(declare: &mut Declare, name: &str, state: usize, symbols: usize) -> Self {
        Self::Softmax {
            weight: declare.weight(format!("{name}.weight"), symbols, state, 1.0),
            bias: declare.vector(format!("{name}.bias"), symbols, 0.0),
        }
    }

    /// `E h + b`, or the logarithms of the cells' shares.
    pub fn logits<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Var<'g> {
        match self {
            Self::Softmax { weight, bias } => {
                graph.affine(&[(*weight, state)], Some(*bias), Activation::Identity)
            }
            Self::Cells(order) => state.slice(0..1).cell_log_shares(order),
        }
    }

    /// `log P(w | h)` of each word's symbol.
    pub fn log_probability<'g>(&self, graph: &'g Graph, state: Var<'g>, symbols: Symbols<'g>) -> Var<'g> {
        self.logits(graph, state).log_softmax_pick(symbols)
    }
}
