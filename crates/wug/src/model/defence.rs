//! The defensive mixture: some particles come from the prior, whatever q proposes.

use tilegrad::{Graph, Lanes, Var};

use super::inference::Proposal;
use crate::random::streams::Bound;

/// Which particles the prior proposes.
pub(super) struct Defence<'g> {
    share: f64,
    /// Positive for particles from the prior.
    pub(super) applies: Var<'g>,
    /// Their noise.
    pub(super) noise: Var<'g>,
}

impl<'g> Defence<'g> {
    /// Draws which particles come from the prior, and their noise of `size` numbers, for a step of the bound that may have
    /// simulated a state with `simulated` numbers: q has seen those.
    pub(super) fn new(
        graph: &'g Graph,
        t: usize,
        share: f64,
        [simulated, size]: [usize; 2],
        lanes: Lanes,
    ) -> Self {
        let uniform = graph.uniform(Bound::Defence.at(t), 1, lanes);
        let noise = graph.normal(Bound::Simulation.at(t), simulated + size, lanes);
        Self { share, applies: uniform.scale(-1.0, share), noise: noise.slice(simulated..simulated + size) }
    }

    /// Noise from the mixture, where q has proposed `xi`, and the logarithm of the prior's density over the mixture's.
    pub(super) fn mix(&self, q: Proposal<'g>, xi: Var<'g>) -> (Var<'g>, Var<'g>) {
        let xi = self.applies.select(self.noise, xi);
        let log_r = xi.standard_normal_log_density() - xi.normal_log_density(q.mean, q.scale);
        (xi, self.log_ratio(log_r))
    }

    /// `log r / (α r + (1 − α) q) = −log (α + (1 − α) q/r)`, given `log r/q`.
    pub(super) fn log_ratio(&self, log_r: Var<'g>) -> Var<'g> {
        -(-log_r).shifted_softplus((1.0 / self.share - 1.0).ln(), self.share.ln())
    }
}
