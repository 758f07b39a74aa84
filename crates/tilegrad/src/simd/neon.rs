//! NEON, which every 64-bit ARM processor has.

use std::arch::aarch64::*;

use super::halves::halves;
use super::{Simd, Work};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Neon;

impl Simd for Neon {
    type Element = f32;
    type Vector = F32x8;
    type Columns = [F32x8; 2];
    type Rest = [F32x8; 1];
    type Noise = F32x8;
    const ROWS: usize = 6;

    #[inline(always)]
    fn enter<W: Work>(work: W) -> W::Output {
        #[inline(never)]
        fn neon<W: Work>(work: W) -> W::Output {
            work.run()
        }
        neon(work)
    }

    #[inline(always)]
    fn store_noise(numbers: F32x8, target: &mut [F32x8]) {
        target[0] = numbers;
    }
}

halves!(four, float32x4_t, uint32x4_t);

/// Operations of four lanes.
mod four {
    use std::arch::aarch64::*;

    /// Functions that are one expression of intrinsics.
    macro_rules! functions {
        ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:expr;)*) => {$(
            #[inline(always)]
            pub(super) fn $name($($argument: $type),*) -> $result {
                // SAFETY: NEON is part of the target's baseline.
                unsafe { $body }
            }
        )*};
    }

    functions! {
        add(a: float32x4_t, b: float32x4_t) -> float32x4_t = vaddq_f32(a, b);
        sub(a: float32x4_t, b: float32x4_t) -> float32x4_t = vsubq_f32(a, b);
        mul(a: float32x4_t, b: float32x4_t) -> float32x4_t = vmulq_f32(a, b);
        div(a: float32x4_t, b: float32x4_t) -> float32x4_t = vdivq_f32(a, b);
        neg(a: float32x4_t) -> float32x4_t = vnegq_f32(a);
        splat(value: f32) -> float32x4_t = vdupq_n_f32(value);
        mul_add(a: float32x4_t, b: float32x4_t, c: float32x4_t) -> float32x4_t = vfmaq_f32(c, a, b);
        max(a: float32x4_t, other: float32x4_t) -> float32x4_t = vbslq_f32(vcgtq_f32(other, a), other, a);
        min(a: float32x4_t, other: float32x4_t) -> float32x4_t = vbslq_f32(vcltq_f32(other, a), other, a);
        sqrt(a: float32x4_t) -> float32x4_t = vsqrtq_f32(a);
        to_bits(a: float32x4_t) -> uint32x4_t = vreinterpretq_u32_f32(a);
        from_bits(a: uint32x4_t) -> float32x4_t = vreinterpretq_f32_u32(a);
        from_integers(a: uint32x4_t) -> float32x4_t = vcvtq_f32_s32(vreinterpretq_s32_u32(a));
        less(a: float32x4_t, b: float32x4_t) -> uint32x4_t = vcltq_f32(a, b);
        choose(mask: uint32x4_t, yes: float32x4_t, no: float32x4_t) -> float32x4_t = vbslq_f32(mask, yes, no);
        word_splat(bits: u32) -> uint32x4_t = vdupq_n_u32(bits);
        word_add(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t = vaddq_u32(a, b);
        word_sub(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t = vsubq_u32(a, b);
        and(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t = vandq_u32(a, b);
        or(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t = vorrq_u32(a, b);
        xor(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t = veorq_u32(a, b);
        greater(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t =
            vcgtq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(b));
        any(a: uint32x4_t) -> bool = vmaxvq_u32(a) != 0;
        even_products(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t = vreinterpretq_u32_u64(vmull_u32(
            vmovn_u64(vreinterpretq_u64_u32(a)),
            vmovn_u64(vreinterpretq_u64_u32(b)),
        ));
        odd(a: uint32x4_t) -> uint32x4_t = vtrn2q_u32(a, a);
        interleave(even: uint32x4_t, odd: uint32x4_t) -> uint32x4_t = vtrn1q_u32(even, odd);
    }

    #[inline(always)]
    pub(super) fn to_array(a: float32x4_t) -> [f32; 4] {
        // SAFETY: a register of four numbers; any bits are numbers.
        unsafe { std::mem::transmute(a) }
    }

    // Shifts by a register: negative ones go to the right.

    #[inline(always)]
    pub(super) fn shift_left<const BY: i32>(a: uint32x4_t) -> uint32x4_t {
        // SAFETY: NEON is part of the target's baseline.
        unsafe { vshlq_u32(a, vdupq_n_s32(BY)) }
    }

    #[inline(always)]
    pub(super) fn shift_right<const BY: i32>(a: uint32x4_t) -> uint32x4_t {
        // SAFETY: as above.
        unsafe { vshlq_u32(a, vdupq_n_s32(-BY)) }
    }

    #[inline(always)]
    pub(super) fn shift_sign<const BY: i32>(a: uint32x4_t) -> uint32x4_t {
        // SAFETY: as above.
        unsafe { vreinterpretq_u32_s32(vshlq_s32(vreinterpretq_s32_u32(a), vdupq_n_s32(-BY))) }
    }

    #[inline(always)]
    pub(super) fn transpose([a, b, c, d]: [float32x4_t; 4]) -> [float32x4_t; 4] {
        // SAFETY: as above.
        unsafe {
            let (e, f) = (vtrn1q_f32(a, b), vtrn2q_f32(a, b));
            let (g, h) = (vtrn1q_f32(c, d), vtrn2q_f32(c, d));
            let low =
                |x, y| vreinterpretq_f32_f64(vtrn1q_f64(vreinterpretq_f64_f32(x), vreinterpretq_f64_f32(y)));
            let high =
                |x, y| vreinterpretq_f32_f64(vtrn2q_f64(vreinterpretq_f64_f32(x), vreinterpretq_f64_f32(y)));
            [low(e, g), low(f, h), high(e, g), high(f, h)]
        }
    }
}
