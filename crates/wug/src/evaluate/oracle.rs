//! What bounds a model's figures from both sides: independent symbols, and the data itself.
//!
//! ORACLE-TRAIN and ORACLE-TEST draw words from the empirical distributions of the two parts. A model's cross entropy H
//! lies between that of independent symbols, which F_g = ID can reach, and the oracle's; `gap closed` says where:
//! `(H_id − H) / (H_id − H_oracle)`.

use serde::{Deserialize, Serialize};

use super::cross_entropy;
use crate::lexicon::{Lexicon, Split, symbol_cross_entropy};

/// Bounds of the cross entropy on one part of the data, in nats per word.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Independent symbols, distributed as in the training part.
    pub independent_symbols: f64,
    /// ORACLE-TRAIN; none if it is infinite, because a word of the part is not in the training part.
    pub oracle_train: Option<f64>,
    /// ORACLE-TEST; none if it is infinite, because a word of the part is not in the test part.
    pub oracle_test: Option<f64>,
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
            oracle_train: Some(oracle(&split.train)).filter(|oracle| oracle.is_finite()),
            oracle_test: Some(oracle(&split.test)).filter(|oracle| oracle.is_finite()),
            entropy: oracle(part),
        }
    }

    /// The share of the gap between independent symbols and the oracle that a model with this cross entropy closes. The
    /// oracle is ORACLE-TRAIN where that is finite, else the part's own entropy. None if there is no gap.
    pub fn gap_closed(&self, cross_entropy: f64) -> Option<f64> {
        let gap = self.independent_symbols - self.oracle_train.unwrap_or(self.entropy);
        Some((self.independent_symbols - cross_entropy) / gap).filter(|closed| closed.is_finite())
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
        let oracle = bounds.oracle_train.unwrap();
        assert!((oracle - 6.95).abs() < 0.02, "{bounds:?}");
        assert!(bounds.entropy <= oracle && Some(bounds.entropy) == bounds.oracle_test, "{bounds:?}");
        assert_eq!(bounds.gap_closed(bounds.independent_symbols), Some(0.0));
        assert_eq!(bounds.gap_closed(oracle), Some(1.0));
        let split = lexicon.split(SplitKind::Types, 1);
        let bounds = Bounds::of(&split, &split.test);
        assert_eq!(bounds.oracle_train, None);
        assert_eq!(bounds.gap_closed(bounds.entropy), Some(1.0));
        let none =
            Bounds { independent_symbols: 1.0, oracle_train: Some(1.0), oracle_test: None, entropy: 1.0 };
        assert_eq!(none.gap_closed(1.0), None);
    }
}
