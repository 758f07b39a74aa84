//! The two number types of the engine and their vectors: `f32` for work, `f64` for checks.

use std::fmt::{Debug, Display};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use bytemuck::{Pod, Zeroable};
use wide::{f32x8, f64x4};

use crate::math;
use crate::ops::{Kernel, Op};

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
    /// The vector that the kernels compute with.
    type Vector: Vector<Element = Self>;

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

    /// The implementation of `op` in this number type.
    #[doc(hidden)]
    fn kernel(op: &dyn Op) -> &dyn Kernel<Self>;
}

/// Several numbers that are computed with at once.
///
/// The elementary functions are accurate to a few units of 1e-7 (single) or of the standard library
/// (double), and pass NaN through.
pub trait Vector:
    Pod
    + Zeroable
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + Debug
    + Send
    + Sync
    + 'static
{
    /// The type of one lane.
    type Element: Element<Vector = Self>;

    /// Number of lanes.
    const LANES: usize;

    /// The same value in all lanes.
    fn splat(value: Self::Element) -> Self;
    /// `self · factor + addend`, fused where the machine can.
    fn mul_add(self, factor: Self, addend: Self) -> Self;
    /// The larger of the two in each lane; NaN in `self` is passed through.
    fn max(self, other: Self) -> Self;
    /// The smaller of the two in each lane; NaN in `self` is passed through.
    fn min(self, other: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// `e^x`.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// `1 / (1 + e^−x)`.
    fn sigmoid(self) -> Self;
    /// `ln(1 + e^x)`.
    fn softplus(self) -> Self;
    /// Lane by lane: `yes` where `self > 0`, else `no`.
    fn where_positive(self, yes: Self, no: Self) -> Self;
    /// Sum of all lanes, in a fixed order.
    fn sum(self) -> Self::Element;
    /// Transposes a square block of `LANES` vectors in place.
    fn transpose(block: &mut [Self]);
    /// Stores eight numbers of single precision in as many vectors as they fill.
    fn from_single(numbers: f32x8, target: &mut [Self]);

    /// A function of each lane, in double precision.
    fn each(mut self, function: impl Fn(f64) -> f64) -> Self {
        let lanes: &mut [Self::Element] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut self));
        lanes.iter_mut().for_each(|lane| *lane = Self::Element::from_f64(function(lane.to_f64())));
        self
    }

    /// A constant in all lanes.
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self::splat(Self::Element::from_f64(value))
    }
}

macro_rules! implement {
    ($element:ty, $vector:ty, $lanes:expr, $math:path, $from_single:expr) => {
        impl Element for $element {
            type Vector = $vector;

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

            fn kernel(op: &dyn Op) -> &dyn Kernel<Self> {
                op
            }
        }

        impl Vector for $vector {
            type Element = $element;
            const LANES: usize = $lanes;

            #[inline(always)]
            fn splat(value: $element) -> Self {
                <$vector>::splat(value)
            }

            #[inline(always)]
            fn mul_add(self, factor: Self, addend: Self) -> Self {
                <$vector>::mul_add(self, factor, addend)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                // The instruction returns its second operand when either is NaN.
                other.fast_max(self)
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                other.fast_min(self)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                <$vector>::sqrt(self)
            }

            #[inline(always)]
            fn exp(self) -> Self {
                use $math as f;
                f::exp(self)
            }

            #[inline(always)]
            fn ln(self) -> Self {
                use $math as f;
                f::ln(self)
            }

            #[inline(always)]
            fn tanh(self) -> Self {
                use $math as f;
                f::tanh(self)
            }

            #[inline(always)]
            fn sigmoid(self) -> Self {
                use $math as f;
                f::sigmoid(self)
            }

            #[inline(always)]
            fn softplus(self) -> Self {
                use $math as f;
                f::softplus(self)
            }

            #[inline(always)]
            fn where_positive(self, yes: Self, no: Self) -> Self {
                self.simd_gt(Self::ZERO).bitselect(yes, no)
            }

            #[inline(always)]
            fn sum(self) -> $element {
                self.reduce_add()
            }

            #[inline(always)]
            fn transpose(block: &mut [Self]) {
                let block: &mut [Self; $lanes] = block.try_into().expect("a square block");
                *block = <$vector>::transpose(*block);
            }

            #[inline(always)]
            fn from_single(numbers: f32x8, target: &mut [Self]) {
                $from_single(numbers, target);
            }
        }
    };
}

implement!(f32, f32x8, 8, math::single, |numbers, target: &mut [f32x8]| target[0] = numbers);
implement!(f64, f64x4, 4, math::double, |numbers: f32x8, target: &mut [f64x4]| {
    let numbers = numbers.to_array().map(f64::from);
    for (vector, numbers) in target.iter_mut().zip(numbers.as_chunks::<4>().0) {
        *vector = f64x4::new(*numbers);
    }
});
