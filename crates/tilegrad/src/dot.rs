//! Products towards weights with a short side: `C += Σ_lanes a bᵀ` for the rows of two variables.
//!
//! With few columns the product of [`gemm`](crate::gemm) would load a number for each multiplication. Here both
//! factors are read vector by vector, a block of sums is kept lane-wise in registers, and only its totals
//! cross lanes. That pays where rows are long.

use bytemuck::Zeroable;

use crate::simd::{Simd, Vector, Work};

/// Rows of a block of each factor: with its eight sums it fits the registers also when the loop is unrolled.
const LEFT: usize = 2;
const RIGHT: usize = 4;

/// Adds the products of all rows of `left` with all rows of `right`, each of `width` vectors, to `sums`: a row of
/// `stride` numbers for each row of `left`.
#[inline(always)]
pub(crate) fn add_outer<S: Simd>(
    (left, right): (&[S::Vector], &[S::Vector]),
    width: usize,
    sums: &mut [S::Element],
    stride: usize,
) {
    S::enter(Outer::<S> { left, right, width, sums, stride });
}

struct Outer<'a, S: Simd> {
    left: &'a [S::Vector],
    right: &'a [S::Vector],
    width: usize,
    sums: &'a mut [S::Element],
    stride: usize,
}

impl<S: Simd> Work for Outer<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { left, right, width, sums, stride } = self;
        let (left_rows, right_rows) = (left.len() / width, right.len() / width);
        assert!(right_rows <= stride && left_rows * stride <= sums.len());
        for l in (0..left_rows).step_by(LEFT) {
            for r in (0..right_rows).step_by(RIGHT) {
                let (left, right) = (&left[l * width..], &right[r * width..]);
                let sums = &mut sums[l * stride + r..];
                match ((left_rows - l).min(LEFT), (right_rows - r).min(RIGHT)) {
                    (1, 1) => block::<S, 1, 1>(left, right, width, sums, stride),
                    (1, 2) => block::<S, 1, 2>(left, right, width, sums, stride),
                    (1, 3) => block::<S, 1, 3>(left, right, width, sums, stride),
                    (1, _) => block::<S, 1, RIGHT>(left, right, width, sums, stride),
                    (_, 1) => block::<S, LEFT, 1>(left, right, width, sums, stride),
                    (_, 2) => block::<S, LEFT, 2>(left, right, width, sums, stride),
                    (_, 3) => block::<S, LEFT, 3>(left, right, width, sums, stride),
                    (_, _) => block::<S, LEFT, RIGHT>(left, right, width, sums, stride),
                }
            }
        }
    }
}

#[inline(always)]
fn block<S: Simd, const L: usize, const R: usize>(
    left: &[S::Vector],
    right: &[S::Vector],
    width: usize,
    sums: &mut [S::Element],
    stride: usize,
) {
    assert!(left.len() >= L * width && right.len() >= R * width);
    let mut lanes = [[S::Vector::zeroed(); R]; L];
    for v in 0..width {
        let mut factors = [S::Vector::zeroed(); R];
        for (r, factor) in factors.iter_mut().enumerate() {
            // SAFETY: both have as many rows of `width` vectors as the block needs, and v < width.
            *factor = unsafe { *right.get_unchecked(r * width + v) };
        }
        for (l, lanes) in lanes.iter_mut().enumerate() {
            // SAFETY: as above.
            let left = unsafe { *left.get_unchecked(l * width + v) };
            for (sum, factor) in lanes.iter_mut().zip(factors) {
                *sum = left.mul_add(factor, *sum);
            }
        }
    }
    for (l, lanes) in lanes.into_iter().enumerate() {
        for (r, lanes) in lanes.into_iter().enumerate() {
            sums[l * stride + r] += lanes.sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Element;
    use crate::simd::{Path, Task};

    /// Sums of products of so many rows.
    #[derive(Clone, Copy)]
    struct Rows(usize, usize);

    impl<T: Element> Task<T> for Rows {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd<Element = T>>(self) {
            let Rows(left_rows, right_rows) = self;
            let number = |i: usize| ((i * 37 + 11) % 23) as f64 / 7.0 - 1.5;
            let (width, stride) = (3, 12);
            let lanes = T::LANES * width;
            let fill = |rows: usize, seed: usize| -> Vec<T> {
                (0..rows * lanes).map(|i| T::from_f64(number(seed + i))).collect()
            };
            let (a, b) = (fill(left_rows, 1), fill(right_rows, 100));
            let vectors =
                |x: &[T]| -> Vec<S::Vector> { x.chunks_exact(T::LANES).map(Vector::load).collect() };
            let mut sums = vec![T::from_f64(0.5); left_rows * stride];
            add_outer::<S>((&vectors(&a), &vectors(&b)), width, &mut sums, stride);
            for l in 0..left_rows {
                for r in 0..stride {
                    let product =
                        |i: usize| a[l * lanes + i].to_f64() * b[r % right_rows * lanes + i].to_f64();
                    let own = if r < right_rows { (0..lanes).map(product).sum() } else { 0.0 };
                    let tolerance = if T::LANES == 8 { 1e-5 } else { 1e-12 };
                    assert!((sums[l * stride + r].to_f64() - 0.5 - own).abs() < tolerance);
                }
            }
        }
    }

    #[test]
    fn agrees_with_sums_number_by_number() {
        for left_rows in 1..=7 {
            for right_rows in 1..=9 {
                Path::available().into_iter().for_each(|path| path.run(Rows(left_rows, right_rows)));
                f64::run(Path::current(), Rows(left_rows, right_rows));
            }
        }
    }
}
