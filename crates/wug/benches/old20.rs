//! OLD20, Coltheart's N and the nearest words of 1,000 words against the 50,058 of the bundled list.
//!
//! Run with `cargo bench -p wug --bench old20`.

use std::time::Instant;

use wug::lexicon::{Filter, bundled};
use wug::measure::LetterMeasures;

/// Words that are measured: half are in the list, half are not.
const WORDS: usize = 1000;
const ROUNDS: usize = 5;

fn main() {
    let (lexicon, _) = bundled().expect("the bundled list").into_lexicon(&Filter::PAPER).expect("words");
    let all: Vec<&str> = lexicon.words().map(|word| word.text).collect();
    let step = all.len() / (WORDS / 2);
    let own = all.iter().step_by(step).take(WORDS / 2);
    let words: Vec<String> =
        own.flat_map(|word| [(*word).to_owned(), word.chars().rev().collect::<String>()]).collect();
    let started = Instant::now();
    let measures = LetterMeasures::of(&lexicon);
    println!("prepared {} words in {:.3} s", lexicon.types(), started.elapsed().as_secs_f64());
    for threads in [1, 2] {
        let mut seconds: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let started = Instant::now();
                std::hint::black_box(measures.measure_all(&words, threads));
                started.elapsed().as_secs_f64()
            })
            .collect();
        seconds.sort_unstable_by(f64::total_cmp);
        println!(
            "{} words, {threads} threads: {:.3} s (median of {ROUNDS}, {:.3} to {:.3})",
            words.len(),
            seconds[ROUNDS / 2],
            seconds[0],
            seconds[ROUNDS - 1]
        );
    }
    let mean: f64 = measures.measure_all(&words, 2).iter().filter_map(|word| word.old20).sum();
    println!("mean OLD20 {:.6}", mean / words.len() as f64);
}
