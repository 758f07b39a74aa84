//! The volume-preserving coupling of Dinh, Krueger & Bengio, *NICE* (2014), made conditional and followed by a scale: half of the
//! coordinates move by an amount that depends on the other half and on the state, then the other way round.

use tilegrad::{Graph, Var};
use wug::model::flow::{Flow, Mapped, Transform};
use wug::model::{Declare, Mlp};

/// Two additive couplings and a scale.
#[derive(Debug, Clone)]
pub(crate) struct Nice {
    size: usize,
    couplings: [Mlp; 2],
    scale: Mlp,
}

impl Nice {
    /// Declares its networks.
    pub(crate) fn new(declare: &mut Declare, name: &str, size: usize) -> Self {
        let half = size / 2;
        let sizes = [(half, size - half), (size - half, half)];
        let couplings = [0, 1].map(|number| {
            let (kept, moved) = sizes[number];
            Mlp::new(declare, &format!("{name}.{number}"), &[("kept", kept), ("state", size)], &[64], moved)
        });
        let scale = Mlp::new(declare, &format!("{name}.scale"), &[("state", size)], &[64], 2 * size);
        Self { size, couplings, scale }
    }
}

impl Flow for Nice {
    fn given<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        let out = self.scale.apply(graph, &[state]);
        let (shift, log_scale) = (out.slice(0..self.size), out.slice(self.size..2 * self.size).tanh());
        Box::new(NiceGiven { flow: self.clone(), graph, state, shift, log_scale })
    }
}

/// The flow for one state.
struct NiceGiven<'g> {
    flow: Nice,
    graph: &'g Graph,
    state: Var<'g>,
    shift: Var<'g>,
    log_scale: Var<'g>,
}

impl<'g> NiceGiven<'g> {
    /// The two halves, and how far the first moves the second or the second the first.
    fn halves(&self, x: Var<'g>) -> [Var<'g>; 2] {
        let half = self.flow.size / 2;
        [x.slice(0..half), x.slice(half..self.flow.size)]
    }

    fn move_by(&self, number: usize, kept: Var<'g>) -> Var<'g> {
        self.flow.couplings[number].apply(self.graph, &[kept, self.state])
    }
}

impl<'g> Transform<'g> for NiceGiven<'g> {
    fn forward(&self, x: Var<'g>) -> Mapped<'g> {
        let [a, b] = self.halves(x);
        let b = b + self.move_by(0, a);
        let a = a + self.move_by(1, b);
        let value = self.graph.concat(&[a, b]) * self.log_scale.exp() + self.shift;
        Mapped { value, log_det: Some(self.log_scale.sum_rows()) }
    }

    fn inverse(&self, y: Var<'g>) -> Mapped<'g> {
        let [a, b] = self.halves((y - self.shift) * (-self.log_scale).exp());
        let a = a - self.move_by(1, b);
        let b = b - self.move_by(0, a);
        Mapped { value: self.graph.concat(&[a, b]), log_det: Some(-self.log_scale.sum_rows()) }
    }
}
