//! Counts and their gate together: what a context is worth, and what the list says after it.

use std::sync::Arc;

use super::contexts::{Level, Own, Totals};
use super::gate::{Gate, GateShape};
use super::{Contexts, MAX_ORDER};
use crate::lexicon::{END, LexiconError, Symbol};

/// The counts of a list with a gate.
#[derive(Debug)]
pub(crate) struct ListCounts {
    contexts: Arc<Contexts>,
    gate: Gate,
}

/// Where a model's counts come from: a list may have to be read for them.
pub(crate) trait CountsSource: std::fmt::Debug + Sync {
    /// The counts; none if the model goes without.
    ///
    /// # Errors
    /// When the list is damaged.
    fn counts(&self) -> Result<Option<&ListCounts>, LexiconError>;
}

impl CountsSource for ListCounts {
    fn counts(&self) -> Result<Option<&ListCounts>, LexiconError> {
        Ok(Some(self))
    }
}

/// The logarithm of a probability of zero, as training sees it.
const LOG_ZERO: f32 = -30.0;

impl ListCounts {
    /// Puts both together.
    pub(crate) fn new(contexts: Arc<Contexts>, gate: Gate) -> Self {
        Self { contexts, gate }
    }

    /// Symbols of a context that matter.
    pub(crate) fn memory(&self) -> usize {
        self.contexts.order() - 1
    }

    /// The weight of the network after `before`, and of the list's symbols: a row of one number for each, whose sum is 1 less the weight. `before` is a word's
    /// beginning with an end symbol before it, or its last symbols.
    pub(crate) fn row<'c>(&self, before: &[Symbol], cache: &'c mut RowCache) -> (f32, &'c [f32]) {
        let mut levels = Vec::with_capacity(MAX_ORDER);
        let whole = self.contexts.levels(before, &mut levels);
        let key = u64::from(self.contexts.key(levels[levels.len() - 1])) << 8 | levels.len() as u64;
        let (is_new, row) = cache.slot(key, self.contexts.symbols());
        let Some((network, row)) = row.split_first_mut() else { return (1.0, &[]) };
        if is_new {
            let weights = self.gate.weights(&totals_of(&self.contexts, &levels, whole));
            *network = weights[0];
            row.fill(0.0);
            for (order, level) in levels.iter().enumerate() {
                let weight = weight_of(&weights, order, &levels) / self.contexts.totals(*level).total as f32;
                for (symbol, count) in self.contexts.followers(level) {
                    row[usize::from(symbol)] += weight * count as f32;
                }
            }
        }
        (*network, row)
    }

    /// The logarithms of the probabilities of a word's symbols, given the network's.
    pub(crate) fn mixed(&self, word: &[Symbol], network: Vec<f64>) -> Vec<f64> {
        let text: Vec<Symbol> = std::iter::once(END).chain(word.iter().copied()).collect();
        let mix = |(t, log_p): (usize, f64)| {
            let (weight, list) = self.symbol(&text[..=t], text[t + 1]);
            (weight * log_p.exp() + list).ln()
        };
        network.into_iter().enumerate().map(mix).collect()
    }

    /// The weight of the network after `before`, and what the list gives to one symbol.
    fn symbol(&self, before: &[Symbol], symbol: Symbol) -> (f64, f64) {
        let mut levels = Vec::with_capacity(MAX_ORDER);
        let whole = self.contexts.levels(before, &mut levels);
        let weights = self.gate.weights(&totals_of(&self.contexts, &levels, whole));
        let mut sum = 0.0;
        for (order, &level) in levels.iter().enumerate() {
            let count = self.contexts.count(level, symbol);
            if count > 0 {
                let weight = f64::from(weight_of(&weights, order, &levels));
                sum += weight * count as f64 / self.contexts.totals(level).total as f64;
            }
        }
        (weights[0].into(), sum)
    }
}

/// Longer contexts than the list has stand for the longest that it has.
fn weight_of(weights: &[f32], order: usize, levels: &[Level<'_>]) -> f32 {
    match order + 1 == levels.len() {
        true => weights[order + 1..].iter().sum(),
        false => weights[order + 1],
    }
}

/// The totals of all orders: 0 for contexts that are not seen. Where the last one is the `whole` beginning of the word, it is that of all longer orders.
fn totals_of(contexts: &Contexts, levels: &[Level<'_>], whole: bool) -> [Totals; MAX_ORDER] {
    let mut totals = [Totals::default(); MAX_ORDER];
    totals.iter_mut().zip(levels).for_each(|(totals, &level)| *totals = contexts.totals(level));
    if whole {
        let last = totals[levels.len() - 1];
        totals[levels.len()..].fill(last);
    }
    totals
}

/// What training needs of each symbol of a word: the gate's inputs and the logarithms of the orders' probabilities, all without the word itself.
/// [`training_rows`] numbers for each symbol.
pub(crate) fn training_data(contexts: &Contexts, shape: GateShape, word: &[Symbol]) -> Vec<f32> {
    let mut own = Own::of(word);
    let mut data = Vec::with_capacity(word.len() * training_rows(shape));
    let mut levels = Vec::with_capacity(MAX_ORDER);
    for t in 0..word.len() {
        let whole = contexts.levels(own.before(t), &mut levels);
        let mut totals = [Totals::default(); MAX_ORDER];
        let mut logs = [LOG_ZERO; MAX_ORDER];
        let (mut last, mut seen) = ((1.0 / contexts.symbols() as f64).ln() as f32, true);
        for order in 0..shape.order {
            if whole && seen && order >= levels.len() {
                totals[order] = totals[order - 1];
            } else if let Some(&level) = levels.get(order).filter(|_| seen) {
                match order {
                    0 => own.begin(),
                    _ => own.lengthen(t, order),
                }
                let (without, count) = own.without(contexts, level, t);
                seen = without.total > 0;
                if seen {
                    totals[order] = without;
                    last = match count {
                        0 => LOG_ZERO,
                        count => libm::log(count as f64 / without.total as f64) as f32,
                    };
                }
            }
            logs[order] = last;
        }
        shape.inputs(&totals, &mut data);
        data.extend_from_slice(&logs[..shape.order]);
    }
    data
}

/// Numbers of [`training_data`] for each symbol.
pub(crate) fn training_rows(shape: GateShape) -> usize {
    shape.features() + shape.experts() + shape.order
}

/// Rows that were computed lately.
#[derive(Debug, Default)]
pub(crate) struct RowCache {
    keys: Vec<u64>,
    rows: Vec<f32>,
}

/// The most numbers of a cache, and the most rows.
const MOST_NUMBERS: usize = 1 << 21;
const MOST_ROWS: usize = 1 << 15;

impl RowCache {
    /// The row of a key, and whether it is new and must be filled.
    fn slot(&mut self, key: u64, symbols: usize) -> (bool, &mut [f32]) {
        let width = symbols + 1;
        if self.keys.is_empty() {
            let rows = (MOST_NUMBERS / width).clamp(1, MOST_ROWS).next_power_of_two();
            self.keys = vec![u64::MAX; rows];
            self.rows = vec![0.0; rows * width];
        }
        let index = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & (self.keys.len() - 1);
        let is_new = std::mem::replace(&mut self.keys[index], key) != key;
        (is_new, &mut self.rows[index * width..][..width])
    }
}
