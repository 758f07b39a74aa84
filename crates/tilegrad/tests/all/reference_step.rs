//! The reference step as a whole: particles that share one state per word.

use crate::common::reference::{FEATURES, PARTICLES, Reference, STEPS, SYMBOLS, Sizes};
use crate::common::{Setup, check_threads, compare, normal};
use tilegrad::Element;

/// The step with made-up parameters and inputs, in the sizes that models start from.
fn setup<T: Element>(sizes: Sizes, count: usize, words_per_tile: usize, threads: usize) -> Setup<T> {
    let reference = Reference::<T>::new(sizes, words_per_tile);
    let Sizes { state: d, particles, .. } = sizes;
    let mut flat = vec![T::default(); reference.params.len()];
    for (tensor, info) in reference.params.iter().enumerate() {
        let size = match info.name.as_str() {
            "start" => 0.5,
            name if name.ends_with("bias") => 0.1,
            name if name.starts_with("flow") && name.contains(".1.") => 0.3 / (info.cols as f64).sqrt(),
            "emission.weight" => 1.0,
            _ => 1.0 / (info.cols as f64).sqrt(),
        };
        for (i, number) in flat[info.range()].iter_mut().enumerate() {
            // Rounded to single numbers, so that both number types compute the same.
            *number = T::from_f64(f64::from((size * normal::<f64>(0, tensor, i)) as f32));
        }
    }
    let tiles = reference.tiles(
        count,
        |t, word| (0..FEATURES).map(|i| normal(1, t * 1000 + word, i)).collect(),
        |which, t, word| (0..particles * d).map(|i| normal(2 + which, t * 1000 + word, i)).collect(),
        |t, word| ((word * 11 + t * 5 + word * t) % SYMBOLS) as u32,
    );
    Setup::new(reference.params, reference.programs, flat, tiles, threads)
}

const REAL: Sizes = Sizes { state: 8, hidden: 64, steps: STEPS, particles: PARTICLES };
const LARGE: Sizes = Sizes { state: 32, hidden: 128, steps: STEPS, particles: PARTICLES };

#[test]
fn gradients_are_those_of_differences() {
    for (state, hidden, steps, particles, count) in [(3, 5, 3, 4, 11), (2, 3, 2, 1, 1), (1, 4, 3, 3, 8)] {
        setup::<f64>(Sizes { state, hidden, steps, particles }, count, 8, 1).check_differences();
    }
}

fn check_single_against_double(sizes: Sizes, words_per_tile: usize) {
    let mut double = setup::<f64>(sizes, 128, words_per_tile, 2);
    let (loss, gradient) = double.gradient();
    let (single_loss, single) = setup::<f32>(sizes, 128, words_per_tile, 2).gradient();
    assert!((loss - single_loss).abs() < 1e-5 * loss.abs(), "{loss} {single_loss}");
    compare(&double.params, &single, &gradient, 1e-5);
}

#[test]
fn single_numbers_are_accurate_at_the_real_size() {
    check_single_against_double(REAL, 16);
}

#[test]
fn single_numbers_are_accurate_with_a_large_state() {
    check_single_against_double(LARGE, 32);
}

#[test]
fn the_size_of_tiles_does_not_matter() {
    let sizes = Sizes { steps: 3, ..REAL };
    // Nineteen tiles of eight, more than there are groups of tiles.
    let mut one = setup::<f64>(sizes, 149, 8, 1);
    let (loss, gradient) = one.gradient();
    for words_per_tile in [16, 24, 64] {
        let (other_loss, other) = setup::<f64>(sizes, 149, words_per_tile, 1).gradient();
        assert!((loss - other_loss).abs() < 1e-13 * loss.abs());
        compare(&one.params, &other, &gradient, 1e-12);
    }
}

#[test]
fn results_are_the_same_bits_on_any_number_of_threads() {
    check_threads(|threads| setup::<f32>(REAL, 128, 8, threads));
    // More tiles than groups, the last one not full.
    check_threads(|threads| setup::<f32>(Sizes { steps: 2, ..REAL }, 149, 8, threads));
    check_threads(|threads| setup::<f64>(Sizes { steps: 2, ..REAL }, 5, 8, threads));
}
