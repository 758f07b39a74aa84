use crate::check::{Inputs, Run, Size, check, config, lanes, sizes};
use crate::{Activation, Graph, Lanes, Var};
use proptest::collection::vec;
use proptest::prelude::*;

const SMALL: Size = Size { words: 5, particles: 2 };

proptest! {
    #![proptest_config(config(60))]
    /// Slices that overlap, repeat and leave rows out, added up in the order given.
    #[test]
    fn gradients_through_any_slices(
        size in sizes(), lanes in lanes(), slices in vec((0..6_usize, 0..6_usize), 1..7)
    ) {
        let ranges: Vec<_> = slices.iter().map(|&(a, b)| a.min(b)..a.max(b) + 1).collect();
        check(
            size,
            |graph, inputs| {
                let x = inputs.var(graph, (6, lanes), -1.0..1.0).tanh();
                let part = |(i, range): (usize, &std::ops::Range<usize>)| {
                    (x.slice(range.clone()) * (i + 1) as f64).square().sum_rows()
                };
                let parts: Vec<Var<'_>> = ranges.iter().enumerate().map(part).collect();
                graph.concat(&parts)
            },
            |inputs, word, particle| {
                let square = |i: usize, row| ((i + 1) as f64 * inputs.at(0, row, word, particle).tanh()).powi(2);
                let sum = |(i, range): (usize, &std::ops::Range<usize>)| range.clone().map(|row| square(i, row)).sum();
                ranges.iter().enumerate().map(sum).collect()
            },
        );
    }

    /// A variable with many readers of both kinds of lanes, among them itself.
    #[test]
    fn gradients_of_a_variable_used_many_times(size in sizes(), order in any::<[bool; 4]>()) {
        check(
            size,
            |graph, inputs| {
                let x = inputs.var(graph, (2, Lanes::Word), 0.5..1.5);
                let y = inputs.var(graph, (2, Lanes::Particle), 0.5..1.5);
                order.iter().fold(x * y, |sum, &first| {
                    if first { sum * x + y / x } else { sum + x * x + (y - x).exp() }
                })
            },
            |inputs, word, particle| {
                let one = |row| {
                    let (x, y) = (inputs.at(0, row, word, particle), inputs.at(1, row, word, particle));
                    order.iter().fold(x * y, |sum, &first| {
                        if first { sum * x + y / x } else { sum + x * x + (y - x).exp() }
                    })
                };
                (0..2).map(one).collect()
            },
        );
    }

    /// Rows of a slice of a slice, some of a result's rows without a reader.
    #[test]
    fn gradients_of_results_that_are_used_in_part(size in sizes(), lanes in lanes(), first in 0..3_usize) {
        check(
            size,
            |graph, inputs| {
                let weight = inputs.weight(7, 3);
                let x = inputs.var(graph, (3, lanes), -1.0..1.0);
                let y = graph.affine(&[(weight, x)], None, Activation::Tanh);
                y.slice(1..6).slice(first..first + 2) * y.slice(first..first + 2)
            },
            |inputs, word, particle| {
                let y = |row: usize| {
                    let product = |c| inputs.weight_at(0, row, c) * inputs.at(0, c, word, particle);
                    (0..3).map(product).sum::<f64>().tanh()
                };
                (0..2).map(|i| y(1 + first + i) * y(first + i)).collect()
            },
        );
    }
}

/// Loss, gradient and outputs' values in double numbers.
fn run(inputs: &Inputs, graph: &Graph, loss: Var<'_>, outputs: &[Var<'_>]) -> (f64, Vec<f64>, Vec<Vec<f64>>) {
    let mut run: Run<f64> = inputs.run(graph, 8, Some(loss), outputs);
    let (loss, gradient) = run.gradient();
    let values = outputs.iter().map(|output| run.values(output.id())).collect();
    (loss, gradient, values)
}

#[test]
fn a_loss_may_be_a_slice() {
    let mut inputs = Inputs::new(SMALL);
    let graph = inputs.graph();
    let x = inputs.var(&graph, (3, Lanes::Word), -1.0..1.0).tanh();
    let slice = run(&inputs, &graph, x.slice(1..2), &[]);
    let sum = run(&inputs, &graph, x.slice(1..2).sum_rows(), &[]);
    assert_eq!(slice, sum);
    assert_eq!([slice.1[0], slice.1[2]], [0.0, 0.0]);
    assert_ne!(slice.1[1], 0.0);
}

#[test]
fn a_loss_may_be_data_or_noise() {
    let mut inputs = Inputs::new(SMALL);
    let graph = inputs.graph();
    let _param = inputs.weight(2, 2);
    let data = inputs.given(&graph, (1, Lanes::Word), |_, word, _| word as f32);
    assert_eq!(run(&inputs, &graph, data, &[]), (7.5, vec![0.0; 4], vec![]));
    let noise = graph.normal(0, 1, Lanes::Word);
    assert_eq!(run(&inputs, &graph, noise, &[]).1, [0.0; 4]);
}

