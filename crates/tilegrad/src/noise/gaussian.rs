//! Pairs of standard normal numbers from pairs of random words: G. E. P. Box and M. E. Muller, "A note
//! on the generation of random normal deviates" (1958).
//!
//! Only operations that IEEE 754 rounds correctly, in a fixed order; in particular no fused
//! multiply-add, which not every processor has. The coefficients come from `tools/minimax.py`.

use wide::{f32x8, i32x8, u32x8};

use crate::math::coefficients::Coefficients;
use crate::math::single::LN;

/// Two independent vectors of standard normal numbers.
#[inline(always)]
pub(super) fn pair(radius_words: u32x8, angle_words: u32x8) -> [f32x8; 2] {
    let radius = radius(radius_words);
    on_circle(angle_words).map(|coordinate| radius * coordinate)
}

/// `√(−2 ln u)` with `u = (k + ½) / 2^31`, `k` the upper 31 bits, rounded to float precision.
#[inline(always)]
fn radius(words: u32x8) -> f32x8 {
    let k: i32x8 = bytemuck::cast(words >> 1);
    let scaled = f32x8::from_i32x8(k) + f32x8::splat(0.5);
    // 2^31 u = 2^(n + 31) (1 + f) with 1 + f between √½ and √2; u is at most 1, so neither n nor, for
    // n = 0, f is positive, and the root is real.
    let root_half = i32x8::splat(0x3f35_04f3);
    let above = bytemuck::cast::<f32x8, i32x8>(scaled) - (root_half + i32x8::splat(31 << 23));
    let n = f32x8::from_i32x8(above >> 23);
    let mantissa = (above & i32x8::splat(0x007f_ffff)) + root_half;
    let f = bytemuck::cast::<i32x8, f32x8>(mantissa) - f32x8::splat(1.0);
    let square = f * f;
    let c = LN.vectors();
    let term = |i: usize| c[i] + c[i + 1] * f;
    let low = term(0) + term(2) * square;
    let high = term(4) + term(6) * square;
    let tail = low + high * (square * square);
    let logarithm = n * f32x8::splat(std::f32::consts::LN_2) + (f + square * tail);
    (logarithm * f32x8::splat(-2.0)).sqrt()
}

/// A point on the unit circle: the lower 30 bits are an angle between −π/4 and π/4, the upper two turn
/// it into one of the four quadrants, by the sign of one coordinate and by exchanging the two.
#[inline(always)]
fn on_circle(words: u32x8) -> [f32x8; 2] {
    static SINE: Coefficients<3> = Coefficients::new([-0.166_666_55, 0.008_332_189, -0.000_195_182_9]);
    static COSINE: Coefficients<3> = Coefficients::new([0.041_666_646, -0.001_388_731, 2.443_232_7e-5]);
    const SCALE: f32 = std::f32::consts::FRAC_PI_4 / 2_147_483_648.0;
    let angle = f32x8::from_i32x8(bytemuck::cast(words << 2)) * f32x8::splat(SCALE);
    let square = angle * angle;
    let c = SINE.vectors();
    let sine = angle + angle * (square * (c[0] + square * (c[1] + square * c[2])));
    let c = COSINE.vectors();
    let tail = c[0] + square * (c[1] + square * c[2]);
    let cosine = f32x8::splat(1.0) + square * (f32x8::splat(-0.5) + square * tail);
    let sign: f32x8 = bytemuck::cast(words & u32x8::splat(0x8000_0000));
    let cosine = cosine ^ sign;
    let exchange = bytemuck::cast::<u32x8, i32x8>(words << 1) >> 31;
    let exchange: f32x8 = bytemuck::cast(exchange);
    [exchange.select(sine, cosine), exchange.select(cosine, sine)]
}
