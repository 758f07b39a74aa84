//! The randomness that a given word may have come from: that of its states and that of its letters.

use tilegrad::NoiseKey;
use tilegrad::noise::Noise;

use super::SampleError;
use super::posterior::noise_of;
use super::steps::{LANES, Stepper, Steps};
use super::symbol_weights::SymbolChoice;
use crate::Execution;
use crate::lexicon::Symbol;
use crate::model::Fitted;
use crate::random::streams::{self, Making};

/// A draw from the posterior of all that is random about a word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Origin {
    /// The noise of its states, step after step; none in an exact model, where noise does nothing but pick letters.
    pub(crate) noise: Vec<f32>,
    /// For each step where the uniform number fell that its symbol was drawn with; nothing if none was.
    pub(crate) letters: Vec<Letter>,
}

/// A symbol's share of the unit interval, and a point in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Letter {
    pub(crate) symbol: Symbol,
    /// Where its share begins, and how long it is: the symbol's probability.
    pub(crate) start: f64,
    pub(crate) share: f64,
    /// Where in the share the point lies, from 0 to 1.
    pub(crate) place: f64,
}

impl Letter {
    /// Where in the unit interval the point lies.
    pub(crate) fn point(self) -> f64 {
        self.start + self.place * self.share
    }
}

impl Origin {
    /// Draws `count` origins of a word (symbols with the end) whose letters are chosen in some way.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub(crate) fn draw(
        fitted: Fitted<'_>,
        word: &[Symbol],
        choice: SymbolChoice,
        count: usize,
        execution: Execution,
    ) -> Result<Vec<Self>, SampleError> {
        let draws = noise_of(fitted, word, count, execution)?;
        if choice == SymbolChoice::Argmax && !fitted.model().noise().picks_symbols {
            // Nothing is random about the letters but the noise.
            return Ok(draws.into_iter().map(|noise| Self { noise, letters: Vec::new() }).collect());
        }
        let mut steps = Steps::new(fitted, execution.threads)?;
        let letters = steps.map(draws.chunks(LANES).enumerate(), |(number, draws), stepper| {
            let first = (number * LANES) as u32;
            letters_of(stepper, draws, word, choice, (execution.seed, first))
        });
        let origins = draws.into_iter().zip(letters.into_iter().flatten());
        Ok(origins.map(|(noise, letters)| Self { noise, letters }).collect())
    }
}

/// Runs through the states again and draws a point for each symbol, evenly from its share of the unit interval.
fn letters_of(
    stepper: &mut Stepper<'_, '_>,
    draws: &[Vec<f32>],
    word: &[Symbol],
    choice: SymbolChoice,
    (seed, first): (u64, u32),
) -> Vec<Vec<Letter>> {
    let (noise, mut weights) = (Noise::new(seed), stepper.weights(choice));
    let size = stepper.noise().size;
    let mut letters = vec![Vec::new(); draws.len()];
    (0..draws.len()).for_each(|lane| stepper.begin(lane));
    for (t, &symbol) in word.iter().enumerate() {
        for (lane, draw) in draws.iter().enumerate() {
            stepper.set_noise(lane, (draw.get(t * size..(t + 1) * size), 0.0), 1.0);
        }
        let key = NoiseKey { seed, step: Making::Posterior.step(word.len() as u64, t as u64) };
        stepper.look(key, first, |look| weights.set(look.logits));
        for (lane, letters) in letters.iter_mut().enumerate() {
            let (start, share) = weights.share(lane, symbol);
            let [place, _] = noise.uniform_f64(streams::POINT, key.step, first + lane as u32, 0);
            letters.push(Letter { symbol, start, share, place });
        }
        stepper.take(&[symbol; LANES]);
    }
    letters
}
