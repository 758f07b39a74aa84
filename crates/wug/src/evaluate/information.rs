//! How much the noise decides: `I(t) = I(w_t; ξ_t | h_{t−1})` and the symbolic entropy `H[w_t | h_t]`, in bits.
//!
//! For each state that the prior reaches, some noise vectors ξ_j give states and distributions P_j over symbols. Then
//! `I = H[mean_j P_j] − mean_j H[P_j]` and `H[w_t | h_t] = mean_j H[P_j]`. The entropy of the mean of few distributions
//! is too small on average, hence I too; [`Information::bias`] says by how much.
//!
//! In the choice flow with hard edges the noise decides the symbol alone: `H[w_t | h_t] = 0` and `I(t) = H[π(h_{t−1})]`, which is computed
//! exactly. Twenty draws of one-hot distributions would only say how many symbols twenty draws can show.

use serde::Serialize;
use tilegrad::{Graph, Lanes, NoiseKey, Tile, Values};

use super::EvaluateError;
use crate::model::{Fitted, Generative};
use crate::random::streams;

/// States in a tile.
const STATES: usize = 8;

/// How information is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct InformationSettings {
    /// Positions t = 1, 2, …
    pub positions: usize,
    /// States at each position.
    pub states: usize,
    /// Noise vectors for each estimate.
    pub noise: usize,
    /// Estimates for each state. With more than one, all their noise together shows the bias of one.
    pub repeats: usize,
    /// Seed of the noise.
    pub seed: u64,
}

impl Default for InformationSettings {
    /// The paper's ten positions and 20 noise vectors.
    fn default() -> Self {
        Self { positions: 10, states: 1000, noise: 20, repeats: 1, seed: 1 }
    }
}

/// What a box plot shows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The smallest number within 1.5 interquartile ranges of the box.
    pub lower_whisker: f64,
    /// A quarter is below.
    pub lower_quartile: f64,
    /// Half is below.
    pub median: f64,
    /// Three quarters are below.
    pub upper_quartile: f64,
    /// The largest number within 1.5 interquartile ranges of the box.
    pub upper_whisker: f64,
}

impl Spread {
    /// The spread of some numbers; NaN if there are none. Quartiles are interpolated linearly.
    pub fn of(numbers: &[f64]) -> Self {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let quantile = |share: f64| {
            let place = share * sorted.len().saturating_sub(1) as f64;
            let (low, high) = (place.floor() as usize, place.ceil() as usize);
            let at = |index: usize| sorted.get(index).copied().unwrap_or(f64::NAN);
            at(low) + (at(high) - at(low)) * place.fract()
        };
        let [lower_quartile, median, upper_quartile] = [0.25, 0.5, 0.75].map(quantile);
        let reach = 1.5 * (upper_quartile - lower_quartile);
        let within = |&number: &f64| number >= lower_quartile - reach && number <= upper_quartile + reach;
        Self {
            mean: numbers.iter().sum::<f64>() / numbers.len() as f64,
            lower_whisker: sorted.iter().copied().find(within).unwrap_or(f64::NAN),
            lower_quartile,
            median,
            upper_quartile,
            upper_whisker: sorted.iter().rev().copied().find(within).unwrap_or(f64::NAN),
        }
    }
}

/// Information at one position, over states.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PositionInformation {
    /// t, from 1 on.
    pub position: usize,
    /// `I(t)` in bits.
    pub information: Spread,
    /// `H[w_t | h_t]` in bits.
    pub symbol_entropy: Spread,
}

/// Information at all positions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Information {
    /// How it was estimated.
    pub settings: InformationSettings,
    /// `Ī`, the mean of `I(t)` over the positions, in bits.
    pub mean_information: f64,
    /// The mean of `H[w_t | h_t]` over the positions, in bits.
    pub mean_symbol_entropy: f64,
    /// What `Ī` is off by on average because of the small number of noise vectors, as far as the noise of all repeats
    /// together shows it; none without repeats.
    pub bias: Option<f64>,
    /// Position by position.
    pub positions: Vec<PositionInformation>,
}

/// Information of one state: by its repeats, by all their noise, and the symbolic entropy.
#[derive(Clone, Copy, Default)]
struct StateInformation {
    information: f64,
    limit: f64,
    symbol_entropy: f64,
}

