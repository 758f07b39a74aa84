//! Counts and their gate together: what a context is worth, and what the list says after it.

use std::sync::Arc;

use super::contexts::{Level, Own};
use super::gate::{Gate, GateShape, Known};
use super::{Contexts, LANES, MAX_ORDER};
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

    /// The logarithms of the probabilities of words' symbols, given the network's. Words of the list may be left out of the counts.
    pub(crate) fn mix(&self, words: &[&[Symbol]], log_probabilities: &mut [Vec<f64>], leaves_out: bool) {
        let (listed, others): (Vec<_>, Vec<_>) = words
            .iter()
            .zip(log_probabilities)
            .map(|(&word, log_p)| (word, log_p.as_mut_slice()))
            .partition(|(word, _)| leaves_out && self.contexts.has(word));
        self.mix_others(others);
        self.mix_listed(listed);
    }

    /// For words of the list, as if it lacked each of them.
    fn mix_listed(&self, mut words: Vec<(&[Symbol], &mut [f64])>) {
        let shape = self.gate.shape();
        let (rows, inputs_rows) = (training_rows(shape), shape.features() + shape.experts());
        let (mut inputs, mut hidden, mut weights) = (vec![0.0; inputs_rows * LANES], Vec::new(), Vec::new());
        let data: Vec<Vec<f32>> =
            words.iter().map(|(word, _)| training_data(&self.contexts, shape, word)).collect();
        let steps = data
            .iter()
            .zip(&mut words)
            .flat_map(|(data, (_, log_p))| data.chunks_exact(rows).zip(log_p.iter_mut()));
        let mut steps: Vec<(&[f32], &mut f64)> = steps.collect();
        for steps in steps.chunks_mut(LANES) {
            for (lane, (data, _)) in steps.iter().enumerate() {
                for (row, &number) in data[..inputs_rows].iter().enumerate() {
                    inputs[row * LANES + lane] =
                        if row < shape.features() { number } else { libm::expf(number) };
                }
            }
            self.gate.weigh(&inputs, &mut hidden, &mut weights);
            for (lane, (data, log_p)) in steps.iter_mut().enumerate() {
                let mut of_experts = weights[lane..].iter().step_by(LANES).map(|&weight| f64::from(weight));
                let network = of_experts.next().unwrap_or(1.0) * log_p.exp();
                let list: f64 = data[inputs_rows..]
                    .iter()
                    .zip(of_experts)
                    .map(|(&log, weight)| if log > LOG_ZERO { weight * f64::from(log).exp() } else { 0.0 })
                    .sum();
                **log_p = (network + list).ln();
            }
        }
    }

    fn mix_others(&self, mut words: Vec<(&[Symbol], &mut [f64])>) {
        let with_end = |word: &[Symbol]| std::iter::once(END).chain(word.iter().copied()).collect();
        let texts: Vec<Vec<Symbol>> = words.iter().map(|(word, _)| with_end(word)).collect();
        let places: Vec<(usize, usize)> = words
            .iter()
            .enumerate()
            .flat_map(|(word, (symbols, _))| (0..symbols.len()).map(move |t| (word, t)))
            .collect();
        let mut looks = Looks::new(self);
        for places in places.chunks(LANES) {
            looks.look(places.iter().map(|&(word, t)| &texts[word][..=t]));
            for (lane, &(word, t)) in places.iter().enumerate() {
                let log_p = &mut words[word].1[t];
                let list = looks.probability(lane, texts[word][t + 1]);
                *log_p = (f64::from(looks.network()[lane]) * log_p.exp() + list).ln();
            }
        }
    }
}

/// What the counts say in some contexts, up to [`LANES`] at once.
pub(crate) struct Looks<'c> {
    counts: &'c ListCounts,
    levels: Vec<Vec<Level<'c>>>,
    inputs: Vec<f32>,
    hidden: Vec<f32>,
    weights: Vec<f32>,
}

impl<'c> Looks<'c> {
    /// Prepares to look.
    pub(crate) fn new(counts: &'c ListCounts) -> Self {
        let shape = counts.gate.shape();
        let inputs = vec![0.0; (shape.features() + shape.experts()) * LANES];
        Self { counts, levels: vec![Vec::new(); LANES], inputs, hidden: Vec::new(), weights: Vec::new() }
    }

