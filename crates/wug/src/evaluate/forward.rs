//! Running tiles forward and keeping what was read, in the order of the tiles.

use std::sync::{Mutex, PoisonError};

use tilegrad::{NoiseKey, Runner, Tile, Values};

/// Runs all tiles and returns what `read` makes of each one's number and values.
pub(crate) fn forward<R: Send + Default>(
    runner: &mut Runner<f32>,
    parameters: &[f32],
    tiles: &[Tile<f32>],
    key: NoiseKey,
    read: impl Fn(usize, Values<'_, f32>) -> R + Sync,
) -> Vec<R> {
    let results: Vec<Mutex<R>> = tiles.iter().map(|_| Mutex::default()).collect();
    runner.forward(parameters, tiles, key, |number, values| {
        *results[number].lock().unwrap_or_else(PoisonError::into_inner) = read(number, values);
    });
    results.into_iter().map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}
