//! The functions of [`single`](super::single) on four `f64` lanes, one lane at a time through the
//! standard library. Nothing is flushed to zero.

use wide::f64x4;

#[inline]
fn each(x: f64x4, function: impl Fn(f64) -> f64) -> f64x4 {
    f64x4::new(x.to_array().map(function))
}

/// `e^x`.
#[inline]
pub fn exp(x: f64x4) -> f64x4 {
    each(x, f64::exp)
}

/// The natural logarithm.
#[inline]
pub fn ln(x: f64x4) -> f64x4 {
    each(x, f64::ln)
}

/// The hyperbolic tangent.
#[inline]
pub fn tanh(x: f64x4) -> f64x4 {
    each(x, f64::tanh)
}

/// The logistic function `1 / (1 + e^−x)`.
#[inline]
pub fn sigmoid(x: f64x4) -> f64x4 {
    each(x, |x| 1.0 / (1.0 + (-x).exp()))
}

/// `ln(1 + e^x)`, as `max(x, 0) + ln(1 + e^−|x|)`, which neither overflows nor cancels.
#[inline]
pub fn softplus(x: f64x4) -> f64x4 {
    // A comparison rather than `f64::max`, which would drop a NaN.
    each(x, |x| if x > 0.0 { x } else { 0.0 } + (-x.abs()).exp().ln_1p())
}
