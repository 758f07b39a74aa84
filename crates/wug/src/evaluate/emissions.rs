//! What a block of trajectories says about the symbols of a trie: `P(w_t | h_t)` and its logarithm, lanes holding
//! trajectories.

use std::collections::BTreeMap;

use bytemuck::Zeroable;
use tilegrad::{Element, Vector};

use crate::lexicon::{Symbol, Trie};

type Vector8 = <f32 as Element>::Vector;

/// Trajectories in a block: a row of them is 1 KiB, so that the products of all prefixes of a word stay in the
/// first-level cache and the rows of a block in the second.
pub(crate) const LANES: usize = 256;

/// One number for each trajectory of a block.
pub(crate) type Row = [Vector8; LANES / Vector8::LANES];

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

    /// All pairs of some positions and symbols.
    pub(crate) fn all(positions: usize, symbols: usize) -> Self {
        let row = |position: usize| {
            (0..symbols).map(|symbol| (symbol as Symbol, (position * symbols + symbol) as u32)).collect()
        };
        Self { positions: (0..positions).map(row).collect(), count: positions * symbols }
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
        let (logits, _) = logits.as_chunks::<{ Vector8::LANES }>();
        let width = LANES / Vector8::LANES;
        let mut least = Vector8::constant(0.0);
        for v in 0..width {
            let column = logits[v..].iter().step_by(width).map(|&x| bytemuck::cast::<_, Vector8>(x));
            let largest = column.clone().fold(Vector8::constant(f64::NEG_INFINITY), |max, x| x.max(max));
            let sum = column.fold(Vector8::zeroed(), |sum, x| sum + (x - largest).exp());
            let (inverse, log_sum) = (Vector8::constant(1.0) / sum, sum.ln());
            for &(symbol, row) in &rows.positions[position] {
                let difference =
                    bytemuck::cast::<_, Vector8>(logits[usize::from(symbol) * width + v]) - largest;
                let log_p = difference - log_sum;
                least = log_p.min(least);
                self.log_probability[row as usize][v] = log_p;
                self.probability[row as usize][v] = difference.exp() * inverse;
            }
        }
        let least: &[f32] = bytemuck::cast_slice(std::slice::from_ref(&least));
        // A NaN counts as flushed too: it will show in the logarithms.
        self.flushed |= !least.iter().all(|&least| least > LOG_LEAST);
    }
}

/// A source of trajectories: a model that runs through states without knowing the word.
pub(crate) trait Trajectories {
    /// Computes what each block's trajectories say about the symbols.
    fn fill(&mut self, rows: &Rows, blocks: &mut [Block]);
}
