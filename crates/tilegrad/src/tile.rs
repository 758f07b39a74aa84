//! A tile: the words that one run of a program works on, with their data.

use bytemuck::Zeroable;

use crate::element::{Element, Vector};
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
    pub(crate) data: Vec<Vec<T::Vector>>,
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
        let zeros = |shape| vec![T::Vector::zeroed(); dims.size(shape) / T::Vector::LANES];
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

    /// Words that count. The others are computed with, but weigh nothing.
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

    /// Sets one word's numbers of a data variable: one number per row, and per particle if it has
    /// such lanes (then all rows of particle 0 come first).
    ///
    /// # Panics
    /// If the variable is not data of the program, the tile has no such word, or the count of numbers
    /// is wrong.
    #[track_caller]
    pub fn set_data(&mut self, program: &Program<T>, var: VarId, word: usize, numbers: &[T]) {
        let Place::Data(index, range) = program.values[var.0 as usize].clone() else {
            panic!("the variable is not data");
        };
        assert!(word < self.capacity, "word {word} of a tile of {}", self.capacity);
        let shape = program.shape(var);
        let particles = if shape.lanes == Lanes::Word { 1 } else { self.particles };
        assert_eq!(numbers.len(), shape.rows * particles, "numbers of a {shape} variable");
        let target: &mut [T] = bytemuck::cast_slice_mut(&mut self.data[index][range]);
        for (k, rows) in numbers.chunks_exact(shape.rows).enumerate() {
            for (row, &number) in rows.iter().enumerate() {
                target[(row * particles + k) * self.capacity + word] = number;
            }
        }
    }
}
