//! The figures of the models that come with the library.

use serde::Serialize;

use super::Smoothing;

/// How good a model is, in nats per word on held-out words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Words seen in training.
    pub words_seen: u64,
    /// Cross entropy of the model.
    pub test: f64,
    /// How the best n-gram of the same words is interpolated.
    pub smoothing: Smoothing,
    /// Its symbols.
    pub ngram: usize,
    /// Its cross entropy.
    pub ngram_test: f64,
}

/// The figures of a model that comes with the library, if it was measured.
pub fn figures(model: &str) -> Option<Figures> {
    let mut lines = wug_data::FIGURES.lines();
    let columns: Vec<&str> = lines.next()?.split('\t').collect();
    let row: Vec<&str> =
        lines.map(|line| line.split('\t').collect()).find(|row: &Vec<&str>| row[0] == model)?;
    let get = |name: &str| row.get(columns.iter().position(|column| *column == name)?).copied();
    let best = |smoothing, order: &str, test: &str| -> Option<(Smoothing, usize, f64)> {
        Some((smoothing, get(order)?.parse().ok()?, get(test)?.parse().ok()?))
    };
    let bell = best(Smoothing::WittenBell, "witten_bell", "witten_bell_test")?;
    let kneser = best(Smoothing::KneserNey, "kneser_ney", "kneser_ney_test")?;
    let (smoothing, ngram, ngram_test) = if kneser.2 < bell.2 { kneser } else { bell };
    let (words_seen, test) = (get("words_seen")?.parse().ok()?, get("test")?.parse().ok()?);
    Some(Figures { words_seen, test, smoothing, ngram, ngram_test })
}
