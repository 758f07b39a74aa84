//! What bounds a model's figures from both sides: independent symbols, and the data itself.
//!
//! ORACLE-TRAIN and ORACLE-TEST draw words from the empirical distributions of the two parts. A model's cross entropy H
//! lies between that of independent symbols, which F_g = ID can reach, and the oracle's; `gap closed` says where:
//! `(H_id − H) / (H_id − H_oracle)`.

use serde::Serialize;

use super::cross_entropy;
use crate::lexicon::{Lexicon, Split, symbol_cross_entropy};

/// Bounds of the cross entropy on one part of the data, in nats per word.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// Independent symbols, distributed as in the training part.
    pub independent_symbols: f64,
    /// ORACLE-TRAIN; infinite if a word of the part is not in the training part.
    pub oracle_train: f64,
    /// ORACLE-TEST; infinite if a word of the part is not in the test part.
    pub oracle_test: f64,
    /// The entropy of the part itself.
    pub entropy: f64,
}

impl Bounds {
    /// The bounds on `part`, one of the two parts of `split`.
    pub fn of(split: &Split, part: &Lexicon) -> Self {
        let oracle = |model: &Lexicon| {
            let log = |&count: &u64| (count as f64 / model.tokens() as f64).ln();
            cross_entropy(part, &model.counts().iter().map(log).collect::<Vec<f64>>())
        };
        Self {
            independent_symbols: symbol_cross_entropy(&split.train, part),
            oracle_train: oracle(&split.train),
            oracle_test: oracle(&split.test),
            entropy: oracle(part),
        }
    }

    /// The share of the gap between independent symbols and the oracle that a model with this cross entropy closes. The
    /// oracle is ORACLE-TRAIN where that is finite, else the part's own entropy.
    pub fn gap_closed(&self, cross_entropy: f64) -> f64 {
        let oracle = if self.oracle_train.is_finite() { self.oracle_train } else { self.entropy };
        (self.independent_symbols - cross_entropy) / (self.independent_symbols - oracle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Filter, SplitKind, bundled};

    #[test]
    fn bounds_of_the_bundled_list() {
        let (lexicon, _) = bundled().unwrap().into_lexicon(&Filter::PAPER).unwrap();
        let split = lexicon.split(SplitKind::Tokens, 1);
        let bounds = Bounds::of(&split, &split.test);
        assert!((bounds.independent_symbols - 15.25).abs() < 0.02, "{bounds:?}");
        assert!((bounds.oracle_train - 6.95).abs() < 0.02, "{bounds:?}");
        assert!(bounds.entropy <= bounds.oracle_train && bounds.entropy == bounds.oracle_test, "{bounds:?}");
        assert_eq!(bounds.gap_closed(bounds.independent_symbols), 0.0);
        assert_eq!(bounds.gap_closed(bounds.oracle_train), 1.0);
        let split = lexicon.split(SplitKind::Types, 1);
        let bounds = Bounds::of(&split, &split.test);
        assert_eq!(bounds.oracle_train, f64::INFINITY);
        assert_eq!(bounds.gap_closed(bounds.entropy), 1.0);
    }
}
