//! `oracles`: the cross entropies between which a model's lies, and `w ∈ V` of words drawn from the data.

use serde::{Deserialize, Serialize};

use super::{Metric, Metrics, Progress};
use crate::evaluate::membership::Membership;
use crate::evaluate::oracle::Bounds;
use crate::evaluate::report::Table;
use crate::evaluate::{Context, EvaluateError};
use crate::lexicon::{AliasTable, END, Lexicon, Symbol, WordId};

pub(super) const METRIC: Metric = Metric {
    name: "oracles",
    about: "what independent symbols and draws from the data itself reach",
    measure,
};

/// What bounds a model's figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Oracles {
    /// Cross entropies on the training part.
    pub train: Bounds,
    /// Cross entropies on the test part.
    pub test: Bounds,
    /// Words drawn from the training part.
    pub oracle_train_words: Membership,
    /// Words drawn from the test part.
    pub oracle_test_words: Membership,
}

impl Oracles {
    pub(super) fn table(&self) -> Table {
        let Self { train, test, .. } = self;
        let mut table = Table::new("oracles, nats per word", &["train", "test", "w∈V", "unique"], 3);
        table.row("independent symbols", [train.independent_symbols, test.independent_symbols]);
        for (name, [train, test], words) in [
            ("ORACLE-TRAIN", [train.oracle_train, test.oracle_train], self.oracle_train_words),
            ("ORACLE-TEST", [train.oracle_test, test.oracle_test], self.oracle_test_words),
        ] {
            table.row(name, [train, test, Some(words.in_vocabulary), Some(words.in_vocabulary_unique)]);
        }
        table
    }
}

fn measure(context: &Context<'_>, _: Progress<'_>, found: &mut Metrics) -> Result<(), EvaluateError> {
    let split = &context.split;
    let [train, test] = context.parts().map(|part| Bounds::of(split, part));
    let known = context.known();
    let [oracle_train_words, oracle_test_words] =
        context.parts().map(|part| known.membership(&draw(part, context)));
    found.oracles = Some(Oracles { train, test, oracle_train_words, oracle_test_words });
    Ok(())
}

/// Words drawn from a part, as symbols without the end.
fn draw(part: &Lexicon, context: &Context<'_>) -> Vec<Vec<Symbol>> {
    let Ok(table) = AliasTable::new(part.counts()) else { return Vec::new() };
    let spell = |id: usize| {
        let symbols = part.vocabulary().symbols(id as WordId);
        symbols.strip_suffix(&[END]).unwrap_or(symbols).to_vec()
    };
    table.draws(context.settings.seed).take(context.settings.words).map(spell).collect()
}
