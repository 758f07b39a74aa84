//! What the noise of a word is drawn from: `ξ_t = mean_t + scale_t ε` with `ε ~ N(0, I)`.

/// The law of a word's noise: a mean for each of its first steps, and scales.
///
/// Plain words have the prior, [`NoiseLaw::prior`]; words near another one have its noise as the mean.
#[derive(Debug, Clone, PartialEq)]
pub struct NoiseLaw {
    /// Means of the first steps, one after the other.
    means: Vec<f32>,
    /// Scale at the steps that have a mean.
    scale: f32,
    /// Scale at all later steps, whose mean is zero.
    later: f32,
}

impl NoiseLaw {
    /// `ξ_t = scale · ε` at every step; the model's own law has scale 1.
    pub fn prior(scale: f32) -> Self {
        Self { means: Vec::new(), scale, later: scale }
    }

    /// `ξ_t = scale · (cos α · ζ_t + sin α · ε)` at the steps that have ζ, which lie one after the other; the prior
    /// later. If ζ is a draw from the prior, so is the result for scale 1, whatever the angle.
    pub fn around(noise: &[f32], angle: f32, scale: f32) -> Self {
        let (sine, cosine) = angle.sin_cos();
        let means = noise.iter().map(|zeta| scale * cosine * zeta).collect();
        Self { means, scale: scale * sine, later: scale }
    }

    /// Exactly this noise, and the prior after it.
    pub fn fixed(noise: Vec<f32>) -> Self {
        Self { means: noise, scale: 0.0, later: 1.0 }
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
}
