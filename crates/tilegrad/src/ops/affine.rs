//! Affine maps `y = act(Σ_i W_i x_i + b)`, the work horse.
//!
//! A map may have several inputs. Those with one lane per word are multiplied once per word, however
//! many particles the result has.

use std::sync::Arc;

use super::{Activation, Keep, Kernel, Op, add_row_sums, put};
use crate::dot::add_outer;
use crate::frame::Frame;
use crate::gemm::{Matrix, Start, gemm, transpose};
use crate::graph::{Graph, Var, VarId};
use crate::params::Param;
use crate::shape::{Dims, Lanes, Shape};
use crate::simd::{Simd, Vector};

#[derive(Debug)]
struct Affine {
    /// Inputs per word first, then those per particle.
    terms: Vec<(Param, VarId, Shape)>,
    from: From,
    activation: Activation,
    output: VarId,
    shape: Shape,
}

/// What the products are added to.
#[derive(Debug, Clone, Copy)]
enum From {
    Zero,
    Bias(Param),
    Var(VarId, Lanes),
}

impl Graph {
    /// `act(Σ_i W_i x_i + b)`: each weight matrix has a row per output and a column per row of its input.
    ///
    /// The result has one lane per particle if any input has.
    #[track_caller]
    pub fn affine<'g>(
        &'g self,
        terms: &[(Param, Var<'g>)],
        bias: Option<Param>,
        activation: Activation,
    ) -> Var<'g> {
        let rows = terms.first().map_or(1, |(weight, _)| weight.rows);
        if let Some(bias) = bias
            && self.knows("affine", bias)
            && (bias.rows, bias.cols) != (rows, 1)
        {
            self.fail(
                "affine",
                format!("the bias is {}×{} but the matrix has {rows} rows", bias.rows, bias.cols),
            );
        }
        self.record_affine(terms, bias.map_or(From::Zero, From::Bias), activation)
    }

    /// `act(from + Σ_i W_i x_i)`: [`Graph::affine`] with a variable in place of the bias.
    ///
    /// If `from` has one lane per particle, so must all inputs.
    #[track_caller]
    pub fn affine_from<'g>(
        &'g self,
        from: Var<'g>,
        terms: &[(Param, Var<'g>)],
        activation: Activation,
    ) -> Var<'g> {
        if !self.owns("affine", from) {
            return from;
        }
        let (shape, rows) = (from.shape(), terms.first().map_or(1, |(weight, _)| weight.rows));
        if shape.rows != rows {
            self.fail("affine", format!("it starts from {shape} but the matrix has {rows} rows"));
        }
        let shared = terms.iter().find(|term| term.1.shape().lanes != shape.lanes);
        if let Some((_, x)) = shared.filter(|_| shape.lanes == Lanes::Particle) {
            self.fail("affine", format!("it starts from {shape} but an input is {}", x.shape()));
        }
        self.record_affine(terms, From::Var(from.id, shape.lanes), activation)
    }

    #[track_caller]
    fn record_affine<'g>(
        &'g self,
        terms: &[(Param, Var<'g>)],
        from: From,
        activation: Activation,
    ) -> Var<'g> {
        let rows = terms.first().map_or(1, |(weight, _)| weight.rows);
        let mut lanes = Lanes::Word;
        if terms.is_empty() {
            self.fail("affine", "there is no input".into());
        }
        let mut known = Vec::new();
        for &(weight, x) in terms {
            if !self.knows("affine", weight) || !self.owns("affine", x) {
                continue;
            }
            let shape = x.shape();
            if weight.cols != shape.rows {
                self.fail(
                    "affine",
                    format!("the matrix is {}×{} but the input is {shape}", weight.rows, weight.cols),
                );
            } else if weight.rows != rows {
                self.fail(
                    "affine",
                    format!("one matrix has {rows} rows, another is {}×{}", weight.rows, weight.cols),
                );
            }
            lanes = lanes.join(shape.lanes);
            known.push((weight, x.id, shape));
        }
        known.sort_by_key(|term| term.2.lanes == Lanes::Particle);
        let shape = Shape { rows, lanes };
        self.push(shape, |output| Arc::new(Affine { terms: known, from, activation, output, shape }))
    }
}

impl Affine {
    /// Whether some inputs are shared by the particles of a word.
    fn is_mixed(&self) -> bool {
        let from = match self.from {
            From::Var(_, lanes) => Some(lanes),
            From::Zero | From::Bias(_) => None,
        };
        let mut lanes = self.terms.iter().map(|term| term.2.lanes).chain(from);
        self.shape.lanes == Lanes::Particle && lanes.any(|lanes| lanes == Lanes::Word)
    }
}

