//! The particle filter against an integral.

use super::{RandomWalk, WORDS};
use crate::Execution;
use crate::evaluate::{Estimate, Precision, log_probabilities, surprisals};
use crate::lexicon::Symbol;

fn particles(particles: usize) -> Precision {
    Precision { particles, error: None }
}

#[test]
fn surprisals_are_those_of_the_beginnings_and_add_up() {
    let walk = RandomWalk::new();
    let found =
        surprisals(walk.fitted(), &WORDS, particles(200_000), Execution { seed: 1, threads: 2 }, &mut |_| ())
            .unwrap();
    for (word, found) in WORDS.iter().zip(found) {
        assert_eq!(found.surprisals.len(), word.len());
        let total: f64 = found.surprisals.iter().sum();
        assert!((total + found.log_probability.mean).abs() < 1e-9, "{word:?}: {found:?}");
        let mut before = 1.0;
        for (end, surprisal) in (1..).zip(&found.surprisals) {
            let exact = RandomWalk::exact(&word[..end]);
            let expected = -(exact / before).ln();
            assert!((surprisal - expected).abs() < 0.02, "{word:?}, {end}: {surprisal}, exact {expected}");
            before = exact;
        }
    }
}

#[test]
fn the_particle_filter_is_unbiased() {
    let walk = RandomWalk::new();
    for particles in [8, 64] {
        let mut found = vec![Vec::new(); WORDS.len()];
        for seed in 0..400 {
            let words = log_probabilities(
                walk.fitted(),
                &WORDS,
                particles,
                Execution { seed, threads: 1 },
                &mut |_| (),
            )
            .unwrap();
            found.iter_mut().zip(words).for_each(|(found, word)| found.push(word.mean.exp()));
        }
        for (word, found) in WORDS.iter().zip(found) {
            let (exact, found) = (RandomWalk::exact(word), Estimate::of(&found));
            assert!(
                (found.mean - exact).abs() < 4.0 * found.error && found.error < 0.1 * exact,
                "{word:?} with {particles} particles: {found:?}, exact {exact}"
            );
        }
    }
}

#[test]
fn the_stated_error_of_a_word_is_its_error() {
    let walk = RandomWalk::new();
    let word: &[Symbol] = WORDS[3];
    // Enough particles for the error to be small: it is stated to first order.
    let found: Vec<Estimate> = (0..150)
        .map(|seed| {
            log_probabilities(walk.fitted(), &[word], 8000, Execution { seed, threads: 1 }, &mut |_| ())
                .unwrap()[0]
        })
        .collect();
    let means: Vec<f64> = found.iter().map(|found| found.mean).collect();
    let seen = Estimate::of(&means).error * 150f64.sqrt();
    let stated = found.iter().map(|found| found.error).sum::<f64>() / 150.0;
    assert!(stated < 1.3 * seen && seen < 1.3 * stated, "stated {stated}, seen {seen}");
}

#[test]
fn more_particles_make_the_cross_entropy_fall() {
    let walk = RandomWalk::new();
    let word: &[Symbol] = WORDS[3];
    let exact = -RandomWalk::exact(word).ln();
    let mut before: Option<Estimate> = None;
    for (particles, runs) in [(8, 300), (32, 300), (128, 300), (512, 300), (4096, 100)] {
        let found: Vec<f64> = (0..runs)
            .map(|seed| {
                -log_probabilities(
                    walk.fitted(),
                    &[word],
                    particles,
                    Execution { seed, threads: 1 },
                    &mut |_| (),
                )
                .unwrap()[0]
                    .mean
            })
            .collect();
        let found = Estimate::of(&found);
        assert!(found.mean > exact - 3.0 * found.error, "{particles}: {found:?} below {exact}");
        if let Some(before) = before {
            let error = before.error.hypot(found.error);
            assert!(found.mean < before.mean + 2.0 * error, "{particles}: {found:?} after {before:?}");
        }
        before = Some(found);
    }
    let last = before.unwrap();
    assert!((last.mean - exact).abs() < 0.01, "{last:?}, exact {exact}");
}

#[test]
fn a_word_is_estimated_alike_in_any_company_and_on_any_number_of_threads() {
    let walk = RandomWalk::new();
    let run = |words: &[&[Symbol]], threads| {
        log_probabilities(walk.fitted(), words, 20_000, Execution { seed: 7, threads }, &mut |_| ()).unwrap()
    };
    let all = run(&WORDS, 1);
    assert_eq!(run(&WORDS, 3), all);
    assert_eq!(run(&[WORDS[2]], 2), [all[2]]);
}

/// q is sure of the wrong half of the line. Without particles from the prior the estimate is more than a nat too low, and its
/// stated error does not show it.
#[test]
fn a_proposal_that_misses_the_posterior_does_no_harm() {
    let mut walk = RandomWalk::new();
    walk.propose(2.0, 0.3);
    let word: &[Symbol] = &[1, 1, 0];
    let exact = RandomWalk::exact(word).ln();
    let found = |seed| {
        log_probabilities(walk.fitted(), &[word], 4000, Execution { seed, threads: 1 }, &mut |_| ()).unwrap()
            [0]
    };
    let all: Vec<Estimate> = (0..40).map(found).collect();
    for found in &all {
        assert!(
            (found.mean - exact).abs() < 5.0 * found.error && found.error < 0.2,
            "{found:?}, exact {exact}"
        );
    }
    let probabilities: Vec<f64> = all.iter().map(|found| (found.mean - exact).exp()).collect();
    let mean = Estimate::of(&probabilities);
    assert!((mean.mean - 1.0).abs() < 4.0 * mean.error && mean.error < 0.03, "{mean:?}");
}

#[test]
fn particles_are_added_until_the_error_is_what_was_asked_for() {
    let walk = RandomWalk::new();
    let run = |words: &[&[Symbol]], error| {
        let precision = Precision { particles: 64, error: Some(error) };
        surprisals(walk.fitted(), words, precision, Execution { seed: 2, threads: 1 }, &mut |_| ()).unwrap()
    };
    for (word, found) in WORDS.iter().zip(run(&WORDS, 0.01)) {
        let (found, exact) = (found.log_probability, RandomWalk::exact(word).ln());
        assert!(found.error <= 0.01 && (found.mean - exact).abs() < 0.05, "{found:?}, exact {exact}");
    }
    assert_eq!(run(&WORDS[2..3], 0.02), run(&WORDS, 0.02)[2..3]);
    // An error that cannot be had ends with the most particles.
    let done = &mut 0;
    let precision = Precision { particles: 1 << 16, error: Some(0.0) };
    let execution = Execution { seed: 2, threads: 1 };
    surprisals(walk.fitted(), &WORDS[..1], precision, execution, &mut |words| *done = words).unwrap();
    assert_eq!(*done, 0);
}
