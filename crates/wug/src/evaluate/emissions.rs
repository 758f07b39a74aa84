//! What a block of trajectories says about the symbols of a trie: `P(w_t | h_t)` and its logarithm, lanes holding
//! trajectories.

use std::collections::BTreeMap;

use bytemuck::Zeroable;
use tilegrad::simd::{Chunk8, Path, Simd, Task, Vector};

use crate::lexicon::{Symbol, Trie};

/// Trajectories in a block: a row of them is 1 KiB, so that the products of all prefixes of a word stay in the
/// first-level cache and the rows of a block in the second.
pub(crate) const LANES: usize = 256;

/// One number for each trajectory of a block.
pub(crate) type Row = [Chunk8; WIDTH];

/// Vectors in a row.
pub(crate) const WIDTH: usize = LANES / 8;

/// Below this, the exponential function of vectors is zero.
const LOG_LEAST: f32 = -86.5;

/// Pairs of position and symbol that occur in a trie, numbered: only these are kept.
#[derive(Debug)]
pub(crate) struct Rows {
    /// For each position the symbols that occur there, with their numbers.
    positions: Vec<Vec<(Symbol, u32)>>,
    count: usize,
}

impl Rows {
    /// The pairs of a trie, and the number of each node's pair.
    pub(crate) fn of(trie: &Trie) -> (Self, Vec<u32>) {
        let mut numbers: BTreeMap<(usize, Symbol), u32> =
            trie.nodes().map(|node| ((node.depth - 1, node.symbol), 0)).collect();
        let mut positions = vec![Vec::new(); trie.depth()];
        for (number, (&(position, symbol), own)) in (0..).zip(&mut numbers) {
            *own = number;
            positions[position].push((symbol, number));
        }
        let nodes = trie.nodes().map(|node| numbers[&(node.depth - 1, node.symbol)]).collect();
        (Self { positions, count: numbers.len() }, nodes)
    }

    /// Positions of the longest word, its end among them.
    pub(crate) fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Bytes that a block takes.
    pub(crate) fn block_bytes(&self) -> usize {
        2 * self.count * size_of::<Row>()
    }
}

/// A block of consecutive trajectories.
pub(crate) struct Block {
    /// Number of the first trajectory.
    pub(crate) first: u64,
    /// Trajectories that count; the other lanes hold anything.
    pub(crate) active: usize,
    /// `P(symbol | h_t)`, row by row.
    pub(crate) probability: Vec<Row>,
    /// Its logarithm.
    pub(crate) log_probability: Vec<Row>,
    /// Whether a probability is too small for single precision and became zero.
    pub(crate) flushed: bool,
}

impl Block {
    pub(crate) fn new(rows: &Rows) -> Self {
        let numbers = || vec![Row::zeroed(); rows.count];
        Self { first: 0, active: 0, probability: numbers(), log_probability: numbers(), flushed: false }
    }

    /// Makes the block one of `active` trajectories from `first` on.
    pub(crate) fn begin(&mut self, first: u64, active: usize) {
        (self.first, self.active, self.flushed) = (first, active, false);
    }

    /// Takes over the softmax of `E h_t + b` at one position: a row of [`LANES`] numbers for each symbol.
    pub(crate) fn set(&mut self, rows: &Rows, position: usize, logits: &[f32]) {
        let least = Path::current().run(Softmax { block: self, pairs: &rows.positions[position], logits });
        // A NaN counts as flushed too: it will show in the logarithms.
        self.flushed |= !least.iter().all(|&least| least > LOG_LEAST);
    }
}

/// The softmax of one position's logits for the symbols that occur there; gives the least logarithm of each lane.
struct Softmax<'a> {
    block: &'a mut Block,
    pairs: &'a [(Symbol, u32)],
    logits: &'a [f32],
}

impl Task<f32> for Softmax<'_> {
    type Output = [f32; 8];

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) -> [f32; 8] {
        let Self { block, pairs, logits } = self;
        let logit = |row: usize, v: usize| S::Vector::load(&logits[row * LANES + 8 * v..]);
        let symbols = logits.len() / LANES;
        let mut least = S::Vector::zeroed();
        for v in 0..WIDTH {
            let mut largest = S::Vector::constant(f64::NEG_INFINITY);
            for symbol in 0..symbols {
                largest = logit(symbol, v).max(largest);
            }
            let mut sum = S::Vector::zeroed();
            for symbol in 0..symbols {
                sum += (logit(symbol, v) - largest).exp();
            }
            let (inverse, log_sum) = (S::Vector::constant(1.0) / sum, sum.ln());
            for &(symbol, row) in pairs {
                let difference = logit(usize::from(symbol), v) - largest;
                let log_p = difference - log_sum;
                least = log_p.min(least);
                S::vectors_mut(&mut block.log_probability[row as usize])[v] = log_p;
                S::vectors_mut(&mut block.probability[row as usize])[v] = difference.exp() * inverse;
            }
        }
        bytemuck::cast(least)
    }
}

/// A source of trajectories: a model that runs through states without knowing the word.
pub(crate) trait Trajectories {
    /// Computes what each block's trajectories say about the symbols.
    fn fill(&mut self, rows: &Rows, blocks: &mut [Block]);
}
