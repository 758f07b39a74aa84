//! The logarithm of a mixture whose weights are a softmax.

use std::sync::Arc;

use super::particles::finite;
use super::{Kernel, Op, put};
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::shape::{Lanes, Shape};
use crate::simd::{Simd, Vector};

use bytemuck::Zeroable;

impl<'g> Var<'g> {
    /// `ln Σ_k softmax(x)_k · e^(y_k)`, one row: the mixture of components with log-probabilities `y`, one for each row of `x`.
    #[track_caller]
    pub fn log_mixture(self, log_probabilities: Var<'g>) -> Var<'g> {
        let shape = self.shape();
        if shape != log_probabilities.shape() {
            let shapes = format!("{shape} weights of {} components", log_probabilities.shape());
            self.graph.fail("log-mixture", shapes);
            return self;
        }
        let Shape { rows, lanes } = shape;
        // The components' weights, before and after they have been seen to give their probabilities.
        let hidden = self.graph.push_hidden(Shape { rows: 2 * rows, lanes });
        let (x, y) = (self.id, log_probabilities.id);
        self.graph.push(Shape { rows: 1, lanes }, |output| {
            Arc::new(LogMixture { x, y, hidden, rows, lanes, output })
        })
    }
}

#[derive(Debug)]
struct LogMixture {
    x: VarId,
    y: VarId,
    hidden: VarId,
    rows: usize,
    lanes: Lanes,
    output: VarId,
}

impl Op for LogMixture {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.x, self.y]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn hidden(&self) -> Option<VarId> {
        Some(self.hidden)
    }
}

impl Kernel for LogMixture {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let (rows, width) = (self.rows, frame.width(self.lanes));
        let mut hidden = frame.open(self.hidden);
        let mut output = frame.open(self.output);
        let (x, y) = (frame.value(self.x), frame.value(self.y));
        let (prior, posterior) = hidden.split_at_mut(rows * width);
        for v in 0..width {
            let at = |row: usize| row * width + v;
            let lowest = S::Vector::constant(f64::NEG_INFINITY);
            let (mut largest, mut largest_joint) = (lowest, lowest);
            for row in 0..rows {
                largest = x[at(row)].max(largest);
                largest_joint = (x[at(row)] + y[at(row)]).max(largest_joint);
            }
            let (largest, largest_joint) = (finite(largest), finite(largest_joint));
            let (mut sum, mut sum_joint) = (S::Vector::zeroed(), S::Vector::zeroed());
            for row in 0..rows {
                prior[at(row)] = (x[at(row)] - largest).exp();
                posterior[at(row)] = (x[at(row)] + y[at(row)] - largest_joint).exp();
                sum += prior[at(row)];
                sum_joint += posterior[at(row)];
            }
            let one = S::Vector::constant(1.0);
            let (inverse, inverse_joint) = (one / sum, one / sum_joint);
            for row in 0..rows {
                prior[at(row)] = prior[at(row)] * inverse;
                posterior[at(row)] = posterior[at(row)] * inverse_joint;
            }
            output[v] = (largest_joint - largest) + (sum_joint.ln() - sum.ln());
        }
        frame.close(hidden);
        frame.close(output);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dz: &mut [S::Vector]) {
        let (rows, width) = (self.rows, frame.width(self.lanes));
        if let Some((mut dx, add)) = frame.open_gradient(0, self.x) {
            let (prior, posterior) = frame.value(self.hidden).split_at(rows * width);
            for (i, (&prior, &posterior)) in prior.iter().zip(posterior).enumerate() {
                put(&mut dx[i], (posterior - prior) * dz[i % width], add);
            }
            frame.close(dx);
        }
        if let Some((mut dy, add)) = frame.open_gradient(1, self.y) {
            let posterior = &frame.value(self.hidden)[rows * width..];
            for (i, &posterior) in posterior.iter().enumerate() {
                put(&mut dy[i], posterior * dz[i % width], add);
            }
            frame.close(dy);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{check, config, lanes, sizes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(config(60))]
        #[test]
        fn mixtures(size in sizes(), rows in 1..9_usize, lanes in lanes()) {
            check(
                size,
                |graph, inputs| {
                    let x = inputs.var(graph, (rows, lanes), -4.0..4.0);
                    let y = inputs.var(graph, (rows, lanes), -9.0..0.0);
                    x.log_mixture(y)
                },
                |inputs, word, particle| {
                    let x = |row| inputs.at(0, row, word, particle).exp();
                    let y = |row| inputs.at(1, row, word, particle).exp();
                    let total: f64 = (0..rows).map(x).sum();
                    vec![(0..rows).map(|row| x(row) / total * y(row)).sum::<f64>().ln()]
                },
            );
        }
    }
}
