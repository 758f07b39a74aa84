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

use crate::ops::Activation;
use crate::simd::{Simd, Vector, Work};

/// A matrix read number by number, with any strides.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a, T> {
    pub(crate) data: &'a [T],
    pub(crate) row_stride: usize,
    pub(crate) col_stride: usize,
}

/// What a block of C starts from.
#[derive(Clone, Copy)]
pub(crate) enum Start<'a, S: Simd> {
    /// Nothing.
    Zero,
    /// What C holds already.
    Current,
    /// One number for each row.
    Bias(&'a [S::Element]),
    /// A shorter matrix repeated along the row: the same vectors for every particle.
    Repeat(&'a [S::Vector]),
}

/// `C = activation(start + A·B)`, where C has `rows` rows of `width` vectors and B has `inner` rows.
/// Rows of B and C follow each other without gaps.
#[inline(always)]
pub(crate) fn gemm<S: Simd>(
    size: (usize, usize, usize),
    a: Matrix<'_, S::Element>,
    b: &[S::Vector],
    c: &mut [S::Vector],
    start: Start<'_, S>,
    activation: Activation,
) {
    S::enter(Product::<S> { size, a, b, c, start, activation });
}

struct Product<'a, S: Simd> {
    size: (usize, usize, usize),
    a: Matrix<'a, S::Element>,
    b: &'a [S::Vector],
    c: &'a mut [S::Vector],
    start: Start<'a, S>,
    activation: Activation,
}

impl<S: Simd> Work for Product<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { size: (rows, inner, width), a, b, c, start, activation } = self;
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
        let job = Job { rows, inner, width, a, b, start, period };
        let mut column = 0;
        while column < width {
            // Columns of a block lie in one period, so that the repeated start is contiguous.
            let left = (period - column % period).min(width - column);
            if left == 1 {
                job.columns::<1>(c, column);
                activate(activation, rows, width, column..column + 1, c);
                column += 1;
            } else {
                job.columns::<2>(c, column);
                activate(activation, rows, width, column..column + 2, c);
                column += 2;
            }
        }
    }
}

/// Rows of a block.
const ROWS: usize = 6;

struct Job<'a, S: Simd> {
    rows: usize,
    inner: usize,
    width: usize,
    a: Matrix<'a, S::Element>,
    b: &'a [S::Vector],
    start: Start<'a, S>,
    period: usize,
}