/// Estimates the information of a model's generative part.
///
/// # Errors
/// When the graph cannot be recorded, or the system refuses a thread.
pub fn information(
    fitted: Fitted<'_>,
    generative: &Generative,
    settings: InformationSettings,
    threads: usize,
) -> Result<Information, EvaluateError> {
    let model = fitted.model();
    let (size, symbols) = (generative.state_size(), model.symbols());
    let choice = generative.choice().filter(|choice| choice.order().softness() == 0.0);
    let noise = if choice.is_some() { 1 } else { settings.noise * settings.repeats };
    let graph = Graph::new(model.params(), noise);
    let state = graph.data(size, Lanes::Word);
    let draws = graph.normal(streams::STATE, generative.noise_size(), Lanes::Particle);
    let next = generative.transition(&graph, state).forward(draws).value;
    let logits = match choice {
        Some(choice) => choice.logits(&graph, state),
        None => generative.emission().logits(&graph, next),
    };
    let program = graph.compile(STATES, None, &[next, logits])?;
    let (state, next, logits) = (state.id(), next.id(), logits.id());
    let mut runner = model.runner(vec![program], threads)?;
    let mut states: Vec<Vec<f32>> = vec![fitted.initial_state().to_vec(); settings.states];
    let mut positions = Vec::new();
    let mut excess = 0.0;
    for position in 1..=settings.positions {
        let tiles: Vec<Tile<f32>> = states
            .chunks(STATES)
            .enumerate()
            .map(|(number, states)| {
                let mut tile = Tile::new(runner.programs(), 0);
                for (lane, own) in states.iter().enumerate() {
                    tile.set_data(&runner.programs()[0], state, lane, own);
                }
                tile.set_active(states.len());
                tile.first_item = (number * STATES) as u32;
                tile
            })
            .collect();
        let key = NoiseKey { seed: settings.seed, step: position as u64 };
        let read = |number: usize, values: Values<'_, f32>| -> Vec<(StateInformation, Vec<f32>)> {
            let (next, logits) = (values.get(next), values.get(logits));
            let lanes = STATES * noise;
            let own = (0..tiles[number].active()).map(|lane| {
                let logit =
                    |draw: usize, symbol: usize| f64::from(logits[symbol * lanes + draw * STATES + lane]);
                let information = if choice.is_some() {
                    let entropy = entropy(&softmax(symbols, |symbol| logit(0, symbol)));
                    StateInformation { information: entropy, limit: entropy, symbol_entropy: 0.0 }
                } else {
                    state_information(symbols, settings, logit)
                };
                // The first noise vector leads on: its state is one that the prior reaches.
                (information, (0..size).map(|row| next[row * lanes + lane]).collect())
            });
            own.collect()
        };
        let found = runner.forward(fitted.parameters(), &tiles, key, read).concat();
        let spread = |number: fn(&StateInformation) -> f64| {
            Spread::of(&found.iter().map(|(own, _)| number(own)).collect::<Vec<f64>>())
        };
        excess += spread(|own| own.information - own.limit).mean;
        positions.push(PositionInformation {
            position,
            information: spread(|own| own.information),
            symbol_entropy: spread(|own| own.symbol_entropy),
        });
        states = found.into_iter().map(|(_, state)| state).collect();
    }
    let count = settings.positions as f64;
    let mean = |number: fn(&PositionInformation) -> f64| positions.iter().map(number).sum::<f64>() / count;
    Ok(Information {
        settings,
        mean_information: mean(|own| own.information.mean),
        mean_symbol_entropy: mean(|own| own.symbol_entropy.mean),
        bias: (settings.repeats > 1).then_some(excess / count),
        positions,
    })
}

/// `logit(draw, symbol)` of one state's noise vectors, all repeats one after the other.
fn state_information(
    symbols: usize,
    settings: InformationSettings,
    logit: impl Fn(usize, usize) -> f64,
) -> StateInformation {
    let mut result = StateInformation::default();
    let mut overall = vec![0.0; symbols];
    for repeat in 0..settings.repeats {
        let mut mixture = vec![0.0; symbols];
        let mut conditional = 0.0;
        for draw in repeat * settings.noise..(repeat + 1) * settings.noise {
            let p = softmax(symbols, |symbol| logit(draw, symbol));
            conditional += entropy(&p);
            mixture.iter_mut().zip(&p).for_each(|(sum, p)| *sum += p / settings.noise as f64);
        }
        conditional /= settings.noise as f64;
        result.information += (entropy(&mixture) - conditional) / settings.repeats as f64;
        result.symbol_entropy += conditional / settings.repeats as f64;
        overall.iter_mut().zip(&mixture).for_each(|(sum, p)| *sum += p / settings.repeats as f64);
    }
    result.limit = entropy(&overall) - result.symbol_entropy;
    result
}

fn softmax(symbols: usize, logit: impl Fn(usize) -> f64) -> Vec<f64> {
    let largest = (0..symbols).map(&logit).fold(f64::NEG_INFINITY, f64::max);
    let mut p: Vec<f64> = (0..symbols).map(|symbol| (logit(symbol) - largest).exp()).collect();
    let total: f64 = p.iter().sum();
    p.iter_mut().for_each(|p| *p /= total);
    p
}

/// In bits.
fn entropy(p: &[f64]) -> f64 {
    p.iter().filter(|&&p| p > 0.0).map(|p| -p * p.log2()).sum()
}
