//! Logistic regression with one predictor and no intercept: `P(y = 1) = 1 / (1 + exp(−b x))`.
//!
//! The log-likelihood `Σ y b x − log(1 + exp(b x))` is concave in b. Newton's method with halved steps where a whole one would
//! go too far finds its maximum; the information there gives the standard error, and Wald's test the p value.

use serde::Serialize;
use thiserror::Error;

/// A fitted coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Fit {
    /// b: the change of the log-odds when x changes by 1.
    pub coefficient: f64,
    /// Its standard error, the square root of one over the information.
    pub standard_error: f64,
}

impl Fit {
    /// `exp(b)`.
    pub fn odds(&self) -> f64 {
        self.coefficient.exp()
    }

    /// Wald's statistic: b in units of its standard error.
    pub fn z(&self) -> f64 {
        self.coefficient / self.standard_error
    }

    /// The probability, if b were 0, of a statistic at least as far from 0 on either side.
    pub fn p(&self) -> f64 {
        libm::erfc(self.z().abs() / std::f64::consts::SQRT_2)
    }
}

/// The likelihood has no maximum: all x that are not 0 push to the same side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the regression has no solution, because the predictor separates the two kinds without exception")]
pub struct Separated;

/// Steps after which the search ends; a handful is the rule.
const STEPS: usize = 200;

/// Fits the coefficient to pairs of x and y.
///
/// # Errors
/// When no finite coefficient is best.
pub(crate) fn fit(data: &[(f64, bool)]) -> Result<Fit, Separated> {
    // Which way an observation pushes: a maximum needs a push to each side.
    let pushes = |up: bool| data.iter().any(|&(x, y)| if y == up { x > 0.0 } else { x < 0.0 });
    if !(pushes(true) && pushes(false)) {
        return Err(Separated);
    }
    let mut coefficient = 0.0;
    for _ in 0..STEPS {
        let (slope, information) = derivatives(data, coefficient);
        let mut step = slope / information;
        let here = log_likelihood(data, coefficient);
        while log_likelihood(data, coefficient + step) < here && step.abs() > f64::EPSILON {
            step /= 2.0;
        }
        coefficient += step;
        if step.abs() <= 1e-12 * (1.0 + coefficient.abs()) {
            break;
        }
    }
    let (_, information) = derivatives(data, coefficient);
    Ok(Fit { coefficient, standard_error: information.sqrt().recip() })
}

fn log_likelihood(data: &[(f64, bool)], coefficient: f64) -> f64 {
    let one = |&(x, y): &(f64, bool)| {
        let logit = if y { coefficient * x } else { -coefficient * x };
        // log 1/(1 + exp(−logit)), without overflow.
        logit.min(0.0) - (-logit.abs()).exp().ln_1p()
    };
    data.iter().map(one).sum()
}

/// The first derivative of the log-likelihood, and minus the second.
fn derivatives(data: &[(f64, bool)], coefficient: f64) -> (f64, f64) {
    data.iter().fold((0.0, 0.0), |(slope, information), &(x, y)| {
        let share = 1.0 / (1.0 + (-coefficient * x).exp());
        (slope + x * (f64::from(u8::from(y)) - share), information + x * x * share * (1.0 - share))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With x = 1 throughout, b is the log-odds of y and its variance 1/n₁ + 1/n₀.
    #[test]
    fn one_value_has_a_closed_form() {
        for (ones, zeros) in [(1, 1), (30, 10), (3, 500)] {
            let data: Vec<(f64, bool)> = (0..ones + zeros).map(|index| (1.0, index < ones)).collect();
            let fit = fit(&data).unwrap();
            let (ones, zeros) = (f64::from(ones), f64::from(zeros));
            assert!((fit.odds() - ones / zeros).abs() < 1e-9 * fit.odds(), "{fit:?}");
            assert!((fit.standard_error - (1.0 / ones + 1.0 / zeros).sqrt()).abs() < 1e-9);
        }
    }

    #[test]
    fn p_values_are_those_of_the_tables() {
        let p = |z: f64| Fit { coefficient: z, standard_error: 1.0 }.p();
        assert!((p(1.959_963_984_540_054) - 0.05).abs() < 1e-12);
        assert!((p(-2.575_829_303_548_901) - 0.01).abs() < 1e-12);
        assert_eq!(p(0.0), 1.0);
    }

    #[test]
    fn separated_data_have_no_maximum() {
        let data: &[&[(f64, bool)]] = &[
            &[],
            &[(1.0, true), (0.0, false)],
            &[(0.0, true)],
            &[(0.5, false), (1.0, false)],
            &[(1.0, true), (-1.0, false)],
        ];
        data.iter().for_each(|data| assert_eq!(fit(data), Err(Separated)));
        // One exception suffices, however far the maximum is.
        let mut data = vec![(1.0, true); 100_000];
        data.push((0.01, false));
        let fit = fit(&data).unwrap();
        assert!(derivatives(&data, fit.coefficient).0.abs() < 1e-8, "{fit:?}");
    }
}
