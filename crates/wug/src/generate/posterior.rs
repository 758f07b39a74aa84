//! The noise that a given word may have come from.
//!
//! Particles of the posterior are proposed by q and weighted, as for the word's probability; a whole trajectory of
//! noise is then drawn by weight, one from each independent filter, since the particles of one filter share ancestors.

use tilegrad::{Graph, NoiseKey, Tile};

use super::SampleError;
use crate::Execution;
use crate::lexicon::Symbol;
use crate::model::Fitted;
use crate::random::categorical;
use crate::random::streams::{self, Making};

/// Filters that run at once: they fill the lanes.
const FILTERS: usize = 8;
/// Particles of a filter.
const PARTICLES: usize = 256;

/// Draws `count` trajectories of the states' noise from the posterior of a word (symbols with the end): each `T` times the numbers of noise of a step, step after
/// step. Noise of the generative model, so that `h_t = F_g(h_{t−1}, ξ_t)` runs through the states again. In an exact model
/// the states have none, and the trajectories are empty.
///
/// # Errors
/// When the model cannot be recorded, or the system refuses a thread.
pub(crate) fn noise_of(
    fitted: Fitted<'_>,
    word: &[Symbol],
    count: usize,
    Execution { seed, threads }: Execution,
) -> Result<Vec<Vec<f32>>, SampleError> {
    let model = fitted.model();
    let graph = Graph::new(model.params(), PARTICLES);
    let Some(posterior) = model.posterior_noise(&graph, word.len()) else {
        return Ok(vec![Vec::new(); count]);
    };
    let program = graph.compile(FILTERS, None, &[posterior.noise, posterior.log_weights])?;
    let (noise, log_weights) = (posterior.noise.id(), posterior.log_weights.id());
    let mut runner = model.runner(vec![program], threads)?;
    let tiles: Vec<Tile<f32>> = (0..count.div_ceil(FILTERS))
        .map(|number| {
            let mut tile = Tile::new(runner.programs(), 0);
            model.fill_tile(&mut tile, std::iter::repeat_n(word, FILTERS));
            tile.first_item = (number * FILTERS) as u32;
            tile
        })
        .collect();
    // Words of different lengths must not share noise.
    let key = NoiseKey { seed, step: Making::Posterior.step(word.len() as u64, 0) };
    let uniform = tilegrad::noise::Noise::new(seed);
    let found = runner.forward(fitted.parameters(), &tiles, key, |number, values| {
        let (noise, log_weights) = (values.get(noise), values.get(log_weights));
        let row = PARTICLES * FILTERS;
        (0..FILTERS)
            .map(|filter| {
                let item = (number * FILTERS + filter) as u32;
                let [u, _] = uniform.uniform_f64(streams::PARTICLE, key.step, item, 0);
                let log_weight = |particle: usize| f64::from(log_weights[particle * FILTERS + filter]);
                let particle = categorical(PARTICLES, log_weight, u);
                noise[particle * FILTERS + filter..].iter().step_by(row).copied().collect()
            })
            .collect::<Vec<Vec<f32>>>()
    });
    Ok(found.into_iter().flatten().take(count).collect())
}

#[cfg(test)]
mod tests;
