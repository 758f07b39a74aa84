//! Means, their spread, and what differences between them are worth.

use serde::Serialize;

/// Mean and standard deviation of some runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Statistics {
    /// How many there are.
    pub runs: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation `√(Σ (x − x̄)² / (n − 1))`; none for a single run.
    pub deviation: Option<f64>,
}

impl Statistics {
    /// Of some numbers; none if there are none.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let runs = numbers.len();
        if runs == 0 {
            return None;
        }
        let mean = numbers.iter().sum::<f64>() / runs as f64;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let deviation = (runs > 1).then(|| (squares / (runs - 1) as f64).sqrt());
        Some(Self { runs, mean, deviation })
    }
}

/// A variance and how well it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Variance {
    /// The variance.
    pub value: f64,
    /// Degrees of freedom.
    pub degrees: f64,
}

/// An estimate with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Interval {
    /// What was found.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Half the width of its 95 % confidence interval: Student's quantile times the standard error.
    pub reach: f64,
}

impl Interval {
    /// An estimate from the variances of the terms that add up to it (Welch–Satterthwaite).
    pub(crate) fn new(value: f64, terms: &[Variance]) -> Self {
        let variance: f64 = terms.iter().map(|term| term.value).sum();
        let spread: f64 = terms.iter().map(|term| term.value.powi(2) / term.degrees).sum();
        let degrees = if spread > 0.0 { variance.powi(2) / spread } else { f64::INFINITY };
        let error = variance.sqrt();
        Self { value, error, reach: student(degrees) * error }
    }

    /// The lower end of the interval.
    pub(crate) fn lower(self) -> f64 {
        self.value - self.reach
    }

    /// The upper end of the interval.
    pub(crate) fn upper(self) -> f64 {
        self.value + self.reach
    }
}

/// The 97.5 % quantiles of Student's t distribution for 1, 2, … degrees of freedom (standard tables).
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The 97.5 % quantile of Student's t distribution, on the safe side between whole degrees of freedom.
fn student(degrees: f64) -> f64 {
    if degrees > STUDENT.len() as f64 {
        return if degrees > 1000.0 { 1.960 } else { STUDENT[STUDENT.len() - 1] };
    }
    STUDENT[(degrees.floor() as usize).max(1) - 1]
}

/// A number with so many decimals, with a true minus sign and none before a zero.
pub(crate) fn rounded(number: f64, decimals: usize) -> String {
    let number = if number.abs() < 0.5 * 10f64.powi(-(decimals as i32)) { 0.0 } else { number };
    format!("{number:.decimals$}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_deviation() {
        let found = Statistics::of(&[1.0, 2.0, 6.0]).unwrap();
        assert_eq!((found.runs, found.mean), (3, 3.0));
        assert!((found.deviation.unwrap() - 7f64.sqrt()).abs() < 1e-15);
        assert_eq!(Statistics::of(&[4.0]), Some(Statistics { runs: 1, mean: 4.0, deviation: None }));
        assert_eq!(Statistics::of(&[]), None);
    }

    /// Two samples of three with variance 1 each: the classical test with four degrees of freedom.
    #[test]
    fn welch_is_students_test_for_equal_variances() {
        let term = Variance { value: 1.0 / 3.0, degrees: 2.0 };
        let found = Interval::new(1.5, &[term, term]);
        assert!((found.error - (2f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!((found.reach - 2.776 * found.error).abs() < 1e-12);
        assert!((found.lower() + found.upper() - 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_variance_that_is_known_has_the_normal_quantile() {
        let found = Interval::new(0.0, &[Variance { value: 4.0, degrees: f64::INFINITY }]);
        assert!((found.reach - 1.96 * 2.0).abs() < 1e-12);
        assert_eq!(Interval::new(1.0, &[]).reach, 0.0);
    }
}
