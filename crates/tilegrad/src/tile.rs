//! A tile: the words that one run of a program works on, with their data.

use bytemuck::Zeroable;

use crate::element::Element;
use crate::graph::VarId;
use crate::program::{Place, Program};
use crate::shape::Lanes;

/// Input of one run of a program: up to [`words`](crate::Dims::words) words with their symbols and data.
///
/// A tile can be filled again for the next step; that allocates nothing.
#[derive(Debug, Clone)]
pub struct Tile<T: Element> {
    pub(crate) program: usize,
    capacity: usize,
    particles: usize,
    active: usize,
    symbols: Vec<u32>,
    pub(crate) data: Vec<Vec<T::Chunk>>,
    /// Number of the first word in the step: noise is addressed by it.
    pub first_item: u32,
    /// Weight of each word's loss.
    pub weight: T,
}

impl<T: Element> Tile<T> {
    /// An empty tile for `programs[program]`, all its words active, each with weight 1.
    pub fn new(programs: &[Program<T>], program: usize) -> Self {
        let source = &programs[program];
        let dims = source.dims;
        let zeros = |shape| vec![T::Chunk::zeroed(); dims.size(shape) / T::LANES];
        Self {
            program,
            capacity: dims.words,
            particles: dims.particles,
            active: dims.words,
            symbols: vec![0; source.symbol_rows * dims.words],
            data: source.data.iter().map(|&shape| zeros(shape)).collect(),
            first_item: 0,
            weight: T::from_f64(1.0),
        }
    }

    /// Which program the tile is for.
    pub fn program(&self) -> usize {
        self.program
    }

    /// Words that count. The others are computed with, but have no weight.
    pub fn active(&self) -> usize {
        self.active
    }

    /// Makes the first `words` words count; the lanes of the others repeat the last of them, so that
    /// their numbers are as tame as the real ones. Call it after the symbols and data are set.
    ///
    /// # Panics
    /// If `words` is zero or more than the tile holds.
    pub fn set_active(&mut self, words: usize) {
        assert!(0 < words && words <= self.capacity, "{words} of {} words", self.capacity);
        self.active = words;
        for row in self.symbols.chunks_exact_mut(self.capacity) {
            let last = row[words - 1];
            row[words..].fill(last);
        }
        for data in &mut self.data {
            let numbers: &mut [T] = bytemuck::cast_slice_mut(data);
            for lanes in numbers.chunks_exact_mut(self.capacity) {
                let last = lanes[words - 1];
                lanes[words..].fill(last);
            }
        }
    }

    /// A row of symbols, one for each word.
    pub fn symbol_row(&self, row: usize) -> &[u32] {
        &self.symbols[row * self.capacity..][..self.capacity]
    }

    /// A row of symbols to be filled. Symbols must be smaller than the tables they are looked up in.
    pub fn symbol_row_mut(&mut self, row: usize) -> &mut [u32] {
        &mut self.symbols[row * self.capacity..][..self.capacity]
    }

    /// All numbers of a data variable, laid out as [`Values::get`](crate::Values::get) gives those of an output.
    ///
    /// # Panics
    /// If the variable is not data of the program.
    #[track_caller]
    pub fn data_mut(&mut self, program: &Program<T>, var: VarId) -> &mut [T] {
        let Place::Data(index, range) = program.values[var.0 as usize].clone() else {
            panic!("the variable is not data");
        };
        bytemuck::cast_slice_mut(&mut self.data[index][range])
    }

