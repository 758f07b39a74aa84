//! The numbers a parameter vector may have.

use std::ops::{Add, Div, Mul, Sub};

/// `f32` or `f64`.
pub trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;
    /// The same number as `f64`.
    fn to_f64(self) -> f64;
    /// The square root.
    fn sqrt(self) -> Self;
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool;
}

macro_rules! real {
    ($type:ty) => {
        impl Real for $type {
            #[inline]
            fn from_f64(value: f64) -> Self {
                value as $type
            }

            #[inline]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }

            #[inline]
            fn sqrt(self) -> Self {
                <$type>::sqrt(self)
            }

            #[inline]
            fn is_finite(self) -> bool {
                <$type>::is_finite(self)
            }
        }
    };
}

real!(f32);
real!(f64);
