//! What the randomness of a word is drawn from.
//!
//! States are driven by `ξ_t = mean_t + scale_t ε` with `ε ~ N(0, I)`. A symbol is where a uniform number falls among the
//! cumulative probabilities; that number comes from an arc of the unit circle, usually the whole of it.

use super::origin::Origin;

/// The law of a word's randomness: means and arcs for its first steps, and scales.
///
/// Plain words have the prior, [`NoiseLaw::prior`]; words near another one have laws around its [`Origin`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NoiseLaw {
    /// Means of the first steps, one after the other.
    means: Vec<f32>,
    /// Scale at the steps that have a mean.
    scale: f32,
    /// Scale at all later steps, whose mean is zero.
    later: f32,
    /// Middles of the first steps' arcs, and their length.
    points: Vec<f64>,
    arc: f64,
}

impl NoiseLaw {
    /// `ξ_t = scale · ε` at every step; the model's own law has scale 1.
    pub(crate) fn prior(scale: f32) -> Self {
        Self { means: Vec::new(), scale, later: scale, points: Vec::new(), arc: 1.0 }
    }

    /// Some distance from 0 to 1 away from a word's origin ζ, u: `ξ_t = scale · (cos α · ζ_t + sin α · ε)` with α the
    /// distance's share of a right angle, and uniform numbers from an arc around `u_t` that is as long as the distance. If
    /// the origin is a draw from the prior, so is the result for scale 1, whatever the distance.
    pub(crate) fn around(origin: &Origin, distance: f32, scale: f32) -> Self {
        let (sine, cosine) = (distance * std::f32::consts::FRAC_PI_2).sin_cos();
        let means = origin.noise.iter().map(|zeta| scale * cosine * zeta).collect();
        let points = origin.points.clone();
        Self { means, scale: scale * sine, later: scale, points, arc: distance.into() }
    }

    /// Exactly this noise for the states, and the prior after it.
    pub(crate) fn fixed(noise: Vec<f32>) -> Self {
        Self { means: noise, scale: 0.0, ..Self::prior(1.0) }
    }

    /// Whether all steps have the same law.
    pub(crate) fn is_constant(&self) -> bool {
        self.means.is_empty()
    }

    /// Mean (none is zero) and scale of step `step` for noise of size `size`.
    pub(crate) fn at(&self, step: usize, size: usize) -> (Option<&[f32]>, f32) {
        match self.means.get(step * size..(step + 1) * size) {
            Some(mean) => (Some(mean), self.scale),
            None => (None, self.later),
        }
    }

    /// Middle and length of a step's arc; none if it is the whole circle.
    pub(crate) fn arc(&self, step: usize) -> Option<(f64, f64)> {
        self.points.get(step).map(|&point| (point, self.arc)).filter(|_| self.arc < 1.0)
    }
}
