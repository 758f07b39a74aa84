//! Measured words as text, as a table with tabs, and as JSON. `docs/statistics.md` describes every column.

use std::fmt::Display;
use std::io::{self, Write};

use clap::ValueEnum;
use wug::lexicon::SpellError;
use wug::measure::{Match, MeasureBatch, MeasuredStream, ScoreProblem};

use crate::columns::{Column, Parts, Row};
use crate::output::heading;
use crate::progress::Progress;
use crate::words::Problems;

/// The form of a list of measured words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// A table with tabs and a header
    Tsv,
    /// An object on each line
    Json,
}

/// The column that matches have beside those of all words.
const DISTANCE: &str = "match_distance";

/// Writes what stands above the words.
fn write_header(writer: &mut dyn Write, format: Format, columns: &[Column]) -> io::Result<()> {
    match format {
        Format::Text => {
            let columns = format!(
                "{:<14} {:>8} {:>7} {:>7} {:>7}   surprisal of each letter and of the end",
                "word", "log P", "±", "words", "random"
            );
            writeln!(writer, "{}", heading(&columns))
        }
        Format::Tsv => writeln!(writer, "{}", names(columns).join("\t")),
        Format::Json => Ok(()),
    }
}

fn names(columns: &[Column]) -> Vec<String> {
    columns.iter().map(|column| column.name()).collect()
}

fn fields(columns: &[Column], row: &impl Row) -> Vec<String> {
    columns.iter().map(|column| column.text(row.parts())).collect()
}

/// Writes a word; as JSON with all there is if there is no choice of columns.
fn write_word(
    writer: &mut dyn Write,
    format: Format,
    columns: Option<&[Column]>,
    word: &impl Row,
) -> io::Result<()> {
    match (format, columns) {
        (Format::Text, _) => write_text(writer, word.parts()),
        (Format::Tsv, columns) => {
            writeln!(writer, "{}", fields(columns.unwrap_or(Column::all()), word).join("\t"))
        }
        (Format::Json, None) => {
            serde_json::to_writer(&mut *writer, word)?;
            writeln!(writer)
        }
        (Format::Json, Some(columns)) => {
            for (number, column) in columns.iter().enumerate() {
                let before = if number == 0 { "{" } else { "," };
                write!(writer, "{before}\"{}\":{}", column.name(), column.json(word.parts()))?;
            }
            writeln!(writer, "}}")
        }
    }
}

/// Writes words with their measures as they come, and tells which have none. `seen` gets every word that is written.
pub(crate) fn write_measured<M, I>(
    writer: &mut dyn Write,
    (format, columns): (Format, Option<&[Column]>),
    mut words: MeasuredStream<'_, M, I>,
    problems: &Problems,
    progress: &Progress,
    mut seen: impl FnMut(Parts<'_>),
) -> anyhow::Result<()>
where
    M: MeasureBatch<Measured: Row>,
    I: Iterator<Item: AsRef<str> + Display>,
{
    write_header(writer, format, columns.unwrap_or(Column::all()))?;
    loop {
        if !words.is_ready() {
            progress.aside(|| writer.flush())?;
        }
        let Some(found) = words.next() else { return Ok(()) };
        match found? {
            (_, Ok(word)) => {
                seen(word.parts());
                write_word(writer, format, columns, &word)?;
            }
            (found, Err(problem)) => problems.tell(&format!("{found}: {}", without_score(&problem))),
        }
    }
}

/// Why a word has no score, and what to do about it.
fn without_score(problem: &ScoreProblem) -> String {
    match problem {
        ScoreProblem::Spelling(SpellError::Letter { in_lower_case: true, .. }) => {
            format!("{problem}: give --lower-case")
        }
        _ => problem.to_string(),
    }
}

/// Writes what stands above the matches of a word.
pub(crate) fn write_match_header(writer: &mut dyn Write, format: Format) -> io::Result<()> {
    match format {
        Format::Text | Format::Json => Ok(()),
        Format::Tsv => writeln!(writer, "{}\t{DISTANCE}", names(Column::all()).join("\t")),
    }
}

/// Writes a match of a word; for people, the bare word.
pub(crate) fn write_match(writer: &mut dyn Write, format: Format, found: &Match) -> io::Result<()> {
    match format {
        Format::Text => writeln!(writer, "{}", found.candidate.word),
        Format::Tsv => {
            writeln!(
                writer,
                "{}\t{:.4}",
                fields(Column::all(), &found.candidate).join("\t"),
                found.match_distance
            )
        }
        Format::Json => {
            serde_json::to_writer(&mut *writer, found)?;
            writeln!(writer)
        }
    }
}

fn write_text(writer: &mut dyn Write, word: Parts<'_>) -> io::Result<()> {
    let score = word.score;
    let percent = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{share:.0} %"));
    write!(
        writer,
        "{:<14} {:>8.3} {:>7.3} {:>7} {:>7}  ",
        word.word,
        score.log_probability,
        score.standard_error,
        percent(score.lexicon_percentile),
        percent(score.random_percentile)
    )?;
    for (letter, surprisal) in word.spelling.iter().zip(&score.surprisals) {
        write!(writer, " {letter} {surprisal:.2} ")?;
    }
    match score.surprisals.last() {
        Some(end) => writeln!(writer, " end {end:.2}"),
        None => writeln!(writer),
    }
}
