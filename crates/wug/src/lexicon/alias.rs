//! Draws in O(1) from a distribution given by counts.

use rand_core::Rng;
use thiserror::Error;

use crate::random::{below, stream, streams};

/// No outcome has a positive weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there is nothing to draw: no word occurs")]
pub(crate) struct EmptyDistribution;

/// Walker's alias table, in whole numbers: outcome i comes with probability exactly `weights[i] / Σ weights`.
///
/// Every outcome owns a column of height Σ weights; what its own weight (times the number of columns) does not
/// fill is given to one other outcome, its alias. A draw picks a column and a height.
#[derive(Debug, Clone)]
pub(crate) struct AliasTable {
    columns: Vec<Column>,
    total: u64,
}

#[derive(Debug, Clone, Copy)]
struct Column {
    /// Heights below this are the column's own outcome, the others its alias.
    own: u64,
    alias: u32,
}

impl AliasTable {
    /// A table for the given weights, whose sum must fit in 64 bits.
    ///
    /// # Panics
    /// If there are more than 2³² weights or their sum does not fit.
    pub(crate) fn new(weights: &[u64]) -> Result<Self, EmptyDistribution> {
        let total = weights.iter().try_fold(0u64, |sum, &weight| sum.checked_add(weight));
        let total = total.expect("the sum of the weights must fit in 64 bits");
        if total == 0 {
            return Err(EmptyDistribution);
        }
        let outcomes = u32::try_from(weights.len()).expect("at most 2³² weights");
        let height = u128::from(total);
        let mut rest: Vec<u128> =
            weights.iter().map(|&weight| u128::from(weight) * u128::from(outcomes)).collect();
        let (mut low, mut high): (Vec<u32>, Vec<u32>) =
            (0..outcomes).partition(|&index| rest[index as usize] < height);
        let mut columns: Vec<Column> = (0..outcomes).map(|alias| Column { own: total, alias }).collect();
        while let (Some(&giver), Some(taker)) = (high.last(), low.pop()) {
            let own = rest[taker as usize];
            columns[taker as usize] = Column { own: own as u64, alias: giver };
            let left = &mut rest[giver as usize];
            *left -= height - own;
            if *left < height {
                high.pop();
                low.push(giver);
            }
        }
        Ok(Self { columns, total })
    }

    /// One draw.
    pub(crate) fn draw(&self, rng: &mut impl Rng) -> usize {
        let index = below(rng, self.columns.len() as u64) as usize;
        let column = self.columns[index];
        if below(rng, self.total) < column.own { index } else { column.alias as usize }
    }

    /// Endless independent draws, a function of the seed.
    pub(crate) fn draws(&self, seed: u64) -> impl Iterator<Item = usize> {
        let mut rng = stream(seed, streams::ALIAS_DRAWS, 0);
        std::iter::repeat_with(move || self.draw(&mut rng))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Filter, bundled};
    use proptest::prelude::*;

    /// The probability of every outcome in units of 1 / (columns · total), by adding up the columns.
    fn masses(table: &AliasTable) -> Vec<u128> {
        let mut masses = vec![0; table.columns.len()];
        for (index, column) in table.columns.iter().enumerate() {
            masses[index] += u128::from(column.own);
            masses[column.alias as usize] += u128::from(table.total - column.own);
        }
        masses
    }

    proptest! {
        #[test]
        fn the_columns_hold_exactly_the_weights(weights in proptest::collection::vec(0u64..1 << 40, 1..60)) {
            match AliasTable::new(&weights) {
                Ok(table) => {
                    let expected: Vec<u128> =
                        weights.iter().map(|&weight| u128::from(weight) * weights.len() as u128).collect();
                    prop_assert_eq!(masses(&table), expected);
                }
                Err(EmptyDistribution) => prop_assert!(weights.iter().all(|&weight| weight == 0)),
            }
        }
    }

    #[test]
    fn extreme_weights() {
        assert_eq!(AliasTable::new(&[]).unwrap_err(), EmptyDistribution);
        assert_eq!(AliasTable::new(&[0, 0]).unwrap_err(), EmptyDistribution);
        let table = AliasTable::new(&[u64::MAX - 1, 1, 0]).unwrap();
        assert_eq!(masses(&table), [(u128::from(u64::MAX) - 1) * 3, 3, 0]);
        assert!(table.draws(0).take(100).all(|outcome| outcome == 0));
    }

    #[test]
    fn drawn_frequencies_match_the_distribution() {
        let (lexicon, _) = bundled().unwrap().into_lexicon(&Filter::PAPER).unwrap();
        let table = AliasTable::new(lexicon.counts()).unwrap();
        let draws = 2_000_000;
        let mut seen = vec![0f64; lexicon.types()];
        table.draws(1).take(draws).for_each(|word| seen[word] += 1.0);
        // Words that are expected at least 10 times are cells; all others together are one.
        let (mut statistic, mut cells) = (0.0, 0.0);
        let mut rest = (0.0, 0.0);
        for (&observed, &count) in seen.iter().zip(lexicon.counts()) {
            let expected = count as f64 / lexicon.tokens() as f64 * draws as f64;
            if expected >= 10.0 {
                statistic += (observed - expected).powi(2) / expected;
                cells += 1.0;
            } else {
                rest = (rest.0 + observed, rest.1 + expected);
            }
        }
        statistic += (rest.0 - rest.1).powi(2) / rest.1;
        // χ² with `cells` degrees of freedom is close to normal: mean `cells`, variance 2 `cells`.
        let deviation = (statistic - cells) / (2.0 * cells).sqrt();
        assert!(cells > 5000.0 && deviation.abs() < 3.0, "{cells} cells, {deviation} standard deviations");
    }
}
