//! `ngrams`: the perplexity of generated words under Witten–Bell models of order 2 to 5, from all words and from the
//! test part alone.

use serde::{Deserialize, Serialize};

use super::{Metric, Metrics, Progress};
use crate::evaluate::report::Table;
use crate::evaluate::{Context, EvaluateError, Ngrams, Smoothing};
use crate::generate::SymbolChoice;
use crate::lexicon::{END, Lexicon, Symbol};

pub(super) const METRIC: Metric = Metric {
    name: "ngrams",
    about: "perplexity of generated words under Witten–Bell n-grams, n = 2 … 5",
    measure,
};

/// `P_2 … P_5` of some words, per symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Perplexities {
    /// Which words.
    pub words: GeneratedWords,
    /// Under n-grams of all words.
    pub train_and_test: [f64; 4],
    /// Under n-grams of the test part.
    pub test: [f64; 4],
}

/// Where words come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GeneratedWords {
    /// The most probable symbols of the model's states: the paper's choice for these figures. Exact models have none.
    #[serde(rename = "argmax symbols")]
    Argmax,
    /// Symbols that the model sampled.
    #[serde(rename = "sampled symbols")]
    Sampled,
    /// Draws from the training part.
    #[serde(rename = "ORACLE-TRAIN")]
    OracleTrain,
    /// Draws from the test part.
    #[serde(rename = "ORACLE-TEST")]
    OracleTest,
}

pub(super) fn table(rows: &[Perplexities]) -> Table {
    let columns = ["P2", "P3", "P4", "P5", "test: P2", "P3", "P4", "P5"];
    let mut table = Table::new("n-grams from train+test and test", &columns, 1);
    for row in rows {
        let name = match row.words {
            GeneratedWords::Argmax => "argmax symbols",
            GeneratedWords::Sampled => "sampled symbols",
            GeneratedWords::OracleTrain => "ORACLE-TRAIN",
            GeneratedWords::OracleTest => "ORACLE-TEST",
        };
        table.row(name, [row.train_and_test, row.test].concat());
    }
    table
}

fn measure(context: &Context<'_>, progress: Progress<'_>, found: &mut Metrics) -> Result<(), EvaluateError> {
    let split = &context.split;
    let of = |lexicon| Ngrams::of(lexicon, 5, Smoothing::WittenBell);
    let (all, test) = (of(&context.lexicon)?, of(&split.test)?);
    progress(0.3);
    let row = |words: GeneratedWords, list: &[(&[Symbol], u64)]| {
        let under = |model: &Ngrams| -> [f64; 4] {
            let fits = model.fits(list.iter().copied());
            // The first is of order 1.
            std::array::from_fn(|index| fits[index + 1].perplexity)
        };
        Perplexities { words, train_and_test: under(&all), test: under(&test) }
    };
    let generated = |words: GeneratedWords, choice: SymbolChoice| -> Result<_, EvaluateError> {
        let mut made = context.generate(choice)?;
        made.iter_mut().for_each(|word| word.push(END));
        Ok(row(words, &made.iter().map(|word| (word.as_slice(), 1)).collect::<Vec<_>>()))
    };
    let drawn = |words: GeneratedWords, part: &Lexicon| {
        row(words, &part.words().map(|word| (word.symbols, word.count)).collect::<Vec<_>>())
    };
    let mut rows = Vec::new();
    if !context.model.model.noise().picks_symbols {
        rows.push(generated(GeneratedWords::Argmax, SymbolChoice::Argmax)?);
    }
    rows.push(generated(GeneratedWords::Sampled, SymbolChoice::Sampled)?);
    progress(0.6);
    rows.push(drawn(GeneratedWords::OracleTrain, &split.train));
    rows.push(drawn(GeneratedWords::OracleTest, &split.test));
    found.ngrams = Some(rows);
    Ok(())
}
