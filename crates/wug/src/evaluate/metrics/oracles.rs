//! `oracles`: the cross entropies between which a model's lies, and `w ∈ V` of words drawn from the data.

use serde::Serialize;

use super::{Metric, Progress, section};
use crate::evaluate::membership::Membership;
use crate::evaluate::oracle::Bounds;
use crate::evaluate::report::{Section, Table};
use crate::evaluate::{Context, EvaluateError};
use crate::lexicon::{AliasTable, END, Lexicon, Symbol, WordId};

pub(super) const METRIC: Metric = Metric {
    name: "oracles",
    about: "what independent symbols and draws from the data itself reach",
    measure,
};

#[derive(Debug, Serialize)]
struct Found {
    train: Bounds,
    test: Bounds,
    oracle_train_words: Membership,
    oracle_test_words: Membership,
}

fn measure(context: &Context<'_>, _: Progress<'_>) -> Result<Section, EvaluateError> {
    let split = &context.split;
    let [train, test] = context.parts().map(|(_, part)| Bounds::of(split, part));
    let membership = |part: &Lexicon| Membership::of(&draw(part, context), &split.train);
    let (oracle_train_words, oracle_test_words) = (membership(&split.train), membership(&split.test));
    let mut table = Table::new("oracles, nats per word", &["train", "test", "w∈V", "unique"], 3);
    table.row(
        "independent symbols",
        &[train.independent_symbols, test.independent_symbols, f64::NAN, f64::NAN],
    );
    for (name, [train, test], words) in [
        ("ORACLE-TRAIN", [train.oracle_train, test.oracle_train], oracle_train_words),
        ("ORACLE-TEST", [train.oracle_test, test.oracle_test], oracle_test_words),
    ] {
        table.row(name, &[train, test, words.in_vocabulary, words.in_vocabulary_unique]);
    }
    section(&Found { train, test, oracle_train_words, oracle_test_words }, vec![table])
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
