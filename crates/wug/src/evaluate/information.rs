//! How much the noise decides: `I(t) = I(w_t; ξ_t | h_{t−1})` and the symbolic entropy `H[w_t | h_t]`, in bits.
//!
//! For each state that the prior reaches, some noise vectors ξ_j give states and distributions P_j over symbols. Then
//! `I = H[mean_j P_j] − mean_j H[P_j]` and `H[w_t | h_t] = mean_j H[P_j]`. The entropy of the mean of few distributions
//! is too small on average, hence I too; [`Information::bias`] says by how much.
//!
//! In exact models the noise does nothing but pick the symbol: `H[w_t | h_t] = 0` once it is known, and `I(t) = H[π(h_{t−1})]`, which is
//! computed from the probabilities. Twenty draws of one-hot distributions would only say how many symbols twenty draws can show.
//!
//! States go on past the end of a word: at position t all trajectories count, as in the paper, whether or not their words have ended.
//! [`Information::living_information`] leaves ended words out. A trajectory counts with the probability that its word goes on,
//! `Π_{s<t} (1 − P(end | h_s))`.

use serde::{Deserialize, Serialize};
use tilegrad::{Graph, Lanes, NoiseKey, Tile, Values};

use super::sampled_states::{Sampled, SampledStates};
use super::{Estimate, EvaluateError, Spread};
use crate::Execution;
use crate::generate::steps::{LANES, Steps};
use crate::lexicon::END;
use crate::model::{Fitted, Generative};
use crate::random::streams;

/// States in a tile.
const STATES: usize = 8;

/// How information is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// Information at one position, over states.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PositionInformation {
    /// t, from 1 on.
    pub position: usize,
    /// `I(t)` in bits.
    pub information: Spread,
    /// `H[w_t | h_t]` in bits.
    pub symbol_entropy: Spread,
}

/// Information at all positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Information {
    /// How it was estimated.
    pub settings: InformationSettings,
    /// `Ī`, the mean of `I(t)` over the positions, in bits.
    pub mean_information: f64,
    /// The standard error of `Ī`, from the spread of the trajectories' own means; none from a single trajectory.
    pub information_error: Option<f64>,
    /// `Ī` of living words: the mean over the positions of the mean of `I(t)` over words that have not ended before t; none if no word lives
    /// to the last position.
    pub living_information: Option<f64>,
    /// The mean of `H[w_t | h_t]` over the positions, in bits.
    pub mean_symbol_entropy: f64,
    /// What `Ī` is off by on average because of the small number of noise vectors, as far as the noise of all repeats
    /// together shows it; none without repeats.
    pub bias: Option<f64>,
    /// The same for `Ī` of living words.
    #[serde(default)]
    pub living_bias: Option<f64>,
    /// Position by position.
    pub positions: Vec<PositionInformation>,
}

/// Information of one state: by its repeats, by all their noise, the symbolic entropy, and whether the word ends.
#[derive(Clone, Copy, Default)]
struct StateInformation {
    information: f64,
    limit: f64,
    symbol_entropy: f64,
    /// `P(end | h_t)` after the first noise vector.
    end: f64,
}

/// Estimates how much the noise of a model decides.
///
/// # Errors
/// When the graph cannot be recorded, or the system refuses a thread.
pub fn information(
    fitted: Fitted<'_>,
    settings: InformationSettings,
    threads: usize,
) -> Result<Information, EvaluateError> {
    let found = match fitted.model().state_space() {
        Some(parts) => of_states(fitted, &parts.generative, settings, threads)?,
        None => of_choices(fitted, settings, threads)?,
    };
    Ok(Information::of(settings, &found))
}

/// The information of exact models, position by position: the entropy of the next symbol along sampled words.
fn of_choices(
    fitted: Fitted<'_>,
    settings: InformationSettings,
    threads: usize,
) -> Result<Vec<Vec<StateInformation>>, EvaluateError> {
    let mut source = SampledStates::new(fitted, Execution { seed: settings.seed, threads })?;
    let firsts = (0..settings.states as u64).step_by(LANES);
    let groups = source.run(firsts, settings.positions);
    let mut p = vec![0.0; fitted.model().symbols()];
    let mut state = |group: &Sampled, position: usize, lane: usize| {
        softmax(&mut p, |symbol| f64::from(group.logits[position][symbol * LANES + lane]));
        let entropy = entropy(&p);
        let end = f64::from(u8::from(group.drawn[position][lane] == END));
        StateInformation { information: entropy, limit: entropy, symbol_entropy: 0.0, end }
    };
    let lanes = (0..settings.states).map(|state| (state / LANES, state % LANES));
    Ok((0..settings.positions)
        .map(|position| lanes.clone().map(|(group, lane)| state(&groups[group], position, lane)).collect())
        .collect())
}

