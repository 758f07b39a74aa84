//! The choice flow: noise that commits to a symbol.
//!
//! The state is `h = (z, m)`: the *choice* z, a number on a line where every symbol owns a cell of length one, and the
//! *memory* m. Given `h_{t−1}`:
//! - `π = softmax(A(h_{t−1}))` are the probabilities of the next symbol, `c_k` their sums in the order of the cells;
//! - `u = Φ(ξ_1)` falls into one of the intervals `[c_k, c_k + π_k)`, and `z_t = k + (u − c_k) / π_k`;
//! - `m_t = g(h_{t−1}, z_t) + s(h_{t−1}, z_t) ∘ ξ_{2…d}`.
//!
//! So `log |det J| = log φ(ξ_1) − log π_k + Σ log s`. The noise of one symbol is an interval, and the posterior of the noise given
//! the symbol is known: `z` is uniform in the symbol's cell. With `s = 0` the memory is *deterministic*: the noise is one
//! number per step, the state moves along the curve that z parametrises, and the determinant is that of z alone.

use std::sync::Arc;

use tilegrad::{Activation, CellOrder, Cells, Graph, Param, Var};

use super::{Flow, FlowSizes, Mapped, Transform, add_log_dets};
use crate::model::declare::Declare;
use crate::random::streams;

/// The networks `A`, `g` and `s`, and the cells.
#[derive(Debug, Clone)]
pub struct Choice {
    order: Arc<CellOrder>,
    choice: ChoiceNetwork,
    memory: MemoryNetwork,
    dropout: Dropout,
}

impl Choice {
    /// Declares the networks.
    pub fn new(declare: &mut Declare, name: &str, sizes: FlowSizes<'_>) -> Self {
        let symbols = sizes.order.count();
        let choice = ChoiceNetwork::new(declare, &format!("{name}.choice"), symbols, sizes);
        let memory = MemoryNetwork::new(declare, &format!("{name}.memory"), symbols, sizes);
        Self { order: Arc::clone(sizes.order), choice, memory, dropout: Dropout::OFF }
    }

    /// The same networks, which do without some of their hidden units.
    pub(crate) fn with_dropout(self, dropout: Dropout) -> Self {
        Self { dropout, ..self }
    }

    /// The cells of the symbols.
    pub fn order(&self) -> &Arc<CellOrder> {
        &self.order
    }

    /// `A(h)`: the logits of π, a row for each symbol.
    pub fn logits<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Var<'g> {
        let (z, memory) = split(state);
        self.choice.logits(graph, &|table| graph.cell_rows(table, z, &self.order), memory, self.dropout)
    }

    /// `g(h, z)` and `s(h, z)`; no scale if the memory is deterministic.
    pub fn remember<'g>(&self, graph: &'g Graph, state: Var<'g>, z: Var<'g>) -> Memory<'g> {
        let (_, memory) = split(state);
        // Particles that come from one state have memories of their own from here on.
        let memory = if z.shape().lanes == memory.shape().lanes { memory } else { memory.expand() };
        self.memory.next(graph, &|table| graph.cell_rows(table, z, &self.order), memory, self.dropout)
    }

    /// Whether the choices alone decide the memory.
    pub(crate) fn is_deterministic(&self) -> bool {
        self.memory.scale.is_none()
    }
}

/// The choice and the memory of a state.
pub(crate) fn split(state: Var<'_>) -> (Var<'_>, Var<'_>) {
    (state.slice(0..1), state.slice(1..state.rows()))
}

/// The distribution of the memory's next value.
#[derive(Debug, Clone, Copy)]
pub struct Memory<'g> {
    /// `g`.
    pub mean: Var<'g>,
    /// `s`; none for 0.
    pub scale: Option<Var<'g>>,
}

