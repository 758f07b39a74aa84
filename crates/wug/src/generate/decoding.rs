//! Words that are made of given noise, or whose noise is found by following them: a tile of them at once, with every number
//! that turns up on the way.

use tilegrad::NoiseKey;
use tilegrad::math::normal;
use tilegrad::noise::Noise;

use super::draw_settings::MAX_LETTERS;
use super::encoding::StepNoise;
use super::steps::{LANES, Stepper};
use crate::lexicon::{END, Symbol};
use crate::model::code::{Line, noise_at, point_of};
use crate::random::streams::{self, Making};

/// A word to be decoded.
pub(super) struct Decoding {
    /// The word that must come out, if it is known: points are then drawn from its symbols' intervals.
    pub(super) word: Option<Vec<Symbol>>,
    /// Noise of the first steps.
    pub(super) given: Vec<StepNoise>,
    /// Where its own noise is drawn.
    pub(super) item: u32,
}

/// A step that was taken.
pub(super) struct Taken {
    pub(super) symbol: Symbol,
    pub(super) noise: Vec<f64>,
    pub(super) point: f64,
    pub(super) line: Line,
    pub(super) cell: usize,
    pub(super) state: Vec<f32>,
}

/// Decodes up to [`LANES`] words, whose symbols lie on the unit interval in some order.
pub(super) fn decode(
    stepper: &mut Stepper<'_, '_>,
    words: &[&Decoding],
    order: &[Symbol],
    seed: u64,
) -> Vec<Vec<Taken>> {
    let shape = stepper.noise();
    let mut taken: Vec<Vec<Taken>> = words.iter().map(|_| Vec::new()).collect();
    (0..words.len()).for_each(|lane| stepper.begin(lane));
    // The end takes a step too.
    for t in 0..=MAX_LETTERS {
        let mut noise: Vec<Vec<f64>> = words.iter().map(|word| word.noise(t, shape.size, seed)).collect();
        for (lane, noise) in noise.iter().enumerate() {
            let noise: Vec<f32> = noise.iter().map(|&number| number as f32).collect();
            stepper.set_noise(lane, (Some(&noise), 0.0), 1.0);
        }
        let key = NoiseKey { seed, step: Making::Encoding.step(0, t as u64) };
        let lines: Vec<Line> = stepper.look(key, 0, |look| {
            (0..words.len()).map(|lane| Line { probabilities: look.probabilities(lane, order) }).collect()
        });
        let mut drawn = [END; LANES];
        let mut steps = Vec::with_capacity(words.len());
        for (lane, line) in lines.into_iter().enumerate() {
            let (word, noise) = (words[lane], std::mem::take(&mut noise[lane]));
            let (cell, point, noise) = word.choose(t, &line, order, noise, (shape.picks_symbols, seed));
            drawn[lane] = order[cell];
            steps.push(Taken { symbol: order[cell], noise, point, line, cell, state: Vec::new() });
        }
        stepper.take(&drawn);
        let mut goes_on = false;
        for (lane, (taken, mut step)) in taken.iter_mut().zip(steps).enumerate() {
            if taken.last().is_none_or(|last| last.symbol != END) {
                step.state = stepper.state(lane).collect();
                goes_on |= step.symbol != END;
                taken.push(step);
            }
        }
        if !goes_on {
            break;
        }
    }
    taken
}

impl Decoding {
    /// The noise of a step: what is given, or drawn from the prior.
    fn noise(&self, t: usize, size: usize, seed: u64) -> Vec<f64> {
        match self.given.get(t) {
            Some(given) if !given.noise.is_empty() => given.noise.clone(),
            _ => (0..size)
                .map(|index| normal::quantile(self.uniform(streams::STATE, t, index, seed)))
                .collect(),
        }
    }

    /// The cell of the step's symbol, the point in it, and the noise; noise that picks symbols is found by the point
    /// unless the point is found by the noise.
    fn choose(
        &self,
        t: usize,
        line: &Line,
        order: &[Symbol],
        mut noise: Vec<f64>,
        (picks_symbols, seed): (bool, u64),
    ) -> (usize, f64, Vec<f64>) {
        let given = self.given.get(t);
        let target = self.word.as_ref().and_then(|word| word.get(t));
        let (cell, point) = match target.and_then(|target| order.iter().position(|symbol| symbol == target)) {
            Some(cell) => {
                let [start, end] = line.interval(cell);
                (cell, start + self.uniform(streams::POINT, t, 0, seed) * (end - start))
            }
            None => {
                let by_noise = given.and_then(|given| given.noise.first()).filter(|_| picks_symbols);
                let point = match (by_noise, given.and_then(|given| given.point)) {
                    (Some(&first), _) => point_of(first),
                    (None, Some(point)) => point,
                    (None, None) => self.uniform(streams::SYMBOL, t, 0, seed),
                };
                (line.cell(point), point)
            }
        };
        let is_given = target.is_none() && given.is_some_and(|given| !given.noise.is_empty());
        if let Some(first) = noise.first_mut().filter(|_| picks_symbols && !is_given) {
            *first = noise_at(point);
        }
        (cell, point, noise)
    }

    /// A uniform number of its own.
    fn uniform(&self, stream: u16, t: usize, index: usize, seed: u64) -> f64 {
        let step = Making::Encoding.step(0, t as u64);
        Noise::new(seed).uniform_f64(stream, step, self.item, (index / 2) as u16)[index % 2]
    }
}
