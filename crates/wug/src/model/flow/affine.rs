//! `y = g(h) + G(h) x` with `G` lower triangular (TRIL) or diagonal (DIAG), the paper's equation for F.
//!
//! `g` and `G` are outputs of one network. The diagonal is `δ + softplus(·)`, so that it stays away from zero
//! by δ, and starts at 1. The determinant takes d operations and the inverse d² by substitution.

use tilegrad::{Graph, Triangle, Var};

use super::{Flow, FlowSizes, Mapped, Transform};
use crate::model::declare::{Declare, Mlp};

/// The affine flow.
#[derive(Debug, Clone)]
pub(crate) struct Affine {
    network: Mlp,
    state: usize,
    delta: f64,
    triangular: bool,
}

impl Affine {
    /// `y = g(h) + s(h) ∘ x`.
    pub(crate) fn diagonal(declare: &mut Declare, name: &str, sizes: FlowSizes<'_>) -> Self {
        Self::new(declare, name, sizes, false)
    }

    /// `y = g(h) + G(h) x`.
    pub(crate) fn triangular(declare: &mut Declare, name: &str, sizes: FlowSizes<'_>) -> Self {
        Self::new(declare, name, sizes, true)
    }

    fn new(declare: &mut Declare, name: &str, sizes: FlowSizes<'_>, triangular: bool) -> Self {
        let FlowSizes { state, hidden, delta, .. } = sizes;
        // Shift, diagonal, and the rows below it.
        let outputs = 2 * state + if triangular { state * (state - 1) / 2 } else { 0 };
        let network = Mlp::new(declare, name, &[("state", state)], hidden, outputs);
        Self { network, state, delta, triangular }
    }
}

impl Flow for Affine {
    fn given<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        let d = self.state;
        let out = self.network.apply(graph, &[state]);
        // softplus(offset) = 1 − δ, so that the diagonal starts at 1.
        let offset = (1.0 - self.delta).exp_m1().ln();
        let diagonal = out.slice(d..2 * d).shifted_softplus(offset, self.delta);
        let below = (self.triangular && d > 1).then(|| out.slice(2 * d..out.rows()));
        Box::new(AffineTransform {
            shift: out.slice(0..d),
            matrix: Triangle::new(below, diagonal),
            log_det: diagonal.sum_ln(),
        })
    }
}

struct AffineTransform<'g> {
    shift: Var<'g>,
    matrix: Triangle<'g>,
    log_det: Var<'g>,
}

impl<'g> Transform<'g> for AffineTransform<'g> {
    fn forward(&self, x: Var<'g>) -> Mapped<'g> {
        Mapped { value: self.matrix.product(x, Some(self.shift)), log_det: Some(self.log_det) }
    }

    fn inverse(&self, y: Var<'g>) -> Mapped<'g> {
        Mapped { value: self.matrix.solve(y, Some(self.shift)), log_det: Some(-self.log_det) }
    }
}
