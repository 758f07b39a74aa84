//! Pairs of standard normal numbers from pairs of random words: G. E. P. Box and M. E. Muller, "A note
//! on the generation of random normal deviates" (1958).
//!
//! Only operations that IEEE 754 rounds correctly, in a fixed order; in particular no fused
//! multiply-add, which not every processor has. The coefficients come from `tools/minimax.py`.

use crate::math::coefficients::Coefficients;
use crate::math::single::LN;
use crate::simd::{Bits, Single};

/// Two independent vectors of standard normal numbers.
#[inline(always)]
pub(super) fn pair<V: Single>(radius_words: V::Bits, angle_words: V::Bits) -> [V; 2] {
    let radius: V = radius(radius_words);
    let [x, y] = on_circle(angle_words);
    [radius * x, radius * y]
}

/// `√(−2 ln u)` with `u = (k + ½) / 2^31`, `k` the upper 31 bits, rounded to float precision.
#[inline(always)]
fn radius<V: Single>(words: V::Bits) -> V {
    let scaled = V::from_integers(words.shift_right::<1>()) + V::splat(0.5);
    // 2^31 u = 2^(n + 31) (1 + f) with 1 + f between √½ and √2; u is at most 1, so neither n nor, for
    // n = 0, f is positive, and the root is real.
    let root_half = V::Bits::splat(0x3f35_04f3);
    let above = scaled.to_bits() - (root_half + V::Bits::splat(31 << 23));
    let n = V::from_integers(above.shift_sign::<23>());
    let mantissa = (above & V::Bits::splat(0x007f_ffff)) + root_half;
    let f = V::from_bits(mantissa) - V::splat(1.0);
    let square = f * f;
    let c = LN.vectors::<V>();
    let low = (c(0) + c(1) * f) + (c(2) + c(3) * f) * square;
    let high = (c(4) + c(5) * f) + (c(6) + c(7) * f) * square;
    let tail = low + high * (square * square);
    let logarithm = n * V::splat(std::f32::consts::LN_2) + (f + square * tail);
    (logarithm * V::splat(-2.0)).sqrt()
}

/// A point on the unit circle: the lower 30 bits are an angle between −π/4 and π/4, the upper two turn
/// it into one of the four quadrants, by the sign of one coordinate and by exchanging the two.
#[inline(always)]
fn on_circle<V: Single>(words: V::Bits) -> [V; 2] {
    static SINE: Coefficients<3> = Coefficients::new([-0.166_666_55, 0.008_332_189, -0.000_195_182_9]);
    static COSINE: Coefficients<3> = Coefficients::new([0.041_666_646, -0.001_388_731, 2.443_232_7e-5]);
    const SCALE: f32 = std::f32::consts::FRAC_PI_4 / 2_147_483_648.0;
    let angle = V::from_integers(words.shift_left::<2>()) * V::splat(SCALE);
    let square = angle * angle;
    let c = SINE.vectors::<V>();
    let sine = angle + angle * (square * (c(0) + square * (c(1) + square * c(2))));
    let c = COSINE.vectors::<V>();
    let tail = c(0) + square * (c(1) + square * c(2));
    let cosine = V::splat(1.0) + square * (V::splat(-0.5) + square * tail);
    let sign = words & V::Bits::splat(0x8000_0000);
    let cosine = V::from_bits(cosine.to_bits() ^ sign);
    let exchange = words.shift_left::<1>().shift_sign::<31>();
    [V::choose(exchange, sine, cosine), V::choose(exchange, cosine, sine)]
}
