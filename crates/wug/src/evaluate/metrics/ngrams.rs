//! `ngrams`: the perplexity of generated words under Witten–Bell models of order 2 to 5, from all words and from the
//! test part alone.

use serde::Serialize;

use super::{Metric, Progress, section};
use crate::evaluate::report::{Section, Table};
use crate::evaluate::{Context, EvaluateError, WittenBell};
use crate::generate::SymbolChoice;
use crate::lexicon::{END, Lexicon, Symbol};
use crate::model::Kind;

pub(super) const METRIC: Metric = Metric {
    name: "ngrams",
    about: "perplexity of generated words under Witten–Bell n-grams, n = 2 … 5",
    measure,
};

/// P_2 … P_5.
type Perplexities = [f64; 4];

#[derive(Debug, Clone, Serialize)]
struct Row {
    words: &'static str,
    train_and_test: Perplexities,
    test: Perplexities,
}

fn measure(context: &Context<'_>, progress: Progress<'_>) -> Result<Section, EvaluateError> {
    let split = &context.split;
    let models = |lexicon: &Lexicon| -> Result<Vec<WittenBell>, EvaluateError> {
        (2..=5).map(|order| Ok(WittenBell::of(lexicon, order)?)).collect()
    };
    let (all, test) = (models(&context.lexicon)?, models(&split.test)?);
    progress(0.3);
    let mut rows = Vec::new();
    let mut add = |words: &'static str, list: &[(&[Symbol], u64)]| {
        let row = |models: &[WittenBell]| -> Perplexities {
            std::array::from_fn(|index| models[index].perplexity(list.iter().copied()))
        };
        rows.push(Row { words, train_and_test: row(&all), test: row(&test) });
    };
    let mut choices = vec![("sampled symbols", SymbolChoice::Sampled)];
    if context.model.model.config().kind == Kind::StateSpace {
        // The paper's choice for these figures.
        choices.insert(0, ("argmax symbols", SymbolChoice::Argmax));
    }
    for (name, choice) in choices {
        let mut words = context.generate(choice)?;
        words.iter_mut().for_each(|word| word.push(END));
        add(name, &words.iter().map(|word| (word.as_slice(), 1)).collect::<Vec<_>>());
    }
    progress(0.6);
    for (name, part) in [("ORACLE-TRAIN", &split.train), ("ORACLE-TEST", &split.test)] {
        add(name, &part.words().map(|word| (word.symbols, word.count)).collect::<Vec<_>>());
    }
    let columns = ["P2", "P3", "P4", "P5", "test: P2", "P3", "P4", "P5"];
    let mut table = Table::new("n-grams from train+test and test", &columns, 1);
    for row in &rows {
        table.row(row.words, &[row.train_and_test, row.test].concat());
    }
    section(&rows, vec![table])
}
