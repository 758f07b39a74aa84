//! Compiling: which operations run, where every value and gradient lives, and for how long.
//!
//! Space is given out by a sweep over time: the forward run, then the backward run in reverse. A value
//! lives until its last reader, in either run; a gradient from its first contribution until the
//! operation behind it has passed it on. Space that is free again is used again, so that the numbers
//! in use stay in the cache.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use crate::element::Element;
use crate::graph::{Recording, Source, VarId};
use crate::ops::Op;
use crate::shape::{Dims, Shape};

/// Where the numbers of a variable lie: in a slot of the workspace or in the tile's data.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    Nowhere,
    Slot(usize, Range<usize>),
    Data(usize, Range<usize>),
}

/// What an operation does with the gradient of one of its inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contribution {
    /// Nobody wants it.
    Skip,
    /// It is the first: overwrite what is there.
    Store,
    /// Others came before: add.
    Add,
}

/// One operation's turn in the backward run.
#[derive(Debug)]
pub(crate) struct BackwardStep {
    pub(crate) op: Arc<dyn Op>,
    pub(crate) contributions: Vec<Contribution>,
    /// Parts of slots that nobody has written yet and somebody reads or adds to.
    pub(crate) clear: Vec<(usize, Range<usize>)>,
}

/// A compiled graph: runs over tiles of [`Dims::words`] words, in the number type `T`.
#[derive(Debug)]
pub struct Program<T: Element> {
    pub(crate) dims: Dims,
    pub(crate) forward: Vec<Arc<dyn Op>>,
    pub(crate) backward: Vec<BackwardStep>,
    pub(crate) values: Vec<Place>,
    pub(crate) gradients: Vec<Place>,
    /// Length of each slot in vectors, and its number among the slots of that length.
    pub(crate) slots: Vec<(usize, usize)>,
    pub(crate) scratch: usize,
    pub(crate) loss: Option<VarId>,
    outputs: Vec<VarId>,
    pub(crate) data: Vec<Shape>,
    pub(crate) symbol_rows: usize,
    /// The parameter set it reads.
    pub(crate) params: u32,
    shapes: Vec<Shape>,
    number: PhantomData<T>,
}

impl<T: Element> Program<T> {
    /// Words and particles of a tile.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// Bytes of workspace that one thread needs for it: keep this within the cache.
    pub fn workspace_bytes(&self) -> usize {
        let vectors: usize = self.slots.iter().map(|slot| slot.0).sum();
        (vectors + self.scratch) * size_of::<T::Chunk>()
    }

    /// The shape of a variable.
    pub fn shape(&self, var: VarId) -> Shape {
        self.shapes[var.0 as usize]
    }

    /// Whether the variable's value can be read after a forward run.
    pub(crate) fn is_output(&self, var: VarId) -> bool {
        self.loss == Some(var) || self.outputs.contains(&var)
    }

    pub(crate) fn new(
        recording: &Recording,
        params: u32,
        dims: Dims,
        loss: Option<VarId>,
        outputs: &[VarId],
    ) -> Self {
        let planner = Planner::new(recording, dims, loss, outputs);
        let backward = planner.backward();
        planner.place(backward, params)
    }
}

/// Everything that is known while a program is laid out.
struct Planner<'a, T: Element> {
    recording: &'a Recording,
    dims: Dims,
    loss: Option<VarId>,
    outputs: &'a [VarId],
    /// Operations that are needed, in order.
    forward: Vec<Arc<dyn Op>>,
    number: PhantomData<T>,
}

/// The backward run before space is given out.
#[derive(Default)]
struct BackwardPlan {
    steps: Vec<PlannedStep>,
    /// For each variable that has a gradient, when it is first written and last read.
    life: HashMap<u32, (usize, usize)>,
}

struct PlannedStep {
    position: usize,
    contributions: Vec<Contribution>,
    /// Rows to be cleared, of root variables.
    clear: Vec<(VarId, Range<usize>)>,
}

