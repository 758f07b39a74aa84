//! The optimiser: what happens to the flat vector of parameters between two gradients.
//!
//! A step is: [`clip_global_norm`] the gradient, give it to [`Adam::step`] with the rate that a
//! [`Schedule`] sets, and add the new parameters to an [`Average`]. Nothing here allocates after
//! construction, and every sum is made in a fixed order, so a run repeats to the bit.
//!
//! ```
//! use tilegrad::optim::{Adam, AdamSettings, Decay, Schedule, clip_global_norm};
//!
//! // The lowest point of (x − 3)² + (y + 1)².
//! let (target, mut point) = ([3.0_f32, -1.0], [0.0; 2]);
//! let mut adam = Adam::new(AdamSettings::default(), 2)?;
//! let schedule = Schedule::new(10, Decay::Cosine { floor: 0.0 })?;
//! for step in 0..500 {
//!     let mut gradient = [0, 1].map(|i| 2.0 * (point[i] - target[i]));
//!     clip_global_norm(&mut gradient, 1.0)?;
//!     adam.step(&mut point, &gradient, 0.1 * schedule.factor(step, 500))?;
//! }
//! assert!((point[0] - 3.0).abs() < 1e-3 && (point[1] + 1.0).abs() < 1e-3);
//! # Ok::<(), tilegrad::optim::OptimError>(())
//! ```

mod adam;
mod average;
mod clip;
mod schedule;

pub use adam::{Adam, AdamSettings};
pub use average::Average;
pub use clip::{clip_global_norm, global_norm};
pub use schedule::{Decay, Schedule};

use crate::Element;

/// What can be wrong with the input of an optimiser. Whatever failed has changed nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OptimError {
    /// Two vectors that belong together differ in length.
    #[error("{what} has {found} values, but there are {expected} parameters")]
    Length {
        /// The vector at fault.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length of the state.
        expected: usize,
    },
    /// A vector has a value that it may not have, such as NaN in a gradient.
    #[error("{what} number {index} is {value}, expected {expected}")]
    Value {
        /// The vector at fault.
        what: &'static str,
        /// The first position at fault, from zero.
        index: usize,
        /// What is there.
        value: f64,
        /// What may be there.
        expected: &'static str,
    },
    /// A setting out of range.
    #[error("{name} is {value}, expected {expected}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range allowed.
        expected: &'static str,
    },
    /// An average was asked for before anything was averaged.
    #[error("there is no average before the first update")]
    NoAverage,
}

fn check_length(what: &'static str, found: usize, expected: usize) -> Result<(), OptimError> {
    if found == expected { Ok(()) } else { Err(OptimError::Length { what, found, expected }) }
}

fn check_setting(
    name: &'static str,
    value: f64,
    expected: &'static str,
    allowed: bool,
) -> Result<(), OptimError> {
    if allowed { Ok(()) } else { Err(OptimError::Setting { name, value, expected }) }
}

fn check_values<T: Element>(
    what: &'static str,
    values: &[T],
    expected: &'static str,
    allowed: impl Fn(T) -> bool,
) -> Result<(), OptimError> {
    // The usual case without an early exit, so that it is done in vectors.
    if values.iter().fold(true, |all, &value| all & allowed(value)) {
        return Ok(());
    }
    let first = values.iter().enumerate().find(|&(_, &value)| !allowed(value));
    first.map_or(Ok(()), |(index, &value)| {
        Err(OptimError::Value { what, index, value: value.to_f64(), expected })
    })
}

/// `base^exponent` by repeated squaring: only multiplications, so the same bits everywhere.
fn power(base: f64, mut exponent: u64) -> f64 {
    let (mut result, mut square) = (1.0, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    result
}
