//! One step of a model for a tile of words, in two halves: [`Stepper::look`] gives what each lane's next symbol is drawn from,
//! [`Stepper::take`] completes the state with the symbol that was drawn.
//!
//! Everything that makes words is a loop around these two. Lanes are independent of each other, so a word that has
//! ended makes room for the next one at once.

use tilegrad::{Graph, Lanes, NoiseKey, Runner, Tile, VarId, Worker};

use super::SampleError;
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
#[derive(Clone, Copy)]
struct Places {
    state: VarId,
    /// Mean and scale of the noise; the baseline has none, and reads symbols instead.
    noise: Option<[VarId; 2]>,
    next: VarId,
    logits: VarId,
    uniform: VarId,
}

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
        let state = data(fitted.initial_state().len());
        let (noise, next, logits) = match model.parts() {
            Parts::StateSpace(parts) => {
                let generative = &parts.generative;
                let size = generative.noise_size();
                let (mean, scale) = (data(size), data(size));
                let noise = scale.mul_add(graph.normal(streams::STATE, size, Lanes::Word), mean);
                let next = generative.transition(&graph, state).forward(noise).value;
                (Some([mean, scale]), next, generative.emission().logits(&graph, next))
            }
            Parts::Baseline(baseline) => {
                let read = baseline.read(&graph, state, graph.symbols());
                (None, read.state, read.logits)
            }
        };
        let uniform = graph.uniform(streams::SYMBOL, 1, Lanes::Word);
        let program = graph.compile(LANES, None, &[next, logits, uniform])?;
        let places = Places {
            state: state.id(),
            noise: noise.map(|noise| noise.map(|var| var.id())),
            next: next.id(),
            logits: logits.id(),
            uniform: uniform.id(),
        };
        Ok(Self { fitted, runner: model.runner(vec![program], threads)?, places })
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
        let (places, initial_state) = (self.places, self.fitted.initial_state());
        self.runner.map(self.fitted.parameters(), items, |item, worker| {
            let tile = Tile::new(worker.programs(), 0);
            let next = vec![0.0; initial_state.len() * LANES];
            work(item, &mut Stepper { worker, tile, places, initial_state, next })
        })
    }
}

/// Words on their way, one in each lane.
pub(crate) struct Stepper<'a, 'w> {
    worker: &'a mut Worker<'w, f32>,
    tile: Tile<f32>,
    places: Places,
    initial_state: &'a [f32],
    next: Vec<f32>,
}

impl Stepper<'_, '_> {
    /// Numbers of a state.
    pub(crate) fn state_size(&self) -> usize {
        self.initial_state.len()
    }

    /// Numbers of noise of a step; the baselines have none.
    pub(crate) fn noise_size(&self) -> usize {
        let shape = |noise: [VarId; 2]| self.worker.programs()[0].shape(noise[0]);
        self.places.noise.map_or(0, |noise| shape(noise).rows)
    }

    /// Puts a word that has not begun into a lane.
    pub(crate) fn begin(&mut self, lane: usize) {
        self.resume(lane, self.initial_state, END);
    }

    /// Puts a word on its way into a lane: its state, and its last symbol, which the baseline reads.
    pub(crate) fn resume(&mut self, lane: usize, state: &[f32], last: Symbol) {
        self.set(self.places.state, lane, |row| state[row]);
        if self.places.noise.is_none() {
            self.tile.symbol_row_mut(0)[lane] = u32::from(last);
        }
    }

    /// Sets the law of a lane's noise: `mean + scale ε`; no mean is zero. The baseline has no noise.
    pub(crate) fn set_noise(&mut self, lane: usize, mean: Option<&[f32]>, scale: f32) {
        if let Some([means, scales]) = self.places.noise {
            self.set(means, lane, |row| mean.map_or(0.0, |mean| mean[row]));
            self.set(scales, lane, |_| scale);
        }
    }

    fn set(&mut self, var: VarId, lane: usize, value: impl Fn(usize) -> f32) {
        let rows = self.tile.data_mut(&self.worker.programs()[0], var).chunks_exact_mut(LANES);
        rows.enumerate().for_each(|(row, lanes)| lanes[lane] = value(row));
    }

    /// The first half of a step: `draw` sees what all lanes' next symbols are drawn from. Lane i draws the noise of
    /// item `first + i`.
    pub(crate) fn look<R>(&mut self, key: NoiseKey, first: u32, draw: impl FnOnce(Look<'_>) -> R) -> R {
        let Self { worker, tile, places, next, .. } = self;
        tile.first_item = first;
        worker.forward(tile, key, |values| {
            next.copy_from_slice(values.get(places.next));
            draw(Look { logits: values.get(places.logits), uniform: values.get(places.uniform) })
        })
    }

    /// The second half: each lane goes on with the symbol that was drawn for it. The flows have made the next state from
    /// noise already, whatever the symbol; the baseline will read it.
    pub(crate) fn take(&mut self, drawn: &[Drawn; LANES]) {
        let state = self.tile.data_mut(&self.worker.programs()[0], self.places.state);
        state.copy_from_slice(&self.next);
        if self.places.noise.is_none() {
            let previous = self.tile.symbol_row_mut(0);
            previous.iter_mut().zip(drawn).for_each(|(previous, drawn)| *previous = drawn.symbol.into());
        }
    }

    /// The state in a lane after a step.
    pub(crate) fn state(&self, lane: usize) -> impl Iterator<Item = f32> {
        self.next[lane..].iter().step_by(LANES).copied()
    }
}
