//! Which cells a point belongs to.

use std::sync::Arc;

use crate::cell_order::CellOrder;
use crate::element::Element;
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::ops::{Kernel, Op};
use crate::shape::Shape;
use crate::simd::{Simd, Vector};

/// The logarithm of nothing, as a number that can be computed with.
pub const NO_SHARE: f64 = -1e4;

impl<'g> Var<'g> {
    /// `ln` of the share that each row's cell has of a point: 0 in the point's own cell if edges are hard, [`NO_SHARE`] for
    /// all others. Gradients do not pass through it.
    #[track_caller]
    pub fn cell_log_shares(self, order: &Arc<CellOrder>) -> Var<'g> {
        let shape = self.shape();
        if shape.rows != 1 {
            self.graph.fail("shares of a point", format!("the variable is {shape}, not one row"));
            return self;
        }
        let (z, order) = (self.id, Arc::clone(order));
        let shape = Shape { rows: order.count(), ..shape };
        self.graph.push(shape, |output| Arc::new(LogShares { z, order, output }))
    }
}

#[derive(Debug)]
struct LogShares {
    z: VarId,
    order: Arc<CellOrder>,
    output: VarId,
}

impl Op for LogShares {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.z]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn differentiable(&self) -> bool {
        false
    }
}

impl Kernel for LogShares {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        y.fill(S::Vector::constant(NO_SHARE));
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut y);
        let z = frame.numbers(self.z);
        for (lane, point) in z.iter().enumerate() {
            let shares = self.order.shares(point.to_f64());
            for (row, share) in [(shares.other, shares.share), (shares.row, 1.0 - shares.share)] {
                numbers[row * z.len() + lane] = S::Element::from_f64(libm::log(share).max(NO_SHARE));
            }
        }
        frame.close(y);
    }
}
