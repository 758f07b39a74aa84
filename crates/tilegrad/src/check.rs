//! One check that every operation goes through.
//!
//! An operation's inputs are `broadcast(parameter) · data + data`, with random data in every lane, and
//! its result is multiplied by random data and summed up to a loss. So the gradient of the parameters
//! is a random projection of the operation's gradient at every lane, and of its slopes in all rows.
//! Gradients are checked twice: with the operation as the only reader of its inputs, and with readers
//! after it, whose contributions it must add to.

mod inputs;

pub(crate) use inputs::{Inputs, Run};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::simd::Path;
use crate::{Graph, Lanes, NoiseKey, Var};

pub(crate) const KEY: NoiseKey = NoiseKey { seed: 5, step: 9 };

/// Number of words (of any number of tiles) and of particles per word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) words: usize,
    pub(crate) particles: usize,
}

/// Cases from a fixed seed: every run of the tests sees the same.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        // An interpreter takes a thousand times as long: it looks at memory, not at numbers.
        cases: if cfg!(miri) { cases.div_ceil(20) } else { cases },
        rng_seed: RngSeed::Fixed(20),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// One word, a part of a tile, several tiles of eight; one particle or a few.
pub(crate) fn sizes() -> impl Strategy<Value = Size> {
    let words = prop_oneof![1 => Just(1), 1 => Just(8), 4 => 2..20_usize];
    let particles = prop_oneof![1 => Just(1), 3 => 2..6_usize];
    (words, particles).prop_map(|(words, particles)| Size { words, particles })
}

pub(crate) fn lanes() -> impl Strategy<Value = Lanes> {
    prop_oneof![Just(Lanes::Word), Just(Lanes::Particle)]
}

fn norm(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[track_caller]
pub(crate) fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    let difference: Vec<f64> = found.iter().zip(expected).map(|(x, y)| x - y).collect();
    let distance = norm(&difference);
    assert!(
        distance <= tolerance && found.len() == expected.len(),
        "{what}: distance {distance:e}\nfound    {found:?}\nexpected {expected:?}"
    );
}

/// Numbers of order one are rounded by 1e-7, so what is left where they cancel is not expected to be more
/// accurate than 1e-5 of this.
const CANCELLED: f64 = 0.1;

/// Checks an operation: values against `formula(inputs, word, particle)`, which gives one lane's rows;
/// gradients against differences; single against double numbers, on every path, with the same bits on those that fuse;
/// and that neither the words that share
/// a tile nor lanes without a word matter.
pub(crate) fn check(
    size: Size,
    record: impl for<'g> FnOnce(&'g Graph, &mut Inputs) -> Var<'g>,
    formula: impl Fn(&Inputs, usize, usize) -> Vec<f64>,
) {
    let mut inputs = Inputs::new(size);
    let graph = inputs.graph();
    let output = record(&graph, &mut inputs);
    let loss = inputs.project(&graph, output);
    check_values(&inputs, &graph, output, formula);
    check_gradient(&inputs, &graph, loss);
    if let Some(after) = inputs.project_vars(&graph) {
        check_gradient(&inputs, &graph, loss + after);
    }
}

/// Runs something in single precision on every path. Those that fuse must give the same bits, and so must the others.
fn on_all_paths(mut run: impl FnMut(Path) -> Vec<f64>) {
    let mut known: [Option<(Path, Vec<u64>)>; 2] = [None, None];
    for path in Path::available() {
        let bits: Vec<u64> = run(path).into_iter().map(f64::to_bits).collect();
        match &known[usize::from(path.fuses())] {
            Some((other, expected)) => assert!(bits == *expected, "{path} and {other} differ"),
            None => known[usize::from(path.fuses())] = Some((path, bits)),
        }
    }
}

fn check_values(
    inputs: &Inputs,
    graph: &Graph,
    output: Var<'_>,
    formula: impl Fn(&Inputs, usize, usize) -> Vec<f64>,
) {
    let Size { words, particles } = inputs.size;
    let values = inputs.run::<f64>(graph, 8, None, &[output]).values(output.id());
    let particles = if output.shape().lanes == Lanes::Word { 1 } else { particles };
    let expected = (0..words * particles).flat_map(|lane| {
        let rows = formula(inputs, lane / particles, lane % particles);
        assert_eq!(rows.len(), output.rows());
        rows
    });
    for (i, (&found, expected)) in values.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(error <= 1e-11 * (1.0 + expected.abs()), "value {i}: {found} instead of {expected}");
    }
    let alone = inputs.run::<f64>(graph, 1, None, &[output]).values(output.id());
    assert_eq!(values, alone, "values depend on what else is in the tile");
    on_all_paths(|path| {
        let single = inputs.run::<f32>(graph, 8, None, &[output]).on_path(path).values(output.id());
        assert_close("single values", &single, &values, 1e-5 * norm(&values).max(CANCELLED));
        single
    });
}

fn check_gradient(inputs: &Inputs, graph: &Graph, loss: Var<'_>) {
    let mut double: Run<f64> = inputs.run(graph, 8, Some(loss), &[]);
    let mut alone: Run<f64> = inputs.run(graph, 1, Some(loss), &[]);
    let mut singles = Vec::new();
    on_all_paths(|path| {
        let (_, single) = inputs.run::<f32>(graph, 8, Some(loss), &[]).on_path(path).gradient();
        singles.push(single.clone());
        single
    });
    let (loss, gradient) = double.gradient();
    let differences = double.differences();
    let words: Vec<Vec<f64>> =
        (0..inputs.size.words).map(|word| alone.gradient_of(word..word + 1).1).collect();
    for info in inputs.params.iter() {
        let (name, own) = (format!("gradient of parameter {}", info.name), &gradient[info.range()]);
        let of_words = words.iter().map(|gradient| &gradient[info.range()]);
        // Summands may cancel each other, their rounding does not.
        let scale = of_words.clone().map(norm).sum::<f64>().max(CANCELLED);
        let sum: Vec<f64> = (0..own.len()).map(|i| of_words.clone().map(|own| own[i]).sum()).collect();
        let rounding = 1e-11 * (1.0 + loss.abs());
        let tolerance = 1e-6 * norm(own) + rounding;
        assert_close(&format!("{name}, differences"), own, &differences[info.range()], tolerance);
        for single in &singles {
            assert_close(&format!("{name}, single"), &single[info.range()], own, 1e-5 * scale);
        }
        assert_close(&format!("{name}, sum of words"), &sum, own, 1e-12 * scale);
    }
}
