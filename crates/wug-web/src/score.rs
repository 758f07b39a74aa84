//! Measuring words.

use serde::Deserialize;
use serde_json::{Value, json};
use wug::measure::{Column, Columns, PAGE_COLUMNS, ScoreSettings};

use crate::models::OpenModel;
use crate::{Answer, Failure};

/// Words to measure.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreRequest {
    pub(crate) model: String,
    words: Vec<String>,
}

/// Seed of the words and strings that percentiles compare with, the command's own.
const SEED: u64 = 1;
/// Words whose probabilities are told before everything else is measured.
const QUICK: usize = 300;

/// Measures words and tells of them as they come, batch by batch. Probabilities of the first words come at once: percentiles need
/// thousands of others.
pub(crate) fn score(
    open: &mut OpenModel,
    request: &ScoreRequest,
    tell: &mut dyn FnMut(&Value),
) -> Result<Answer, Failure> {
    let first: Vec<&str> = request.words.iter().take(QUICK).map(String::as_str).collect();
    let scores = open.model.scores(&first, ScoreSettings::default())?;
    let quick: Vec<Value> = scores.into_iter().map(|score| json!(score.ok())).collect();
    tell(&json!({ "quick": quick }));
    let measures = open.measures(Columns::all(false, false), SEED)?;
    let mut words = measures.stream(&request.words);
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

/// Columns of measured words, with what people see of them.
pub(crate) fn described(columns: &Columns) -> Value {
    let describe = |column: Column| {
        json!({
            "name": column.name(),
            "title": column.title(),
            "about": column.about(),
            "type": column.missing().kind(),
            "digits": column.digits(),
            "unit": column.unit(),
            "shown": PAGE_COLUMNS.contains(&&*column.name()),
        })
    };
    columns.iter().map(describe).collect()
}
