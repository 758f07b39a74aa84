//! Making words.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use wug::Error;
use wug::generate::{SampleError, Way, WordRequest};

use crate::models::OpenModel;
use crate::{Answer, Failure};

/// Words that are told of together.
const BATCH: usize = 500;

/// How many words of which kind to make.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordsRequest {
    pub(crate) model: String,
    count: u64,
    request: WordRequest,
}

/// Makes words and tells of them as they come. When it was given up, the words so far stand and the answer says why. It
/// also says whether they came from particles, where the last digits of numbers decide.
pub(crate) fn make(
    open: &mut OpenModel,
    request: &WordsRequest,
    tell: &mut dyn FnMut(&Value),
) -> Result<Answer, Failure> {
    let model = Arc::clone(&open.model);
    let mut asked = request.request.clone();
    // The page has read the list already.
    let novel = std::mem::take(&mut asked.novel);
    let mut words = model.words_of(asked)?.threads(1);
    if novel {
        words = words.exclude(open.list()?);
    }
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
