//! One step of a model for a tile of words, in two halves: [`Stepper::look`] gives what each lane's next symbol is drawn from,
//! [`Stepper::take`] completes the state with the symbol that was drawn.
//!
//! Everything that makes words is a loop around these two. Lanes are independent of each other, so a word that has
//! ended makes room for the next one at once.

use std::sync::Arc;

use tilegrad::{CellOrder, Graph, Lanes, NoiseKey, Program, Runner, Tile, VarId, Worker};

use super::SampleError;
use super::noise_law::NoiseShape;
use super::symbol_weights::{SymbolChoice, SymbolWeights};
use crate::lexicon::{END, Symbol};
use crate::model::{Fitted, Parts};
use crate::random::streams;

/// Words that take a step together: their hidden layer still fits the first-level cache.
pub(crate) const LANES: usize = 64;

/// The recorded step, and threads to run it on.
pub(crate) struct Steps<'m> {
    fitted: Fitted<'m>,
    runner: Runner<f32>,
    places: Places,
}

/// Where the step's inputs and outputs are.
#[derive(Clone)]
struct Places {
    state: VarId,
    /// Mean and scale of the noise of the states; there is none if symbols decide them.
    noise: Option<[VarId; 2]>,
    logits: VarId,
    uniform: VarId,
    second: Second,
}

/// What the second half of a step does with the symbol.
#[derive(Clone)]
enum Second {
    /// Nothing: the first half has made the next state from noise.
    Keep { next: VarId },
    /// The next step reads it: the baselines.
    Read { next: VarId },
    /// The choice decides the state: another program, with its inputs and output.
    Choose { cells: Arc<CellOrder>, state: VarId, z: VarId, next: VarId },
}

/// The programs of the two halves.
const FIRST: usize = 0;
const SECOND: usize = 1;

/// What each lane's next symbol is drawn from.
pub(crate) struct Look<'a> {
    /// A row of [`LANES`] numbers for each symbol.
    pub(crate) logits: &'a [f32],
    /// A number in (0, 1) for each lane, to draw the symbol with.
    pub(crate) uniform: &'a [f32],
}

/// A lane's symbol, and where the uniform number fell within the symbol's share of the unit interval, from 0 to 1.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Drawn {
    pub(crate) symbol: Symbol,
    pub(crate) place: f32,
}

impl<'m> Steps<'m> {
    /// Records the step.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub(crate) fn new(fitted: Fitted<'m>, threads: usize) -> Result<Self, SampleError> {
        let model = fitted.model();
        let graph = Graph::new(model.params(), 1);
        let data = |rows| graph.data(rows, Lanes::Word);
        let size = fitted.initial_state().len();
        let state = data(size);
        let uniform = graph.uniform(streams::SYMBOL, 1, Lanes::Word);
        let mut programs = Vec::new();
        let (noise, logits, second) = match (model.chooses(), model.parts()) {
            (Some(choice), _) => {
                let graph = Graph::new(model.params(), 1);
                let (state, z) = (graph.data(size, Lanes::Word), graph.data(1, Lanes::Word));
                let memory = choice.remember(&graph, state, z);
                let (remembered, noise) = match memory.scale {
                    Some(scale) => {
                        let [mean, spread] = [(); 2].map(|()| graph.data(size - 1, Lanes::Word));
                        let noise = spread.mul_add(graph.normal(streams::STATE, size - 1, Lanes::Word), mean);
                        (scale.mul_add(noise, memory.mean), Some([mean, spread]))
                    }
                    None => (memory.mean, None),
                };
                let next = graph.concat(&[z, remembered]);
                programs.push(graph.compile(LANES, None, &[next])?);
                let (cells, state, z, next) = (Arc::clone(choice.order()), state.id(), z.id(), next.id());
                (noise.map(|noise| noise.map(|var| var.id())), None, Second::Choose { cells, state, z, next })
            }
            (None, Parts::StateSpace(parts)) => {
                let generative = &parts.generative;
                let noise = [(); 2].map(|()| data(generative.noise_size()));
                let [mean, scale] = noise;
                let draw = graph.normal(streams::STATE, generative.noise_size(), Lanes::Word);
                let next = generative.transition(&graph, state).forward(scale.mul_add(draw, mean)).value;
                let logits = generative.emission().logits(&graph, next);
                (Some(noise.map(|var| var.id())), Some((logits, next)), Second::Keep { next: next.id() })
            }
            (None, Parts::Baseline(baseline)) => {
                let read = baseline.read(&graph, state, graph.symbols());
                (None, Some((read.logits, read.state)), Second::Read { next: read.state.id() })
            }
        };
        let (logits, next) = match (logits, model.chooses()) {
            (Some((logits, next)), _) => (logits, Some(next)),
            (None, Some(choice)) => (choice.logits(&graph, state), None),
            (None, None) => unreachable!("only choices come without a state"),
        };
        let outputs: Vec<_> = [logits, uniform].into_iter().chain(next).collect();
        programs.insert(FIRST, graph.compile(LANES, None, &outputs)?);
        let places = Places { state: state.id(), noise, logits: logits.id(), uniform: uniform.id(), second };
        Ok(Self { fitted, runner: model.runner(programs, threads)?, places })
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
        let (places, initial_state) = (&self.places, self.fitted.initial_state());
        let noise = NoiseShape {
            size: match self.fitted.model().parts() {
                Parts::StateSpace(parts) => parts.generative.noise_size(),
                Parts::Baseline(_) => 0,
            },
            chooses: self.fitted.model().chooses().is_some(),
        };
        self.runner.map(self.fitted.parameters(), items, |item, worker| {
            let tile = Tile::new(worker.programs(), FIRST);
            let second = noise.chooses.then(|| Tile::new(worker.programs(), SECOND));
            let next = vec![0.0; initial_state.len() * LANES];
            let key = NoiseKey { seed: 0, step: 0 };
            work(item, &mut Stepper { worker, tile, second, places, noise, initial_state, next, key })
        })
    }
}

