//! Adam.

use super::{OptimError, check_length, check_setting, check_values, power};
use crate::Element;
use crate::simd::{Path, Simd, Task};

/// The constants of [`Adam`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdamSettings {
    /// Decay of the running mean of the gradient, `β₁`, in [0, 1).
    pub beta1: f64,
    /// Decay of the running mean of the squared gradient, `β₂`, in [0, 1).
    pub beta2: f64,
    /// Added to the root in the denominator, `ε`; positive.
    pub epsilon: f64,
}

impl Default for AdamSettings {
    /// `β₁ = 0.9`, `β₂ = 0.999`, `ε = 1e-8`, as in the paper that introduced Adam.
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }
    }
}

impl AdamSettings {
    fn check(self) -> Result<(), OptimError> {
        let decay = |beta: f64| (0.0..1.0).contains(&beta);
        check_setting("beta1", self.beta1, "at least 0 and below 1", decay(self.beta1))?;
        check_setting("beta2", self.beta2, "at least 0 and below 1", decay(self.beta2))?;
        let positive = self.epsilon > 0.0 && self.epsilon.is_finite();
        check_setting("epsilon", self.epsilon, "a positive number", positive)
    }
}

/// Adam with bias correction (D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization",
/// 2015). Step `t` with gradient `g` and rate `α` makes
///
/// ```text
/// m ← β₁ m + (1 − β₁) g        v ← β₂ v + (1 − β₂) g²
/// p ← p − α (m / (1 − β₁ᵗ)) / (√(v / (1 − β₂ᵗ)) + ε)
/// ```
///
/// For a checkpoint keep [`first_moment`](Self::first_moment), [`second_moment`](Self::second_moment)
/// and [`steps`](Self::steps); [`restore`](Self::restore) then goes on to the bit.
#[derive(Debug, Clone, PartialEq)]
pub struct Adam<T> {
    settings: AdamSettings,
    first_moment: Vec<T>,
    second_moment: Vec<T>,
    steps: u64,
}

impl<T: Element> Adam<T> {
    /// The state before the first step, for a number of parameters.
    ///
    /// # Errors
    /// A setting out of range.
    pub fn new(settings: AdamSettings, parameters: usize) -> Result<Self, OptimError> {
        let zeros = vec![T::from_f64(0.0); parameters];
        Self::restore(settings, zeros.clone(), zeros, 0)
    }

    /// The state of a checkpoint.
    ///
    /// # Errors
    /// A setting out of range, moments of different lengths, a moment that is not finite, or a negative
    /// second moment.
    pub fn restore(
        settings: AdamSettings,
        first_moment: Vec<T>,
        second_moment: Vec<T>,
        steps: u64,
    ) -> Result<Self, OptimError> {
        settings.check()?;
        check_length("the second moment", second_moment.len(), first_moment.len())?;
        check_values("first moment", &first_moment, "a finite number", T::is_finite)?;
        let zero = T::from_f64(0.0);
        check_values("second moment", &second_moment, "a finite number, not negative", |value| {
            value.is_finite() & (value >= zero)
        })?;
        Ok(Self { settings, first_moment, second_moment, steps })
    }

    /// Moves the parameters one step against the gradient.
    ///
    /// # Errors
    /// Different lengths, a rate that is negative or not finite, or a gradient that is not finite; then
    /// neither the parameters nor the state have changed.
    pub fn step(&mut self, parameters: &mut [T], gradient: &[T], rate: f64) -> Result<(), OptimError> {
        check_length("the parameter vector", parameters.len(), self.first_moment.len())?;
        check_length("the gradient", gradient.len(), self.first_moment.len())?;
        check_setting("the rate", rate, "a finite number, not negative", rate.is_finite() && rate >= 0.0)?;
        check_values("gradient", gradient, "a finite number", T::is_finite)?;
        self.steps += 1;
        let AdamSettings { beta1, beta2, epsilon } = self.settings;
        // Both corrections as factors, one for all parameters: α / (1 − β₁ᵗ) and 1 / √(1 − β₂ᵗ).
        let rate = T::from_f64(rate / (1.0 - power(beta1, self.steps)));
        let root_scale = T::from_f64(1.0 / (1.0 - power(beta2, self.steps)).sqrt());
        let [keep_first, add_first] = [beta1, 1.0 - beta1].map(T::from_f64);
        let [keep_second, add_second] = [beta2, 1.0 - beta2].map(T::from_f64);
        let epsilon = T::from_f64(epsilon);
        let (first, second) = (&mut self.first_moment, &mut self.second_moment);
        let (first_decay, second_decay) = ([keep_first, add_first], [keep_second, add_second]);
        let factors = Factors { first_decay, second_decay, rate, root_scale, epsilon };
        T::run(Path::current(), Update { parameters, gradient, first, second, factors });
        Ok(())
    }

    /// The settings.
    pub fn settings(&self) -> AdamSettings {
        self.settings
    }

    /// The running mean of the gradient, `m`.
    pub fn first_moment(&self) -> &[T] {
        &self.first_moment
    }

    /// The running mean of the squared gradient, `v`.
    pub fn second_moment(&self) -> &[T] {
        &self.second_moment
    }

    /// The number of steps made, `t`.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

/// The constants of one step.
#[derive(Clone, Copy)]
struct Factors<T> {
    /// What is kept of the moment, and what is added.
    first_decay: [T; 2],
    second_decay: [T; 2],
    rate: T,
    root_scale: T,
    epsilon: T,
}

/// One step over all parameters.
struct Update<'a, T> {
    parameters: &'a mut [T],
    gradient: &'a [T],
    first: &'a mut [T],
    second: &'a mut [T],
    factors: Factors<T>,
}

impl<T: Element> Task<T> for Update<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = T>>(self) {
        let Factors { first_decay, second_decay, rate, root_scale, epsilon } = self.factors;
        let moments = self.first.iter_mut().zip(self.second);
        for ((parameter, &g), (first, second)) in self.parameters.iter_mut().zip(self.gradient).zip(moments) {
            *first = first_decay[0] * *first + first_decay[1] * g;
            *second = second_decay[0] * *second + second_decay[1] * (g * g);
            *parameter = *parameter - rate * *first / (second.sqrt() * root_scale + epsilon);
        }
    }
}
