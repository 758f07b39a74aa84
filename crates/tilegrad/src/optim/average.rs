//! An exponential moving average of the parameters.

use super::{OptimError, check_length, check_setting, check_values, power};
use crate::Element;
use crate::simd::{Path, Simd, Task};

/// The exponential moving average of the parameters, with bias correction: after `n` updates with
/// `p₁ … pₙ` and decay `d` it is
///
/// ```text
/// Σᵢ dⁿ⁻ⁱ pᵢ / Σᵢ dⁿ⁻ⁱ
/// ```
///
/// a true weighted mean from the first update on (which it equals), with no trace of the value it
/// started from. It is kept as itself, moved by `(1 − d) / (1 − dⁿ)` of the way to each new `p`, and in
/// `f64`: with `d = 0.9999` an `f32` average would no longer move towards parameters that differ from
/// it by less than 6e-4 of their size.
///
/// For a checkpoint keep [`values`](Self::values) and [`updates`](Self::updates).
#[derive(Debug, Clone, PartialEq)]
pub struct Average {
    decay: f64,
    values: Vec<f64>,
    updates: u64,
}

impl Average {
    /// An average of nothing yet, for a number of parameters. A decay of 0 follows the parameters; one
    /// of `1 − 1/k` averages over about the last `k`.
    ///
    /// # Errors
    /// A decay outside [0, 1).
    pub fn new(decay: f64, parameters: usize) -> Result<Self, OptimError> {
        Self::restore(decay, vec![0.0; parameters], 0)
    }

    /// The average of a checkpoint.
    ///
    /// # Errors
    /// A decay outside [0, 1) or a value that is not finite.
    pub fn restore(decay: f64, values: Vec<f64>, updates: u64) -> Result<Self, OptimError> {
        check_setting("the decay", decay, "at least 0 and below 1", (0.0..1.0).contains(&decay))?;
        check_values("average", &values, "a finite number", f64::is_finite)?;
        Ok(Self { decay, values, updates })
    }

    /// Takes in the parameters after a step.
    ///
    /// # Errors
    /// Another number of parameters, or one that is not finite; then nothing has changed.
    pub fn update<T: Element>(&mut self, parameters: &[T]) -> Result<(), OptimError> {
        check_length("the parameter vector", parameters.len(), self.values.len())?;
        check_values("parameter", parameters, "a finite number", T::is_finite)?;
        self.updates += 1;
        let weight = (1.0 - self.decay) / (1.0 - power(self.decay, self.updates));
        T::run(Path::current(), Update { values: &mut self.values, parameters, weight });
        Ok(())
    }

    /// Writes the average into a parameter vector.
    ///
    /// # Errors
    /// Another number of parameters, or no update yet.
    pub fn write_to<T: Element>(&self, parameters: &mut [T]) -> Result<(), OptimError> {
        check_length("the parameter vector", parameters.len(), self.values.len())?;
        if self.updates == 0 {
            return Err(OptimError::NoAverage);
        }
        for (parameter, &value) in parameters.iter_mut().zip(&self.values) {
            *parameter = T::from_f64(value);
        }
        Ok(())
    }

    /// The decay, `d`.
    pub fn decay(&self) -> f64 {
        self.decay
    }

    /// The average; zeros before the first update.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The number of updates, `n`.
    pub fn updates(&self) -> u64 {
        self.updates
    }
}

/// One move towards new parameters.
struct Update<'a, T> {
    values: &'a mut [f64],
    parameters: &'a [T],
    weight: f64,
}

impl<T: Element> Task<T> for Update<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = T>>(self) {
        for (value, &parameter) in self.values.iter_mut().zip(self.parameters) {
            *value += self.weight * (parameter.to_f64() - *value);
        }
    }
}
