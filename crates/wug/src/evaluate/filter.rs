//! `log P(w)` by a particle filter that proposes with q, and in part with the prior: the bound with many surviving particles.
//!
//! A word's particles are divided among independent filters, eight at a time, and the filters' estimates are averaged.
//! Each is unbiased for `P(w)`, so the mean is, and the filters' spread gives its standard error. The logarithm of the
//! mean is too low on average, and less so the more particles there are: a cross entropy computed from it is an upper
//! bound in expectation. Space is bounded, because more particles are more filters.
//!
//! After t symbols a filter's product is unbiased for `P(w_1 … w_t)`, although q has seen the whole word: weights make up for
//! any proposal. The quotient of two successive means estimates `P(w_t | w_<t)`, and minus its logarithm is the surprisal of
//! symbol t. Surprisals add up to minus the estimate of `log P(w)`. They are noisier than it is, since q aims at the whole
//! word and not at its beginnings, and may even come out below 0 where a symbol is all but certain.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use tilegrad::{Graph, NoiseKey, Tile, VarId};

use super::EvaluateError;
use crate::Execution;
use crate::lexicon::Symbol;
use crate::model::Fitted;

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// Mean and standard error of independent numbers.
    pub fn of(numbers: &[f64]) -> Self {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let squares = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>();
        Self { mean, error: (squares / (count - 1.0).max(1.0) / count).sqrt() }
    }

    /// The logarithm of the mean of independent positive numbers, given by their logarithms; the error is that of the
    /// logarithm, to first order.
    fn log_mean_exp(logs: &[f64]) -> Self {
        if let [log] = logs {
            return Self { mean: *log, error: 0.0 };
        }
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scaled: Vec<f64> = logs.iter().map(|log| (log - largest).exp()).collect();
        let Self { mean, error } = Self::of(&scaled);
        Self { mean: largest + mean.ln(), error: error / mean }
    }
}

/// What the filter finds out about a word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filtered {
    /// `log P(w)`.
    pub(crate) log_probability: Estimate,
    /// `−log P(w_t | w_<t)` of each symbol, the end last; the sum is minus the mean of `log_probability`.
    pub(crate) surprisals: Vec<f64>,
}

impl Filtered {
    /// Puts filters together; each gives what the symbols add to its logarithm.
    fn of(filters: &[Vec<f64>], length: usize) -> Self {
        let mut sums = vec![0.0; filters.len()];
        let mut before = 0.0;
        let mut surprisals = Vec::with_capacity(length);
        let mut log_probability = Estimate { mean: 0.0, error: 0.0 };
        for step in 0..length {
            sums.iter_mut().zip(filters).for_each(|(sum, gains)| *sum += gains[step]);
            log_probability = Estimate::log_mean_exp(&sums);
            surprisals.push(before - log_probability.mean);
            before = log_probability.mean;
        }
        Self { log_probability, surprisals }
    }
}

/// How many particles a word gets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Precision {
    /// At least so many.
    pub(crate) particles: usize,
    /// More until the standard error of `log P(w)` is at most this, or there are [`MOST_PARTICLES`].
    pub(crate) error: Option<f64>,
}

/// The most particles that a word gets for the sake of its error.
pub const MOST_PARTICLES: usize = 1 << 20;
/// Filters that run at once for a word: they fill the lanes.
const FILTERS: usize = 8;
/// The most particles of one filter.
const MAX_PARTICLES: usize = 1000;
/// Words that run at once where no particles are needed.
const WORDS: usize = 64;
/// Tiles between two reports of progress.
const TILES: usize = 512;

