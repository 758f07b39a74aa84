//! Clipping by the global norm.

use super::{OptimError, check_setting};
use crate::Element;
use crate::simd::{Path, Simd, Task};

/// Partial sums, so that the additions need not wait for each other. Part of the result: another
/// number rounds differently.
const LANES: usize = 8;

/// `√(Σ gᵢ²)`, summed in `f64` in a fixed order. NaN or infinite if any value is (and for `f64` values
/// beyond 1e154, whose squares overflow).
pub fn global_norm<T: Element>(gradient: &[T]) -> f64 {
    T::run(Path::current(), Norm(gradient))
}

struct Norm<'a, T>(&'a [T]);

impl<T: Element> Task<T> for Norm<'_, T> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd<Element = T>>(self) -> f64 {
        let mut sums = [0.0; LANES];
        let (chunks, rest) = self.0.as_chunks::<LANES>();
        for chunk in chunks {
            for (sum, &value) in sums.iter_mut().zip(chunk) {
                *sum += value.to_f64() * value.to_f64();
            }
        }
        for (sum, &value) in sums.iter_mut().zip(rest) {
            *sum += value.to_f64() * value.to_f64();
        }
        sums.iter().sum::<f64>().sqrt()
    }
}

/// Scales a gradient whose [`global_norm`] is above the limit down to the limit, and returns the norm
/// it had. A norm that is not finite is returned for the caller to act upon, with the gradient as it
/// was.
///
/// # Errors
/// A limit that is negative or NaN. An infinite one never clips.
pub fn clip_global_norm<T: Element>(gradient: &mut [T], limit: f64) -> Result<f64, OptimError> {
    check_setting("the limit of the gradient norm", limit, "a number, not negative", limit >= 0.0)?;
    let norm = global_norm(gradient);
    if norm.is_finite() && norm > limit {
        let scale = limit / norm;
        for value in gradient {
            *value = T::from_f64(value.to_f64() * scale);
        }
    }
    Ok(norm)
}
