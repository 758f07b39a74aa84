//! One number everywhere.

use std::sync::Arc;

use super::{Kernel, Op};
use crate::frame::Frame;
use crate::graph::{Graph, Var, VarId};
use crate::shape::{Lanes, Shape};
use crate::simd::{Simd, Vector};

impl Graph {
    /// A variable that is `value` in every row and lane.
    #[track_caller]
    pub fn constant(&self, value: f64, rows: usize, lanes: Lanes) -> Var<'_> {
        if rows == 0 {
            self.fail("constant", "a variable needs at least one row".into());
        }
        let rows = rows.max(1);
        self.push(Shape { rows, lanes }, |output| Arc::new(Constant { value, output }))
    }
}

#[derive(Debug)]
struct Constant {
    value: f64,
    output: VarId,
}

impl Op for Constant {
    fn output(&self) -> VarId {
        self.output
    }

    fn differentiable(&self) -> bool {
        false
    }
}

impl Kernel for Constant {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        y.fill(S::Vector::constant(self.value));
        frame.close(y);
    }
}

#[cfg(test)]
mod tests {
    use crate::Lanes;
    use crate::check::{check, config, lanes, sizes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(config(40))]
        #[test]
        fn constants(size in sizes(), rows in 1..6_usize, lanes in lanes(), value in -3.0..3.0_f64) {
            check(
                size,
                |graph, inputs| graph.constant(value, rows, lanes) * inputs.var(graph, (rows, Lanes::Word), -1.0..1.0),
                |inputs, word, particle| {
                    (0..rows).map(|row| value * inputs.at(0, row, word, particle)).collect()
                },
            );
        }
    }
}
