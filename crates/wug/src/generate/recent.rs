//! The part of the state that counts look at: the last symbols of the words on their way, and the mixture they make of a network's logits.

use bytemuck::Zeroable;
use tilegrad::simd::{Path, Simd, Task, Vector};

use super::steps::LANES;
use crate::counts::{ListCounts, Looks};
use crate::lexicon::{END, Symbol};

/// The smallest probability whose logarithm is taken.
const LEAST: f64 = 1e-30;
/// Stands for a symbol that is not there, in states.
const NOTHING: f32 = -1.0;

/// The last symbols of each lane's word.
pub(super) struct Recent<'a> {
    counts: &'a ListCounts,
    looks: Looks<'a>,
    /// Each lane's symbols, the newest last; its word begins with an end symbol.
    symbols: Vec<Vec<Symbol>>,
    /// What the list gives to each symbol in one lane.
    row: Vec<f32>,
    /// The same in all lanes, a row of lanes for each symbol; then the logarithms of the mixture.
    mixed: Vec<f32>,
}

impl<'a> Recent<'a> {
    /// Of words that have not begun.
    pub(super) fn new(counts: &'a ListCounts) -> Self {
        let symbols = vec![Self::start(counts); LANES];
        Self { counts, looks: Looks::new(counts), symbols, row: Vec::new(), mixed: Vec::new() }
    }

    fn start(counts: &ListCounts) -> Vec<Symbol> {
        [END].into_iter().take(counts.memory()).collect()
    }

    /// The part of the state of a word that has not begun.
    pub(super) fn initial_state(counts: &ListCounts) -> Vec<f32> {
        Self::state_of(&Self::start(counts), counts.memory()).collect()
    }

    fn state_of(symbols: &[Symbol], size: usize) -> impl Iterator<Item = f32> {
        let missing = std::iter::repeat_n(NOTHING, size - symbols.len());
        missing.chain(symbols.iter().map(|&symbol| f32::from(symbol)))
    }

    /// The part of the state in a lane.
    pub(super) fn state(&self, lane: usize) -> impl Iterator<Item = f32> {
        Self::state_of(&self.symbols[lane], self.counts.memory())
    }

    /// Sets it.
    pub(super) fn resume(&mut self, lane: usize, state: &[f32]) {
        let own = &mut self.symbols[lane];
        own.clear();
        own.extend(state.iter().filter(|&&symbol| symbol != NOTHING).map(|&symbol| symbol as Symbol));
    }

    /// Takes each lane's next symbol.
    pub(super) fn take(&mut self, drawn: &[Symbol; LANES]) {
        let size = self.counts.memory();
        if size == 0 {
            return;
        }
        for (own, &symbol) in self.symbols.iter_mut().zip(drawn) {
            if own.len() == size {
                own.remove(0);
            }
            own.push(symbol);
        }
    }

    /// The logarithms of the mixture of a network's logits with the counts.
    pub(super) fn mix(&mut self, logits: &[f32]) -> &[f32] {
        let Self { looks, symbols, row, mixed, .. } = self;
        mixed.resize(logits.len(), 0.0);
        looks.look(symbols.iter().map(Vec::as_slice));
        for lane in 0..LANES {
            looks.row(lane, row);
            mixed[lane..].iter_mut().step_by(LANES).zip(&*row).for_each(|(to, &share)| *to = share);
        }
        Path::current().run(Mix { mixed, logits, weights: looks.network() });
        mixed
    }
}

/// Turns what the list gives to symbols into logarithms of the mixture.
struct Mix<'a> {
    mixed: &'a mut [f32],
    logits: &'a [f32],
    weights: &'a [f32],
}

impl Task<f32> for Mix<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) {
        let Self { mixed, logits, weights } = self;
        let mixed: &mut [[f32; 8]] = bytemuck::cast_slice_mut(mixed);
        let width = LANES / 8;
        let symbols = logits.len() / LANES;
        for v in 0..width {
            let logit = |symbol: usize| S::Vector::load(&logits[symbol * LANES + 8 * v..]);
            let mut largest = S::Vector::constant(f64::NEG_INFINITY);
            for symbol in 0..symbols {
                largest = logit(symbol).max(largest);
            }
            let mut sum = S::Vector::zeroed();
            for symbol in 0..symbols {
                sum += (logit(symbol) - largest).exp();
            }
            let weight = S::Vector::load(&weights[8 * v..]) / sum;
            let least = S::Vector::constant(LEAST);
            for symbol in 0..symbols {
                let chunk = &mut mixed[symbol * width + v];
                let probability = (logit(symbol) - largest).exp().mul_add(weight, S::Vector::load(chunk));
                *chunk = bytemuck::cast(probability.max(least).ln());
            }
        }
    }
}
