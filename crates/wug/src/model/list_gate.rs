//! The gate between a network and the counts of a list, as training records it; [`counts`](crate::counts) says what it is.
//!
//! The network learns alone, from most words. It knows them better than words that it has never seen, so how far it is to be trusted is learnt from other
//! words, the validation part. Trained within the mixture, the network learns less: docs/experiments/0008-counts.md.

use tilegrad::{Activation, Graph, Lanes, Param, Params, Var, VarId};

use super::config::CountsConfig;
use super::declare::Declare;
use crate::counts::gate::{Gate, GateShape};
use crate::counts::training_rows;

/// The parameters of a gate.
#[derive(Debug)]
pub(super) struct ListGate {
    shape: GateShape,
    hidden: Param,
    hidden_bias: Param,
    linear: Param,
    output: Param,
    bias: Param,
}

impl ListGate {
    /// Declares it, unless there are no counts. It begins as its prior.
    pub(super) fn new(declare: &mut Declare, config: CountsConfig) -> Option<Self> {
        let shape = GateShape { order: config.order, hidden: config.hidden };
        let (features, experts) = (shape.features(), shape.experts());
        (shape.order > 0).then(|| Self {
            shape,
            hidden: declare.weight("counts.gate.hidden", shape.hidden, features, 1.0),
            hidden_bias: declare.vector("counts.gate.hidden.bias", shape.hidden, 0.0),
            linear: declare.weight("counts.gate.linear", experts, features, 0.0),
            output: declare.weight("counts.gate.output", experts, shape.hidden, 0.0),
            bias: declare.vector("counts.gate.bias", experts, 0.0),
        })
    }

    /// Its sizes.
    pub(super) fn shape(&self) -> GateShape {
        self.shape
    }

    /// Its numbers.
    pub(super) fn numbers(&self, params: &Params, numbers: &[f32]) -> Gate {
        let of = |param: Param| params.view(param, numbers);
        Gate::new(self.shape, [self.hidden, self.hidden_bias, self.linear, self.output, self.bias].map(of))
    }

    /// The logarithm of the mixture with what the network says, of which no gradient comes back, and the variable of the counts' data.
    pub(super) fn mix<'g>(&self, graph: &'g Graph, network: Var<'g>) -> (Var<'g>, VarId) {
        let (features, experts) = (self.shape.features(), self.shape.experts());
        let data = graph.data(training_rows(self.shape), Lanes::Word);
        let inputs = data.slice(0..features);
        let hidden = graph.affine(&[(self.hidden, inputs)], Some(self.hidden_bias), Activation::Tanh);
        let layers = [(self.linear, inputs), (self.output, hidden)];
        let learnt = graph.affine(&layers, Some(self.bias), Activation::Identity);
        let gate = learnt + data.slice(features..features + experts);
        let counts = data.slice(features + experts..data.rows());
        let mixed = gate.log_mixture(graph.concat(&[network.stop_gradient(), counts]));
        (mixed, data.id())
    }
}
