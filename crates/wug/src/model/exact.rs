//! Exact models: a recurrence gives the probabilities of the next symbol, and the log-probability of a word is their sum.

use tilegrad::{Graph, Symbols, Var, VarId};

use super::config::{Kind, ModelConfig};
use super::declare::Declare;
use super::list_gate::ListGate;
use super::recurrence::{Choice, Dropout, GruLanguageModel, Recurrence, TeacherForced};

/// A model whose log-probabilities are exact.
#[derive(Debug)]
pub(super) struct Exact {
    recurrence: Box<dyn Recurrence>,
    /// How much the counts of a list are worth beside the recurrence.
    pub(super) gate: Option<ListGate>,
}

impl Exact {
    /// Declares the recurrence that a configuration asks for; none if it asks for the paper's model.
    pub(super) fn new(config: &ModelConfig, declare: &mut Declare, symbols: usize) -> Option<Self> {
        let recurrence: Box<dyn Recurrence> = match config.kind {
            Kind::StateSpace => return None,
            Kind::Choice => Box::new(Choice::new(declare, "generative.flow", config.choice_sizes(symbols))),
            Kind::TeacherForced => Box::new(TeacherForced::new(declare, config.choice_sizes(symbols))),
            Kind::Gru => Box::new(GruLanguageModel::new(declare, config.state, symbols)),
        };
        Some(Self { recurrence, gate: ListGate::new(declare, config.counts) })
    }

    /// The state before the first symbol.
    pub(super) fn start<'g>(&self, graph: &'g Graph, end: Symbols<'g>) -> Var<'g> {
        self.recurrence.start(graph, end, Dropout::OFF)
    }

    /// Logits of the next symbol, given the state and the symbol seen last.
    pub(super) fn logits<'g>(&self, graph: &'g Graph, state: Var<'g>, last: Symbols<'g>) -> Var<'g> {
        self.recurrence.logits(graph, state, last, Dropout::OFF)
    }

    /// The state after one more symbol.
    pub(super) fn advance<'g>(&self, graph: &'g Graph, state: Var<'g>, symbol: Symbols<'g>) -> Var<'g> {
        self.recurrence.advance(graph, state, symbol, Dropout::OFF)
    }

    /// Records `log π(w_t | h_{t−1})` of every step t, one number per word each. After the word's symbols the tile has a row of end symbols, which
    /// stand before the first. `dropout` is for training alone.
    pub(super) fn log_probabilities<'g>(
        &self,
        graph: &'g Graph,
        symbols: &[Symbols<'g>],
        dropout: f64,
    ) -> Vec<Var<'g>> {
        let recurrence = &*self.recurrence;
        let mut last = graph.symbols();
        let mut state = recurrence.start(graph, last, Dropout::new(dropout, 0));
        let mut gains = Vec::with_capacity(symbols.len());
        for (t, &symbol) in symbols.iter().enumerate() {
            let dropout = Dropout::new(dropout, t);
            gains.push(recurrence.logits(graph, state, last, dropout).log_softmax_pick(symbol));
            state = recurrence.advance(graph, state, symbol, dropout);
            last = symbol;
        }
        gains
    }

    /// The same for the mixture with the counts of a list, for its gate to learn from. Returns the variables of data, one for each step, which take
    /// [`training_data`](crate::counts::training_data).
    pub(super) fn mixture_log_probabilities<'g>(
        &self,
        gate: &ListGate,
        graph: &'g Graph,
        symbols: &[Symbols<'g>],
    ) -> (Vec<Var<'g>>, Vec<VarId>) {
        let network = self.log_probabilities(graph, symbols, 0.0);
        network.into_iter().map(|log_p| gate.mix(graph, log_p)).unzip()
    }
}