impl<'a, T: Element> Planner<'a, T> {
    fn new(recording: &'a Recording, dims: Dims, loss: Option<VarId>, outputs: &'a [VarId]) -> Self {
        let mut needed = vec![false; recording.ops.len()];
        let mut open: Vec<VarId> = outputs.iter().copied().chain(loss).collect();
        while let Some(var) = open.pop() {
            match recording.vars[var.0 as usize].source {
                Source::View(root, _) => open.push(root),
                Source::Op(op) if !needed[op as usize] => {
                    needed[op as usize] = true;
                    open.extend(recording.ops[op as usize].inputs());
                }
                Source::Op(_) | Source::Data(_) => {}
            }
        }
        let ops = recording.ops.iter().zip(needed);
        let forward = ops.filter(|(_, needed)| *needed).map(|(op, _)| Arc::clone(op)).collect();
        Self { recording, dims, loss, outputs, forward, number: PhantomData }
    }

    /// The variable that owns the space, and the rows in it.
    fn root(&self, var: VarId) -> (VarId, Range<usize>) {
        let info = &self.recording.vars[var.0 as usize];
        match info.source {
            Source::View(root, first) => (root, first..first + info.shape.rows),
            Source::Op(_) | Source::Data(_) => (var, 0..info.shape.rows),
        }
    }

    /// When the operation at `position` has its turn in the backward run.
    fn time_back(&self, position: usize) -> usize {
        2 * self.forward.len() - position
    }

    /// Which operations pass gradients on, and which contribution to a gradient is its first.
    fn backward(&self) -> BackwardPlan {
        let mut plan = BackwardPlan::default();
        let differentiable = |loss: &VarId| self.recording.vars[loss.0 as usize].needs_gradient;
        let Some(loss) = self.loss.filter(differentiable) else { return plan };
        // Rows of each variable's gradient that have been written.
        let mut written: HashMap<u32, Vec<bool>> = HashMap::new();
        let (root, rows) = self.root(loss);
        let count = self.recording.vars[root.0 as usize].shape.rows;
        written.insert(root.0, (0..count).map(|row| rows.contains(&row)).collect());
        plan.life.insert(root.0, (self.forward.len(), self.forward.len()));

        for position in (0..self.forward.len()).rev() {
            let op = &self.forward[position];
            let output = op.output();
            if !self.recording.vars[output.0 as usize].needs_gradient {
                continue;
            }
            let Some(rows) = written.get(&output.0) else { continue };
            let time = self.time_back(position);
            plan.life.entry(output.0).and_modify(|life| life.1 = time);
            let mut clear = unwritten(rows, 0..rows.len(), output);
            let mut contributions = Vec::new();
            for input in op.inputs() {
                if !self.recording.vars[input.0 as usize].needs_gradient {
                    contributions.push(Contribution::Skip);
                    continue;
                }
                let (root, range) = self.root(input);
                plan.life.entry(root.0).or_insert((time, time)).1 = time;
                let count = self.recording.vars[root.0 as usize].shape.rows;
                let rows = written.entry(root.0).or_insert_with(|| vec![false; count]);
                if rows[range.clone()].iter().any(|&row| row) {
                    clear.extend(unwritten(rows, range.clone(), root));
                    contributions.push(Contribution::Add);
                } else {
                    contributions.push(Contribution::Store);
                }
                rows[range].fill(true);
            }
            plan.steps.push(PlannedStep { position, contributions, clear });
        }
        plan
    }

    /// When each value is made and last read.
    fn value_lives(&self, backward: &BackwardPlan) -> HashMap<u32, (usize, usize)> {
        let mut lives: HashMap<u32, (usize, usize)> = HashMap::new();
        let end = 2 * self.forward.len() + 1;
        let mut read = |var: VarId, time: usize| {
            let (root, _) = self.root(var);
            if let Some(life) = lives.get_mut(&root.0) {
                life.1 = life.1.max(time);
            } else if !matches!(self.recording.vars[root.0 as usize].source, Source::Data(_)) {
                lives.insert(root.0, (time, time));
            }
        };
        for (time, op) in self.forward.iter().enumerate() {
            op.inputs().into_iter().for_each(|input| read(input, time));
            read(op.output(), time);
            op.hidden().into_iter().for_each(|hidden| read(hidden, time));
        }
        for step in &backward.steps {
            let (op, time) = (&self.forward[step.position], self.time_back(step.position));
            let keeps = op.keeps();
            for (number, input) in op.inputs().into_iter().enumerate() {
                if keeps.inputs & (1 << number.min(63)) != 0 {
                    read(input, time);
                }
            }
            if keeps.output {
                read(op.output(), time);
            }
            op.hidden().into_iter().for_each(|hidden| read(hidden, time));
        }
        self.outputs.iter().chain(&self.loss).for_each(|&var| read(var, end));
        lives
    }

