//! The log-probability of a picked symbol under a softmax.

use std::sync::Arc;

use super::particles::finite;
use super::{Kernel, Op, put};
use crate::frame::Frame;
use crate::graph::{Symbols, Var, VarId};
use crate::shape::{Lanes, Shape};
use crate::simd::{Simd, Vector};

use bytemuck::Zeroable;

impl<'g> Var<'g> {
    /// `ln softmax(x)[symbol]`: one row. Particles share their word's symbol.
    #[track_caller]
    pub fn log_softmax_pick(self, symbols: Symbols<'g>) -> Var<'g> {
        if !std::ptr::eq(self.graph, symbols.graph) {
            self.graph.fail("log-softmax", "the symbols belong to another graph".into());
            return self;
        }
        let Shape { rows, lanes } = self.shape();
        // Exponentials, and below them the inverse of their sum and the logarithm of it.
        let hidden = self.graph.push_hidden(Shape { rows: rows + 2, lanes });
        let (x, symbols) = (self.id, symbols.index);
        self.graph.push(Shape { rows: 1, lanes }, |output| {
            Arc::new(LogSoftmaxPick { x, symbols, hidden, rows, lanes, output })
        })
    }
}

#[derive(Debug)]
struct LogSoftmaxPick {
    x: VarId,
    symbols: u32,
    hidden: VarId,
    rows: usize,
    lanes: Lanes,
    output: VarId,
}

impl Op for LogSoftmaxPick {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.x]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn hidden(&self) -> Option<VarId> {
        Some(self.hidden)
    }
}

impl Kernel for LogSoftmaxPick {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let (rows, width) = (self.rows, frame.width(self.lanes));
        let mut hidden = frame.open(self.hidden);
        let x = frame.value(self.x);
        let (exponentials, below) = hidden.split_at_mut(rows * width);
        let (inverses, logs) = below.split_at_mut(width);
        for v in 0..width {
            let column = x[v..].iter().step_by(width);
            let mut largest = S::Vector::constant(f64::NEG_INFINITY);
            for &x in column.clone() {
                largest = x.max(largest);
            }
            let largest = finite(largest);
            let mut sum = S::Vector::zeroed();
            for (&x, e) in column.zip(exponentials[v..].iter_mut().step_by(width)) {
                *e = (x - largest).exp();
                sum += *e;
            }
            inverses[v] = S::Vector::constant(1.0) / sum;
            logs[v] = largest + sum.ln();
        }
        frame.close(hidden);

        let mut y = frame.open(self.output);
        let words = frame.dims().words;
        let lanes = frame.dims().lanes(self.lanes);
        let (x, symbols) = (frame.numbers(self.x), frame.symbols(self.symbols));
        let logs = &frame.numbers(self.hidden)[(rows + 1) * lanes..];
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut y);
        for (first, y) in (0..lanes).step_by(words).zip(numbers.chunks_exact_mut(words)) {
            for (lane, (y, &symbol)) in (first..).zip(y.iter_mut().zip(symbols)) {
                *y = x[symbol as usize * lanes + lane] - logs[lane];
            }
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let Some((mut dx, add)) = frame.open_gradient(0, self.x) else { return };
        let (rows, width) = (self.rows, frame.width(self.lanes));
        let hidden = frame.value(self.hidden);
        let inverses = &hidden[rows * width..(rows + 1) * width];
        for (dx, exponentials) in dx.chunks_exact_mut(width).zip(hidden.chunks_exact(width)) {
            let factors = inverses.iter().zip(&*dy);
            for ((dx, &e), (&inverse, &dy)) in dx.iter_mut().zip(exponentials).zip(factors) {
                put(dx, -(e * inverse * dy), add);
            }
        }
        let (words, lanes) = (frame.dims().words, frame.dims().lanes(self.lanes));
        let symbols = frame.symbols(self.symbols);
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut dx);
        let dy: &[S::Element] = bytemuck::cast_slice(dy);
        for (first, dy) in (0..lanes).step_by(words).zip(dy.chunks_exact(words)) {
            for (lane, (&symbol, &dy)) in (first..).zip(symbols.iter().zip(dy)) {
                numbers[symbol as usize * lanes + lane] += dy;
            }
        }
        frame.close(dx);
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{Inputs, Run, Size, check, config, lanes, sizes};
    use crate::{Element, Lanes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(config(60))]
        #[test]
        fn picked_symbols(size in sizes(), rows in 1..9_usize, lanes in lanes()) {
            check(
                size,
                |graph, inputs| {
                    let x = inputs.var(graph, (rows, lanes), -4.0..4.0);
                    x.log_softmax_pick(inputs.symbols(graph, rows))
                },
                |inputs, word, particle| {
                    let e = |row| inputs.at(0, row, word, particle).exp();
                    vec![(e(inputs.symbol_at(0, word)) / (0..rows).map(e).sum::<f64>()).ln()]
                },
            );
        }
    }

    /// Values and gradients with respect to a shift of the first and of the second row.
    fn first_symbol<T: Element>(columns: [[f32; 3]; 8]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut inputs = Inputs::new(Size { words: 8, particles: 1 });
        let graph = inputs.graph();
        let shift = graph.broadcast(inputs.weight(3, 1));
        let x = inputs.given(&graph, (3, Lanes::Word), |row, word, _| columns[word][row]);
        let y = (x + shift).log_softmax_pick(inputs.symbols(&graph, 1));
        let mut run: Run<T> = inputs.run(&graph, 1, Some(y), &[y]);
        run.flat.fill(T::default());
        let gradients = (0..8).map(|word| run.gradient_of(word..word + 1).1).collect();
        (run.values(y.id()), gradients)
    }

    #[test]
    fn extremes() {
        const NO: f32 = f32::NEG_INFINITY;
        let columns = [
            [0.0, NO, NO],
            [NO, 0.0, 1.0],
            [1e20, 0.0, NO],
            [-1e20, -1e20, NO],
            [90.0, 90.0, 90.0],
            [f32::NAN, 0.0, 1.0],
            [1.0, 0.0, f32::NAN],
            [-200.0, 0.0, -200.0],
        ];
        for (values, gradients) in [first_symbol::<f32>(columns), first_symbol::<f64>(columns)] {
            assert_eq!(values[0], 0.0);
            assert_eq!(gradients[0], [0.0; 3]);
            assert_eq!(values[1], f64::NEG_INFINITY);
            assert!((gradients[1][2] + 0.75 * 0.731_058_578_630).abs() < 1e-6);
            assert_eq!(values[2], 0.0);
            assert_eq!(gradients[2], [0.0; 3]);
            assert!((gradients[3][0] - 0.75 * 0.5).abs() < 1e-6 && gradients[3][2] == 0.0);
            assert!((values[4] + 3_f64.ln()).abs() < 1e-5);
            assert!(values[5].is_nan() && values[6].is_nan(), "NaN passes through");
            assert_eq!(values[7], -200.0);
            assert_eq!(gradients[7][0], 0.75);
        }
    }
}
