//! Elementary functions on eight `f32` lanes.
//!
//! Largest relative errors over sweeps of all magnitudes (`tests/math.rs` prints them): exp 8e-8,
//! ln 1.1e-7, sigmoid 1.5e-7, softplus 1.8e-7, tanh 3.2e-7.
//!
//! A NaN passes through every function. The processor need not flush subnormal numbers, but
//! results that would be subnormal are zero where the documentation of a function says so.
//!
//! The coefficients are minimax fits made by `tools/minimax.py`, which prints them lowest power
//! first with their errors in exact arithmetic.

use crate::simd::{Bits, Single};

use super::coefficients::Coefficients;

/// `ln 2` in two parts; the first has 12 bits, so that a product with any exponent is exact.
const LN_2_HIGH: f32 = 0.693_115_23;
const LN_2_LOW: f32 = 3.194_618_3e-5;

/// Below, [`exp`] is zero. Just low enough for the nearest power of two to be one that is.
const EXP_LOWEST: f32 = -87.5;

/// `ln(1 + f) = f + f² (c₀ + c₁ f + …)` for `1 + f` between √½ and √2.
pub(crate) static LN: Coefficients<8> = Coefficients::new([
    -0.499_999_9,
    0.333_339_5,
    -0.250_017_55,
    0.199_620_72,
    -0.165_705_09,
    0.149_179_77,
    -0.143_075_26,
    0.087_348_44,
]);

/// `e^x`. Overflows to +∞ above 88.72; zero where the result would be below `2^−125.5`, that is for
/// `x` below −86.99.
#[inline(always)]
pub fn exp<V: Single>(x: V) -> V {
    // Beyond these bounds the result is 0 and +∞; within them the exponent fits its field.
    exp_in_range(x.clamp(EXP_LOWEST, 89.0))
}

#[inline(always)]
fn exp_in_range<V: Single>(x: V) -> V {
    static TWICE_EXP: Coefficients<7> = Coefficients::new([
        2.0,
        2.0,
        0.999_999_9,
        0.333_330_33,
        0.083_336_204,
        0.016_738_385,
        0.002_767_775_2,
    ]);
    // e^x = 2^n e^r with n the integer nearest to x / ln 2. Adding a number whose unit in the last
    // place is 1 rounds, and leaves n + 126 in the lowest bits.
    let shifter = V::splat(12_582_912.0 + 126.0);
    let shifted = x.mul_add(V::splat(std::f32::consts::LOG2_E), shifter);
    let minus_n = shifter - shifted;
    let r = minus_n.mul_add(V::splat(LN_2_HIGH), x);
    let r = minus_n.mul_add(V::splat(LN_2_LOW), r);
    // 2 e^r · 2^(n−1): with the factor of two in the polynomial the power stays finite for n = 128,
    // where the product may still be, and is zero for n = −126.
    TWICE_EXP.horner(r) * V::from_bits(shifted.to_bits().shift_left::<23>())
}

/// The natural logarithm, also of subnormal numbers. `ln 0 = −∞`, `ln ∞ = ∞`, NaN below zero.
#[inline(always)]
pub fn ln<V: Single>(x: V) -> V {
    // Positive normal numbers are one interval of bit patterns; moved down to the lowest integer it
    // takes one comparison. Anything else is rare.
    let moved = x.to_bits() + V::Bits::splat(0x7f80_0000);
    let is_special = moved.greater(V::Bits::splat(-0x0100_0001_i32 as u32)).any();
    if !is_special {
        return ln_of_normal(x, V::splat(0.0));
    }
    let zero = V::splat(0.0);
    let subnormal = x.less(V::splat(f32::MIN_POSITIVE));
    let scaled = V::choose(subnormal, x * V::splat(16_777_216.0), x);
    let value = ln_of_normal(scaled, V::choose(subnormal, V::splat(24.0), zero));
    // Not positive: minus infinity at zero, NaN below.
    let value = V::choose(zero.less(x), value, V::splat(f32::NEG_INFINITY));
    let value = V::choose(x.less(zero), V::splat(f32::NAN), value);
    // +∞ and NaN are their own logarithms.
    V::choose(x.less(V::splat(f32::INFINITY)), value, x)
}

/// `ln(x / 2^halvings)` for a positive normal number.
#[inline(always)]
fn ln_of_normal<V: Single>(x: V, halvings: V) -> V {
    // x = 2^n (1 + f) with 1 + f between √½ and √2.
    let root_half = V::Bits::splat(0x3f35_04f3);
    let above = x.to_bits() - root_half;
    let n = V::from_integers(above.shift_sign::<23>()) - halvings;
    let mantissa = (above & V::Bits::splat(0x007f_ffff)) + root_half;
    let f = V::from_bits(mantissa) - V::splat(1.0);
    let square = f * f;
    let small = square.mul_add(LN.estrin(f, square), n * V::splat(LN_2_LOW));
    n.mul_add(V::splat(LN_2_HIGH), f + small)
}

/// The hyperbolic tangent; never outside [−1, 1].
#[inline(always)]
pub fn tanh<V: Single>(x: V) -> V {
    static NUMERATOR: Coefficients<5> =
        Coefficients::new([1.0, 0.133_826_85, 0.003_497_456_4, 2.063_571_5e-5, 1.338_479_2e-8]);
    static DENOMINATOR: Coefficients<5> =
        Coefficients::new([1.0, 0.467_160_08, 0.025_884_35, 0.000_328_851_28, 7.790_223_4e-7]);
    // The quotient is fitted up to 9.02, where the result rounds to 1, and above 1 at 9.5.
    let x = x.clamp(-9.5, 9.5);
    let square = x * x;
    let quotient = x * NUMERATOR.horner(square) / DENOMINATOR.horner(square);
    quotient.clamp(-1.0, 1.0)
}

/// The logistic function `1 / (1 + e^−x)`; zero below −88.72.
#[inline(always)]
pub fn sigmoid<V: Single>(x: V) -> V {
    let one = V::splat(1.0);
    one / (one + exp(-x))
}

/// `ln(1 + e^x) = max(x, 0) + ln(1 + e^−|x|)`; zero below −86.99, like [`exp`].
#[inline(always)]
pub fn softplus<V: Single>(x: V) -> V {
    static LN_1P: Coefficients<8> = Coefficients::new([
        -0.499_996_48,
        0.333_213_3,
        -0.248_572_17,
        0.191_538_48,
        -0.137_541_88,
        0.079_208_83,
        -0.030_068_3,
        0.005_365_422_5,
    ]);
    // `max` lets a NaN of its first argument through, which is enough once.
    let u = exp_in_range((-x.abs()).max(V::splat(EXP_LOWEST)));
    let square = u * u;
    square.mul_add(LN_1P.estrin(u, square), u) + V::splat(0.0).max(x)
}
