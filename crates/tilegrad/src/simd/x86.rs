//! AVX2 with fused multiply-add, and AVX-512.
//!
//! Both compute in the same vectors of 256 bits. With AVX-512 there are twice as many registers and masks, and matrix
//! products take two vectors in one register of 512 bits.
//!
//! # Safety
//! The intrinsics need a processor that has their instruction set. Nothing outside of this module can name its types:
//! code gets to them through [`Path::run`](super::Path::run) alone, and a [`Path`](super::Path) of these instruction
//! sets is only made when the processor has them. All `unsafe` blocks below rest on that.

use std::arch::x86_64::*;

use super::columns::Pair;
use super::vector::{add_assign, numbers, operators};
use super::{Bits, Columns, Simd, Single, Work};

/// AVX2, FMA and the bit operations of the same generation (x86-64-v3).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2;

/// AVX-512 F, BW, CD, DQ and VL (x86-64-v4).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512;

impl Avx2 {
    pub(super) fn is_available() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

impl Avx512 {
    pub(super) fn is_available() -> bool {
        Avx2::is_available()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
    }
}

impl Simd for Avx2 {
    type Element = f32;
    type Vector = F32x8;
    type Columns = [F32x8; 2];
    type Rest = [F32x8; 1];
    type Noise = F32x8;
    const ROWS: usize = 6;

    #[inline(always)]
    fn enter<W: Work>(work: W) -> W::Output {
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
        fn avx2<W: Work>(work: W) -> W::Output {
            work.run()
        }
        // SAFETY: the processor has AVX2; see the module.
        unsafe { avx2(work) }
    }

    #[inline(always)]
    fn store_noise(numbers: F32x8, target: &mut [F32x8]) {
        target[0] = numbers;
    }
}

impl Simd for Avx512 {
    type Element = f32;
    type Vector = F32x8;
    // Twenty-four sums keep two multipliers of 512 bits busy, and each number of a matrix is read for two products: with one column, processors
    // whose multipliers are that wide would wait for the reads.
    type Columns = Pair<F32x16>;
    type Rest = F32x16;
    type Noise = F32x8;
    const ROWS: usize = 12;

    #[inline(always)]
    fn enter<W: Work>(work: W) -> W::Output {
        #[target_feature(
            enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
        )]
        fn avx512<W: Work>(work: W) -> W::Output {
            work.run()
        }
        // SAFETY: the processor has AVX-512; see the module.
        unsafe { avx512(work) }
    }

    #[inline(always)]
    fn store_noise(numbers: F32x8, target: &mut [F32x8]) {
        target[0] = numbers;
    }
}

#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct F32x8(__m256);

#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U32x8(__m256i);

/// Two vectors in one register.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct F32x16(__m512);

numbers!(F32x8);
numbers!(U32x8);

/// An intrinsic of AVX, AVX2 or FMA.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: the processor has AVX2 and FMA; see the module.
        unsafe { $call }
    };
}

operators! { F32x8,
    Add add(a, b) Self(intrinsic!(_mm256_add_ps(a.0, b.0)));
    Sub sub(a, b) Self(intrinsic!(_mm256_sub_ps(a.0, b.0)));
    Mul mul(a, b) Self(intrinsic!(_mm256_mul_ps(a.0, b.0)));
    Div div(a, b) Self(intrinsic!(_mm256_div_ps(a.0, b.0)));
}
add_assign!(F32x8);

impl std::ops::Neg for F32x8 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(intrinsic!(_mm256_xor_ps(self.0, _mm256_set1_ps(-0.0))))
    }
}

