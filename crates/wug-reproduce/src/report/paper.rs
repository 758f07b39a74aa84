//! What follows from the paper's own figures.

use crate::row;

/// The share of the gap between independent symbols and ORACLE-TRAIN that the paper's model with this test cross entropy
/// closes. In the paper, F_g = ID reaches what independent symbols do (Table 3); ORACLE-TRAIN stands in Table 1.
pub(super) fn paper_gap_closed(test: f64) -> Option<f64> {
    let independent = row("id-id")?.table3.as_ref()?.test.as_ref()?.mean;
    let oracle = row("oracle-train")?.table1.as_ref()?.test.mean;
    Some((independent - test) / (independent - oracle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_best_models() {
        assert!((paper_gap_closed(11.38).unwrap() - 0.395).abs() < 5e-4);
        assert!((paper_gap_closed(11.13).unwrap() - 0.430).abs() < 5e-4);
    }
}
