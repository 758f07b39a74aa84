//! `ngram-baselines`: the cross entropy of n-grams of the training part on the same words, Witten–Bell and Kneser–Ney.

use serde::{Deserialize, Serialize};

use super::{Metric, Metrics, Progress};
use crate::evaluate::oracle::Bounds;
use crate::evaluate::report::Table;
use crate::evaluate::{Context, EvaluateError, NgramFit, Ngrams, Smoothing};

pub(super) const METRIC: Metric = Metric {
    name: "ngram-baselines",
    about: "cross entropy of Witten–Bell and Kneser–Ney n-grams of the training part, n = 2 … 7, on the same words",
    measure,
};

/// The longest n-grams.
const MAX_ORDER: usize = 7;

/// Cross entropy of n-grams of one order, in nats per word: exact, over all words.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NgramBaseline {
    /// How n-grams are interpolated.
    pub smoothing: Smoothing,
    /// Symbols of an n-gram.
    pub order: usize,
    /// On the training part, from which the n-grams are.
    pub train: f64,
    /// On the test part.
    pub test: f64,
    /// The share of the gap that is closed on the test part ([`Bounds::gap_closed`]).
    pub gap_closed: Option<f64>,
    /// Perplexity per symbol on the test part.
    pub perplexity: f64,
}

pub(super) fn table(rows: &[NgramBaseline]) -> Table {
    let columns = ["train", "test", "gap closed", "test perplexity"];
    let mut table = Table::new("n-grams, nats per word", &columns, 3);
    for own in rows {
        let NgramBaseline { smoothing, order, train, test, gap_closed, perplexity } = *own;
        table.row(
            format!("{}, {order}-grams", smoothing.name()),
            [Some(train), Some(test), gap_closed, Some(perplexity)],
        );
    }
    table
}

fn measure(context: &Context<'_>, progress: Progress<'_>, found: &mut Metrics) -> Result<(), EvaluateError> {
    let bounds = Bounds::of(&context.split, &context.split.test);
    let mut baselines = Vec::new();
    for (number, smoothing) in Smoothing::ALL.into_iter().enumerate() {
        let model = Ngrams::of(&context.split.train, MAX_ORDER, smoothing)?;
        let [train, test] =
            context.parts().map(|part| model.fits(part.words().map(|word| (word.symbols, word.count))));
        let baseline = |(train, test): (NgramFit, NgramFit)| NgramBaseline {
            smoothing,
            order: test.order,
            train: train.cross_entropy,
            test: test.cross_entropy,
            gap_closed: bounds.gap_closed(test.cross_entropy),
            perplexity: test.perplexity,
        };
        baselines.extend(train.into_iter().zip(test).skip(1).map(baseline));
        progress((number + 1) as f64 / Smoothing::ALL.len() as f64);
    }
    found.ngram_baselines = Some(baselines);
    Ok(())
}
