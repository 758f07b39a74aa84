//! How a word comes from noise, step by step, as data: from a word to noise it may have come from, and from noise to the word.
//!
//! ```
//! use wug::generate::StepNoise;
//!
//! let model = wug::bundled_model()?;
//! let encoding = model.encode("winter", 1)?;
//! assert_eq!(model.decode(&encoding.noise(), 1)?.word, "winter");
//! // Another point under the third letter, and the rest follows.
//! let mut points: Vec<f64> = encoding.steps.iter().map(|step| step.point).collect();
//! points[2] = 0.9;
//! let noise: Vec<StepNoise> = points.into_iter().map(StepNoise::at).collect();
//! println!("{}", model.decode(&noise, 1)?.word);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::{Deserialize, Serialize};

use super::SampleError;
use super::decoding::{Decoding, Taken, decode};
use super::draw_settings::MAX_LETTERS;
use super::posterior::noise_of;
use super::steps::{LANES, Steps};
use crate::lexicon::{END, SpellError, Symbol};
use crate::{Execution, Result, TrainedModel};

/// A word and the noise that made it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Encoding {
    /// The word.
    pub word: String,
    /// `Σ log p` over the steps' symbols. That is `log P(w)` if noise does nothing but pick letters, as in exact
    /// models; else it is `log P(w | h_1 … h_T)`.
    pub log_probability: f64,
    /// The symbols in the order in which their probabilities follow each other on the unit interval; the end is the empty text.
    pub symbols: Vec<String>,
    /// A step for each letter, and one for the end.
    pub steps: Vec<EncodingStep>,
}

/// One step of a word.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EncodingStep {
    /// The letter; empty for the end.
    pub letter: String,
    /// `ξ_t`; in an exact model one number, whose `Φ` is the point.
    pub noise: Vec<f64>,
    /// Where the uniform number falls that chooses the symbol.
    pub point: f64,
    /// The part of the unit interval that belongs to the symbol: the point lies in it.
    pub interval: [f64; 2],
    /// The probabilities of all symbols, in the order of [`Encoding::symbols`].
    pub probabilities: Vec<f64>,
    /// `h_t`.
    pub state: Vec<f32>,
}

/// What is given of a step's noise. What is not given is drawn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StepNoise {
    /// `ξ_t`, or nothing.
    #[serde(default)]
    pub noise: Vec<f64>,
    /// The uniform number that chooses the symbol. Exact models take it only where `ξ_t` is not given.
    #[serde(default)]
    pub point: Option<f64>,
}

impl StepNoise {
    /// A point of the unit interval, to choose the symbol with.
    pub fn at(point: f64) -> Self {
        Self { noise: Vec::new(), point: Some(point) }
    }

    /// `ξ_t` alone.
    pub fn of(noise: Vec<f64>) -> Self {
        Self { noise, point: None }
    }
}

impl Encoding {
    /// The noise of all steps, to be changed and given to [`TrainedModel::decode`].
    pub fn noise(&self) -> Vec<StepNoise> {
        let steps = self.steps.iter();
        steps.map(|step| StepNoise { noise: step.noise.clone(), point: Some(step.point) }).collect()
    }
}

impl TrainedModel {
    /// Noise that a word may have come from, drawn from its posterior, with all that it brings about.
    ///
    /// # Errors
    /// When the model lacks a letter, the word is empty or longer than [`MAX_LETTERS`], or the model cannot be recorded.
    pub fn encode(&self, word: &str, seed: u64) -> Result<Encoding> {
        let mut encodings = self.encode_all(&[word], Execution { seed, threads: 1 })?;
        Ok(encodings.pop().ok_or(SampleError::Stopped)??)
    }

