//! The one matrix product of the engine: `C = start + A·B`, with lanes along the vectors of B and C.
//!
//! All three products of an affine map are this one. Forward: A is the weight matrix, B the inputs.
//! Towards the inputs: A is the weight matrix read with its strides exchanged, B the gradients.
//! Towards the weights: A is read number by number along the lanes, B is the other factor transposed.
//!
//! A block of C is held in registers while one pass over the inner dimension reads a column of A
//! (each number broadcast) and a few vectors of B. Twelve vectors of C keep both multipliers busy and
//! leave room for the operands in sixteen registers.

use bytemuck::Zeroable;

use crate::element::{Element, Vector};
use crate::ops::Activation;

/// A matrix read number by number, with any strides.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a, T> {
    pub(crate) data: &'a [T],
    pub(crate) row_stride: usize,
    pub(crate) col_stride: usize,
}

/// What a block of C starts from.
#[derive(Clone, Copy)]
pub(crate) enum Start<'a, T: Element> {
    /// Nothing.
    Zero,
    /// What C holds already.
    Current,
    /// One number for each row.
    Bias(&'a [T]),
    /// A shorter matrix repeated along the row: the same vectors for every particle.
    Repeat(&'a [T::Vector]),
}

/// `C = activation(start + A·B)`, where C has `rows` rows of `width` vectors and B has `inner` rows.
/// Rows of B and C follow each other without gaps.
pub(crate) fn gemm<T: Element>(
    (rows, inner, width): (usize, usize, usize),
    a: Matrix<'_, T>,
    b: &[T::Vector],
    c: &mut [T::Vector],
    start: Start<'_, T>,
    activation: Activation,
) {
    if rows == 0 || width == 0 {
        return;
    }
    assert!(b.len() >= inner * width && c.len() >= rows * width);
    if inner > 0 {
        assert!((rows - 1) * a.row_stride + (inner - 1) * a.col_stride < a.data.len());
    }
    let period = match start {
        Start::Bias(bias) => {
            assert!(bias.len() >= rows);
            width
        }
        Start::Repeat(base) => {
            let period = base.len() / rows;
            assert!(period > 0 && width % period == 0);
            period
        }
        Start::Zero | Start::Current => width,
    };
    let job = Job { rows, inner, width, a, b, start, period, activation };
    let mut column = 0;
    while column < width {
        // Columns of a block lie in one period, so that the repeated start is contiguous.
        let left = (period - column % period).min(width - column);
        column += if left == 1 { job.columns::<1>(c, column) } else { job.columns::<2>(c, column) };
    }
}

/// Rows of a block.
const ROWS: usize = 6;

struct Job<'a, T: Element> {
    rows: usize,
    inner: usize,
    width: usize,
    a: Matrix<'a, T>,
    b: &'a [T::Vector],
    start: Start<'a, T>,
    period: usize,
    activation: Activation,
}

impl<T: Element> Job<'_, T> {
    /// Computes `NV` columns of vectors of C, all rows; returns `NV`.
    #[inline(never)]
    fn columns<const NV: usize>(&self, c: &mut [T::Vector], column: usize) -> usize {
        let mut row = 0;
        // Few rows in a block leave the multipliers waiting: share what is left over between two blocks.
        while row < self.rows {
            let left = self.rows - row;
            let next = if left > ROWS && left < 2 * ROWS { left.div_ceil(2) } else { left.min(ROWS) };
            match next {
                1 => self.block::<1, NV>(c, row, column),
                2 => self.block::<2, NV>(c, row, column),
                3 => self.block::<3, NV>(c, row, column),
                4 => self.block::<4, NV>(c, row, column),
                5 => self.block::<5, NV>(c, row, column),
                _ => self.block::<ROWS, NV>(c, row, column),
            }
            row += next;
        }
        NV
    }

    /// One block of C: `MR` rows of `NV` vectors.
    #[inline(always)]
    fn block<const MR: usize, const NV: usize>(&self, c: &mut [T::Vector], row: usize, column: usize) {
        debug_assert!(column + NV <= self.width && row + MR <= self.rows);
        let mut sums = [[T::Vector::zeroed(); NV]; MR];
        // SAFETY: `gemm` has checked that A, B, C and the start have `rows`, `inner` and `width` of all
        // they need; row + MR ≤ rows and column + NV ≤ width keep every access below those.
        unsafe {
            let c = c.as_mut_ptr().add(row * self.width + column);
            match self.start {
                Start::Zero => {}
                Start::Bias(bias) => {
                    for (r, sums) in sums.iter_mut().enumerate() {
                        *sums = [T::Vector::splat(*bias.get_unchecked(row + r)); NV];
                    }
                }
                Start::Current => load(&mut sums, c, self.width),
                Start::Repeat(base) => {
                    let first = row * self.period + column % self.period;
                    load(&mut sums, base.as_ptr().add(first), self.period);
                }
            }
            let mut a = self.a.data.as_ptr().add(row * self.a.row_stride);
            let mut b = self.b.as_ptr().add(column);
            for _ in 0..self.inner {
                let operand: [T::Vector; NV] = std::array::from_fn(|v| *b.add(v));
                for (r, sums) in sums.iter_mut().enumerate() {
                    let weight = T::Vector::splat(*a.add(r * self.a.row_stride));
                    for (sum, operand) in sums.iter_mut().zip(operand) {
                        *sum = weight.mul_add(operand, *sum);
                    }
                }
                // Wrapping: after the last round the pointers may lie outside and are not read.
                a = a.wrapping_add(self.a.col_stride);
                b = b.wrapping_add(self.width);
            }
            match self.activation {
                Activation::Identity => store(sums, c, self.width, |x| x),
                Activation::Tanh => store(sums, c, self.width, Vector::tanh),
                Activation::Sigmoid => store(sums, c, self.width, Vector::sigmoid),
            }
        }
    }
}

