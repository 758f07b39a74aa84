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
use tilegrad::{Graph, Lanes, NoiseKey, Runner, Tile, Values, VarId};

use super::trajectories::draw_symbol;
use super::{Estimate, EvaluateError, Spread};
use crate::generate::steps::initial_state;
use crate::lexicon::{END, Symbol};
use crate::model::Fitted;
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
    let mut walk = Walk::new(fitted, settings, threads)?;
    let found: Vec<_> = (1..=settings.positions).map(|position| walk.step(position)).collect();
    Ok(Information::of(settings, &found))
}

/// Trajectories of states, and the programs of a step from them with some noise vectors for each.
struct Walk<'a> {
    fitted: Fitted<'a>,
    settings: InformationSettings,
    runner: Runner<f32>,
    first: First,
    /// State and next state of the second half of a step, if the symbol decides the state.
    second: Option<[VarId; 2]>,
    states: Vec<Vec<f32>>,
    last: Vec<Symbol>,
}

/// The variables of the first half of a step.
#[derive(Clone, Copy)]
struct First {
    state: VarId,
    logits: VarId,
    /// Distributions over symbols for each state: one for each noise vector, if noise moves the state.
    draws: usize,
    next: Option<VarId>,
}

impl<'a> Walk<'a> {
    fn new(fitted: Fitted<'a>, settings: InformationSettings, threads: usize) -> Result<Self, EvaluateError> {
        let model = fitted.model();
        let start = initial_state(fitted)?;
        let graph = Graph::new(model.params(), settings.noise * settings.repeats);
        let state = graph.data(start.len(), Lanes::Word);
        let normal = |size| graph.normal(streams::STATE, size, Lanes::Particle);
        let look = model.look(&graph, state, graph.symbols(), normal);
        let draws = if look.logits.shape().lanes == Lanes::Particle { graph.particles() } else { 1 };
        let next = look.next.map(|next| next.id());
        let first = First { state: state.id(), logits: look.logits.id(), draws, next };
        let outputs: Vec<_> = look.next.into_iter().chain([look.logits]).collect();
        let mut programs = vec![graph.compile(STATES, None, &outputs)?];
        let graph = Graph::new(model.params(), 1);
        let state = graph.data(start.len(), Lanes::Word);
        let second = match model.advance(&graph, state, graph.symbols()) {
            Some(next) => {
                programs.push(graph.compile(STATES, None, &[next])?);
                Some([state.id(), next.id()])
            }
            None => None,
        };
        let runner = model.runner(programs, threads)?;
        let (states, last) = (vec![start; settings.states], vec![END; settings.states]);
        Ok(Self { fitted, settings, runner, first, second, states, last })
    }

    /// Information of all states, which then go on.
    fn step(&mut self, position: usize) -> Vec<StateInformation> {
        let (settings, first) = (self.settings, self.first);
        let symbols = self.fitted.model().symbols();
        let picks_symbols = self.fitted.model().noise().picks_symbols;
        let tiles = self.tiles(0, first.state);
        let key = NoiseKey { seed: settings.seed, step: position as u64 };
        let read = |number: usize, values: Values<'_, f32>| -> Vec<(StateInformation, Vec<f32>, Symbol)> {
            let logits = values.get(first.logits);
            let lanes = STATES * first.draws;
            let own = (0..tiles[number].active()).map(|lane| {
                let logit =
                    |draw: usize, symbol: usize| f64::from(logits[symbol * lanes + draw * STATES + lane]);
                if picks_symbols {
                    let trajectory = (settings.seed, (number * STATES + lane) as u64);
                    let drawn = draw_symbol(symbols, |symbol| logit(0, symbol), trajectory, position - 1);
                    return (
                        choice_information(symbols, |symbol| logit(0, symbol), drawn),
                        Vec::new(),
                        drawn,
                    );
                }
                // The first noise vector leads on: its state is one that the prior reaches.
                let next = first.next.map(|next| values.get(next)).into_iter();
                let next = next.flat_map(|next| next[lane..].iter().step_by(lanes)).copied().collect();
                (state_information(symbols, settings, logit), next, END)
            });
            own.collect()
        };
        let found = self.runner.forward(self.fitted.parameters(), &tiles, key, read).concat();
        self.last = found.iter().map(|(_, _, drawn)| *drawn).collect();
        let (information, next) = found.into_iter().map(|(own, next, _)| (own, next)).unzip();
        self.states = match self.second {
            Some(second) => self.advance(second),
            None => next,
        };
        information
    }

    /// The states after the symbols that were drawn.
    fn advance(&mut self, [state, next]: [VarId; 2]) -> Vec<Vec<f32>> {
        let tiles = self.tiles(1, state);
        // The second half takes no noise.
        let key = NoiseKey { seed: 0, step: 0 };
        let read = |number: usize, values: Values<'_, f32>| -> Vec<Vec<f32>> {
            let lane = |lane: usize| values.get(next)[lane..].iter().step_by(STATES).copied().collect();
            (0..tiles[number].active()).map(lane).collect()
        };
        self.runner.forward(self.fitted.parameters(), &tiles, key, read).concat()
    }

    /// The states and the symbols seen last, for one of the programs.
    fn tiles(&self, program: usize, state: VarId) -> Vec<Tile<f32>> {
        let programs = self.runner.programs();
        let tile = |(number, (states, last)): (usize, (&[Vec<f32>], &[Symbol]))| {
            let mut tile = Tile::new(programs, program);
            for (lane, (own, &last)) in states.iter().zip(last).enumerate() {
                tile.set_data(&programs[program], state, lane, own);
                tile.symbol_row_mut(0)[lane] = last.into();
            }
            tile.set_active(states.len());
            tile.first_item = (number * STATES) as u32;
            tile
        };
        self.states.chunks(STATES).zip(self.last.chunks(STATES)).enumerate().map(tile).collect()
    }
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

/// Noise that picks the symbol decides everything about it.
fn choice_information(symbols: usize, logit: impl Fn(usize) -> f64, drawn: Symbol) -> StateInformation {
    let mut p = vec![0.0; symbols];
    softmax(&mut p, logit);
    let entropy = entropy(&p);
    StateInformation {
        information: entropy,
        limit: entropy,
        symbol_entropy: 0.0,
        end: f64::from(u8::from(drawn == END)),
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