    /// Sets one word's numbers of a data variable: one number per row, and per particle if it has
    /// such lanes (then all rows of particle 0 come first).
    ///
    /// # Panics
    /// If the variable is not data of the program, the tile has no such word, or the count of numbers
    /// is wrong.
    #[track_caller]
    pub fn set_data(&mut self, program: &Program<T>, var: VarId, word: usize, numbers: &[T]) {
        let capacity = self.capacity;
        assert!(word < capacity, "word {word} of a tile of {capacity}");
        let shape = program.shape(var);
        let particles = if shape.lanes == Lanes::Word { 1 } else { self.particles };
        assert_eq!(numbers.len(), shape.rows * particles, "numbers of a {shape} variable");
        let target = self.data_mut(program, var);
        for (k, rows) in numbers.chunks_exact(shape.rows).enumerate() {
            for (row, &number) in rows.iter().enumerate() {
                target[(row * particles + k) * capacity + word] = number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::KEY;
    use crate::{Activation, Graph, Params, Runner};

    /// Lanes without a word hold whatever was there before; only the active words count.
    #[test]
    fn words_that_are_not_active_have_no_weight() {
        let mut params = Params::new();
        let table = params.table("table", 4, 3);
        let weight = params.matrix("weight", 5, 3);
        let graph = Graph::new(&params, 3);
        let symbols = graph.symbols();
        let data = graph.data(3, Lanes::Particle);
        let noise = graph.normal(1, 3, Lanes::Particle);
        let x = graph.embedding(table, symbols) + data * noise;
        let y = graph.affine(&[(weight, x)], None, Activation::Tanh).log_softmax_pick(symbols);
        let programs = vec![graph.compile::<f64>(8, Some(y.log_sum_exp()), &[y]).unwrap()];
        let flat: Vec<f64> = (0..params.len()).map(|i| (i as f64).sin()).collect();

        let mut full = Tile::new(&programs, 0);
        for word in 0..8 {
            full.symbol_row_mut(symbols.index())[word] = (word * 3 % 4) as u32;
            let numbers: Vec<f64> = (0..9).map(|i| ((word * 9 + i) as f64).cos()).collect();
            full.set_data(&programs[0], data.id(), word, &numbers);
        }
        let mut runner = Runner::new(&params, programs, 1).unwrap();
        let output = y.id();
        let mut run = |tile: &Tile<f64>| {
            let mut gradient = vec![0.0; flat.len()];
            let loss = runner.gradient(&flat, std::slice::from_ref(tile), KEY, &mut gradient);
            let values = runner.forward(&flat, std::slice::from_ref(tile), KEY, |_, all| -> Vec<Vec<f64>> {
                all.get(output).chunks_exact(8).map(|row| row[..tile.active()].to_vec()).collect()
            });
            (loss, gradient, values.concat())
        };
        let (mut loss, mut sum) = (0.0, vec![0.0; flat.len()]);
        let whole = run(&full);
        for active in 1..=8 {
            let mut tile = full.clone();
            tile.set_active(active);
            let part = run(&tile);
            for (part, whole) in part.2.iter().zip(&whole.2) {
                assert_eq!(*part, whole[..active], "the same words, the same values");
            }
            let mut other = full.clone();
            for data in &mut other.data {
                let numbers: &mut [f64] = bytemuck::cast_slice_mut(data);
                numbers.chunks_exact_mut(8).for_each(|lanes| lanes[active..].fill(f64::NAN));
            }
            other.set_active(active);
            assert_eq!(run(&other), part, "what was there before leaves no trace");
            assert!(part.0 != loss && part.1 != sum, "every active word counts");
            (loss, sum) = (part.0, part.1);
        }
        assert_eq!((loss, sum), (whole.0, whole.1));
    }

    #[test]
    #[should_panic(expected = "word 8 of a tile of 8")]
    fn a_word_beyond_the_tile_is_refused() {
        let params = Params::new();
        let graph = Graph::new(&params, 1);
        let data = graph.data(2, Lanes::Word);
        let programs = vec![graph.compile::<f32>(8, None, &[data]).unwrap()];
        Tile::new(&programs, 0).set_data(&programs[0], data.id(), 8, &[1.0, 2.0]);
    }

    #[test]
    fn data_is_set_row_by_row_of_each_particle_also_through_a_slice() {
        let params = Params::new();
        let graph = Graph::new(&params, 2);
        let data = graph.data(3, Lanes::Particle);
        let slice = data.slice(1..3);
        let programs = vec![graph.compile::<f32>(8, None, &[data, slice]).unwrap()];
        let mut tile = Tile::new(&programs, 0);
        tile.set_data(&programs[0], data.id(), 3, &[1., 2., 3., 4., 5., 6.]);
        tile.set_data(&programs[0], slice.id(), 4, &[7., 8., 9., 10.]);
        let mut runner = Runner::new(&params, programs, 1).unwrap();
        let data = data.id();
        runner.forward(&[], &[tile], KEY, |_, values| {
            let lane =
                |word| -> Vec<f32> { values.get(data).iter().skip(word).step_by(8).copied().collect() };
            // Rows lie one after the other, in each the particles.
            assert_eq!(lane(3), [1., 4., 2., 5., 3., 6.]);
            assert_eq!(lane(4), [0., 0., 7., 9., 8., 10.]);
        });
    }
}