impl Op for Affine {
    fn inputs(&self) -> Vec<VarId> {
        let from = match self.from {
            From::Var(from, _) => Some(from),
            From::Zero | From::Bias(_) => None,
        };
        self.terms.iter().map(|term| term.1).chain(from).collect()
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        // All inputs but the variable that it starts from.
        let inputs = (1u64 << self.terms.len().min(63)) - 1;
        Keep { inputs, output: self.activation != Activation::Identity }
    }

    fn has_params(&self) -> bool {
        true
    }
}

impl Kernel for Affine {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let rows = self.shape.rows;
        let mut scratch = frame.open_scratch();
        let mut y = frame.open(self.output);
        let mut start = match self.from {
            From::Zero => Start::<S>::Zero,
            From::Bias(bias) => Start::Bias(frame.param(bias)),
            From::Var(from, _) => Start::Repeat(frame.value(from)),
        };
        let width = frame.width(self.shape.lanes);
        let word_width = frame.width(Lanes::Word);
        // First what a word's particles share.
        let mut split = 0;
        let base = &mut scratch[..if self.is_mixed() { rows * word_width } else { 0 }];
        if self.is_mixed() {
            while split < self.terms.len() && self.terms[split].2.lanes == Lanes::Word {
                let (weight, x, shape) = self.terms[split];
                let (size, matrix) = ((rows, shape.rows, word_width), forward_matrix(frame, weight));
                gemm::<S>(size, matrix, frame.value(x), base, start, Activation::Identity);
                start = Start::Current;
                split += 1;
            }
        }
        if split > 0 {
            start = Start::Repeat(base);
        }
        for (number, &(weight, x, shape)) in self.terms.iter().enumerate().skip(split) {
            let is_last = number == self.terms.len() - 1;
            let activation = if is_last { self.activation } else { Activation::Identity };
            let (size, matrix) = ((rows, shape.rows, width), forward_matrix(frame, weight));
            gemm::<S>(size, matrix, frame.value(x), &mut y, start, activation);
            start = Start::Current;
        }
        frame.close(y);
        frame.close(scratch);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let rows = self.shape.rows;
        let mut scratch = frame.open_scratch();
        let width = frame.width(self.shape.lanes);
        let word_width = frame.width(Lanes::Word);
        // The gradient of everything that a word's particles share.
        let (shared, rest) = scratch.split_at_mut(if self.is_mixed() { rows * word_width } else { 0 });
        // Row by row, while the row is near.
        for (row, dy) in dy.chunks_exact_mut(width).enumerate() {
            if self.activation != Activation::Identity {
                self.activation.pull_back(&frame.value(self.output)[row * width..][..width], dy);
            }
            if self.is_mixed() {
                sum_over_particles(dy, &mut shared[row * word_width..][..word_width]);
            }
        }
        match self.from {
            From::Zero => {}
            From::Var(from, lanes) => {
                let source = if lanes == self.shape.lanes { &dy[..] } else { &*shared };
                if let Some((mut target, add)) = frame.open_gradient(self.terms.len(), from) {
                    for (target, &dy) in target.iter_mut().zip(source) {
                        put(target, dy, add);
                    }
                    frame.close(target);
                }
            }
            From::Bias(bias) => {
                let (source, width) = if self.is_mixed() { (&*shared, word_width) } else { (&*dy, width) };
                let mut gradient = frame.open_param(bias);
                add_row_sums::<S>(&mut gradient, source, width);
                frame.close(gradient);
            }
        }
        for (number, &(weight, x, shape)) in self.terms.iter().enumerate() {
            let (dy, width) =
                if shape.lanes == self.shape.lanes { (&dy[..], width) } else { (&*shared, word_width) };
            if let Some((mut dx, add)) = frame.open_gradient(number, x) {
                let size = (shape.rows, rows, width);
                let start = if add { Start::Current } else { Start::Zero };
                let backward = Matrix { row_stride: 1, col_stride: weight.cols, data: frame.param(weight) };
                gemm::<S>(size, backward, dy, &mut dx, start, Activation::Identity);
                frame.close(dx);
            }
            let mut gradient = frame.open_param(weight);
            weight_gradient(frame, weight, (dy, frame.value(x)), width, &mut gradient, rest);
            frame.close(gradient);
        }
        frame.close(scratch);
    }

    fn scratch(&self, dims: Dims, lanes: usize) -> usize {
        let shared = if self.is_mixed() { self.shape.rows * dims.words / lanes } else { 0 };
        let packed = self
            .terms
            .iter()
            .map(|(weight, _, shape)| dims.lanes(shape.lanes) * weight.rows.min(weight.cols).div_ceil(lanes));
        // A weight of one column keeps its gradient as one row.
        let column = self.terms.iter().map(|(weight, _, shape)| {
            if weight.cols == 1 { dims.lanes(shape.lanes) * weight.rows.div_ceil(lanes) } else { 0 }
        });
        shared + packed.chain(column).max().unwrap_or(0)
    }
}