#[test]
fn outputs_and_branches_beside_the_loss_change_nothing() {
    let mut inputs = Inputs::new(SMALL);
    let graph = inputs.graph();
    let x = inputs.var(&graph, (3, Lanes::Particle), 0.5..1.0);
    let y = (x * x).tanh();
    let loss = y.sum_rows().log_sum_exp();
    let alone = run(&inputs, &graph, loss, &[]);
    let beside = y.exp().slice(0..2);
    let late = (beside - 1.0).sum_particles();
    let (value, gradient, values) = run(&inputs, &graph, loss, &[x, y, beside, late, loss]);
    assert_eq!((value, gradient), (alone.0, alone.1));
    // Values that outlive the backward run are what they were.
    for (word, x) in values[0].chunks_exact(6).enumerate() {
        let y: Vec<f64> = x.iter().map(|x| (x * x).tanh()).collect();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        (0..6).for_each(|i| close(values[1][6 * word + i], y[i]));
        (0..4).for_each(|i| close(values[2][4 * word + i], y[i / 2 * 3 + i % 2].exp()));
        close(values[3][2 * word], y[0].exp() + y[3].exp() - 2.0);
        let sums: f64 = y.chunks(3).map(|y| y.iter().sum::<f64>().exp()).sum();
        close(values[4][word], sums.ln());
    }
}

#[test]
fn what_nobody_reads_is_not_run() {
    let mut inputs = Inputs::new(SMALL);
    let graph = inputs.graph();
    let x = graph.broadcast(inputs.weight(2, 1));
    let dead = x.exp().tanh();
    let loss = x.sum_rows();
    let count = |program: &crate::Program<f32>| (program.forward.len(), program.backward.len());
    assert_eq!(count(&graph.compile(8, Some(loss), &[]).unwrap()), (2, 2));
    // An output runs forward only; without a loss nothing runs backward.
    assert_eq!(count(&graph.compile(8, Some(loss), &[dead]).unwrap()), (4, 2));
    assert_eq!(count(&graph.compile(8, None, &[dead]).unwrap()), (3, 0));
    // What depends on no parameter has no gradient.
    let data = graph.data(1, Lanes::Word).exp();
    assert_eq!(count(&graph.compile(8, Some(loss * data), &[]).unwrap()), (4, 3));
}

#[test]
fn forward_runs_use_space_again() {
    let mut inputs = Inputs::new(SMALL);
    let graph = inputs.graph();
    let mut x = graph.broadcast(inputs.weight(4, 1));
    for _ in 0..50 {
        x = x.tanh();
    }
    let variable = 4 * 8 * size_of::<f32>();
    let forward = graph.compile::<f32>(8, None, &[x]).unwrap();
    assert_eq!(forward.workspace_bytes(), 2 * variable);
    let loss = x.slice(0..1);
    let both = graph.compile::<f32>(8, Some(loss), &[]).unwrap();
    assert!(both.workspace_bytes() > 50 * variable, "the backward run reads every result");
    // The backward run of a sum reads nothing.
    let mut y = graph.broadcast(inputs.weight(4, 1));
    for _ in 0..50 {
        y = y + 1.0;
    }
    let sums = graph.compile::<f32>(8, Some(y.slice(0..1)), &[]).unwrap();
    assert!(sums.workspace_bytes() <= 4 * variable, "{}", sums.workspace_bytes());
}

#[test]
fn programs_of_different_shapes_share_a_runner() {
    let mut params = crate::Params::new();
    let weight = params.vector("weight", 3);
    let program = |particles: usize, words: usize| {
        let graph = Graph::new(&params, particles);
        let x = graph.broadcast(weight).expand() * graph.normal(0, 3, Lanes::Particle);
        graph.compile::<f64>(words, Some(x.tanh().sum_rows().sum_particles()), &[]).unwrap()
    };
    let flat = [0.3, -0.2, 0.9];
    let gradient = |programs: Vec<_>, order: &[usize]| {
        let tiles: Vec<_> = order.iter().map(|&number| crate::Tile::new(&programs, number)).collect();
        let mut runner = crate::Runner::new(&params, programs, 1).unwrap();
        let mut gradient = [0.0; 3];
        (runner.gradient(&flat, &tiles, crate::check::KEY, &mut gradient), gradient)
    };
    let first = gradient(vec![program(2, 8)], &[0]);
    let second = gradient(vec![program(5, 16)], &[0]);
    let both = gradient(vec![program(2, 8), program(5, 16)], &[0, 1]);
    assert_eq!(both.0, first.0 + second.0);
    assert_eq!(both.1, std::array::from_fn(|i| first.1[i] + second.1[i]));
}