impl<S: Simd> Job<'_, S> {
    /// Computes `NV` columns of vectors of C, all rows.
    #[inline(always)]
    fn columns<const NV: usize>(&self, c: &mut [S::Vector], column: usize) {
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
    }

    /// One block of C: `MR` rows of `NV` vectors.
    #[inline(always)]
    fn block<const MR: usize, const NV: usize>(&self, c: &mut [S::Vector], row: usize, column: usize) {
        debug_assert!(column + NV <= self.width && row + MR <= self.rows);
        let mut sums = [[S::Vector::zeroed(); NV]; MR];
        // SAFETY: `Product::run` has checked that A, B, C and the start have `rows`, `inner` and `width` of all
        // they need; row + MR ≤ rows and column + NV ≤ width keep every access below those.
        unsafe {
            let c = c.as_mut_ptr().add(row * self.width + column);
            match self.start {
                Start::Zero => {}
                Start::Bias(bias) => {
                    for (r, sums) in sums.iter_mut().enumerate() {
                        *sums = [S::Vector::splat(*bias.get_unchecked(row + r)); NV];
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
                let mut operand = [S::Vector::zeroed(); NV];
                for (v, operand) in operand.iter_mut().enumerate() {
                    *operand = *b.add(v);
                }
                for (r, sums) in sums.iter_mut().enumerate() {
                    let weight = S::Vector::splat(*a.add(r * self.a.row_stride));
                    for (sum, operand) in sums.iter_mut().zip(operand) {
                        *sum = weight.mul_add(operand, *sum);
                    }
                }
                // Wrapping: after the last round the pointers may lie outside and are not read.
                a = a.wrapping_add(self.a.col_stride);
                b = b.wrapping_add(self.width);
            }
            for (r, row) in sums.iter().enumerate() {
                for (v, &sum) in row.iter().enumerate() {
                    *c.add(r * self.width + v) = sum;
                }
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

/// Applies the activation to some columns, while they are in the nearest cache.
#[inline(always)]
fn activate<V: Vector>(
    activation: Activation,
    rows: usize,
    width: usize,
    columns: std::ops::Range<usize>,
    c: &mut [V],
) {
    match activation {
        Activation::Identity => {}
        Activation::Tanh => {
            for row in 0..rows {
                for x in &mut c[row * width..][columns.clone()] {
                    *x = x.tanh();
                }
            }
        }
        Activation::Sigmoid => {
            for row in 0..rows {
                for x in &mut c[row * width..][columns.clone()] {
                    *x = x.sigmoid();
                }
            }
        }
    }
}

/// Transposes `rows` rows of `width` vectors into one row per lane of `row_vectors` vectors, filled up
/// with zeros: the second factor of a product along the lanes.
#[inline(always)]
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
    use crate::Element;
    use crate::check::config;
    use crate::simd::{Path, Task};
    use proptest::prelude::*;

    fn wave(i: usize) -> f64 {
        (i as f64 * 0.731).sin()
    }

    /// One size and all starts; `period` vectors are repeated `repeats` times.
    #[derive(Clone, Copy)]
    struct Case {
        rows: usize,
        inner: usize,
        period: usize,
        repeats: usize,
        transposed: bool,
    }

    impl<T: Element> Task<T> for Case {
        type Output = ();

        /// Against the definition.
        #[inline(always)]
        fn run<S: Simd<Element = T>>(self) {
            let Case { rows, inner, period, repeats, transposed } = self;
            let (lanes, width) = (T::LANES, period * repeats);
            let columns = width * lanes;
            let numbers = |count: usize, seed: usize| -> Vec<T> {
                (0..count).map(|i| T::from_f64(wave(i + seed))).collect()
            };
            let vectors = |count: usize, seed: usize| -> Vec<S::Vector> {
                numbers(count * lanes, seed).chunks_exact(lanes).map(Vector::load).collect()
            };
            let (a, b) = (numbers(rows * inner, 1), vectors(inner * width, 2));
            let (bias, base) = (numbers(rows, 3), vectors(rows * period, 4));
            let current = vectors(rows * width, 5);
            let (row_stride, col_stride) = if transposed { (1, rows) } else { (inner, 1) };
            let matrix = Matrix { data: &a, row_stride, col_stride };
            for start in [Start::<S>::Zero, Start::Current, Start::Bias(&bias), Start::Repeat(&base)] {
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
    }

    /// A transpose of numbers that tell their place.
    #[derive(Clone, Copy)]
    struct Transpose {
        rows: usize,
        width: usize,
    }

    impl Task<f32> for Transpose {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd<Element = f32>>(self) {
            let Transpose { rows, width } = self;
            let numbers: Vec<f32> = (0..rows * width * 8).map(|i| i as f32).collect();
            let source: Vec<S::Vector> = numbers.chunks_exact(8).map(Vector::load).collect();
            let stride = rows.div_ceil(8);
            let mut target = vec![S::Vector::splat(-1.0); width * 8 * stride];
            transpose(&source, rows, width, &mut target);
            let found: &[f32] = bytemuck::cast_slice(&target);
            for lane in 0..width * 8 {
                for row in 0..stride * 8 {
                    let expected = if row < rows { (row * width * 8 + lane) as f32 } else { 0.0 };
                    assert_eq!(found[lane * stride * 8 + row], expected);
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
            let case = Case { rows, inner, period, repeats, transposed };
            for path in Path::available() {
                f32::run(path, case);
            }
            f64::run(Path::current(), case);
        }

        #[test]
        fn transposes_of_any_size(rows in 1..20_usize, width in 1..5_usize) {
            for path in Path::available() {
                path.run(Transpose { rows, width });
            }
        }
    }
}
