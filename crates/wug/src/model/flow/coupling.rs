//! Affine couplings, the conditional variant of Real NVP (Dinh, Sohl-Dickstein & Bengio 2017).
//!
//! A coupling keeps `m` coordinates `a` and moves the others: `y_b = x_b ∘ e^s + t` with `s` and `t` functions
//! of `a` and the state. The log-scale is `s = tanh(·)`, so that a coupling stretches by at most e. A chain
//! keeps 2, 3, …, d−1 coordinates, the first and the last ones in turn, so that every coordinate moves.

use tilegrad::{Graph, Var};

use super::chain::Composed;
use super::{Flow, Mapped, Transform};
use crate::model::declare::{Declare, Mlp};

/// Hidden layers of a coupling's network, as in the paper.
const HIDDEN: [usize; 2] = [8, 8];

/// A chain of affine couplings.
#[derive(Debug, Clone)]
pub(crate) struct Coupling {
    links: Vec<Link>,
}

/// One coupling: which coordinates it keeps, and its network.
#[derive(Debug, Clone)]
struct Link {
    kept: usize,
    keeps_first: bool,
    size: usize,
    network: Mlp,
}

impl Coupling {
    /// Declares a chain for states of size `state`, at least 2.
    pub(crate) fn chain(declare: &mut Declare, name: &str, state: usize) -> Self {
        let links = kept_counts(state).into_iter().enumerate().map(|(number, kept)| {
            let inputs = [("kept", kept), ("state", state)];
            let network =
                Mlp::new(declare, &format!("{name}.{number}"), &inputs, &HIDDEN, 2 * (state - kept));
            Link { kept, keeps_first: number % 2 == 0, size: state, network }
        });
        Self { links: links.collect() }
    }
}

/// How many coordinates each coupling keeps: 2 … d−1 as in the paper. With four coordinates or fewer some would
/// never move, so there it is 1 … d−1, and two couplings at least.
fn kept_counts(state: usize) -> Vec<usize> {
    match state {
        2 => vec![1, 1],
        3 | 4 => (1..state).collect(),
        _ => (2..state).collect(),
    }
}

impl Flow for Coupling {
    fn given<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        let parts = self.links.iter().cloned().map(|link| {
            let part: Box<dyn Transform<'g> + 'g> = Box::new(LinkTransform { link, graph, state });
            part
        });
        Box::new(Composed { parts: parts.collect() })
    }
}

struct LinkTransform<'g> {
    link: Link,
    graph: &'g Graph,
    state: Var<'g>,
}

impl<'g> LinkTransform<'g> {
    /// Splits into what is kept and what is moved, and computes log-scale and shift from the former.
    fn split(&self, x: Var<'g>) -> (Var<'g>, Var<'g>, Var<'g>, Var<'g>) {
        let Link { kept, keeps_first, size, network } = &self.link;
        let (kept, size) = (*kept, *size);
        let (a, b) = if *keeps_first {
            (x.slice(0..kept), x.slice(kept..size))
        } else {
            (x.slice(size - kept..size), x.slice(0..size - kept))
        };
        let out = network.apply(self.graph, &[a, self.state]);
        let moved = size - kept;
        (a, b, out.slice(0..moved).tanh(), out.slice(moved..2 * moved))
    }

    fn join(&self, a: Var<'g>, b: Var<'g>) -> Var<'g> {
        // What is moved depends on the state, and may have more lanes than what is kept.
        let a = if a.shape().lanes == b.shape().lanes { a } else { a.expand() };
        self.graph.concat(&if self.link.keeps_first { [a, b] } else { [b, a] })
    }
}

impl<'g> Transform<'g> for LinkTransform<'g> {
    fn forward(&self, x: Var<'g>) -> Mapped<'g> {
        let (a, b, log_scale, shift) = self.split(x);
        let value = self.join(a, b * log_scale.exp() + shift);
        Mapped { value, log_det: Some(log_scale.sum_rows()) }
    }

    fn inverse(&self, y: Var<'g>) -> Mapped<'g> {
        let (a, b, log_scale, shift) = self.split(y);
        let value = self.join(a, (b - shift) * (-log_scale).exp());
        Mapped { value, log_det: Some(-log_scale.sum_rows()) }
    }
}
