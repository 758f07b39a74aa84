//! Particles that each carry their own state, with resampling and noise drawn in the graph.

use crate::common::particles::ParticleStates;
use crate::common::{KEY, Setup, check_threads, compare};
use tilegrad::Element;

fn setup<T: Element>(particles: usize, count: usize, threads: usize) -> Setup<T> {
    ParticleStates::new(particles).setup(count, threads)
}

#[test]
fn gradients_are_those_of_differences() {
    for (particles, count) in [(4, 13), (7, 8), (1, 1)] {
        setup::<f64>(particles, count, 1).check_differences();
    }
}

#[test]
fn single_numbers_are_accurate() {
    let mut double = setup::<f64>(6, 20, 1);
    let (_, gradient) = double.gradient();
    compare(&double.params, &setup::<f32>(6, 20, 1).gradient().1, &gradient, 1e-5);
}

#[test]
fn results_are_the_same_bits_on_any_number_of_threads() {
    check_threads(|threads| setup::<f32>(6, 203, threads));
    check_threads(|threads| setup::<f32>(1, 9, threads));
    check_threads(|threads| setup::<f64>(3, 77, threads));
}

#[test]
fn some_words_resample_and_some_do_not() {
    let model = ParticleStates::<f32>::new(6);
    let kept = model.kept.clone();
    let Setup { mut runner, flat, tiles, .. } = model.setup(24, 1);
    let marks = runner
        .forward(&flat, &tiles, KEY, |_, values| {
            kept.iter().flat_map(|&keep| values.get(keep)).copied().collect::<Vec<f32>>()
        })
        .concat();
    let share = marks.iter().sum::<f32>() / marks.len() as f32;
    assert!((0.1..0.9).contains(&share), "{share}");
}
