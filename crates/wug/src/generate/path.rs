//! A path of words from one to another through the space of noise.
//!
//! Both words' noise is drawn from its posterior. Step by step the noise is turned from the one to the other along the
//! arc between them, so that on the way it is as long as noise is, and the most probable letters are read off. In the choice
//! flow a letter moves from the one word's to the other's through the letters that lie between them in the order of the cells.

use std::f64::consts::TAU;

use tilegrad::noise::Noise;

use super::SampleError;
use super::draw_settings::{DrawSettings, MAX_LETTERS};
use super::draws::draw_by;
use super::noise_law::NoiseLaw;
use super::origin::Origin;
use super::posterior::noise_of;
use super::steps::Steps;
use super::symbol_weights::SymbolChoice;
use super::turn::turn;
use crate::lexicon::{END, Symbol};
use crate::model::{Fitted, NoiseShape};
use crate::random::streams::{self, Making};
use crate::{Execution, Result, TrainedModel};

/// Draws among which one is looked for that gives its word back.
const DRAWS: usize = 64;
/// Steps after the longer word's end that have fixed noise, for words on the way that are longer than both.
const EXTRA_STEPS: usize = 8;

impl TrainedModel {
    /// Words at `points` even places of the path from one word to another through the space of noise, these two included;
    /// none comes twice in a row.
    ///
    /// # Errors
    /// When the model lacks a letter of a word or cannot be recorded.
    pub fn between(&self, from: &str, to: &str, points: usize, execution: Execution) -> Result<Vec<String>> {
        let spell = |word| self.alphabet.spell(word, 1..=MAX_LETTERS);
        let (from, to) = (spell(from)?, spell(to)?);
        let words = path(self.fitted(), [&from, &to], points, execution)?;
        let shown = |word: &Vec<Symbol>| {
            let word = self.alphabet.decode(word);
            if self.config.data.title_case { self.alphabet.capitalise(&word) } else { word }
        };
        Ok(words.iter().map(shown).collect())
    }
}

/// The same for words given by their symbols.
fn path(
    fitted: Fitted<'_>,
    [from, to]: [&[Symbol]; 2],
    points: usize,
    execution: Execution,
) -> Result<Vec<Vec<Symbol>>, SampleError> {
    let mut steps = Steps::new(fitted, execution.threads)?;
    // The most probable letters for each law of the noise.
    let mut read = |laws: Vec<NoiseLaw>| match laws.len() {
        0 => Vec::new(),
        count => {
            let choice = SymbolChoice::Argmax;
            draw_by(&mut steps, &DrawSettings { choice, laws, ..DrawSettings::plain(execution.seed) }, count)
        }
    };
    let NoiseShape { size, picks_symbols } = fitted.model().noise();
    let origin = |word| Origin::draw(fitted, word, SymbolChoice::Argmax, 1, execution);
    let origins = if picks_symbols { [origin(from)?, origin(to)?].concat() } else { Vec::new() };
    let mut noise = [Vec::new(), Vec::new()];
    for (noise, word) in noise.iter_mut().zip([from, to]).filter(|_| !picks_symbols) {
        let draws = noise_of(fitted, word, DRAWS, execution)?;
        let replayed = read(draws.iter().cloned().map(NoiseLaw::fixed).collect());
        let letters = word.strip_suffix(&[END]).unwrap_or(word);
        let good = replayed.iter().position(|replayed| replayed == letters).unwrap_or(0);
        *noise = draws.into_iter().nth(good).unwrap_or_default();
    }
    let steps = from.len().max(to.len()) + EXTRA_STEPS;
    for noise in &mut noise {
        noise.extend((noise.len()..steps * size).map(|index| normal(execution.seed, index)));
    }
    let between = (1..points.saturating_sub(1)).map(|point| {
        let share = point as f32 / (points - 1) as f32;
        let turned = turn(&noise[0], &noise[1], share, size);
        match &origins[..] {
            [from, to] => NoiseLaw::between([from, to], share.into(), turned),
            _ => NoiseLaw::fixed(turned),
        }
    });
    let mut words = vec![from.to_vec()];
    words.extend(read(between.collect()).into_iter().filter(|word| !word.is_empty()));
    words.push(to.to_vec());
    words.iter_mut().for_each(|word| word.retain(|&symbol| symbol != END));
    words.dedup();
    Ok(words)
}

/// A standard normal number, the same for both words.
fn normal(seed: u64, index: usize) -> f32 {
    let [a, b] = Noise::new(seed).uniform_f64(streams::TAIL, Making::Posterior.step(0, 0), index as u32, 0);
    ((-2.0 * libm::log(a)).sqrt() * libm::cos(TAU * b)) as f32
}
