//! The randomness that a given word may have come from: that of its states and that of its letters.

use tilegrad::NoiseKey;
use tilegrad::noise::Noise;

use super::SampleError;
use super::noise_law::Aim;
use super::posterior::noise_of;
use super::steps::{Drawn, LANES, Stepper, Steps};
use super::symbol_weights::SymbolChoice;
use crate::Execution;
use crate::lexicon::Symbol;
use crate::model::Fitted;
use crate::random::streams::{self, Making};

/// A draw from the posterior of all that is random about a word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Origin {
    /// The noise of its states, step after step.
    pub(crate) noise: Vec<f32>,
    /// For each step where the uniform number fell that its symbol was drawn with; in the choice flow, where within the symbol's
    /// share, from 0 to 1.
    pub(crate) points: Vec<f64>,
    /// The symbols of a word of the choice flow.
    word: Vec<Symbol>,
}

impl Origin {
    /// Draws `count` origins of a word (symbols with the end) whose letters are chosen in some way.
    ///
    /// # Errors
    /// When the model is the baseline, which has no noise, or the system refuses a thread.
    pub(crate) fn draw(
        fitted: Fitted<'_>,
        word: &[Symbol],
        choice: SymbolChoice,
        count: usize,
        execution: Execution,
    ) -> Result<Vec<Self>, SampleError> {
        let draws = noise_of(fitted, word, count, execution)?;
        if fitted.model().chooses().is_some() {
            // Whatever the other noise is, the point is anywhere in the letter's share.
            let uniform = Noise::new(execution.seed);
            let step = |t: usize| Making::Posterior.step(word.len() as u64, t as u64);
            let point = |item: u32, t: usize| uniform.uniform_f64(streams::POINT, step(t), item, 0)[0];
            let points = |item| (0..word.len()).map(|t| point(item, t)).collect();
            let origins = (0..).zip(draws);
            return Ok(origins
                .map(|(item, noise)| Self { noise, points: points(item), word: word.to_vec() })
                .collect());
        }
        if choice == SymbolChoice::Argmax {
            // Nothing is random about the letters but the noise.
            let origin = |noise| Self { noise, points: Vec::new(), word: Vec::new() };
            return Ok(draws.into_iter().map(origin).collect());
        }
        let mut steps = Steps::new(fitted, execution.threads)?;
        let points = steps.map(draws.chunks(LANES).enumerate(), |(number, draws), stepper| {
            let first = (number * LANES) as u32;
            points_of(stepper, draws, word, choice, (execution.seed, first))
        });
        let origins = draws.into_iter().zip(points.into_iter().flatten());
        Ok(origins.map(|(noise, points)| Self { noise, points, word: Vec::new() }).collect())
    }

    /// What a choice flow aims at to make the word again.
    pub(crate) fn aims(&self, factor: f64) -> impl Iterator<Item = Aim> {
        let places = self.word.iter().zip(&self.points);
        places.map(move |(&symbol, &place)| Aim { symbol, place, factor })
    }
}

/// Runs through the states again and draws a point for each symbol, evenly from its share of the unit interval.
fn points_of(
    stepper: &mut Stepper<'_, '_>,
    draws: &[Vec<f32>],
    word: &[Symbol],
    choice: SymbolChoice,
    (seed, first): (u64, u32),
) -> Vec<Vec<f64>> {
    let (noise, mut weights) = (Noise::new(seed), stepper.weights(choice));
    let size = stepper.noise().size;
    let mut points = vec![Vec::new(); draws.len()];
    (0..draws.len()).for_each(|lane| stepper.begin(lane));
    for (t, &symbol) in word.iter().enumerate() {
        for (lane, draw) in draws.iter().enumerate() {
            stepper.set_noise(lane, (draw.get(t * size..(t + 1) * size), 0.0), 1.0);
        }
        let key = NoiseKey { seed, step: Making::Posterior.step(word.len() as u64, t as u64) };
        stepper.look(key, first, |look| weights.set(look.logits));
        let mut drawn = [Drawn { symbol, place: 0.5 }; LANES];
        for (lane, points) in points.iter_mut().enumerate() {
            let before: f64 = weights.lane(lane).take(symbol.into()).sum();
            let own = weights.lane(lane).nth(symbol.into()).unwrap_or(0.0);
            let [u, _] = noise.uniform_f64(streams::POINT, key.step, first + lane as u32, 0);
            points.push(before + u * own);
            drawn[lane].place = u as f32;
        }
        stepper.take(&drawn);
    }
    points
}
