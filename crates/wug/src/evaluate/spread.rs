//! How numbers are spread: what a box plot shows.

use serde::{Deserialize, Serialize};

/// What a box plot shows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The smallest number within 1.5 interquartile ranges of the box.
    pub lower_whisker: f64,
    /// A quarter is below.
    pub lower_quartile: f64,
    /// Half is below.
    pub median: f64,
    /// Three quarters are below.
    pub upper_quartile: f64,
    /// The largest number within 1.5 interquartile ranges of the box.
    pub upper_whisker: f64,
}

impl Spread {
    /// The spread of some numbers; NaN if there are none. Quartiles are interpolated linearly.
    pub fn of(numbers: &[f64]) -> Self {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let quantile = |share: f64| {
            let place = share * sorted.len().saturating_sub(1) as f64;
            let (low, high) = (place.floor() as usize, place.ceil() as usize);
            let at = |index: usize| sorted.get(index).copied().unwrap_or(f64::NAN);
            at(low) + (at(high) - at(low)) * place.fract()
        };
        let [lower_quartile, median, upper_quartile] = [0.25, 0.5, 0.75].map(quantile);
        let reach = 1.5 * (upper_quartile - lower_quartile);
        let within = |&number: &f64| number >= lower_quartile - reach && number <= upper_quartile + reach;
        Self {
            mean: numbers.iter().sum::<f64>() / numbers.len() as f64,
            lower_whisker: sorted.iter().copied().find(within).unwrap_or(f64::NAN),
            lower_quartile,
            median,
            upper_quartile,
            upper_whisker: sorted.iter().rev().copied().find(within).unwrap_or(f64::NAN),
        }
    }
}
