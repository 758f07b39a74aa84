//! Binomial random numbers, the same on every machine: the algorithms BINV and BTPE of Kachitvichyanukul & Schmeiser, *Binomial random
//! variate generation* (Commun. ACM 31, 1988), with the signs of GSL, and logarithms that are those of `libm` everywhere. Draws are used
//! up as by `rand_distr` 0.6.

use rand_core::Rng;

/// Up to this mean, numbers come by inversion.
const INVERSION: f64 = 10.0;
/// Numbers beyond this are rounding errors of the inversion.
const MAX_INVERTED: u64 = 110;
/// Up to this distance from the mode, probabilities are computed by their recurrence.
const RECURRENCE: u64 = 20;

/// How many of some trials succeed, each with a probability from 0 to 0.5, both excluded.
pub(crate) fn binomial(trials: u64, probability: f64, rng: &mut impl Rng) -> u64 {
    debug_assert!(probability > 0.0 && probability <= 0.5, "{probability}");
    if trials as f64 * probability < INVERSION {
        by_inversion(trials, probability, rng)
    } else {
        by_rejection(trials, probability, rng)
    }
}

fn by_inversion(trials: u64, p: f64, rng: &mut impl Rng) -> u64 {
    let odds = p / (1.0 - p);
    let a = (trials as f64 + 1.0) * odds;
    let none = libm::pow(1.0 - p, trials as f64);
    loop {
        let mut rest = (rng.next_u64() >> 11) as f64 * (-53_f64).exp2();
        let (mut probability, mut successes) = (none, 0);
        while rest > probability && successes <= MAX_INVERTED {
            rest -= probability;
            successes += 1;
            probability *= a / successes as f64 - odds;
        }
        if successes <= MAX_INVERTED {
            return successes;
        }
    }
}

/// A triangle over the mode, parallelograms beside it and exponential tails lie above the probabilities, scaled to 1 at the mode.
fn by_rejection(trials: u64, p: f64, rng: &mut impl Rng) -> u64 {
    let n = trials as f64;
    let (np, q) = (n * p, 1.0 - p);
    let (variance, mean) = (np * q, np + p);
    let mode = mean as u64;
    let triangle = (2.195 * variance.sqrt() - 4.6 * q).floor() + 0.5;
    let middle = mode as f64 + 0.5;
    let (left, right) = (middle - triangle, middle + triangle);
    let c = 0.134 + 20.5 / (15.3 + mode as f64);
    let slope = |a: f64| a * (1.0 + 0.5 * a);
    let to_left = slope((mean - left) / (mean - left * p));
    let to_right = slope((right - mean) / (right * q));
    let parallelograms = triangle * (1.0 + 2.0 * c);
    let left_tail = parallelograms + c / to_left;
    let area = left_tail + c / to_right;
    loop {
        let (u, mut v) = (uniform(rng) * area, uniform(rng));
        let number = if u <= triangle {
            return (middle - triangle * v + u) as u64;
        } else if u <= parallelograms {
            let x = left + (u - triangle) / c;
            v = v * c + 1.0 - (x - middle).abs() / triangle;
            if v > 1.0 {
                continue;
            }
            x as u64
        } else if u <= left_tail {
            let x = left + libm::log(v) / to_left;
            if x < 0.0 {
                continue;
            }
            v *= (u - parallelograms) * to_left;
            x as u64
        } else {
            let x = (right - libm::log(v) / to_right) as u64;
            if x > trials {
                continue;
            }
            v *= (u - left_tail) * to_right;
            x
        };
        if is_below(v, number, trials, p, mode) {
            return number;
        }
    }
}

/// Whether a height is below a number's probability, scaled to 1 at the mode.
fn is_below(height: f64, number: u64, trials: u64, p: f64, mode: u64) -> bool {
    let (n, q) = (trials as f64, 1.0 - p);
    let variance = n * p * q;
    let distance = number.abs_diff(mode);
    if distance <= RECURRENCE || distance as f64 >= 0.5 * variance - 1.0 {
        let (odds, a) = (p / q, p / q * (n + 1.0));
        let ratio = |number: u64| a / number as f64 - odds;
        let up = (mode + 1..=number).fold(1.0, |height, number| height * ratio(number));
        return height <= (number + 1..=mode).fold(up, |height, number| height / ratio(number));
    }
    // First between bounds.
    let k = distance as f64;
    let width = (k / variance) * ((k * (k / 3.0 + 0.625) + 1.0 / 6.0) / variance + 0.5);
    let centre = -0.5 * k * k / variance;
    let log = libm::log(height);
    if log < centre - width || log > centre + width {
        return log < centre - width;
    }
    let (x, m) = ((number + 1) as f64, (mode + 1) as f64);
    let (z, w) = ((trials - mode + 1) as f64, (trials - number + 1) as f64);
    let stirling = |a: f64| {
        let square = a * a;
        (13860. - (462. - (132. - (99. - 140. / square) / square) / square) / square) / a / 166_320.
    };
    let beyond = if number > mode { k } else { -k };
    log <= (mode as f64 + 0.5) * libm::log(m / x)
        + ((trials - mode) as f64 + 0.5) * libm::log(z / w)
        + beyond * libm::log(w * p / (x * q))
        + stirling(m)
        + stirling(z)
        - stirling(x)
        - stirling(w)
}

/// From 0 to 1, 1 excluded, in steps of 2⁻⁵².
fn uniform(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 12) as f64 * (-52_f64).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    /// Seeds are an interface: the first draws of each algorithm, which are those of `rand_distr` 0.6.
    #[test]
    fn draws_are_pinned() {
        let draws = |trials| -> Vec<u64> {
            let mut rng = stream(1, *b"binomial", 0);
            (0..6).map(|_| binomial(trials, 0.1, &mut rng)).collect()
        };
        assert_eq!(draws(60), [4, 2, 7, 3, 6, 6]);
        assert_eq!(draws(400), [45, 42, 36, 41, 40, 35]);
        assert_eq!(draws(1 << 40)[..3], [109_951_343_215, 109_951_692_016, 109_951_294_996]);
    }

    #[test]
    fn means_and_variances_are_those_of_the_formulas() {
        for (trials, p) in [(3_u64, 0.3), (90, 0.1), (110, 0.1), (5000, 0.5)] {
            let mut rng = stream(2, *b"binomial", 0);
            let (draws, n) = (40_000_u32, trials as f64);
            let (mean, variance) = (n * p, n * p * (1.0 - p));
            let found: Vec<f64> = (0..draws).map(|_| binomial(trials, p, &mut rng) as f64 - mean).collect();
            let sum: f64 = found.iter().sum();
            let squares: f64 = found.iter().map(|x| x * x).sum();
            let draws = f64::from(draws);
            assert!((sum / draws).abs() < 4.0 * (variance / draws).sqrt(), "{trials}, {p}");
            assert!((squares / draws / variance - 1.0).abs() < 0.05, "{trials}, {p}");
        }
    }
}
