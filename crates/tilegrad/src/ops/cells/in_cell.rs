//! Points of the cell that belongs to a symbol.

use std::sync::Arc;

use super::point_in;
use crate::cell_order::CellOrder;
use crate::element::Element;
use crate::frame::Frame;
use crate::graph::{Graph, Symbols, Var, VarId};
use crate::ops::{Kernel, Op};
use crate::shape::{Lanes, Shape};
use crate::simd::Simd;

impl<'g> Var<'g> {
    /// `k + inside` with k the cell of each word's symbol, for numbers between 0 and 1: a point of that cell.
    ///
    /// With a `reach`, the point comes from the cell and its surroundings up to that distance: `k − r + inside (1 + 2r)`;
    /// the line's ends are not passed.
    #[track_caller]
    pub fn in_cell(self, symbols: Symbols<'g>, order: &Arc<CellOrder>, reach: f64) -> Var<'g> {
        if !std::ptr::eq(self.graph, symbols.graph) {
            self.graph.fail("point in a cell", "the symbols belong to another graph".into());
            return self;
        }
        let shape = self.shape();
        if shape.rows != 1 {
            self.graph.fail("point in a cell", format!("the variable is {shape}, not one row"));
            return self;
        }
        let (inside, symbols, order) = (self.id, symbols.index, Arc::clone(order));
        let op = |output| Arc::new(InCell { inside, symbols, order, reach, output });
        self.graph.push(shape, |output| op(output) as Arc<dyn Op>)
    }
}

impl Graph {
    /// `ln` of the length of the interval that [`Var::in_cell`] draws from with this reach, for each word's symbol.
    #[track_caller]
    pub fn log_cell_length<'g>(
        &'g self,
        symbols: Symbols<'g>,
        order: &Arc<CellOrder>,
        reach: f64,
    ) -> Var<'g> {
        if !std::ptr::eq(self, symbols.graph) {
            self.fail("length of a cell", "the symbols belong to another graph".into());
        }
        let (symbols, order) = (symbols.index, Arc::clone(order));
        let op = |output| Arc::new(LogCellLength { symbols, order, reach, output });
        self.push(Shape { rows: 1, lanes: Lanes::Word }, |output| op(output) as Arc<dyn Op>)
    }
}

/// Where the interval around a cell begins, and its length.
fn interval(order: &CellOrder, cell: usize, reach: f64) -> (f64, f64) {
    let start = (cell as f64 - reach).max(0.0);
    let end = (cell as f64 + 1.0 + reach).min(order.count() as f64);
    (start, end - start)
}

#[derive(Debug)]
struct LogCellLength {
    symbols: u32,
    order: Arc<CellOrder>,
    reach: f64,
    output: VarId,
}

impl Op for LogCellLength {
    fn output(&self) -> VarId {
        self.output
    }

    fn differentiable(&self) -> bool {
        false
    }
}

impl Kernel for LogCellLength {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut y);
        for (y, &symbol) in numbers.iter_mut().zip(frame.symbols(self.symbols)) {
            let (_, length) = interval(&self.order, self.order.cell(symbol as usize), self.reach);
            *y = S::Element::from_f64(libm::log(length));
        }
        frame.close(y);
    }
}

#[derive(Debug)]
struct InCell {
    inside: VarId,
    symbols: u32,
    order: Arc<CellOrder>,
    reach: f64,
    output: VarId,
}

impl Op for InCell {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.inside]
    }

    fn output(&self) -> VarId {
        self.output
    }
}

impl Kernel for InCell {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut y);
        let symbols = frame.symbols(self.symbols).iter().cycle();
        for ((y, inside), &symbol) in numbers.iter_mut().zip(frame.numbers(self.inside)).zip(symbols) {
            let (start, length) = interval(&self.order, self.order.cell(symbol as usize), self.reach);
            let z = start + inside.to_f64() * length;
            let cell = self.order.cell_at(z);
            *y = point_in(cell, z - cell as f64);
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let Some((mut dx, add)) = frame.open_gradient(0, self.inside) else { return };
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut dx);
        let dy: &[S::Element] = bytemuck::cast_slice(dy);
        let symbols = frame.symbols(self.symbols).iter().cycle();
        for ((dx, &dy), &symbol) in numbers.iter_mut().zip(dy).zip(symbols) {
            let (_, length) = interval(&self.order, self.order.cell(symbol as usize), self.reach);
            let slope = dy * S::Element::from_f64(length);
            *dx = if add { *dx + slope } else { slope };
        }
        frame.close(dx);
    }
}
