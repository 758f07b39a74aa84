//! The LD1NN test of a list.

use serde::Deserialize;
use serde_json::{Value, json};
use wug::measure::{Bias, Stimulus, ld1nn_random};

use crate::{Answer, Failure};

/// The words and the nonwords of a list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckRequest {
    words: Vec<String>,
    nonwords: Vec<String>,
    seed: u64,
    orders: usize,
}

/// The most random orders.
const MAX_ORDERS: usize = 1000;

/// Tests the list in random orders.
pub(crate) fn check(request: &CheckRequest) -> Result<Answer, Failure> {
    let kind = |texts: &[String], is_word| {
        texts.iter().map(|text| Stimulus { text: text.clone(), is_word }).collect::<Vec<_>>()
    };
    let stimuli = [kind(&request.words, true), kind(&request.nonwords, false)].concat();
    let bias = ld1nn_random(&stimuli, request.orders.clamp(1, MAX_ORDERS), request.seed, 1)?;
    Ok(Answer::of(told(&bias)))
}

/// What the page shows of the test.
pub(crate) fn told(bias: &Bias) -> Value {
    json!({
        "odds": bias.fit.odds(),
        "z": bias.fit.z(),
        "p": bias.fit.p(),
        "significant_orders": bias.significant_orders(),
        "verdict": bias.verdict(),
    })
}
