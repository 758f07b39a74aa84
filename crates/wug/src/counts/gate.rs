//! The gate: how much the network and each order of counts are worth, given how often contexts occur.
//!
//! It begins as Witten & Bell's interpolation: order k, seen n times with t different symbols, is worth `n / (n + t)` of what longer contexts leave, and
//! the network as much as all counts together. A small network of the logarithms of n and t learns how to depart from that.

use super::MAX_ORDER;
use super::contexts::Totals;

/// Weights of the network and of each order.
pub(crate) type Weights = [f32; MAX_ORDER + 1];

/// The smallest weight that a context begins with, if it is not seen.
const LEAST: f64 = 1e-9;
/// What the features are divided by.
const SCALE: f64 = 4.0;

/// Sizes of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GateShape {
    /// Orders of counts.
    pub(crate) order: usize,
    /// Hidden units.
    pub(crate) hidden: usize,
}

impl GateShape {
    /// Features of a context.
    pub(crate) fn features(self) -> usize {
        2 * self.order
    }

    /// The network and the orders.
    pub(crate) fn experts(self) -> usize {
        self.order + 1
    }

    /// What the gate sees, given the totals of all orders: features, and the logarithms of the weights to begin with.
    pub(crate) fn inputs(self, totals: &[Totals; MAX_ORDER], to: &mut impl Extend<f32>) {
        let totals = &totals[..self.order];
        let feature = |number: u64| (libm::log1p(number as f64) / SCALE) as f32;
        to.extend(totals.iter().map(|own| feature(own.total)));
        to.extend(totals.iter().map(|own| feature(own.distinct)));
        let mut weights = [0.0; MAX_ORDER];
        let mut left = 1.0;
        for (order, own) in totals.iter().enumerate().skip(1).rev() {
            let (total, distinct) = (own.total as f64, own.distinct as f64);
            let share = if own.total == 0 { 0.0 } else { total / (total + distinct) };
            weights[order] = left * share;
            left *= 1.0 - share;
        }
        weights[0] = left;
        to.extend([0.0]);
        to.extend(weights[..self.order].iter().map(|&weight| libm::log(weight.max(LEAST)) as f32));
    }
}

/// A gate's numbers, laid out for one context at a time.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    shape: GateShape,
    hidden: Vec<f32>,
    hidden_bias: Vec<f32>,
    linear: Vec<f32>,
    output: Vec<f32>,
    bias: Vec<f32>,
}

impl Gate {
    /// With the numbers of its parameters, matrices row by row.
    pub(crate) fn new(shape: GateShape, [hidden, hidden_bias, linear, output, bias]: [&[f32]; 5]) -> Self {
        let (hidden, hidden_bias) = (hidden.to_vec(), hidden_bias.to_vec());
        Self { shape, hidden, hidden_bias, linear: linear.to_vec(), output: output.to_vec(), bias: bias.to_vec() }
    }

    /// Its sizes.
    pub(crate) fn shape(&self) -> GateShape {
        self.shape
    }

    /// The weights for a context; their sum is 1.
    pub(crate) fn weights(&self, totals: &[Totals; MAX_ORDER]) -> Weights {
        let (features, experts) = (self.shape.features(), self.shape.experts());
        let mut inputs = Vec::with_capacity(features + experts);
        self.shape.inputs(totals, &mut inputs);
        let (inputs, prior) = inputs.split_at(features);
        let dot = |row: &[f32], column: &[f32]| row.iter().zip(column).map(|(a, b)| a * b).sum::<f32>();
        let rows = self.hidden.chunks_exact(features).zip(&self.hidden_bias);
        let hidden: Vec<f32> = rows.map(|(row, bias)| libm::tanhf(dot(row, inputs) + bias)).collect();
        let mut weights = [0.0; MAX_ORDER + 1];
        for (expert, weight) in weights.iter_mut().enumerate().take(experts) {
            let linear = dot(&self.linear[expert * features..][..features], inputs);
            let output = dot(&self.output[expert * hidden.len()..][..hidden.len()], &hidden);
            *weight = prior[expert] + self.bias[expert] + linear + output;
        }
        let weights_of = &mut weights[..experts];
        let largest = weights_of.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        weights_of.iter_mut().for_each(|weight| *weight = libm::expf(*weight - largest));
        let total: f32 = weights_of.iter().sum();
        weights_of.iter_mut().for_each(|weight| *weight /= total);
        weights
    }
}
