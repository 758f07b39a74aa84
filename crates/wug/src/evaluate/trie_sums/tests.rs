use proptest::prelude::*;
use rand_core::Rng;

use super::*;
use crate::evaluate::emissions::{LANES, Trajectories};
use crate::evaluate::{WordProbabilities, shared_trajectories};
use crate::lexicon::{END, Lexicon, Symbol};
use crate::random::{stream, unit};

/// Trajectories with made-up logits: a function of trajectory, position and symbol.
struct MadeUp<F> {
    symbols: usize,
    logit: F,
}

impl<F: Fn(u64, usize, usize) -> f32> Trajectories for MadeUp<F> {
    fn fill(&mut self, rows: &Rows, blocks: &mut [Block]) {
        for block in blocks {
            for position in 0..rows.positions() {
                let lanes = block.first..block.first + LANES as u64;
                let logits: Vec<f32> = (0..self.symbols)
                    .flat_map(|symbol| lanes.clone().map(move |lane| (lane, symbol)))
                    .map(|(lane, symbol)| (self.logit)(lane, position, symbol))
                    .collect();
                block.set(rows, position, &logits);
            }
        }
    }
}

fn run<F: Fn(u64, usize, usize) -> f32>(
    lexicon: &Lexicon,
    trajectories: u64,
    threads: usize,
    logit: F,
) -> Vec<WordProbabilities> {
    let mut points = Vec::new();
    let mut source = MadeUp { symbols: lexicon.alphabet().symbol_count(), logit };
    shared_trajectories(lexicon, trajectories, threads, &mut source, |point| points.push(point), &mut |_| ());
    points
}

/// `log (1/K) Σ_k Π_t softmax(logits)` in double precision, word by word.
fn brute_force(
    word: &[Symbol],
    symbols: usize,
    trajectories: u64,
    logit: impl Fn(u64, usize, usize) -> f32,
) -> f64 {
    let logs: Vec<f64> = (0..trajectories)
        .map(|k| {
            let log_p = |(position, &symbol): (usize, &Symbol)| {
                let x = |symbol: usize| f64::from(logit(k, position, symbol));
                let largest = (0..symbols).map(x).fold(f64::NEG_INFINITY, f64::max);
                let sum: f64 = (0..symbols).map(|symbol| (x(symbol) - largest).exp()).sum();
                x(usize::from(symbol)) - largest - sum.ln()
            };
            word.iter().enumerate().map(log_p).sum()
        })
        .collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + (logs.iter().map(|log| (log - largest).exp()).sum::<f64>() / trajectories as f64).ln()
}

/// Logits on a grid of eighths within ±`size`, so that single precision does not round differences.
fn random_logits(seed: u64, size: f64) -> impl Fn(u64, usize, usize) -> f32 + Copy {
    move |k, position, symbol| {
        let key = u128::from(k) << 64 | (position as u128) << 32 | symbol as u128;
        let uniform = unit(&mut stream(seed, *b"logits\0\0", key));
        ((2.0 * uniform - 1.0) * size * 8.0).round() as f32 / 8.0
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_walk_equals_brute_force(
        words in proptest::collection::vec("[a-e]{1,9}", 1..25),
        seed in any::<u64>(),
        trajectories in 1u64..600,
        // Up to products far below what single precision can hold.
        size in prop_oneof![Just(2.0), Just(10.0), Just(60.0), Just(200.0)],
        threads in 1usize..4,
    ) {
        let lexicon = Lexicon::from_counts(words.iter().map(|word| (word, 1))).unwrap();
        let logit = random_logits(seed, size);
        let symbols = lexicon.alphabet().symbol_count();
        for point in run(&lexicon, trajectories, threads, logit) {
            for word in lexicon.words() {
                let expected = brute_force(word.symbols, symbols, point.trajectories, logit);
                let found = point.log_probabilities[word.id as usize];
                // Differences of logarithms are relative errors of probabilities. Extreme logits are themselves known
                // to single precision only.
                let rounding = if size > 10.0 { 1e-7 * expected.abs() } else { 0.0 };
                prop_assert!(
                    (found - expected).abs() < 1e-6 + rounding,
                    "{} of {} trajectories: {found}, not {expected}", word.text, point.trajectories
                );
            }
        }
    }
}

/// All words of at most four letters over two letters: what they lack is the probability of longer words.
#[test]
fn probabilities_of_a_closed_alphabet_sum_to_one() {
    let mut words = vec![String::new()];
    let mut all = Vec::new();
    for _ in 0..4 {
        words = words.iter().flat_map(|word| [format!("{word}a"), format!("{word}b")]).collect();
        all.extend(words.iter().map(|word| (word.clone(), 1)));
    }
    let lexicon = Lexicon::from_counts(all).unwrap();
    let random = random_logits(3, 3.0);
    // The empty word is no word of a lexicon, and every word ends after four letters.
    let logit = move |k: u64, position: usize, symbol: usize| match (position, symbol == usize::from(END)) {
        (0, true) | (4, false) => -200.0,
        _ => random(k, position, symbol),
    };
    for point in run(&lexicon, 1000, 2, logit) {
        let total: f64 = lexicon.words().map(|word| point.log_probabilities[word.id as usize].exp()).sum();
        assert!((total - 1.0).abs() < 1e-6, "{} trajectories: {total}", point.trajectories);
    }
}

#[test]
fn improbable_words_keep_their_probability() {
    let lexicon = Lexicon::from_counts([("aaaaa", 1), ("b", 1)]).unwrap();
    // Each of five letters has e^−40, e^−160 or e^−1600 against b.
    for (logit, expected) in [(-40.0, -200.0), (-160.0, -800.0), (-1600.0, -8000.0)] {
        let end_last = move |_: u64, position: usize, symbol: usize| match symbol {
            0 => {
                if position == 5 {
                    0.0
                } else {
                    -1e5
                }
            }
            1 => {
                if position == 5 {
                    -1e5
                } else {
                    logit
                }
            }
            _ => {
                if position == 5 {
                    -1e5
                } else {
                    0.0
                }
            }
        };
        for point in run(&lexicon, 1000, 1, end_last) {
            let found = point.log_probabilities
                [lexicon.words().find(|word| word.text == "aaaaa").unwrap().id as usize];
            assert!((found - expected).abs() < 1e-6 * f64::abs(expected), "{found}, not {expected}");
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let mut rng = stream(1, *b"words\0\0\0", 0);
    let words = (0..300).map(|_| (format!("{:x}", rng.next_u32()), 1));
    let lexicon = Lexicon::from_counts(words).unwrap();
    let one = run(&lexicon, 2000, 1, random_logits(1, 5.0));
    for threads in [2, 3, 7] {
        assert_eq!(run(&lexicon, 2000, threads, random_logits(1, 5.0)), one);
    }
}

#[test]
fn points_of_the_curve() {
    use crate::evaluate::cross_entropy::curve;
    assert_eq!(curve(1), [1]);
    assert_eq!(curve(100), [10, 32, 100]);
    assert_eq!(curve(5000), [10, 32, 100, 316, 1000, 3162, 5000]);
}
