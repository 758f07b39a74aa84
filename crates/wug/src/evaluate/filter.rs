//! `log P(w)` by a particle filter that proposes with q: the bound with many surviving particles.
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

use serde::{Deserialize, Serialize};
use tilegrad::{Graph, NoiseKey, Tile, VarId};

use super::EvaluateError;
use crate::Execution;
use crate::lexicon::Symbol;
use crate::model::{BoundConfig, Fitted, Survivors};

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

/// Filters that run at once for a word: they fill the lanes.
const FILTERS: usize = 8;
/// The most particles of one filter.
const MAX_PARTICLES: usize = 1000;
/// Words that run at once through the baseline, which has no particles.
const WORDS: usize = 64;
/// Tiles between two reports of progress.
const TILES: usize = 512;

/// The log-probability of each word (symbols with the end), estimated with at least `particles` particles; exact, with
/// no error, for the baseline. A word's estimate depends on the word, the seed and the number of particles alone.
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
    let found = surprisals(fitted, words, particles, execution, progress)?;
    Ok(found.into_iter().map(|word| word.log_probability).collect())
}

/// The same with the surprisal of each symbol.
///
/// # Errors
/// When the graph cannot be recorded, or the system refuses a thread.
pub(crate) fn surprisals(
    fitted: Fitted<'_>,
    words: &[&[Symbol]],
    particles: usize,
    execution: Execution,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Filtered>, EvaluateError> {
    let model = fitted.model();
    let exact = model.is_exact();
    // Runs of eight filters for each word, and particles of each filter.
    let runs = if exact { 1 } else { particles.div_ceil(FILTERS * MAX_PARTICLES).max(1) };
    let particles = if exact { 1 } else { particles.div_ceil(FILTERS * runs).max(1) };
    let (lanes, words_per_tile) = if exact { (WORDS, WORDS) } else { (FILTERS, 1) };
    let bound = BoundConfig { particles, survivors: Survivors::All, ..model.config().bound.clone() };
    let mut lengths: Vec<usize> = words.iter().map(|word| word.len()).collect();
    lengths.sort_unstable();
    lengths.dedup();
    // For each word, what the symbols add in each of its filters.
    let mut found: Vec<Vec<Vec<f64>>> = vec![Vec::new(); words.len()];
    let mut done = 0;
    // One length after the other, so that only one program's space is needed at a time.
    for length in lengths {
        let graph = Graph::new(model.params(), particles);
        let gains = model.log_probability_steps(&graph, length, &bound);
        let program = graph.compile(lanes, None, &gains)?;
        let gains: Vec<VarId> = gains.iter().map(|gain| gain.id()).collect();
        let mut runner = model.runner(vec![program], execution.threads)?;
        let members: Vec<usize> = (0..words.len()).filter(|&i| words[i].len() == length).collect();
        for members in members.chunks((TILES / runs).max(1) * words_per_tile) {
            let groups: Vec<&[usize]> =
                members.chunks(words_per_tile).flat_map(|group| std::iter::repeat_n(group, runs)).collect();
            let tiles: Vec<Tile<f32>> = groups
                .iter()
                .enumerate()
                .map(|(number, group)| {
                    let mut tile = Tile::new(runner.programs(), 0);
                    let copies = if exact { 1 } else { FILTERS };
                    let own = group.iter().flat_map(|&word| std::iter::repeat_n(words[word], copies));
                    model.fill_tile(&mut tile, own);
                    tile.first_item = first_item(words[group[0]], number % runs);
                    tile
                })
                .collect();
            // Words of different lengths must not share noise.
            let key = NoiseKey { seed: execution.seed, step: length as u64 };
            let results =
                runner.forward(fitted.parameters(), &tiles, key, |number, values| -> Vec<Vec<f64>> {
                    let lane = |lane| gains.iter().map(|&gain| f64::from(values.get(gain)[lane])).collect();
                    (0..tiles[number].active()).map(lane).collect()
                });
            for (group, result) in groups.iter().zip(results) {
                for (&word, own) in group.iter().zip(result.chunks(result.len() / group.len())) {
                    found[word].extend_from_slice(own);
                }
            }
            done += members.len() as u64;
            progress(done);
        }
    }
    Ok(found.iter().zip(words).map(|(filters, word)| Filtered::of(filters, word.len())).collect())
}

/// Where a word's noise begins: at a place that depends on its symbols, so that its estimate does not depend on the
/// other words. Two words at the same place share noise, which does no harm.
fn first_item(word: &[Symbol], run: usize) -> u32 {
    let hash = word
        .iter()
        .fold(0x811c_9dc5u32, |hash, &symbol| (hash ^ u32::from(symbol)).wrapping_mul(0x0100_0193));
    (hash ^ hash >> 15).wrapping_add(run as u32).wrapping_mul(FILTERS as u32)
}
