//! The baseline: a gated recurrent unit that reads its own word so far, trained with teacher forcing.
//!
//! `s_t = GRU(s_{t−1}, e(w_{t−1}))`, `P(w_t | w_{<t}) = softmax(E s_t + b)`; before the first letter it reads the
//! end symbol. State and embedding have the same size, as in the paper.

use tilegrad::{Graph, Param, Symbols, Var};

use super::declare::Declare;
use super::generative::Emission;
use super::gru::Gru;

/// The recurrent language model.
#[derive(Debug)]
pub struct Baseline {
    embedding: Param,
    gru: Gru,
    emission: Emission,
}

impl Baseline {
    /// Declares a model with states of size `state`.
    pub fn new(declare: &mut Declare, state: usize, symbols: usize) -> Self {
        Self {
            embedding: declare.table("baseline.embedding", symbols, state, 0.3),
            gru: Gru::new(declare, "baseline.gru", state, state),
            emission: Emission::new(declare, "baseline.emission", state, symbols),
        }
    }

    /// The state before anything is read.
    pub fn start<'g>(&self, graph: &'g Graph) -> Var<'g> {
        self.gru.start(graph)
    }

    /// The parameter that holds the state before anything is read.
    pub fn start_param(&self) -> Param {
        self.gru.start_param()
    }

    /// The state after one more symbol.
    pub fn step<'g>(&self, graph: &'g Graph, previous: Symbols<'g>, state: Var<'g>) -> Var<'g> {
        self.gru.step(graph, graph.embedding(self.embedding, previous), state)
    }

    /// What a state says about the next symbol.
    pub fn emission(&self) -> &Emission {
        &self.emission
    }

    /// Records `log P(w_t | w_{<t})` of every step t, one number per word each: their sum is `log P(w)`, exactly. `end` must hold
    /// the end symbol.
    pub fn log_probabilities<'g>(
        &self,
        graph: &'g Graph,
        end: Symbols<'g>,
        symbols: &[Symbols<'g>],
    ) -> Vec<Var<'g>> {
        let mut state = self.start(graph);
        let mut gains = Vec::with_capacity(symbols.len());
        let mut previous = end;
        for &symbol in symbols {
            state = self.step(graph, previous, state);
            gains.push(self.emission.log_probability(graph, state, symbol));
            previous = symbol;
        }
        gains
    }
}
