//! `wug lexicon`: what there is to know about a list of words.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueHint};
use serde::Serialize;
use wug::AtomicFile;
use wug::lexicon::{Lexicon, Split, Statistics, Summary};

use crate::messages::Messages;
use crate::options::{LexiconArguments, SplitArguments};
use crate::output::{self, grouped};
use crate::report::print_report;
use crate::table::Format;

/// Letters shown in the text report; the JSON report has all.
const LETTERS_SHOWN: usize = 200;

/// Describe a list of words: size, entropy, alphabet, lengths, most frequent words
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug lexicon                              the bundled English list
  wug lexicon names.txt --top 20
  wug lexicon --filter paper --format json
  wug lexicon --filter paper --split tokens -o parts    writes parts/train.tsv and parts/test.tsv, too")]
pub(crate) struct Arguments {
    /// How many of the most frequent words to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    split: SplitArguments,
    /// Write the two parts of --split into this folder, as train.tsv and test.tsv
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "split")]
    out: Option<PathBuf>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    lexicon: LexiconArguments,
}

/// The report; its fields are the keys of the JSON form.
#[derive(Serialize)]
struct Report<'a> {
    summary: &'a Summary,
    statistics: Statistics,
    entropy_bits: f64,
    symbol_entropy_bits: f64,
    alphabet: Vec<&'a str>,
    most_frequent: Vec<WordRow<'a>>,
    sha256: String,
}

#[derive(Serialize)]
struct WordRow<'a> {
    word: &'a str,
    count: u64,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let (lexicon, summary) = messages.timed("reading", || arguments.lexicon.read(messages))?;
    if let (Some(folder), Some(split)) = (&arguments.out, arguments.split.of(&lexicon)) {
        write_parts(folder, &split).with_context(|| format!("cannot write into {}", folder.display()))?;
    }
    let report = messages.timed("statistics", || report(&lexicon, &summary, arguments.top));
    print_report(arguments.format, &report, |writer| write_text(&report, writer))
}

/// Writes both parts as lists.
fn write_parts(folder: &Path, split: &Split) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, part) in [("train.tsv", &split.train), ("test.tsv", &split.test)] {
        let mut file = AtomicFile::create(&folder.join(name))?;
        part.write_tsv(&mut file)?;
        file.commit()?;
    }
    Ok(())
}

fn report<'a>(lexicon: &'a Lexicon, summary: &'a Summary, top: usize) -> Report<'a> {
    let statistics = Statistics::of(lexicon);
    Report {
        summary,
        entropy_bits: bits(statistics.entropy),
        symbol_entropy_bits: bits(statistics.symbol_entropy),
        statistics,
        alphabet: lexicon.alphabet().letters().collect(),
        most_frequent: lexicon
            .words()
            .take(top)
            .map(|word| WordRow { word: word.text, count: word.count })
            .collect(),
        sha256: lexicon.digest(),
    }
}

fn bits(nats: f64) -> f64 {
    nats / std::f64::consts::LN_2
}

fn write_text(report: &Report<'_>, writer: &mut dyn Write) -> io::Result<()> {
    let Report { summary, statistics, alphabet, .. } = report;
    let table = summary.table.as_ref().map_or_else(String::new, |table| format!("; {table}"));
    writeln!(writer, "{}: {} entries{table}", summary.source, grouped(summary.entries))?;
    let tally = |types, tokens| format!("{} words, {} tokens", grouped(types), grouped(tokens));
    writeln!(writer, "kept          {}", tally(summary.kept.types, summary.kept.tokens))?;
    for (reason, dropped) in summary.dropped() {
        writeln!(writer, "dropped       {}: {reason}", tally(dropped.types, dropped.tokens))?;
    }
    if let Some(spaced) = &summary.spaced {
        writeln!(writer, "counts        numbers after spaces: {spaced}")?;
    }
    let entropy = |nats, bits| format!("{nats:.3} nats, {bits:.3} bits per word");
    writeln!(writer, "entropy       {}", entropy(statistics.entropy, report.entropy_bits))?;
    writeln!(writer, "i.i.d. symbols {}", entropy(statistics.symbol_entropy, report.symbol_entropy_bits))?;
    writeln!(writer, "mean length   {:.3} letters", statistics.mean_length)?;
    let shown = alphabet.iter().take(LETTERS_SHOWN).copied().collect::<Vec<_>>().join(" ");
    let more = alphabet.len().saturating_sub(LETTERS_SHOWN);
    let more = if more > 0 { format!(" … and {} more", grouped(more as u64)) } else { String::new() };
    writeln!(writer, "alphabet      {} letters: {shown}{more}", grouped(alphabet.len() as u64))?;
    writeln!(writer, "sha-256       {}", report.sha256)?;

    let share = |tokens: u64| 100.0 * tokens as f64 / statistics.tokens.max(1) as f64;
    let heading = format!("{:>7} {:>12} {:>16} {:>7}", "letters", "words", "tokens", "%");
    writeln!(writer, "\n{}", output::heading(&heading))?;
    for row in &statistics.lengths {
        let (types, tokens) = (grouped(row.types), grouped(row.tokens));
        writeln!(writer, "{:>7} {types:>12} {tokens:>16} {:>7.2}", row.letters, share(row.tokens))?;
    }
    if !report.most_frequent.is_empty() {
        let heading = format!("{:>16} {:>7}  word", "tokens", "%");
        writeln!(writer, "\n{}", output::heading(&heading))?;
    }
    for row in &report.most_frequent {
        writeln!(writer, "{:>16} {:>7.2}  {}", grouped(row.count), share(row.count), row.word)?;
    }
    Ok(())
}
