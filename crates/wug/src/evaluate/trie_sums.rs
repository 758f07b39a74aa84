//! `Σ_k Π_t P(w_t | h_t^(k))` for every word of a trie, walking the trie once for each block of trajectories.
//!
//! A node's product is its parent's times one row, in single precision. Products begin with [`UNIT`] rather than 1,
//! which moves what is too small for single precision down to `2^−226`. Whatever is smaller is lost, but since
//! factors are at most 1, a lost product is smaller than that bound, and the bound is compared with the sum so far:
//! where more than [`TOLERANCE`] of it may be lost, the word's sum over the block is computed again from logarithms
//! in double precision. So no word's probability is zero, however small, and none is wrong.

use std::ops::Range;
use std::sync::Mutex;

use bytemuck::Zeroable;
use tilegrad::simd::{Path, Simd, Task, Vector};

use super::emissions::{Block, Row, Rows};
use crate::lexicon::{Trie, WordId};

/// What products begin with: 2^100. A sum over a block still fits.
const UNIT: f32 = (1u128 << 100) as f32;

/// The largest relative error of a sum that may come from lost products.
const TOLERANCE: f64 = 1e-7;

/// Parts of the trie for each thread, so that threads end at about the same time.
const PARTS_PER_THREAD: usize = 4;

/// A node of the trie as the walk needs it.
#[derive(Debug, Clone, Copy)]
struct Step {
    row: u32,
    depth: u32,
    is_word: bool,
}

/// Consecutive nodes of the trie, one thread's work.
#[derive(Debug)]
struct Part {
    nodes: Range<usize>,
    /// Rows of the first node's ancestors, from the first symbol on.
    ancestors: Vec<u32>,
    /// Sums of the part's words, in the order of the walk.
    sums: Vec<Sum>,
}

/// A word's sum: `total + e^log_rest`.
#[derive(Debug, Clone, Copy)]
struct Sum {
    total: f64,
    log_rest: f64,
}

impl Sum {
    const ZERO: Self = Self { total: 0.0, log_rest: f64::NEG_INFINITY };

    fn ln(self) -> f64 {
        log_add(self.total.ln(), self.log_rest)
    }
}

/// The sums of all words of a trie over the trajectories so far.
#[derive(Debug)]
pub(crate) struct TrieSums {
    steps: Vec<Step>,
    /// Words in the order of the walk.
    words: Vec<WordId>,
    depth: usize,
    parts: Vec<Part>,
    trajectories: u64,
    /// The most that a word's sum may have lost.
    lost: f64,
}

impl TrieSums {
    pub(crate) fn new(trie: &Trie, threads: usize) -> (Self, Rows) {
        let (rows, numbers) = Rows::of(trie);
        let steps: Vec<Step> = trie
            .nodes()
            .zip(numbers)
            .map(|(node, row)| Step { row, depth: node.depth as u32, is_word: node.word.is_some() })
            .collect();
        let words = trie.nodes().filter_map(|node| node.word).collect();
        let count = (threads * PARTS_PER_THREAD).min(steps.len()).max(1);
        let bounds = (0..count).map(|part| part * steps.len() / count..(part + 1) * steps.len() / count);
        let mut path: Vec<u32> = Vec::new();
        let parts = bounds
            .map(|nodes| {
                let first = steps.get(nodes.start).map_or(1, |step| step.depth) as usize;
                path.truncate(first - 1);
                let ancestors = path.clone();
                for step in &steps[nodes.clone()] {
                    path.truncate(step.depth as usize - 1);
                    path.push(step.row);
                }
                let words = steps[nodes.clone()].iter().filter(|step| step.is_word).count();
                Part { nodes, ancestors, sums: vec![Sum::ZERO; words] }
            })
            .collect();
        (Self { steps, words, depth: trie.depth(), parts, trajectories: 0, lost: 0.0 }, rows)
    }

    /// Trajectories so far.
    pub(crate) fn trajectories(&self) -> u64 {
        self.trajectories
    }

