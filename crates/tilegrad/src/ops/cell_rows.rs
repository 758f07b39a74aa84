//! A table looked up by a point of a line of cells.
//!
//! Inside a cell the result is the table's row of that cell; near a soft edge it is a mixture of both sides' rows.

use std::sync::Arc;

use super::table::add_to_rows;
use super::{Keep, Kernel, Op};
use crate::cell_order::CellOrder;
use crate::element::Element;
use crate::frame::Frame;
use crate::graph::{Graph, Var, VarId};
use crate::params::Param;
use crate::shape::Shape;
use crate::simd::{Simd, Vector};

use bytemuck::Zeroable;

impl Graph {
    /// `Σ_k share_k(z) table_k`: the table's row of the cell that each point lies in.
    #[track_caller]
    pub fn cell_rows<'g>(&'g self, table: Param, z: Var<'g>, order: &Arc<CellOrder>) -> Var<'g> {
        let shape = z.shape();
        if !self.knows_table("cell rows", table) || !self.owns("cell rows", z) {
            return z;
        }
        if shape.rows != 1 || table.rows != order.count() {
            let (rows, cols, cells) = (table.rows, table.cols, order.count());
            self.fail(
                "cell rows",
                format!("the table is {rows}×{cols} for {cells} cells, the point is {shape}"),
            );
            return z;
        }
        let shape = Shape { rows: table.cols, ..shape };
        let (z, order) = (z.id, Arc::clone(order));
        self.push(shape, |output| Arc::new(CellRows { table, z, order, output }))
    }
}

#[derive(Debug)]
struct CellRows {
    table: Param,
    z: VarId,
    order: Arc<CellOrder>,
    output: VarId,
}

impl Op for CellRows {
    fn inputs(&self) -> Vec<VarId> {
        vec![self.z]
    }

    fn output(&self) -> VarId {
        self.output
    }

    fn keeps(&self) -> Keep {
        Keep::INPUTS
    }

    fn has_params(&self) -> bool {
        true
    }
}

impl Kernel for CellRows {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let (table, cols) = (frame.param(self.table), self.table.cols);
        let z = frame.numbers(self.z);
        let lanes = S::Vector::LANES;
        let width = z.len() / lanes;
        let whole = cols / lanes * lanes;
        // Blocks of as many rows as lanes are transposed at once.
        for (v, z) in z.chunks_exact(lanes).enumerate() {
            // Eight is the most lanes a vector has.
            let mut starts = [0; 8];
            for (start, z) in starts.iter_mut().zip(z) {
                *start = self.order.rows()[self.order.cell_at(z.to_f64())] as usize * cols;
            }
            for first in (0..whole).step_by(lanes) {
                let mut block = [S::Vector::zeroed(); 8];
                for (row, &start) in block.iter_mut().zip(&starts[..lanes]) {
                    *row = S::Vector::load(&table[start + first..]);
                }
                S::Vector::transpose(&mut block[..lanes]);
                for (r, &row) in block[..lanes].iter().enumerate() {
                    y[(first + r) * width + v] = row;
                }
            }
            for r in whole..cols {
                let numbers: &mut [S::Element] =
                    bytemuck::cast_slice_mut(std::slice::from_mut(&mut y[r * width + v]));
                for (y, &start) in numbers.iter_mut().zip(&starts) {
                    *y = table[start + r];
                }
            }
        }
        if self.order.softness() > 0.0 {
            let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut y);
            for (lane, point) in z.iter().enumerate() {
                let shares = self.order.shares(point.to_f64());
                let (own, other) = (shares.row * cols, shares.other * cols);
                let share = S::Element::from_f64(shares.share);
                for r in 0..cols {
                    numbers[r * z.len() + lane] += share * (table[other + r] - table[own + r]);
                }
            }
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let (vectors, cols) = (&*dy, self.table.cols);
        let dy: &[S::Element] = bytemuck::cast_slice(vectors);
        let soft = self.order.softness() > 0.0;
        if let Some((mut dz, add)) = frame.open_gradient(0, self.z) {
            if !add {
                dz.fill(S::Vector::zeroed());
            }
            let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut dz);
            let table = frame.param(self.table);
            let z = frame.numbers(self.z);
            for (lane, (dz, point)) in numbers.iter_mut().zip(z).enumerate().filter(|_| soft) {
                let shares = self.order.shares(point.to_f64());
                let mut sum = 0.0;
                for r in 0..cols {
                    let difference = table[shares.other * cols + r] - table[shares.row * cols + r];
                    sum += (dy[r * z.len() + lane] * difference).to_f64();
                }
                *dz += S::Element::from_f64(shares.slope * sum);
            }
            frame.close(dz);
        }
        let mut gradient = frame.open_param(self.table);
        let (z, lanes) = (frame.numbers(self.z), S::Vector::LANES);
        for (column, z_lanes) in z.chunks_exact(lanes).enumerate() {
            let mut rows = [0; 8];
            for (row, z) in rows.iter_mut().zip(z_lanes) {
                *row = self.order.rows()[self.order.cell_at(z.to_f64())] as usize;
            }
            add_to_rows::<S>(&mut gradient, self.table, rows, (vectors, z.len() / lanes), column);
        }
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut gradient);
        let stride = cols.div_ceil(lanes) * lanes;
        for (lane, point) in z.iter().enumerate().filter(|_| soft) {
            let shares = self.order.shares(point.to_f64());
            let (other, own) = (shares.other * stride, shares.row * stride);
            for r in 0..cols {
                let part = S::Element::from_f64(shares.share) * dy[r * z.len() + lane];
                numbers[other + r] += part;
                numbers[own + r] += S::Element::default() - part;
            }
        }
        frame.close(gradient);
    }
}

#[cfg(test)]
mod tests {
    use crate::CellOrder;
    use crate::check::{check, config, lanes, sizes};
    use proptest::prelude::*;
    use std::sync::Arc;

    proptest! {
        #![proptest_config(config(40))]
        #[test]
        fn rows_of_cells(size in sizes(), cells in 2..7_usize, rows in 1..20_usize, lanes in lanes(), soft in any::<bool>()) {
            // With soft edges, points around the first one: the mixture is smooth there.
            let order: Vec<u32> = (0..cells as u32).rev().collect();
            let order = CellOrder::new(&order).unwrap().with_softness(if soft { 0.05 } else { 0.0 }).unwrap();
            let order = Arc::new(order);
            // A quarter of a number in this range is near the edge; differences are taken in small steps then.
            let range = if soft { 3.5..4.5 } else { 3.6..8.0 };
            check(
                size,
                |graph, inputs| {
                    let table = inputs.table(cells, rows);
                    let z = inputs.var(graph, (1, lanes), range) * 0.25;
                    // Only the slope at soft edges is smooth enough for differences.
                    graph.cell_rows(table, if soft { z } else { z.stop_gradient() }, &order)
                },
                |inputs, word, particle| {
                    let z = 0.25 * inputs.at(0, 0, word, particle);
                    let weight = |cell: usize| {
                        if soft { (-(z - cell as f64 - 0.5).powi(2) / 0.05).exp() } else { f64::from(u8::from(z as usize == cell)) }
                    };
                    let near = [z.round() as usize - 1, z.round() as usize];
                    let near = if soft { near } else { [z as usize, cells] };
                    let total: f64 = near.iter().map(|&cell| weight(cell)).sum();
                    let row = |r| near.iter().filter(|&&cell| cell < cells).map(|&cell| {
                        weight(cell) / total * inputs.weight_at(0, cells - 1 - cell, r)
                    }).sum();
                    (0..rows).map(row).collect()
                },
            );
        }
    }
}
