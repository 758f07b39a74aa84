//! One step of a model for a tile of words: states and noise in, next states and logits out.
//!
//! Everything that makes words is a loop around this step. Lanes are independent of each other, so a word that has
//! ended makes room for the next one at once.

use tilegrad::{Graph, Lanes, NoiseKey, Runner, Tile, VarId, Worker};

use super::SampleError;
use crate::lexicon::{END, Symbol};
use crate::model::{Fitted, Parts};

/// Words that take a step together: their hidden layer still fits the first-level cache.
pub(crate) const LANES: usize = 64;

/// Streams of noise. Seeds are an interface: the numbers must not change.
const STATE_STREAM: u16 = 0;
const SYMBOL_STREAM: u16 = 1 << 15;

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

/// What a step says about each lane's next symbol.
pub(crate) struct Outcome<'a> {
    /// A row of [`LANES`] numbers for each symbol.
    pub(crate) logits: &'a [f32],
    /// A number in (0, 1) for each lane, to draw the symbol with.
    pub(crate) uniform: &'a [f32],
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
        let (state, noise, next, logits) = match model.parts() {
            Parts::StateSpace(parts) => {
                let generative = &parts.generative;
                let size = generative.noise_size();
                let (state, mean, scale) = (data(generative.state_size()), data(size), data(size));
                let noise = scale.mul_add(graph.normal(STATE_STREAM, size, Lanes::Word), mean);
                let next = generative.transition(&graph, state).forward(noise).value;
                (state, Some([mean, scale]), next, generative.emission().logits(&graph, next))
            }
            Parts::Baseline(baseline) => {
                let state = data(fitted.initial_state().len());
                let read = baseline.read(&graph, state, graph.symbols());
                (state, None, read.state, read.logits)
            }
        };
        let uniform = graph.uniform(SYMBOL_STREAM, 1, Lanes::Word);
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

    /// Calls `work` for every item below `items` with a [`Walk`] of its own; returns the results in order.
    pub(crate) fn each<R: Send>(
        &mut self,
        items: usize,
        work: impl Fn(usize, &mut Walk<'_, '_>) -> R + Sync,
    ) -> Vec<R> {
        let (places, start) = (self.places, self.fitted.initial_state());
        self.runner.map(self.fitted.parameters(), 0..items, |item, worker| {
            let tile = Tile::new(worker.programs(), 0);
            let next = vec![0.0; start.len() * LANES];
            work(item, &mut Walk { worker, tile, places, start, next })
        })
    }
}

/// Words on their way, one in each lane.
pub(crate) struct Walk<'a, 'w> {
    worker: &'a mut Worker<'w, f32>,
    tile: Tile<f32>,
    places: Places,
    start: &'a [f32],
    next: Vec<f32>,
}

impl<'a> Walk<'a, '_> {
    /// The state before the first symbol.
    pub(crate) fn start(&self) -> &'a [f32] {
        self.start
    }

    /// Numbers of a state.
    pub(crate) fn state_size(&self) -> usize {
        self.start.len()
    }

    /// Numbers of noise of a step; the baselines have none.
    pub(crate) fn noise_size(&self) -> usize {
        let shape = |noise: [VarId; 2]| self.worker.programs()[0].shape(noise[0]);
        self.places.noise.map_or(0, |noise| shape(noise).rows)
    }

    /// Puts a word that has not begun into a lane.
    pub(crate) fn begin(&mut self, lane: usize) {
        let start = self.start;
        self.set_state(lane, start);
        self.set_previous(lane, END);
    }

    /// Puts a word's state into a lane.
    pub(crate) fn set_state(&mut self, lane: usize, state: &[f32]) {
        self.set(self.places.state, lane, |row| state[row]);
    }

    /// The state in a lane.
    pub(crate) fn state(&self, lane: usize) -> impl Iterator<Item = f32> {
        self.next[lane..].iter().step_by(LANES).copied()
    }

    /// Tells the baseline the symbol before.
    pub(crate) fn set_previous(&mut self, lane: usize, symbol: Symbol) {
        if self.places.noise.is_none() {
            self.tile.symbol_row_mut(0)[lane] = u32::from(symbol);
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

    /// All lanes take a step; `read` sees what it says. Lane i draws the noise of item `first + i`.
    pub(crate) fn step(&mut self, key: NoiseKey, first: u32, read: impl FnOnce(Outcome<'_>)) {
        let Self { worker, tile, places, next, .. } = self;
        tile.first_item = first;
        worker.forward(tile, key, |values| {
            next.copy_from_slice(values.get(places.next));
            read(Outcome { logits: values.get(places.logits), uniform: values.get(places.uniform) });
        });
        tile.data_mut(&worker.programs()[0], places.state).copy_from_slice(next);
    }
}
