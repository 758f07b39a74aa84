//! Rows: slices, joins, sums, and the end of gradients.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::Zeroable;

use super::{Keep, Kernel, Op, put};
use crate::frame::Frame;
use crate::graph::{Graph, Var, VarId};
use crate::shape::Shape;
use crate::simd::{Simd, Vector};

impl<'g> Var<'g> {
    /// Some of the rows. Nothing is copied.
    #[track_caller]
    pub fn slice(self, rows: Range<usize>) -> Var<'g> {
        let shape = self.shape();
        if rows.is_empty() || rows.end > shape.rows {
            self.graph.fail("slice", format!("rows {}..{} of {shape}", rows.start, rows.end));
            return self;
        }
        self.graph.push_view(self.id, rows.start, rows.len())
    }

    /// The same numbers, through which no gradient passes.
    pub fn stop_gradient(self) -> Var<'g> {
        let view = self.graph.push_view(self.id, 0, self.rows());
        self.graph.recording.borrow_mut().vars[view.id.0 as usize].needs_gradient = false;
        view
    }

    /// The sum over the rows: one row.
    pub fn sum_rows(self) -> Var<'g> {
        self.sum(false)
    }

    /// The sum of the rows' natural logarithms: one row.
    pub fn sum_ln(self) -> Var<'g> {
        self.sum(true)
    }

    fn sum(self, of_logarithms: bool) -> Var<'g> {
        let shape = Shape { rows: 1, ..self.shape() };
        self.graph.push(shape, |output| Arc::new(SumRows { x: self.id, of_logarithms, output }))
    }
}

impl Graph {
    /// All rows of the variables, one below the other. They must have the same kind of lanes.
    #[track_caller]
    pub fn concat<'g>(&'g self, parts: &[Var<'g>]) -> Var<'g> {
        let Some(&first) = parts.first() else {
            self.fail("concat", "there is nothing to join".into());
            return self.data(1, crate::shape::Lanes::Word);
        };
        let (mut rows, lanes) = (0, first.shape().lanes);
        for &part in parts {
            if !self.owns("concat", part) {
                return first;
            }
            if part.shape().lanes != lanes {
                self.fail(
                    "concat",
                    format!("shapes {} and {} have different lanes", first.shape(), part.shape()),
                );
                return first;
            }
            rows += part.rows();
        }
        let parts = parts.iter().map(|part| (part.id, part.rows())).collect();
        self.push(Shape { rows, lanes }, |output| Arc::new(Concat { parts, output }))
    }
}

#[derive(Debug)]
struct SumRows {
    x: VarId,
    of_logarithms: bool,
    output: VarId,
}

impl Op for SumRows {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.x]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        if self.of_logarithms { Keep::INPUTS } else { Keep::NOTHING }
    }
}

impl Kernel for SumRows {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let (x, width) = (frame.value(self.x), y.len());
        for (v, y) in y.iter_mut().enumerate() {
            let mut sum = S::Vector::zeroed();
            for (r, &x) in x[v..].iter().step_by(width).enumerate() {
                let own = if self.of_logarithms { x.ln() } else { x };
                sum = if r == 0 { own } else { sum + own };
            }
            *y = sum;
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let Some((mut dx, add)) = frame.open_gradient(0, self.x) else { return };
        if self.of_logarithms {
            for (x, dx) in frame.value(self.x).chunks_exact(dy.len()).zip(dx.chunks_exact_mut(dy.len())) {
                for (dx, (&x, &dy)) in dx.iter_mut().zip(x.iter().zip(&*dy)) {
                    put(dx, dy / x, add);
                }
            }
        } else {
            for row in dx.chunks_exact_mut(dy.len()) {
                for (dx, &dy) in row.iter_mut().zip(&*dy) {
                    put(dx, dy, add);
                }
            }
        }
        frame.close(dx);
    }
}

#[derive(Debug)]
struct Concat {
    parts: Vec<(VarId, usize)>,
    output: VarId,
}

impl Op for Concat {
    fn inputs(&self) -> Vec<VarId> {
        self.parts.iter().map(|part| part.0).collect()
    }

