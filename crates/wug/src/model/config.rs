//! What a model is made of: data with all defaults in one place, checked once at the door.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::flow::{Direction, Family, FlowSizes, FlowSpec};
use super::recurrence::ChoiceSizes;
use crate::counts::MAX_ORDER;
use crate::lexicon::{Lexicon, Symbol};
use crate::random::streams::{Bound, MAX_LAYERS};

/// What is trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The choice flow: noise picks symbols, and symbols move the state. The default.
    Choice,
    /// The paper's model: noise → states → symbols.
    StateSpace,
    /// The baseline: a recurrent network that reads its own word so far.
    Gru,
    /// The teacher-forced counterpart of the choice flow: its networks, with the symbol fed back.
    TeacherForced,
}

impl Kind {
    /// What it is called, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Choice => "choice flow",
            Self::StateSpace => "state space model",
            Self::Gru => "recurrent baseline",
            Self::TeacherForced => "teacher-forced counterpart of the choice flow",
        }
    }
}

/// What q depends on, beside a simulated state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// The rest of the word: `a_t`.
    #[serde(rename = "data")]
    Data,
    /// The rest of the word and the state: `a_t, h_{t−1}`.
    #[serde(rename = "data+state")]
    DataState,
}

/// Which particles go on to the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Resampling {
    /// One, drawn by weight: the paper's Algorithm 1.
    One,
    /// All, resampled when few of them carry the weight: a particle filter.
    All,
}

/// The flow of the inference model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum InferenceFlow {
    /// F_q = F_g, with the same parameters.
    Shared,
    /// A flow of its own.
    Own(FlowSpec),
}

/// The flow of the generative model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum GenerativeFlow {
    /// A flow of this library.
    Known(FlowSpec),
    /// A flow that is defined elsewhere, by its name: see [`Model::with_transition`](super::Model::with_transition).
    Own(String),
}

/// How the name of a flow begins that this library does not know.
const OWN: &str = "own:";

impl FromStr for GenerativeFlow {
    type Err = super::flow::UnknownFlow;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix(OWN) {
            Some(name) => Ok(Self::Own(name.to_owned())),
            None => text.parse().map(Self::Known),
        }
    }
}

impl fmt::Display for GenerativeFlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(flow) => flow.fmt(f),
            Self::Own(name) => write!(f, "{OWN}{name}"),
        }
    }
}

impl TryFrom<String> for GenerativeFlow {
    type Error = super::flow::UnknownFlow;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<GenerativeFlow> for String {
    fn from(flow: GenerativeFlow) -> String {
        flow.to_string()
    }
}

impl TryFrom<String> for InferenceFlow {
    type Error = super::flow::UnknownFlow;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text == "shared" { Ok(Self::Shared) } else { text.parse().map(Self::Own) }
    }
}

impl From<InferenceFlow> for String {
    fn from(flow: InferenceFlow) -> String {
        match flow {
            InferenceFlow::Shared => "shared".into(),
            InferenceFlow::Own(spec) => spec.to_string(),
        }
    }
}

/// The whole model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// What is trained.
    pub kind: Kind,
    /// Size of states and noise: d.
    pub state: usize,
    /// The generative model.
    pub generative: GenerativeConfig,
    /// The inference model.
    pub inference: InferenceConfig,
    /// The training objective.
    pub bound: BoundConfig,
    /// Networks side by side whose logits are averaged, in exact models: an ensemble.
    pub networks: usize,
    /// The counts of the list beside the networks, in exact models.
    pub counts: CountsConfig,
}

/// The counts of the list that an exact model is mixed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CountsConfig {
    /// n-grams up to this length; 0 for none.
    pub order: usize,
    /// Hidden units of the gate between them and the network.
    pub hidden: usize,
}

/// The generative model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GenerativeConfig {
    /// F_g.
    pub flow: GenerativeFlow,
    /// Hidden layers of its networks; of the choice flow and its teacher-forced counterpart, those of the memory's network.
    pub hidden: Vec<usize>,
    /// Choice flow and its counterpart: hidden layers of the network of π.
    pub choice_hidden: Vec<usize>,
    /// Which way its parameters run.
    pub direction: Direction,
    /// Smallest diagonal entry of its matrices.
    pub delta: f64,
}

