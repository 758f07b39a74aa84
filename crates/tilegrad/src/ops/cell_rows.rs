//! A table looked up by a point of a line of cells.
//!
//! Inside a cell the result is the table's row of that cell; near a soft edge it is a mixture of both sides' rows.

use std::sync::Arc;

use super::{Keep, Kernel, Op};
use crate::cell_order::CellOrder;
use crate::element::{Element, Vector};
use crate::frame::Frame;
use crate::graph::{Graph, Var, VarId};
use crate::params::Param;
use crate::shape::Shape;

use bytemuck::Zeroable;

impl Graph {
    /// `Σ_k share_k(z) table_k`: the table's row of the cell that each point lies in.
    #[track_caller]
    pub fn cell_rows<'g>(&'g self, table: Param, z: Var<'g>, order: &Arc<CellOrder>) -> Var<'g> {
        let shape = z.shape();
        if !self.knows("cell rows", table) || !self.owns("cell rows", z) {
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

impl<T: Element> Kernel<T> for CellRows {
    fn forward(&self, frame: &mut Frame<'_, T>) {
        frame.produce(self.output, |frame, y| {
            let (table, cols) = (frame.param(self.table), self.table.cols);
            let z = frame.numbers(self.z);
            let width = z.len() / T::Vector::LANES;
            let whole = cols / T::Vector::LANES * T::Vector::LANES;
            // Blocks of as many rows as lanes are transposed at once.
            for (v, z) in z.chunks_exact(T::Vector::LANES).enumerate() {
                // Eight is the most lanes a vector has.
                let mut starts = [0; 8];
                for (start, z) in starts.iter_mut().zip(z) {
                    *start = self.order.rows()[self.order.cell_at(z.to_f64())] as usize * cols;
                }
                for first in (0..whole).step_by(T::Vector::LANES) {
                    let mut block = [T::Vector::zeroed(); 8];
                    for (row, &start) in block.iter_mut().zip(&starts[..T::Vector::LANES]) {
                        *row = bytemuck::pod_read_unaligned(bytemuck::cast_slice(
                            &table[start + first..][..T::Vector::LANES],
                        ));
                    }
                    T::Vector::transpose(&mut block[..T::Vector::LANES]);
                    for (r, &row) in block[..T::Vector::LANES].iter().enumerate() {
                        y[(first + r) * width + v] = row;
                    }
                }
                for r in whole..cols {
                    let numbers: &mut [T] =
                        bytemuck::cast_slice_mut(std::slice::from_mut(&mut y[r * width + v]));
                    numbers.iter_mut().zip(&starts).for_each(|(y, &start)| *y = table[start + r]);
                }
            }
            if self.order.softness() > 0.0 {
                let y: &mut [T] = bytemuck::cast_slice_mut(y);
                for (lane, point) in z.iter().enumerate() {
                    let shares = self.order.shares(point.to_f64());
                    let (own, other) = (shares.row * cols, shares.other * cols);
                    let share = T::from_f64(shares.share);
                    for r in 0..cols {
                        y[r * z.len() + lane] += share * (table[other + r] - table[own + r]);
                    }
                }
            }
        });
    }

    fn backward(&self, frame: &mut Frame<'_, T>, dy: &mut [T::Vector]) {
        let numbers: &[T] = bytemuck::cast_slice(dy);
        let cols = self.table.cols;
        let soft = self.order.softness() > 0.0;
        frame.contribute(0, self.z, |frame, dz, add| {
            let dz: &mut [T] = bytemuck::cast_slice_mut(dz);
            if !add {
                dz.fill(T::default());
            }
            let table = frame.param(self.table);
            let z = frame.numbers(self.z);
            for (lane, (dz, point)) in dz.iter_mut().zip(z).enumerate().filter(|_| soft) {
                let shares = self.order.shares(point.to_f64());
                let difference = |r: usize| table[shares.other * cols + r] - table[shares.row * cols + r];
                let sum =
                    (0..cols).map(|r| (numbers[r * z.len() + lane] * difference(r)).to_f64()).sum::<f64>();
                *dz += T::from_f64(shares.slope * sum);
            }
        });
        frame.contribute_param(self.table, |frame, gradient| {
            let gradient: &mut [T] = bytemuck::cast_slice_mut(gradient);
            let z = frame.numbers(self.z);
            let at = |row: usize, r: usize| frame.layout().number::<T>(self.table, row, r);
            for (lanes, z_lanes) in
                (0..z.len()).step_by(T::Vector::LANES).zip(z.chunks_exact(T::Vector::LANES))
            {
                let mut rows = [0; 8];
                for (row, z) in rows.iter_mut().zip(z_lanes) {
                    *row = self.order.rows()[self.order.cell_at(z.to_f64())] as usize;
                }
                for r in 0..cols {
                    let dy = &numbers[r * z.len() + lanes..][..T::Vector::LANES];
                    for (&row, &dy) in rows.iter().zip(dy) {
                        gradient[at(row, r)] += dy;
                    }
                }
            }
            for (lane, point) in z.iter().enumerate().filter(|_| soft) {
                let shares = self.order.shares(point.to_f64());
                for r in 0..cols {
                    let part = T::from_f64(shares.share) * numbers[r * z.len() + lane];
                    gradient[at(shares.other, r)] += part;
                    gradient[at(shares.row, r)] += T::default() - part;
                }
            }
        });
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
                    let table = inputs.weight(cells, rows);
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
