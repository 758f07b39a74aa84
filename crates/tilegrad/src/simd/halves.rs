//! Eight lanes as two registers of four, for the instruction sets of 128 bits: NEON and WebAssembly.
//!
//! A module of such an instruction set gives a function of four lanes for each operation; the macro makes the vectors
//! of eight.

/// Defines `F32x8` and `U32x8` from the functions of four lanes in the module `$four`, whose registers are `$float` and
/// `$word`.
macro_rules! halves {
    ($four:ident, $float:ty, $word:ty) => {
        #[derive(Debug, Clone, Copy)]
        #[repr(C)]
        pub(crate) struct F32x8([$float; 2]);

        #[derive(Debug, Clone, Copy)]
        #[repr(C)]
        pub(crate) struct U32x8([$word; 2]);

        crate::simd::vector::numbers!(F32x8);
        crate::simd::vector::numbers!(U32x8);

        crate::simd::vector::operators! { F32x8,
            Add add(a, b) Self([$four::add(a.0[0], b.0[0]), $four::add(a.0[1], b.0[1])]);
            Sub sub(a, b) Self([$four::sub(a.0[0], b.0[0]), $four::sub(a.0[1], b.0[1])]);
            Mul mul(a, b) Self([$four::mul(a.0[0], b.0[0]), $four::mul(a.0[1], b.0[1])]);
            Div div(a, b) Self([$four::div(a.0[0], b.0[0]), $four::div(a.0[1], b.0[1])]);
        }
        crate::simd::vector::add_assign!(F32x8);

        impl std::ops::Neg for F32x8 {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self([$four::neg(self.0[0]), $four::neg(self.0[1])])
            }
        }

        impl crate::simd::Single for F32x8 {
            type Bits = U32x8;

            #[inline(always)]
            fn splat(value: f32) -> Self {
                Self([$four::splat(value); 2])
            }

            #[inline(always)]
            fn mul_add(self, factor: Self, addend: Self) -> Self {
                Self([
                    $four::mul_add(self.0[0], factor.0[0], addend.0[0]),
                    $four::mul_add(self.0[1], factor.0[1], addend.0[1]),
                ])
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Self([$four::max(self.0[0], other.0[0]), $four::max(self.0[1], other.0[1])])
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Self([$four::min(self.0[0], other.0[0]), $four::min(self.0[1], other.0[1])])
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self([$four::sqrt(self.0[0]), $four::sqrt(self.0[1])])
            }

            #[inline(always)]
            fn sum(self) -> f32 {
                let [a, b, c, d]: [f32; 4] = $four::to_array($four::add(self.0[0], self.0[1]));
                (a + c) + (b + d)
            }

            #[inline(always)]
            fn transpose(block: [Self; 8]) -> [Self; 8] {
                let [a, b, c, d, e, f, g, h] = block.map(|row| row.0);
                let low_left = $four::transpose([a[0], b[0], c[0], d[0]]);
                let low_right = $four::transpose([e[0], f[0], g[0], h[0]]);
                let high_left = $four::transpose([a[1], b[1], c[1], d[1]]);
                let high_right = $four::transpose([e[1], f[1], g[1], h[1]]);
                [
                    Self([low_left[0], low_right[0]]),
                    Self([low_left[1], low_right[1]]),
                    Self([low_left[2], low_right[2]]),
                    Self([low_left[3], low_right[3]]),
                    Self([high_left[0], high_right[0]]),
                    Self([high_left[1], high_right[1]]),
                    Self([high_left[2], high_right[2]]),
                    Self([high_left[3], high_right[3]]),
                ]
            }

            #[inline(always)]
            fn to_bits(self) -> U32x8 {
                U32x8([$four::to_bits(self.0[0]), $four::to_bits(self.0[1])])
            }

            #[inline(always)]
            fn from_bits(bits: U32x8) -> Self {
                Self([$four::from_bits(bits.0[0]), $four::from_bits(bits.0[1])])
            }

            #[inline(always)]
            fn from_integers(integers: U32x8) -> Self {
                Self([$four::from_integers(integers.0[0]), $four::from_integers(integers.0[1])])
            }

            #[inline(always)]
            fn less(self, other: Self) -> U32x8 {
                U32x8([$four::less(self.0[0], other.0[0]), $four::less(self.0[1], other.0[1])])
            }

            #[inline(always)]
            fn choose(mask: U32x8, yes: Self, no: Self) -> Self {
                Self([
                    $four::choose(mask.0[0], yes.0[0], no.0[0]),
                    $four::choose(mask.0[1], yes.0[1], no.0[1]),
                ])
            }
        }

        crate::simd::vector::operators! { U32x8,
            Add add(a, b) Self([$four::word_add(a.0[0], b.0[0]), $four::word_add(a.0[1], b.0[1])]);
            Sub sub(a, b) Self([$four::word_sub(a.0[0], b.0[0]), $four::word_sub(a.0[1], b.0[1])]);
            BitAnd bitand(a, b) Self([$four::and(a.0[0], b.0[0]), $four::and(a.0[1], b.0[1])]);
            BitOr bitor(a, b) Self([$four::or(a.0[0], b.0[0]), $four::or(a.0[1], b.0[1])]);
            BitXor bitxor(a, b) Self([$four::xor(a.0[0], b.0[0]), $four::xor(a.0[1], b.0[1])]);
        }

        impl crate::simd::Bits for U32x8 {
            #[inline(always)]
            fn splat(bits: u32) -> Self {
                Self([$four::word_splat(bits); 2])
            }

            #[inline(always)]
            fn shift_left<const BY: i32>(self) -> Self {
                Self([$four::shift_left::<BY>(self.0[0]), $four::shift_left::<BY>(self.0[1])])
            }

            #[inline(always)]
            fn shift_right<const BY: i32>(self) -> Self {
                Self([$four::shift_right::<BY>(self.0[0]), $four::shift_right::<BY>(self.0[1])])
            }

            #[inline(always)]
            fn shift_sign<const BY: i32>(self) -> Self {
                Self([$four::shift_sign::<BY>(self.0[0]), $four::shift_sign::<BY>(self.0[1])])
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                Self([$four::greater(self.0[0], other.0[0]), $four::greater(self.0[1], other.0[1])])
            }

            #[inline(always)]
            fn any(self) -> bool {
                $four::any($four::or(self.0[0], self.0[1]))
            }

            #[inline(always)]
            fn even_products(self, factor: Self) -> Self {
                Self([
                    $four::even_products(self.0[0], factor.0[0]),
                    $four::even_products(self.0[1], factor.0[1]),
                ])
            }

            #[inline(always)]
            fn odd(self) -> Self {
                Self([$four::odd(self.0[0]), $four::odd(self.0[1])])
            }

            #[inline(always)]
            fn interleave(even: Self, odd: Self) -> Self {
                Self([$four::interleave(even.0[0], odd.0[0]), $four::interleave(even.0[1], odd.0[1])])
            }
        }
    };
}

pub(super) use halves;
