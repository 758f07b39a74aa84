//! A gated recurrent unit.
//!
//! `r, z = σ(W x + U s + b)`, `n = tanh(W_n x + b_n + r ∘ (U_n s + c_n))`, `s' = n + z ∘ (s − n)`.

use tilegrad::{Activation, Graph, Param, Var};

use super::declare::Declare;

/// One cell: its parameters and its learned first state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gru {
    start: Param,
    gates_input: Param,
    gates_state: Param,
    gates_bias: Param,
    candidate_input: Param,
    candidate_bias: Param,
    candidate_state: Param,
    candidate_state_bias: Param,
    size: usize,
}

impl Gru {
    /// Declares a cell with inputs and states of these sizes.
    pub(crate) fn new(declare: &mut Declare, name: &str, input: usize, size: usize) -> Self {
        Self {
            start: declare.vector(format!("{name}.start"), size, 0.0),
            gates_input: declare.weight(format!("{name}.gates.input"), 2 * size, input, 1.0),
            gates_state: declare.weight(format!("{name}.gates.state"), 2 * size, size, 1.0),
            gates_bias: declare.vector(format!("{name}.gates.bias"), 2 * size, 0.0),
            candidate_input: declare.weight(format!("{name}.candidate.input"), size, input, 1.0),
            candidate_bias: declare.vector(format!("{name}.candidate.bias"), size, 0.0),
            candidate_state: declare.weight(format!("{name}.candidate.state"), size, size, 1.0),
            candidate_state_bias: declare.vector(format!("{name}.candidate.state_bias"), size, 0.0),
            size,
        }
    }

    /// The state before any input.
    pub(crate) fn initial_state<'g>(&self, graph: &'g Graph) -> Var<'g> {
        graph.broadcast(self.start)
    }

    /// The state after one more input.
    pub(crate) fn step<'g>(&self, graph: &'g Graph, input: Var<'g>, state: Var<'g>) -> Var<'g> {
        let gates = [(self.gates_input, input), (self.gates_state, state)];
        let gates = graph.affine(&gates, Some(self.gates_bias), Activation::Sigmoid);
        let (reset, update) = (gates.slice(0..self.size), gates.slice(self.size..2 * self.size));
        let past = [(self.candidate_state, state)];
        let past = graph.affine(&past, Some(self.candidate_state_bias), Activation::Identity);
        let input = [(self.candidate_input, input)];
        let input = graph.affine(&input, Some(self.candidate_bias), Activation::Identity);
        let candidate = (input + reset * past).tanh();
        candidate + update * (state - candidate)
    }
}
