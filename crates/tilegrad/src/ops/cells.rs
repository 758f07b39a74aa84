//! Choices along a line: the unit interval cut into shares by a softmax, and stretched to cells of length one.
//!
//! With `p = softmax(x)`, `c_k` the sum of the shares before cell k and `u` in `[c_k, c_k + p_k)`, the point of the line
//! is `z = k + (u − c_k) / p_k`: a piecewise linear, monotone map whose slope is `1 / p_k`. Read from right to left it is
//! `u = c_k + (z − k) p_k` with `k = ⌊z⌋`.

use std::sync::Arc;

use super::{Keep, Kernel, Op};
use crate::cell_order::CellOrder;
use crate::element::Element;
use crate::frame::Frame;
use crate::graph::{Graph, Symbols, Var, VarId};
use crate::shape::{Lanes, Shape};

/// The shares of a softmax as cells of a line.
#[derive(Debug, Clone)]
pub struct Cells<'g> {
    logits: Var<'g>,
    order: Arc<CellOrder>,
}

impl<'g> Cells<'g> {
    /// Cells whose shares are the softmax of `logits`, which has a row for each cell of the order.
    #[track_caller]
    pub fn new(logits: Var<'g>, order: &Arc<CellOrder>) -> Self {
        if logits.rows() != order.count() {
            let message = format!("the logits are {}, the order has {} cells", logits.shape(), order.count());
            logits.graph.fail("cells", message);
        }
        Self { logits, order: Arc::clone(order) }
    }