    /// Looks up contexts, each a word's beginning with an end symbol before it, or its last symbols.
    pub(crate) fn look<'s>(&mut self, contexts: impl Iterator<Item = &'s [Symbol]>) {
        let Self { counts: ListCounts { contexts: tree, gate }, levels, inputs, hidden, weights } = self;
        for (lane, (before, levels)) in contexts.zip(levels).enumerate() {
            let whole = tree.levels(before, levels);
            let mut known = [Known::default(); MAX_ORDER];
            known.iter_mut().zip(&*levels).for_each(|(known, &level)| *known = tree.known(level));
            extend(&mut known, levels.len(), whole);
            let own = inputs[lane..].iter_mut().step_by(LANES);
            own.zip(gate.shape().inputs(&known)).for_each(|(to, number)| *to = number);
        }
        gate.weigh(inputs, hidden, weights);
    }

    /// The weight of the network in each lane.
    pub(crate) fn network(&self) -> &[f32] {
        &self.weights[..LANES]
    }

    /// The weight of one of the levels of a lane. Longer contexts than the list has stand for the longest that it has.
    fn weight(&self, lane: usize, order: usize) -> f32 {
        let mut own = self.weights[lane..].iter().step_by(LANES).skip(order + 1);
        match order + 1 == self.levels[lane].len() {
            true => own.sum(),
            false => own.next().copied().unwrap_or(0.0),
        }
    }

    /// What the list gives to each symbol in a lane: the sum is 1 less the weight of the network.
    pub(crate) fn row(&self, lane: usize, row: &mut Vec<f32>) {
        let contexts = &self.counts.contexts;
        row.clear();
        row.resize(contexts.symbols(), 0.0);
        for (order, level) in self.levels[lane].iter().enumerate() {
            let weight = self.weight(lane, order) / contexts.totals(*level).total as f32;
            for (symbol, count) in contexts.followers(level) {
                row[usize::from(symbol)] += weight * count as f32;
            }
        }
    }

    /// What the list gives to one symbol in a lane.
    fn probability(&self, lane: usize, symbol: Symbol) -> f64 {
        let contexts = &self.counts.contexts;
        let shares = self.levels[lane].iter().enumerate().map(|(order, &level)| {
            let share = contexts.count(level, symbol) as f64 / contexts.totals(level).total as f64;
            f64::from(self.weight(lane, order)) * share
        });
        shares.sum()
    }
}

/// Where the last context is the `whole` beginning of the word, it is that of all longer orders.
fn extend(known: &mut [Known; MAX_ORDER], levels: usize, whole: bool) {
    if whole {
        let last = known[levels - 1];
        known[levels..].fill(last);
    }
}

/// What training needs of each symbol of a word: the gate's inputs and the logarithms of the orders' probabilities, all without the word itself.
/// [`training_rows`] numbers for each symbol.
pub(crate) fn training_data(contexts: &Contexts, shape: GateShape, word: &[Symbol]) -> Vec<f32> {
    let mut own = Own::of(word);
    let mut data = Vec::with_capacity(word.len() * training_rows(shape));
    let mut levels = Vec::with_capacity(MAX_ORDER);
    for t in 0..word.len() {
        let whole = contexts.levels(own.before(t), &mut levels);
        let mut known = [Known::default(); MAX_ORDER];
        let mut logs = [LOG_ZERO; MAX_ORDER];
        let mut last = (1.0 / contexts.symbols() as f64).ln() as f32;
        let mut seen = 0;
        for (order, &level) in levels.iter().enumerate() {
            match order {
                0 => own.begin(),
                _ => own.lengthen(t, order),
            }
            let (without, count) = own.without(contexts, level, t);
            if without.total == 0 {
                break;
            }
            seen += 1;
            known[order] = Known::of(without);
            logs[order] = match count {
                0 => LOG_ZERO,
                count => libm::log(count as f64 / without.total as f64) as f32,
            };
            last = logs[order];
        }
        extend(&mut known, seen, whole && seen == levels.len());
        logs[seen..].fill(last);
        let inputs = shape.inputs(&known).enumerate();
        data.extend(inputs.map(|(row, number)| if row < shape.features() { number } else { number.ln() }));
        data.extend_from_slice(&logs[..shape.order]);
    }
    data
}

/// Numbers of [`training_data`] for each symbol.
pub(crate) fn training_rows(shape: GateShape) -> usize {
    shape.features() + shape.experts() + shape.order
}
