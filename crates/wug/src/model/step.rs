//! One step of any model, recorded in two halves: what the next symbol is drawn from, and the state once it is known.
//!
//! Everything that goes through words without knowing them, to generate them or to measure trajectories, is a loop around these two. In
//! the paper's model the first half makes the next state from noise, and the symbol changes nothing; in an exact model the symbol makes it.

use tilegrad::{Graph, Symbols, Var};

use super::{Model, Parts};

/// What a step's noise consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoiseShape {
    /// Numbers of noise.
    pub(crate) size: usize,
    /// Whether the noise does nothing but pick the symbol, by the [code](super::code). If not, it moves the state.
    pub(crate) picks_symbols: bool,
}

/// The first half of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look<'g> {
    /// Logits of the next symbol, a row for each.
    pub(crate) logits: Var<'g>,
    /// The next state, if the symbol does not decide it.
    pub(crate) next: Option<Var<'g>>,
}

impl Model {
    /// What a step's noise consists of.
    pub(crate) fn noise(&self) -> NoiseShape {
        match &self.parts {
            Parts::Exact(_) => NoiseShape { size: 1, picks_symbols: true },
            Parts::StateSpace(parts) => {
                NoiseShape { size: parts.generative.state_size(), picks_symbols: false }
            }
        }
    }

    /// The state before the first symbol; `end` holds end symbols.
    pub(crate) fn start<'g>(&self, graph: &'g Graph, end: Symbols<'g>) -> Var<'g> {
        match &self.parts {
            Parts::Exact(exact) => exact.start(graph, end),
            Parts::StateSpace(parts) => parts.generative.initial_state(graph),
        }
    }

    /// The first half of a step from a state and the symbol seen last. `noise` is asked for the noise of the state, if it takes any.
    pub(crate) fn look<'g>(
        &self,
        graph: &'g Graph,
        state: Var<'g>,
        last: Symbols<'g>,
        noise: impl FnOnce(usize) -> Var<'g>,
    ) -> Look<'g> {
        match &self.parts {
            Parts::Exact(exact) => Look { logits: exact.logits(graph, state, last), next: None },
            Parts::StateSpace(parts) => {
                let noise = noise(parts.generative.state_size());
                let next = parts.generative.transition(graph, state).forward(noise).value;
                Look { logits: parts.generative.emission().logits(graph, next), next: Some(next) }
            }
        }
    }

    /// The second half: the state after a symbol; none if the first half has made it.
    pub(crate) fn advance<'g>(
        &self,
        graph: &'g Graph,
        state: Var<'g>,
        symbol: Symbols<'g>,
    ) -> Option<Var<'g>> {
        match &self.parts {
            Parts::Exact(exact) => Some(exact.advance(graph, state, symbol)),
            Parts::StateSpace(_) => None,
        }
    }
}
