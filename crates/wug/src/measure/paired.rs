//! The paired t test: do differences have a mean other than zero?

/// The two-sided p value for the mean of differences; 1 where there are fewer than two or all are zero.
pub(crate) fn paired_p(differences: &[f64]) -> f64 {
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
    if differences.len() < 2 || differences.iter().all(|&difference| difference == 0.0) {
        return 1.0;
    }
    let freedom = count - 1.0;
    let t = mean / (squares / freedom / count).sqrt();
    if t.is_finite() { student_p(t, freedom) } else { 0.0 }
}

/// The probability of a t at least as far from zero on either side: `I_x(ν/2, 1/2)` at `x = ν / (ν + t²)`.
fn student_p(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

/// The regularised incomplete beta function `I_x(a, b)`, by its continued fraction (modified Lentz).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast on this side of the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let log_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = (a * x.ln() + b * (1.0 - x).ln() - log_beta).exp() / a;
    const TINY: f64 = 1e-300;
    let (mut c, mut d) = (1.0, 0.0);
    let mut fraction = 1.0;
    for step in 0..500_u32 {
        let m = f64::from(step / 2);
        let numerator = match step {
            0 => 1.0,
            _ if step.is_multiple_of(2) => m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            _ => -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        };
        d = 1.0 + numerator * d;
        d = 1.0 / if d.abs() < TINY { TINY } else { d };
        c = 1.0 + numerator / c;
        if c.abs() < TINY {
            c = TINY;
        }
        let change = c * d;
        fraction *= change;
        if (change - 1.0).abs() < 1e-14 && step > 1 {
            break;
        }
    }
    front * (fraction - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From tables of Student's distribution, and its closed forms for one and two degrees of freedom.
    #[test]
    fn p_values_are_those_of_the_tables() {
        for (t, freedom, expected) in [
            (12.706_204_736_432_1, 1.0, 0.05),
            (2.228_138_851_964_94, 10.0, 0.05),
            (2.660_283_014_3, 60.0, 0.01),
        ] {
            let found = student_p(t, freedom);
            assert!((found - expected).abs() < 1e-8, "{found}, expected {expected}");
        }
        for t in [0.1, 0.7, 1.0, 3.0, 40.0_f64] {
            let cauchy = 1.0 - 2.0 * t.atan() / std::f64::consts::PI;
            assert!((student_p(t, 1.0) - cauchy).abs() < 1e-10, "{t}: {} {cauchy}", student_p(t, 1.0));
            let two = 1.0 - t / (2.0 + t * t).sqrt();
            assert!((student_p(-t, 2.0) - two).abs() < 1e-10, "{t}");
        }
        assert_eq!(student_p(0.0, 5.0), 1.0);
    }

    #[test]
    fn differences_that_say_nothing() {
        assert_eq!(paired_p(&[]), 1.0);
        assert_eq!(paired_p(&[3.0]), 1.0);
        assert_eq!(paired_p(&[0.0, 0.0]), 1.0);
        assert_eq!(paired_p(&[2.0, 2.0]), 0.0);
        // R: t.test(c(1, 2, 3, 4))$p.value
        assert!((paired_p(&[1.0, 2.0, 3.0, 4.0]) - 0.030_466_291_662_170_87).abs() < 1e-9);
    }
}
