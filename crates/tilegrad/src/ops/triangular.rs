//! Products with lower-triangular matrices and solutions of triangular systems, a matrix per lane.

use std::sync::Arc;

use super::{Keep, Kernel, Op, for_each, put, start_sum};
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::shape::{Dims, Lanes, Shape};
use crate::simd::{Simd, Vector, Work};

/// A lower-triangular matrix for each word or particle.
///
/// The part below the diagonal is packed row by row — entry (r, c) with c < r is row r(r−1)/2 + c — and
/// the diagonal stands apart, because models bound it away from zero. Without a part below it is a
/// diagonal matrix.
#[derive(Debug, Clone, Copy)]
pub struct Triangle<'g> {
    below: Option<Var<'g>>,
    diagonal: Var<'g>,
}

impl<'g> Triangle<'g> {
    /// A matrix from its parts, which must have the same kind of lanes.
    #[track_caller]
    pub fn new(below: Option<Var<'g>>, diagonal: Var<'g>) -> Self {
        let graph = diagonal.graph;
        if let Some(below) = below {
            if !graph.owns("triangle", below) {
                return Self { below: None, diagonal };
            }
            let (b, d) = (below.shape(), diagonal.shape());
            if b.rows != d.rows * (d.rows - 1) / 2 || b.lanes != d.lanes {
                graph.fail("triangle", format!("{b} below a diagonal of {d}"));
                return Self { below: None, diagonal };
            }
        }
        Self { below, diagonal }
    }

    /// `shift + L x`.
    #[track_caller]
    pub fn product(self, x: Var<'g>, shift: Option<Var<'g>>) -> Var<'g> {
        self.record("triangular product", false, x, shift)
    }

    /// `L⁻¹ (y − shift)`.
    #[track_caller]
    pub fn solve(self, y: Var<'g>, shift: Option<Var<'g>>) -> Var<'g> {
        self.record("triangular solve", true, y, shift)
    }

    #[track_caller]
    fn record(self, name: &'static str, solve: bool, x: Var<'g>, shift: Option<Var<'g>>) -> Var<'g> {
        let graph = self.diagonal.graph;
        let matrix = self.diagonal.shape();
        if !graph.owns(name, x) {
            return self.diagonal;
        }
        let mut lanes = matrix.lanes.join(x.shape().lanes);
        if let Some(shift) = shift {
            if !graph.owns(name, shift) {
                return x;
            }
            lanes = lanes.join(shift.shape().lanes);
        }
        let operands = [Some(x), shift];
        for shape in operands.into_iter().flatten().map(Var::shape) {
            if shape.rows != matrix.rows {
                let size = matrix.rows;
                graph.fail(name, format!("a {size}×{size} matrix ({matrix}) does not fit {shape}"));
                return x;
            }
        }
        let x = if x.shape().lanes == lanes { x } else { x.expand() };
        let below = self.below.filter(|_| matrix.rows > 1);
        graph.push(Shape { rows: matrix.rows, lanes }, |output| {
            Arc::new(Triangular {
                solve,
                x: x.id,
                diagonal: self.diagonal.id,
                below: below.map(Var::id),
                shift: shift.map(Var::id),
                size: matrix.rows,
                matrix_lanes: matrix.lanes,
                lanes,
                output,
            })
        })
    }
}

#[derive(Debug)]
struct Triangular {
    solve: bool,
    x: VarId,
    diagonal: VarId,
    below: Option<VarId>,
    shift: Option<VarId>,
    size: usize,
    matrix_lanes: Lanes,
    lanes: Lanes,
    output: VarId,
}

impl Op for Triangular {
    fn inputs(&self) -> Vec<VarId> {
        [Some(self.x), Some(self.diagonal), self.below, self.shift].into_iter().flatten().collect()
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        // Towards the matrix, a product needs its argument and a solution itself.
        if self.solve { Keep { inputs: 0b110, output: true } } else { Keep { inputs: 0b111, output: false } }
    }
}

