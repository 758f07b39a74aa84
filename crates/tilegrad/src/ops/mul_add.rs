//! `x ∘ factor + addend` in one pass: the reparametrisation of a sample.

use std::sync::Arc;

use super::{Keep, Kernel, Op, for_each, put, start_sum};
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::shape::Shape;
use crate::simd::{Simd, Vector};

impl<'g> Var<'g> {
    /// `x ∘ factor + addend`, number by number.
    #[track_caller]
    pub fn mul_add(self, factor: Var<'g>, addend: Var<'g>) -> Var<'g> {
        let graph = self.graph;
        if !graph.owns("multiply-add", factor) || !graph.owns("multiply-add", addend) {
            return self;
        }
        let [x, f, a] = [self, factor, addend].map(Var::shape);
        if x.rows != f.rows || x.rows != a.rows {
            graph.fail("multiply-add", format!("shapes {x}, {f} (factor), {a} (addend) do not match"));
            return self;
        }
        let shape = Shape { rows: x.rows, lanes: x.lanes.join(f.lanes).join(a.lanes) };
        let inputs = [self.id, factor.id, addend.id];
        graph.push(shape, |output| Arc::new(MulAdd { inputs, rows: x.rows, output }))
    }
}

#[derive(Debug)]
struct MulAdd {
    /// The variable, the factor, the addend.
    inputs: [VarId; 3],
    rows: usize,
    output: VarId,
}

impl Op for MulAdd {
    fn inputs(&self) -> Vec<VarId> {
        self.inputs.to_vec()
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        Keep { inputs: 0b011, output: false }
    }
}

impl Kernel for MulAdd {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let [x, factor, addend] = self.inputs.map(|input| frame.value(input));
        let widths = self.inputs.map(|input| frame.width_of(input));
        for_each!(self.rows, frame.width_of(self.output), widths, |i, [a, b, c]| {
            y[i] = x[a].mul_add(factor[b], addend[c]);
        });
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let width = frame.width_of(self.output);
        let [x, factor, addend] = self.inputs;
        for (number, own, other) in [(0, x, factor), (1, factor, x)] {
            let widths = [own, other].map(|input| frame.width_of(input));
            let Some((mut target, add)) = frame.open_gradient(number, own) else { continue };
            let other = frame.value(other);
            let add = start_sum(&mut target, widths[0] < width, add);
            for_each!(self.rows, width, widths, |i, [a, b]| put(&mut target[a], dy[i] * other[b], add));
            frame.close(target);
        }
        let own = frame.width_of(addend);
        if let Some((mut target, add)) = frame.open_gradient(2, addend) {
            let add = start_sum(&mut target, own < width, add);
            for_each!(self.rows, width, [own], |i, [a]| put(&mut target[a], dy[i], add));
            frame.close(target);
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
        fn multiply_adds(
            size in sizes(), rows in 1..5_usize, x in lanes(), factor in lanes(), addend in lanes(),
        ) {
            check(
                size,
                |graph, inputs| {
                    let [x, factor, addend] =
                        [x, factor, addend].map(|lanes| inputs.var(graph, (rows, lanes), -1.0..1.0));
                    x.mul_add(factor, addend)
                },
                |inputs, word, particle| {
                    let at = |input, row| inputs.at(input, row, word, particle);
                    (0..rows).map(|row| at(0, row) * at(1, row) + at(2, row)).collect()
                },
            );
        }
    }
}