impl<'g> Memory<'g> {
    /// `g + s ∘ ξ`.
    pub fn with(self, noise: impl FnOnce() -> Var<'g>) -> Var<'g> {
        self.scale.map_or(self.mean, |scale| scale.mul_add(noise(), self.mean))
    }
}

/// Dropout in the hidden layers at one step of a word, for training alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dropout {
    rate: f64,
    step: usize,
}

impl Dropout {
    /// Nothing is dropped.
    pub(crate) const OFF: Self = Self { rate: 0.0, step: 0 };

    /// Drops this share of the hidden units at a step.
    pub(crate) fn new(rate: f64, step: usize) -> Self {
        Self { rate, step }
    }

    /// Of a hidden layer of the network of π.
    pub(crate) fn choice(self, layer: usize, hidden: Var<'_>) -> Var<'_> {
        hidden.dropout(streams::dropout(self.step, 0, layer), self.rate)
    }

    /// Of a hidden layer of the memory's network.
    pub(crate) fn memory(self, layer: usize, hidden: Var<'_>) -> Var<'_> {
        hidden.dropout(streams::dropout(self.step, 1, layer), self.rate)
    }
}

/// How a network sees the symbol before: the row of a table that belongs to it.
pub(crate) type Seen<'a, 'g> = &'a dyn Fn(Param) -> Var<'g>;

/// `A`: a hidden network beside a linear map, both of the symbol seen last and the memory.
#[derive(Debug, Clone)]
pub(crate) struct ChoiceNetwork {
    linear: Layer,
    hidden: Hidden,
    output: Param,
}

/// `g` and `s`: a gated update, `g = n + gate ∘ (m − n)`.
#[derive(Debug, Clone)]
pub(crate) struct MemoryNetwork {
    hidden: Hidden,
    new: (Param, Param),
    gate: (Param, Param),
    /// Weight, bias and least value.
    scale: Option<(Param, Param, f64)>,
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
        (symbols, memory, outputs): (usize, usize, usize),
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
#[derive(Debug, Clone)]
struct Hidden {
    first: Layer,
    others: Vec<(Param, Param)>,
}

impl Hidden {
    fn new(declare: &mut Declare, name: &str, (symbols, memory): (usize, usize), sizes: &[usize]) -> Self {
        let first = Layer::new(declare, &format!("{name}.0"), (symbols, memory, sizes[0]), 1.0);
        let others = sizes.windows(2).enumerate().map(|(number, pair)| {
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
        seen: Seen<'_, 'g>,
        memory: Var<'g>,
        drop: impl Fn(usize, Var<'g>) -> Var<'g>,
    ) -> Var<'g> {
        let inputs = [(self.first.memory, memory)];
        let mut hidden = drop(0, graph.affine_from(seen(self.first.seen), &inputs, Activation::Tanh));
        for (number, &(weight, bias)) in self.others.iter().enumerate() {
            let more = drop(number + 1, graph.affine(&[(weight, hidden)], Some(bias), Activation::Tanh));
            hidden = if weight.rows == weight.cols { hidden + more } else { more };
        }
        hidden
    }
}

impl ChoiceNetwork {
    pub(crate) fn new(declare: &mut Declare, name: &str, symbols: usize, sizes: FlowSizes<'_>) -> Self {
        let memory = sizes.state - 1;
        let linear = Layer::new(declare, &format!("{name}.linear"), (symbols, memory, symbols), 0.3);
        let hidden = Hidden::new(declare, name, (symbols, memory), sizes.choice_hidden);
        let last = sizes.choice_hidden[sizes.choice_hidden.len() - 1];
        let output = declare.weight(format!("{name}.output"), symbols, last, 0.3);
        Self { linear, hidden, output }
    }

    pub(crate) fn logits<'g>(
        &self,
        graph: &'g Graph,
        seen: Seen<'_, 'g>,
        memory: Var<'g>,
        dropout: Dropout,
    ) -> Var<'g> {
        let hidden = self.hidden.apply(graph, seen, memory, |layer, hidden| dropout.choice(layer, hidden));
        let inputs = [(self.linear.memory, memory), (self.output, hidden)];
        graph.affine_from(seen(self.linear.seen), &inputs, Activation::Identity)
    }
}

impl MemoryNetwork {
    pub(crate) fn new(declare: &mut Declare, name: &str, symbols: usize, sizes: FlowSizes<'_>) -> Self {
        let memory = sizes.state - 1;
        let hidden = Hidden::new(declare, name, (symbols, memory), sizes.hidden);
        let last = sizes.hidden[sizes.hidden.len() - 1];
        let mut layer = |part: &str, gain: f64| {
            let weight = declare.weight(format!("{name}.{part}.weight"), memory, last, gain);
            (weight, declare.vector(format!("{name}.{part}.bias"), memory, 0.0))
        };
        let (new, gate) = (layer("new", 0.5), layer("gate", 0.5));
        let scale = (sizes.memory_noise > 0.0).then(|| {
            let (weight, bias) = layer("scale", 0.1);
            (weight, bias, sizes.memory_noise)
        });
        Self { hidden, new, gate, scale }
    }

    pub(crate) fn next<'g>(
        &self,
        graph: &'g Graph,
        seen: Seen<'_, 'g>,
        memory: Var<'g>,
        dropout: Dropout,
    ) -> Memory<'g> {
        let hidden = self.hidden.apply(graph, seen, memory, |layer, hidden| dropout.memory(layer, hidden));
        let layer = |(weight, bias), activation| graph.affine(&[(weight, hidden)], Some(bias), activation);
        let (new, gate) = (layer(self.new, Activation::Tanh), layer(self.gate, Activation::Sigmoid));
        let scale = self.scale.map(|(weight, bias, least)| {
            // The scale starts at twice its least value.
            layer((weight, bias), Activation::Identity).shifted_softplus(least.exp_m1().ln(), least)
        });
        Memory { mean: gate.mul_add(memory - new, new), scale }
    }
}

impl Flow for Choice {
    fn given<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        let cells = Cells::new(self.logits(graph, state), &self.order);
        Box::new(ChoiceTransform { graph, flow: self.clone(), state, cells })
    }

