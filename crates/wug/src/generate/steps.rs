//! One step of a model for a tile of words, in two halves: [`Stepper::look`] gives what each lane's next symbol is drawn from,
//! [`Stepper::take`] completes the state with the symbol that was drawn.
//!
//! Everything that makes words is a loop around these two. Lanes are independent of each other, so a word that has
//! ended makes room for the next one at once.

use tilegrad::{Graph, Lanes, NoiseKey, Program, Runner, Tile, VarId, Worker};

use super::SampleError;
use super::recent::Recent;
use super::symbol_weights::{SymbolChoice, SymbolWeights};
use crate::counts::ListCounts;
use crate::lexicon::{END, Symbol};
use crate::model::{Fitted, Model, NoiseShape};
use crate::random::streams;

/// Words that take a step together: their hidden layer still fits the first-level cache.
pub(crate) const LANES: usize = 64;

/// The recorded step, and threads to run it on.
pub(crate) struct Steps<'m> {
    fitted: Fitted<'m>,
    counts: Option<&'m ListCounts>,
    runner: Runner<f32>,
    places: Places,
    initial_state: Vec<f32>,
}

/// Where the step's inputs and outputs are.
struct Places {
    state: VarId,
    /// Numbers of the state that programs know; behind them are the word's last symbols, if the model is mixed with counts.
    size: usize,
    /// Mean and scale of the noise of the states; there is none if symbols decide them.
    noise: Option<[VarId; 2]>,
    logits: VarId,
    uniform: VarId,
    next: Next,
}

/// Where the next state comes from.
enum Next {
    /// The first half, which makes it from noise.
    First(VarId),
    /// The second half, from the state and the symbol.
    Second { state: VarId, next: VarId },
}

/// The programs of the two halves, and that of the initial state, which is run once.
const FIRST: usize = 0;
const SECOND: usize = 1;

/// What each lane's next symbol is drawn from.
pub(crate) struct Look<'a> {
    /// A row of [`LANES`] numbers for each symbol.
    pub(crate) logits: &'a [f32],
    /// A number in (0, 1) for each lane, to draw the symbol with.
    pub(crate) uniform: &'a [f32],
}

impl Look<'_> {
    /// The probabilities of a lane's symbols, in this order.
    pub(crate) fn probabilities(&self, lane: usize, order: &[Symbol]) -> Vec<f64> {
        let logits = order.iter().map(|&symbol| f64::from(self.logits[usize::from(symbol) * LANES + lane]));
        let largest = logits.clone().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logits.map(|logit| (logit - largest).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / total).collect()
    }
}

impl<'m> Steps<'m> {
    /// Records the step.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub(crate) fn new(fitted: Fitted<'m>, threads: usize) -> Result<Self, SampleError> {
        let model = fitted.model();
        let counts = fitted.counts()?;
        let mut initial_state = initial_state(fitted)?;
        let size = initial_state.len();
        let graph = Graph::new(model.params(), 1);
        let data = |rows| graph.data(rows, Lanes::Word);
        let state = data(size);
        let uniform = graph.uniform(streams::SYMBOL, 1, Lanes::Word);
        let mut noise = None;
        let look = model.look(&graph, state, graph.symbols(), |size| {
            let [mean, scale] = [(); 2].map(|()| data(size));
            noise = Some([mean.id(), scale.id()]);
            scale.mul_add(graph.normal(streams::STATE, size, Lanes::Word), mean)
        });
        let outputs: Vec<_> = [look.logits, uniform].into_iter().chain(look.next).collect();
        let mut programs = vec![graph.compile(LANES, None, &outputs)?];
        let next = match look.next {
            Some(next) => Next::First(next.id()),
            None => {
                let graph = Graph::new(model.params(), 1);
                let state = graph.data(size, Lanes::Word);
                let next = model.advance(&graph, state, graph.symbols()).unwrap_or(state);
                programs.push(graph.compile(LANES, None, &[next])?);
                Next::Second { state: state.id(), next: next.id() }
            }
        };
        let (logits, uniform) = (look.logits.id(), uniform.id());
        let places = Places { state: state.id(), size, noise, logits, uniform, next };
        initial_state.extend(counts.into_iter().flat_map(Recent::initial_state));
        Ok(Self { fitted, counts, runner: model.runner(programs, threads)?, places, initial_state })
    }

    /// The state before the first symbol.
    pub(crate) fn initial_state(&self) -> &[f32] {
        &self.initial_state
    }

    /// The model.
    pub(crate) fn fitted(&self) -> Fitted<'m> {
        self.fitted
    }

    /// Calls `work` for every item with a [`Stepper`] of its own; returns the results in order.
    pub(crate) fn map<I: Send, R: Send>(
        &mut self,
        items: impl IntoIterator<Item = I>,
        work: impl Fn(I, &mut Stepper<'_, '_>) -> R + Sync,
    ) -> Vec<R> {
        let Self { fitted, counts, runner, places, initial_state } = self;
        let noise = fitted.model().noise();
        runner.map(fitted.parameters(), items, |item, worker| {
            let tile = Tile::new(worker.programs(), FIRST);
            let has_second = matches!(places.next, Next::Second { .. });
            let second = has_second.then(|| Tile::new(worker.programs(), SECOND));
            let next = vec![0.0; places.size * LANES];
            let model = fitted.model();
            let recent = counts.map(Recent::new);
            work(
                item,
                &mut Stepper { worker, model, tile, second, places, noise, initial_state, next, recent },
            )
        })
    }
}

