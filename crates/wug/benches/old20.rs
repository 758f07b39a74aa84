//! OLD20, Coltheart's N and the nearest words of 1,000 words against the 50,058 of the bundled list.
//!
//! Run with `cargo bench -p wug --bench old20`.

use std::sync::Arc;
use std::time::Instant;

use wug::Execution;
use wug::lexicon::{Filter, bundled};
use wug::measure::{Columns, ListIndex, Measures, ScoreSettings, Sources};

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
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    let started = Instant::now();
    let list = ListIndex::of(Arc::new(lexicon.clone()));
    let measures = |threads| {
        let columns = Columns::named(["coltheart_n", "old20", "nearest"], false, false).expect("columns");
        let sources = Sources { lexicon: Some(Arc::clone(&list)), ..Sources::default() };
        let settings =
            ScoreSettings { execution: Execution { seed: 1, threads }, ..ScoreSettings::default() };
        Measures::new(columns, sources, settings).expect("a lexicon")
    };
    measures(1).measure(&texts[..1]).expect("a word");
    println!("prepared {} words in {:.3} s", lexicon.types(), started.elapsed().as_secs_f64());
    for threads in [1, 2] {
        let mut seconds: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let started = Instant::now();
                std::hint::black_box(measures(threads).measure(&texts).expect("words"));
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
    let mean: f64 = measures(2)
        .measure(&texts)
        .expect("words")
        .iter()
        .flatten()
        .filter_map(|word| word.number("old20"))
        .sum();
    println!("mean OLD20 {:.6}", mean / words.len() as f64);
}