/// Words on their way, one in each lane.
pub(crate) struct Stepper<'a, 'w> {
    worker: &'a mut Worker<'w, f32>,
    tile: Tile<f32>,
    /// The tile of the second half, if it has a program.
    second: Option<Tile<f32>>,
    places: &'a Places,
    noise: NoiseShape,
    initial_state: &'a [f32],
    next: Vec<f32>,
    /// The noise of the step at work.
    key: NoiseKey,
}

impl Stepper<'_, '_> {
    /// Numbers of a state.
    pub(crate) fn state_size(&self) -> usize {
        self.initial_state.len()
    }

    /// What a step's noise consists of; the baselines have none.
    pub(crate) fn noise(&self) -> NoiseShape {
        self.noise
    }

    /// Weights of the symbols, to be drawn from.
    pub(crate) fn weights(&self, choice: SymbolChoice) -> SymbolWeights {
        match &self.places.second {
            Second::Choose { cells, .. } => SymbolWeights::of_cells(choice, Arc::clone(cells)),
            Second::Keep { .. } | Second::Read { .. } => SymbolWeights::new(choice),
        }
    }

    /// Puts a word that has not begun into a lane.
    pub(crate) fn begin(&mut self, lane: usize) {
        self.resume(lane, self.initial_state, END);
    }

    /// Puts a word on its way into a lane: its state, and its last symbol, which the baselines read.
    pub(crate) fn resume(&mut self, lane: usize, state: &[f32], last: Symbol) {
        set(&mut self.tile, &self.worker.programs()[FIRST], self.places.state, lane, |row| state[row]);
        if matches!(self.places.second, Second::Read { .. }) {
            self.tile.symbol_row_mut(0)[lane] = u32::from(last);
        }
    }

    /// Sets the law of a lane's noise, `dial · (mean + deviation ε)`; no mean is zero. The number that chooses the symbol is
    /// not among it: its law restricts the symbols' weights.
    pub(crate) fn set_noise(&mut self, lane: usize, (mean, deviation): (Option<&[f32]>, f32), dial: f32) {
        let Some([means, scales]) = self.places.noise else { return };
        let first = usize::from(self.noise.chooses);
        let (tile, program) = match &mut self.second {
            Some(second) => (second, &self.worker.programs()[SECOND]),
            None => (&mut self.tile, &self.worker.programs()[FIRST]),
        };
        set(tile, program, means, lane, |row| mean.map_or(0.0, |mean| dial * mean[first + row]));
        set(tile, program, scales, lane, |_| dial * deviation);
    }

    /// The first half of a step: `draw` sees what all lanes' next symbols are drawn from. Lane i draws the noise of
    /// item `first + i`.
    pub(crate) fn look<R>(&mut self, key: NoiseKey, first: u32, draw: impl FnOnce(Look<'_>) -> R) -> R {
        let Self { worker, tile, places, next, .. } = self;
        (tile.first_item, self.key) = (first, key);
        worker.forward(tile, key, |values| {
            if let Second::Keep { next: var } | Second::Read { next: var } = &places.second {
                next.copy_from_slice(values.get(*var));
            }
            draw(Look { logits: values.get(places.logits), uniform: values.get(places.uniform) })
        })
    }

    /// The second half: each lane goes on with the symbol that was drawn for it. The paper's flows have made the next state
    /// from noise already, whatever the symbol; the baselines will read it; in the choice flow the noise that has led to the
    /// symbol makes the state.
    pub(crate) fn take(&mut self, drawn: &[Drawn; LANES]) {
        let Self { worker, tile, second, places, next, key, .. } = self;
        match (&places.second, second) {
            (Second::Choose { cells, state, z, next: var }, Some(second)) => {
                let programs = worker.programs();
                let now = tile.data_mut(&programs[FIRST], places.state);
                second.data_mut(&programs[SECOND], *state).copy_from_slice(now);
                let points = second.data_mut(&programs[SECOND], *z);
                for (point, drawn) in points.iter_mut().zip(drawn) {
                    let cell = cells.cell(drawn.symbol.into()) as f32;
                    // Rounding must not lead into the next cell.
                    *point = (cell + drawn.place).min((cell + 1.0).next_down());
                }
                second.first_item = tile.first_item;
                worker.forward(second, *key, |values| next.copy_from_slice(values.get(*var)));
            }
            (Second::Read { .. }, _) => {
                let previous = tile.symbol_row_mut(0);
                previous.iter_mut().zip(drawn).for_each(|(previous, drawn)| *previous = drawn.symbol.into());
            }
            _ => {}
        }
        tile.data_mut(&worker.programs()[FIRST], places.state).copy_from_slice(next);
    }

    /// The state in a lane after a step.
    pub(crate) fn state(&self, lane: usize) -> impl Iterator<Item = f32> {
        self.next[lane..].iter().step_by(LANES).copied()
    }
}

/// Sets the rows of a variable in one lane.
fn set(tile: &mut Tile<f32>, program: &Program<f32>, var: VarId, lane: usize, value: impl Fn(usize) -> f32) {
    let rows = tile.data_mut(program, var).chunks_exact_mut(LANES);
    rows.enumerate().for_each(|(row, lanes)| lanes[lane] = value(row));
}