/// The state before the first symbol.
pub(crate) fn initial_state(fitted: Fitted<'_>) -> Result<Vec<f32>, SampleError> {
    const WORDS: usize = 8;
    let model = fitted.model();
    let graph = Graph::new(model.params(), 1);
    let start = model.start(&graph, graph.symbols());
    let program = graph.compile(WORDS, None, &[start])?;
    let start = start.id();
    let mut runner = model.runner(vec![program], 1)?;
    let mut tile = Tile::new(runner.programs(), 0);
    tile.symbol_row_mut(0).fill(END.into());
    let key = NoiseKey { seed: 0, step: 0 };
    let found = runner.forward(fitted.parameters(), &[tile], key, |_, values| {
        values.get(start).iter().step_by(WORDS).copied().collect()
    });
    Ok(found.into_iter().next().unwrap_or_default())
}

/// Words on their way, one in each lane.
pub(crate) struct Stepper<'a, 'w> {
    worker: &'a mut Worker<'w, f32>,
    model: &'a Model,
    tile: Tile<f32>,
    /// The tile of the second half, if it has a program.
    second: Option<Tile<f32>>,
    places: &'a Places,
    noise: NoiseShape,
    initial_state: &'a [f32],
    next: Vec<f32>,
    /// The last symbols of the words, if the model is mixed with counts.
    recent: Option<Recent<'a>>,
}

impl<'a> Stepper<'a, '_> {
    /// Numbers of a state.
    pub(crate) fn state_size(&self) -> usize {
        self.initial_state.len()
    }

    /// What a step's noise consists of.
    pub(crate) fn noise(&self) -> NoiseShape {
        self.noise
    }

    /// Weights of the symbols, to be drawn from.
    pub(crate) fn weights(&self, choice: SymbolChoice) -> SymbolWeights<'a> {
        SymbolWeights::new(choice, self.noise.picks_symbols.then(|| self.model.cells()))
    }

    /// Puts a word that has not begun into a lane.
    pub(crate) fn begin(&mut self, lane: usize) {
        self.resume(lane, self.initial_state, END);
    }

    /// Puts a word on its way into a lane: its state, and its last symbol.
    pub(crate) fn resume(&mut self, lane: usize, state: &[f32], last: Symbol) {
        set(&mut self.tile, &self.worker.programs()[FIRST], self.places.state, lane, |row| state[row]);
        if let Some(recent) = &mut self.recent {
            recent.resume(lane, &state[self.places.size..]);
        }
        self.tile.symbol_row_mut(0)[lane] = u32::from(last);
    }

    /// Sets the law of a lane's noise, `scale · (mean + deviation ε)`; no mean is zero. The number that chooses the symbol is
    /// not among it: its law restricts the symbols' weights.
    pub(crate) fn set_noise(&mut self, lane: usize, (mean, deviation): (Option<&[f32]>, f32), scale: f32) {
        let Some([means, scales]) = self.places.noise else { return };
        let (tile, program) = (&mut self.tile, &self.worker.programs()[FIRST]);
        set(tile, program, means, lane, |row| mean.map_or(0.0, |mean| scale * mean[row]));
        set(tile, program, scales, lane, |_| scale * deviation);
    }

    /// The first half of a step: `draw` sees what all lanes' next symbols are drawn from. Lane i draws the noise of
    /// item `first + i`.
    pub(crate) fn look<R>(&mut self, key: NoiseKey, first: u32, draw: impl FnOnce(Look<'_>) -> R) -> R {
        let Self { worker, tile, places, next, recent, .. } = self;
        tile.first_item = first;
        worker.forward(tile, key, |values| {
            if let Next::First(var) = places.next {
                next.copy_from_slice(values.get(var));
            }
            let logits = values.get(places.logits);
            let logits = recent.as_mut().map_or(logits, |recent| recent.mix(logits));
            draw(Look { logits, uniform: values.get(places.uniform) })
        })
    }

    /// The second half: each lane goes on with the symbol that was drawn for it.
    pub(crate) fn take(&mut self, drawn: &[Symbol; LANES]) {
        let Self { worker, tile, second, places, next, recent, .. } = self;
        if let Some(recent) = recent {
            recent.take(drawn);
        }
        if let (Next::Second { state, next: var }, Some(second)) = (&places.next, second) {
            let programs = worker.programs();
            let now = tile.data_mut(&programs[FIRST], places.state);
            second.data_mut(&programs[SECOND], *state).copy_from_slice(now);
            let symbols = second.symbol_row_mut(0);
            symbols.iter_mut().zip(drawn).for_each(|(symbol, &drawn)| *symbol = drawn.into());
            tile.symbol_row_mut(0).copy_from_slice(symbols);
            // The second half takes no noise.
            worker.forward(second, NoiseKey { seed: 0, step: 0 }, |values| {
                next.copy_from_slice(values.get(*var));
            });
        }
        tile.data_mut(&worker.programs()[FIRST], places.state).copy_from_slice(next);
    }

    /// The state in a lane after a step.
    pub(crate) fn state(&self, lane: usize) -> impl Iterator<Item = f32> {
        let recent = self.recent.iter().flat_map(move |recent| recent.state(lane));
        self.next[lane..].iter().step_by(LANES).copied().chain(recent)
    }
}

/// Sets the rows of a variable in one lane.
fn set(tile: &mut Tile<f32>, program: &Program<f32>, var: VarId, lane: usize, value: impl Fn(usize) -> f32) {
    let rows = tile.data_mut(program, var).chunks_exact_mut(LANES);
    rows.enumerate().for_each(|(row, lanes)| lanes[lane] = value(row));
}
