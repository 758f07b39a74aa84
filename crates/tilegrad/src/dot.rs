//! Products towards weights with a short side: `C += Σ_lanes a bᵀ` for the rows of two variables.
//!
//! With few columns the product of [`gemm`](crate::gemm) would load a number for each multiplication. Here both
//! factors are read vector by vector, a block of sums is kept lane-wise in registers, and only its totals
//! cross lanes. That pays where rows are long.

use bytemuck::Zeroable;

use crate::element::{Element, Vector};

/// Rows of a block of each factor: with its eight sums it fits the registers also when the loop is unrolled.
const LEFT: usize = 2;
const RIGHT: usize = 4;

/// Adds the products of all rows of `left` with all rows of `right`, each of `width` vectors, to `sums`: a row of
/// `stride` numbers for each row of `left`.
pub(crate) fn add_outer<T: Element>(
    (left, right): (&[T::Vector], &[T::Vector]),
    width: usize,
    sums: &mut [T],
    stride: usize,
) {
    let (left_rows, right_rows) = (left.len() / width, right.len() / width);
    assert!(right_rows <= stride && left_rows * stride <= sums.len());
    for l in (0..left_rows).step_by(LEFT) {
        for r in (0..right_rows).step_by(RIGHT) {
            let (left, right) = (&left[l * width..], &right[r * width..]);
            let sums = &mut sums[l * stride + r..];
            match ((left_rows - l).min(LEFT), (right_rows - r).min(RIGHT)) {
                (1, 1) => block::<T, 1, 1>(left, right, width, sums, stride),
                (1, 2) => block::<T, 1, 2>(left, right, width, sums, stride),
                (1, 3) => block::<T, 1, 3>(left, right, width, sums, stride),
                (1, _) => block::<T, 1, RIGHT>(left, right, width, sums, stride),
                (_, 1) => block::<T, LEFT, 1>(left, right, width, sums, stride),
                (_, 2) => block::<T, LEFT, 2>(left, right, width, sums, stride),
                (_, 3) => block::<T, LEFT, 3>(left, right, width, sums, stride),
                (_, _) => block::<T, LEFT, RIGHT>(left, right, width, sums, stride),
            }
        }
    }
}

#[inline(always)]
fn block<T: Element, const L: usize, const R: usize>(
    left: &[T::Vector],
    right: &[T::Vector],
    width: usize,
    sums: &mut [T],
    stride: usize,
) {
    assert!(left.len() >= L * width && right.len() >= R * width);
    let mut lanes = [[T::Vector::zeroed(); R]; L];
    for v in 0..width {
        // SAFETY: both have as many rows of `width` vectors as the block needs, and v < width.
        let right: [T::Vector; R] = std::array::from_fn(|r| unsafe { *right.get_unchecked(r * width + v) });
        for (l, lanes) in lanes.iter_mut().enumerate() {
            // SAFETY: as above.
            let left = unsafe { *left.get_unchecked(l * width + v) };
            for (sum, right) in lanes.iter_mut().zip(right) {
                *sum = left.mul_add(right, *sum);
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
    use wide::f64x4;

    #[test]
    fn agrees_with_sums_number_by_number() {
        let number = |i: usize| ((i * 37 + 11) % 23) as f64 / 7.0 - 1.5;
        for left_rows in 1..=7 {
            for right_rows in 1..=9 {
                let (width, stride) = (3, 12);
                let fill = |rows: usize, seed: usize| -> Vec<f64x4> {
                    (0..rows * width)
                        .map(|i| f64x4::new([0, 1, 2, 3].map(|j| number(seed + 4 * i + j))))
                        .collect()
                };
                let (left, right) = (fill(left_rows, 1), fill(right_rows, 100));
                let mut sums = vec![0.5; left_rows * stride];
                add_outer::<f64>((&left, &right), width, &mut sums, stride);
                let (a, b): (&[f64], &[f64]) = (bytemuck::cast_slice(&left), bytemuck::cast_slice(&right));
                let lanes = 4 * width;
                for l in 0..left_rows {
                    for r in 0..stride {
                        let own = if r < right_rows { 1.0 } else { 0.0 };
                        let expected: f64 = 0.5
                            + own
                                * (0..lanes)
                                    .map(|i| a[l * lanes + i] * b[r % right_rows * lanes + i])
                                    .sum::<f64>();
                        assert!((sums[l * stride + r] - expected).abs() < 1e-12);
                    }
                }
            }
        }
    }
}
