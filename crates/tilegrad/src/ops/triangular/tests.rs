use super::Triangle;
use crate::check::{Inputs, check, config, lanes, sizes};
use crate::{Graph, Lanes, Var};
use proptest::prelude::*;

/// Which parts there are, and their lanes.
#[derive(Debug, Clone, Copy)]
struct Parts {
    size: usize,
    below: bool,
    matrix: Lanes,
    x: Lanes,
    shift: Option<Lanes>,
}

fn parts() -> impl Strategy<Value = Parts> {
    let size = prop_oneof![1 => Just(1), 5 => 2..8_usize];
    (size, any::<bool>(), lanes(), lanes(), proptest::option::of(lanes())).prop_map(
        |(size, below, matrix, x, shift)| Parts { size, below: below && size > 1, matrix, x, shift },
    )
}

impl Parts {
    /// Variables 0: x, 1: diagonal, then what there is of below and shift.
    fn record<'g>(self, graph: &'g Graph, inputs: &mut Inputs) -> (Triangle<'g>, Var<'g>, Option<Var<'g>>) {
        let d = self.size;
        let x = inputs.var(graph, (d, self.x), -1.5..1.5);
        let diagonal = inputs.var(graph, (d, self.matrix), 0.6..2.0);
        let below = self.below.then(|| inputs.var(graph, (d * (d - 1) / 2, self.matrix), -1.0..1.0));
        let shift = self.shift.map(|lanes| inputs.var(graph, (d, lanes), -1.0..1.0));
        (Triangle::new(below, diagonal), x, shift)
    }

    fn entry(self, inputs: &Inputs, (r, c): (usize, usize), word: usize, particle: usize) -> f64 {
        match c {
            _ if c == r => inputs.at(1, r, word, particle),
            _ if c < r && self.below => inputs.at(2, r * (r - 1) / 2 + c, word, particle),
            _ => 0.0,
        }
    }

    fn shift(self, inputs: &Inputs, row: usize, word: usize, particle: usize) -> f64 {
        let index = if self.below { 3 } else { 2 };
        self.shift.map_or(0.0, |_| inputs.at(index, row, word, particle))
    }

    /// `shift + L x`.
    fn product(self, inputs: &Inputs, x: &[f64], word: usize, particle: usize) -> Vec<f64> {
        let row = |r| {
            let sum: f64 = (0..self.size).map(|c| self.entry(inputs, (r, c), word, particle) * x[c]).sum();
            self.shift(inputs, r, word, particle) + sum
        };
        (0..self.size).map(row).collect()
    }

    /// `L⁻¹ (y − shift)`, by columns: the kernel goes by rows.
    fn solution(self, inputs: &Inputs, y: &[f64], word: usize, particle: usize) -> Vec<f64> {
        let mut x: Vec<f64> = (0..self.size).map(|r| y[r] - self.shift(inputs, r, word, particle)).collect();
        for c in 0..self.size {
            x[c] /= self.entry(inputs, (c, c), word, particle);
            for r in c + 1..self.size {
                x[r] -= self.entry(inputs, (r, c), word, particle) * x[c];
            }
        }
        x
    }
}

proptest! {
    #![proptest_config(config(80))]
    #[test]
    fn products(size in sizes(), parts in parts()) {
        check(
            size,
            |graph, inputs| {
                let (triangle, x, shift) = parts.record(graph, inputs);
                triangle.product(x, shift)
            },
            |inputs, word, particle| {
                let x: Vec<f64> = (0..parts.size).map(|row| inputs.at(0, row, word, particle)).collect();
                parts.product(inputs, &x, word, particle)
            },
        );
    }

    #[test]
    fn solutions(size in sizes(), parts in parts()) {
        check(
            size,
            |graph, inputs| {
                let (triangle, y, shift) = parts.record(graph, inputs);
                triangle.solve(y, shift)
            },
            |inputs, word, particle| {
                let y: Vec<f64> = (0..parts.size).map(|row| inputs.at(0, row, word, particle)).collect();
                parts.solution(inputs, &y, word, particle)
            },
        );
    }

    #[test]
    fn many_particles(parts in parts(), particles in 9..24_usize, solve in any::<bool>()) {
        check(
            crate::check::Size { words: 9, particles },
            |graph, inputs| {
                let (triangle, x, shift) = parts.record(graph, inputs);
                if solve { triangle.solve(x, shift) } else { triangle.product(x, shift) }
            },
            |inputs, word, particle| {
                let x: Vec<f64> = (0..parts.size).map(|row| inputs.at(0, row, word, particle)).collect();
                if solve {
                    parts.solution(inputs, &x, word, particle)
                } else {
                    parts.product(inputs, &x, word, particle)
                }
            },
        );
    }
}
