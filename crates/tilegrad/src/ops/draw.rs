//! Noise as a variable.

use std::sync::Arc;

use super::{Kernel, Op};
use crate::frame::Frame;
use crate::graph::{Graph, Var, VarId};
use crate::noise::Noise;
use crate::shape::{Lanes, Shape};
use crate::simd::{Bits, Simd, Single, Vector};

/// Four rows are drawn at once, and their number in the stream has 16 bits.
const MAX_ROWS: usize = 4 << 16;

impl Graph {
    /// Standard normal numbers, independent for each row and lane.
    ///
    /// They are a function of the run's seed and step, of `stream`, and of the word's number in the
    /// step and the particle's in the word: give every draw of a graph its own stream.
    #[track_caller]
    pub fn normal(&self, stream: u16, rows: usize, lanes: Lanes) -> Var<'_> {
        self.draw(stream, Shape { rows, lanes }, Law::Normal)
    }

    /// Numbers uniform between 0 and 1, both excluded; see [`Graph::normal`] for what they depend on.
    #[track_caller]
    pub fn uniform(&self, stream: u16, rows: usize, lanes: Lanes) -> Var<'_> {
        self.draw(stream, Shape { rows, lanes }, Law::Uniform)
    }

    #[track_caller]
    fn draw(&self, stream: u16, mut shape: Shape, law: Law) -> Var<'_> {
        if shape.rows == 0 || shape.rows > MAX_ROWS {
            self.fail("noise", format!("a variable of {} rows, not 1 to {MAX_ROWS}", shape.rows));
            shape.rows = 1;
        }
        self.push(shape, |output| Arc::new(Draw { stream, shape, law, output }))
    }
}

impl<'g> Var<'g> {
    /// Dropout: each number is 0 with probability `rate`, in [0, 1), and `1/(1 − rate)` times itself otherwise, so
    /// that its mean stays. What is dropped depends on the same as [`Graph::normal`] does.
    #[track_caller]
    pub fn dropout(self, stream: u16, rate: f64) -> Var<'g> {
        if !(0.0..1.0).contains(&rate) {
            self.graph.fail("dropout", format!("a rate of {rate}, not at least 0 and below 1"));
            return self;
        }
        if rate == 0.0 { self } else { self * self.graph.draw(stream, self.shape(), Law::Kept { rate }) }
    }
}

/// What the numbers are distributed like.
#[derive(Debug, Clone, Copy)]
enum Law {
    Normal,
    /// Between 0 and 1.
    Uniform,
    /// 0 with this probability, and otherwise such that the mean is 1.
    Kept {
        rate: f64,
    },
}

impl Law {
    /// Four rows of eight lanes.
    #[inline(always)]
    fn numbers<V: Single>(self, noise: &Noise, stream: u16, step: u64, items: V::Bits, block: u16) -> [V; 4] {
        match self {
            Law::Normal => noise.normal_vectors(stream, step, items, block),
            Law::Uniform => noise.uniform_vectors(stream, step, items, block),
            Law::Kept { rate } => {
                let factor = <V as Single>::splat((1.0 / (1.0 - rate)) as f32).to_bits();
                let mut rows: [V; 4] = noise.uniform_vectors(stream, step, items, block);
                for row in &mut rows {
                    // Zero bits where the number is below the rate.
                    let dropped = row.less(Single::splat(rate as f32));
                    *row = V::from_bits((dropped ^ Bits::splat(u32::MAX)) & factor);
                }
                rows
            }
        }
    }
}

#[derive(Debug)]
struct Draw {
    stream: u16,
    shape: Shape,
    law: Law,
    output: VarId,
}

impl Op for Draw {
    fn output(&self) -> VarId {
        self.output
    }

    fn differentiable(&self) -> bool {
        false
    }
}

impl Kernel for Draw {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let (noise, step) = frame.noise();
        let words = frame.dims().words;
        let lanes = frame.dims().lanes(self.shape.lanes);
        // Particles of one word have neighbouring numbers.
        let particles = if self.shape.lanes == Lanes::Word { 1 } else { frame.dims().particles } as u32;
        let width = lanes / S::Vector::LANES;
        // Eight lanes are drawn at once; in double precision they fill two vectors.
        let vectors = 8 / S::Vector::LANES;
        for lane in (0..lanes).step_by(8) {
            let (word, particle) = ((lane % words) as u32, (lane / words) as u32);
            // Lanes without a word repeat the last one.
            let last = frame.tile.active() as u32 - 1;
            let items: [u32; 8] = std::array::from_fn(|own| {
                let item = frame.tile.first_item.wrapping_add((word + own as u32).min(last));
                item.wrapping_mul(particles).wrapping_add(particle)
            });
            for (block, rows) in y.chunks_mut(4 * width).enumerate() {
                let items = bytemuck::cast(items);
                let numbers: [S::Noise; 4] = self.law.numbers(&noise, self.stream, step, items, block as u16);
                for (row, numbers) in rows.chunks_exact_mut(width).zip(numbers) {
                    S::store_noise(numbers, &mut row[lane / 8 * vectors..][..vectors]);
                }
            }
        }
        frame.close(y);
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{Inputs, KEY, Run, Size, check, config, lanes, sizes};
    use crate::noise::Noise;
    use crate::{Lanes, NoiseKey};
    use proptest::prelude::*;