impl Single for F32x8 {
    type Bits = U32x8;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(intrinsic!(_mm256_set1_ps(value)))
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Self(intrinsic!(_mm256_fmadd_ps(self.0, factor.0, addend.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // The instruction returns its second operand where neither is larger and where either is NaN.
        Self(intrinsic!(_mm256_max_ps(other.0, self.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(intrinsic!(_mm256_min_ps(other.0, self.0)))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(intrinsic!(_mm256_sqrt_ps(self.0)))
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        intrinsic!({
            let four = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
        })
    }

    #[inline(always)]
    fn transpose(block: [Self; 8]) -> [Self; 8] {
        let [a, b, c, d, e, f, g, h] = block.map(|row| row.0);
        intrinsic!({
            // Pairs of rows, then fours, then the halves.
            let pairs = [
                _mm256_unpacklo_ps(a, b),
                _mm256_unpackhi_ps(a, b),
                _mm256_unpacklo_ps(c, d),
                _mm256_unpackhi_ps(c, d),
                _mm256_unpacklo_ps(e, f),
                _mm256_unpackhi_ps(e, f),
                _mm256_unpacklo_ps(g, h),
                _mm256_unpackhi_ps(g, h),
            ];
            let fours = [
                _mm256_shuffle_ps::<0b01_00_01_00>(pairs[0], pairs[2]),
                _mm256_shuffle_ps::<0b11_10_11_10>(pairs[0], pairs[2]),
                _mm256_shuffle_ps::<0b01_00_01_00>(pairs[1], pairs[3]),
                _mm256_shuffle_ps::<0b11_10_11_10>(pairs[1], pairs[3]),
                _mm256_shuffle_ps::<0b01_00_01_00>(pairs[4], pairs[6]),
                _mm256_shuffle_ps::<0b11_10_11_10>(pairs[4], pairs[6]),
                _mm256_shuffle_ps::<0b01_00_01_00>(pairs[5], pairs[7]),
                _mm256_shuffle_ps::<0b11_10_11_10>(pairs[5], pairs[7]),
            ];
            [
                Self(_mm256_permute2f128_ps::<0x20>(fours[0], fours[4])),
                Self(_mm256_permute2f128_ps::<0x20>(fours[1], fours[5])),
                Self(_mm256_permute2f128_ps::<0x20>(fours[2], fours[6])),
                Self(_mm256_permute2f128_ps::<0x20>(fours[3], fours[7])),
                Self(_mm256_permute2f128_ps::<0x31>(fours[0], fours[4])),
                Self(_mm256_permute2f128_ps::<0x31>(fours[1], fours[5])),
                Self(_mm256_permute2f128_ps::<0x31>(fours[2], fours[6])),
                Self(_mm256_permute2f128_ps::<0x31>(fours[3], fours[7])),
            ]
        })
    }

    #[inline(always)]
    fn to_bits(self) -> U32x8 {
        U32x8(intrinsic!(_mm256_castps_si256(self.0)))
    }

    #[inline(always)]
    fn from_bits(bits: U32x8) -> Self {
        Self(intrinsic!(_mm256_castsi256_ps(bits.0)))
    }

    #[inline(always)]
    fn from_integers(integers: U32x8) -> Self {
        Self(intrinsic!(_mm256_cvtepi32_ps(integers.0)))
    }

    #[inline(always)]
    fn less(self, other: Self) -> U32x8 {
        Self(intrinsic!(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0))).to_bits()
    }

    #[inline(always)]
    fn choose(mask: U32x8, yes: Self, no: Self) -> Self {
        Self(intrinsic!(_mm256_blendv_ps(no.0, yes.0, Self::from_bits(mask).0)))
    }
}

impl Columns<F32x8> for F32x16 {
    const COUNT: usize = 2;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: the processor has AVX-512, since nothing else computes with this type; see the module.
        Self(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, addend.0) })
    }

    #[inline(always)]
    unsafe fn load(source: *const F32x8) -> Self {
        // SAFETY: as above, and as the caller has promised. A vector is eight numbers.
        Self(unsafe { _mm512_loadu_ps(source.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, target: *mut F32x8) {
        // SAFETY: as above.
        unsafe { _mm512_storeu_ps(target.cast(), self.0) }
    }
}

operators! { U32x8,
    Add add(a, b) Self(intrinsic!(_mm256_add_epi32(a.0, b.0)));
    Sub sub(a, b) Self(intrinsic!(_mm256_sub_epi32(a.0, b.0)));
    BitAnd bitand(a, b) Self(intrinsic!(_mm256_and_si256(a.0, b.0)));
    BitOr bitor(a, b) Self(intrinsic!(_mm256_or_si256(a.0, b.0)));
    BitXor bitxor(a, b) Self(intrinsic!(_mm256_xor_si256(a.0, b.0)));
}

impl Bits for U32x8 {
    #[inline(always)]
    fn splat(bits: u32) -> Self {
        Self(intrinsic!(_mm256_set1_epi32(bits as i32)))
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Self {
        Self(intrinsic!(_mm256_slli_epi32::<BY>(self.0)))
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Self {
        Self(intrinsic!(_mm256_srli_epi32::<BY>(self.0)))
    }

    #[inline(always)]
    fn shift_sign<const BY: i32>(self) -> Self {
        Self(intrinsic!(_mm256_srai_epi32::<BY>(self.0)))
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        Self(intrinsic!(_mm256_cmpgt_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn any(self) -> bool {
        intrinsic!(_mm256_movemask_ps(_mm256_castsi256_ps(self.0))) != 0
    }

    #[inline(always)]
    fn even_products(self, factor: Self) -> Self {
        Self(intrinsic!(_mm256_mul_epu32(self.0, factor.0)))
    }

    #[inline(always)]
    fn odd(self) -> Self {
        Self(intrinsic!(_mm256_srli_epi64::<32>(self.0)))
    }

    #[inline(always)]
    fn interleave(even: Self, odd: Self) -> Self {
        Self(intrinsic!(_mm256_blend_epi32::<0b1010_1010>(even.0, _mm256_slli_epi64::<32>(odd.0))))
    }
}