/// The information of the paper's model, position by position.
fn of_states(
    fitted: Fitted<'_>,
    generative: &Generative,
    settings: InformationSettings,
    threads: usize,
) -> Result<Vec<Vec<StateInformation>>, EvaluateError> {
    let model = fitted.model();
    let (size, symbols) = (generative.state_size(), model.symbols());
    let noise = settings.noise * settings.repeats;
    let graph = Graph::new(model.params(), noise);
    let state = graph.data(size, Lanes::Word);
    let draws = graph.normal(streams::STATE, size, Lanes::Particle);
    let next = generative.transition(&graph, state).forward(draws).value;
    let logits = generative.emission().logits(&graph, next);
    let program = graph.compile(STATES, None, &[next, logits])?;
    let (state, next, logits) = (state.id(), next.id(), logits.id());
    let mut runner = model.runner(vec![program], threads)?;
    let mut states: Vec<Vec<f32>> = vec![Steps::new(fitted, 1)?.initial_state().to_vec(); settings.states];
    let mut positions = Vec::new();
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
                let information = state_information(symbols, settings, logit);
                // The first noise vector leads on: its state is one that the prior reaches.
                (information, (0..size).map(|row| next[row * lanes + lane]).collect())
            });
            own.collect()
        };
        let found = runner.forward(fitted.parameters(), &tiles, key, read).concat();
        let (information, next) = found.into_iter().unzip();
        positions.push(information);
        states = next;
    }
    Ok(positions)
}

impl Information {
    /// Means over the states of each position.
    fn of(settings: InformationSettings, found: &[Vec<StateInformation>]) -> Self {
        let mut excess = 0.0;
        // Of each trajectory, the sum of its information so far and the probability that its word has not ended.
        let mut trajectories = vec![(0.0, 1.0); settings.states];
        let (mut living, mut living_excess) = (0.0, 0.0);
        let mut positions = Vec::new();
        for (position, found) in (1..).zip(found) {
            let spread = |number: fn(&StateInformation) -> f64| {
                Spread::of(&found.iter().map(number).collect::<Vec<f64>>())
            };
            excess += spread(|own| own.information - own.limit).mean;
            let (mut sum, mut sum_excess, mut alive) = (0.0, 0.0, 0.0);
            for ((total, survival), own) in trajectories.iter_mut().zip(found) {
                *total += own.information;
                sum += *survival * own.information;
                sum_excess += *survival * (own.information - own.limit);
                alive += *survival;
                *survival *= 1.0 - own.end;
            }
            living += sum / alive;
            living_excess += sum_excess / alive;
            positions.push(PositionInformation {
                position,
                information: spread(|own| own.information),
                symbol_entropy: spread(|own| own.symbol_entropy),
            });
        }
        let count = settings.positions as f64;
        let mean =
            |number: fn(&PositionInformation) -> f64| positions.iter().map(number).sum::<f64>() / count;
        Self {
            settings,
            mean_information: mean(|own| own.information.mean),
            information_error: (settings.states > 1).then(|| {
                let means: Vec<f64> = trajectories.iter().map(|(total, _)| total / count).collect();
                Estimate::of(&means).error
            }),
            living_information: Some(living / count).filter(|living| living.is_finite()),
            mean_symbol_entropy: mean(|own| own.symbol_entropy.mean),
            bias: (settings.repeats > 1).then_some(excess / count),
            living_bias: Some(living_excess / count).filter(|own| settings.repeats > 1 && own.is_finite()),
            positions,
        }
    }
}

/// `logit(draw, symbol)` of one state's noise vectors, all repeats one after the other.
fn state_information(
    symbols: usize,
    settings: InformationSettings,
    logit: impl Fn(usize, usize) -> f64,
) -> StateInformation {
    let mut result = StateInformation::default();
    let [mut overall, mut mixture, mut p] = [(); 3].map(|()| vec![0.0; symbols]);
    for repeat in 0..settings.repeats {
        mixture.fill(0.0);
        let mut conditional = 0.0;
        for draw in repeat * settings.noise..(repeat + 1) * settings.noise {
            softmax(&mut p, |symbol| logit(draw, symbol));
            if draw == 0 {
                result.end = p[usize::from(END)];
            }
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

/// Into `p`. Reports of a short training with many particles spend four tenths of its time here and in [`entropy`].
fn softmax(p: &mut [f64], logit: impl Fn(usize) -> f64) {
    let mut largest = f64::NEG_INFINITY;
    for (symbol, p) in p.iter_mut().enumerate() {
        *p = logit(symbol);
        // Not `f64::max`, which is six instructions without AVX.
        largest = if *p > largest { *p } else { largest };
    }
    p.iter_mut().for_each(|p| *p = (*p - largest).exp());
    let total: f64 = p.iter().sum();
    p.iter_mut().for_each(|p| *p /= total);
}

/// In bits.
fn entropy(p: &[f64]) -> f64 {
    p.iter().filter(|&&p| p > 0.0).map(|p| -p * p.log2()).sum()
}
