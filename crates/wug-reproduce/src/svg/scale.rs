//! From numbers to places.

/// A map from numbers to places on an axis, straight or by logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    from: (f64, f64),
    to: (f64, f64),
    logarithmic: bool,
}

impl Scale {
    /// A straight scale of `from` onto `to`, widened so that it begins and ends at round numbers.
    pub(crate) fn linear(from: (f64, f64), to: (f64, f64)) -> Self {
        let from = if from.1 > from.0 { from } else { (from.0 - 0.5, from.0 + 0.5) };
        let step = round_step(from);
        let from = ((from.0 / step + 1e-9).floor() * step, (from.1 / step - 1e-9).ceil() * step);
        Self { from, to, logarithmic: false }
    }

    /// A straight scale of `from` onto `to` that ends where the numbers end.
    pub(crate) fn fitted(from: (f64, f64), to: (f64, f64)) -> Self {
        let from = if from.1 > from.0 { from } else { (from.0 - 0.5, from.0 + 0.5) };
        Self { from, to, logarithmic: false }
    }

    /// A scale by logarithms of positive numbers.
    pub(crate) fn logarithmic(from: (f64, f64), to: (f64, f64)) -> Self {
        let from = if from.1 > from.0 { from } else { (from.0, 10.0 * from.0) };
        Self { from, to, logarithmic: true }
    }

    /// Where a number lies.
    pub(crate) fn place(&self, number: f64) -> f64 {
        let map = |number: f64| if self.logarithmic { number.log10() } else { number };
        let (low, high) = (map(self.from.0), map(self.from.1));
        self.to.0 + (map(number) - low) / (high - low) * (self.to.1 - self.to.0)
    }

    /// Round numbers along the axis with their names.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        if self.logarithmic {
            let powers = self.from.0.log10().ceil() as i32..=self.from.1.log10().floor() as i32;
            return powers.map(|power| (10f64.powi(power), power_name(power))).collect();
        }
        let step = round_step(self.from);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let first = (self.from.0 / step - 1e-9).ceil() * step;
        let count = ((self.from.1 - first) / step + 1e-9).floor() as usize;
        (0..=count)
            .map(|index| first + step * index as f64)
            .map(|tick| if tick.abs() < step / 1e6 { 0.0 } else { tick })
            .map(|tick| (tick, format!("{tick:.decimals$}")))
            .collect()
    }
}

/// 1, 2 or 5 times a power of ten, so that about five fit.
fn round_step((low, high): (f64, f64)) -> f64 {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999).unwrap_or(10.0);
    factor * power
}

fn power_name(power: i32) -> String {
    match power {
        0..=2 => 10u32.pow(power as u32).to_string(),
        3..=5 => format!("{} k", 10u32.pow(power as u32 - 3)),
        6..=8 => format!("{} M", 10u32.pow(power as u32 - 6)),
        _ => format!("1e{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn ends_are_round_and_map_to_the_ends() {
        let scale = Scale::linear((0.13, 3.9), (100.0, 0.0));
        assert_eq!((scale.place(0.0), scale.place(4.0), scale.place(2.0)), (100.0, 0.0, 50.0));
        assert_eq!(names(scale), ["0", "1", "2", "3", "4"]);
        assert_eq!(names(Scale::linear((11.0, 11.31), (0.0, 1.0))), ["11.0", "11.1", "11.2", "11.3", "11.4"]);
    }

    #[test]
    fn a_fitted_scale_ends_with_its_numbers() {
        let scale = Scale::fitted((0.0, 0.06), (0.0, 1.0));
        assert_eq!(scale.place(0.06), 1.0);
        assert_eq!(names(scale), ["0.00", "0.02", "0.04", "0.06"]);
        assert_eq!(names(Scale::fitted((0.3, 11.9), (0.0, 1.0))), ["5", "10"]);
    }

    #[test]
    fn equal_ends_are_moved_apart() {
        let scale = Scale::linear((2.0, 2.0), (0.0, 1.0));
        assert!(scale.place(2.0).is_finite());
        assert!(scale.ticks().len() > 1);
    }

    #[test]
    fn logarithms_have_powers_of_ten() {
        let scale = Scale::logarithmic((10.0, 100_000.0), (0.0, 4.0));
        assert_eq!(names(scale), ["10", "100", "1 k", "10 k", "100 k"]);
        assert!((scale.place(1000.0) - 2.0).abs() < 1e-12);
    }
}
