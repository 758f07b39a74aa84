//! Measured words as text, as tables with tabs or commas, and as JSON. `docs/statistics.md` describes every column.

use std::fmt::Display;
use std::io::{self, Write};

use clap::ValueEnum;
use wug::lexicon::SpellError;
use wug::measure::{MeasureBatch, MeasuredStream, ScoreProblem};

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
    /// A table with commas and a header, for spreadsheets
    Csv,
    /// An object on each line
    Json,
}

/// How measured words are shown.
pub(crate) struct Form {
    pub(crate) format: Format,
    pub(crate) columns: Vec<Column>,
    /// Whether objects have the columns alone, and not everything there is.
    pub(crate) is_chosen: bool,
}

/// Writes a row of a table, with tabs between its cells or by the rules of RFC 4180.
pub(crate) fn write_row<T: AsRef<str>>(
    writer: &mut dyn Write,
    format: Format,
    cells: &[T],
) -> io::Result<()> {
    let cells = cells.iter().map(AsRef::as_ref);
    if format == Format::Csv {
        let cells: Vec<String> = cells.map(csv_cell).collect();
        write!(writer, "{}\r\n", cells.join(","))
    } else {
        writeln!(writer, "{}", cells.collect::<Vec<_>>().join("\t"))
    }
}

/// A cell of a table with commas: in quotes where it must be. Spreadsheets take what begins with one of four signs for a formula and
/// run it, so a text that does gets an apostrophe before it; numbers do not. Tables with tabs and JSON have words as they are.
fn csv_cell(text: &str) -> String {
    let is_number =
        text.chars().all(|sign| sign.is_ascii_digit() || matches!(sign, '+' | '-' | '.' | ' ' | 'e' | 'E'))
            && text.contains(|sign: char| sign.is_ascii_digit());
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number { "'" } else { "" };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{guard}{text}")
    }
}

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
        Format::Tsv | Format::Csv => write_row(writer, format, &names(columns)),
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
    Form { format, columns, is_chosen }: &Form,
    word: &impl Row,
) -> io::Result<()> {
    match (format, is_chosen) {
        (Format::Text, _) => write_text(writer, word.parts()),
        (Format::Tsv | Format::Csv, _) => write_row(writer, *format, &fields(columns, word)),
        (Format::Json, false) => {
            serde_json::to_writer(&mut *writer, word)?;
            writeln!(writer)
        }
        (Format::Json, true) => {
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
    form: &Form,
    mut words: MeasuredStream<'_, M, I>,
    problems: &Problems,
    progress: &Progress,
    mut seen: impl FnMut(Parts<'_>),
) -> anyhow::Result<()>
where
    M: MeasureBatch<Measured: Row>,
    I: Iterator<Item: AsRef<str> + Display>,
{
    write_header(writer, form.format, &form.columns)?;
    loop {
        if !words.is_ready() {
            progress.aside(|| writer.flush())?;
        }
        let Some(found) = words.next() else { return Ok(()) };
        match found? {
            (_, Ok(word)) => {
                seen(word.parts());
                write_word(writer, form, &word)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_start_no_formula() {
        for (text, expected) in [
            ("wug", "wug"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("say \"wug\"", "\"say \"\"wug\"\"\""),
            ("=1+1", "'=1+1"),
            ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""),
            ("-ness", "'-ness"),
            ("@wug", "'@wug"),
            ("-12.3970", "-12.3970"),
            ("-0.01 3.25", "-0.01 3.25"),
        ] {
            assert_eq!(csv_cell(text), expected);
        }
        let mut row = Vec::new();
        write_row(&mut row, Format::Csv, &["a", "b c"]).unwrap();
        assert_eq!(row, b"a,b c\r\n");
    }
}
