//! The two flows without parameters.

use tilegrad::{Graph, Var};

use super::{Flow, Mapped, Transform};

/// `y = x`: the state forgets everything; the paper's ID.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Identity;

impl Flow for Identity {
    fn given<'g>(&self, _graph: &'g Graph, _state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        Box::new(Identity)
    }
}

impl<'g> Transform<'g> for Identity {
    fn forward(&self, x: Var<'g>) -> Mapped<'g> {
        Mapped { value: x, log_det: None }
    }

    fn inverse(&self, y: Var<'g>) -> Mapped<'g> {
        Mapped { value: y, log_det: None }
    }
}

/// `y = h + x`: a random walk; the paper's additive special case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Additive;

impl Flow for Additive {
    fn given<'g>(&self, _graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        Box::new(Shift { state })
    }
}

struct Shift<'g> {
    state: Var<'g>,
}

impl<'g> Transform<'g> for Shift<'g> {
    fn forward(&self, x: Var<'g>) -> Mapped<'g> {
        Mapped { value: x + self.state, log_det: None }
    }

    fn inverse(&self, y: Var<'g>) -> Mapped<'g> {
        Mapped { value: y - self.state, log_det: None }
    }
}