    fn noise_size(&self, state: usize) -> usize {
        if self.is_deterministic() { 1 } else { state }
    }

    fn as_choice(&self) -> Option<&Choice> {
        Some(self)
    }
}

struct ChoiceTransform<'g> {
    graph: &'g Graph,
    flow: Choice,
    state: Var<'g>,
    cells: Cells<'g>,
}

impl<'g> ChoiceTransform<'g> {
    /// `log φ(ξ_1) − log π + Σ log s`.
    fn log_det(&self, noise: Var<'g>, z: Var<'g>, memory: Memory<'g>) -> Var<'g> {
        let own = noise.standard_normal_log_density() - self.cells.log_share(z);
        add_log_dets(Some(own), memory.scale.map(Var::sum_ln)).unwrap_or(own)
    }
}

impl<'g> Transform<'g> for ChoiceTransform<'g> {
    fn forward(&self, x: Var<'g>) -> Mapped<'g> {
        let noise = x.slice(0..1);
        let z = self.cells.point(noise.normal_cdf());
        let memory = self.flow.remember(self.graph, self.state, z);
        let next = memory.with(|| x.slice(1..x.rows()));
        let value = self.graph.concat(&[z, next]);
        Mapped { value, log_det: Some(self.log_det(noise, z, memory)) }
    }

    fn inverse(&self, y: Var<'g>) -> Mapped<'g> {
        let (z, next) = split(y);
        let noise = self.cells.place(z).normal_quantile();
        let memory = self.flow.remember(self.graph, self.state, z);
        let value = match memory.scale {
            Some(scale) => self.graph.concat(&[noise, (next - memory.mean) / scale]),
            None => noise,
        };
        Mapped { value, log_det: Some(-self.log_det(noise, z, memory)) }
    }
}
