//! Choosing among particles. The choice carries no gradient; what is chosen does.

use std::sync::Arc;

use super::particles::finite;
use super::{Keep, Kernel, Op, put};
use crate::element::Element;
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::shape::{Dims, Lanes, Shape};
use crate::simd::{Simd, Vector};

use bytemuck::Zeroable;

/// How particles are chosen from their log-weights.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// One per word, with probability proportional to its weight.
    Categorical,
    /// One per word, the heaviest; the first of equals.
    Largest,
    /// As many per word as there are, by systematic resampling; words whose mark is positive keep theirs.
    Ancestors,
    /// No choice: 1 where the effective sample size is at least this share of the particles, else 0.
    Enough(f64),
}

impl<'g> Var<'g> {
    /// For each word, the number of one particle, drawn with probability proportional to `e^x`;
    /// `uniform` is one row per word of numbers between 0 and 1.
    #[track_caller]
    pub fn choose(self, uniform: Var<'g>) -> Var<'g> {
        self.choice("choose", Rule::Categorical, &[uniform])
    }

    /// For each word, the number of the particle with the largest `x`.
    #[track_caller]
    pub fn choose_largest(self) -> Var<'g> {
        self.choice("choose largest", Rule::Largest, &[])
    }

    /// For each word, 1 if the effective sample size `(Σ_k e^(x_k))² / Σ_k e^(2 x_k)` is at least
    /// `share` of the number of particles, else 0.
    #[track_caller]
    pub fn enough_particles(self, share: f64) -> Var<'g> {
        self.choice("effective sample size", Rule::Enough(share), &[])
    }

    /// For each word, the numbers of K ancestors for its K particles by systematic resampling: particle
    /// k is the parent of about `K e^(x_k) / Σ e^x` of them, exactly so in expectation. Where `keep`
    /// is positive every particle is its own ancestor.
    #[track_caller]
    pub fn ancestors(self, uniform: Var<'g>, keep: Var<'g>) -> Var<'g> {
        self.choice("ancestors", Rule::Ancestors, &[uniform, keep])
    }

    #[track_caller]
    fn choice(self, name: &'static str, rule: Rule, per_word: &[Var<'g>]) -> Var<'g> {
        let weights = self.shape();
        if weights != (Shape { rows: 1, lanes: Lanes::Particle }) {
            self.graph.fail(name, format!("the log-weights are {weights}, not 1 × particle"));
            return self;
        }
        for &var in per_word {
            if !self.graph.owns(name, var) {
                return self;
            }
            if var.shape() != (Shape { rows: 1, lanes: Lanes::Word }) {
                self.graph.fail(name, format!("log-weights {weights} with {}, not 1 × word", var.shape()));
                return self;
            }
        }
        let lanes = if matches!(rule, Rule::Ancestors) { Lanes::Particle } else { Lanes::Word };
        let per_word = per_word.iter().map(|var| var.id).collect();
        let weights = self.id;
        self.graph
            .push(Shape { rows: 1, lanes }, |output| Arc::new(Choice { rule, weights, per_word, output }))
    }

    /// The rows of the chosen particles: one lane per word if `index` has, else one per particle.
    /// A run panics if `index` is data that names a particle that is not there.
    #[track_caller]
    pub fn gather(self, index: Var<'g>) -> Var<'g> {
        if !self.graph.owns("gather", index) {
            return self;
        }
        let (x, i) = (self.shape(), index.shape());
        if x.lanes != Lanes::Particle || i.rows != 1 {
            self.graph.fail("gather", format!("{x} chosen by {i}, not rows × particle by 1 row"));
            return self;
        }
        let shape = Shape { rows: x.rows, lanes: i.lanes };
        // The choice has no gradient, whatever it was computed from.
        let index = index.stop_gradient();
        self.graph.push(shape, |output| Arc::new(Gather { x: self.id, index: index.id, shape, output }))
    }

    /// `yes` where this one row is positive, else `no`.
    #[track_caller]
    pub fn select(self, yes: Var<'g>, no: Var<'g>) -> Var<'g> {
        if !self.graph.owns("select", yes) || !self.graph.owns("select", no) {
            return self;
        }
        let (mask, a, b) = (self.shape(), yes.shape(), no.shape());
        if mask.rows != 1 || a != b || mask.lanes.join(a.lanes) != a.lanes {
            self.graph.fail("select", format!("{a} or {b} by {mask}"));
            return self;
        }
        // The mask has no gradient, whatever it was computed from.
        let (mask, options) = (self.stop_gradient().id, [yes.id, no.id]);
        self.graph.push(a, |output| Arc::new(Select { mask, options, output }))
    }
}

