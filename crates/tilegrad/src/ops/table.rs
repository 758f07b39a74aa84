//! Parameters as variables: a table looked up by symbol, and a vector shared by all words.

use std::sync::Arc;

use bytemuck::Zeroable;

use super::{Kernel, Op, add_row_sums};
use crate::frame::Frame;
use crate::graph::{Graph, Symbols, Var, VarId};
use crate::params::Param;
use crate::shape::{Lanes, Shape};
use crate::simd::{Simd, Vector};

impl Graph {
    /// The row of `table` that belongs to each word's symbol.
    #[track_caller]
    pub fn embedding<'g>(&'g self, table: Param, symbols: Symbols<'g>) -> Var<'g> {
        self.knows_table("embedding", table);
        if !std::ptr::eq(self, symbols.graph) {
            self.fail("embedding", "the symbols belong to another graph".into());
        }
        let shape = Shape { rows: table.cols, lanes: Lanes::Word };
        self.push(shape, |output| Arc::new(Embedding { table, symbols: symbols.index, output }))
    }

    /// The same vector for every word.
    #[track_caller]
    pub fn broadcast(&self, vector: Param) -> Var<'_> {
        self.knows("broadcast", vector);
        if vector.cols != 1 {
            self.fail("broadcast", format!("the parameter is {}×{}, not a vector", vector.rows, vector.cols));
        }
        let shape = Shape { rows: vector.rows, lanes: Lanes::Word };
        self.push(shape, |output| Arc::new(Broadcast { vector, output }))
    }
}

#[derive(Debug)]
struct Embedding {
    table: Param,
    symbols: u32,
    output: VarId,
}

impl Op for Embedding {
    fn output(&self) -> VarId {
        self.output
    }

    fn has_params(&self) -> bool {
        true
    }
}

impl Kernel for Embedding {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let words = frame.dims().words;
        let table = frame.param(self.table);
        let numbers: &mut [S::Element] = bytemuck::cast_slice_mut(&mut y);
        for (word, &symbol) in frame.symbols(self.symbols).iter().enumerate() {
            let row = &table[symbol as usize * self.table.cols..][..self.table.cols];
            for (r, &number) in row.iter().enumerate() {
                numbers[r * words + word] = number;
            }
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let mut gradient = frame.open_param(self.table);
        let width = frame.width(Lanes::Word);
        let symbols = frame.symbols(self.symbols).chunks_exact(S::Vector::LANES);
        for (column, symbols) in symbols.enumerate() {
            let mut rows = [0; 8];
            for (row, &symbol) in rows.iter_mut().zip(symbols) {
                *row = symbol as usize;
            }
            add_to_rows::<S>(&mut gradient, self.table, rows, (dy, width), column);
        }
        frame.close(gradient);
    }
}

/// Adds the lanes of one column of vectors, of rows that are `width` vectors wide, to the rows of a table's gradient that belong to
/// them. Eight is the most lanes a vector has.
#[inline(always)]
pub(super) fn add_to_rows<S: Simd>(
    gradient: &mut [S::Vector],
    table: Param,
    rows: [usize; 8],
    (dy, width): (&[S::Vector], usize),
    column: usize,
) {
    let lanes = S::Vector::LANES;
    let row_vectors = table.cols.div_ceil(lanes);
    for (group, dy) in dy[..table.cols * width].chunks(lanes * width).enumerate() {
        let mut block = [S::Vector::zeroed(); 8];
        for (vector, dy) in block.iter_mut().zip(dy.chunks_exact(width)) {
            *vector = dy[column];
        }
        S::Vector::transpose(&mut block[..lanes]);
        for (&row, &dy) in rows.iter().zip(&block[..lanes]) {
            gradient[row * row_vectors + group] += dy;
        }
    }
}

#[derive(Debug)]
struct Broadcast {
    vector: Param,
    output: VarId,
}

impl Op for Broadcast {
    fn output(&self) -> VarId {
        self.output
    }

    fn has_params(&self) -> bool {
        true
    }
}

impl Kernel for Broadcast {
    #[inline(always)]
    fn forward<S: Simd>(&self, frame: &mut Frame<'_, S>) {
        let mut y = frame.open(self.output);
        let rows = y.chunks_exact_mut(frame.width(Lanes::Word));
        for (row, &number) in rows.zip(frame.param(self.vector)) {
            row.fill(S::Vector::splat(number));
        }
        frame.close(y);
    }

    #[inline(always)]
    fn backward<S: Simd>(&self, frame: &mut Frame<'_, S>, dy: &mut [S::Vector]) {
        let mut gradient = frame.open_param(self.vector);
        add_row_sums::<S>(&mut gradient, dy, frame.width(Lanes::Word));
        frame.close(gradient);
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{check, config, sizes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(config(40))]
        #[test]
        fn embeddings(size in sizes(), symbols in 1..12_usize, rows in 1..12_usize) {
            check(
                size,
                |graph, inputs| {
                    let table = inputs.table(symbols, rows);
                    graph.embedding(table, inputs.symbols(graph, symbols))
                },
                |inputs, word, _| {
                    let symbol = inputs.symbol_at(0, word);
                    (0..rows).map(|row| inputs.weight_at(0, symbol, row)).collect()
                },
            );
        }

        #[test]
        fn broadcasts(size in sizes(), rows in 1..12_usize) {
            check(
                size,
                |graph, inputs| graph.broadcast(inputs.weight(rows, 1)),
                |inputs, _, _| (0..rows).map(|row| inputs.weight_at(0, row, 0)).collect(),
            );
        }
    }
}
