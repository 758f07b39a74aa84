//! What the results come from, in sentences.

use std::collections::BTreeSet;
use std::fmt::Display;

use serde::Serialize;
use wug::grouped;

use crate::{Effort, RunOutcome, RunResult, rows};

/// What was run, and how.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Setting {
    /// Results in the report.
    pub runs: usize,
    /// Runs that diverged, with the message of each.
    pub diverged: Vec<(String, String)>,
    /// What all of it depends on: a line for each thing.
    pub lines: Vec<String>,
}

impl Setting {
    pub(super) fn of(results: &[RunResult]) -> Self {
        let diverged = results
            .iter()
            .filter_map(|result| match &result.outcome {
                RunOutcome::Diverged(message) => Some((result.name(), message.clone())),
                RunOutcome::Measured(_) => None,
            })
            .collect();
        let lines = [
            format!("Words seen by each run: {}", all(results, |result| grouped(result.words_seen))),
            format!(
                "Corpus: {}",
                all(results, |result| {
                    let found = &result.lexicon;
                    let digest: String = found.sha256.chars().take(12).collect();
                    let (types, tokens) = (grouped(found.types as u64), grouped(found.tokens));
                    format!(
                        "{}, {types} distinct words, {tokens} occurrences (SHA-256 {digest}…)",
                        result.config.data.lexicon
                    )
                })
            ),
            format!(
                "Measured with: {}",
                all(results, |result| {
                    let Effort { trajectories, particles, draws } = result.effort;
                    format!(
                        "{} shared trajectories; particle filter with {} particles on {} draws from each part",
                        grouped(trajectories),
                        grouped(particles as u64),
                        grouped(draws as u64)
                    )
                })
            ),
            format!(
                "Training: {}",
                all(results, |result| {
                    let train = &result.config.train;
                    format!("Adam, learning rate {}, batches of {} words", train.learning_rate, train.batch)
                })
            ),
            format!("Version: wug {}", all(results, |result| result.wug_version.clone())),
        ];
        let done: BTreeSet<&str> = results.iter().map(|result| result.row.as_str()).collect();
        let trained = rows().iter().filter(|row| row.config().is_some()).count();
        let part = (done.len() < trained)
            .then(|| format!("Rows: {} of {trained}; the others were not run", done.len()));
        Self { runs: results.len(), diverged, lines: lines.into_iter().chain(part).collect() }
    }
}

/// What all results have, or the different things that they have.
fn all<T: Display + Ord>(results: &[RunResult], what: impl Fn(&RunResult) -> T) -> String {
    let found: BTreeSet<T> = results.iter().map(what).collect();
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    if found.is_empty() { "–".into() } else { found.join("; or ") }
}