#[derive(Debug)]
struct Choice {
    rule: Rule,
    weights: VarId,
    per_word: Vec<VarId>,
    output: VarId,
}

impl Op for Choice {
    fn inputs(&self) -> Vec<VarId> {
        std::iter::once(self.weights).chain(self.per_word.iter().copied()).collect()
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn differentiable(&self) -> bool {
        false
    }
}

/// The largest of a word's log-weights, made finite.
#[inline(always)]
fn largest<V: Vector>(weights: impl Iterator<Item = V>) -> V {
    let mut largest = V::constant(f64::NEG_INFINITY);
    for x in weights {
        largest = x.max(largest);
    }
    finite(largest)
}

impl Kernel for Choice {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let one = S::Vector::constant(1.0);
        let zero = S::Vector::zeroed();
        let mut scratch = frame.open_scratch();
        let mut out = frame.open(self.output);
        let weights = frame.value(self.weights);
        let width = frame.width(Lanes::Word);
        let particles = frame.dims().particles;
        let last = S::Vector::constant(particles as f64 - 1.0);
        for v in 0..width {
            let own = weights[v..].iter().step_by(width).copied();
            match self.rule {
                Rule::Categorical => {
                    let max = largest(own.clone());
                    let mut total = zero;
                    for x in own.clone() {
                        total += (x - max).exp();
                    }
                    let target = frame.value(self.per_word[0])[v] * total;
                    let (mut sum, mut index) = (zero, zero);
                    for x in own {
                        sum += (x - max).exp();
                        index += (target - sum).where_positive(one, zero);
                    }
                    out[v] = index.min(last);
                }
                Rule::Largest => {
                    let (mut best, mut index) = (S::Vector::constant(f64::NEG_INFINITY), zero);
                    for (k, x) in own.enumerate() {
                        let better = x - best;
                        index = better.where_positive(S::Vector::constant(k as f64), index);
                        best = better.where_positive(x, best);
                    }
                    out[v] = index;
                }
                Rule::Enough(share) => {
                    let max = largest(own.clone());
                    let (mut sum, mut squares) = (zero, zero);
                    for x in own {
                        let weight = (x - max).exp();
                        sum += weight;
                        squares = weight.mul_add(weight, squares);
                    }
                    let wanted = S::Vector::constant(share * particles as f64) * squares;
                    out[v] = (wanted - sum * sum).where_positive(zero, one);
                }
                Rule::Ancestors => {
                    let max = largest(own.clone());
                    for (k, x) in own.enumerate() {
                        scratch[k * width + v] = (x - max).exp();
                    }
                }
            }
        }
        if matches!(self.rule, Rule::Ancestors) {
            let [uniform, keep] = [self.per_word[0], self.per_word[1]].map(|var| frame.numbers(var));
            let weights: &[S::Element] = bytemuck::cast_slice(&scratch);
            resample(weights, uniform, keep, frame.dims(), bytemuck::cast_slice_mut(&mut out));
        }
        frame.close(out);
        frame.close(scratch);
    }

