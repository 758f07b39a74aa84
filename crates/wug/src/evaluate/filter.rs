//! `log P(w)` by a particle filter that proposes with q: the bound with many surviving particles.
//!
//! `exp` of a word's estimate is unbiased for `P(w)`, so the estimate itself is too low on average, and less so
//! the more particles there are: a cross entropy computed from it is an upper bound in expectation.

use std::sync::Mutex;

use tilegrad::{Graph, GraphError, NoiseKey, Runner, Tile};

use crate::lexicon::Symbol;
use crate::model::{BoundConfig, Kind, Model, Survivors};

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
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
}

/// The words of a tile: many particles fill the lanes by themselves.
const WORDS: usize = 8;

/// The log-probability of each word, estimated with `particles` particles; exact for the baseline.
///
/// Words are symbols with the end. The result depends on the seed and on each word's place in the list, not on
/// the number of threads.
///
/// # Errors
/// When the graph cannot be recorded.
///
/// # Panics
/// When the system refuses a thread.
pub fn particle_filter(
    model: &Model,
    parameters: &[f32],
    words: &[&[Symbol]],
    particles: usize,
    seed: u64,
    threads: usize,
) -> Result<Vec<f64>, GraphError> {
    let mut lengths: Vec<usize> = words.iter().map(|word| word.len()).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let particles = if model.config().kind == Kind::Gru { 1 } else { particles };
    let bound = BoundConfig { particles, survivors: Survivors::All, ..model.config().bound.clone() };
    let mut results = vec![0.0; words.len()];
    // One length after the other, so that only one program's space is needed at a time.
    for length in lengths {
        let graph = Graph::new(model.params(), particles);
        let log_p = model.log_probability(&graph, length, &bound);
        let program = graph.compile(WORDS, None, &[log_p])?;
        let log_p = log_p.id();
        let mut runner =
            Runner::new(model.params(), vec![program], threads).expect("the system gives threads");
        let members: Vec<usize> = (0..words.len()).filter(|&i| words[i].len() == length).collect();
        let tiles: Vec<Tile<f32>> = members
            .chunks(WORDS)
            .enumerate()
            .map(|(number, members)| {
                let mut tile = Tile::new(runner.programs(), 0);
                model.fill_tile(&mut tile, members.iter().map(|&word| words[word]));
                tile.first_item = (number * WORDS) as u32;
                tile
            })
            .collect();
        let found = Mutex::new(&mut results);
        // Words of different lengths must not share noise.
        let key = NoiseKey { seed, step: length as u64 };
        runner.forward(parameters, &tiles, key, |number, values| {
            let log_p = values.get(log_p);
            let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            for (&word, log_p) in members[number * WORDS..].iter().zip(log_p).take(tiles[number].active()) {
                found[word] = f64::from(*log_p);
            }
        });
    }
    Ok(results)
}
