//! Log-densities of normal distributions with a diagonal covariance.

use std::sync::Arc;

use super::{Keep, Kernel, Op, for_each, put, start_sum};
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::shape::Shape;
use crate::simd::{Simd, Vector};

use bytemuck::Zeroable;

/// `½ ln 2π`
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

impl<'g> Var<'g> {
    /// `ln N(x; 0, I) = Σ_i −½x_i² − ½ ln 2π`: one row.
    pub fn standard_normal_log_density(self) -> Var<'g> {
        let Shape { rows, lanes } = self.shape();
        let shape = Shape { rows: 1, lanes };
        self.graph.push(shape, |output| Arc::new(Standard { x: self.id, rows, output }))
    }

    /// `ln N(x; mean, diag scale²) = Σ_i −½((x_i − mean_i)/scale_i)² − ln scale_i − ½ ln 2π`: one row.
    #[track_caller]
    pub fn normal_log_density(self, mean: Var<'g>, scale: Var<'g>) -> Var<'g> {
        let graph = self.graph;
        if !graph.owns("normal log-density", mean) || !graph.owns("normal log-density", scale) {
            return self;
        }
        let (x, m, s) = (self.shape(), mean.shape(), scale.shape());
        if x.rows != m.rows || x.rows != s.rows {
            graph.fail("normal log-density", format!("shapes {x}, {m} (mean), {s} (scale) do not match"));
            return self;
        }
        let shape = Shape { rows: 1, lanes: x.lanes.join(m.lanes).join(s.lanes) };
        let inputs = [self.id, mean.id, scale.id];
        graph.push(shape, |output| Arc::new(Normal { inputs, rows: x.rows, output }))
    }
}

#[derive(Debug)]
struct Standard {
    x: VarId,
    rows: usize,
    output: VarId,
}

impl Op for Standard {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.x]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        Keep::INPUTS
    }
}

impl Kernel for Standard {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let (x, width) = (frame.value(self.x), y.len());
        let constant = S::Vector::constant(-HALF_LN_TAU * self.rows as f64);
        for (v, y) in y.iter_mut().enumerate() {
            let mut squares = S::Vector::zeroed();
            for &x in x[v..].iter().step_by(width) {
                squares = x.mul_add(x, squares);
            }
            *y = squares.mul_add(S::Vector::constant(-0.5), constant);
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let Some((mut dx, add)) = frame.open_gradient(0, self.x) else { return };
        for (x, dx) in frame.value(self.x).chunks_exact(dy.len()).zip(dx.chunks_exact_mut(dy.len())) {
            for (dx, (&x, &dy)) in dx.iter_mut().zip(x.iter().zip(&*dy)) {
                put(dx, -(x * dy), add);
            }
        }
        frame.close(dx);
    }
}

#[derive(Debug)]
struct Normal {
    /// The variable, the mean, the scale.
    inputs: [VarId; 3],
    rows: usize,
    output: VarId,
}

impl Op for Normal {
    fn inputs(&self) -> Vec<VarId> {
        self.inputs.to_vec()
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        Keep::INPUTS
    }
}

impl Kernel for Normal {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let width = y.len();
        let [x, mean, scale] = self.inputs.map(|input| frame.value(input));
        let widths = self.inputs.map(|input| frame.width_of(input));
        y.fill(S::Vector::constant(-HALF_LN_TAU * self.rows as f64));
        for_each!(self.rows, width, widths, |i, [a, b, c]| {
            let z = (x[a] - mean[b]) / scale[c];
            let y = &mut y[i % width];
            *y = (z * z).mul_add(S::Vector::constant(-0.5), *y - scale[c].ln());
        });
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let width = dy.len();
        let widths = self.inputs.map(|input| frame.width_of(input));
        for (number, &input) in self.inputs.iter().enumerate() {
            let Some((mut target, add)) = frame.open_gradient(number, input) else { continue };
            let [x, mean, scale] = self.inputs.map(|input| frame.value(input));
            let add = start_sum(&mut target, widths[number] < width, add);
            for_each!(self.rows, width, widths, |i, [a, b, c]| {
                let (g, z) = (dy[i % width], (x[a] - mean[b]) / scale[c]);
                let slope = match number {
                    0 => -z,
                    1 => z,
                    _ => z.mul_add(z, S::Vector::constant(-1.0)),
                };
                put(&mut target[[a, b, c][number]], g * slope / scale[c], add);
            });
            frame.close(target);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{check, config, lanes, sizes};
    use proptest::prelude::*;

    /// The density itself, so that the logarithm is not taken for granted.
    fn density(x: f64, mean: f64, scale: f64) -> f64 {
        let z = (x - mean) / scale;
        (-0.5 * z * z).exp() / (scale * (2.0 * std::f64::consts::PI).sqrt())
    }

    proptest! {
        #![proptest_config(config(60))]
        #[test]
        fn standard_normal(size in sizes(), rows in 1..6_usize, lanes in lanes()) {
            check(
                size,
                |graph, inputs| inputs.var(graph, (rows, lanes), -2.0..2.0).standard_normal_log_density(),
                |inputs, word, particle| {
                    let one = |row| density(inputs.at(0, row, word, particle), 0.0, 1.0);
                    vec![(0..rows).map(one).product::<f64>().ln()]
                },
            );
        }

        #[test]
        fn diagonal_normal(size in sizes(), rows in 1..6_usize, x in lanes(), mean in lanes(), scale in lanes()) {
            check(
                size,
                |graph, inputs| {
                    let x = inputs.var(graph, (rows, x), -2.0..2.0);
                    let mean = inputs.var(graph, (rows, mean), -1.0..1.0);
                    x.normal_log_density(mean, inputs.var(graph, (rows, scale), 0.6..2.0))
                },
                |inputs, word, particle| {
                    let at = |index, row| inputs.at(index, row, word, particle);
                    let one = |row| density(at(0, row), at(1, row), at(2, row));
                    vec![(0..rows).map(one).product::<f64>().ln()]
                },
            );
        }
    }
}