impl Kernel for Triangular {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let shift = self.shift.map(|shift| (frame.value(shift), frame.width_of(shift)));
        self.sweep(frame, frame.value(self.x), shift, &mut y, false);
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let mut scratch = frame.open_scratch();
        let u = &mut scratch[..dy.len()];
        // u: the gradient of x (product) or of the right-hand side (solve).
        self.sweep(frame, dy, None, u, true);
        let (width, rows) = (frame.width(self.lanes), self.size);
        if let Some((mut dx, add)) = frame.open_gradient(0, self.x) {
            for (dx, &u) in dx.iter_mut().zip(&*u) {
                put(dx, u, add);
            }
            frame.close(dx);
        }
        // d(L)_rc is left_r right_c, with a minus sign for the solution.
        let left = if self.solve { &*u } else { &dy[..] };
        let right = if self.solve { self.output } else { self.x };
        let narrow = frame.width(self.matrix_lanes);
        if let Some((mut target, add)) = frame.open_gradient(1, self.diagonal) {
            let right = frame.value(right);
            let add = start_sum(&mut target, narrow < width, add);
            for_each!(rows, width, [narrow], |i, [at]| {
                let own = left[i] * right[i];
                put(&mut target[at], if self.solve { -own } else { own }, add);
            });
            frame.close(target);
        }
        let mut number = 2;
        if let Some(below) = self.below {
            if let Some((mut target, add)) = frame.open_gradient(number, below) {
                let right = frame.value(right);
                Outer { left, right, width, narrow, minus: self.solve, add }.write(rows, &mut target);
                frame.close(target);
            }
            number += 1;
        }
        if let Some(shift) = self.shift {
            let narrow = frame.width_of(shift);
            if let Some((mut target, add)) = frame.open_gradient(number, shift) {
                let source = if self.solve { &*u } else { &dy[..] };
                let add = start_sum(&mut target, narrow < width, add);
                for_each!(rows, width, [narrow], |i, [at]| {
                    put(&mut target[at], if self.solve { -source[i] } else { source[i] }, add);
                });
                frame.close(target);
            }
        }
        frame.close(scratch);
    }

    fn scratch(&self, dims: Dims, lanes: usize) -> usize {
        self.size * dims.lanes(self.lanes) / lanes
    }
}

/// Lanes computed together: enough to hide the latency of the chain from row to row, in as few
/// registers as there are.
const WIDE_BLOCK: usize = 10;
const BLOCK: usize = 4;

impl Triangular {
    /// Product or solution, with the matrix or its transpose.
    #[inline(always)]
    fn sweep<S: Simd>(
        &self,
        frame: &Frame<'_, S>,
        x: &[S::Vector],
        shift: Option<(&[S::Vector], usize)>,
        out: &mut [S::Vector],
        transpose: bool,
    ) {
        let width = frame.width(self.lanes);
        let matrix_width = frame.width(self.matrix_lanes);
        let shared = matrix_width < width;
        // Particles of the same words lie a row of words apart.
        let step = if self.lanes == Lanes::Particle { frame.width(Lanes::Word) } else { 1 };
        let below = self.below.map_or(&[][..], |below| frame.value(below));
        let diagonal = frame.value(self.diagonal);
        let size = self.size;
        assert!(x.len() >= size * width && out.len() >= size * width);
        assert!(diagonal.len() >= size * matrix_width);
        assert!(shift.is_none_or(|(shift, own)| shift.len() >= size * own && (own == width || own == step)));
        assert!(self.below.is_none() || below.len() >= size * (size - 1) / 2 * matrix_width);
        let has_below = self.below.is_some();
        let sweep = Sweep { size, width, matrix_width, step, below, diagonal, x, shift, has_below };
        S::enter(SweepWork { sweep, out, form: (shared, self.solve, transpose) });
    }
}

/// A sweep in one of its forms: whether the matrix is shared, solved for, transposed.
struct SweepWork<'a, V> {
    sweep: Sweep<'a, V>,
    out: &'a mut [V],
    form: (bool, bool, bool),
}

impl<V: Vector> Work for SweepWork<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { sweep, out, form } = self;
        match form {
            (true, false, false) => sweep.run::<true, false, false>(out),
            (true, false, true) => sweep.run::<true, false, true>(out),
            (true, true, false) => sweep.run::<true, true, false>(out),
            (true, true, true) => sweep.run::<true, true, true>(out),
            (false, false, false) => sweep.run::<false, false, false>(out),
            (false, false, true) => sweep.run::<false, false, true>(out),
            (false, true, false) => sweep.run::<false, true, false>(out),
            (false, true, true) => sweep.run::<false, true, true>(out),
        }
    }
}

struct Sweep<'a, V> {
    size: usize,
    width: usize,
    matrix_width: usize,
    step: usize,
    below: &'a [V],
    diagonal: &'a [V],
    x: &'a [V],
    shift: Option<(&'a [V], usize)>,
    has_below: bool,
}

