//! Between words and their particles: expand, sum, log-sum-exp.

use std::sync::Arc;

use super::{Keep, Kernel, Op, for_each, put};
use crate::element::{Element, Vector};
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::shape::{Lanes, Shape};

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
    let largest = finite(numbers.clone().fold(V::constant(f64::NEG_INFINITY), |max, x| x.max(max)));
    let sum = numbers.fold(V::zeroed(), |sum, x| sum + (x - largest).exp());
    largest + sum.ln()
}

/// Copies each row of one vector per word to all particles.
fn spread<V: Vector>(words: &[V], word_width: usize, particles: &mut [V], width: usize, add: bool) {
    for (word, row) in words.chunks_exact(word_width).zip(particles.chunks_exact_mut(width)) {
        for particle in row.chunks_exact_mut(word_width) {
            particle.iter_mut().zip(word).for_each(|(y, &x)| put(y, x, add));
        }
    }
}

/// Sums each row over the particles.
fn gather_up<V: Vector>(particles: &[V], width: usize, words: &mut [V], word_width: usize, add: bool) {
    for (row, word) in particles.chunks_exact(width).zip(words.chunks_exact_mut(word_width)) {
        for (v, word) in word.iter_mut().enumerate() {
            let sum = row[v..].iter().step_by(word_width).fold(V::zeroed(), |sum, &x| sum + x);
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

impl<T: Element> Kernel<T> for Expand {
    fn forward(&self, frame: &mut Frame<'_, T>) {
        frame.produce(self.output, |frame, y| {
            spread(frame.value(self.x), frame.width(Lanes::Word), y, frame.width(Lanes::Particle), false);
        });
    }

    fn backward(&self, frame: &mut Frame<'_, T>) {
        let dy = frame.take_gradient(self.output);
        frame.contribute(0, self.x, |frame, dx, add| {
            gather_up(&dy, frame.width(Lanes::Particle), dx, frame.width(Lanes::Word), add);
        });
        frame.give_back(self.output, dy);
    }
}

impl<T: Element> Kernel<T> for SumParticles {
    fn forward(&self, frame: &mut Frame<'_, T>) {
        frame.produce(self.output, |frame, y| {
            gather_up(frame.value(self.x), frame.width(Lanes::Particle), y, frame.width(Lanes::Word), false);
        });
    }

    fn backward(&self, frame: &mut Frame<'_, T>) {
        let dy = frame.take_gradient(self.output);
        frame.contribute(0, self.x, |frame, dx, add| {
            spread(&dy, frame.width(Lanes::Word), dx, frame.width(Lanes::Particle), add);
        });
        frame.give_back(self.output, dy);
    }
}

impl<T: Element> Kernel<T> for LogSumExp {
    fn forward(&self, frame: &mut Frame<'_, T>) {
        frame.produce(self.output, |frame, y| {
            let (width, word_width) = (frame.width(Lanes::Particle), frame.width(Lanes::Word));
            let rows = frame.value(self.x).chunks_exact(width).zip(y.chunks_exact_mut(word_width));
            for (row, y) in rows {
                for (v, y) in y.iter_mut().enumerate() {
                    *y = log_sum_exp(row[v..].iter().step_by(word_width).copied());
                }
            }
        });
    }

    fn backward(&self, frame: &mut Frame<'_, T>) {
        let dy = frame.take_gradient(self.output);
        frame.contribute(0, self.x, |frame, dx, add| {
            let (width, word_width) = (frame.width(Lanes::Particle), frame.width(Lanes::Word));
            let (x, y) = (frame.value(self.x), frame.value(self.output));
            let rows = dx.len() / width;
            for_each(rows, width, [word_width], |i, [word]| {
                let share = (x[i] - finite(y[word])).exp();
                put(&mut dx[i], dy[word] * share, add);
            });
        });
        frame.give_back(self.output, dy);
    }
}
