//! Flows: conditional invertible maps from noise to states.
//!
//! Conditioning and bijection are separate things. A [`Flow`] is a module with parameters; given a state
//! `h_{t−1}` it yields a [`Transform`], an invertible map whose two directions return the value *and* the
//! logarithm of the Jacobian determinant. A new family is one file that implements both and a line in
//! [`FlowSpec`].

mod affine;
mod chain;
mod coupling;
mod simple;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tilegrad::{Graph, Var};

pub(crate) use affine::Affine;
pub(crate) use chain::{Chain, Reversed};
pub(crate) use coupling::Coupling;
pub(crate) use simple::{Additive, Identity};

use super::declare::Declare;
use crate::suggest::{in_brackets, nearest_name};

/// A value and the logarithm of the absolute Jacobian determinant of the map that made it.
#[derive(Debug, Clone, Copy)]
pub struct Mapped<'g> {
    /// The image.
    pub value: Var<'g>,
    /// `log |det J|`, one row; nothing where it is zero everywhere.
    pub log_det: Option<Var<'g>>,
}

/// An invertible map, the same for all particles of a word or one for each.
pub trait Transform<'g> {
    /// `y = f(x)` with `log |det J_f(x)|`.
    fn forward(&self, x: Var<'g>) -> Mapped<'g>;

    /// `x = f⁻¹(y)` with `log |det J_{f⁻¹}(y)|`, which is minus the other at `x`.
    fn inverse(&self, y: Var<'g>) -> Mapped<'g>;
}

/// A module with parameters that yields a transform for any state.
pub trait Flow: fmt::Debug + Send + Sync {
    /// The transform `f(ξ) = F(h, ξ)` for the state `h`.
    fn given<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g>;
}

/// Adds logarithms of determinants, of which some may be zero everywhere.
pub(crate) fn add_log_dets<'g>(left: Option<Var<'g>>, right: Option<Var<'g>>) -> Option<Var<'g>> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left + right),
        (one, other) => one.or(other),
    }
}

/// The families of flows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// `y = x`
    Id,
    /// `y = h + x`
    Add,
    /// `y = g(h) + s(h) ∘ x`
    Diag,
    /// `y = g(h) + G(h) x` with `G` lower triangular
    Tril,
    /// A chain of affine couplings
    Nvp,
}

const FAMILIES: [(&str, Family); 5] = [
    ("id", Family::Id),
    ("add", Family::Add),
    ("diag", Family::Diag),
    ("tril", Family::Tril),
    ("nvp", Family::Nvp),
];

impl Family {
    /// The names of all families.
    pub const NAMES: [&str; FAMILIES.len()] = {
        let mut names = [""; FAMILIES.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = FAMILIES[index].0;
            index += 1;
        }
        names
    };
}

/// A flow by name: a family, or `NxF` for `N` independent copies of it one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FlowSpec {
    /// How many copies.
    pub copies: usize,
    /// Of what.
    pub family: Family,
}

/// The most copies that a specification may ask for.
const MAX_COPIES: usize = 64;

/// A name that is no flow.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no flow{hint}: expected id, add, diag, tril or nvp, or copies of one such as 2xtril (up to {MAX_COPIES})",
    hint = in_brackets(self.suggestion().as_deref())
)]
pub struct UnknownFlow(String);

impl UnknownFlow {
    /// The same copies of the nearest family.
    fn suggestion(&self) -> Option<String> {
        let copies = self.0.find('x').map_or("", |end| &self.0[..=end]);
        let family = nearest_name(&self.0[copies.len()..], Family::NAMES)?;
        Some(format!("{copies}{family}")).filter(|flow| flow.parse::<FlowSpec>().is_ok())
    }
}

impl FromStr for FlowSpec {
    type Err = UnknownFlow;

    fn from_str(text: &str) -> Result<Self, UnknownFlow> {
        let unknown = || UnknownFlow(text.to_owned());
        let (copies, family) = match text.split_once('x') {
            Some((copies, family)) if copies.bytes().all(|byte| byte.is_ascii_digit()) => {
                (copies.parse().map_err(|_| unknown())?, family)
            }
            _ => (1, text),
        };
        let (_, family) = FAMILIES.into_iter().find(|(name, _)| *name == family).ok_or_else(unknown)?;
        if (1..=MAX_COPIES).contains(&copies) { Ok(Self { copies, family }) } else { Err(unknown()) }
    }
}

impl fmt::Display for FlowSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = FAMILIES.iter().find(|(_, family)| *family == self.family).map_or("", |(name, _)| name);
        if self.copies == 1 { f.write_str(name) } else { write!(f, "{}x{name}", self.copies) }
    }
}

impl TryFrom<String> for FlowSpec {
    type Error = UnknownFlow;

    fn try_from(text: String) -> Result<Self, UnknownFlow> {
        text.parse()
    }
}

impl From<FlowSpec> for String {
    fn from(spec: FlowSpec) -> String {
        spec.to_string()
    }
}

/// Which way a flow's parameters run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The parameters make the map from noise to state.
    Forward,
    /// The parameters make the map from state to noise: that direction is then the cheap one.
    Inverse,
}

/// Sizes that flows are built with.
#[derive(Debug, Clone, Copy)]
pub struct FlowSizes<'a> {
    /// Size of states and noise: d.
    pub state: usize,
    /// Sizes of the hidden layers of the conditioning networks.
    pub hidden: &'a [usize],
    /// Smallest diagonal entry of a scale or triangular matrix: δ.
    pub delta: f64,
}

impl FlowSpec {
    /// Declares the parameters under `name` and builds the flow.
    pub fn build(
        self,
        declare: &mut Declare,
        name: &str,
        sizes: FlowSizes<'_>,
        direction: Direction,
    ) -> Box<dyn Flow> {
        let mut parts: Vec<Box<dyn Flow>> = Vec::new();
        for copy in 0..self.copies {
            let name = if self.copies == 1 { name.to_owned() } else { format!("{name}.{copy}") };
            parts.push(match self.family {
                Family::Id => Box::new(Identity),
                Family::Add => Box::new(Additive),
                Family::Diag => Box::new(Affine::diagonal(declare, &name, sizes)),
                Family::Tril => Box::new(Affine::triangular(declare, &name, sizes)),
                Family::Nvp => Box::new(Coupling::chain(declare, &name, sizes.state)),
            });
        }
        let flow: Box<dyn Flow> =
            if parts.len() == 1 { parts.swap_remove(0) } else { Box::new(Chain::new(parts)) };
        match direction {
            Direction::Forward => flow,
            Direction::Inverse => Box::new(Reversed::new(flow)),
        }
    }
}
