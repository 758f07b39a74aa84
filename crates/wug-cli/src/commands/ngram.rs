//! `wug ngram`: how well do character n-grams of a list predict words?

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueHint};
use serde::Serialize;
use wug::evaluate::{MAX_ORDER, NgramFit, Ngrams, Smoothing, Table};
use wug::lexicon::{Lexicon, Symbol, Weighting};

use crate::cli::UsageError;
use crate::messages::Messages;
use crate::options::{LexiconArguments, SplitArguments, number, read_list};
use crate::output::print;
use crate::report::print_report;
use crate::table::{Format, write_row};

/// The orders that are measured if none is asked for.
const ORDERS: std::ops::RangeInclusive<usize> = 2..=7;

/// Cross entropy and perplexity of words under character n-grams of a list, Witten–Bell and Kneser–Ney
///
/// Words are read like any list: `word` or `word<TAB>count` lines, each word counting as often as it occurs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug ngram --filter paper --split tokens          the n-gram baselines of a model: held-out words of the bundled English list
  wug ngram --filter paper --split types --weighting types    the same for words that are held out whole, each counted once
  wug ngram --order 3 -i generated.txt             how English are these words?
  wug ngram --weighting types --each -i items.txt  log-probabilities of each word
  wug ngram --lexicon names.txt -i - --format json < more.txt")]
#[command(mut_arg("lexicon", |lexicon| lexicon.long("lexicon").value_name("FILE").display_order(0).help(
    "The list that the n-grams are counted in, plain, gzip or zstd; the bundled English list if none is given"
)))]
pub(crate) struct Arguments {
    /// Symbols of an n-gram [default: every number from 2 to 7]
    #[arg(long, value_name = "N", value_parser = number(1..=MAX_ORDER))]
    order: Option<usize>,
    /// The words to measure; `-` is standard input; the list itself if none is given
    #[arg(short, long, value_name = "WORDS", value_hint = ValueHint::FilePath, conflicts_with = "split")]
    input: Option<PathBuf>,
    #[command(flatten)]
    split: SplitArguments,
    /// The weighting of words, in the n-grams and in the figures: `tokens` (as often as they occur) or `types` (each once)
    #[arg(long, value_name = "WEIGHT", default_value = "tokens", allow_hyphen_values = true)]
    weighting: Weighting,
    /// A row for each word instead: its log-probability by every n-gram, in nats
    #[arg(long)]
    each: bool,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    lexicon: LexiconArguments,
}

#[derive(Serialize)]
struct Report {
    /// What was measured.
    words: String,
    types: usize,
    tokens: u64,
    weighting: Weighting,
    orders: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    smoothing: Smoothing,
    #[serde(flatten)]
    fit: NgramFit,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let (lexicon, summary) = arguments.lexicon.read(messages)?;
    messages.detail(&summary);
    let (counted, words, name) = match (&arguments.input, arguments.split.of(&lexicon)) {
        (Some(path), _) => {
            let words = spelt(path, &lexicon, messages)?;
            (lexicon, words, path.display().to_string())
        }
        (None, Some(split)) => (split.train, split.test, format!("test part of {}", summary.source)),
        (None, None) => (lexicon.clone(), lexicon, summary.source),
    };
    if words.is_empty() || counted.is_empty() {
        return Err(UsageError("--split: one of the parts is empty: give a longer list".into()).into());
    }
    let (types, tokens) = (words.types(), words.tokens());
    let (counted, words) = (counted.weighted(arguments.weighting), words.weighted(arguments.weighting));
    let longest = arguments.order.unwrap_or(*ORDERS.end());
    let wanted = |order: usize| arguments.order.map_or(ORDERS.contains(&order), |own| own == order);
    let count = |smoothing| messages.timed("counting n-grams", || Ngrams::of(&counted, longest, smoothing));
    if arguments.each {
        let models = Smoothing::ALL.map(count).into_iter().collect::<Result<Vec<_>, _>>()?;
        return print_each(arguments.format, &words, &models, wanted);
    }
    let mut orders = Vec::new();
    for smoothing in Smoothing::ALL {
        let model = count(smoothing)?;
        let fits = model.fits(words.words().map(|word| (word.symbols, word.count)));
        orders.extend(fits.into_iter().filter(|fit| wanted(fit.order)).map(|fit| Row { smoothing, fit }));
    }
    let report = Report { words: name, types, tokens, weighting: arguments.weighting, orders };
    print_report(arguments.format, &report, |writer| write!(writer, "{}", table(&report)))
}

/// Prints every word with its log-probabilities, under names such as `kneser_ney_5`.
fn print_each(
    format: Format,
    words: &Lexicon,
    models: &[Ngrams],
    wanted: impl Fn(usize) -> bool,
) -> anyhow::Result<()> {
    let of_word = |word: &[Symbol]| -> Vec<(String, f64)> {
        let all = models.iter().zip(["witten_bell", "kneser_ney"]).flat_map(|(model, smoothing)| {
            let orders = (1..).zip(model.log_probabilities(word)).filter(|(order, _)| wanted(*order));
            orders.map(move |(order, log_p)| (format!("{smoothing}_{order}"), log_p))
        });
        all.collect()
    };
    print(|writer| {
        for (place, word) in words.words().enumerate() {
            let cells = of_word(word.symbols);
            if format == Format::Json {
                let mut fields = serde_json::Map::from_iter([("word".to_owned(), word.text.into())]);
                fields.extend(cells.into_iter().map(|(name, log_p)| (name, log_p.into())));
                writeln!(writer, "{}", serde_json::Value::Object(fields))?;
                continue;
            }
            if place == 0 {
                let names: Vec<&str> =
                    ["word"].into_iter().chain(cells.iter().map(|cell| &*cell.0)).collect();
                write_row(writer, format, &names)?;
            }
            let mut row = vec![word.text.to_owned()];
            row.extend(cells.iter().map(|cell| format!("{:.6}", cell.1)));
            write_row(writer, format, &row)?;
        }
        io::Result::Ok(())
    })
}

/// The words of a list in the letters of another.
fn spelt(path: &Path, lexicon: &Lexicon, messages: Messages) -> anyhow::Result<Lexicon> {
    let (words, summary) = read_list(path, false, messages)?.into_lexicon(&Default::default())?;
    messages.detail(summary);
    words.spelt(lexicon.alphabet()).with_context(|| {
        format!("--input: the list of the n-grams has other letters than {}", path.display())
    })
}

fn table(report: &Report) -> Table {
    let mut table = Table::new(&report.words, &["nats per word", "perplexity per symbol"], 3);
    for Row { smoothing, fit } in &report.orders {
        table.row(format!("{}, {}-grams", smoothing.name(), fit.order), [fit.cross_entropy, fit.perplexity]);
    }
    table
}
