//! Double precision, for checks: four lanes in an array, elementary functions one lane at a time.

use super::plain::F32x8;
use super::vector::{add_assign, numbers, operators};
use super::{Simd, Vector, Work};
use crate::math::double;

/// The one path in double precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Double;

impl Simd for Double {
    type Element = f64;
    type Vector = F64x4;
    type Columns = [F64x4; 2];
    type Rest = [F64x4; 1];
    type Noise = F32x8;
    const ROWS: usize = 6;

    #[inline(always)]
    fn enter<W: Work>(work: W) -> W::Output {
        work.run()
    }

    #[inline(always)]
    fn store_noise(numbers: F32x8, target: &mut [F64x4]) {
        let numbers: [f32; 8] = bytemuck::cast(numbers);
        for (vector, numbers) in target.iter_mut().zip(numbers.as_chunks::<4>().0) {
            *vector = F64x4(numbers.map(f64::from));
        }
    }
}

#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct F64x4([f64; 4]);

numbers!(F64x4);

#[inline(always)]
fn both(a: [f64; 4], b: [f64; 4], function: impl Fn(f64, f64) -> f64) -> F64x4 {
    F64x4([function(a[0], b[0]), function(a[1], b[1]), function(a[2], b[2]), function(a[3], b[3])])
}

operators! { F64x4,
    Add add(a, b) both(a.0, b.0, |a, b| a + b);
    Sub sub(a, b) both(a.0, b.0, |a, b| a - b);
    Mul mul(a, b) both(a.0, b.0, |a, b| a * b);
    Div div(a, b) both(a.0, b.0, |a, b| a / b);
}
add_assign!(F64x4);

impl std::ops::Neg for F64x4 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl Vector for F64x4 {
    type Element = f64;
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        both(self.0, other.0, |x, other| if other > x { other } else { x })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        both(self.0, other.0, |x, other| if other < x { other } else { x })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn exp(self) -> Self {
        Self(self.0.map(double::exp))
    }

    #[inline(always)]
    fn ln(self) -> Self {
        Self(self.0.map(double::ln))
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        Self(self.0.map(double::tanh))
    }

    #[inline(always)]
    fn sigmoid(self) -> Self {
        Self(self.0.map(double::sigmoid))
    }

    #[inline(always)]
    fn softplus(self) -> Self {
        Self(self.0.map(double::softplus))
    }

    #[inline(always)]
    fn where_positive(self, yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|lane| if self.0[lane] > 0.0 { yes.0[lane] } else { no.0[lane] }))
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        let [a, b, c, d] = self.0;
        (a + c) + (b + d)
    }

    #[inline(always)]
    fn transpose(block: &mut [Self]) {
        let block: &mut [Self; 4] = block.try_into().expect("a square block");
        *block = std::array::from_fn(|row| Self(std::array::from_fn(|lane| block[lane].0[row])));
    }
}