    /// Gives out the slots.
    fn place(self, backward: BackwardPlan, params: u32) -> Program<T> {
        #[derive(Clone, Copy)]
        enum Kind {
            Value,
            Gradient,
        }
        let mut births: Vec<(usize, usize, u32, Kind)> = Vec::new();
        births.extend(
            self.value_lives(&backward).iter().map(|(&var, life)| (life.0, life.1, var, Kind::Value)),
        );
        births.extend(backward.life.iter().map(|(&var, life)| (life.0, life.1, var, Kind::Gradient)));
        births.sort_by_key(|&(birth, _, var, kind)| (birth, var, kind as u8));

        let mut slots: Vec<(usize, usize)> = Vec::new();
        let mut free: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut busy: Vec<(usize, usize)> = Vec::new();
        let mut ordinals: HashMap<usize, usize> = HashMap::new();
        let count = self.recording.vars.len();
        let mut roots = [vec![None; count], vec![None; count]];
        for (birth, death, var, kind) in births {
            busy.retain(|&(until, slot)| {
                let keep = until >= birth;
                if !keep {
                    free.entry(slots[slot].0).or_default().push(slot);
                }
                keep
            });
            let vectors = self.dims.size(self.recording.vars[var as usize].shape) / T::LANES;
            let slot = free.get_mut(&vectors).and_then(Vec::pop).unwrap_or_else(|| {
                let ordinal = ordinals.entry(vectors).or_default();
                slots.push((vectors, *ordinal));
                *ordinal += 1;
                slots.len() - 1
            });
            busy.push((death, slot));
            roots[kind as usize][var as usize] = Some(slot);
        }

        let [value_roots, gradient_roots] = roots;
        let values = self.places(&value_roots);
        let gradients = self.places(&gradient_roots);
        let width = |var: VarId| self.dims.lanes(self.recording.vars[var.0 as usize].shape.lanes) / T::LANES;
        let steps = backward.steps.into_iter().map(|step| BackwardStep {
            op: Arc::clone(&self.forward[step.position]),
            contributions: step.contributions,
            clear: step
                .clear
                .into_iter()
                .filter_map(|(root, rows)| {
                    let slot = gradient_roots[root.0 as usize]?;
                    Some((slot, rows.start * width(root)..rows.end * width(root)))
                })
                .collect(),
        });
        let backward = steps.collect();
        let scratch =
            self.forward.iter().map(|op| T::kernel(op.as_ref()).scratch(self.dims)).max().unwrap_or(0);
        Program {
            dims: self.dims,
            backward,
            values,
            gradients,
            slots,
            scratch,
            loss: self.loss,
            outputs: self.outputs.to_vec(),
            data: self.recording.data.clone(),
            symbol_rows: self.recording.symbol_rows,
            params,
            shapes: self.recording.vars.iter().map(|var| var.shape).collect(),
            forward: self.forward,
            number: PhantomData,
        }
    }

    /// The place of every variable, given the slots of those that own space.
    fn places(&self, slots: &[Option<usize>]) -> Vec<Place> {
        let vars = &self.recording.vars;
        let place = |(var, info): (usize, &crate::graph::VarInfo)| {
            let (root, rows) = self.root(VarId(var as u32));
            let width = self.dims.lanes(info.shape.lanes) / T::LANES;
            let range = rows.start * width..rows.end * width;
            match (vars[root.0 as usize].source, slots[root.0 as usize]) {
                (Source::Data(index), _) => Place::Data(index as usize, range),
                (_, Some(slot)) => Place::Slot(slot, range),
                (_, None) => Place::Nowhere,
            }
        };
        vars.iter().enumerate().map(place).collect()
    }
}

/// The runs of rows in `range` that are not written.
fn unwritten(written: &[bool], range: Range<usize>, root: VarId) -> Vec<(VarId, Range<usize>)> {
    let mut runs: Vec<(VarId, Range<usize>)> = Vec::new();
    for row in range.filter(|&row| !written[row]) {
        match runs.last_mut() {
            Some((_, run)) if run.end == row => run.end += 1,
            _ => runs.push((root, row..row + 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests;
