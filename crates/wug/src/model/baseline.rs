//! The baselines: recurrent networks that read their own word so far, trained with teacher forcing.
//!
//! `s_t = f(s_{t−1}, w_{t−1})`, and `P(w_t | w_{<t})` is a softmax of logits of `s_t`; before the first letter they read the end
//! symbol. Two networks can be f:
//! - a *gated recurrent unit* whose state and embedding have the same size, as in the paper: `softmax(E s_t + b)`;
//! - the *twin* of the choice flow, its networks with the symbol fed back: `s_t = g(s_{t−1}, w_{t−1})` and
//!   `softmax(A(w_{t−1}, s_t))`. What it gains over the choice flow is what feedback is worth.

use tilegrad::{Graph, Param, Symbols, Var};

use super::declare::Declare;
use super::flow::FlowSizes;
use super::flow::choice::{ChoiceNetwork, Dropout, MemoryNetwork};
use super::generative::Emission;
use super::gru::Gru;

/// A recurrent language model.
#[derive(Debug)]
pub struct Baseline {
    start: Param,
    network: Network,
}

#[derive(Debug)]
enum Network {
    Gru { embedding: Param, gru: Gru, emission: Emission },
    Twin { choice: ChoiceNetwork, memory: MemoryNetwork },
}

/// What a baseline makes of one more symbol.
#[derive(Debug, Clone, Copy)]
pub struct Read<'g> {
    /// `s_t`.
    pub state: Var<'g>,
    /// Logits of `P(w_t | w_{<t})`.
    pub logits: Var<'g>,
}

impl Baseline {
    /// Declares a gated recurrent unit with states of size `state`.
    pub fn gru(declare: &mut Declare, state: usize, symbols: usize) -> Self {
        let embedding = declare.table("baseline.embedding", symbols, state, 0.3);
        let gru = Gru::new(declare, "baseline.gru", state, state);
        let emission = Emission::new(declare, "baseline.emission", state, symbols);
        Self { start: gru.initial_state_param(), network: Network::Gru { embedding, gru, emission } }
    }

    /// Declares the twin of a choice flow with states of size d: its memory has size d − 1.
    pub fn twin(declare: &mut Declare, sizes: FlowSizes<'_>) -> Self {
        let sizes = FlowSizes { memory_noise: 0.0, ..sizes };
        let symbols = sizes.order.count();
        let choice = ChoiceNetwork::new(declare, "twin.choice", symbols, sizes);
        let memory = MemoryNetwork::new(declare, "twin.memory", symbols, sizes);
        let start = declare.vector("twin.start", sizes.state - 1, 0.0);
        Self { start, network: Network::Twin { choice, memory } }
    }

    /// The parameter that holds the state before anything is read.
    pub(crate) fn initial_state_param(&self) -> Param {
        self.start
    }

    /// Reads one more symbol.
    pub fn read<'g>(&self, graph: &'g Graph, state: Var<'g>, previous: Symbols<'g>) -> Read<'g> {
        self.read_with(graph, state, previous, Dropout::OFF)
    }

    fn read_with<'g>(
        &self,
        graph: &'g Graph,
        state: Var<'g>,
        previous: Symbols<'g>,
        dropout: Dropout,
    ) -> Read<'g> {
        match &self.network {
            Network::Gru { embedding, gru, emission } => {
                // What goes from layer to layer is dropped, what goes from step to step is not.
                let seen = dropout.memory(0, graph.embedding(*embedding, previous));
                let state = gru.step(graph, seen, state);
                Read { state, logits: emission.logits(graph, dropout.choice(0, state)) }
            }
            Network::Twin { choice, memory } => {
                let seen = |table| graph.embedding(table, previous);
                let state = memory.next(graph, &seen, state, dropout).mean;
                Read { state, logits: choice.logits(graph, &seen, state, dropout) }
            }
        }
    }

    /// Records `log P(w_t | w_{<t})` of every step t, one number per word each: their sum is `log P(w)`, exactly. `end` must hold
    /// the end symbol. `dropout` is for training alone.
    pub fn log_probabilities<'g>(
        &self,
        graph: &'g Graph,
        end: Symbols<'g>,
        symbols: &[Symbols<'g>],
        dropout: f64,
    ) -> Vec<Var<'g>> {
        let mut state = graph.broadcast(self.start);
        let previous = std::iter::once(end).chain(symbols.iter().copied());
        let mut step = |(t, (&symbol, previous)): (usize, (&Symbols<'g>, Symbols<'g>))| {
            let read = self.read_with(graph, state, previous, Dropout::new(dropout, t));
            state = read.state;
            read.logits.log_softmax_pick(symbol)
        };
        symbols.iter().zip(previous).enumerate().map(&mut step).collect()
    }
}
