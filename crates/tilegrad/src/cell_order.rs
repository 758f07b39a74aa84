//! Cells side by side on a line, one for each row of a variable, in a given order.

/// Which cell belongs to which row: cell k is the interval `[k, k + 1)` of the line.
///
/// Edges between cells may be soft: within a distance of about `softness` from an edge, a point belongs in part to the
/// cell beyond it, to the share `σ(−2 distance / softness)`, one half at the edge itself. That is the softmax of
/// `−(z − k − ½)² / softness`, of which only the two nearest cells matter.
#[derive(Debug, Clone, PartialEq)]
pub struct CellOrder {
    rows: Vec<u32>,
    cells: Vec<u32>,
    softness: f64,
}

/// The widest edge: cells further away than the next one have less than e⁻²⁰ of a point's share.
pub const MAX_SOFTNESS: f64 = 0.05;

/// A point of the line: its cell's row, and the row of the nearest other cell with its share and the share's slope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shares {
    pub(crate) row: usize,
    pub(crate) other: usize,
    pub(crate) share: f64,
    pub(crate) slope: f64,
}

impl CellOrder {
    /// Cells in the order of these rows; none if the rows are not a permutation of `0, 1, …` or there is no row.
    pub fn new(rows: &[u32]) -> Option<Self> {
        let mut cells = vec![u32::MAX; rows.len()];
        for (cell, &row) in rows.iter().enumerate() {
            let place = cells.get_mut(row as usize).filter(|place| **place == u32::MAX)?;
            *place = cell as u32;
        }
        (!rows.is_empty()).then(|| Self { rows: rows.to_vec(), cells, softness: 0.0 })
    }

    /// The same cells with soft edges; 0 is hard. None if `softness` is not within `0..=MAX_SOFTNESS`.
    pub fn with_softness(self, softness: f64) -> Option<Self> {
        (0.0..=MAX_SOFTNESS).contains(&softness).then_some(Self { softness, ..self })
    }

    /// How soft the edges are.
    pub fn softness(&self) -> f64 {
        self.softness
    }

    /// Number of cells.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The rows in the order of their cells.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The cell of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn cell(&self, row: usize) -> usize {
        self.cells[row] as usize
    }

    /// The cell that a point lies in; points outside belong to the first or last cell.
    pub(crate) fn cell_at(&self, z: f64) -> usize {
        (z as usize).min(self.rows.len() - 1)
    }

    pub(crate) fn shares(&self, z: f64) -> Shares {
        let cell = self.cell_at(z);
        let row = self.rows[cell] as usize;
        let inside = z - cell as f64;
        let (other, distance, sign) = if inside < 0.5 {
            (cell.checked_sub(1), inside, -1.0)
        } else {
            (Some(cell + 1), 1.0 - inside, 1.0)
        };
        match other.and_then(|other| self.rows.get(other)) {
            Some(&other) if self.softness > 0.0 => {
                let share = 1.0 / (1.0 + libm::exp(2.0 * distance.max(0.0) / self.softness));
                let slope = sign * 2.0 / self.softness * share * (1.0 - share);
                Shares { row, other: other as usize, share, slope }
            }
            _ => Shares { row, other: row, share: 0.0, slope: 0.0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_permutations_are_orders() {
        assert!(CellOrder::new(&[]).is_none());
        assert!(CellOrder::new(&[0, 0]).is_none());
        assert!(CellOrder::new(&[1, 2]).is_none());
        let order = CellOrder::new(&[2, 0, 1]).unwrap();
        assert_eq!([0, 1, 2].map(|row| order.cell(row)), [1, 2, 0]);
        for softness in [-0.01, 0.06, f64::NAN, f64::INFINITY] {
            assert!(order.clone().with_softness(softness).is_none());
        }
    }

    /// Shares are the softmax that they stand for, and their slope is its slope.
    #[test]
    fn shares_are_a_softmax() {
        let softness = 0.04;
        let order = CellOrder::new(&[2, 0, 3, 1]).unwrap().with_softness(softness).unwrap();
        for step in 1..400 {
            let z = f64::from(step) * 0.01 + 0.0003;
            let weight = |cell: usize| (-(z - cell as f64 - 0.5).powi(2) / softness).exp();
            let total: f64 = (0..4).map(weight).sum();
            let Shares { row, other, share, slope } = order.shares(z);
            assert_eq!(row, order.rows()[z as usize] as usize);
            let expected = if other == row { 0.0 } else { weight(order.cell(other)) / total };
            assert!((share - expected).abs() < 1e-9, "{z}: {share}, expected {expected}");
            let difference = (order.shares(z + 1e-6).share - order.shares(z - 1e-6).share) / 2e-6;
            if order.shares(z + 1e-6).other == order.shares(z - 1e-6).other {
                assert!((slope - difference).abs() < 1e-4 * (1.0 + slope.abs()), "{z}: {slope} {difference}");
            }
        }
    }
}
