//! How the cost of OLD20, N and the nearest words grows with the list and with the words' length, on one thread.
//!
//!     wug sample -m de -n 1010000 --unique --seed 1 > words.txt
//!     cargo bench -p wug --bench neighbours -- "$PWD/words.txt" > benches/results/neighbours.tsv
//!
//! The last words are measured, next to more and more of the first ones, and by length next to 100,000 of them.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use wug::Execution;
use wug::lexicon::Lexicon;
use wug::measure::{Columns, ListIndex, Measures, ScoreSettings, Sources};

/// Words that are measured at the end of the file, and as many of one length at the most.
const MEASURED: usize = 10_000;
const OF_ONE_LENGTH: usize = 2000;
/// Fewer words of a length say nothing.
const FEWEST: usize = 100;
const SIZES: [usize; 7] = [10_000, 30_000, 100_000, 200_000, 300_000, 600_000, 1_000_000];
const LENGTHS_BESIDE: usize = 100_000;
const ROUNDS: usize = 5;

fn measures(words: &[&str]) -> Measures {
    let lexicon = Lexicon::from_counts(words.iter().map(|word| (word, 1))).expect("words");
    let columns = Columns::named(["coltheart_n", "old20", "nearest"], false, false).expect("columns");
    let sources = Sources { lexicon: Some(ListIndex::of(Arc::new(lexicon))), ..Sources::default() };
    let settings = ScoreSettings { execution: Execution { seed: 1, threads: 1 }, ..ScoreSettings::default() };
    Measures::new(columns, sources, settings).expect("a lexicon")
}

/// Microseconds that a word takes: the fastest of some rounds.
fn microseconds(measures: &Measures, words: &[&str]) -> f64 {
    let round = |_| {
        let started = Instant::now();
        black_box(measures.measure(words).expect("words"));
        started.elapsed().as_secs_f64() * 1e6 / words.len() as f64
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

fn main() {
    let path = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    // Without a list, as in `cargo bench --workspace`, there is nothing to do.
    let Some(path) = path else { return eprintln!("give a file with words") };
    let text = std::fs::read_to_string(&path).expect("a file with words");
    let words: Vec<&str> = text.lines().collect();
    let (list, measured) = words.split_at(words.len() - MEASURED);
    println!("kind\tx\tmicroseconds\tprepared_seconds");
    for size in SIZES.into_iter().filter(|size| *size <= list.len()) {
        let measures = measures(&list[..size]);
        let started = Instant::now();
        black_box(measures.measure(&measured[..1]).expect("a word"));
        let prepared = started.elapsed().as_secs_f64();
        println!("list\t{size}\t{:.2}\t{prepared:.4}", microseconds(&measures, measured));
    }
    let mut lengths: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for word in &words[LENGTHS_BESIDE..] {
        let own = lengths.entry(word.chars().count()).or_default();
        if own.len() < OF_ONE_LENGTH {
            own.push(word);
        }
    }
    let measures = measures(&list[..LENGTHS_BESIDE]);
    for (length, words) in lengths.into_iter().filter(|(_, words)| words.len() >= FEWEST) {
        println!("length\t{length}\t{:.2}\t", microseconds(&measures, &words));
    }
}