    fn output(&self) -> VarId {
        self.output
    }
}

impl Kernel for Concat {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let mut first = 0;
        for &(part, _) in &self.parts {
            let x = frame.value(part);
            y[first..first + x.len()].copy_from_slice(x);
            first += x.len();
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let width = frame.width_of(self.output);
        let mut first = 0;
        for (number, &(part, rows)) in self.parts.iter().enumerate() {
            if let Some((mut dx, add)) = frame.open_gradient(number, part) {
                for (dx, &dy) in dx.iter_mut().zip(&dy[first * width..]) {
                    put(dx, dy, add);
                }
                frame.close(dx);
            }
            first += rows;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Lanes;
    use crate::check::{Inputs, Run, Size, check, config, lanes, sizes};
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(config(40))]
        #[test]
        fn slices(size in sizes(), lanes in lanes(), rows in 1..7_usize, a in 0..7_usize, b in 0..7_usize) {
            let (first, end) = (a.min(b) % rows, (a.max(b) % rows).max(a.min(b) % rows) + 1);
            check(
                size,
                |graph, inputs| inputs.var(graph, (rows, lanes), -1.0..1.0).slice(first..end),
                |inputs, word, particle| {
                    (first..end).map(|row| inputs.at(0, row, word, particle)).collect()
                },
            );
        }

        #[test]
        fn joins(size in sizes(), lanes in lanes(), parts in vec(1..4_usize, 1..5)) {
            check(
                size,
                |graph, inputs| {
                    let mut var = |&rows| inputs.var(graph, (rows, lanes), -1.0..1.0);
                    graph.concat(&parts.iter().map(&mut var).collect::<Vec<_>>())
                },
                |inputs, word, particle| {
                    let part = |(i, &rows)| (0..rows).map(move |row| inputs.at(i, row, word, particle));
                    parts.iter().enumerate().flat_map(part).collect()
                },
            );
        }

        #[test]
        fn sums_over_rows(size in sizes(), lanes in lanes(), rows in 1..6_usize) {
            check(
                size,
                |graph, inputs| inputs.var(graph, (rows, lanes), -1.0..1.0).sum_rows(),
                |inputs, word, particle| {
                    vec![(0..rows).map(|row| inputs.at(0, row, word, particle)).sum()]
                },
            );
        }
    }

    proptest! {
        #![proptest_config(config(20))]
        #[test]
        fn sums_of_logarithms(size in sizes(), lanes in lanes(), rows in 1..6_usize) {
            check(
                size,
                |graph, inputs| inputs.var(graph, (rows, lanes), 0.3..5.0).sum_ln(),
                |inputs, word, particle| {
                    vec![(0..rows).map(|row| inputs.at(0, row, word, particle).ln()).sum()]
                },
            );
        }
    }

    #[test]
    fn a_stopped_gradient_passes_values_and_nothing_else() {
        let mut inputs = Inputs::new(Size { words: 5, particles: 3 });
        let graph = inputs.graph();
        let x = inputs.var(&graph, (2, Lanes::Particle), -1.0..1.0);
        let y = inputs.var(&graph, (2, Lanes::Particle), -1.0..1.0);
        let whole = (x * y).sum_rows().sum_particles();
        let stopped = (x.stop_gradient() * y).sum_rows().sum_particles();
        let run = |loss| -> (f64, Vec<f64>) {
            let mut run: Run<f64> = inputs.run(&graph, 8, Some(loss), &[]);
            run.gradient()
        };
        let ((value, gradient), (same, rest)) = (run(whole), run(stopped));
        assert_eq!(value, same);
        // Two numbers belong to x, two to y.
        assert_eq!(rest[..2], [0.0, 0.0]);
        assert_eq!(rest[2..], gradient[2..]);
        assert!(gradient[..2].iter().all(|&slope| slope != 0.0));
        // A loss may itself be stopped.
        assert_eq!(run(whole.stop_gradient()), (value, vec![0.0; 4]));
    }
}
