//! Flows made of flows: one after the other, and the other way round.

use tilegrad::{Graph, Var};

use super::{Flow, Mapped, Transform, add_log_dets};

/// `f = f_N ∘ … ∘ f_1`, every part conditioned on the same state.
#[derive(Debug)]
pub(crate) struct Chain {
    parts: Vec<Box<dyn Flow>>,
}

impl Chain {
    /// A chain of flows; the first is applied to the noise first.
    pub(crate) fn new(parts: Vec<Box<dyn Flow>>) -> Self {
        Self { parts }
    }
}

impl Flow for Chain {
    fn given<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        Box::new(Composed { parts: self.parts.iter().map(|part| part.given(graph, state)).collect() })
    }
}

/// Transforms one after the other.
pub(super) struct Composed<'g> {
    pub(super) parts: Vec<Box<dyn Transform<'g> + 'g>>,
}

impl<'g> Transform<'g> for Composed<'g> {
    fn forward(&self, x: Var<'g>) -> Mapped<'g> {
        self.parts.iter().fold(Mapped { value: x, log_det: None }, |so_far, part| {
            let next = part.forward(so_far.value);
            Mapped { value: next.value, log_det: add_log_dets(so_far.log_det, next.log_det) }
        })
    }

    fn inverse(&self, y: Var<'g>) -> Mapped<'g> {
        self.parts.iter().rev().fold(Mapped { value: y, log_det: None }, |so_far, part| {
            let next = part.inverse(so_far.value);
            Mapped { value: next.value, log_det: add_log_dets(so_far.log_det, next.log_det) }
        })
    }
}

/// A flow whose parameters make the inverse: `f = g⁻¹`.
#[derive(Debug)]
pub(crate) struct Reversed {
    flow: Box<dyn Flow>,
}

impl Reversed {
    /// Reads a flow the other way round.
    pub(crate) fn new(flow: Box<dyn Flow>) -> Self {
        Self { flow }
    }
}

impl Flow for Reversed {
    fn given<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        Box::new(ReversedTransform(self.flow.given(graph, state)))
    }
}

struct ReversedTransform<'g>(Box<dyn Transform<'g> + 'g>);

impl<'g> Transform<'g> for ReversedTransform<'g> {
    fn forward(&self, x: Var<'g>) -> Mapped<'g> {
        self.0.inverse(x)
    }

    fn inverse(&self, y: Var<'g>) -> Mapped<'g> {
        self.0.forward(y)
    }
}
