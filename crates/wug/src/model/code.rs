//! How noise picks a symbol, and which noise a symbol may have come from.
//!
//! The unit interval is divided among the symbols: each has a cell as long as its probability π, side by side in the *cell order*, a permutation
//! of the alphabet that is part of the model. A normal number ξ falls on the point `u = Φ(ξ)`, and the cell it falls into is the symbol's.
//! Given the symbol, u is uniform in its cell: the posterior of the noise is known exactly. With the place `v = (u − c) / π` within the cell
//! that begins at c, `ξ ↔ (symbol, v)` is one-to-one, and `log |dv/dξ| = log φ(ξ) − log π`.

use tilegrad::math::normal;

use crate::lexicon::Symbol;

/// A permutation of the alphabet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CellOrder {
    /// The symbol of each cell.
    symbols: Vec<Symbol>,
    /// The cell of each symbol.
    cells: Vec<u32>,
}

impl CellOrder {
    /// Cells in this order of symbols; none if it is no permutation.
    pub(crate) fn new(symbols: &[Symbol]) -> Option<Self> {
        let mut cells = vec![u32::MAX; symbols.len()];
        for (cell, &symbol) in (0..).zip(symbols) {
            let place = cells.get_mut(usize::from(symbol)).filter(|place| **place == u32::MAX)?;
            *place = cell;
        }
        Some(Self { symbols: symbols.to_vec(), cells })
    }

    /// The symbols, cell by cell.
    pub(crate) fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The cell of a symbol.
    pub(crate) fn cell(&self, symbol: Symbol) -> usize {
        self.cells[usize::from(symbol)] as usize
    }
}

/// The point of the unit interval that a normal number falls on.
pub(crate) fn point_of(noise: f64) -> f64 {
    normal::cdf(noise)
}

/// The normal number that falls on a point of the unit interval.
pub(crate) fn noise_at(point: f64) -> f64 {
    normal::quantile(point.clamp(f64::MIN_POSITIVE, 1.0_f64.next_down()))
}

/// The unit interval, divided among the cells.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// The lengths of the cells.
    pub(crate) probabilities: Vec<f64>,
}

impl Line {
    /// Where a cell begins and ends.
    pub(crate) fn interval(&self, cell: usize) -> [f64; 2] {
        let start = self.probabilities[..cell].iter().fold(0.0, |sum: f64, share| sum + share);
        // The last one ends at 1, whatever rounding says.
        let is_last = self.probabilities[cell + 1..].iter().all(|&probability| probability == 0.0);
        [start.min(1.0), if is_last { 1.0 } else { (start + self.probabilities[cell]).min(1.0) }]
    }

    /// The cell that a point lies in.
    pub(crate) fn cell(&self, point: f64) -> usize {
        let mut end = 0.0;
        let mut last = 0;
        for (cell, &probability) in self.probabilities.iter().enumerate() {
            end += probability;
            if point < end {
                return cell;
            }
            if probability > 0.0 {
                last = cell;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Where a point lies within a cell, from 0 to 1.
    fn place(line: &Line, cell: usize, point: f64) -> f64 {
        let [start, end] = line.interval(cell);
        (point - start) / (end - start)
    }

    fn line(weights: &[f64]) -> Line {
        let total: f64 = weights.iter().sum();
        Line { probabilities: weights.iter().map(|weight| weight / total).collect() }
    }

    proptest! {
        /// Noise → (cell, place) → noise.
        #[test]
        fn noise_comes_back(weights in prop::collection::vec(0.001..1.0_f64, 1..30), noise in -6.0..6.0_f64) {
            let line = line(&weights);
            let point = point_of(noise);
            let cell = line.cell(point);
            let [start, end] = line.interval(cell);
            prop_assert!(start <= point && point <= end);
            let back = noise_at(start + place(&line, cell, point) * (end - start));
            // Near 1 a point has few digits left.
            prop_assert!((back - noise).abs() < 1e-9 / normal::density(noise), "{noise}: {back}");
        }

        /// (cell, place) → noise → (cell, place).
        #[test]
        fn symbols_come_back(weights in prop::collection::vec(0.01..1.0_f64, 1..30), index: prop::sample::Index, v in 0.001..0.999_f64) {
            let line = line(&weights);
            let cell = index.index(weights.len());
            let [start, end] = line.interval(cell);
            let noise = noise_at(start + v * (end - start));
            prop_assert_eq!(line.cell(point_of(noise)), cell);
            prop_assert!((place(&line, cell, point_of(noise)) - v).abs() < 1e-9);
        }

        /// `log |dv/dξ| = log φ(ξ) − log π`, by finite differences.
        #[test]
        fn the_jacobian_is_the_density_over_the_probability(
            weights in prop::collection::vec(0.2..1.0_f64, 1..6), noise in -1.5..1.5_f64,
        ) {
            let line = line(&weights);
            let cell = line.cell(point_of(noise));
            let step = 1e-5;
            let ends = [noise - step, noise + step];
            prop_assume!(ends.iter().all(|&end| line.cell(point_of(end)) == cell));
            let [low, high] = ends.map(|end| place(&line, cell, point_of(end)));
            let slope = (high - low) / (2.0 * step);
            let expected = normal::density(noise) / line.probabilities[cell];
            prop_assert!((slope / expected - 1.0).abs() < 1e-6, "{slope}, expected {expected}");
        }
    }

    #[test]
    fn cells_without_length_are_never_hit() {
        let line = line(&[0.0, 1.0, 0.0, 1.0, 0.0]);
        for (point, cell) in [(0.0, 1), (0.499, 1), (0.5, 3), (1.0, 3)] {
            assert_eq!(line.cell(point), cell);
        }
        assert_eq!(line.interval(3), [0.5, 1.0]);
    }

    #[test]
    fn an_order_is_a_permutation() {
        let order = CellOrder::new(&[2, 0, 1]).unwrap();
        assert_eq!((0..3).map(|symbol| order.cell(symbol)).collect::<Vec<_>>(), [1, 2, 0]);
        for wrong in [&[0, 0, 1][..], &[0, 1, 3], &[1]] {
            assert_eq!(CellOrder::new(wrong), None);
        }
    }
}
