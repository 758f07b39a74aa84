//! What an operation sees of one tile's run: values, gradients, parameters, the tile itself.

use bytemuck::Zeroable;

use crate::element::{Element, Vector};
use crate::graph::VarId;
use crate::layout::Layout;
use crate::noise::Noise;
use crate::params::Param;
use crate::program::{Contribution, Place, Program};
use crate::shape::{Dims, Lanes, Shape};
use crate::tile::Tile;

/// Space that one thread computes in; it grows to what the programs need and is used again.
#[derive(Debug)]
pub(crate) struct Workspace<V> {
    slots: Vec<Vec<V>>,
    /// Which slot is number `i` of those of a length.
    index: std::collections::HashMap<(usize, usize), usize>,
    /// For each program, its slots among the workspace's.
    maps: Vec<Vec<usize>>,
    scratch: Vec<V>,
}

impl<V: Zeroable + Copy> Workspace<V> {
    /// Room for all programs, which share it where their slots have the same length.
    pub(crate) fn new<T: Element<Vector = V>>(programs: &[Program<T>]) -> Self {
        let (slots, scratch, maps) = (Vec::new(), Vec::new(), Vec::new());
        let mut space = Self { slots, index: Default::default(), maps, scratch };
        for program in programs {
            let mut map = Vec::with_capacity(program.slots.len());
            for &(length, ordinal) in &program.slots {
                let slots = &mut space.slots;
                map.push(*space.index.entry((length, ordinal)).or_insert_with(|| {
                    slots.push(vec![V::zeroed(); length]);
                    slots.len() - 1
                }));
            }
            space.maps.push(map);
            let scratch = program.scratch.max(space.scratch.len());
            space.scratch.resize(scratch, V::zeroed());
        }
        space
    }
}

/// Numbers that do not depend on the tile.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a, T: Element> {
    pub(crate) params: &'a [T],
    pub(crate) layout: &'a Layout,
    pub(crate) noise: Noise,
    pub(crate) step: u64,
}

/// One tile's run of one program.
pub struct Frame<'a, T: Element> {
    program: &'a Program<T>,
    slots: &'a mut [Vec<T::Vector>],
    map: &'a [usize],
    scratch: &'a mut Vec<T::Vector>,
    shared: Shared<'a, T>,
    pub(crate) tile: &'a Tile<T>,
    gradient: &'a mut Vec<T::Vector>,
    contributions: &'a [Contribution],
}

impl<'a, T: Element> Frame<'a, T> {
    pub(crate) fn new(
        (number, program): (usize, &'a Program<T>),
        workspace: &'a mut Workspace<T::Vector>,
        shared: Shared<'a, T>,
        tile: &'a Tile<T>,
        gradient: &'a mut Vec<T::Vector>,
    ) -> Self {
        let Workspace { slots, maps, scratch, .. } = workspace;
        Frame { program, slots, map: &maps[number], scratch, shared, tile, gradient, contributions: &[] }
    }

    /// Computes all values.
    pub(crate) fn forward(&mut self) {
        for op in &self.program.forward {
            T::kernel(op.as_ref()).forward(self);
        }
    }

    /// Adds the gradient of the loss, each active word weighted by the tile's weight, to the
    /// parameters' gradient; returns the weighted sum of the losses.
    pub(crate) fn backward(&mut self) -> f64 {
        let Some(loss) = self.program.loss else { return 0.0 };
        let (active, weight) = (self.tile.active(), self.tile.weight);
        let losses = &self.numbers(loss)[..active];
        let total: f64 = losses.iter().map(|&loss| loss.to_f64()).sum();
        if let Place::Slot(slot, range) = &self.program.gradients[loss.0 as usize] {
            let seeds: &mut [T] = bytemuck::cast_slice_mut(&mut self.slots[self.map[*slot]][range.clone()]);
            seeds[..active].fill(weight);
            seeds[active..].fill(T::default());
        }
        let program = self.program;
        for step in &program.backward {
            for (slot, range) in &step.clear {
                self.slots[self.map[*slot]][range.clone()].fill(T::Vector::zeroed());
            }
            self.contributions = &step.contributions;
            let Place::Slot(slot, _) = &program.gradients[step.op.output().0 as usize] else { continue };
            let slot = self.map[*slot];
            let mut gradient = std::mem::take(&mut self.slots[slot]);
            T::kernel(step.op.as_ref()).backward(self, &mut gradient);
            self.slots[slot] = gradient;
        }
        total * weight.to_f64()
    }

    /// The program that runs.
    pub(crate) fn program(&self) -> &'a Program<T> {
        self.program
    }

