//! What kernels do with vectors. [`Vector`] is what they see, in either precision; [`Single`] and [`Bits`] are what an
//! instruction set must offer.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

use bytemuck::Pod;

use crate::element::Element;
use crate::math::single;

/// Several numbers that are computed with at once.
///
/// The elementary functions are accurate to a few units of 1e-7 (single) or of the standard library
/// (double), and pass NaN through.
pub trait Vector:
    Pod
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
    type Element: Element;

    /// Number of lanes.
    const LANES: usize;

    /// The same value in all lanes.
    fn splat(value: Self::Element) -> Self;
    /// `self · factor + addend`, fused on the paths that [fuse](crate::simd::Path::fuses).
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
    /// Sum of all lanes: the halves are added to each other until one number is left.
    fn sum(self) -> Self::Element;
    /// Transposes a square block of `LANES` vectors in place.
    ///
    /// # Panics
    /// If there are not as many.
    fn transpose(block: &mut [Self]);

    /// A constant in all lanes.
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self::splat(Self::Element::from_f64(value))
    }

    /// The first [`LANES`](Self::LANES) numbers of a slice.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    fn load(numbers: &[Self::Element]) -> Self {
        bytemuck::pod_read_unaligned(bytemuck::cast_slice(&numbers[..Self::LANES]))
    }
}

/// Eight lanes of single precision: what the elementary functions are made of.
pub trait Single:
    Pod
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
    /// The lanes' bits.
    type Bits: Bits;

    /// The same value in all lanes.
    fn splat(value: f32) -> Self;
    /// `self · factor + addend`.
    fn mul_add(self, factor: Self, addend: Self) -> Self;
    /// `other` where it is larger, else `self`.
    fn max(self, other: Self) -> Self;
    /// `other` where it is smaller, else `self`.
    fn min(self, other: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// `((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))`
    fn sum(self) -> f32;
    /// Transposes eight vectors of eight lanes.
    fn transpose(block: [Self; 8]) -> [Self; 8];
    /// The bits of the numbers.
    fn to_bits(self) -> Self::Bits;
    /// The numbers of these bits.
    fn from_bits(bits: Self::Bits) -> Self;
    /// The numbers nearest to signed integers.
    fn from_integers(integers: Self::Bits) -> Self;
    /// All bits set where `self < other`.
    fn less(self, other: Self) -> Self::Bits;
    /// `yes` where all bits of the mask are set, `no` where none is.
    fn choose(mask: Self::Bits, yes: Self, no: Self) -> Self;

    /// Magnitude.
    #[inline(always)]
    fn abs(self) -> Self {
        Self::from_bits(self.to_bits() & Self::Bits::splat(0x7fff_ffff))
    }

    /// Not below `low` and not above `high`; NaN stays.
    #[inline(always)]
    fn clamp(self, low: f32, high: f32) -> Self {
        self.min(Self::splat(high)).max(Self::splat(low))
    }

    /// Eight stored numbers.
    #[inline(always)]
    fn from_chunk(chunk: &super::Chunk8) -> Self {
        bytemuck::cast(*chunk)
    }
}

/// Eight lanes of 32 bits.
pub trait Bits:
    Pod
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Debug
{
    /// The same bits in all lanes.
    fn splat(bits: u32) -> Self;
    /// Towards the higher bits.
    fn shift_left<const BY: i32>(self) -> Self;
    /// Towards the lower bits, filled up with zeros.
    fn shift_right<const BY: i32>(self) -> Self;
    /// Towards the lower bits, filled up with the sign.
    fn shift_sign<const BY: i32>(self) -> Self;
    /// All bits set where `self > other`, as signed integers.
    fn greater(self, other: Self) -> Self;
    /// Whether any lane of a mask is set.
    fn any(self) -> bool;
    /// The products of lanes 0, 2, 4, 6 with a number: low half there, high half in the lane that follows.
    fn even_products(self, factor: Self) -> Self;
    /// Lanes 1, 3, 5, 7 moved to 0, 2, 4, 6. The others are arbitrary.
    fn odd(self) -> Self;
    /// Lanes 0, 2, 4, 6 of `even` there, those of `odd` in the lanes that follow.
    fn interleave(even: Self, odd: Self) -> Self;
}

impl<V: Single> Vector for V {
    type Element = f32;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Single::splat(value)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Single::mul_add(self, factor, addend)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Single::max(self, other)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Single::min(self, other)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Single::sqrt(self)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        single::exp(self)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        single::ln(self)
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        single::tanh(self)
    }

    #[inline(always)]
    fn sigmoid(self) -> Self {
        single::sigmoid(self)
    }

    #[inline(always)]
    fn softplus(self) -> Self {
        single::softplus(self)
    }

    #[inline(always)]
    fn where_positive(self, yes: Self, no: Self) -> Self {
        Single::choose(<V as Single>::splat(0.0).less(self), yes, no)
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        Single::sum(self)
    }

    #[inline(always)]
    fn transpose(block: &mut [Self]) {
        let block: &mut [Self; 8] = block.try_into().expect("a square block");
        *block = Single::transpose(*block);
    }
}

/// Implements operators of two vectors.
macro_rules! operators {
    ($type:ty, $($operator:ident $method:ident($a:ident, $b:ident) $body:expr;)*) => {$(
        impl std::ops::$operator for $type {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $body
            }
        }
    )*};
}

/// Implements `+=` by `+`.
macro_rules! add_assign {
    ($type:ty) => {
        impl std::ops::AddAssign for $type {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
    };
}

/// Declares that a type is numbers and nothing else.
macro_rules! numbers {
    ($type:ty) => {
        // SAFETY: the type is a vector or an array of numbers: zeros are numbers.
        unsafe impl bytemuck::Zeroable for $type {}
        // SAFETY: as above, all bits are numbers, and there is no padding.
        unsafe impl bytemuck::Pod for $type {}
    };
}

pub(super) use {add_assign, numbers, operators};
