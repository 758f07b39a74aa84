//! The gate: how much the network and each order of counts are worth, given how often contexts occur.
//!
//! It begins as Witten & Bell's interpolation: order k, seen n times with t different symbols, is worth `n / (n + t)` of what longer contexts leave, and
//! the network as much as all counts together. A small network of the logarithms of n and t learns how to depart from that.

use tilegrad::simd::{Path, Simd, Task, Vector};

use super::contexts::Totals;
use super::{LANES, MAX_ORDER};

/// The smallest weight that a context begins with, if it is not seen.
const LEAST: f32 = 1e-9;
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

    /// What the gate sees, given what is known of the contexts of all orders: features, and the weights to begin with.
    pub(crate) fn inputs(self, known: &[Known; MAX_ORDER]) -> impl Iterator<Item = f32> {
        let mut weights = [0.0; MAX_ORDER + 1];
        let mut left = 1.0;
        for (order, own) in known.iter().enumerate().take(self.order).skip(1).rev() {
            weights[order + 1] = left * own.share;
            left *= 1.0 - own.share;
        }
        (weights[0], weights[1]) = (1.0, left);
        let (known, order) = (*known, self.order);
        let features = (0..2 * order).map(move |row| known[row % order].features[row / order]);
        features.chain((0..=order).map(move |expert| weights[expert].max(LEAST)))
    }
}

/// What the gate may know of a context; all zeros if it does not occur.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Known {
    /// Logarithms of how often any symbol follows it, and of how many different ones do.
    features: [f32; 2],
    /// What Witten & Bell give to it before shorter contexts.
    share: f32,
}

impl Known {
    /// Of a context that is followed by `total` symbols, `distinct` of them different.
    pub(crate) fn of(Totals { total, distinct }: Totals) -> Self {
        let feature = |number: u64| (libm::log1p(number as f64) / SCALE) as f32;
        let share = if total == 0 { 0.0 } else { total as f64 / (total + distinct) as f64 };
        Self { features: [feature(total), feature(distinct)], share: share as f32 }
    }
}

/// A gate's numbers.
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
        Self {
            shape,
            hidden,
            hidden_bias,
            linear: linear.to_vec(),
            output: output.to_vec(),
            bias: bias.to_vec(),
        }
    }

    /// Its sizes.
    pub(crate) fn shape(&self) -> GateShape {
        self.shape
    }

    /// The weights for [`LANES`] contexts, a row of lanes for each expert; their sum is 1 in each lane. `inputs` are the features and the weights to begin with.
    pub(crate) fn weigh(&self, inputs: &[f32], hidden: &mut Vec<f32>, weights: &mut Vec<f32>) {
        hidden.resize(self.shape.hidden * LANES, 0.0);
        weights.resize(self.shape.experts() * LANES, 0.0);
        Path::current().run(Weigh { gate: self, inputs, hidden, weights });
    }
}

struct Weigh<'a> {
    gate: &'a Gate,
    inputs: &'a [f32],
    hidden: &'a mut [f32],
    weights: &'a mut [f32],
}

impl Task<f32> for Weigh<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) {
        let Self { gate, inputs, hidden, weights } = self;
        let features = gate.shape.features();
        let (features_of, prior) = inputs.split_at(features * LANES);
        for v in 0..LANES / 8 {
            let at = |row: usize| row * LANES + 8 * v;
            for (unit, bias) in gate.hidden_bias.iter().enumerate() {
                let mut sum = S::Vector::splat(*bias);
                for (row, &weight) in gate.hidden[unit * features..][..features].iter().enumerate() {
                    sum = S::Vector::load(&features_of[at(row)..]).mul_add(S::Vector::splat(weight), sum);
                }
                store::<S>(&mut hidden[at(unit)..], sum.tanh());
            }
            let units = gate.hidden_bias.len();
            let mut largest = S::Vector::constant(f64::NEG_INFINITY);
            for (expert, bias) in gate.bias.iter().enumerate() {
                let mut sum = S::Vector::splat(*bias);
                for (row, &weight) in gate.linear[expert * features..][..features].iter().enumerate() {
                    sum = S::Vector::load(&features_of[at(row)..]).mul_add(S::Vector::splat(weight), sum);
                }
                for (unit, &weight) in gate.output[expert * units..][..units].iter().enumerate() {
                    sum = S::Vector::load(&hidden[at(unit)..]).mul_add(S::Vector::splat(weight), sum);
                }
                largest = sum.max(largest);
                store::<S>(&mut weights[at(expert)..], sum);
            }
            let mut total = S::Vector::constant(0.0);
            for expert in 0..gate.bias.len() {
                let learnt = (S::Vector::load(&weights[at(expert)..]) - largest).exp();
                let weight = learnt * S::Vector::load(&prior[at(expert)..]);
                total += weight;
                store::<S>(&mut weights[at(expert)..], weight);
            }
            let inverse = S::Vector::constant(1.0) / total;
            for expert in 0..gate.bias.len() {
                let weight = S::Vector::load(&weights[at(expert)..]) * inverse;
                store::<S>(&mut weights[at(expert)..], weight);
            }
        }
    }
}

#[inline(always)]
fn store<S: Simd<Element = f32>>(to: &mut [f32], vector: S::Vector) {
    to[..8].copy_from_slice(&bytemuck::cast::<_, [f32; 8]>(vector));
}
