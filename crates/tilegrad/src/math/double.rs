//! The functions of [`single`](super::single) in double precision, by the standard library. Nothing is flushed to zero.

/// `e^x`.
pub fn exp(x: f64) -> f64 {
    x.exp()
}

/// The natural logarithm.
pub fn ln(x: f64) -> f64 {
    x.ln()
}

/// The hyperbolic tangent.
pub fn tanh(x: f64) -> f64 {
    x.tanh()
}

/// The logistic function `1 / (1 + e^−x)`.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `ln(1 + e^x)`, as `max(x, 0) + ln(1 + e^−|x|)`, which neither overflows nor cancels.
pub fn softplus(x: f64) -> f64 {
    // A comparison rather than `f64::max`, which would drop a NaN.
    (if x > 0.0 { x } else { 0.0 }) + (-x.abs()).exp().ln_1p()
}
