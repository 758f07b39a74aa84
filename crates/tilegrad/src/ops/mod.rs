//! The operations, one idea per file: recording, forward run and backward run.

mod affine;
mod binary;
mod choice;
mod constant;
mod density;
mod draw;
mod mixture;
mod mul_add;
mod particles;
mod rows;
mod softmax;
mod table;
mod triangular;

mod unary;

pub use triangular::Triangle;

use std::fmt::Debug;

use crate::element::Element;
use crate::frame::Frame;
use crate::graph::VarId;
use crate::run::Run;
use crate::shape::Dims;
use crate::simd::{Simd, Task, Vector};

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

/// An operation as the planner sees it. Its numbers are computed by its [`Kernel`].
pub trait Op: Compute<f32> + Compute<f64> + Debug + Send + Sync {
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

/// What an operation computes, written once for all number types and paths. Implementations are `#[inline(always)]`, so
/// that they become part of the function that is compiled for a path.
pub trait Kernel {
    /// Makes the result from the inputs.
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>);

    /// Passes the result's gradient, which it may rework, on to the inputs and parameters. Never called for an
    /// operation through which no gradient passes.
    #[inline(always)]
    fn backward<S: Simd>(&self, _frame: &mut Frame<'_, S>, _gradient: &mut [S::Vector]) {}

    /// Vectors of `lanes` numbers of scratch space that either run takes.
    fn scratch(&self, _dims: Dims, _lanes: usize) -> usize {
        0
    }
}

/// A [`Kernel`] in one number type: it finds the path when it is called.
pub trait Compute<T: Element> {
    /// See [`Kernel::forward`].
    fn forward(&self, run: &mut Run<'_, T>);
    /// See [`Kernel::backward`].
    fn backward(&self, run: &mut Run<'_, T>, gradient: &mut [T::Chunk]);
    /// See [`Kernel::scratch`].
    fn scratch(&self, dims: Dims) -> usize;
}

impl<K: Kernel, T: Element> Compute<T> for K {
    fn forward(&self, run: &mut Run<'_, T>) {
        T::run(run.shared.path, Forward { kernel: self, run });
    }

    fn backward(&self, run: &mut Run<'_, T>, gradient: &mut [T::Chunk]) {
        T::run(run.shared.path, Backward { kernel: self, run, gradient });
    }

    fn scratch(&self, dims: Dims) -> usize {
        Kernel::scratch(self, dims, T::LANES)
    }
}

struct Forward<'r, 'a, K, T: Element> {
    kernel: &'r K,
    run: &'r mut Run<'a, T>,
}

impl<K: Kernel, T: Element> Task<T> for Forward<'_, '_, K, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = T>>(self) {
        self.kernel.forward::<S>(Frame::of(self.run));
    }
}

struct Backward<'r, 'a, K, T: Element> {
    kernel: &'r K,
    run: &'r mut Run<'a, T>,
    gradient: &'r mut [T::Chunk],
}

impl<K: Kernel, T: Element> Task<T> for Backward<'_, '_, K, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = T>>(self) {
        self.kernel.backward::<S>(Frame::of(self.run), S::vectors_mut(self.gradient));
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
    #[inline(always)]
    pub(crate) fn pull_back<V: Vector>(self, results: &[V], gradients: &mut [V]) {
        match self {
            Activation::Identity => {}
            Activation::Tanh => {
                for (g, &y) in gradients.iter_mut().zip(results) {
                    *g = (-(y * *g)).mul_add(y, *g);
                }
            }
            Activation::Sigmoid => {
                for (g, &y) in gradients.iter_mut().zip(results) {
                    *g = *g * (-y).mul_add(y, y);
                }
            }
        }
    }
}

/// `for_each!(rows, width, inputs, |i, [a, b, …]| visit)` visits the vectors of a result of `rows` rows of `width`
/// vectors, with the positions of the inputs' vectors. An input with shorter rows (`inputs` are their widths) has one
/// lane per word, which serves all of its particles.
///
/// A macro, because a closure does not always become part of the loop that calls it.
macro_rules! for_each {
    ($rows:expr, $width:expr, $inputs:expr, |$i:pat_param, $at:pat_param| $visit:expr) => {{
        let (rows, width, inputs): (usize, usize, [usize; _]) = ($rows, $width, $inputs);
        let shortest = inputs.into_iter().min().unwrap_or(width);
        if shortest == width {
            for i in 0..rows * width {
                let ($i, $at) = (i, inputs.map(|_| i));
                $visit;
            }
        } else {
            for row in 0..rows {
                for first in (0..width).step_by(shortest) {
                    let starts = inputs.map(|own| if own == width { row * width + first } else { row * own });
                    for v in 0..shortest {
                        let ($i, $at) = (row * width + first + v, starts.map(|start| start + v));
                        $visit;
                    }
                }
            }
        }
    }};
}
pub(crate) use for_each;

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

/// Adds the sums of rows of `width` vectors to numbers: lane by lane along a row, then over the lanes.
#[inline(always)]
pub(crate) fn add_row_sums<S: Simd>(sums: &mut [S::Vector], rows: &[S::Vector], width: usize) {
    let sums: &mut [S::Element] = bytemuck::cast_slice_mut(sums);
    for (total, row) in sums.iter_mut().zip(rows.chunks_exact(width)) {
        let mut sum = row[0];
        for &x in &row[1..] {
            sum += x;
        }
        *total += sum.sum();
    }
}
