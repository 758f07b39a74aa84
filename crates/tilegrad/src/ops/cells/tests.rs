use std::sync::Arc;

use proptest::prelude::*;

use crate::check::{Inputs, Run, Size, check, config, lanes, sizes};
use crate::{CellOrder, Cells, Element, Lanes};

fn reversed(cells: usize) -> Arc<CellOrder> {
    let rows: Vec<u32> = (0..cells as u32).rev().collect();
    Arc::new(CellOrder::new(&rows).unwrap())
}

/// Shares in the order of the cells, reversed as above.
fn shares(inputs: &Inputs, cells: usize, word: usize, particle: usize) -> Vec<f64> {
    let e: Vec<f64> = (0..cells).rev().map(|row| inputs.at(0, row, word, particle).exp()).collect();
    let total: f64 = e.iter().sum();
    e.iter().map(|e| e / total).collect()
}

proptest! {
    #![proptest_config(config(60))]

    /// Points stay inside one cell, where maps are smooth enough for differences.
    #[test]
    fn places_and_shares(size in sizes(), cells in 1..7_usize, cell in 0..7_usize, x in lanes(), z in lanes(), share in any::<bool>()) {
        let (order, cell) = (reversed(cells), cell % cells);
        let first = cell as f32;
        check(
            size,
            |graph, inputs| {
                let logits = inputs.var(graph, (cells, x), -2.0..2.0);
                let z = inputs.var(graph, (1, z), first + 0.1..first + 0.9);
                let cells = Cells::new(logits, &order);
                if share { cells.log_share(z) } else { cells.place(z) }
            },
            |inputs, word, particle| {
                let p = shares(inputs, cells, word, particle);
                let inside = inputs.at(1, 0, word, particle) - cell as f64;
                vec![if share { p[cell].ln() } else { p[..cell].iter().sum::<f64>() + inside * p[cell] }]
            },
        );
    }

    /// The two maps undo each other, values and gradients: towards the logits nothing is left.
    #[test]
    fn points_undo_places(size in sizes(), cells in 1..7_usize, cell in 0..7_usize, x in lanes(), z in lanes()) {
        let (order, cell) = (reversed(cells), cell % cells);
        let first = cell as f32;
        check(
            size,
            |graph, inputs| {
                let logits = inputs.var(graph, (cells, x), -1.0..1.0);
                let z = inputs.var(graph, (1, z), first + 0.1..first + 0.9);
                let zero = logits.slice(0..1) * 0.0;
                let cells = Cells::new(logits, &order);
                cells.point(cells.place(z)) + zero
            },
            |inputs, word, particle| vec![inputs.at(1, 0, word, particle)],
        );
    }

    #[test]
    fn points_in_cells(size in sizes(), cells in 1..7_usize, lanes in lanes(), reach in prop_oneof![Just(0.0), Just(0.25)]) {
        let order = reversed(cells);
        check(
            size,
            |graph, inputs| {
                let inside = inputs.var(graph, (1, lanes), 0.0..1.0);
                inside.in_cell(inputs.symbols(graph, cells), &order, reach)
            },
            |inputs, word, particle| {
                let cell = (cells - 1 - inputs.symbol_at(0, word)) as f64;
                let (start, end) = ((cell - reach).max(0.0), (cell + 1.0 + reach).min(cells as f64));
                vec![start + inputs.at(0, 0, word, particle) * (end - start)]
            },
        );
    }
}

/// Numbers at the very edges stay in their cells, in both number types, also where cells have many digits.
#[test]
fn edges_belong_to_their_cells() {
    fn points<T: Element>(cells: usize) -> Vec<f64> {
        let mut inputs = Inputs::new(Size { words: 8, particles: 1 });
        let graph = inputs.graph();
        let order = reversed(cells);
        let u = inputs.given(&graph, (1, Lanes::Word), |_, word, _| {
            [1e-30, 0.5, 1.0 - f32::EPSILON / 2.0, 0.25, 0.75, 0.999, 1e-6, 0.1][word]
        });
        let symbols = inputs.symbols(&graph, cells);
        let inside = u.in_cell(symbols, &order, 0.0);
        let logits =
            inputs.given(&graph, (cells, Lanes::Word), |row, _, _| if row == 0 { 0.0 } else { -30.0 });
        let point = Cells::new(logits, &order).point(u);
        let mut run: Run<T> = inputs.run(&graph, 8, None, &[inside, point]);
        for (word, z) in run.values(inside.id()).into_iter().enumerate() {
            assert_eq!(z as usize, cells - 1 - inputs.symbol_at(0, word), "{z}");
        }
        run.values(point.id())
    }
    for cells in [2, 27, 3000] {
        for z in points::<f32>(cells).into_iter().chain(points::<f64>(cells)) {
            assert!(z >= 0.0 && z < cells as f64, "{z}");
        }
    }
}

#[test]
fn log_shares_are_those_of_the_order() {
    let mut inputs = Inputs::new(Size { words: 8, particles: 1 });
    let graph = inputs.graph();
    let hard = reversed(3);
    let soft = Arc::new(CellOrder::clone(&hard).with_softness(0.05).unwrap());
    let points = [0.0, 0.99, 1.0, 1.01, 1.5, 2.04, 2.999, 0.4_f32];
    let z = inputs.given(&graph, (1, Lanes::Word), |_, word, _| points[word]);
    let outputs = [z.cell_log_shares(&hard), z.cell_log_shares(&soft)];
    let mut run: Run<f64> = inputs.run(&graph, 8, None, &outputs);
    let [hard_values, soft_values] = outputs.map(|output| run.values(output.id()));
    for (word, &z) in points.iter().enumerate() {
        let own = 2 - z as usize;
        let (hard, near) = (&hard_values[word * 3..][..3], &soft_values[word * 3..][..3]);
        assert!((0..3).all(|row| hard[row] == if row == own { 0.0 } else { crate::NO_SHARE }));
        assert!((near.iter().map(|x| x.exp()).sum::<f64>() - 1.0).abs() < 1e-12);
    }
    assert!((soft_values[2 * 3 + 1].exp() - 0.5).abs() < 1e-12, "half at the edge");
}