    fn scratch(&self, dims: Dims, lanes: usize) -> usize {
        match self.rule {
            Rule::Ancestors => dims.lanes(Lanes::Particle) / lanes,
            Rule::Categorical | Rule::Largest | Rule::Enough(_) => 0,
        }
    }
}

/// Systematic resampling of each word's particles: the points `(k + u) / K` of the weights' distribution.
fn resample<T: Element>(weights: &[T], uniform: &[T], keep: &[T], dims: Dims, ancestors: &mut [T]) {
    let Dims { words, particles } = dims;
    for word in 0..words {
        let weight = |k: usize| weights[k * words + word].to_f64();
        let spacing = (0..particles).map(weight).sum::<f64>() / particles as f64;
        let (mut parent, mut sum) = (0, weight(0));
        for k in 0..particles {
            let point = (k as f64 + uniform[word].to_f64()) * spacing;
            while sum < point && parent + 1 < particles {
                parent += 1;
                sum += weight(parent);
            }
            let ancestor = if keep[word] > T::default() { k } else { parent };
            ancestors[k * words + word] = T::from_f64(ancestor as f64);
        }
    }
}

#[derive(Debug)]
struct Gather {
    x: VarId,
    index: VarId,
    shape: Shape,
    output: VarId,
}

impl Gather {
    /// Calls `visit(to, from)` with positions of numbers for each row and chosen lane.
    #[inline(always)]
    fn visit<S: Simd>(&self, frame: &Frame<'_, S>, mut visit: impl FnMut(usize, usize)) {
        let particles = frame.dims().particles;
        let (words, lanes) = (frame.dims().words, frame.dims().lanes(self.shape.lanes));
        let particle_lanes = frame.dims().lanes(Lanes::Particle);
        let chosen = frame.numbers(self.index).chunks_exact(words);
        for (k, chosen) in chosen.enumerate() {
            for (word, chosen) in chosen.iter().enumerate() {
                let chosen = chosen.to_f64() as usize;
                assert!(chosen < particles, "particle {chosen} of {particles} is chosen");
                let from = chosen * words + word;
                for row in 0..self.shape.rows {
                    visit(row * lanes + k * words + word, row * particle_lanes + from);
                }
            }
        }
    }
}

impl Op for Gather {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.x, self.index]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        Keep { inputs: 0b10, output: false }
    }
}

impl Kernel for Gather {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let x = frame.numbers(self.x);
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut y);
        self.visit(frame, |to, from| numbers[to] = x[from]);
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let Some((mut dx, add)) = frame.open_gradient(0, self.x) else { return };
        if !add {
            dx.fill(S::Vector::zeroed());
        }
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut dx);
        let dy: &[S::Element] = bytemuck::cast_slice(dy);
        self.visit(frame, |to, from| numbers[from] += dy[to]);
        frame.close(dx);
    }
}

#[derive(Debug)]
struct Select {
    mask: VarId,
    options: [VarId; 2],
    output: VarId,
}

impl Op for Select {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.options[0], self.options[1], self.mask]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        Keep { inputs: 0b100, output: false }
    }
}

impl Kernel for Select {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let [yes, no] = self.options.map(|option| frame.value(option));
        let mask = frame.value(self.mask);
        // Rows and particles repeat the mask, whichever lanes it has.
        for (i, y) in y.iter_mut().enumerate() {
            *y = mask[i % mask.len()].where_positive(yes[i], no[i]);
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let zero = S::Vector::zeroed();
        for (number, &option) in self.options.iter().enumerate() {
            let Some((mut dx, add)) = frame.open_gradient(number, option) else { continue };
            let mask = frame.value(self.mask);
            for (i, (dx, &dy)) in dx.iter_mut().zip(&*dy).enumerate() {
                let mask = mask[i % mask.len()];
                let own =
                    if number == 0 { mask.where_positive(dy, zero) } else { mask.where_positive(zero, dy) };
                put(dx, own, add);
            }
            frame.close(dx);
        }
    }
}

#[cfg(test)]
mod tests;
