//! The networks of the choice flow: a memory with gates, and the probabilities of the next symbol.
//!
//! Given the memory m and the symbol seen last, `π = softmax(A(w, m))` is the law of the next symbol, and `m' = g(m, w')` the memory
//! once that is known. How noise picks the symbol is not said here: that is the [code](crate::model::code).

use tilegrad::{Activation, Graph, Param, Symbols, Var};

use super::{Dropout, Recurrence};
use crate::model::declare::Declare;

/// Sizes of the networks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChoiceSizes<'a> {
    /// Symbols of the alphabet, the end among them.
    pub(crate) symbols: usize,
    /// Numbers of the memory: d − 1, since the choice itself is one number of the state.
    pub(crate) memory: usize,
    /// Hidden layers of the memory's network.
    pub(crate) hidden: &'a [usize],
    /// Hidden layers of the network of π.
    pub(crate) choice_hidden: &'a [usize],
}

/// The recurrence of the choice flow, which is the default model.
#[derive(Debug)]
pub(crate) struct Choice {
    start: Param,
    networks: Networks,
}

/// The teacher-forced counterpart of the choice flow: the same networks, which read the end of the word before as their first symbol.
#[derive(Debug)]
pub(crate) struct TeacherForced {
    start: Param,
    networks: Networks,
}

impl Choice {
    /// Declares the networks under `name`, and the memory before the first symbol.
    pub(crate) fn new(declare: &mut Declare, name: &str, sizes: ChoiceSizes<'_>) -> Self {
        let networks = Networks::new(declare, name, sizes);
        Self { start: declare.vector("generative.start", sizes.memory, 0.0), networks }
    }
}

impl TeacherForced {
    /// The same for the counterpart.
    pub(crate) fn new(declare: &mut Declare, sizes: ChoiceSizes<'_>) -> Self {
        let networks = Networks::new(declare, "teacher_forced", sizes);
        Self { start: declare.vector("teacher_forced.start", sizes.memory, 0.0), networks }
    }
}

impl Recurrence for Choice {
    fn start<'g>(&self, graph: &'g Graph, _: Symbols<'g>, _: Dropout) -> Var<'g> {
        graph.broadcast(self.start)
    }

    fn logits<'g>(&self, graph: &'g Graph, state: Var<'g>, last: Symbols<'g>, dropout: Dropout) -> Var<'g> {
        self.networks.choice.logits(graph, state, last, dropout)
    }

    fn advance<'g>(
        &self,
        graph: &'g Graph,
        state: Var<'g>,
        symbol: Symbols<'g>,
        dropout: Dropout,
    ) -> Var<'g> {
        self.networks.memory.next(graph, state, symbol, dropout)
    }
}

impl Recurrence for TeacherForced {
    fn start<'g>(&self, graph: &'g Graph, end: Symbols<'g>, dropout: Dropout) -> Var<'g> {
        self.networks.memory.next(graph, graph.broadcast(self.start), end, dropout)
    }

    fn logits<'g>(&self, graph: &'g Graph, state: Var<'g>, last: Symbols<'g>, dropout: Dropout) -> Var<'g> {
        self.networks.choice.logits(graph, state, last, dropout)
    }

    fn advance<'g>(
        &self,
        graph: &'g Graph,
        state: Var<'g>,
        symbol: Symbols<'g>,
        dropout: Dropout,
    ) -> Var<'g> {
        self.networks.memory.next(graph, state, symbol, dropout.next())
    }
}

/// `A` and `g`.
#[derive(Debug)]
struct Networks {
    choice: ChoiceNetwork,
    memory: MemoryNetwork,
}

impl Networks {
    fn new(declare: &mut Declare, name: &str, sizes: ChoiceSizes<'_>) -> Self {
        let choice = ChoiceNetwork::new(declare, &format!("{name}.choice"), sizes);
        Self { choice, memory: MemoryNetwork::new(declare, &format!("{name}.memory"), sizes) }
    }
}

/// `A`: a hidden network beside a linear map, both of the symbol seen last and the memory.
#[derive(Debug)]
struct ChoiceNetwork {
    linear: Layer,
    hidden: Hidden,
    output: Param,
}

/// `g`: a gated update, `m' = n + gate ∘ (m − n)`.
#[derive(Debug)]
struct MemoryNetwork {
    hidden: Hidden,
    new: (Param, Param),
    gate: (Param, Param),
}

/// What a layer makes of the symbol and the memory.
#[derive(Debug, Clone, Copy)]
struct Layer {
    seen: Param,
    memory: Param,
}

