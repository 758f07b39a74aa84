//! Where the training of a short list had better start: at the bundled model that knows most about its words.

use crate::TrainedModel;
use crate::languages::model_names;
use crate::lexicon::{Lexicon, Weighting};
use crate::measure::ScoreSettings;

/// The most words of a short list. With 3,000 names to learn from, starting from a model still paid (`docs/experiments/0006-lists.md`).
const SHORT: usize = 3500;
/// The most words that are looked at.
const LOOKED_AT: usize = 50;

/// A model to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The name of a model that comes with the library.
    pub model: &'static str,
    /// Whether it knows the list's letters in lower case alone.
    pub lower_case: bool,
}

/// The model of new words under which the words of a short list are the most probable. None if the list is long, or if each model
/// lacks one of its letters.
pub fn start_for(lexicon: &Lexicon) -> Option<Start> {
    if lexicon.types() > SHORT {
        return None;
    }
    let words: Vec<String> = lexicon.words().take(LOOKED_AT).map(|word| word.text.to_owned()).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let start = |words: &[String], lower_case| nearest(words).map(|model| Start { model, lower_case });
    start(&words, false).or_else(|| start(&lower, true))
}

fn nearest(words: &[String]) -> Option<&'static str> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let found = model_names().filter_map(|name| Some((name, log_probability(name, &words)?)));
    found.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(name, _)| name)
}

/// Of all the words together; none if the model cannot spell one of them, or if it is token-weighted.
fn log_probability(name: &str, words: &[&str]) -> Option<f64> {
    let model =
        TrainedModel::named(name).ok().filter(|model| model.config.data.weighting == Weighting::Types)?;
    if words.iter().any(|word| model.alphabet.encode(word).is_err()) {
        return None;
    }
    let scores = model.scores(words, ScoreSettings::default()).ok()?;
    scores.into_iter().map(|score| Some(score.ok()?.log_probability)).sum()
}