    /// Words and particles of the tile.
    pub(crate) fn dims(&self) -> Dims {
        self.program.dims
    }

    /// Shape of a variable.
    pub(crate) fn shape(&self, var: VarId) -> Shape {
        self.program.shape(var)
    }

    /// Vectors in a row of that kind.
    pub(crate) fn width(&self, lanes: Lanes) -> usize {
        self.program.dims.lanes(lanes) / T::Vector::LANES
    }

    /// Vectors in a row of the variable.
    pub(crate) fn width_of(&self, var: VarId) -> usize {
        self.width(self.shape(var).lanes)
    }

    /// The value of a variable, row after row.
    pub(crate) fn value(&self, var: VarId) -> &[T::Vector] {
        match &self.program.values[var.0 as usize] {
            Place::Slot(slot, range) => &self.slots[self.map[*slot]][range.clone()],
            Place::Data(index, range) => &self.tile.data[*index][range.clone()],
            Place::Nowhere => &[],
        }
    }

    /// The value of a variable as single numbers.
    pub(crate) fn numbers(&self, var: VarId) -> &[T] {
        bytemuck::cast_slice(self.value(var))
    }

    /// Writes the value of a variable that owns its space; the writer can read other values.
    pub(crate) fn produce(&mut self, var: VarId, write: impl FnOnce(&Self, &mut [T::Vector])) {
        let Place::Slot(slot, _) = &self.program.values[var.0 as usize] else { return };
        let slot = self.map[*slot];
        let mut space = std::mem::take(&mut self.slots[slot]);
        write(self, &mut space);
        self.slots[slot] = space;
    }

    /// Contributes to the gradient of input `number`, which is `var`: `write` gets the rows and
    /// whether to add to them (or to overwrite them).
    pub(crate) fn contribute(
        &mut self,
        number: usize,
        var: VarId,
        write: impl FnOnce(&Self, &mut [T::Vector], bool),
    ) {
        let add = match self.contributions[number] {
            Contribution::Skip => return,
            Contribution::Store => false,
            Contribution::Add => true,
        };
        let Place::Slot(slot, range) = &self.program.gradients[var.0 as usize] else { return };
        let slot = self.map[*slot];
        let mut space = std::mem::take(&mut self.slots[slot]);
        write(self, &mut space[range.clone()], add);
        self.slots[slot] = space;
    }

    /// The numbers of a parameter, row by row.
    pub(crate) fn param(&self, param: Param) -> &'a [T] {
        &self.shared.params[param.offset..param.offset + param.rows * param.cols]
    }

    /// Adds to a parameter's gradient, in the layout that [`Layout`] gives it.
    pub(crate) fn contribute_param(&mut self, param: Param, add: impl FnOnce(&Self, &mut [T::Vector])) {
        let mut gradient = std::mem::take(self.gradient);
        add(self, &mut gradient[self.shared.layout.range(param)]);
        *self.gradient = gradient;
    }

    /// Lends an operation the space for passing results that it asked for.
    pub(crate) fn with_scratch(&mut self, work: impl FnOnce(&mut Self, &mut [T::Vector])) {
        let mut scratch = std::mem::take(self.scratch);
        work(self, &mut scratch);
        *self.scratch = scratch;
    }

    /// How parameters' gradients are laid out.
    pub(crate) fn layout(&self) -> &'a Layout {
        self.shared.layout
    }

    /// Noise generator and step.
    pub(crate) fn noise(&self) -> (Noise, u64) {
        (self.shared.noise, self.shared.step)
    }

    /// A row of the tile's symbols.
    pub(crate) fn symbols(&self, row: u32) -> &'a [u32] {
        self.tile.symbol_row(row as usize)
    }
}