/// Loads rows of vectors that lie `stride` apart.
///
/// # Safety
/// All of them must be readable.
#[inline(always)]
unsafe fn load<V: Vector, const MR: usize, const NV: usize>(
    block: &mut [[V; NV]; MR],
    source: *const V,
    stride: usize,
) {
    for (r, row) in block.iter_mut().enumerate() {
        for (v, vector) in row.iter_mut().enumerate() {
            // SAFETY: as the caller has promised.
            *vector = unsafe { *source.add(r * stride + v) };
        }
    }
}

/// Stores a function of rows of vectors, `stride` apart.
///
/// # Safety
/// All of them must be writable.
#[inline(always)]
unsafe fn store<V: Vector, const MR: usize, const NV: usize>(
    block: [[V; NV]; MR],
    target: *mut V,
    stride: usize,
    function: impl Fn(V) -> V,
) {
    for (r, row) in block.into_iter().enumerate() {
        for (v, vector) in row.into_iter().enumerate() {
            // SAFETY: as the caller has promised.
            unsafe { *target.add(r * stride + v) = function(vector) };
        }
    }
}

/// Transposes `rows` rows of `width` vectors into one row per lane of `row_vectors` vectors, filled up
/// with zeros: the second factor of a product along the lanes.
pub(crate) fn transpose<V: Vector>(source: &[V], rows: usize, width: usize, target: &mut [V]) {
    let lanes = V::LANES;
    let row_vectors = rows.div_ceil(lanes);
    assert!(source.len() >= rows * width && target.len() >= width * lanes * row_vectors);
    for group in 0..row_vectors {
        let filled = (rows - group * lanes).min(lanes);
        for column in 0..width {
            // Eight is the most lanes a vector has.
            let mut block = [V::zeroed(); 8];
            for (r, vector) in block[..filled].iter_mut().enumerate() {
                *vector = source[(group * lanes + r) * width + column];
            }
            V::transpose(&mut block[..lanes]);
            for (lane, vector) in block[..lanes].iter().enumerate() {
                target[(column * lanes + lane) * row_vectors + group] = *vector;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::config;
    use proptest::prelude::*;

    fn wave(i: usize) -> f64 {
        (i as f64 * 0.731).sin()
    }

    /// Against the definition, for one size and all starts; `period` vectors are repeated `repeats` times.
    fn compare<T: Element>(rows: usize, inner: usize, (period, repeats): (usize, usize), transposed: bool) {
        let (lanes, width) = (T::Vector::LANES, period * repeats);
        let columns = width * lanes;
        let numbers = |count: usize, seed: usize| -> Vec<T> {
            (0..count).map(|i| T::from_f64(wave(i + seed))).collect()
        };
        let vectors = |count: usize, seed: usize| -> Vec<T::Vector> {
            numbers(count * lanes, seed)
                .chunks_exact(lanes)
                .map(|x| bytemuck::pod_read_unaligned(bytemuck::cast_slice(x)))
                .collect()
        };
        let (a, b) = (numbers(rows * inner, 1), vectors(inner * width, 2));
        let (bias, base, current) = (numbers(rows, 3), vectors(rows * period, 4), vectors(rows * width, 5));
        let (row_stride, col_stride) = if transposed { (1, rows) } else { (inner, 1) };
        let matrix = Matrix { data: &a, row_stride, col_stride };
        for start in [Start::Zero, Start::Current, Start::Bias(&bias), Start::Repeat(&base)] {
            let mut c = current.clone();
            gemm((rows, inner, width), matrix, &b, &mut c, start, Activation::Tanh);
            let found: &[T] = bytemuck::cast_slice(&c);
            for row in 0..rows {
                for column in 0..columns {
                    let first = match start {
                        Start::Zero => 0.0,
                        Start::Current => wave(row * columns + column + 5),
                        Start::Bias(_) => wave(row + 3),
                        Start::Repeat(_) => wave(row * period * lanes + column % (period * lanes) + 4),
                    };
                    let product =
                        |i| wave(row * row_stride + i * col_stride + 1) * wave(i * columns + column + 2);
                    let expected = (first + (0..inner).map(product).sum::<f64>()).tanh();
                    let error = (found[row * columns + column].to_f64() - expected).abs();
                    assert!(error < 1e-5, "row {row}, column {column}: {error:e}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(config(100))]
        #[test]
        fn products_of_any_size(
            rows in 1..30_usize, inner in 0..9_usize, period in 1..6_usize, repeats in 1..5_usize,
            transposed in any::<bool>(),
        ) {
            compare::<f32>(rows, inner, (period, repeats), transposed);
            compare::<f64>(rows, inner, (period, repeats), transposed);
        }

        #[test]
        fn transposes_of_any_size(rows in 1..20_usize, width in 1..5_usize) {
            let source: Vec<wide::f32x8> = (0..rows * width)
                .map(|i| wide::f32x8::new(std::array::from_fn(|lane| (8 * i + lane) as f32)))
                .collect();
            let stride = rows.div_ceil(8);
            let mut target = vec![wide::f32x8::splat(-1.0); width * 8 * stride];
            transpose(&source, rows, width, &mut target);
            let found: &[f32] = bytemuck::cast_slice(&target);
            for lane in 0..width * 8 {
                for row in 0..stride * 8 {
                    let expected = if row < rows { (row * width * 8 + lane) as f32 } else { 0.0 };
                    prop_assert_eq!(found[lane * stride * 8 + row], expected);
                }
            }
        }
    }
}
