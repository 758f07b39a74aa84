//! What the randomness of a word is drawn from.
//!
//! States are driven by `ξ_t = scale · (mean_t + deviation_t ε)` with `ε ~ N(0, I)`. A symbol is where a uniform number falls among
//! the cumulative probabilities; that number comes from an arc of the unit circle, usually the whole of it. In the choice flow
//! the uniform number is `Φ(ξ_1)`, on which the scale has no effect.
//!
//! Noise of the choice flow means one letter after one beginning and another letter after another, because the letters' shares differ. So
//! words near a word do not turn the number `ξ_1` that the word had, but at every step the number that would give the word's letter
//! *there*: an [`Aim`]. A letter that is improbable there, and less probable than it was in the word, is given up as often as that says, and
//! the number is free. So what can stay does stay when an earlier letter has changed, and what no longer fits does not.

use tilegrad::math::normal;

use super::origin::{Letter, Origin};
use crate::lexicon::{END, Symbol};
use crate::model::NoiseShape;

/// A letter with this probability fits, whatever it had in its word.
const PROBABLE: f64 = 0.05;

/// The law of a word's randomness: means and arcs for its first steps, and the prior after them.
///
/// Plain words have the prior, [`NoiseLaw::prior`]; words near another one have laws around its [`Origin`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NoiseLaw {
    /// Means of the first steps, one after the other.
    means: Vec<f32>,
    /// Standard deviation at the steps that have a mean.
    deviation: f32,
    /// Factor of all noise.
    scale: f32,
    /// Middles of the first steps' arcs, and their length.
    points: Vec<f64>,
    arc: f64,
    /// What the first steps of a choice flow aim at.
    aims: Vec<[Aim; 2]>,
}

/// A letter to aim at: the noise that falls on a place within the letter's share, from 0 to 1, times a factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Aim {
    pub(crate) symbol: Symbol,
    pub(crate) place: f64,
    /// How probable the letter was in its word.
    pub(crate) share: f64,
    pub(crate) factor: f64,
}

impl Aim {
    /// No aim.
    const NONE: Self = Self { symbol: END, place: 0.5, share: 1.0, factor: 0.0 };
}

impl Letter {
    /// Aims at the letter.
    fn aim(self, factor: f64) -> Aim {
        Aim { symbol: self.symbol, place: self.place, share: self.share, factor }
    }
}

/// The law of a uniform number that is not free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Restriction {
    /// Evenly from an arc of the unit circle.
    Arc { middle: f64, length: f64 },
    /// `Φ(mean + deviation ε)` with probability `kept`; free otherwise.
    Normal { mean: f64, deviation: f64, kept: f64 },
    /// The same with a mean that depends on the symbols' shares: the sum over the aims.
    Aimed { aims: [Aim; 2], deviation: f64 },
}

impl Restriction {
    /// The same where symbols have shares of the unit interval: `share` tells where that of a symbol begins, and how long it is.
    pub(crate) fn given(self, share: impl Fn(Symbol) -> (f64, f64)) -> Self {
        let Self::Aimed { aims, deviation } = self else { return self };
        let (mut mean, mut kept, mut factors) = (0.0, 0.0, 0.0);
        for aim in aims.into_iter().filter(|aim| aim.factor != 0.0) {
            let (start, length) = share(aim.symbol);
            let point = (start + aim.place * length).clamp(f64::MIN_POSITIVE, 1.0_f64.next_down());
            mean += aim.factor * normal::quantile(point);
            kept += aim.factor * (length / aim.share.min(PROBABLE)).min(1.0);
            factors += aim.factor;
        }
        Self::Normal { mean, deviation, kept: if factors == 0.0 { 1.0 } else { kept / factors } }
    }

    /// The probability that the number lies between `start` and `end`. Without freedom it lies at one place.
    pub(crate) fn between(self, start: f64, end: f64) -> f64 {
        const LEAST: f64 = 1e-6;
        let at = |place: f64| f64::from(u8::from(start <= place && place < end));
        match self {
            Self::Arc { middle, length } if length < LEAST => at(middle),
            Self::Arc { middle, length } => {
                let (low, high) = (middle - length / 2.0, middle + length / 2.0);
                let common = |turn: f64| (end.min(high + turn) - start.max(low + turn)).max(0.0);
                [-1.0, 0.0, 1.0].into_iter().map(common).sum::<f64>() / length
            }
            // What is aimed at is known only next to the shares.
            Self::Aimed { .. } => end - start,
            Self::Normal { mean, deviation, kept } => {
                // Sums of probabilities may exceed 1 in their last digit.
                let below = |u: f64| normal::cdf((normal::quantile(u.min(1.0)) - mean) / deviation);
                let bound = if deviation < LEAST { at(normal::cdf(mean)) } else { below(end) - below(start) };
                (kept * bound + (1.0 - kept) * (end - start)).max(0.0)
            }
        }
    }
}