/// The inference model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InferenceConfig {
    /// F_q.
    pub flow: InferenceFlow,
    /// Hidden layers of the networks of F_q.
    pub flow_hidden: Vec<usize>,
    /// Which way the parameters of F_q run.
    pub direction: Direction,
    /// Smallest diagonal entry of its matrices.
    pub delta: f64,
    /// Size of the symbols' embeddings.
    pub embedding: usize,
    /// Size of the encoder's state.
    pub encoder: usize,
    /// Whether the encoder also reads forwards.
    pub bidi: bool,
    /// What q depends on.
    pub condition: Condition,
    /// Hidden layers of the network of q.
    pub hidden: Vec<usize>,
}

/// The training objective.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BoundConfig {
    /// K.
    pub particles: usize,
    /// Whether q sees a state that the generative model could reach.
    pub peek: bool,
    /// Which particles go on.
    pub resampling: Resampling,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self {
            kind: Kind::Choice,
            state: 32,
            generative: GenerativeConfig::default(),
            inference: InferenceConfig::default(),
            bound: BoundConfig::default(),
            networks: 1,
            counts: CountsConfig::default(),
        }
    }
}

impl Default for CountsConfig {
    fn default() -> Self {
        Self { order: 0, hidden: 16 }
    }
}

impl Default for GenerativeConfig {
    fn default() -> Self {
        Self {
            flow: GenerativeFlow::Known(FlowSpec { copies: 2, family: Family::Tril }),
            hidden: vec![128, 128],
            choice_hidden: vec![128],
            direction: Direction::Forward,
            delta: 0.1,
        }
    }
}

impl Default for InferenceConfig {
    fn default() -> Self {
        Self {
            flow: InferenceFlow::Shared,
            flow_hidden: vec![64],
            direction: Direction::Forward,
            delta: 0.1,
            embedding: 8,
            encoder: 16,
            bidi: false,
            condition: Condition::DataState,
            hidden: vec![64],
        }
    }
}

impl Default for BoundConfig {
    fn default() -> Self {
        Self { particles: 10, peek: false, resampling: Resampling::One }
    }
}

/// A value that makes no model.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("`{key} = {found}`: {expected}")]
pub struct ConfigError {
    /// The setting.
    pub key: String,
    /// Its value.
    pub found: String,
    /// What would be right.
    pub expected: String,
}

/// The largest size of anything that a setting can ask for.
const MAX_SIZE: usize = 4096;
/// The most particles: those of the largest step can still be numbered in 32 bits, by which noise is addressed.
const MAX_PARTICLES: usize = 1 << 15;
/// The most couplings, roughly: each has tensors of its own.
const MAX_COUPLINGS: usize = 1024;
/// The most networks of an exact model.
const MAX_NETWORKS: usize = 16;

