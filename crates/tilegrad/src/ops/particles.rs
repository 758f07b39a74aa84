//! Between words and their particles: expand, sum, log-sum-exp.

use std::sync::Arc;

use super::{Keep, Kernel, Op, for_each, put};
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::shape::{Lanes, Shape};
use crate::simd::{Simd, Vector};

impl<'g> Var<'g> {
    /// The word's numbers for each of its particles. Other operations do this by themselves; it is
    /// needed only where a result must have one lane per particle.
    #[track_caller]
    pub fn expand(self) -> Var<'g> {
        self.across("expand", Lanes::Word, |x, output| Arc::new(Expand { x, output }))
    }

    /// The sum over a word's particles.
    #[track_caller]
    pub fn sum_particles(self) -> Var<'g> {
        self.across("sum over particles", Lanes::Particle, |x, output| Arc::new(SumParticles { x, output }))
    }

    /// `ln Σ_k e^(x_k)` over a word's particles.
    #[track_caller]
    pub fn log_sum_exp(self) -> Var<'g> {
        self.across("log-sum-exp", Lanes::Particle, |x, output| Arc::new(LogSumExp { x, output }))
    }

    /// Records an operation that goes from one kind of lanes to the other.
    #[track_caller]
    fn across(
        self,
        name: &'static str,
        from: Lanes,
        make: impl FnOnce(VarId, VarId) -> Arc<dyn Op>,
    ) -> Var<'g> {
        let shape = self.shape();
        if shape.lanes != from {
            let expected = Shape { rows: shape.rows, lanes: from };
            self.graph.fail(name, format!("the variable is {shape}, not {expected}"));
            return self;
        }
        let lanes = if from == Lanes::Word { Lanes::Particle } else { Lanes::Word };
        self.graph.push(Shape { rows: shape.rows, lanes }, |output| make(self.id, output))
    }
}

/// Numbers of more than this magnitude are as good as infinite.
const HUGE: f64 = 1e30;

/// A finite number near `x`, so that differences from it are no `∞ − ∞`; NaN stays.
#[inline(always)]
pub(super) fn finite<V: Vector>(x: V) -> V {
    x.max(V::constant(-HUGE)).min(V::constant(HUGE))
}

/// `ln Σ e^(x_i)`, given the numbers twice over.
#[inline(always)]
pub(super) fn log_sum_exp<V: Vector>(numbers: impl Iterator<Item = V> + Clone) -> V {
    let mut largest = V::constant(f64::NEG_INFINITY);
    for x in numbers.clone() {
        largest = x.max(largest);
    }
    let largest = finite(largest);
    let mut sum = V::zeroed();
    for x in numbers {
        sum += (x - largest).exp();
    }
    largest + sum.ln()
}

/// Copies each row of one vector per word to all particles.
#[inline(always)]
fn spread<V: Vector>(words: &[V], word_width: usize, particles: &mut [V], width: usize, add: bool) {
    for (word, row) in words.chunks_exact(word_width).zip(particles.chunks_exact_mut(width)) {
        for particle in row.chunks_exact_mut(word_width) {
            for (y, &x) in particle.iter_mut().zip(word) {
                put(y, x, add);
            }
        }
    }
}

/// Sums each row over the particles.
#[inline(always)]
fn gather_up<V: Vector>(particles: &[V], width: usize, words: &mut [V], word_width: usize, add: bool) {
    for (row, word) in particles.chunks_exact(width).zip(words.chunks_exact_mut(word_width)) {
        for (v, word) in word.iter_mut().enumerate() {
            let mut sum = V::zeroed();
            for &x in row[v..].iter().step_by(word_width) {
                sum += x;
            }
            put(word, sum, add);
        }
    }
}

#[derive(Debug)]
struct Expand {
    x: VarId,
    output: VarId,
}

#[derive(Debug)]
struct SumParticles {
    x: VarId,
    output: VarId,
}

#[derive(Debug)]
struct LogSumExp {
    x: VarId,
    output: VarId,
}

macro_rules! op {
    ($name:ty, $keeps:expr) => {
        impl Op for $name {
            fn inputs(&self) -> Vec<VarId> {
                vec![self.x]
            }

            fn output(&self) -> VarId {
                self.output
            }

            fn keeps(&self) -> Keep {
                $keeps
            }
        }
    };
}

op!(Expand, Keep::NOTHING);
op!(SumParticles, Keep::NOTHING);
op!(LogSumExp, Keep { output: true, ..Keep::INPUTS });

impl Kernel for Expand {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        spread(frame.value(self.x), frame.width(Lanes::Word), &mut y, frame.width(Lanes::Particle), false);
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let Some((mut dx, add)) = frame.open_gradient(0, self.x) else { return };
        gather_up(dy, frame.width(Lanes::Particle), &mut dx, frame.width(Lanes::Word), add);
        frame.close(dx);
    }
}

impl Kernel for SumParticles {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        gather_up(frame.value(self.x), frame.width(Lanes::Particle), &mut y, frame.width(Lanes::Word), false);
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let Some((mut dx, add)) = frame.open_gradient(0, self.x) else { return };
        spread(dy, frame.width(Lanes::Word), &mut dx, frame.width(Lanes::Particle), add);
        frame.close(dx);
    }
}