impl NoiseLaw {
    /// `ξ_t = scale · ε` at every step; the model's own law has scale 1.
    pub(crate) fn prior(scale: f32) -> Self {
        Self { means: Vec::new(), deviation: 1.0, scale, points: Vec::new(), arc: 1.0, aims: Vec::new() }
    }

    /// Some distance from 0 to 1 away from a word's origin ζ, u: `ξ_t = scale · (cos α · ζ_t + sin α · ε)` with α the
    /// distance's share of a right angle, and uniform numbers from an arc around `u_t` that is as long as the distance. If
    /// the origin is a draw from the prior, so is the result for scale 1, whatever the distance. In the choice flow ζ_t is the
    /// noise that gives the word's letter after the letters so far; distance 0 is the word, distance 1 the prior.
    pub(crate) fn around(origin: &Origin, distance: f32, scale: f32) -> Self {
        let (sine, cosine) = (distance * std::f32::consts::FRAC_PI_2).sin_cos();
        let means = origin.noise.iter().map(|zeta| cosine * zeta).collect();
        let aims = origin.letters.iter().map(|letter| [letter.aim(cosine.into()), Aim::NONE]).collect();
        let points = origin.letters.iter().map(|letter| letter.point()).collect();
        Self { means, deviation: sine, scale, points, arc: distance.into(), aims }
    }

    /// On the way between the origins of two words of a choice flow, at some share of it: noise on the line between the two that
    /// give their letters after the letters so far. A word that has ended goes on ending.
    pub(crate) fn between(origins: [&Origin; 2], share: f64, noise: Vec<f32>) -> Self {
        let steps = origins.map(|origin| origin.letters.len()).into_iter().max().unwrap_or(0);
        let aims = |origin: &Origin, factor: f64| -> Vec<Aim> {
            let ended = Aim { factor, ..Aim::NONE };
            let aims = origin.letters.iter().map(|letter| letter.aim(factor));
            aims.chain(std::iter::repeat(ended)).take(steps).collect()
        };
        let [from, to] = [aims(origins[0], 1.0 - share), aims(origins[1], share)];
        Self { aims: from.into_iter().zip(to).map(|(from, to)| [from, to]).collect(), ..Self::fixed(noise) }
    }

    /// Exactly this noise, and the prior after it.
    pub(crate) fn fixed(noise: Vec<f32>) -> Self {
        Self { means: noise, deviation: 0.0, ..Self::prior(1.0) }
    }

    /// Whether all steps have the same law.
    pub(crate) fn is_constant(&self) -> bool {
        self.means.is_empty() && self.aims.is_empty()
    }

    /// The factor of all noise.
    pub(crate) fn scale(&self) -> f32 {
        self.scale
    }

    /// Mean (none is zero) and standard deviation of a step's noise before the scale.
    pub(crate) fn at(&self, step: usize, noise: NoiseShape) -> (Option<&[f32]>, f32) {
        match self.means.get(step * noise.size..(step + 1) * noise.size) {
            Some(mean) => (Some(mean), self.deviation),
            None => (None, 1.0),
        }
    }

    /// The law of the number that a step's symbol is drawn with; none if it is free.
    pub(crate) fn restriction(&self, step: usize, noise: NoiseShape) -> Option<Restriction> {
        if let Some(&aims) = self.aims.get(step).filter(|_| noise.picks_symbols) {
            return Some(Restriction::Aimed { aims, deviation: self.deviation.into() });
        }
        if noise.picks_symbols {
            let &mean = self.means.get(step * noise.size)?;
            return Some(Restriction::Normal {
                mean: mean.into(),
                deviation: self.deviation.into(),
                kept: 1.0,
            });
        }
        let middle = *self.points.get(step).filter(|_| self.arc < 1.0)?;
        Some(Restriction::Arc { middle, length: self.arc })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_closed() {
        let arc = Restriction::Arc { middle: 0.95, length: 0.2 };
        assert!((arc.between(0.0, 0.3) - 0.25).abs() < 1e-12);
    }

    /// A turned normal number has a normal number's law again, so over origins the shares are as they were.
    #[test]
    fn turned_noise_keeps_the_prior() {
        for deviation in [0.0, 0.1, 0.7, 1.0_f64] {
            let mean = (1.0 - deviation * deviation).sqrt();
            let mut total = 0.0;
            for step in 0..4000 {
                let origin = normal::quantile((f64::from(step) + 0.5) / 4000.0);
                let law = Restriction::Normal { mean: mean * origin, deviation, kept: 1.0 };
                let parts = [(0.0, 0.2), (0.2, 0.5), (0.5, 1.0)].map(|(start, end)| law.between(start, end));
                assert!((parts.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                total += parts[1] / 4000.0;
            }
            assert!((total - 0.3).abs() < 1e-3, "{deviation}: {total}");
        }
    }
}
