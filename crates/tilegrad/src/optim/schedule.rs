//! How the rate changes over a run.

use super::{OptimError, check_setting};

/// What follows the warm-up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decay {
    /// The full rate to the end.
    Constant,
    /// Half a cosine from the full rate down to a floor, which is a fraction of it:
    /// `floor + (1 − floor) (1 + cos πx) / 2`, `x` the part of the run after the warm-up that is done.
    Cosine {
        /// The fraction of the full rate at the end, in [0, 1].
        floor: f64,
    },
    /// `√(w / (step + 1))` with `w` the steps of warm-up (at least 1); for runs without a set end.
    InverseSquareRoot,
}

/// The factor on the base rate, a function of the step alone: linear warm-up, then a [`Decay`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    warm_up: u64,
    decay: Decay,
}

impl Schedule {
    /// The full rate throughout.
    pub const CONSTANT: Self = Self { warm_up: 0, decay: Decay::Constant };

    /// A schedule with a number of steps of warm-up.
    ///
    /// # Errors
    /// A floor outside [0, 1].
    pub fn new(warm_up: u64, decay: Decay) -> Result<Self, OptimError> {
        if let Decay::Cosine { floor } = decay {
            let allowed = (0.0..=1.0).contains(&floor);
            check_setting("the floor of the cosine decay", floor, "from 0 to 1", allowed)?;
        }
        Ok(Self { warm_up, decay })
    }

    /// The factor for a step, counted from zero, of a run of `total` steps. Warm-up step `i` of `w` has
    /// `(i + 1) / w`, so no step is wasted at zero and the last one of the warm-up has the full rate.
    /// Steps from `total` on have the last value.
    pub fn factor(&self, step: u64, total: u64) -> f64 {
        if step < self.warm_up {
            return (step + 1) as f64 / self.warm_up as f64;
        }
        match self.decay {
            Decay::Constant => 1.0,
            Decay::Cosine { floor } => {
                let length = total.saturating_sub(self.warm_up);
                let done = (step - self.warm_up).min(length);
                let fraction = if length == 0 { 1.0 } else { done as f64 / length as f64 };
                floor + (1.0 - floor) * 0.5 * (1.0 + libm::cos(std::f64::consts::PI * fraction))
            }
            Decay::InverseSquareRoot => (self.warm_up.max(1) as f64 / (step as f64 + 1.0)).sqrt(),
        }
    }
}
