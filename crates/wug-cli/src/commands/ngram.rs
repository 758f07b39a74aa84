//! `wug ngram`: how word-like are words, by character n-grams of a list?

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueHint};
use serde::Serialize;
use wug::evaluate::{MAX_ORDER, WittenBell};
use wug::lexicon::{Input, Lexicon, bundled, read_list};

use crate::cli::UsageError;
use crate::messages::Messages;
use crate::options::number;
use crate::output::{self, ReportFormat};

/// Perplexity of words under an interpolated Witten–Bell character n-gram model of a list
///
/// Words are read like any list: `word` or `word<TAB>count` lines, each word counting as often as it occurs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug ngram --order 3 -i generated.txt             under the bundled English list
  wug ngram --lexicon names.txt --order 4 -i - --format json < more.txt")]
pub(crate) struct Arguments {
    /// The list that the model is made from; the bundled English list if none is given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    lexicon: Option<PathBuf>,
    /// Symbols of an n-gram
    #[arg(long, value_name = "N", value_parser = number(1..=MAX_ORDER))]
    order: usize,
    /// The words to measure; `-` is standard input; the list itself if none is given
    #[arg(short, long, value_name = "WORDS", value_hint = ValueHint::FilePath)]
    input: Option<PathBuf>,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

#[derive(Serialize)]
struct Report {
    order: usize,
    perplexity: f64,
    /// Nats per word.
    cross_entropy: f64,
    types: usize,
    tokens: u64,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let read = |path: &PathBuf| -> anyhow::Result<Lexicon> {
        let (lexicon, summary) = read_list(Input::open(path)?, false)?.into_lexicon(&Default::default())?;
        messages.detail(summary);
        Ok(lexicon)
    };
    let lexicon = match &arguments.lexicon {
        Some(path) => read(path)?,
        None => bundled()?.into_lexicon(&Default::default())?.0,
    };
    let model = messages
        .timed("counting n-grams", || WittenBell::of(&lexicon, arguments.order))
        .map_err(|error| UsageError(format!("--order: {error}")))?;
    let words = match &arguments.input {
        Some(path) => read(path)?.spelt(lexicon.alphabet()).with_context(|| {
            format!("--input: the list of the n-grams has other letters than {}", path.display())
        })?,
        None => lexicon.clone(),
    };
    let log_p: f64 = words.words().map(|word| word.count as f64 * model.log_probability(word.symbols)).sum();
    let report = Report {
        order: model.order(),
        perplexity: model.perplexity(words.words().map(|word| (word.symbols, word.count))),
        cross_entropy: -log_p / words.tokens() as f64,
        types: words.types(),
        tokens: words.tokens(),
    };
    output::report(arguments.format, &report, |writer| {
        writeln!(
            writer,
            "P_{} = {:.3} per symbol, {:.3} nats per word",
            report.order, report.perplexity, report.cross_entropy
        )
    })
}
