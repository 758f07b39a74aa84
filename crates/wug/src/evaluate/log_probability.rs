//! `log P(w)`: exact, or by particle filters that propose with q, and in part with the prior: the bound with many surviving particles.
//!
//! A word's particles are divided among independent filters, eight at a time, and the filters' estimates are averaged.
//! Each is unbiased for `P(w)`, so the mean is, and the filters' spread gives its standard error. The logarithm of the
//! mean is too low on average, and less so the more particles there are: a cross entropy computed from it is an upper
//! bound in expectation. Space is bounded, because more particles are more filters. An [exact](crate::model::Model::is_exact) model is
//! the case of one estimate without an error.
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
use crate::model::{Fitted, Sizes};

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

/// The log-probability of a word, and how it adds up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Surprisals {
    /// `log P(w)`.
    pub(crate) log_probability: Estimate,
    /// `−log P(w_t | w_<t)` of each symbol, the end last; the sum is minus the mean of `log_probability`.
    pub(crate) surprisals: Vec<f64>,
}

impl Surprisals {
    /// Puts estimates together; each gives what the symbols add to its logarithm.
    fn of(estimates: &[Vec<f64>], length: usize) -> Self {
        let mut sums = vec![0.0; estimates.len()];
        let mut before = 0.0;
        let mut surprisals = Vec::with_capacity(length);
        let mut log_probability = Estimate { mean: 0.0, error: 0.0 };
        for step in 0..length {
            sums.iter_mut().zip(estimates).for_each(|(sum, gains)| *sum += gains[step]);
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
    /// More until the standard error of `log P(w)` is at most this, or there are [`MAX_PARTICLES`].
    pub(crate) error: Option<f64>,
}

/// The most particles that a word gets for the sake of its error.
pub const MAX_PARTICLES: usize = 1 << 20;
/// Tiles between two reports of progress.
const TILES: usize = 512;

/// The log-probability of each word (symbols with the end), estimated with at least `particles` particles; exact, with
/// no error, if [`Model::is_exact`](crate::model::Model::is_exact). A word's estimate depends on the word, the seed and the number of particles alone.
/// `progress` gets the number of words done.
///
/// # Errors
/// When the graph cannot be recorded, or the system refuses a thread.
pub fn log_probabilities(
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
) -> Result<Vec<Surprisals>, EvaluateError> {
    let sizes = fitted.model().score_sizes(particles);
    let mut estimates = Estimates { fitted, words, sizes, execution, found: vec![Vec::new(); words.len()] };
    let surprisals = |found: &[Vec<f64>], word: usize| Surprisals::of(found, words[word].len());
    let mut left: Vec<usize> = (0..words.len()).collect();
    let (mut tiles, mut done) = (0..sizes.tiles, 0);
    while !left.is_empty() && !tiles.is_empty() {
        let again = error.is_some();
        estimates.run(&left, tiles.clone(), &mut |words| {
            done += if again { 0 } else { words };
            progress(done);
        })?;
        let Some(error) = error else { break };
        // Twice as many tiles, unless that is too many.
        let most = (MAX_PARTICLES / (sizes.estimates * sizes.particles)).max(1);
        tiles = tiles.end..(2 * tiles.end).min(most);
        // An error that is no number stays, since nothing makes it smaller.
        left.retain(|&word| surprisals(&estimates.found[word], word).log_probability.error > error);
        done = (words.len() - left.len()) as u64;
        progress(done);
    }
    Ok((0..).zip(&estimates.found).map(|(word, found)| surprisals(found, word)).collect())
}

/// Estimates for words.
struct Estimates<'a> {
    fitted: Fitted<'a>,
    words: &'a [&'a [Symbol]],
    sizes: Sizes,
    execution: Execution,
    /// For each word, what the symbols add in each of its estimates.
    found: Vec<Vec<Vec<f64>>>,
}

impl Estimates<'_> {
    /// Runs tiles with these numbers for some of the words. `progress` gets the number of words that are done each time.
    fn run(
        &mut self,
        members: &[usize],
        numbers: Range<usize>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), EvaluateError> {
        let Self { fitted, words, sizes, execution, found } = self;
        let (model, counts, copies) = (fitted.model(), fitted.counts()?, sizes.estimates);
        let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        members.iter().for_each(|&word| by_length.entry(words[word].len()).or_default().push(word));
        // One length after the other, so that only one program's space is needed at a time.
        for (length, members) in by_length {
            let graph = Graph::new(model.params(), sizes.particles);
            let gains = model.score_steps(&graph, length);
            let program = graph.compile(sizes.words * copies, None, &gains)?;
            let gains: Vec<VarId> = gains.iter().map(|gain| gain.id()).collect();
            let mut runner = model.runner(vec![program], execution.threads)?;
            for members in members.chunks((TILES / numbers.len()).max(1) * sizes.words) {
                let groups: Vec<(&[usize], usize)> = members
                    .chunks(sizes.words)
                    .flat_map(|group| numbers.clone().map(move |number| (group, number)))
                    .collect();
                let tiles: Vec<Tile<f32>> = groups
                    .iter()
                    .map(|&(group, number)| {
                        let mut tile = Tile::new(runner.programs(), 0);
                        let own = group.iter().flat_map(|&word| std::iter::repeat_n(words[word], copies));
                        model.fill_tile(&mut tile, own);
                        tile.first_item = first_item(words[group[0]], number * copies);
                        tile
                    })
                    .collect();
                // Words of different lengths must not share noise.
                let key = NoiseKey { seed: execution.seed, step: length as u64 };
                let results =
                    runner.forward(fitted.parameters(), &tiles, key, |number, values| -> Vec<Vec<f64>> {
                        let gain =
                            |lane| gains.iter().map(|&gain| f64::from(values.get(gain)[lane])).collect();
                        let mut found: Vec<Vec<f64>> = (0..tiles[number].active()).map(gain).collect();
                        if let Some(counts) = counts {
                            let own: Vec<&[Symbol]> =
                                groups[number].0.iter().map(|&word| words[word]).collect();
                            counts.mix(&own, &mut found, fitted.leaves_out());
                        }
                        found
                    });
                for ((group, _), result) in groups.iter().zip(results) {
                    for (&word, own) in group.iter().zip(result.chunks(copies)) {
                        found[word].extend_from_slice(own);
                    }
                }
                progress(members.len() as u64);
            }
        }
        Ok(())
    }
}

/// Where the noise of a word's estimates begins, from a number of them on: at a place that depends on the word's symbols, so that its
/// estimate does not depend on the other words. Two words at the same place share noise, which does no harm.
fn first_item(word: &[Symbol], estimate: usize) -> u32 {
    let hash = word
        .iter()
        .fold(0x811c_9dc5u32, |hash, &symbol| (hash ^ u32::from(symbol)).wrapping_mul(0x0100_0193));
    (hash ^ hash >> 15).wrapping_mul(8).wrapping_add(estimate as u32)
}
