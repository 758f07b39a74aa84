//! The standard normal distribution function and its inverse, one number at a time.
//!
//! They turn noise into uniform numbers and back. Both are accurate to a few units in the last place of `f64` over
//! the whole range, tails included, and give the same bits on every machine.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// `Φ(x)`, the probability that a standard normal number is below `x`.
pub fn cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// `φ(x)`, the density: the slope of [`cdf`].
pub fn density(x: f64) -> f64 {
    libm::exp(-0.5 * x * x) / libm::sqrt(TAU)
}

/// `Φ⁻¹(u)`: minus infinity at 0, infinity at 1, NaN outside.
pub fn quantile(u: f64) -> f64 {
    if u > 0.5 {
        // 1 − u is exact here.
        return -lower_quantile(1.0 - u);
    }
    lower_quantile(u)
}

/// `Φ⁻¹(u)` up to the median.
fn lower_quantile(u: f64) -> f64 {
    if u <= 0.0 || u.is_nan() {
        return if u == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    // Abramowitz & Stegun, 26.2.22, is within 0.003; each of Halley's steps cubes the error.
    let t = libm::sqrt(-2.0 * libm::log(u));
    let mut x = (2.30753 + 0.27061 * t) / (1.0 + t * (0.99229 + 0.04481 * t)) - t;
    for _ in 0..3 {
        let newton = (cdf(x) - u) / density(x);
        x -= newton / (1.0 + 0.5 * x * newton);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from tables of 15 digits.
    #[test]
    fn known_values() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (-3.0, 1.349_898_031_630_09e-3),
            (-8.0, 6.220_960_574_271_78e-16),
            (-20.0, 2.753_624_118_606_23e-89),
        ] {
            assert!((cdf(x) / expected - 1.0).abs() < 1e-13, "Φ({x}) = {}", cdf(x));
        }
        assert!((quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-14);
    }

    #[test]
    fn the_quantile_inverts_the_distribution_function() {
        for step in -370..=80 {
            let x = f64::from(step) * 0.1;
            let back = quantile(cdf(x));
            // Above the median, rounding of u near 1 is all that is lost.
            let tolerance = 1e-13 * (1.0 + x.abs()) + if x > 0.0 { 1e-16 / density(x) } else { 0.0 };
            assert!((back - x).abs() <= tolerance, "{x}: {back}");
        }
    }

    #[test]
    fn edges() {
        assert!(quantile(0.5).abs() < 1e-16);
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(quantile(1.0), f64::INFINITY);
        assert!(quantile(-0.1).is_nan() && quantile(1.1).is_nan() && quantile(f64::NAN).is_nan());
        assert!(quantile(f64::MIN_POSITIVE).is_finite() && quantile(5e-324).is_finite());
        assert_eq!((cdf(f64::NEG_INFINITY), cdf(f64::INFINITY)), (0.0, 1.0));
    }
}
