//! `wug languages`: the lists and models that come with wug.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use wug::evaluate::{Figures, Smoothing, figures};
use wug::languages::languages;

use crate::output::{self, grouped};
use crate::table::{Format, write_row};

/// List the languages that come with wug: words, letters, quality, source, licence
///
/// A code names a list wherever one is read (`wug train fr`, `--lexicon de`), and a model where there is one (`-m NAME`). Figures are
/// cross entropies in nats per word on words that were held out, beside the best n-gram of the same words: less is better.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug languages
  wug languages --format json
  wug train fr -o french
  wug lexicon uk --top 20")]
pub(crate) struct Arguments {
    /// Format of the table
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// A row of the table: a list, and one of its models.
#[derive(Serialize)]
struct Row {
    code: &'static str,
    language: &'static str,
    words: usize,
    letters: usize,
    model: Option<&'static str>,
    #[serde(flatten)]
    figures: Option<Figures>,
    source: &'static str,
    licence: &'static str,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let rows = rows();
    output::print(|writer| match arguments.format {
        Format::Text => write_text(&rows, writer),
        Format::Tsv | Format::Csv => write_table(&rows, arguments.format, writer),
        Format::Json => rows.iter().try_for_each(|row| {
            serde_json::to_writer(&mut *writer, row)?;
            writeln!(writer)
        }),
    })
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for language in languages() {
        let mut models: Vec<Option<&str>> = language.models().map(Some).collect();
        if models.is_empty() {
            models.push(None);
        }
        rows.extend(models.into_iter().map(|model| Row {
            code: language.code(),
            language: language.name(),
            words: language.words(),
            letters: language.letters(),
            model,
            figures: model.and_then(figures),
            source: language.source(),
            licence: language.licence(),
        }));
    }
    rows
}

/// The model's figure and that of the best n-gram.
fn quality(figures: Option<&Figures>) -> [String; 2] {
    figures.map_or(["–".into(), "–".into()], |found| {
        let kind = if found.smoothing == Smoothing::WittenBell { "WB" } else { "KN" };
        [format!("{:.2}", found.test), format!("{:.2} ({kind} {})", found.ngram_test, found.ngram)]
    })
}

fn write_text(rows: &[Row], writer: &mut dyn Write) -> io::Result<()> {
    let heading = format!(
        "{:<11} {:<19} {:>8} {:>7} {:>7} {:>13}  {}",
        "model", "language", "words", "letters", "nats", "best n-gram", "counted in"
    );
    writeln!(writer, "{}", output::heading(&heading))?;
    for row in rows {
        let [test, ngram] = quality(row.figures.as_ref());
        writeln!(
            writer,
            "{:<11} {:<19} {:>8} {:>7} {test:>7} {ngram:>13}  {}; {}",
            row.model.unwrap_or(row.code),
            row.language,
            grouped(row.words as u64),
            row.letters,
            row.source,
            row.licence
        )?;
    }
    Ok(())
}

fn write_table(rows: &[Row], format: Format, writer: &mut dyn Write) -> io::Result<()> {
    let header =
        ["code", "language", "words", "letters", "model", "test", "ngram", "ngram_test", "source", "licence"];
    write_row(writer, format, &header)?;
    for row in rows {
        let (test, ngram, ngram_test) = row.figures.as_ref().map_or_else(Default::default, |found| {
            (found.test.to_string(), found.ngram.to_string(), found.ngram_test.to_string())
        });
        let (words, letters) = (row.words.to_string(), row.letters.to_string());
        let model = row.model.unwrap_or("");
        let cells = [
            row.code,
            row.language,
            &words,
            &letters,
            model,
            &test,
            &ngram,
            &ngram_test,
            row.source,
            row.licence,
        ];
        write_row(writer, format, &cells)?;
    }
    Ok(())
}
