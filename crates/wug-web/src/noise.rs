//! From noise to a word and back.

use serde::Deserialize;
use serde_json::{Value, json};
use wug::Execution;
use wug::generate::{Encoding, StepNoise, turn_noise};

use crate::models::OpenModel;
use crate::{Answer, Failure};

/// A word whose noise is wanted, or noise whose word is wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoiseRequest {
    pub(crate) model: String,
    seed: u64,
    word: Option<String>,
    #[serde(default)]
    steps: Vec<StepNoise>,
}

/// Noise on its way to that of another word.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TowardRequest {
    pub(crate) model: String,
    seed: u64,
    steps: Vec<StepNoise>,
    to: String,
    /// How far, from 0 to 1.
    share: f64,
    /// Places of the way whose words are told as well.
    points: usize,
}

/// The most places of a way.
const MAX_POINTS: usize = 1000;
/// Steps of noise that all words of a way have.
const STEPS: usize = 32;

/// All that a word's noise brings about.
pub(crate) fn noise(open: &OpenModel, request: &NoiseRequest) -> Result<Answer, Failure> {
    let encoding = match &request.word {
        Some(word) => open.model.encode(word, request.seed)?,
        None => open.model.decode(&request.steps, request.seed)?,
    };
    Ok(Answer::of(told(&encoding)))
}

/// The same for noise that is turned towards that of another word, and the words on the whole way.
pub(crate) fn toward(open: &OpenModel, request: &TowardRequest) -> Result<Answer, Failure> {
    let TowardRequest { seed, steps, to, share, .. } = request;
    let (mut steps, mut to) = (steps.clone(), open.model.encode(to, *seed)?.noise());
    if open.model.model.is_exact() {
        continued(&mut steps);
        continued(&mut to);
    }
    let encoding = open.model.decode(&turn_noise(&steps, &to, *share), *seed)?;
    let points = request.points.clamp(2, MAX_POINTS);
    let place = |point: usize| turn_noise(&steps, &to, point as f64 / (points - 1) as f64);
    let way: Vec<Vec<StepNoise>> = (0..points).map(place).collect();
    let execution = Execution { seed: *seed, threads: 1 };
    let words = open.model.decode_all(&way, execution)?.into_iter().map(|encoding| encoding.word);
    let mut way: Vec<String> = words.collect();
    way.dedup();
    Ok(Answer::of(json!({ "encoding": told(&encoding), "way": way })))
}

/// Adds noise after a word's end: it comes into play where words on the way are longer, and is the same for all of them. Any numbers
/// that are spread evenly will do.
fn continued(steps: &mut Vec<StepNoise>) {
    for step in steps.len()..STEPS {
        steps.push(StepNoise::at((0.5 + 0.618_034 * step as f64).fract()));
    }
}

/// What the page shows of an encoding; states stay here.
fn told(encoding: &Encoding) -> Value {
    let steps = encoding.steps.iter().map(|step| {
        json!({
            "letter": step.letter,
            "noise": step.noise,
            "point": step.point,
            "interval": step.interval,
            "probabilities": step.probabilities,
        })
    });
    json!({
        "word": encoding.word,
        "log_probability": encoding.log_probability,
        "symbols": encoding.symbols,
        "steps": steps.collect::<Vec<_>>(),
    })
}
