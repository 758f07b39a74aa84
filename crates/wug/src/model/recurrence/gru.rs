//! The paper's baseline: a gated recurrent unit that reads its own word so far, with states and embeddings of the same size.

use tilegrad::{Graph, Param, Symbols, Var};

use super::{Dropout, Recurrence};
use crate::model::declare::Declare;
use crate::model::generative::Emission;
use crate::model::gru::Gru;

/// `s_t = GRU(s_{t−1}, e(w_{t−1}))` and `softmax(E s_t + b)`.
#[derive(Debug)]
pub(crate) struct GruLanguageModel {
    embedding: Param,
    gru: Gru,
    emission: Emission,
}

impl GruLanguageModel {
    /// Declares it with states of size `state`.
    pub(crate) fn new(declare: &mut Declare, state: usize, symbols: usize) -> Self {
        let embedding = declare.table("baseline.embedding", symbols, state, 0.3);
        let gru = Gru::new(declare, "baseline.gru", state, state);
        let emission = Emission::new(declare, "baseline.emission", state, symbols);
        Self { embedding, gru, emission }
    }

    fn read<'g>(&self, graph: &'g Graph, state: Var<'g>, symbol: Symbols<'g>, dropout: Dropout) -> Var<'g> {
        // What goes from layer to layer is dropped, what goes from step to step is not.
        let seen = dropout.state(0, graph.embedding(self.embedding, symbol));
        self.gru.step(graph, seen, state)
    }
}

impl Recurrence for GruLanguageModel {
    fn start<'g>(&self, graph: &'g Graph, end: Symbols<'g>, dropout: Dropout) -> Var<'g> {
        self.read(graph, self.gru.initial_state(graph), end, dropout)
    }

    fn logits<'g>(&self, graph: &'g Graph, state: Var<'g>, _: Symbols<'g>, dropout: Dropout) -> Var<'g> {
        self.emission.logits(graph, dropout.output(0, state))
    }

    fn advance<'g>(
        &self,
        graph: &'g Graph,
        state: Var<'g>,
        symbol: Symbols<'g>,
        dropout: Dropout,
    ) -> Var<'g> {
        self.read(graph, state, symbol, dropout.next())
    }
}
