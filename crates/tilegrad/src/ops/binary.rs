//! Arithmetic between two variables, number by number. A variable per word meets each of its particles.

use std::ops::{Add, Div, Mul, Sub};
use std::sync::Arc;

use super::{Keep, Kernel, Op, for_each, put, start_sum};
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::shape::Shape;
use crate::simd::Simd;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Add,
    Sub,
    Mul,
    Div,
}

impl Operator {
    fn name(self) -> &'static str {
        match self {
            Operator::Add => "add",
            Operator::Sub => "subtract",
            Operator::Mul => "multiply",
            Operator::Div => "divide",
        }
    }
}

#[derive(Debug)]
struct Binary {
    operator: Operator,
    x: VarId,
    y: VarId,
    output: VarId,
    rows: usize,
}

impl<'g> Var<'g> {
    #[track_caller]
    fn combine(self, operator: Operator, other: Var<'g>) -> Var<'g> {
        if !self.graph.owns(operator.name(), other) {
            return self;
        }
        let (x, y) = (self.shape(), other.shape());
        if x.rows != y.rows {
            self.graph.fail(operator.name(), format!("shapes {x} and {y} do not match"));
            return self;
        }
        let shape = Shape { rows: x.rows, lanes: x.lanes.join(y.lanes) };
        self.graph.push(shape, |output| {
            Arc::new(Binary { operator, x: self.id, y: other.id, output, rows: x.rows })
        })
    }
}

impl<'g> Add for Var<'g> {
    type Output = Var<'g>;

    #[track_caller]
    fn add(self, other: Self) -> Self {
        self.combine(Operator::Add, other)
    }
}

impl<'g> Sub for Var<'g> {
    type Output = Var<'g>;

    #[track_caller]
    fn sub(self, other: Self) -> Self {
        self.combine(Operator::Sub, other)
    }
}

impl<'g> Mul for Var<'g> {
    type Output = Var<'g>;

    #[track_caller]
    fn mul(self, other: Self) -> Self {
        self.combine(Operator::Mul, other)
    }
}

impl<'g> Div for Var<'g> {
    type Output = Var<'g>;

    #[track_caller]
    fn div(self, other: Self) -> Self {
        self.combine(Operator::Div, other)
    }
}

impl Op for Binary {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.x, self.y]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        match self.operator {
            Operator::Add | Operator::Sub => Keep::NOTHING,
            Operator::Mul => Keep::INPUTS,
            // The slope towards the divisor is −result / divisor.
            Operator::Div => Keep { inputs: 0b10, output: true },
        }
    }
}

impl Kernel for Binary {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut out = frame.open(self.output);
        let (x, y) = (frame.value(self.x), frame.value(self.y));
        let widths = [frame.width_of(self.x), frame.width_of(self.y)];
        let width = frame.width_of(self.output);
        match self.operator {
            Operator::Add => for_each!(self.rows, width, widths, |i, [a, b]| out[i] = x[a] + y[b]),
            Operator::Sub => for_each!(self.rows, width, widths, |i, [a, b]| out[i] = x[a] - y[b]),
            Operator::Mul => for_each!(self.rows, width, widths, |i, [a, b]| out[i] = x[a] * y[b]),
            Operator::Div => for_each!(self.rows, width, widths, |i, [a, b]| out[i] = x[a] / y[b]),
        }
        frame.close(out);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, g: &mut [S::Vector]) {
        let rows = self.rows;
        let width = frame.width_of(self.output);
        let (wx, wy) = (frame.width_of(self.x), frame.width_of(self.y));
        if let Some((mut dx, add)) = frame.open_gradient(0, self.x) {
            let add = start_sum(&mut dx, wx < width, add);
            match self.operator {
                Operator::Add | Operator::Sub => {
                    for_each!(rows, width, [wx], |i, [a]| put(&mut dx[a], g[i], add));
                }
                Operator::Mul => {
                    let y = frame.value(self.y);
                    for_each!(rows, width, [wx, wy], |i, [a, b]| put(&mut dx[a], g[i] * y[b], add));
                }
                Operator::Div => {
                    let y = frame.value(self.y);
                    for_each!(rows, width, [wx, wy], |i, [a, b]| put(&mut dx[a], g[i] / y[b], add));
                }
            }
            frame.close(dx);
        }
        if let Some((mut dy, add)) = frame.open_gradient(1, self.y) {
            let add = start_sum(&mut dy, wy < width, add);
            match self.operator {
                Operator::Add => for_each!(rows, width, [wy], |i, [b]| put(&mut dy[b], g[i], add)),
                Operator::Sub => for_each!(rows, width, [wy], |i, [b]| put(&mut dy[b], -g[i], add)),
                Operator::Mul => {
                    let x = frame.value(self.x);
                    for_each!(rows, width, [wx, wy], |i, [a, b]| put(&mut dy[b], g[i] * x[a], add));
                }
                Operator::Div => {
                    let (y, out) = (frame.value(self.y), frame.value(self.output));
                    for_each!(rows, width, [wy], |i, [b]| put(&mut dy[b], -(g[i] * out[i] / y[b]), add));
                }
            }
            frame.close(dy);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Var;
    use crate::check::{check, config, lanes, sizes};
    use proptest::prelude::*;

    type Case = (for<'g> fn(Var<'g>, Var<'g>) -> Var<'g>, fn(f64, f64) -> f64);

    const CASES: [Case; 4] = [
        (|x, y| x + y, |x, y| x + y),
        (|x, y| x - y, |x, y| x - y),
        (|x, y| x * y, |x, y| x * y),
        (|x, y| x / y, |x, y| x / y),
    ];

    proptest! {
        #![proptest_config(config(60))]
        #[test]
        fn operators(size in sizes(), rows in 1..5_usize, x in lanes(), y in lanes(), case in 0..4_usize) {
            let (record, formula) = CASES[case];
            check(
                size,
                |graph, inputs| {
                    let x = inputs.var(graph, (rows, x), -2.0..2.0);
                    record(x, inputs.var(graph, (rows, y), 0.5..3.0))
                },
                |inputs, word, particle| {
                    let at = |index, row| inputs.at(index, row, word, particle);
                    (0..rows).map(|row| formula(at(0, row), at(1, row))).collect()
                },
            );
        }

        #[test]
        fn operators_on_a_variable_and_itself(size in sizes(), lanes in lanes(), case in 0..4_usize) {
            let (record, formula) = CASES[case];
            check(
                size,
                |graph, inputs| {
                    let x = inputs.var(graph, (2, lanes), 0.5..2.0);
                    record(x, x) + x
                },
                |inputs, word, particle| {
                    let x = |row| inputs.at(0, row, word, particle);
                    (0..2).map(|row| formula(x(row), x(row)) + x(row)).collect()
                },
            );
        }
    }
}
