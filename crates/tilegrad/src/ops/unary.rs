//! Functions of one variable, applied number by number.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;

use super::{Keep, Kernel, Op, put};
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::simd::{Simd, Vector};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Function {
    Tanh,
    Sigmoid,
    /// `ln(1 + e^(x + before)) + after`
    Softplus(f64, f64),
    Exp,
    Ln,
    Square,
    /// `factor · x + constant`
    Scale(f64, f64),
}

impl Function {
    #[inline(always)]
    fn value<V: Vector>(self, x: V) -> V {
        match self {
            Function::Tanh => x.tanh(),
            Function::Sigmoid => x.sigmoid(),
            Function::Softplus(before, after) => (x + V::constant(before)).softplus() + V::constant(after),
            Function::Exp => x.exp(),
            Function::Ln => x.ln(),
            Function::Square => x * x,
            Function::Scale(factor, constant) => x.mul_add(V::constant(factor), V::constant(constant)),
        }
    }

    /// The derivative, from the kept number: the result for functions that [`Function::keeps_output`],
    /// else the argument.
    #[inline(always)]
    fn slope<V: Vector>(self, kept: V) -> V {
        let one = V::constant(1.0);
        match self {
            Function::Tanh => (-kept).mul_add(kept, one),
            Function::Sigmoid => (-kept).mul_add(kept, kept),
            Function::Softplus(before, _) => (kept + V::constant(before)).sigmoid(),
            Function::Exp => kept,
            Function::Ln => one / kept,
            Function::Square => kept + kept,
            Function::Scale(factor, _) => V::constant(factor),
        }
    }

    fn keeps_output(self) -> bool {
        matches!(self, Function::Tanh | Function::Sigmoid | Function::Exp)
    }
}

#[derive(Debug)]
struct Unary {
    function: Function,
    x: VarId,
    output: VarId,
}

impl<'g> Var<'g> {
    fn apply(self, function: Function) -> Var<'g> {
        self.graph.push(self.shape(), |output| Arc::new(Unary { function, x: self.id, output }))
    }

    /// Hyperbolic tangent.
    pub fn tanh(self) -> Self {
        self.apply(Function::Tanh)
    }

    /// `1 / (1 + e^−x)`.
    pub fn sigmoid(self) -> Self {
        self.apply(Function::Sigmoid)
    }

    /// `ln(1 + e^x)`.
    pub fn softplus(self) -> Self {
        self.apply(Function::Softplus(0.0, 0.0))
    }

    /// `ln(1 + e^(x + before)) + after`, in one pass: a positive number that stays above `after`.
    pub fn shifted_softplus(self, before: f64, after: f64) -> Self {
        self.apply(Function::Softplus(before, after))
    }

    /// `e^x`.
    pub fn exp(self) -> Self {
        self.apply(Function::Exp)
    }

    /// Natural logarithm.
    pub fn ln(self) -> Self {
        self.apply(Function::Ln)
    }

    /// `x²`.
    pub fn square(self) -> Self {
        self.apply(Function::Square)
    }

    /// `factor · x + constant`.
    pub fn scale(self, factor: f64, constant: f64) -> Self {
        self.apply(Function::Scale(factor, constant))
    }
}

impl Neg for Var<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        self.scale(-1.0, 0.0)
    }
}

impl Add<f64> for Var<'_> {
    type Output = Self;

    fn add(self, constant: f64) -> Self {
        self.scale(1.0, constant)
    }
}

impl Sub<f64> for Var<'_> {
    type Output = Self;

    fn sub(self, constant: f64) -> Self {
        self.scale(1.0, -constant)
    }
}

impl Mul<f64> for Var<'_> {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        self.scale(factor, 0.0)
    }
}

impl Div<f64> for Var<'_> {
    type Output = Self;

    fn div(self, divisor: f64) -> Self {
        self.scale(1.0 / divisor, 0.0)
    }
}

impl Op for Unary {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.x]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        match self.function {
            Function::Scale(..) => Keep::NOTHING,
            function if function.keeps_output() => Keep::OUTPUT,
            _ => Keep::INPUTS,
        }
    }
}

impl Kernel for Unary {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let x = frame.value(self.x);
        let function = self.function;
        for (y, &x) in y.iter_mut().zip(x) {
            *y = function.value(x);
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let Some((mut dx, add)) = frame.open_gradient(0, self.x) else { return };
        let function = self.function;
        if let Function::Scale(factor, _) = function {
            let factor = S::Vector::constant(factor);
            for (dx, &dy) in dx.iter_mut().zip(&*dy) {
                put(dx, dy * factor, add);
            }
        } else {
            let kept = frame.value(if function.keeps_output() { self.output } else { self.x });
            for (dx, (&dy, &kept)) in dx.iter_mut().zip(dy.iter().zip(kept)) {
                put(dx, dy * function.slope(kept), add);
            }
        }
        frame.close(dx);
    }
}

#[cfg(test)]
mod tests {
    use crate::Var;
    use crate::check::{check, config, lanes, sizes};
    use proptest::prelude::*;
    use std::ops::Range;

    /// Recording, formula, range of arguments.
    type Case = (for<'g> fn(Var<'g>) -> Var<'g>, fn(f64) -> f64, Range<f32>);

    const CASES: [Case; 13] = [
        (|x| x.tanh(), f64::tanh, -4.0..4.0),
        (|x| x.sigmoid(), |x| 1.0 / (1.0 + (-x).exp()), -6.0..6.0),
        (|x| x.softplus(), |x| x.exp().ln_1p(), -6.0..6.0),
        (|x| x.shifted_softplus(0.4, 0.1), |x| (x + 0.4).exp().ln_1p() + 0.1, -6.0..6.0),
        (|x| x.exp(), f64::exp, -4.0..4.0),
        (|x| x.ln(), f64::ln, 0.3..5.0),
        (|x| x.square(), |x| x * x, -2.0..2.0),
        (|x| x.scale(-0.7, 1.3), |x| -0.7 * x + 1.3, -2.0..2.0),
        (|x| -x, |x| -x, -2.0..2.0),
        (|x| x + 0.4, |x| x + 0.4, -2.0..2.0),
        (|x| x - 0.4, |x| x - 0.4, -2.0..2.0),
        (|x| x * 0.4, |x| x * 0.4, -2.0..2.0),
        (|x| x / 0.4, |x| x / 0.4, -2.0..2.0),
    ];

    proptest! {
        #![proptest_config(config(60))]
        #[test]
        fn functions(size in sizes(), rows in 1..5_usize, lanes in lanes(), case in 0..CASES.len()) {
            let (record, formula, range) = CASES[case].clone();
            check(
                size,
                |graph, inputs| record(inputs.var(graph, (rows, lanes), range)),
                |inputs, word, particle| {
                    (0..rows).map(|row| formula(inputs.at(0, row, word, particle))).collect()
                },
            );
        }
    }
}