    /// The same for many words. A word's encoding depends on the word and the seed alone.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn encode_all(
        &self,
        words: &[&str],
        execution: Execution,
    ) -> Result<Vec<Result<Encoding, SpellError>>> {
        let fitted = self.fitted();
        let mut spelt = Vec::with_capacity(words.len());
        for word in words {
            spelt.push(match self.alphabet.spell(word, 1..=MAX_LETTERS) {
                Ok(word) => Ok(Decoding {
                    given: split(&noise_of(fitted, &word, 1, execution)?[0], word.len()),
                    item: hash(&word),
                    word: Some(word),
                }),
                Err(problem) => Err(problem),
            });
        }
        let tasks: Vec<&Decoding> = spelt.iter().flatten().collect();
        let mut encodings = self.run(&tasks, execution)?.into_iter();
        Ok(spelt
            .iter()
            .filter_map(|spelt| match spelt {
                Ok(_) => encodings.next().map(Ok),
                Err(problem) => Some(Err(problem.clone())),
            })
            .collect())
    }

    /// The word that some noise makes, and everything on the way. Noise after the end of the word makes no difference. If
    /// the word does not end with the noise that is given, it goes on with noise that is a function of the seed.
    ///
    /// # Errors
    /// When a step has the wrong number of numbers, or numbers out of range, or the model cannot be recorded.
    pub fn decode(&self, noise: &[StepNoise], seed: u64) -> Result<Encoding> {
        let mut encodings = self.decode_all(&[noise.to_vec()], Execution { seed, threads: 1 })?;
        Ok(encodings.pop().ok_or(SampleError::Stopped)?)
    }

    /// The same for many words, of which each draws its own noise.
    ///
    /// # Errors
    /// When a step has the wrong number of numbers, or numbers out of range, the model cannot be recorded, or the system
    /// refuses a thread.
    pub fn decode_all(&self, noise: &[Vec<StepNoise>], execution: Execution) -> Result<Vec<Encoding>> {
        noise.iter().try_for_each(|steps| self.check_noise(steps))?;
        let tasks: Vec<Decoding> = (0..)
            .zip(noise)
            .map(|(item, given)| Decoding { given: given.clone(), item, word: None })
            .collect();
        self.run(&tasks.iter().collect::<Vec<_>>(), execution)
    }

    /// Numbers of noise that a step takes.
    pub fn noise_size(&self) -> usize {
        self.model.noise().size
    }

    fn check_noise(&self, steps: &[StepNoise]) -> Result<(), SampleError> {
        let size = self.noise_size();
        for (number, step) in (1..).zip(steps) {
            let wrong =
                |found: String, expected: String| SampleError::Noise { step: number, found, expected };
            if ![0, size].contains(&step.noise.len()) {
                return Err(wrong(format!("{} numbers", step.noise.len()), format!("{size}, or none")));
            }
            if let Some(number) = step.noise.iter().find(|number| !(-MAX_NOISE..=MAX_NOISE).contains(*number))
            {
                return Err(wrong(number.to_string(), format!("numbers from -{MAX_NOISE} to {MAX_NOISE}")));
            }
            if let Some(point) = step.point.filter(|point| !(0.0..=1.0).contains(point)) {
                return Err(wrong(format!("the point {point}"), "a point from 0 to 1".into()));
            }
        }
        Ok(())
    }

    fn run(&self, tasks: &[&Decoding], execution: Execution) -> Result<Vec<Encoding>> {
        let fitted = self.fitted();
        let order = fitted.model().cell_order();
        let letter = |symbol: Symbol| self.alphabet.letter(symbol).unwrap_or_default().to_owned();
        let symbols: Vec<String> = order.iter().map(|&symbol| letter(symbol)).collect();
        let mut steps = Steps::new(fitted, execution.threads)?;
        let decoded =
            steps.map(tasks.chunks(LANES), |tasks, stepper| decode(stepper, tasks, &order, execution.seed));
        let encoding = |taken: Vec<Taken>| {
            let log_probability = taken.iter().map(|step| step.line.probabilities[step.cell].ln()).sum();
            let word: Vec<Symbol> =
                taken.iter().map(|step| step.symbol).filter(|&symbol| symbol != END).collect();
            let step = |Taken { symbol, noise, point, line, cell, state }| EncodingStep {
                letter: letter(symbol),
                noise,
                point,
                interval: line.interval(cell),
                probabilities: line.probabilities,
                state,
            };
            let (word, symbols) = (self.alphabet.decode(&word), symbols.clone());
            Encoding { word, log_probability, symbols, steps: taken.into_iter().map(step).collect() }
        };
        Ok(decoded.into_iter().flatten().map(encoding).collect())
    }
}

/// Noise beyond this has no meaning: Φ(40) is 1 to the last bit.
const MAX_NOISE: f64 = 1000.0;

/// A trajectory of noise in its steps.
fn split(noise: &[f32], steps: usize) -> Vec<StepNoise> {
    let numbers = |step: &[f32]| StepNoise::of(step.iter().map(|&number| number.into()).collect());
    noise.chunks((noise.len() / steps.max(1)).max(1)).map(numbers).collect()
}

/// A place of its own in the noise for each word, as a rule.
fn hash(word: &[Symbol]) -> u32 {
    word.iter().fold(0x811c_9dc5, |hash: u32, &symbol| (hash ^ u32::from(symbol)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests;