impl Layer {
    fn new(
        declare: &mut Declare,
        name: &str,
        ChoiceSizes { symbols, memory, .. }: ChoiceSizes<'_>,
        outputs: usize,
        gain: f64,
    ) -> Self {
        // One symbol and all of the memory, each with half of the variance.
        let deviation = gain * std::f64::consts::FRAC_1_SQRT_2;
        Self {
            seen: declare.table(format!("{name}.seen"), symbols, outputs, deviation),
            memory: declare.weight(format!("{name}.memory"), outputs, memory, deviation),
        }
    }
}

/// Hidden layers with tanh; from the second on each adds to the one before if it has the same size.
#[derive(Debug)]
struct Hidden {
    first: Layer,
    others: Vec<(Param, Param)>,
}

impl Hidden {
    fn new(declare: &mut Declare, name: &str, sizes: ChoiceSizes<'_>, layers: &[usize]) -> Self {
        let first = Layer::new(declare, &format!("{name}.0"), sizes, layers[0], 1.0);
        let others = layers.windows(2).enumerate().map(|(number, pair)| {
            let name = format!("{name}.{}", number + 1);
            let weight = declare.weight(format!("{name}.weight"), pair[1], pair[0], 1.0);
            (weight, declare.vector(format!("{name}.bias"), pair[1], 0.0))
        });
        let others = others.collect();
        Self { first, others }
    }

    /// The last layer; `drop` is applied to every layer, by its number.
    fn apply<'g>(
        &self,
        graph: &'g Graph,
        memory: Var<'g>,
        last: Symbols<'g>,
        drop: impl Fn(usize, Var<'g>) -> Var<'g>,
    ) -> Var<'g> {
        let inputs = [(self.first.memory, memory)];
        let seen = graph.embedding(self.first.seen, last);
        let mut hidden = drop(0, graph.affine_from(seen, &inputs, Activation::Tanh));
        for (number, &(weight, bias)) in self.others.iter().enumerate() {
            let more = drop(number + 1, graph.affine(&[(weight, hidden)], Some(bias), Activation::Tanh));
            hidden = if weight.rows == weight.cols { hidden + more } else { more };
        }
        hidden
    }
}

impl ChoiceNetwork {
    fn new(declare: &mut Declare, name: &str, sizes: ChoiceSizes<'_>) -> Self {
        let ChoiceSizes { symbols, choice_hidden, .. } = sizes;
        let linear = Layer::new(declare, &format!("{name}.linear"), sizes, symbols, 0.3);
        let hidden = Hidden::new(declare, name, sizes, choice_hidden);
        let last = choice_hidden[choice_hidden.len() - 1];
        let output = declare.weight(format!("{name}.output"), symbols, last, 0.3);
        Self { linear, hidden, output }
    }

    fn logits<'g>(&self, graph: &'g Graph, memory: Var<'g>, last: Symbols<'g>, dropout: Dropout) -> Var<'g> {
        let hidden = self.hidden.apply(graph, memory, last, |layer, hidden| dropout.output(layer, hidden));
        let inputs = [(self.linear.memory, memory), (self.output, hidden)];
        graph.affine_from(graph.embedding(self.linear.seen, last), &inputs, Activation::Identity)
    }
}

impl MemoryNetwork {
    fn new(declare: &mut Declare, name: &str, sizes: ChoiceSizes<'_>) -> Self {
        let hidden = Hidden::new(declare, name, sizes, sizes.hidden);
        let last = sizes.hidden[sizes.hidden.len() - 1];
        let mut layer = |part: &str| {
            let weight = declare.weight(format!("{name}.{part}.weight"), sizes.memory, last, 0.5);
            (weight, declare.vector(format!("{name}.{part}.bias"), sizes.memory, 0.0))
        };
        let (new, gate) = (layer("new"), layer("gate"));
        Self { hidden, new, gate }
    }

    fn next<'g>(&self, graph: &'g Graph, memory: Var<'g>, symbol: Symbols<'g>, dropout: Dropout) -> Var<'g> {
        let hidden = self.hidden.apply(graph, memory, symbol, |layer, hidden| dropout.state(layer, hidden));
        let layer = |(weight, bias), activation| graph.affine(&[(weight, hidden)], Some(bias), activation);
        let (new, gate) = (layer(self.new, Activation::Tanh), layer(self.gate, Activation::Sigmoid));
        gate.mul_add(memory - new, new)
    }
}
