//! Choices along a line: the unit interval cut into shares by a softmax, and stretched to cells of length one.
//!
//! With `p = softmax(x)`, `c_k` the sum of the shares before cell k and `u` in `[c_k, c_k + p_k)`, the point of the line
//! is `z = k + (u − c_k) / p_k`: a piecewise linear, monotone map whose slope is `1 / p_k`. Read from right to left it is
//! `u = c_k + (z − k) p_k` with `k = ⌊z⌋`.

mod in_cell;
mod log_shares;

pub use log_shares::NO_SHARE;

use std::sync::Arc;

use bytemuck::Zeroable;

use super::{Keep, Kernel, Op};
use crate::cell_order::CellOrder;
use crate::element::Element;
use crate::frame::Frame;
use crate::graph::{Var, VarId};
use crate::shape::{Lanes, Shape};
use crate::simd::Simd;

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

impl Kernel for CellMap {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let (words, lanes) = (frame.dims().words, frame.dims().lanes(self.lanes[2]));
        let strides = [0, 1].map(|input| stride(self.lanes[input], lanes, words));
        let [x, argument] = self.inputs.map(|input| frame.numbers(input));
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut y);
        for (at, y) in numbers.iter_mut().enumerate() {
            let logit = |row: usize| x[row * strides[0] + at % strides[0]].to_f64();
            let lane = self.lane(logit, argument[at % strides[1]].to_f64());
            *y = match self.map {
                Map::Point => point_in(lane.cell, lane.inside),
                Map::Place => S::Element::from_f64(lane.u),
                Map::LogShare => {
                    let logit = logit(self.order.rows()[lane.cell] as usize);
                    S::Element::from_f64(logit - lane.largest - libm::log(lane.total))
                }
            };
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let (words, lanes) = (frame.dims().words, frame.dims().lanes(self.lanes[2]));
        let strides = [0, 1].map(|input| stride(self.lanes[input], lanes, words));
        let dy: &[S::Element] = bytemuck::cast_slice(dy);
        for input in [0, 1] {
            let Some((mut dx, add)) = frame.open_gradient(input, self.inputs[input]) else { continue };
            if !add {
                dx.fill(S::Vector::zeroed());
            }
            let [x, argument] = self.inputs.map(|input| frame.numbers(input));
            let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut dx);
            for (at, &dy) in dy.iter().enumerate() {
                let logit = |row: usize| x[row * strides[0] + at % strides[0]].to_f64();
                let lane = self.lane(logit, argument[at % strides[1]].to_f64());
                if input == 1 {
                    let slope = match self.map {
                        Map::Point => lane.share.recip(),
                        Map::Place => lane.share,
                        Map::LogShare => 0.0,
                    };
                    numbers[at % strides[1]] += S::Element::from_f64(slope * dy.to_f64());
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
                    let at = row as usize * strides[0] + at % strides[0];
                    numbers[at] += S::Element::from_f64(slope * dy.to_f64());
                }
            }
            frame.close(dx);
        }
    }
}

#[cfg(test)]
mod tests;