impl ModelConfig {
    /// Checks all values.
    ///
    /// # Errors
    /// The first setting that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        let within = |key: &str, value: usize, most: usize| {
            if (1..=most).contains(&value) {
                Ok(())
            } else {
                fail(key, value, format!("expected 1 to {most}"))
            }
        };
        let delta = |key: &str, delta: f64| {
            if delta > 0.0 && delta < 0.5 {
                Ok(())
            } else {
                fail(key, delta, "expected more than 0 and less than 0.5")
            }
        };
        let layers = |key: &str, sizes: &[usize]| {
            if sizes.len() > MAX_LAYERS {
                return fail(
                    key,
                    format!("[{} sizes]", sizes.len()),
                    format!("expected at most {MAX_LAYERS} layers"),
                );
            }
            sizes.iter().try_for_each(|&size| within(key, size, MAX_SIZE))
        };
        within("state", self.state, MAX_SIZE)?;
        layers("generative.hidden", &self.generative.hidden)?;
        layers("generative.choice_hidden", &self.generative.choice_hidden)?;
        layers("inference.flow_hidden", &self.inference.flow_hidden)?;
        layers("inference.hidden", &self.inference.hidden)?;
        delta("generative.delta", self.generative.delta)?;
        delta("inference.delta", self.inference.delta)?;
        within("inference.embedding", self.inference.embedding, MAX_SIZE)?;
        within("inference.encoder", self.inference.encoder, MAX_SIZE)?;
        within("bound.particles", self.bound.particles, MAX_PARTICLES)?;
        within("networks", self.networks, MAX_NETWORKS)?;
        within("counts.hidden", self.counts.hidden, MAX_SIZE)?;
        if self.counts.order > MAX_ORDER {
            return fail("counts.order", self.counts.order, format!("expected 0 to {MAX_ORDER}"));
        }
        if self.kind == Kind::StateSpace && self.counts.order > 0 {
            return fail(
                "counts.order",
                self.counts.order,
                "the state space model goes without counts: expected 0",
            );
        }
        if self.kind == Kind::StateSpace && self.networks > 1 {
            return fail("networks", self.networks, "the state space model has one: expected 1");
        }
        let generative = match &self.generative.flow {
            GenerativeFlow::Known(flow) => Some(("generative.flow", *flow)),
            GenerativeFlow::Own(name) if name.is_empty() || name.contains(|c: char| c.is_control()) => {
                return fail("generative.flow", &self.generative.flow, "expected a name after own:");
            }
            GenerativeFlow::Own(_) => None,
        };
        let inference = match self.inference.flow {
            InferenceFlow::Own(flow) => Some(("inference.flow", flow)),
            InferenceFlow::Shared => None,
        };
        for (key, flow) in generative.into_iter().chain(inference) {
            if flow.family == Family::Nvp && self.state < 2 {
                return fail(key, flow, "couplings need a state of size 2 at least");
            }
            if flow.family == Family::Nvp && flow.copies * self.state > MAX_COUPLINGS {
                let expected = format!("expected copies times state to be at most {MAX_COUPLINGS}");
                return fail(key, flow, expected);
            }
        }
        self.check_networks()
    }

    /// Sizes of the generative flow.
    pub(super) fn flow_sizes(&self) -> FlowSizes<'_> {
        FlowSizes { state: self.state, hidden: &self.generative.hidden, delta: self.generative.delta }
    }

    /// Sizes of the choice flow's networks.
    pub(super) fn choice_sizes(&self, symbols: usize) -> ChoiceSizes<'_> {
        let GenerativeConfig { hidden, choice_hidden, .. } = &self.generative;
        ChoiceSizes { symbols, memory: self.state - 1, hidden, choice_hidden }
    }

    /// The order of the cells for a list of words. The baselines and the paper's model keep the order of the alphabet.
    pub(crate) fn cell_order(&self, lexicon: &Lexicon) -> Vec<Symbol> {
        match self.kind {
            Kind::Choice => lexicon.cell_order(),
            _ => (0..lexicon.alphabet().symbol_count()).map(|symbol| symbol as Symbol).collect(),
        }
    }

    fn check_networks(&self) -> Result<(), ConfigError> {
        if !matches!(self.kind, Kind::Choice | Kind::TeacherForced) {
            return Ok(());
        }
        if self.state < 2 {
            return fail("state", self.state, "a choice and its memory need a state of size 2 at least");
        }
        if self.generative.hidden.is_empty() || self.generative.choice_hidden.is_empty() {
            let expected = "expected at least one hidden layer here and in choice_hidden";
            return fail("generative.hidden", "[]", expected);
        }
        Ok(())
    }

    /// The longest word, with its end, that a model can be trained on.
    pub(crate) const MAX_STEPS: usize = Bound::MAX_STEPS;
}

fn fail(key: &str, found: impl ToString, expected: impl Into<String>) -> Result<(), ConfigError> {
    Err(ConfigError { key: key.into(), found: found.to_string(), expected: expected.into() })
}
