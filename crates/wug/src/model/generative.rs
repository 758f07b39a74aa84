//! The paper's generative model: noise → states → symbols, with no symbol ever fed back.
//!
//! `h_t = F_g(h_{t−1}, ξ_t)` with `ξ_t ~ N(0, I)` from a learned `h_0`, and `P(w_t | h_t) = softmax(E h_t + b)`.

use tilegrad::{Activation, Graph, Param, Symbols, Var};

use super::declare::Declare;
use super::flow::{Flow, Transform};

/// `h_0`, `F_g`, and the emission `E`, `b`.
#[derive(Debug)]
pub(crate) struct Generative {
    start: Param,
    flow: Box<dyn Flow>,
    emission: Emission,
}

impl Generative {
    /// Declares the first state and the emission around a flow that is declared already.
    pub(crate) fn new(declare: &mut Declare, flow: Box<dyn Flow>, state: usize, symbols: usize) -> Self {
        let start = declare.vector("generative.start", state, 0.0);
        Self { start, flow, emission: Emission::new(declare, "generative.emission", state, symbols) }
    }

    /// `h_0` for every word.
    pub(crate) fn initial_state<'g>(&self, graph: &'g Graph) -> Var<'g> {
        graph.broadcast(self.start)
    }

    /// Size of states and of a step's noise: d.
    pub(crate) fn state_size(&self) -> usize {
        self.start.rows
    }

    /// The transform `f_g(ξ) = F_g(h, ξ)`.
    pub(crate) fn transition<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        self.flow.given(graph, state)
    }

    /// What a state says about the symbol.
    pub(crate) fn emission(&self) -> &Emission {
        &self.emission
    }
}

/// What a state says about the symbol: `softmax(E h + b)`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Emission {
    weight: Param,
    bias: Param,
}

impl Emission {
    /// Declares the emission of one of `symbols` symbols from states of size `state`.
    pub(crate) fn new(declare: &mut Declare, name: &str, state: usize, symbols: usize) -> Self {
        Self {
            weight: declare.weight(format!("{name}.weight"), symbols, state, 1.0),
            bias: declare.vector(format!("{name}.bias"), symbols, 0.0),
        }
    }

    /// `E h + b`.
    pub(crate) fn logits<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Var<'g> {
        graph.affine(&[(self.weight, state)], Some(self.bias), Activation::Identity)
    }

    /// `log P(w | h)` of each word's symbol.
    pub(crate) fn log_probability<'g>(
        &self,
        graph: &'g Graph,
        state: Var<'g>,
        symbols: Symbols<'g>,
    ) -> Var<'g> {
        self.logits(graph, state).log_softmax_pick(symbols)
    }
}
