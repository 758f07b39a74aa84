//! One tile's run of a program: the walk over its operations, and the memory that they read and write.

use std::ops::Range;

use bytemuck::Zeroable;

use crate::element::Element;
use crate::graph::VarId;
use crate::layout::Layout;
use crate::noise::Noise;
use crate::params::Param;
use crate::program::{Contribution, Place, Program};
use crate::shape::{Dims, Lanes, Shape};
use crate::simd::Path;
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
    pub(crate) fn new<T: Element<Chunk = V>>(programs: &[Program<T>]) -> Self {
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
    pub(crate) path: Path,
}

/// One tile's run of one program, in memory. Operations see it as a [`Frame`](crate::frame::Frame).
pub struct Run<'a, T: Element> {
    program: &'a Program<T>,
    slots: &'a mut [Vec<T::Chunk>],
    map: &'a [usize],
    scratch: &'a mut Vec<T::Chunk>,
    pub(crate) shared: Shared<'a, T>,
    pub(crate) tile: &'a Tile<T>,
    gradient: &'a mut Vec<T::Chunk>,
    contributions: &'a [Contribution],
}

impl<'a, T: Element> Run<'a, T> {
    pub(crate) fn new(
        (number, program): (usize, &'a Program<T>),
        workspace: &'a mut Workspace<T::Chunk>,
        shared: Shared<'a, T>,
        tile: &'a Tile<T>,
        gradient: &'a mut Vec<T::Chunk>,
    ) -> Self {
        let Workspace { slots, maps, scratch, .. } = workspace;
        Run { program, slots, map: &maps[number], scratch, shared, tile, gradient, contributions: &[] }
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
                self.slots[self.map[*slot]][range.clone()].fill(T::Chunk::zeroed());
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
        self.program.dims.lanes(lanes) / T::LANES
    }

    /// Vectors in a row of the variable.
    pub(crate) fn width_of(&self, var: VarId) -> usize {
        self.width(self.shape(var).lanes)
    }

    /// The value of a variable, row after row.
    pub(crate) fn value(&self, var: VarId) -> &[T::Chunk] {
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

    /// The space that a variable's value owns.
    pub(crate) fn value_space(&self, var: VarId) -> Space {
        match &self.program.values[var.0 as usize] {
            Place::Slot(slot, _) => Space::Slot(self.map[*slot]),
            Place::Data(..) | Place::Nowhere => {
                unreachable!("an operation that runs has space for its result")
            }
        }
    }

    /// Where the gradient of input `number`, which is `var`, lies, and whether to add to it; none if nobody wants it.
    pub(crate) fn gradient_space(&self, number: usize, var: VarId) -> Option<(Space, Range<usize>, bool)> {
        let add = match self.contributions[number] {
            Contribution::Skip => return None,
            Contribution::Store => false,
            Contribution::Add => true,
        };
        match &self.program.gradients[var.0 as usize] {
            Place::Slot(slot, range) => Some((Space::Slot(self.map[*slot]), range.clone(), add)),
            Place::Data(..) | Place::Nowhere => None,
        }
    }

    /// Space that is written while other values are read; put it back afterwards.
    pub(crate) fn take(&mut self, space: Space) -> Vec<T::Chunk> {
        std::mem::take(self.space(space))
    }

    pub(crate) fn put_back(&mut self, space: Space, chunks: Vec<T::Chunk>) {
        *self.space(space) = chunks;
    }

    fn space(&mut self, space: Space) -> &mut Vec<T::Chunk> {
        match space {
            Space::Slot(slot) => &mut self.slots[slot],
            Space::Scratch => self.scratch,
            Space::Gradient => self.gradient,
        }
    }

    /// The numbers of a parameter, row by row.
    pub(crate) fn param(&self, param: Param) -> &'a [T] {
        &self.shared.params[param.offset..param.offset + param.rows * param.cols]
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

/// Space that one tile's run writes to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Space {
    /// A slot of the workspace.
    Slot(usize),
    /// For results that pass.
    Scratch,
    /// The parameters' gradient.
    Gradient,
}
