//! The training objective: the two-flow bound, importance weighted (the paper's Algorithm 1), with one
//! surviving particle or all of them.
//!
//! At each step, for each of K particles:
//! 1. simulate `h_g = F_g(h_{t−1}, ξ)` with `ξ ~ N(0, I)`, for q to peek at;
//! 2. draw `ξ ~ q`, and `h = F_q(h_{t−1}, ξ)`;
//! 3. with `ζ = f_g⁻¹(h)` and r the standard normal density,
//!    `log ω = log P(w_t | h) + log r(ζ) − log |det J_{f_g}(ζ)| − log q(ξ) + log |det J_{f_q}(ξ)|`;
//! 4. the step's bound is `log (1/K) Σ_k ω_k`.
//!
//! The next state is one particle drawn with probability ∝ ω (`resampling = "one"`), or all particles go on with
//! their weights and are resampled when the effective sample size falls under half (`"all"`, a particle
//! filter). Either way `E[Π_t (1/K) Σ_k ω_k] = P(w)`, so the sum of the steps' bounds is a lower bound of
//! `log P(w)` in expectation. K = 1 is the evidence lower bound.
//!
//! Scores cannot trust a q that misses a part of the posterior: its weights are rarely large, and then very large, so that
//! estimates are too low and their spread does not show it. [`filter_bound`] proposes with `α · prior + (1 − α) · q`, the
//! *defensive* mixture (Hesterberg 1995), whose density takes the place of q's in the weight. No weight exceeds `P(w_t | h) / α` then.

use tilegrad::{Graph, Lanes, Symbols, Var};

use super::StateSpace;
use super::config::Resampling;
use super::defence::Defence;
use super::flow::{Transform, add_log_dets};
use super::inference::Proposal;
use crate::random::streams::Bound;

/// Share of the particles below which the effective sample size triggers resampling.
const RESAMPLE_BELOW: f64 = 0.5;

/// Records `log (1/K) Σ_k ω_t^(k)` of every step t: one number per word each. Their sum is the bound.
pub(crate) fn log_bound<'g>(
    graph: &'g Graph,
    parts: &StateSpace,
    resampling: Resampling,
    symbols: &[Symbols<'g>],
) -> Vec<Var<'g>> {
    Recorder { graph, parts, prior_share: 0.0 }.bound(resampling, symbols)
}

/// The same for scores: all particles survive, and some of them come from the prior.
pub(crate) fn filter_bound<'g>(
    graph: &'g Graph,
    parts: &StateSpace,
    symbols: &[Symbols<'g>],
) -> Vec<Var<'g>> {
    Recorder { graph, parts, prior_share: PRIOR_SHARE }.bound(Resampling::All, symbols)
}

/// The share of the prior in what [`filter_bound`] proposes: docs/experiments/0005-scores-and-noise.md.
const PRIOR_SHARE: f64 = 0.3;

/// The noise that a word may have come from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PosteriorNoise<'g> {
    /// `ζ_1 … ζ_T`, one below the other, for each particle.
    pub noise: Var<'g>,
    /// The particles' log-weights.
    pub log_weights: Var<'g>,
}

/// Records particles of the posterior of the noise, `P(ξ_1 … ξ_T | w)`, by [`filter_bound`]: what a particle draws at each step, `ζ_t = f_g⁻¹(h_t)`, is carried along to the end of the word.
/// There must be at least two particles and one symbol.
pub(crate) fn posterior_noise<'g>(
    graph: &'g Graph,
    parts: &StateSpace,
    symbols: &[Symbols<'g>],
) -> PosteriorNoise<'g> {
    let recorder = Recorder { graph, parts, prior_share: PRIOR_SHARE };
    let mut resampler = Resampler::new(graph.particles(), Resampling::All);
    let mut state = parts.generative.initial_state(graph);
    let size = parts.generative.state_size();
    let mut path: Option<Var<'g>> = None;
    let encoded = parts.inference.encode(graph, symbols);
    for (t, (&symbol, encoded)) in symbols.iter().zip(&encoded).enumerate() {
        let Particles { next, noise, log_weight } = recorder.particles(t, state, symbol, encoded);
        let carried: Vec<Var<'g>> = [Some(next), path, Some(noise)].into_iter().flatten().collect();
        let (_, resampled) = resampler.advance(t, graph.concat(&carried), log_weight);
        state = resampled.slice(0..size);
        path = Some(resampled.slice(size..resampled.rows()));
    }
    let equal = || graph.constant(0.0, 1, Lanes::Particle);
    PosteriorNoise { noise: path.unwrap_or(state), log_weights: resampler.log_weights.unwrap_or_else(equal) }
}

/// Particles of one step.
struct Particles<'g> {
    /// `h_t`.
    next: Var<'g>,
    /// `ζ_t = f_g⁻¹(h_t)`.
    noise: Var<'g>,
    /// `log ω`.
    log_weight: Var<'g>,
}

struct Recorder<'a, 'g> {
    graph: &'g Graph,
    parts: &'a StateSpace,
    /// α, the share of particles that the prior proposes; 0 in training.
    prior_share: f64,
}

