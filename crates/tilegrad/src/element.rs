//! The two number types of the engine: `f32` for work, `f64` for checks.

use std::fmt::{Debug, Display};
use std::ops::{Add, AddAssign, Div, Mul, Sub};

use bytemuck::Pod;

use crate::ops::{Compute, Op};
use crate::simd::{Chunk, Double, Path, Task};

/// A number type that graphs can run in. Implemented for `f32` and `f64` only.
pub trait Element:
    Pod
    + PartialOrd
    + Default
    + Debug
    + Display
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + Send
    + Sync
    + 'static
{
    /// The numbers of a vector in memory.
    type Chunk: Pod + Debug + Send + Sync;

    /// Numbers in a vector.
    const LANES: usize;

    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;

    /// The same number in double precision.
    fn to_f64(self) -> f64;

    /// The square root.
    fn sqrt(self) -> Self;

    /// The largest number below.
    fn next_down(self) -> Self;

    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool;

    /// Runs a task on a path, or on the only one that this number type has.
    fn run<K: Task<Self>>(path: Path, task: K) -> K::Output;

    /// The implementation of `op` in this number type.
    #[doc(hidden)]
    fn kernel(op: &dyn Op) -> &dyn Compute<Self>;
}

macro_rules! implement {
    ($element:ty, $lanes:expr, $path:ident, $task:ident, $run:expr) => {
        impl Element for $element {
            type Chunk = Chunk<$element, $lanes>;
            const LANES: usize = $lanes;

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $element
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                <$element>::sqrt(self)
            }

            #[inline(always)]
            fn next_down(self) -> Self {
                <$element>::next_down(self)
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                <$element>::is_finite(self)
            }

            #[inline]
            fn run<K: Task<Self>>($path: Path, $task: K) -> K::Output {
                $run
            }

            fn kernel(op: &dyn Op) -> &dyn Compute<Self> {
                op
            }
        }
    };
}

implement!(f32, 8, path, task, path.run(task));
implement!(f64, 4, _path, task, task.run::<Double>());
