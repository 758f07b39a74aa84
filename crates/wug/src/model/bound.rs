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
//! The next state is one particle drawn with probability ∝ ω (`survivors = "one"`), or all particles go on with
//! their weights and are resampled when the effective sample size falls under half (`"all"`, a particle
//! filter). Either way `E[Π_t (1/K) Σ_k ω_k] = P(w)`, so the sum of the steps' bounds is a lower bound of
//! `log P(w)` in expectation. K = 1 is the evidence lower bound.

use tilegrad::{Graph, Lanes, Symbols, Var};

use super::config::{BoundConfig, Survivors};
use super::flow::add_log_dets;
use super::generative::Generative;
use super::inference::Inference;

/// Share of the particles below which the effective sample size triggers resampling.
const RESAMPLE_BELOW: f64 = 0.5;

/// Streams of noise that a step draws from. Seeds are an interface: the numbers must not change.
#[derive(Clone, Copy)]
enum Stream {
    Proposal,
    Simulation,
    Choice,
}

const STREAMS: u16 = 4;

/// The longest word, with its end, for which every step has its streams.
pub(super) const MAX_STEPS: usize = (u16::MAX / STREAMS) as usize;

impl Stream {
    fn at(self, step: usize) -> u16 {
        step as u16 * STREAMS + self as u16
    }
}

/// Records `log (1/K) Σ_k ω_t^(k)` of every step t: one number per word each. Their sum is the bound.
pub fn log_bound<'g>(
    graph: &'g Graph,
    generative: &Generative,
    inference: &Inference,
    config: &BoundConfig,
    symbols: &[Symbols<'g>],
) -> Vec<Var<'g>> {
    let recorder = Recorder { graph, generative, inference };
    let mut state = generative.start(graph);
    let mut population = Population::new(graph.particles(), config.survivors);
    let mut gains = Vec::with_capacity(symbols.len());
    let encoded = inference.encode(graph, symbols);
    for (t, (&symbol, encoded)) in symbols.iter().zip(&encoded).enumerate() {
        let Particles { next, log_weight, .. } = recorder.particles(t, state, symbol, encoded);
        let (gain, survivor) = population.advance(t, next, log_weight);
        gains.push(gain);
        state = survivor;
    }
    gains
}

/// The noise that a word may have come from.
#[derive(Debug, Clone, Copy)]
pub struct PosteriorNoise<'g> {
    /// `ζ_1 … ζ_T`, one below the other, for each particle.
    pub noise: Var<'g>,
    /// The particles' log-weights.
    pub log_weights: Var<'g>,
}

/// Records particles of the posterior of the noise, `P(ξ_1 … ξ_T | w)`, by the filter of [`log_bound`] with all
/// particles surviving: what a particle draws at each step, `ζ_t = f_g⁻¹(h_t)`, is carried along to the end of the word.
/// There must be at least two particles and one symbol.
pub fn posterior_noise<'g>(
    graph: &'g Graph,
    generative: &Generative,
    inference: &Inference,
    symbols: &[Symbols<'g>],
) -> PosteriorNoise<'g> {
    let recorder = Recorder { graph, generative, inference };
    let mut population = Population::new(graph.particles(), Survivors::All);
    let mut state = generative.start(graph);
    let size = generative.state_size();
    let mut path: Option<Var<'g>> = None;
    let encoded = inference.encode(graph, symbols);
    for (t, (&symbol, encoded)) in symbols.iter().zip(&encoded).enumerate() {
        let Particles { next, noise, log_weight } = recorder.particles(t, state, symbol, encoded);
        let carried: Vec<Var<'g>> = [Some(next), path, Some(noise)].into_iter().flatten().collect();
        let (_, survivors) = population.advance(t, graph.concat(&carried), log_weight);
        state = survivors.slice(0..size);
        path = Some(survivors.slice(size..survivors.rows()));
    }
    let equal = || graph.constant(0.0, 1, Lanes::Particle);
    PosteriorNoise { noise: path.unwrap_or(state), log_weights: population.log_weights.unwrap_or_else(equal) }
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
    generative: &'a Generative,
    inference: &'a Inference,
}

impl<'g> Recorder<'_, 'g> {
    /// Steps 1 to 3.
    fn particles(&self, t: usize, state: Var<'g>, symbol: Symbols<'g>, encoded: &[Var<'g>]) -> Particles<'g> {
        let Self { graph, generative, inference } = *self;
        let size = generative.state_size();
        let f_g = generative.transition(graph, state);
        let simulated = inference.peeks().then(|| {
            let noise = graph.normal(Stream::Simulation.at(t), size, Lanes::Particle);
            f_g.forward(noise).value
        });
        let q = inference.proposal(graph, encoded, state, simulated);
        let noise = graph.normal(Stream::Proposal.at(t), size, Lanes::Particle);
        let xi = q.scale.mul_add(noise, q.mean);
        // log q(ξ) at ξ = μ + σ ε.
        let log_q = noise.standard_normal_log_density() - q.scale.sum_ln();
        let (next, zeta, log_prior) = match inference.transition(graph, state) {
            Some(f_q) => {
                let next = f_q.forward(xi);
                let zeta = f_g.inverse(next.value);
                let log_r = zeta.value.standard_normal_log_density();
                let jacobians = add_log_dets(zeta.log_det, next.log_det);
                (next.value, zeta.value, jacobians.map_or(log_r, |jacobians| log_r + jacobians))
            }
            // F_q = F_g: ζ = ξ, and the determinants cancel.
            None => (f_g.forward(xi).value, xi, xi.standard_normal_log_density()),
        };
        let log_likelihood = generative.emission().log_probability(graph, next, symbol);
        Particles { next, noise: zeta, log_weight: log_likelihood + log_prior - log_q }
    }
}

/// What goes on from step to step.
struct Population<'g> {
    particles: usize,
    survivors: Survivors,
    /// Normalised log-weights of surviving particles; equal ones are not written down.
    log_weights: Option<Var<'g>>,
}

impl<'g> Population<'g> {
    fn new(particles: usize, survivors: Survivors) -> Self {
        Self { particles, survivors, log_weights: None }
    }

    /// Step 4: the step's bound, and the state or states to go on from.
    fn advance(&mut self, t: usize, next: Var<'g>, log_weight: Var<'g>) -> (Var<'g>, Var<'g>) {
        let graph = next.graph();
        let log_count = (self.particles as f64).ln();
        if self.particles == 1 {
            // A sum over one particle: only the kind of lanes changes.
            return (log_weight.sum_particles(), next.sum_particles());
        }
        let uniform = graph.uniform(Stream::Choice.at(t), 1, Lanes::Word);
        match self.survivors {
            Survivors::One => {
                let gain = log_weight.log_sum_exp() - log_count;
                (gain, next.gather(log_weight.choose(uniform)))
            }
            Survivors::All => {
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