impl<'g> Recorder<'_, 'g> {
    /// `log (1/K) Σ_k ω_t^(k)` of every step t.
    fn bound(&self, resampling: Resampling, symbols: &[Symbols<'g>]) -> Vec<Var<'g>> {
        let StateSpace { generative, inference } = self.parts;
        let mut state = generative.initial_state(self.graph);
        let mut resampler = Resampler::new(self.graph.particles(), resampling);
        let mut gains = Vec::with_capacity(symbols.len());
        let encoded = inference.encode(self.graph, symbols);
        for (t, (&symbol, encoded)) in symbols.iter().zip(&encoded).enumerate() {
            let Particles { next, log_weight, .. } = self.particles(t, state, symbol, encoded);
            let (gain, resampled) = resampler.advance(t, next, log_weight);
            gains.push(gain);
            state = resampled;
        }
        gains
    }

    /// Steps 1 to 3.
    fn particles(&self, t: usize, state: Var<'g>, symbol: Symbols<'g>, encoded: &[Var<'g>]) -> Particles<'g> {
        let Self { graph, parts: StateSpace { generative, inference }, prior_share } = *self;
        let f_g = generative.transition(graph, state);
        let simulated = inference.peeks().then(|| self.simulated(t, &*f_g, Lanes::Particle));
        let q = inference.proposal(graph, encoded, state, simulated);
        let f_q = inference.transition(graph, state);
        let (xi, log_q) = q.draw(graph, Bound::Proposal.at(t), Lanes::Particle);
        let (next, zeta, log_prior, log_q) = match f_q {
            _ if prior_share > 0.0 => {
                let (next, zeta, log_ratio) = self.defended(t, &*f_g, f_q.as_deref(), q, xi);
                (next, zeta, log_ratio, None)
            }
            Some(f_q) => {
                let next = f_q.forward(xi);
                let zeta = f_g.inverse(next.value);
                let log_r = zeta.value.standard_normal_log_density();
                let jacobians = add_log_dets(zeta.log_det, next.log_det);
                let log_prior = jacobians.map_or(log_r, |jacobians| log_r + jacobians);
                (next.value, zeta.value, log_prior, Some(log_q))
            }
            // F_q = F_g: ζ = ξ, and the determinants cancel.
            None => (f_g.forward(xi).value, xi, xi.standard_normal_log_density(), Some(log_q)),
        };
        let log_likelihood = generative.emission().log_probability(graph, next, symbol);
        let log_joint = log_likelihood + log_prior;
        Particles { next, noise: zeta, log_weight: log_q.map_or(log_joint, |log_q| log_joint - log_q) }
    }

    /// A state from the prior, for a q that peeks.
    fn simulated(&self, t: usize, f_g: &dyn Transform<'g>, lanes: Lanes) -> Var<'g> {
        let size = self.parts.generative.state_size();
        let noise = self.graph.normal(Bound::Simulation.at(t), size, lanes);
        f_g.forward(noise).value
    }

    /// States from `α · prior + (1 − α) · q`: `h_t`, `ζ_t`, and the logarithm of the prior's density over the mixture's.
    fn defended(
        &self,
        t: usize,
        f_g: &dyn Transform<'g>,
        f_q: Option<&(dyn Transform<'g> + 'g)>,
        q: Proposal<'g>,
        xi: Var<'g>,
    ) -> (Var<'g>, Var<'g>, Var<'g>) {
        let defence = Defence::new(
            self.graph,
            t,
            self.prior_share,
            [self.parts.generative.state_size(), xi.rows()],
            Lanes::Particle,
        );
        let Some(f_q) = f_q else {
            let (xi, log_ratio) = defence.mix(q, xi);
            return (f_g.forward(xi).value, xi, log_ratio);
        };
        let proposed = [f_g.forward(defence.noise), f_q.forward(xi)].map(|mapped| mapped.value);
        let next = defence.applies.select(proposed[0], proposed[1]);
        let back = [f_g.inverse(next), f_q.inverse(next)];
        let log_det = add_log_dets(back[0].log_det, back[1].log_det.map(|log_det| -log_det));
        // Where a state came from is known; the way back would only round.
        let zeta = defence.applies.select(defence.noise, back[0].value);
        let xi = defence.applies.select(back[1].value, xi);
        let log_r = zeta.standard_normal_log_density() - xi.normal_log_density(q.mean, q.scale);
        let log_r = log_det.map_or(log_r, |log_det| log_r + log_det);
        (next, zeta, defence.log_ratio(log_r))
    }
}

/// What goes on from step to step.
struct Resampler<'g> {
    particles: usize,
    resampling: Resampling,
    /// Normalised log-weights of surviving particles; equal ones are not written down.
    log_weights: Option<Var<'g>>,
}

impl<'g> Resampler<'g> {
    fn new(particles: usize, resampling: Resampling) -> Self {
        Self { particles, resampling, log_weights: None }
    }

    /// Step 4: the step's bound, and the state or states to go on from.
    fn advance(&mut self, t: usize, next: Var<'g>, log_weight: Var<'g>) -> (Var<'g>, Var<'g>) {
        let graph = next.graph();
        let log_count = (self.particles as f64).ln();
        if self.particles == 1 {
            // A sum over one particle: only the kind of lanes changes.
            return (log_weight.sum_particles(), next.sum_particles());
        }
        let uniform = graph.uniform(Bound::Choice.at(t), 1, Lanes::Word);
        match self.resampling {
            Resampling::One => {
                let gain = log_weight.log_sum_exp() - log_count;
                (gain, next.gather(log_weight.choose(uniform)))
            }
            Resampling::All => {
                let joint = match self.log_weights {
                    Some(log_weights) => log_weights + log_weight,
                    None => log_weight - log_count,
                };
                let gain = joint.log_sum_exp();
                let normalised = joint - gain;
                let keep = normalised.enough_particles(RESAMPLE_BELOW);
                let ancestors = normalised.ancestors(uniform, keep);
                let equal = graph.constant(-log_count, 1, Lanes::Particle);
                self.log_weights = Some(keep.select(normalised, equal));
                (gain, next.gather(ancestors))
            }
        }
    }
}
