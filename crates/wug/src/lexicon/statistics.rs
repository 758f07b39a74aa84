//! Figures that describe a lexicon.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Lexicon;

/// What there is to know about a unigram distribution before any model sees it. Natural logarithms.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// Distinct words.
    pub types: usize,
    /// Occurrences.
    pub tokens: u64,
    /// Symbols of the alphabet with the end symbol, V.
    pub symbols: usize,
    /// Unigram entropy −Σ_w P(w) log P(w), in nats per word: what no model can go below.
    pub entropy: f64,
    /// Entropy of the best i.i.d. symbol model, in nats per word: what the paper's ID flow can reach.
    pub symbol_entropy: f64,
    /// Letters per word without the end, averaged over occurrences.
    pub mean_length: f64,
    /// How many words there are of each length that occurs, shortest first.
    pub lengths: Vec<LengthRow>,
}

/// The words of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LengthRow {
    /// Letters, without the end symbol.
    pub letters: usize,
    /// Distinct words.
    pub types: u64,
    /// Occurrences.
    pub tokens: u64,
}

impl Statistics {
    /// Describes a lexicon. The figures of an empty one are 0.
    pub fn of(lexicon: &Lexicon) -> Self {
        let total = lexicon.tokens().max(1) as f64;
        let mut rows: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        let (mut entropy, mut length) = (0.0, 0.0);
        for word in lexicon.words() {
            let (letters, share) = (word.symbols.len() - 1, word.count as f64 / total);
            entropy -= share * share.ln();
            length += share * letters as f64;
            let row = rows.entry(letters).or_default();
            row.0 += 1;
            row.1 += word.count;
        }
        Self {
            types: lexicon.types(),
            tokens: lexicon.tokens(),
            symbols: lexicon.alphabet().symbol_count(),
            entropy,
            symbol_entropy: symbol_cross_entropy(lexicon, lexicon),
            mean_length: length,
            lengths: rows
                .into_iter()
                .map(|(letters, (types, tokens))| LengthRow { letters, types, tokens })
                .collect(),
        }
    }
}

/// Cross entropy −Σ_w P(w) Σ_t log p(w_t) in nats per word, P the unigram distribution of `data` and p the i.i.d.
/// symbol distribution of `model`. Both must be parts of one lexicon. Infinite if `data` has a symbol that
/// `model` lacks.
///
/// # Panics
/// If the alphabets differ in size.
pub(crate) fn symbol_cross_entropy(model: &Lexicon, data: &Lexicon) -> f64 {
    let (model_counts, data_counts) = (symbol_counts(model), symbol_counts(data));
    assert_eq!(model_counts.len(), data_counts.len(), "model and data must share one alphabet");
    // An empty model gives every symbol probability 0, not 0 / 0.
    let model_total = model_counts.iter().sum::<f64>().max(1.0);
    let words = data.tokens().max(1) as f64;
    data_counts
        .iter()
        .zip(&model_counts)
        .filter(|&(&data, _)| data > 0.0)
        .map(|(&data, &model)| -data / words * (model / model_total).ln())
        .sum()
}

/// How often each symbol occurs; in floating point, because lengths times counts may pass 64 bits.
fn symbol_counts(lexicon: &Lexicon) -> Vec<f64> {
    let mut counts = vec![0.0; lexicon.alphabet().symbol_count()];
    for word in lexicon.words() {
        for &symbol in word.symbols {
            counts[usize::from(symbol)] += word.count as f64;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::SplitKind;

    #[test]
    fn closed_forms() {
        // Four equal words of one letter: entropy log 4. Symbols: half ends, an eighth each letter.
        let lexicon = Lexicon::from_counts(["a", "b", "c", "d"].map(|word| (word, 5))).unwrap();
        let statistics = Statistics::of(&lexicon);
        assert!((statistics.entropy - 4f64.ln()).abs() < 1e-12);
        assert!((statistics.symbol_entropy - (2f64.ln() + 8f64.ln())).abs() < 1e-12);
        assert_eq!(statistics.lengths, [LengthRow { letters: 1, types: 4, tokens: 20 }]);
        assert_eq!((statistics.symbols, statistics.mean_length), (5, 1.0));
    }

    #[test]
    fn a_symbol_that_the_model_lacks_costs_everything() {
        let lexicon = Lexicon::from_counts([("a", 5), ("b", 5)]).unwrap();
        let split = lexicon.split(SplitKind::Types, 0);
        assert_eq!(split.test.types(), 0);
        assert_eq!(symbol_cross_entropy(&split.train, &split.test), 0.0);
        assert_eq!(symbol_cross_entropy(&split.test, &split.train), f64::INFINITY);
    }
}
