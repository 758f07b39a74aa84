//! WebAssembly SIMD, in programs that are compiled with `-C target-feature=+simd128`.
//!
//! It has no fused multiply-add (the relaxed one may differ from machine to machine), so its results are those of
//! [plain](super::plain) code.

use std::arch::wasm32::*;

use super::halves::halves;
use super::{Simd, Work};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Wasm;

impl Simd for Wasm {
    type Element = f32;
    type Vector = F32x8;
    type Columns = [F32x8; 1];
    type Rest = [F32x8; 1];
    type Noise = F32x8;
    // Measured in V8 on x86-64: 6 rows, which 16 registers hold with nothing to spare, are spilled to memory
    // and a third slower.
    const ROWS: usize = 4;

    #[inline(always)]
    fn enter<W: Work>(work: W) -> W::Output {
        #[inline(never)]
        fn wasm<W: Work>(work: W) -> W::Output {
            work.run()
        }
        wasm(work)
    }

    #[inline(always)]
    fn store_noise(numbers: F32x8, target: &mut [F32x8]) {
        target[0] = numbers;
    }
}

halves!(four, v128, v128);

/// Operations of four lanes.
mod four {
    use std::arch::wasm32::*;

    /// Functions that are one expression of intrinsics.
    macro_rules! functions {
        ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:expr;)*) => {$(
            #[inline(always)]
            pub(super) fn $name($($argument: $type),*) -> $result {
                $body
            }
        )*};
    }

    functions! {
        add(a: v128, b: v128) -> v128 = f32x4_add(a, b);
        sub(a: v128, b: v128) -> v128 = f32x4_sub(a, b);
        mul(a: v128, b: v128) -> v128 = f32x4_mul(a, b);
        div(a: v128, b: v128) -> v128 = f32x4_div(a, b);
        neg(a: v128) -> v128 = f32x4_neg(a);
        splat(value: f32) -> v128 = f32x4_splat(value);
        mul_add(a: v128, b: v128, c: v128) -> v128 = f32x4_add(f32x4_mul(a, b), c);
        // The instruction returns its second operand where that is larger, else the first.
        max(a: v128, other: v128) -> v128 = f32x4_pmax(a, other);
        min(a: v128, other: v128) -> v128 = f32x4_pmin(a, other);
        sqrt(a: v128) -> v128 = f32x4_sqrt(a);
        to_bits(a: v128) -> v128 = a;
        from_bits(a: v128) -> v128 = a;
        from_integers(a: v128) -> v128 = f32x4_convert_i32x4(a);
        less(a: v128, b: v128) -> v128 = f32x4_lt(a, b);
        choose(mask: v128, yes: v128, no: v128) -> v128 = v128_bitselect(yes, no, mask);
        word_splat(bits: u32) -> v128 = u32x4_splat(bits);
        word_add(a: v128, b: v128) -> v128 = i32x4_add(a, b);
        word_sub(a: v128, b: v128) -> v128 = i32x4_sub(a, b);
        and(a: v128, b: v128) -> v128 = v128_and(a, b);
        or(a: v128, b: v128) -> v128 = v128_or(a, b);
        xor(a: v128, b: v128) -> v128 = v128_xor(a, b);
        greater(a: v128, b: v128) -> v128 = i32x4_gt(a, b);
        any(a: v128) -> bool = v128_any_true(a);
        even_products(a: v128, b: v128) -> v128 = {
            let low = u64x2_splat(0xffff_ffff);
            i64x2_mul(v128_and(a, low), v128_and(b, low))
        };
        odd(a: v128) -> v128 = u64x2_shr(a, 32);
        interleave(even: v128, odd: v128) -> v128 = u32x4_shuffle::<0, 4, 2, 6>(even, odd);
    }

    #[inline(always)]
    pub(super) fn to_array(a: v128) -> [f32; 4] {
        [
            f32x4_extract_lane::<0>(a),
            f32x4_extract_lane::<1>(a),
            f32x4_extract_lane::<2>(a),
            f32x4_extract_lane::<3>(a),
        ]
    }

    #[inline(always)]
    pub(super) fn shift_left<const BY: i32>(a: v128) -> v128 {
        u32x4_shl(a, BY as u32)
    }

    #[inline(always)]
    pub(super) fn shift_right<const BY: i32>(a: v128) -> v128 {
        u32x4_shr(a, BY as u32)
    }

    #[inline(always)]
    pub(super) fn shift_sign<const BY: i32>(a: v128) -> v128 {
        i32x4_shr(a, BY as u32)
    }

    #[inline(always)]
    pub(super) fn transpose([a, b, c, d]: [v128; 4]) -> [v128; 4] {
        let (e, f) = (u32x4_shuffle::<0, 4, 1, 5>(a, b), u32x4_shuffle::<2, 6, 3, 7>(a, b));
        let (g, h) = (u32x4_shuffle::<0, 4, 1, 5>(c, d), u32x4_shuffle::<2, 6, 3, 7>(c, d));
        [
            u32x4_shuffle::<0, 1, 4, 5>(e, g),
            u32x4_shuffle::<2, 3, 6, 7>(e, g),
            u32x4_shuffle::<0, 1, 4, 5>(f, h),
            u32x4_shuffle::<2, 3, 6, 7>(f, h),
        ]
    }
}
