//! Making words.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use wug::generate::{Constraint, SampleError, Way, WordBuilder};
use wug::{Error, Execution};

use crate::models::OpenModel;
use crate::{Answer, Failure};

/// Words that are told of together.
const BATCH: usize = 500;

/// What words to make, as the options of `wug sample` say it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordsRequest {
    pub(crate) model: String,
    count: u64,
    seed: u64,
    prefix: Option<String>,
    suffix: Option<String>,
    pattern: Option<String>,
    containing: Option<String>,
    without: Option<String>,
    /// The minimum and the maximum.
    syllables: Option<(usize, usize)>,
    min_length: Option<usize>,
    max_length: Option<usize>,
    #[serde(default)]
    novel: bool,
    #[serde(default)]
    unique: bool,
    temperature: Option<f32>,
    like: Option<String>,
    distance: Option<f32>,
    max_tries: Option<u64>,
}

/// The distance of words that are like another one, if it is not said.
const DISTANCE: f32 = 0.05;

impl WordsRequest {
    fn builder<'m>(&self, open: &mut OpenModel, words: WordBuilder<'m>) -> Result<WordBuilder<'m>, Failure> {
        let constraints = [
            self.prefix.clone().map(Constraint::Prefix),
            self.suffix.clone().map(Constraint::Suffix),
            self.pattern.clone().map(Constraint::Pattern),
            self.containing.clone().map(Constraint::Containing),
            self.without.clone().map(Constraint::Without),
            self.syllables.map(|(least, most)| Constraint::Syllables { least, most }),
            self.min_length.map(Constraint::AtLeast),
            self.max_length.map(Constraint::AtMost),
        ];
        let mut words = constraints.into_iter().flatten().fold(words, WordBuilder::constraint);
        if self.novel {
            words = words.exclude(open.list()?);
        }
        if let Some(temperature) = self.temperature {
            words = words.temperature(temperature);
        }
        if let Some(like) = &self.like {
            words = words.near(like, self.distance.unwrap_or(DISTANCE), 0);
        }
        if let Some(tries) = self.max_tries {
            words = words.max_tries(tries);
        }
        Ok(words.unique(self.unique).execution(Execution { seed: self.seed, threads: 1 }))
    }
}

/// Makes words and tells of them as they come. When it was given up, the words so far stand and the answer says why. It
/// also says whether they came from particles, where the last digits of numbers decide.
pub(crate) fn make(
    open: &mut OpenModel,
    request: &WordsRequest,
    tell: &mut dyn FnMut(&Value),
) -> Result<Answer, Failure> {
    let model = Arc::clone(&open.model);
    let words = request.builder(open, model.words())?;
    let mut words = words.make(request.count)?;
    let (mut ready, mut made): (Vec<String>, usize) = (Vec::new(), 0);
    let mut flush = |ready: &mut Vec<String>| {
        if !ready.is_empty() {
            made += ready.len();
            tell(&json!({ "words": ready }));
            ready.clear();
        }
    };
    let problem = loop {
        if !words.is_ready() || ready.len() >= BATCH {
            flush(&mut ready);
        }
        match words.next() {
            None => break None,
            Some(Ok(word)) => ready.push(word),
            Some(Err(Error::Sample(SampleError::GaveUp(problem)))) => break Some(problem.to_string()),
            Some(Err(error)) => return Err(error.into()),
        }
    };
    flush(&mut ready);
    let particles = matches!(words.account().way, Way::Particles { .. });
    Ok(Answer::of(json!({ "made": made, "problem": problem, "particles": particles })))
}

/// Which of some words are in the list that the model was trained on.
pub(crate) fn known(open: &mut OpenModel, words: &[String]) -> Result<Answer, Failure> {
    let list = open.list()?;
    let known: Vec<bool> = words.iter().map(|word| list.count(word) > 0).collect();
    Ok(Answer::of(json!({ "known": known })))
}