    /// Row `row` of an item, from the noise itself.
    fn number(normal: bool, stream: u16, item: usize, row: usize) -> f64 {
        let (noise, items) = (Noise::new(KEY.seed), [item as u32; 8]);
        let block = (row / 4) as u16;
        let four = if normal {
            noise.normal(stream, KEY.step, items, block)
        } else {
            noise.uniform(stream, KEY.step, items, block)
        };
        f64::from(four[row % 4][0])
    }

    proptest! {
        #![proptest_config(config(40))]
        #[test]
        fn draws_are_the_noise_of_their_address(
            size in sizes(), rows in 1..11_usize, lanes in lanes(), normal in any::<bool>(), stream in any::<u16>()
        ) {
            check(
                size,
                |graph, inputs| {
                    let draw = if normal { graph.normal(stream, rows, lanes) } else { graph.uniform(stream, rows, lanes) };
                    draw * inputs.var(graph, (rows, Lanes::Word), -1.0..1.0)
                },
                |inputs, word, particle| {
                    let item = if lanes == Lanes::Word { word } else { word * size.particles + particle };
                    (0..rows)
                        .map(|row| number(normal, stream, item, row) * inputs.at(0, row, word, particle))
                        .collect()
                },
            );
        }

        #[test]
        fn both_number_types_see_the_same_noise(size in sizes(), rows in 1..6_usize, normal in any::<bool>()) {
            let inputs = Inputs::new(size);
            let graph = inputs.graph();
            let lanes = Lanes::Particle;
            let draw = if normal { graph.normal(1, rows, lanes) } else { graph.uniform(1, rows, lanes) };
            let mut single: Run<f32> = inputs.run(&graph, 8, None, &[draw]);
            let mut double: Run<f64> = inputs.run(&graph, 8, None, &[draw]);
            let values = single.values(draw.id());
            assert_eq!(values, double.values(draw.id()));
            let again = single.values_with(NoiseKey { step: KEY.step + 1, ..KEY }, draw.id());
            assert!(values.iter().zip(&again).all(|(a, b)| a != b), "another step has other noise");
        }
    }

    proptest! {
        #![proptest_config(config(40))]
        #[test]
        fn dropout_drops_by_the_noise_of_its_address(
            size in sizes(), rows in 1..11_usize, lanes in lanes(), rate in 0.0..0.95, stream in any::<u16>()
        ) {
            // Kept numbers are scaled in single precision.
            let factor = f64::from((1.0 / (1.0 - rate)) as f32);
            check(
                size,
                |graph, inputs| inputs.var(graph, (rows, lanes), -1.0..1.0).dropout(stream, rate),
                |inputs, word, particle| {
                    let item = if lanes == Lanes::Word { word } else { word * size.particles + particle };
                    let factor = |row| {
                        let kept = number(false, stream, item, row) >= f64::from(rate as f32);
                        if kept { factor } else { 0.0 }
                    };
                    (0..rows).map(|row| factor(row) * inputs.at(0, row, word, particle)).collect()
                },
            );
        }
    }

    #[test]
    fn dropout_keeps_the_mean() {
        let inputs = Inputs::new(Size { words: 8, particles: 64 });
        let graph = inputs.graph();
        for rate in [0.1, 0.5] {
            let kept = graph.constant(1.0, 64, Lanes::Particle).dropout(1, rate);
            let values = inputs.run::<f32>(&graph, 8, None, &[kept]).values(kept.id());
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let deviation = (rate / (1.0 - rate) / values.len() as f64).sqrt();
            assert!(
                (mean - 1.0).abs() < 4.0 * deviation,
                "rate {rate}: {mean}, one deviation is {deviation}"
            );
            assert!(values.contains(&0.0));
        }
    }

    #[test]
    fn impossible_rates_are_refused() {
        for rate in [-0.1, 1.0, f64::NAN] {
            let inputs = Inputs::new(Size { words: 1, particles: 1 });
            let graph = inputs.graph();
            let kept = graph.constant(1.0, 1, Lanes::Word).dropout(1, rate);
            let error = graph.compile::<f32>(8, None, &[kept]).unwrap_err();
            assert_eq!(error.message, format!("a rate of {rate}, not at least 0 and below 1"));
        }
    }

    #[test]
    fn lanes_without_a_word_repeat_the_last_one() {
        let inputs = Inputs::new(Size { words: 3, particles: 2 });
        let graph = inputs.graph();
        let draw = graph.normal(1, 1, Lanes::Particle);
        let Run { mut runner, tiles, flat, .. }: Run<f32> = inputs.run(&graph, 3, None, &[draw]);
        let output = draw.id();
        runner.forward(&flat, &tiles, KEY, |_, values| {
            for particle in values.get(output).chunks_exact(8) {
                assert_ne!(particle[1], particle[2]);
                assert_eq!(particle[3..], [particle[2]; 5]);
            }
        });
    }
}