impl Kernel for LogSumExp {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let (width, word_width) = (frame.width(Lanes::Particle), frame.width(Lanes::Word));
        for (row, y) in frame.value(self.x).chunks_exact(width).zip(y.chunks_exact_mut(word_width)) {
            for (v, y) in y.iter_mut().enumerate() {
                *y = log_sum_exp(row[v..].iter().step_by(word_width).copied());
            }
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let Some((mut dx, add)) = frame.open_gradient(0, self.x) else { return };
        let (width, word_width) = (frame.width(Lanes::Particle), frame.width(Lanes::Word));
        let (x, y) = (frame.value(self.x), frame.value(self.output));
        for_each!(dx.len() / width, width, [word_width], |i, [word]| {
            let share = (x[i] - finite(y[word])).exp();
            put(&mut dx[i], dy[word] * share, add);
        });
        frame.close(dx);
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{Inputs, Run, Size, check, config, sizes};
    use crate::{Element, Lanes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(config(40))]
        #[test]
        fn expansion(size in sizes(), rows in 1..5_usize) {
            check(
                size,
                |graph, inputs| inputs.var(graph, (rows, Lanes::Word), -1.0..1.0).expand(),
                |inputs, word, _| (0..rows).map(|row| inputs.at(0, row, word, 0)).collect(),
            );
        }

        #[test]
        fn sums_over_particles(size in sizes(), rows in 1..5_usize) {
            check(
                size,
                |graph, inputs| inputs.var(graph, (rows, Lanes::Particle), -1.0..1.0).sum_particles(),
                |inputs, word, _| {
                    let sum = |row| (0..size.particles).map(|k| inputs.at(0, row, word, k)).sum();
                    (0..rows).map(sum).collect()
                },
            );
        }

        #[test]
        fn log_sums(size in sizes(), rows in 1..5_usize) {
            check(
                size,
                |graph, inputs| inputs.var(graph, (rows, Lanes::Particle), -5.0..5.0).log_sum_exp(),
                |inputs, word, _| {
                    let sum =
                        |row| (0..size.particles).map(|k| inputs.at(0, row, word, k).exp()).sum::<f64>().ln();
                    (0..rows).map(sum).collect()
                },
            );
        }
    }

    /// Values and gradients (one word each) of the log-sum of two particles.
    fn log_sum<T: Element>(numbers: [[f32; 2]; 8]) -> (Vec<f64>, Vec<[f64; 2]>) {
        let mut inputs = Inputs::new(Size { words: 8, particles: 2 });
        let graph = inputs.graph();
        // One parameter for each particle, so that the gradient shows each one's share.
        let weights = [(); 2].map(|()| inputs.weight(1, 1));
        let x = inputs.given(&graph, (1, Lanes::Particle), |_, word, k| numbers[word][k]);
        let ones = [0, 1].map(|own| {
            inputs.given(&graph, (1, Lanes::Particle), |_, _, k| if k == own { 1.0 } else { 0.0 })
        });
        let shift = graph.broadcast(weights[0]) * ones[0] + graph.broadcast(weights[1]) * ones[1];
        let y = (x + shift).log_sum_exp();
        let mut run: Run<T> = inputs.run(&graph, 1, Some(y), &[y]);
        run.flat.fill(T::default());
        let values = run.values(y.id());
        let shares = (0..8).map(|word| {
            let gradient = run.gradient_of(word..word + 1).1;
            [gradient[0] / 0.75, gradient[1] / 0.75]
        });
        (values, shares.collect())
    }

    #[test]
    fn log_sums_at_extremes() {
        const NO: f32 = f32::NEG_INFINITY;
        let numbers = [
            [NO, 3.0],
            [NO, NO],
            [1e20, 0.0],
            [-1e20, -1e20],
            [-800.0, -801.0],
            [f32::NAN, 0.0],
            [0.0, f32::NAN],
            [f32::INFINITY, 0.0],
        ];
        for (values, shares) in [log_sum::<f32>(numbers), log_sum::<f64>(numbers)] {
            assert_eq!(values[0], 3.0);
            assert_eq!(shares[0], [0.0, 1.0]);
            assert_eq!(values[1], f64::NEG_INFINITY);
            assert_eq!(shares[1], [0.0, 0.0]);
            assert_eq!(values[2], f64::from(1e20_f32));
            assert_eq!(shares[2], [1.0, 0.0]);
            assert_eq!(values[3], f64::from(-1e20_f32));
            assert!((values[4] + 800.0 - (-1_f64).exp().ln_1p()).abs() < 1e-4);
            assert!((shares[4][0] - 1.0 / (1.0 + (-1_f64).exp())).abs() < 1e-4);
            assert!(values[5].is_nan() && values[6].is_nan(), "NaN passes through");
            assert!(shares[5][0].is_nan() && shares[6][1].is_nan());
            assert_eq!(values[7], f64::INFINITY);
        }
    }
}