    /// `z = k + (u − c_k) / p_k`, for `u` in (0, 1).
    #[track_caller]
    pub fn point(&self, u: Var<'g>) -> Var<'g> {
        self.record(u, Map::Point)
    }

    /// `u = c_k + (z − k) p_k`, the inverse of [`Cells::point`].
    #[track_caller]
    pub fn place(&self, z: Var<'g>) -> Var<'g> {
        self.record(z, Map::Place)
    }

    /// `ln p_k` of the cell of each point: minus the logarithm of the slope of [`Cells::point`].
    #[track_caller]
    pub fn log_share(&self, z: Var<'g>) -> Var<'g> {
        self.record(z, Map::LogShare)
    }

    #[track_caller]
    fn record(&self, argument: Var<'g>, map: Map) -> Var<'g> {
        let graph = self.logits.graph;
        if !graph.owns("cells", argument) {
            return argument;
        }
        let (x, a) = (self.logits.shape(), argument.shape());
        if a.rows != 1 || x.rows != self.order.count() {
            graph.fail("cells", format!("the argument is {a}, not one row; the logits are {x}"));
            return argument;
        }
        let lanes = x.lanes.join(a.lanes);
        let inputs = [self.logits.id, argument.id];
        let order = Arc::clone(&self.order);
        let op = |output| Arc::new(CellMap { map, order, inputs, lanes: [x.lanes, a.lanes, lanes], output });
        graph.push(Shape { rows: 1, lanes }, |output| op(output) as Arc<dyn Op>)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Map {
    Point,
    Place,
    LogShare,
}

#[derive(Debug)]
struct CellMap {
    map: Map,
    order: Arc<CellOrder>,
    /// Logits and argument.
    inputs: [VarId; 2],
    /// Of the logits, the argument and the result.
    lanes: [Lanes; 3],
    output: VarId,
}

/// One lane's shares.
struct Lane {
    /// Cell of the argument, and its share.
    cell: usize,
    share: f64,
    largest: f64,
    total: f64,
    /// `u` and `z − k`.
    u: f64,
    inside: f64,
}

impl CellMap {
    fn lane(&self, logit: impl Fn(usize) -> f64, argument: f64) -> Lane {
        let rows = self.order.rows();
        let largest = rows.iter().map(|&row| logit(row as usize)).fold(f64::NEG_INFINITY, f64::max);
        let weight = |cell: usize| libm::exp(logit(rows[cell] as usize) - largest);
        let total: f64 = (0..rows.len()).map(weight).sum();
        let mut before = 0.0;
        if self.map == Map::Point {
            let mut cell = 0;
            while cell + 1 < rows.len() && before + weight(cell) <= argument * total {
                before += weight(cell);
                cell += 1;
            }
            let (before, share) = (before / total, weight(cell) / total);
            let inside = ((argument - before) / share).clamp(0.0, 1.0);
            return Lane { cell, share, largest, total, u: argument, inside };
        }
        let cell = self.order.cell_at(argument);
        (0..cell).for_each(|cell| before += weight(cell));
        let (before, share) = (before / total, weight(cell) / total);
        let inside = argument - cell as f64;
        Lane { cell, share, largest, total, u: before + inside * share, inside }
    }
}

/// `cell + inside`, rounded such that it stays in the cell.
fn point_in<T: Element>(cell: usize, inside: f64) -> T {
    let end = cell as f64 + 1.0;
    let z = T::from_f64(cell as f64 + inside);
    if z.to_f64() < end { z } else { T::from_f64(end).next_down() }
}

impl Op for CellMap {
    fn inputs(&self) -> Vec<VarId> {
        self.inputs.to_vec()
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        Keep::INPUTS
    }
}

/// How lanes of a result are found in an input: lanes per word repeat for every particle.
fn stride(own: Lanes, frame_lanes: usize, words: usize) -> usize {
    if own == Lanes::Word { words } else { frame_lanes }
}

impl<T: Element> Kernel<T> for CellMap {
    fn forward(&self, frame: &mut Frame<'_, T>) {
        frame.produce(self.output, |frame, y| {
            let (words, lanes) = (frame.dims().words, frame.dims().lanes(self.lanes[2]));
            let strides = [0, 1].map(|input| stride(self.lanes[input], lanes, words));
            let [x, argument] = self.inputs.map(|input| frame.numbers(input));
            let y: &mut [T] = bytemuck::cast_slice_mut(y);
            for (at, y) in y.iter_mut().enumerate() {
                let logit = |row: usize| x[row * strides[0] + at % strides[0]].to_f64();
                let lane = self.lane(logit, argument[at % strides[1]].to_f64());
                *y = match self.map {
                    Map::Point => point_in(lane.cell, lane.inside),
                    Map::Place => T::from_f64(lane.u),
                    Map::LogShare => {
                        let logit = logit(self.order.rows()[lane.cell] as usize);
                        T::from_f64(logit - lane.largest - libm::log(lane.total))
                    }
                };
            }
        });
    }

    fn backward(&self, frame: &mut Frame<'_, T>, dy: &mut [T::Vector]) {
        let (words, lanes) = (frame.dims().words, frame.dims().lanes(self.lanes[2]));
        let strides = [0, 1].map(|input| stride(self.lanes[input], lanes, words));
        let dy_numbers: &[T] = bytemuck::cast_slice(dy);
        for input in [0, 1] {
            frame.contribute(input, self.inputs[input], |frame, dx, add| {
                if !add {
                    dx.fill(bytemuck::Zeroable::zeroed());
                }
                let [x, argument] = self.inputs.map(|input| frame.numbers(input));
                let dx: &mut [T] = bytemuck::cast_slice_mut(dx);
                for (at, &dy) in dy_numbers.iter().enumerate() {
                    let logit = |row: usize| x[row * strides[0] + at % strides[0]].to_f64();
                    let lane = self.lane(logit, argument[at % strides[1]].to_f64());
                    if input == 1 {
                        let slope = match self.map {
                            Map::Point => lane.share.recip(),
                            Map::Place => lane.share,
                            Map::LogShare => 0.0,
                        };
                        dx[at % strides[1]] += T::from_f64(slope * dy.to_f64());
                        continue;
                    }
                    for (cell, &row) in self.order.rows().iter().enumerate() {
                        let p = libm::exp(logit(row as usize) - lane.largest) / lane.total;
                        let is_before = f64::from(u8::from(cell < lane.cell));
                        let is_own = f64::from(u8::from(cell == lane.cell));
                        let slope = match self.map {
                            Map::Point => p / lane.share * (lane.u - is_before) - lane.inside * is_own,
                            Map::Place => p * (is_before - lane.u) + lane.inside * lane.share * is_own,
                            Map::LogShare => is_own - p,
                        };
                        dx[row as usize * strides[0] + at % strides[0]] += T::from_f64(slope * dy.to_f64());
                    }
                }
            });
        }
    }
}

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

    /// `ln` of the share that each row's cell has of a point: 0 in the point's own cell if edges are hard, [`NO_SHARE`] for
    /// all others. Gradients do not pass through it.
    #[track_caller]
    pub fn cell_log_shares(self, order: &Arc<CellOrder>) -> Var<'g> {
        let shape = self.shape();
        if shape.rows != 1 {
            self.graph.fail("shares of a point", format!("the variable is {shape}, not one row"));
            return self;
        }
        let (z, order) = (self.id, Arc::clone(order));
        let shape = Shape { rows: order.count(), ..shape };
        self.graph.push(shape, |output| Arc::new(LogShares { z, order, output }))
    }
}

/// The logarithm of nothing, as a number that can be computed with.
pub const NO_SHARE: f64 = -1e4;

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

impl<T: Element> Kernel<T> for LogCellLength {
    fn forward(&self, frame: &mut Frame<'_, T>) {
        frame.produce(self.output, |frame, y| {
            let y: &mut [T] = bytemuck::cast_slice_mut(y);
            for (y, &symbol) in y.iter_mut().zip(frame.symbols(self.symbols)) {
                let (_, length) = interval(&self.order, self.order.cell(symbol as usize), self.reach);
                *y = T::from_f64(libm::log(length));
            }
        });
    }

    fn backward(&self, _frame: &mut Frame<'_, T>, _dy: &mut [T::Vector]) {}
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

impl<T: Element> Kernel<T> for InCell {
    fn forward(&self, frame: &mut Frame<'_, T>) {
        frame.produce(self.output, |frame, y| {
            let y: &mut [T] = bytemuck::cast_slice_mut(y);
            let symbols = frame.symbols(self.symbols);
            let lanes = y.iter_mut().zip(frame.numbers(self.inside)).zip(symbols.iter().cycle());
            for ((y, inside), &symbol) in lanes {
                let (start, length) = interval(&self.order, self.order.cell(symbol as usize), self.reach);
                let z = start + inside.to_f64() * length;
                let cell = self.order.cell_at(z);
                *y = point_in(cell, z - cell as f64);
            }
        });
    }

    fn backward(&self, frame: &mut Frame<'_, T>, dy: &mut [T::Vector]) {
        frame.contribute(0, self.inside, |frame, dx, add| {
            let dx: &mut [T] = bytemuck::cast_slice_mut(dx);
            let dy: &[T] = bytemuck::cast_slice(dy);
            let symbols = frame.symbols(self.symbols);
            for ((dx, &dy), &symbol) in dx.iter_mut().zip(dy).zip(symbols.iter().cycle()) {
                let (_, length) = interval(&self.order, self.order.cell(symbol as usize), self.reach);
                let slope = dy * T::from_f64(length);
                *dx = if add { *dx + slope } else { slope };
            }
        });
    }
}

#[derive(Debug)]
struct LogShares {
    z: VarId,
    order: Arc<CellOrder>,
    output: VarId,
}

impl Op for LogShares {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.z]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn differentiable(&self) -> bool {
        false
    }
}

impl<T: Element> Kernel<T> for LogShares {
    fn forward(&self, frame: &mut Frame<'_, T>) {
        frame.produce(self.output, |frame, y| {
            let y: &mut [T] = bytemuck::cast_slice_mut(y);
            y.fill(T::from_f64(NO_SHARE));
            let z = frame.numbers(self.z);
            for (lane, point) in z.iter().enumerate() {
                let shares = self.order.shares(point.to_f64());
                let mut set = |row: usize, share: f64| {
                    y[row * z.len() + lane] = T::from_f64(libm::log(share).max(NO_SHARE));
                };
                set(shares.other, shares.share);
                set(shares.row, 1.0 - shares.share);
            }
        });
    }
}

#[cfg(test)]
mod tests;
