//! The operations, one idea per file: recording, forward run and backward run.

mod affine;
mod binary;
mod cell_rows;
mod cells;
mod choice;
mod constant;
mod density;
mod draw;
mod mul_add;
mod particles;
mod rows;
mod softmax;
mod table;
mod triangular;

mod unary;

pub use cells::{Cells, NO_SHARE};
pub use triangular::Triangle;

use std::fmt::Debug;

use crate::element::{Element, Vector};
use crate::frame::Frame;
use crate::graph::VarId;
use crate::shape::Dims;

/// Which values an operation reads in its backward run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Keep {
    /// One bit for each input, the first input's bit lowest.
    pub(crate) inputs: u64,
    /// Its own result.
    pub(crate) output: bool,
}

impl Keep {
    pub(crate) const NOTHING: Keep = Keep { inputs: 0, output: false };
    pub(crate) const INPUTS: Keep = Keep { inputs: u64::MAX, output: false };
    pub(crate) const OUTPUT: Keep = Keep { inputs: 0, output: true };
}

/// An operation as the planner sees it. Its numbers are computed by its [`Kernel`]s.
pub trait Op: Kernel<f32> + Kernel<f64> + Debug + Send + Sync {
    /// Variables it reads, in the order in which it contributes to their gradients.
    fn inputs(&self) -> Vec<VarId> {
        Vec::new()
    }

    /// The variable it makes.
    fn output(&self) -> VarId;

    /// Space that its forward run fills for its backward run.
    fn hidden(&self) -> Option<VarId> {
        None
    }

    /// What its backward run reads.
    fn keeps(&self) -> Keep {
        Keep::NOTHING
    }

    /// Whether it reads parameters.
    fn has_params(&self) -> bool {
        false
    }

    /// Whether gradients pass through it.
    fn differentiable(&self) -> bool {
        true
    }
}

/// What an operation computes, in one number type.
pub trait Kernel<T: Element> {
    /// Makes the result from the inputs.
    fn forward(&self, frame: &mut Frame<'_, T>);

    /// Passes the result's gradient, which it may rework, on to the inputs and parameters. Never called for an
    /// operation through which no gradient passes.
    fn backward(&self, _frame: &mut Frame<'_, T>, _gradient: &mut [T::Vector]) {}

    /// Vectors of scratch space that either run takes.
    fn scratch(&self, _dims: Dims) -> usize {
        0
    }
}

/// What an affine map does to its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// Nothing.
    Identity,
    /// Hyperbolic tangent.
    Tanh,
    /// Logistic function.
    Sigmoid,
}

impl Activation {
    /// Multiplies gradients by the slope, given the results.
    pub(crate) fn pull_back<V: Vector>(self, results: &[V], gradients: &mut [V]) {
        let pairs = gradients.iter_mut().zip(results);
        match self {
            Activation::Identity => {}
            Activation::Tanh => pairs.for_each(|(g, &y)| *g = (-(y * *g)).mul_add(y, *g)),
            Activation::Sigmoid => pairs.for_each(|(g, &y)| *g = *g * (-y).mul_add(y, y)),
        }
    }
}

/// Visits the vectors of a result of `rows` rows of `width` vectors, with the positions of the inputs'
/// vectors: an input with shorter rows has one lane per word, which serves all of its particles.
#[inline(always)]
pub(crate) fn for_each<const N: usize>(
    rows: usize,
    width: usize,
    inputs: [usize; N],
    mut visit: impl FnMut(usize, [usize; N]),
) {
    let shortest = inputs.into_iter().min().unwrap_or(width);
    if shortest == width {
        for i in 0..rows * width {
            visit(i, [i; N]);
        }
        return;
    }
    for row in 0..rows {
        for first in (0..width).step_by(shortest) {
            let starts = inputs.map(|own| if own == width { row * width + first } else { row * own });
            for v in 0..shortest {
                visit(row * width + first + v, starts.map(|start| start + v));
            }
        }
    }
}

/// Stores or adds.
#[inline(always)]
pub(crate) fn put<V: Vector>(target: &mut V, value: V, add: bool) {
    *target = if add { *target + value } else { value };
}

/// Prepares a gradient whose rows are shorter than the result's, so that all contributions can be
/// added; says whether to add.
#[inline(always)]
pub(crate) fn start_sum<V: Vector>(target: &mut [V], shorter: bool, add: bool) -> bool {
    if shorter && !add {
        target.fill(V::zeroed());
    }
    add || shorter
}
