//! The path of any processor: arrays, which the compiler turns into what the target's baseline offers.
//!
//! Multiplication and addition are rounded one after the other, because a fused multiply-add without an instruction
//! for it takes a hundred times as long.

use super::vector::{add_assign, numbers, operators};
use super::{Bits, Simd, Single, Work};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain;

impl Simd for Plain {
    type Element = f32;
    type Vector = F32x8;
    type Columns = [F32x8; 1];
    type Rest = [F32x8; 1];
    type Noise = F32x8;
    const ROWS: usize = 6;

    #[inline(always)]
    fn enter<W: Work>(work: W) -> W::Output {
        #[inline(never)]
        fn plain<W: Work>(work: W) -> W::Output {
            work.run()
        }
        plain(work)
    }

    #[inline(always)]
    fn store_noise(numbers: F32x8, target: &mut [F32x8]) {
        target[0] = numbers;
    }
}

#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct F32x8([f32; 8]);

#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U32x8([u32; 8]);

numbers!(F32x8);
numbers!(U32x8);

#[inline(always)]
fn each<A: Copy, B>(a: [A; 8], function: impl Fn(A) -> B) -> [B; 8] {
    [
        function(a[0]),
        function(a[1]),
        function(a[2]),
        function(a[3]),
        function(a[4]),
        function(a[5]),
        function(a[6]),
        function(a[7]),
    ]
}

#[inline(always)]
fn both<A: Copy, B: Copy, C>(a: [A; 8], b: [B; 8], function: impl Fn(A, B) -> C) -> [C; 8] {
    [
        function(a[0], b[0]),
        function(a[1], b[1]),
        function(a[2], b[2]),
        function(a[3], b[3]),
        function(a[4], b[4]),
        function(a[5], b[5]),
        function(a[6], b[6]),
        function(a[7], b[7]),
    ]
}

#[inline(always)]
fn mask(condition: bool) -> u32 {
    if condition { u32::MAX } else { 0 }
}

operators! { F32x8,
    Add add(a, b) Self(both(a.0, b.0, |a, b| a + b));
    Sub sub(a, b) Self(both(a.0, b.0, |a, b| a - b));
    Mul mul(a, b) Self(both(a.0, b.0, |a, b| a * b));
    Div div(a, b) Self(both(a.0, b.0, |a, b| a / b));
}
add_assign!(F32x8);

impl std::ops::Neg for F32x8 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(each(self.0, |x| -x))
    }
}

impl Single for F32x8 {
    type Bits = U32x8;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(both(self.0, other.0, |x, other| if other > x { other } else { x }))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(both(self.0, other.0, |x, other| if other < x { other } else { x }))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(each(self.0, f32::sqrt))
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }

    #[inline(always)]
    fn transpose(block: [Self; 8]) -> [Self; 8] {
        std::array::from_fn(|row| Self(std::array::from_fn(|lane| block[lane].0[row])))
    }

    #[inline(always)]
    fn to_bits(self) -> U32x8 {
        U32x8(each(self.0, f32::to_bits))
    }

    #[inline(always)]
    fn from_bits(bits: U32x8) -> Self {
        Self(each(bits.0, f32::from_bits))
    }

    #[inline(always)]
    fn from_integers(integers: U32x8) -> Self {
        Self(each(integers.0, |x| x as i32 as f32))
    }

    #[inline(always)]
    fn less(self, other: Self) -> U32x8 {
        U32x8(both(self.0, other.0, |x, other| mask(x < other)))
    }

    #[inline(always)]
    fn choose(mask: U32x8, yes: Self, no: Self) -> Self {
        let (yes, no) = (yes.to_bits(), no.to_bits());
        Self::from_bits(U32x8(both(mask.0, both(yes.0, no.0, |yes, no| (yes, no)), |mask, (yes, no)| {
            (mask & yes) | (!mask & no)
        })))
    }
}

operators! { U32x8,
    Add add(a, b) Self(both(a.0, b.0, u32::wrapping_add));
    Sub sub(a, b) Self(both(a.0, b.0, u32::wrapping_sub));
    BitAnd bitand(a, b) Self(both(a.0, b.0, |a, b| a & b));
    BitOr bitor(a, b) Self(both(a.0, b.0, |a, b| a | b));
    BitXor bitxor(a, b) Self(both(a.0, b.0, |a, b| a ^ b));
}

impl Bits for U32x8 {
    #[inline(always)]
    fn splat(bits: u32) -> Self {
        Self([bits; 8])
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Self {
        Self(each(self.0, |x| x << BY))
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Self {
        Self(each(self.0, |x| x >> BY))
    }

    #[inline(always)]
    fn shift_sign<const BY: i32>(self) -> Self {
        Self(each(self.0, |x| ((x as i32) >> BY) as u32))
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        Self(both(self.0, other.0, |x, other| mask((x as i32) > (other as i32))))
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().fold(0, |all, x| all | x) != 0
    }

    #[inline(always)]
    fn even_products(self, factor: Self) -> Self {
        let product = |lane: usize| u64::from(self.0[lane]) * u64::from(factor.0[lane]);
        let [a, b, c, d] = [product(0), product(2), product(4), product(6)];
        let (low, high) = (|x: u64| x as u32, |x: u64| (x >> 32) as u32);
        Self([low(a), high(a), low(b), high(b), low(c), high(c), low(d), high(d)])
    }

    #[inline(always)]
    fn odd(self) -> Self {
        let [_, b, _, d, _, f, _, h] = self.0;
        Self([b, b, d, d, f, f, h, h])
    }

    #[inline(always)]
    fn interleave(even: Self, odd: Self) -> Self {
        let ([a, _, b, _, c, _, d, _], [e, _, f, _, g, _, h, _]) = (even.0, odd.0);
        Self([a, e, b, f, c, g, d, h])
    }
}
