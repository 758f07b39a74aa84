//! Declaring parameters together with how they are initialised.

use rand_core::Rng;
use tilegrad::{Activation, Graph, Param, Params, Var};

use crate::random::{stream, streams, unit};

/// How the numbers of a parameter are initialised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Init {
    /// All the same.
    Constant(f64),
    /// Normally distributed around zero with this standard deviation.
    Normal(f64),
}

/// Collects the parameters of a model and how they are initialised.
#[derive(Debug, Default)]
pub struct Declare {
    params: Params,
    inits: Vec<Init>,
    /// How the names of parameters begin.
    prefix: String,
}

impl Declare {
    /// A matrix of `rows` outputs and `cols` inputs initialised with the variance of unit inputs times `gain²`.
    pub fn weight(&mut self, name: impl Into<String>, rows: usize, cols: usize, gain: f64) -> Param {
        self.inits.push(Init::Normal(gain / (cols as f64).sqrt()));
        self.params.matrix(self.name(name), rows, cols)
    }

    /// A table of one row for each symbol, with entries of this standard deviation.
    pub fn table(&mut self, name: impl Into<String>, rows: usize, cols: usize, deviation: f64) -> Param {
        self.inits.push(Init::Normal(deviation));
        self.params.table(self.name(name), rows, cols)
    }

    /// A vector of equal numbers.
    pub fn vector(&mut self, name: impl Into<String>, rows: usize, value: f64) -> Param {
        self.inits.push(Init::Constant(value));
        self.params.vector(self.name(name), rows)
    }

    /// Declares a part whose parameters' names begin in this way.
    pub(crate) fn part<T>(&mut self, prefix: String, declare: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.prefix, prefix);
        let declared = declare(self);
        self.prefix = before;
        declared
    }

    fn name(&self, name: impl Into<String>) -> String {
        format!("{}{}", self.prefix, name.into())
    }

    /// The set of all parameters, with how each of them is initialised.
    pub fn finish(self) -> (Params, Vec<Init>) {
        (self.params, self.inits)
    }
}

impl Init {
    /// The initial numbers of parameters, a function of the seed.
    pub fn numbers(inits: &[Self], params: &Params, seed: u64) -> Vec<f32> {
        let mut numbers = Vec::with_capacity(params.len());
        for (index, (info, init)) in params.iter().zip(inits).enumerate() {
            let mut rng = stream(seed, streams::INITIAL_PARAMETERS, index as u128);
            let count = info.rows * info.cols;
            match *init {
                Init::Constant(value) => numbers.extend(std::iter::repeat_n(value as f32, count)),
                Init::Normal(deviation) => {
                    numbers.extend((0..count).map(|_| (deviation * standard_normal(&mut rng)) as f32));
                }
            }
        }
        numbers
    }
}

/// A standard normal number, by the method of Box and Muller.
fn standard_normal(rng: &mut impl Rng) -> f64 {
    let radius = (-2.0 * (1.0 - unit(rng)).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(rng)).cos()
}

/// A network of affine maps with tanh between them.
#[derive(Debug, Clone)]
pub struct Mlp {
    /// Weights of the first layer, one matrix for each input.
    inputs: Vec<Param>,
    first_bias: Param,
    /// The other layers.
    layers: Vec<(Param, Param)>,
}

impl Mlp {
    /// Declares a network from inputs of the given sizes (each with a name for its matrix) over hidden layers
    /// to `outputs`. The last layer starts small, so that outputs start near the last bias, which is zero.
    pub fn new(
        declare: &mut Declare,
        name: &str,
        inputs: &[(&str, usize)],
        hidden: &[usize],
        outputs: usize,
    ) -> Self {
        let total: usize = inputs.iter().map(|input| input.1).sum();
        let sizes: Vec<usize> = hidden.iter().copied().chain([outputs]).collect();
        let gain = |layer: usize| if layer + 1 == sizes.len() { 0.1 } else { 1.0 };
        let matrices = inputs.iter().map(|(input, size)| {
            // All inputs together have the variance that one input of their total size would have.
            let share = (*size as f64 / total as f64).sqrt();
            declare.weight(format!("{name}.0.{input}"), sizes[0], *size, gain(0) * share)
        });
        let matrices = matrices.collect();
        let first_bias = declare.vector(format!("{name}.0.bias"), sizes[0], 0.0);
        let layers = (1..sizes.len())
            .map(|layer| {
                let weight = declare.weight(
                    format!("{name}.{layer}.weight"),
                    sizes[layer],
                    sizes[layer - 1],
                    gain(layer),
                );
                (weight, declare.vector(format!("{name}.{layer}.bias"), sizes[layer], 0.0))
            })
            .collect();
        Self { inputs: matrices, first_bias, layers }
    }

    /// Applies the network to its inputs.
    pub fn apply<'g>(&self, graph: &'g Graph, inputs: &[Var<'g>]) -> Var<'g> {
        let activation = |layer: usize| {
            if layer == self.layers.len() { Activation::Identity } else { Activation::Tanh }
        };
        let terms: Vec<_> = self.inputs.iter().copied().zip(inputs.iter().copied()).collect();
        let mut out = graph.affine(&terms, Some(self.first_bias), activation(0));
        for (number, (weight, bias)) in self.layers.iter().enumerate() {
            out = graph.affine(&[(*weight, out)], Some(*bias), activation(number + 1));
        }
        out
    }
}
