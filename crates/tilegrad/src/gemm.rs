//! The one matrix product of the engine: `C = start + A·B`, with lanes along the vectors of B and C.
//!
//! All three products of an affine map are this one. Forward: A is the weight matrix, B the inputs.
//! Towards the inputs: A is the weight matrix read with its strides exchanged, B the gradients.
//! Towards the weights: A is read number by number along the lanes, B is the other factor transposed.
//!
//! A block of C is held in registers while one pass over the inner dimension reads a column of A
//! (each number broadcast) and a few vectors of B. How many rows a block has is up to the path
//! ([`Simd::ROWS`]): enough to keep the multipliers busy, with room for the operands.

use crate::ops::Activation;
use crate::simd::{Columns, Simd, Vector, Work};

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
        let job = Job { rows, inner, width, a, b, start, period, activation };
        let mut column = 0;
        while column < width {
            // Columns of a block lie in one period, so that the repeated start is contiguous.
            let left = (period - column % period).min(width - column);
            column += if left >= S::Columns::COUNT {
                job.columns::<S::Columns>(c, column)
            } else if left >= S::Rest::COUNT {
                job.columns::<S::Rest>(c, column)
            } else {
                job.columns::<[S::Vector; 1]>(c, column)
            };
        }
    }
}

struct Job<'a, S: Simd> {
    rows: usize,
    inner: usize,
    width: usize,
    a: Matrix<'a, S::Element>,
    b: &'a [S::Vector],
    start: Start<'a, S>,
    period: usize,
    activation: Activation,
}

impl<S: Simd> Job<'_, S> {
    /// Computes a few columns of vectors of C, all rows; returns how many columns.
    #[inline(always)]
    fn columns<C: Columns<S::Vector>>(&self, c: &mut [S::Vector], column: usize) -> usize {
        let mut row = 0;
        while row < self.rows {
            let next = block_rows(self.rows - row, S::ROWS);
            match next {
                12 if S::ROWS == 12 => self.block::<12, C>(c, row, column),
                6 => self.block::<6, C>(c, row, column),
                5 => self.block::<5, C>(c, row, column),
                4 => self.block::<4, C>(c, row, column),
                3 => self.block::<3, C>(c, row, column),
                2 => self.block::<2, C>(c, row, column),
                _ => self.block::<1, C>(c, row, column),
            }
            row += next;
        }
        self.activate::<C>(c, column);
        C::COUNT
    }

    /// Applies the activation to these columns, while they are in the nearest cache.
    #[inline(always)]
    fn activate<C: Columns<S::Vector>>(&self, c: &mut [S::Vector], column: usize) {
        let rows = c.chunks_exact_mut(self.width).take(self.rows);
        match self.activation {
            Activation::Identity => {}
            Activation::Tanh => {
                for row in rows {
                    for x in &mut row[column..column + C::COUNT] {
                        *x = x.tanh();
                    }
                }
            }
            Activation::Sigmoid => {
                for row in rows {
                    for x in &mut row[column..column + C::COUNT] {
                        *x = x.sigmoid();
                    }
                }
            }
        }
    }

    /// One block of C: `MR` rows of a few vectors.
    #[inline(always)]
    fn block<const MR: usize, C: Columns<S::Vector>>(&self, c: &mut [S::Vector], row: usize, column: usize) {
        debug_assert!(column + C::COUNT <= self.width && row + MR <= self.rows);
        let mut sums = [C::splat(S::Element::default()); MR];
        // SAFETY: `Product::run` has checked that A, B, C and the start have `rows`, `inner` and `width` of all
        // they need; row + MR ≤ rows and column + COUNT ≤ width keep every access below those.
        unsafe {
            let c = c.as_mut_ptr().add(row * self.width + column);
            match self.start {
                Start::Zero => {}
                Start::Bias(bias) => {
                    for (r, sum) in sums.iter_mut().enumerate() {
                        *sum = C::splat(*bias.get_unchecked(row + r));
                    }
                }
                Start::Current => load(&mut sums, c, self.width),
                Start::Repeat(base) => {
                    let first = row * self.period + column % self.period;
                    load(&mut sums, base.as_ptr().add(first), self.period);
                }
            }
            // Wrapping: before a round that is not, and after the last one, the pointers may lie outside; they are not
            // read then.
            let rows = |first: usize| self.a.data.as_ptr().wrapping_add((row + first) * self.a.row_stride);
            // Three pointers, so that the address of a row does not wait for those of all rows before it.
            let mut a = [rows(0), rows(4), rows(8)];
            let mut b = self.b.as_ptr().wrapping_add(column);
            for _ in 0..self.inner {
                let operand = C::load(b);
                for (r, sum) in sums.iter_mut().enumerate() {
                    let weight = C::splat(*a[r / 4].add(r % 4 * self.a.row_stride));
                    *sum = weight.mul_add(operand, *sum);
                }
                a = a.map(|a| a.wrapping_add(self.a.col_stride));
                b = b.wrapping_add(self.width);
            }
            for (r, sum) in sums.into_iter().enumerate() {
                sum.store(c.add(r * self.width));
            }
        }
    }
}

/// Rows of the next block, when so many are left: at most 12, if a block may have as many, or 4, if it may have no more, and 6 else. A
/// block of few rows leaves the multipliers waiting, so two blocks share what is left over.
#[inline(always)]
fn block_rows(left: usize, most: usize) -> usize {
    match left {
        12.. if most == 12 => 12,
        _ if most == 4 => left.min(4),
        7..12 => left.div_ceil(2),
        _ => left.min(6),
    }
}

/// Loads rows that lie `stride` vectors apart.
///
/// # Safety
/// All of them must be readable.
#[inline(always)]
unsafe fn load<V: Vector, C: Columns<V>>(rows: &mut [C], source: *const V, stride: usize) {
    for (r, row) in rows.iter_mut().enumerate() {
        // SAFETY: as the caller has promised.
        *row = unsafe { C::load(source.add(r * stride)) };
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