    /// Adds the blocks' trajectories to all sums. The result does not depend on the number of threads.
    pub(crate) fn add(&mut self, blocks: &[Block], threads: usize) {
        // The most that may be lost up to and with each block.
        let lost: Vec<f64> = blocks
            .iter()
            .map(|block| {
                let least = if block.flushed { -125 } else { -226 };
                self.lost += block.active as f64 * f64::from(least).exp2();
                self.lost
            })
            .collect();
        let (steps, depth) = (&self.steps, self.depth);
        let queue = Mutex::new(self.parts.iter_mut());
        let work = || {
            let mut products = vec![Row::zeroed(); depth + 1];
            let mut path = vec![0; depth];
            loop {
                let next = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
                let Some(part) = next else { return };
                for (block, &lost) in blocks.iter().zip(&lost) {
                    let (products, path) = (&mut products, &mut path);
                    Path::current().run(Walk { steps, part, block, lost, products, path });
                }
            }
        };
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| {
                // If the system refuses a thread, the others do its work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            });
            work();
        });
        self.trajectories += blocks.iter().map(|block| block.active as u64).sum::<u64>();
    }

    /// `log P̂(w)` of every word of the trie, by the words' numbers; NaN for others below `vocabulary`.
    pub(crate) fn log_probabilities(&self, vocabulary: usize) -> Vec<f64> {
        let mut log_p = vec![f64::NAN; vocabulary];
        let log_count = (self.trajectories as f64).ln();
        let sums = self.parts.iter().flat_map(|part| &part.sums);
        for (&word, sum) in self.words.iter().zip(sums) {
            log_p[word as usize] = sum.ln() - log_count;
        }
        log_p
    }
}

/// The walk over one part of the trie with one block of trajectories.
struct Walk<'a> {
    steps: &'a [Step],
    part: &'a mut Part,
    block: &'a Block,
    lost: f64,
    products: &'a mut [Row],
    path: &'a mut [u32],
}

impl Task<f32> for Walk<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) {
        let Self { steps, part, block, lost, products, path } = self;
        // Lanes without a trajectory begin with 0 and stay so.
        let root: &mut [f32] = bytemuck::cast_slice_mut(&mut products[0]);
        root.fill(0.0);
        root[..block.active].fill(UNIT);
        for (depth, &row) in part.ancestors.iter().enumerate() {
            path[depth] = row;
            multiply::<S>(products, depth, &block.probability[row as usize]);
        }
        let mut sums = part.sums.iter_mut();
        for step in &steps[part.nodes.clone()] {
            let depth = step.depth as usize - 1;
            path[depth] = step.row;
            let row = &block.probability[step.row as usize];
            if !step.is_word {
                multiply::<S>(products, depth, row);
                continue;
            }
            let Some(sum) = sums.next() else { return };
            let total = sum.total + dot::<S>(&products[depth], row) / f64::from(UNIT);
            if lost <= TOLERANCE * total || lost <= TOLERANCE * (total + sum.log_rest.exp()) {
                sum.total = total;
            } else {
                sum.log_rest = log_add(sum.log_rest, log_sum(block, &path[..=depth]));
            }
        }
    }
}

/// Makes the products at `depth + 1` from those at `depth`.
#[inline(always)]
fn multiply<S: Simd<Element = f32>>(products: &mut [Row], depth: usize, row: &Row) {
    let (above, below) = products.split_at_mut(depth + 1);
    let (parent, child) = (S::vectors(&above[depth]), S::vectors_mut(&mut below[0]));
    for ((child, &parent), &factor) in child.iter_mut().zip(parent).zip(S::vectors(row)) {
        *child = parent * factor;
    }
}

/// `Σ_k x_k y_k`, in single precision over eight products and double beyond.
#[inline(always)]
fn dot<S: Simd<Element = f32>>(x: &Row, y: &Row) -> f64 {
    let (x, y) = (S::vectors(x), S::vectors(y));
    let mut sums = [x[0] * y[0], x[1] * y[1], x[2] * y[2], x[3] * y[3]];
    for (x, y) in x[4..].chunks_exact(4).zip(y[4..].chunks_exact(4)) {
        for ((sum, &x), &y) in sums.iter_mut().zip(x).zip(y) {
            *sum = x.mul_add(y, *sum);
        }
    }
    let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    f64::from(sum.sum())
}

/// `log Σ_k Π_t P(w_t | h_t^(k))` from logarithms, for one word.
#[cold]
fn log_sum(block: &Block, path: &[u32]) -> f64 {
    let mut logs = vec![0.0; block.active];
    for &row in path {
        let row: &[f32] = bytemuck::cast_slice(&block.log_probability[row as usize]);
        logs.iter_mut().zip(row).for_each(|(log, &own)| *log += f64::from(own));
    }
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + logs.iter().map(|log| (log - largest).exp()).sum::<f64>().ln()
}

/// `log(e^x + e^y)`.
fn log_add(x: f64, y: f64) -> f64 {
    let (low, high) = if x < y { (x, y) } else { (y, x) };
    if high == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

#[cfg(test)]
mod tests;
