//! Measuring words.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::models::OpenModel;
use crate::{Answer, Failure};

/// Words to measure.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreRequest {
    pub(crate) model: String,
    words: Vec<String>,
}

/// Measures words and tells of them as they come, batch by batch.
pub(crate) fn score(
    open: &mut OpenModel,
    request: &ScoreRequest,
    tell: &mut dyn FnMut(&Value),
) -> Result<Answer, Failure> {
    let mut words = open.measures()?.stream(&request.words);
    let mut ready = Vec::new();
    loop {
        if !words.is_ready() && !ready.is_empty() {
            tell(&json!({ "scores": ready }));
            ready.clear();
        }
        match words.next() {
            None => return Ok(Answer::of(json!({}))),
            Some(found) => ready.push(match found? {
                (_, Ok(measured)) => json!(measured),
                (word, Err(problem)) => json!({ "word": word, "problem": problem.to_string() }),
            }),
        }
    }
}