#[inline(always)]
fn forward_matrix<'a, S: Simd>(frame: &Frame<'a, S>, weight: Param) -> Matrix<'a, S::Element> {
    Matrix { data: frame.param(weight), row_stride: weight.cols, col_stride: 1 }
}

/// Vectors in a row from which the totals of lane-wise sums cost little beside the sums.
const LONG_ROW: usize = 8;

/// Adds `Σ_lanes dy xᵀ` to the gradient of a weight matrix, in its layout.
#[inline(always)]
fn weight_gradient<S: Simd>(
    frame: &Frame<'_, S>,
    weight: Param,
    (dy, x): (&[S::Vector], &[S::Vector]),
    width: usize,
    gradient: &mut [S::Vector],
    packed: &mut [S::Vector],
) {
    let entry = frame.layout().entry(weight);
    let (long, short, short_rows) =
        if entry.transposed { (x, dy, weight.rows) } else { (dy, x, weight.cols) };
    let lanes = width * S::Vector::LANES;
    if entry.stride == 1 && width >= LONG_ROW {
        let gradient: &mut [S::Element] = bytemuck::cast_slice_mut(gradient);
        let (long, short) = (&long[..entry.long * width], &short[..short_rows * width]);
        add_outer::<S>((long, short), width, gradient, S::Vector::LANES);
        return;
    }
    transpose(short, short_rows, width, packed);
    let data: &[S::Element] = bytemuck::cast_slice(long);
    let a = Matrix { data, row_stride: lanes, col_stride: 1 };
    gemm::<S>((entry.long, lanes, entry.stride), a, packed, gradient, Start::Current, Activation::Identity);
}

/// Sums each word's lanes over its particles.
#[inline(always)]
fn sum_over_particles<V: Vector>(row: &[V], target: &mut [V]) {
    let width = target.len();
    for (v, sum) in target.iter_mut().enumerate() {
        *sum = V::zeroed();
        for &x in row[v..].iter().step_by(width) {
            *sum += x;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{check, config, lanes, sizes};
    use crate::{Activation, Lanes};
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(config(60))]
        #[test]
        fn affine_maps(
            size in sizes(),
            rows in prop_oneof![Just(1), 2..15_usize],
            terms in vec((1..11_usize, lanes()), 1..4),
            bias in 0..3_usize,
            activation in prop_oneof![
                Just(Activation::Identity), Just(Activation::Tanh), Just(Activation::Sigmoid)
            ],
        ) {
            check(
                size,
                |graph, inputs| {
                    let inputs_of = |&(cols, lanes)| {
                        (inputs.weight(rows, cols), inputs.var(graph, (cols, lanes), -1.0..1.0))
                    };
                    let maps: Vec<_> = terms.iter().map(inputs_of).collect();
                    if bias == 2 {
                        // A start per particle goes with inputs per particle.
                        let shared = terms.iter().any(|term| term.1 == Lanes::Word);
                        let lanes = if shared { Lanes::Word } else { Lanes::Particle };
                        let from = inputs.var(graph, (rows, lanes), -1.0..1.0);
                        return graph.affine_from(from, &maps, activation);
                    }
                    let bias = (bias == 1).then(|| inputs.weight(rows, 1));
                    graph.affine(&maps, bias, activation)
                },
                |inputs, word, particle| {
                    let sum = |row| {
                        let term = |(i, &(cols, _)): (usize, &(usize, _))| -> f64 {
                            let product = |c| inputs.weight_at(i, row, c) * inputs.at(i, c, word, particle);
                            (0..cols).map(product).sum()
                        };
                        let bias = match bias {
                            0 => 0.0,
                            1 => inputs.weight_at(terms.len(), row, 0),
                            _ => inputs.at(terms.len(), row, word, particle),
                        };
                        terms.iter().enumerate().map(term).sum::<f64>() + bias
                    };
                    let activate = |x: f64| match activation {
                        Activation::Identity => x,
                        Activation::Tanh => x.tanh(),
                        Activation::Sigmoid => 1.0 / (1.0 + (-x).exp()),
                    };
                    (0..rows).map(|row| activate(sum(row))).collect()
                },
            );
        }
    }
}