impl<V: Vector> Sweep<'_, V> {
    #[inline(always)]
    fn run<const SHARED: bool, const SOLVE: bool, const TRANSPOSE: bool>(&self, out: &mut [V]) {
        for column in 0..self.step {
            let count = (self.width - column).div_ceil(self.step);
            let mut k = 0;
            while k + WIDE_BLOCK <= count {
                self.block::<WIDE_BLOCK, SHARED, SOLVE, TRANSPOSE>(out, column, column + k * self.step);
                k += WIDE_BLOCK;
            }
            while k + BLOCK <= count {
                self.block::<BLOCK, SHARED, SOLVE, TRANSPOSE>(out, column, column + k * self.step);
                k += BLOCK;
            }
            while k < count {
                self.block::<1, SHARED, SOLVE, TRANSPOSE>(out, column, column + k * self.step);
                k += 1;
            }
        }
    }

    /// `N` lanes' vectors, `step` apart, from `lane` on; what they share lies at `column`.
    #[inline(always)]
    fn block<const N: usize, const SHARED: bool, const SOLVE: bool, const TRANSPOSE: bool>(
        &self,
        out: &mut [V],
        column: usize,
        lane: usize,
    ) {
        let Self { size, width, step, .. } = *self;
        let matrix_at = |row: usize, at: usize| row * self.matrix_width + if SHARED { column } else { at };
        for turn in 0..size {
            // Substitution with the transpose runs upwards.
            let r = if SOLVE && TRANSPOSE { size - 1 - turn } else { turn };
            let mut sum = [V::zeroed(); N];
            let others = match (self.has_below, TRANSPOSE) {
                (false, _) => 0..0,
                (true, false) => 0..r,
                (true, true) => r + 1..size,
            };
            for c in others {
                let entry = if TRANSPOSE { c * (c - 1) / 2 + r } else { r * (r - 1) / 2 + c };
                for (i, sum) in sum.iter_mut().enumerate() {
                    let at = lane + i * step;
                    // SAFETY: `Triangular::sweep` has checked the lengths; entry < size(size−1)/2,
                    // c < size, at < width and column < matrix_width.
                    unsafe {
                        let others = if SOLVE { &*out } else { self.x };
                        let other = *others.get_unchecked(c * width + at);
                        *sum = self.below.get_unchecked(matrix_at(entry, at)).mul_add(other, *sum);
                    }
                }
            }
            // SAFETY: as above; the shift has `size` rows of `own` vectors, and `column` or `at` is below that.
            unsafe {
                let mut diagonal = V::zeroed();
                for (i, sum) in sum.iter().enumerate() {
                    let at = lane + i * step;
                    if i == 0 || !SHARED {
                        diagonal = *self.diagonal.get_unchecked(matrix_at(r, at));
                        if SOLVE {
                            diagonal = V::constant(1.0) / diagonal;
                        }
                    }
                    let x = *self.x.get_unchecked(r * width + at);
                    let shift = match self.shift {
                        Some((shift, own)) if own == width => *shift.get_unchecked(r * own + at),
                        Some((shift, own)) => *shift.get_unchecked(r * own + column),
                        None => V::zeroed(),
                    };
                    *out.get_unchecked_mut(r * width + at) =
                        if SOLVE { (x - shift - *sum) * diagonal } else { diagonal.mul_add(x, *sum + shift) };
                }
            }
        }
    }
}

/// Products of the rows of two variables, for the gradient of the part below the diagonal.
struct Outer<'a, V> {
    left: &'a [V],
    right: &'a [V],
    width: usize,
    /// Vectors in a row of the matrix.
    narrow: usize,
    minus: bool,
    add: bool,
}

impl<V: Vector> Outer<'_, V> {
    #[inline(always)]
    fn write(&self, size: usize, target: &mut [V]) {
        assert!(self.left.len() >= size * self.width && self.right.len() >= size * self.width);
        for r in 1..size {
            let mut c = 0;
            while c + BLOCK <= r {
                self.columns::<BLOCK>(r, c, target);
                c += BLOCK;
            }
            while c < r {
                self.columns::<1>(r, c, target);
                c += 1;
            }
        }
    }

    /// Entries (r, c) … (r, c + N − 1), summed over the lanes that share a matrix.
    #[inline(always)]
    fn columns<const N: usize>(&self, r: usize, c: usize, target: &mut [V]) {
        let entry = r * (r - 1) / 2 + c;
        for v in 0..self.narrow {
            let mut sums = [V::zeroed(); N];
            for lane in (v..self.width).step_by(self.narrow) {
                // SAFETY: `write` has checked that both have `size` rows; r and c + N − 1 are below it.
                unsafe {
                    let left = *self.left.get_unchecked(r * self.width + lane);
                    for (i, sum) in sums.iter_mut().enumerate() {
                        let right = *self.right.get_unchecked((c + i) * self.width + lane);
                        *sum = left.mul_add(right, *sum);
                    }
                }
            }
            for (i, &sum) in sums.iter().enumerate() {
                put(
                    &mut target[(entry + i) * self.narrow + v],
                    if self.minus { -sum } else { sum },
                    self.add,
                );
            }
        }
    }
}

#[cfg(test)]
mod tests;
