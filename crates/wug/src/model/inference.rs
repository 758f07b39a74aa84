//! The inference model: a recurrent network reads the word backwards, and a small network turns what it has
//! read into a normal distribution over the noise.
//!
//! `a_t` has digested `w_{t:T}`; `q(ξ_t | ·) = N(μ, diag σ²)` with `μ, σ` functions of `a_t` and, if asked for,
//! of the state `h_{t−1}` and of a state that the generative model could reach; then `h_t = F_q(h_{t−1}, ξ_t)`.

use tilegrad::{Graph, Lanes, Param, Symbols, Var};

use super::config::{Condition, InferenceConfig};
use super::declare::{Declare, Mlp};
use super::flow::{Flow, Transform};
use super::gru::Gru;

/// Smallest standard deviation of q.
const MIN_SCALE: f64 = 1e-3;

/// The encoder, the network of q, and F_q unless it is shared with the generative model.
#[derive(Debug)]
pub(crate) struct Inference {
    embedding: Param,
    backward: Gru,
    /// Reads forwards, so that every step sees the whole word.
    forward: Option<Gru>,
    network: Mlp,
    flow: Option<Box<dyn Flow>>,
    sees_state: bool,
    peeks: bool,
    state: usize,
}

/// A normal distribution with diagonal covariance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proposal<'g> {
    /// Its mean.
    pub(crate) mean: Var<'g>,
    /// Its standard deviations.
    pub(crate) scale: Var<'g>,
}

impl<'g> Proposal<'g> {
    /// Draws `ξ = μ + σ ε`, with `log q(ξ)`.
    pub(crate) fn draw(self, graph: &'g Graph, stream: u16, lanes: Lanes) -> (Var<'g>, Var<'g>) {
        let noise = graph.normal(stream, self.mean.rows(), lanes);
        let xi = self.scale.mul_add(noise, self.mean);
        (xi, noise.standard_normal_log_density() - self.scale.sum_ln())
    }
}

impl Inference {
    /// Declares the inference model; `flow` is F_q, or nothing if it is F_g itself.
    pub(crate) fn new(
        declare: &mut Declare,
        config: &InferenceConfig,
        flow: Option<Box<dyn Flow>>,
        (state, symbols): (usize, usize),
        peeks: bool,
    ) -> Self {
        let embedding = declare.table("inference.embedding", symbols, config.embedding, 0.3);
        let gru =
            |declare: &mut Declare, name: &str| Gru::new(declare, name, config.embedding, config.encoder);
        let backward = gru(declare, "inference.backward");
        let forward = config.bidi.then(|| gru(declare, "inference.forward"));
        let sees_state = config.condition == Condition::DataState;
        let mut inputs = vec![("backward", config.encoder)];
        if config.bidi {
            inputs.push(("forward", config.encoder));
        }
        if sees_state {
            inputs.push(("state", state));
        }
        if peeks {
            inputs.push(("simulated", state));
        }
        let network = Mlp::new(declare, "inference.proposal", &inputs, &config.hidden, 2 * state);
        Self { embedding, backward, forward, network, flow, sees_state, peeks, state }
    }

    /// `a_1 … a_T` for a word's symbols; with two directions, two variables for each step.
    pub(crate) fn encode<'g>(&self, graph: &'g Graph, symbols: &[Symbols<'g>]) -> Vec<Vec<Var<'g>>> {
        let inputs: Vec<Var<'g>> =
            symbols.iter().map(|&symbol| graph.embedding(self.embedding, symbol)).collect();
        let read = |gru: &Gru, inputs: &mut dyn Iterator<Item = Var<'g>>| -> Vec<Var<'g>> {
            let step = |state: &mut Var<'g>, input| {
                *state = gru.step(graph, input, *state);
                Some(*state)
            };
            inputs.scan(gru.initial_state(graph), step).collect()
        };
        let mut states: Vec<Vec<Var<'g>>> = read(&self.backward, &mut inputs.iter().rev().copied())
            .into_iter()
            .rev()
            .map(|a| vec![a])
            .collect();
        if let Some(forward) = &self.forward {
            let other = read(forward, &mut inputs.iter().copied());
            states.iter_mut().zip(other).for_each(|(state, other)| state.push(other));
        }
        states
    }

    /// `q(ξ_t | ·)` from what the encoder says, the previous state and a simulated next one.
    pub(crate) fn proposal<'g>(
        &self,
        graph: &'g Graph,
        encoded: &[Var<'g>],
        state: Var<'g>,
        simulated: Option<Var<'g>>,
    ) -> Proposal<'g> {
        let mut inputs = encoded.to_vec();
        inputs.extend(self.sees_state.then_some(state));
        inputs.extend(simulated);
        let out = self.network.apply(graph, &inputs);
        let d = self.state;
        // The standard deviation starts at 1.
        let offset = (1.0 - MIN_SCALE).exp_m1().ln();
        let scale = out.slice(d..2 * d).shifted_softplus(offset, MIN_SCALE);
        Proposal { mean: out.slice(0..d), scale }
    }

    /// Whether q wants to see a simulated state.
    pub(crate) fn peeks(&self) -> bool {
        self.peeks
    }

    /// The transform `f_q(ξ) = F_q(h, ξ)`, unless F_q is F_g.
    pub(crate) fn transition<'g>(
        &self,
        graph: &'g Graph,
        state: Var<'g>,
    ) -> Option<Box<dyn Transform<'g> + 'g>> {
        self.flow.as_ref().map(|flow| flow.given(graph, state))
    }
}
