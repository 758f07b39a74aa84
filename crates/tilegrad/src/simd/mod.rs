//! One source of kernels for every instruction set, chosen when the program runs.
//!
//! A kernel is a [`Task`]: generic code over a [`Simd`], whose vectors are thin wrappers of one instruction set's
//! intrinsics. [`Path::run`] calls the copy of it that was compiled for the chosen [`Path`], inside a function that has
//! the instruction set enabled. For that to reach the innermost loop, everything between that function and the
//! arithmetic is `#[inline(always)]`.
//!
//! A vector has eight lanes of `f32` on every path, sums over lanes have one fixed order, and elementary functions are
//! the same formulae. So the paths that fuse multiplication and addition give the same bits.
//!
//! ```
//! use tilegrad::simd::{Chunk8, Path, Simd, Task, Vector};
//!
//! struct SumOfSquares<'a>(&'a [Chunk8]);
//!
//! impl Task<f32> for SumOfSquares<'_> {
//!     type Output = f32;
//!
//!     #[inline(always)]
//!     fn run<S: Simd<Element = f32>>(self) -> f32 {
//!         let mut sum = S::Vector::splat(0.0);
//!         for &x in S::vectors(self.0) {
//!             sum = x.mul_add(x, sum);
//!         }
//!         sum.sum()
//!     }
//! }
//!
//! let numbers = [Chunk8::from([0., 1., 2., 3., 4., 5., 6., 7.])];
//! for path in Path::available() {
//!     assert_eq!(path.run(SumOfSquares(&numbers)), 140.0);
//! }
//! ```

mod chunk;
mod columns;
mod double;
#[cfg(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod halves;
#[cfg(target_arch = "aarch64")]
mod neon;
mod path;
mod plain;
#[cfg(test)]
mod tests;
mod vector;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use chunk::{Chunk, Chunk8};
pub use columns::Columns;
pub use path::{Path, PathError};
pub use vector::{Bits, Single, Vector};

pub(crate) use double::Double;

use crate::element::Element;

/// An instruction set as kernels see it. Only the engine implements it.
pub trait Simd: Copy + Send + Sync + 'static {
    /// The number type.
    type Element: Element;
    /// The vector that kernels compute with.
    type Vector: Vector<Element = Self::Element>;
    /// Vectors side by side that matrix products compute with.
    type Columns: Columns<Self::Vector>;
    /// As many of them as it takes for the rest of a row that is too short for those.
    type Rest: Columns<Self::Vector>;
    /// The vector that noise is drawn in.
    type Noise: Single;

    /// Rows of these that the registers hold beside the operands: 4, 6 or 12.
    const ROWS: usize;

    /// Runs work in a function of its own that is compiled for the instruction set: for code that several kernels
    /// share and that is too long to be repeated in each.
    fn enter<W: Work>(work: W) -> W::Output;

    /// Stores eight numbers of single precision in as many vectors as they fill.
    fn store_noise(numbers: Self::Noise, target: &mut [Self::Vector]);

    /// Stored numbers as vectors.
    #[inline(always)]
    fn vectors(chunks: &[<Self::Element as Element>::Chunk]) -> &[Self::Vector] {
        bytemuck::cast_slice(chunks)
    }

    /// Stored numbers as vectors to be written.
    #[inline(always)]
    fn vectors_mut(chunks: &mut [<Self::Element as Element>::Chunk]) -> &mut [Self::Vector] {
        bytemuck::cast_slice_mut(chunks)
    }
}

/// Code that is compiled for every path, in the number type `T`.
pub trait Task<T: Element> {
    /// What it gives.
    type Output;

    /// The code. Implementations must be `#[inline(always)]`, and so must all they call in their inner loops.
    fn run<S: Simd<Element = T>>(self) -> Self::Output;
}

/// Code for one path; see [`Simd::enter`].
pub trait Work {
    /// What it gives.
    type Output;

    /// The code, `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// A task that has got its path.
struct OnPath<S, K>(K, std::marker::PhantomData<S>);

impl<S: Simd, K: Task<S::Element>> Work for OnPath<S, K> {
    type Output = K::Output;

    #[inline(always)]
    fn run(self) -> K::Output {
        self.0.run::<S>()
    }
}

#[inline(always)]
fn start<S: Simd, K: Task<S::Element>>(task: K) -> K::Output {
    S::enter(OnPath::<S, K>(task, std::marker::PhantomData))
}