/// The log-probability of each word (symbols with the end), estimated with at least `particles` particles; exact, with
/// no error, if [`Model::is_exact`](crate::model::Model::is_exact). A word's estimate depends on the word, the seed and the number of particles alone.
/// `progress` gets the number of words done.
///
/// # Errors
/// When the graph cannot be recorded, or the system refuses a thread.
pub fn particle_filter(
    fitted: Fitted<'_>,
    words: &[&[Symbol]],
    particles: usize,
    execution: Execution,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Estimate>, EvaluateError> {
    let found = surprisals(fitted, words, Precision { particles, error: None }, execution, progress)?;
    Ok(found.into_iter().map(|word| word.log_probability).collect())
}

/// The same with the surprisal of each symbol, and with as many particles as a given error takes.
///
/// # Errors
/// When the graph cannot be recorded, or the system refuses a thread.
pub(crate) fn surprisals(
    fitted: Fitted<'_>,
    words: &[&[Symbol]],
    Precision { particles, error }: Precision,
    execution: Execution,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Filtered>, EvaluateError> {
    let exact = fitted.model().is_exact();
    // Runs of eight filters for each word, and particles of each filter.
    let first = if exact { 1 } else { particles.div_ceil(FILTERS * MAX_PARTICLES).max(1) };
    let particles = if exact { 1 } else { particles.div_ceil(FILTERS * first).max(1) };
    let mut filters = Filters { fitted, words, particles, execution, found: vec![Vec::new(); words.len()] };
    let filtered = |found: &[Vec<f64>], word: usize| Filtered::of(found, words[word].len());
    let mut left: Vec<usize> = (0..words.len()).collect();
    let (mut runs, mut done) = (0..first, 0);
    while !left.is_empty() && !runs.is_empty() {
        let again = error.is_some();
        filters.run(&left, runs.clone(), &mut |words| {
            done += if again { 0 } else { words };
            progress(done);
        })?;
        let Some(error) = error.filter(|_| !exact) else { break };
        // Twice as many runs, unless that is too many.
        let most = (MOST_PARTICLES / (FILTERS * particles)).max(1);
        runs = runs.end..(2 * runs.end).min(most);
        // An error that is no number stays, since nothing makes it smaller.
        left.retain(|&word| filtered(&filters.found[word], word).log_probability.error > error);
        done = (words.len() - left.len()) as u64;
        progress(done);
    }
    Ok((0..).zip(&filters.found).map(|(word, found)| filtered(found, word)).collect())
}

/// Filters for words.
struct Filters<'a> {
    fitted: Fitted<'a>,
    words: &'a [&'a [Symbol]],
    /// Of each filter.
    particles: usize,
    execution: Execution,
    /// For each word, what the symbols add in each of its filters.
    found: Vec<Vec<Vec<f64>>>,
}

impl Filters<'_> {
    /// Runs filters with these numbers for some of the words. `progress` gets the number of words that are done each time.
    fn run(
        &mut self,
        members: &[usize],
        runs: Range<usize>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), EvaluateError> {
        let Self { fitted, words, particles, execution, found } = self;
        let (model, counts) = (fitted.model(), fitted.counts()?);
        let exact = model.is_exact();
        let (lanes, words_per_tile) = if exact { (WORDS, WORDS) } else { (FILTERS, 1) };
        let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        members.iter().for_each(|&word| by_length.entry(words[word].len()).or_default().push(word));
        // One length after the other, so that only one program's space is needed at a time.
        for (length, members) in by_length {
            let graph = Graph::new(model.params(), *particles);
            let gains = model.filter_steps(&graph, length);
            let program = graph.compile(lanes, None, &gains)?;
            let gains: Vec<VarId> = gains.iter().map(|gain| gain.id()).collect();
            let mut runner = model.runner(vec![program], execution.threads)?;
            for members in members.chunks((TILES / runs.len()).max(1) * words_per_tile) {
                let groups: Vec<(&[usize], usize)> = members
                    .chunks(words_per_tile)
                    .flat_map(|group| runs.clone().map(move |run| (group, run)))
                    .collect();
                let tiles: Vec<Tile<f32>> = groups
                    .iter()
                    .map(|&(group, run)| {
                        let mut tile = Tile::new(runner.programs(), 0);
                        let copies = if exact { 1 } else { FILTERS };
                        let own = group.iter().flat_map(|&word| std::iter::repeat_n(words[word], copies));
                        model.fill_tile(&mut tile, own);
                        tile.first_item = first_item(words[group[0]], run);
                        tile
                    })
                    .collect();
                // Words of different lengths must not share noise.
                let key = NoiseKey { seed: execution.seed, step: length as u64 };
                let results =
                    runner.forward(fitted.parameters(), &tiles, key, |number, values| -> Vec<Vec<f64>> {
                        let gain = |lane| gains.iter().map(|&gain| f64::from(values.get(gain)[lane])).collect();
                        let mut found: Vec<Vec<f64>> = (0..tiles[number].active()).map(gain).collect();
                        if let Some(counts) = counts {
                            let own: Vec<&[Symbol]> = groups[number].0.iter().map(|&word| words[word]).collect();
                            counts.mix(&own, &mut found);
                        }
                        found
                    });
                for ((group, _), result) in groups.iter().zip(results) {
                    for (&word, own) in group.iter().zip(result.chunks(result.len() / group.len())) {
                        found[word].extend_from_slice(own);
                    }
                }
                progress(members.len() as u64);
            }
        }
        Ok(())
    }
}

/// Where a word's noise begins: at a place that depends on its symbols, so that its estimate does not depend on the
/// other words. Two words at the same place share noise, which does no harm.
fn first_item(word: &[Symbol], run: usize) -> u32 {
    let hash = word
        .iter()
        .fold(0x811c_9dc5u32, |hash, &symbol| (hash ^ u32::from(symbol)).wrapping_mul(0x0100_0193));
    (hash ^ hash >> 15).wrapping_add(run as u32).wrapping_mul(FILTERS as u32)
}
