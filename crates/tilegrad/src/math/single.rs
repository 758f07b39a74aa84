//! Elementary functions on eight `f32` lanes, without branches.
//!
//! Largest relative errors over sweeps of all magnitudes (`tests/math.rs` prints them): exp 8e-8,
//! ln 1.1e-7, sigmoid 1.5e-7, softplus 1.8e-7, tanh 3.2e-7.
//!
//! A NaN passes through every function. The processor need not flush subnormal numbers, but
//! results that would be subnormal are zero where the documentation of a function says so.
//!
//! The coefficients are minimax fits made by `tools/minimax.py`, which prints them lowest power
//! first with their errors in exact arithmetic.

use wide::{f32x8, i32x8, u32x8};

/// `ln 2` in two parts; the first has 12 bits, so that a product with any exponent is exact.
const LN_2_HIGH: f32 = 0.693_115_23;
const LN_2_LOW: f32 = 3.194_618_3e-5;

/// `c[0] + c[1] x + c[2] x² + …`, by Horner's rule: the fewest operations, one after the other.
#[inline(always)]
fn horner<const N: usize>(x: f32x8, coefficients: [f32; N]) -> f32x8 {
    let mut sum = f32x8::splat(coefficients[N - 1]);
    for &coefficient in coefficients[..N - 1].iter().rev() {
        sum = sum.mul_add(x, f32x8::splat(coefficient));
    }
    sum
}

/// The same for eight coefficients by Estrin's scheme, given also `x²`: one operation more, but a
/// chain of three instead of seven, so that neighbouring vectors need not overlap as far.
#[inline(always)]
fn estrin(x: f32x8, square: f32x8, c: [f32; 8]) -> f32x8 {
    let pair = |i: usize| f32x8::splat(c[i + 1]).mul_add(x, f32x8::splat(c[i]));
    let low = pair(2).mul_add(square, pair(0));
    let high = pair(6).mul_add(square, pair(4));
    high.mul_add(square * square, low)
}

/// `e^x`. Overflows to +∞ above 88.72; zero where the result would be below `2^−125.5`, that is for
/// `x` below −86.99.
#[inline(always)]
pub fn exp(x: f32x8) -> f32x8 {
    // Beyond these bounds the result is +∞ and 0; within them the exponent fits its field.
    // `fast_clamp` lets a NaN through.
    let x = x.fast_clamp(f32x8::splat(-87.5), f32x8::splat(89.0));
    // e^x = 2^n e^r with n the integer nearest to x / ln 2. Adding a number whose unit in the last
    // place is 1 rounds, and leaves n + 126 in the lowest bits.
    let shifter = f32x8::splat(12_582_912.0 + 126.0);
    let shifted = x.mul_add(f32x8::splat(std::f32::consts::LOG2_E), shifter);
    let n = shifted - shifter;
    let r = n.mul_neg_add(f32x8::splat(LN_2_HIGH), x);
    let r = n.mul_neg_add(f32x8::splat(LN_2_LOW), r);
    // 2 e^r · 2^(n−1): with the factor of two in the polynomial the power stays finite for n = 128,
    // where the product may still be, and is zero for n = −126.
    let twice =
        horner(r, [2.0, 2.0, 0.999_999_9, 0.333_330_33, 0.083_336_204, 0.016_738_385, 0.002_767_775_2]);
    let bits: u32x8 = bytemuck::cast(shifted);
    twice * bytemuck::cast::<u32x8, f32x8>(bits << 23)
}

/// The natural logarithm, also of subnormal numbers. `ln 0 = −∞`, `ln ∞ = ∞`, NaN below zero.
#[inline(always)]
pub fn ln(x: f32x8) -> f32x8 {
    // Subnormal numbers are scaled into the normal range first.
    let subnormal = x.simd_lt(f32x8::splat(f32::MIN_POSITIVE));
    let scaled = subnormal.select(x * f32x8::splat(16_777_216.0), x);
    let correction = subnormal & f32x8::splat(24.0);
    // x = 2^n (1 + f) with 1 + f between √½ and √2.
    let root_half = i32x8::splat(0x3f35_04f3);
    let bits: i32x8 = bytemuck::cast(scaled);
    let above = bits - root_half;
    let n = f32x8::from_i32x8(above >> 23) - correction;
    let mantissa = (above & i32x8::splat(0x007f_ffff)) + root_half;
    let f = bytemuck::cast::<i32x8, f32x8>(mantissa) - f32x8::splat(1.0);
    let square = f * f;
    let tail = estrin(
        f,
        square,
        [
            -0.499_999_9,
            0.333_339_5,
            -0.250_017_55,
            0.199_620_72,
            -0.165_705_09,
            0.149_179_77,
            -0.143_075_26,
            0.087_348_44,
        ],
    );
    let small = square.mul_add(tail, n * f32x8::splat(LN_2_LOW));
    let value = n.mul_add(f32x8::splat(LN_2_HIGH), f + small);
    let value = x.simd_eq(f32x8::splat(0.0)).select(f32x8::splat(f32::NEG_INFINITY), value);
    // All bits set is a NaN; it stands for every negative number. +∞ and NaN are their own logarithms.
    let value = value | x.simd_lt(f32x8::splat(0.0));
    x.simd_lt(f32x8::splat(f32::INFINITY)).select(value, x)
}

/// The hyperbolic tangent; never outside [−1, 1], and ±1 beyond ±9.02.
#[inline(always)]
pub fn tanh(x: f32x8) -> f32x8 {
    let x = x.fast_clamp(f32x8::splat(-9.5), f32x8::splat(9.5));
    let square = x * x;
    let numerator = horner(square, [1.0, 0.133_826_85, 0.003_497_456_4, 2.063_571_5e-5, 1.338_479_2e-8]);
    let denominator = horner(square, [1.0, 0.467_160_08, 0.025_884_35, 0.000_328_851_28, 7.790_223_4e-7]);
    (x * numerator / denominator).fast_clamp(f32x8::splat(-1.0), f32x8::splat(1.0))
}

/// The logistic function `1 / (1 + e^−x)`; zero below −88.72.
#[inline(always)]
pub fn sigmoid(x: f32x8) -> f32x8 {
    let one = f32x8::splat(1.0);
    one / (one + exp(-x))
}

/// `ln(1 + e^x) = max(x, 0) + ln(1 + e^−|x|)`; zero below −86.99, like [`exp`].
#[inline(always)]
pub fn softplus(x: f32x8) -> f32x8 {
    let u = exp(-x.abs());
    let square = u * u;
    let tail = estrin(
        u,
        square,
        [
            -0.499_996_48,
            0.333_213_3,
            -0.248_572_17,
            0.191_538_48,
            -0.137_541_88,
            0.079_208_83,
            -0.030_068_3,
            0.005_365_422_5,
        ],
    );
    square.mul_add(tail, u) + x.fast_max(f32x8::splat(0.0))
}
