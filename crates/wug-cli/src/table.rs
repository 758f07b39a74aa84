//! Measured words as text, as tables with tabs or commas, and as JSON. `docs/statistics.md` describes every column.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use wug::lexicon::SpellError;
use wug::measure::{Column, Columns, MeasuredStream, MeasuredWord, ScoreProblem, TERMINAL_COLUMNS, Value};

use crate::output::heading;
use crate::progress::Progress;
use crate::words::Problems;

/// The form of a list of measured words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[value(alias = "txt")]
    Text,
    /// A table with tabs and a header
    Tsv,
    /// A table with commas and a header, for spreadsheets
    Csv,
    /// An object on each line
    #[value(alias = "jsonl")]
    Json,
}

/// How measured words are shown.
pub(crate) struct Form {
    pub(crate) format: Format,
    pub(crate) columns: Columns,
    /// Whether objects have the columns alone, without the spelling.
    pub(crate) is_chosen: bool,
    /// The column by which words are sorted, the largest numbers first.
    pub(crate) sort: Option<Column>,
}

impl Form {
    /// All columns, or those that people see.
    pub(crate) fn usual(format: Format, percentiles: bool, other_lexicon: bool) -> Self {
        let columns = match format {
            Format::Text => Columns::named(TERMINAL_COLUMNS, percentiles, other_lexicon).ok(),
            _ => None,
        };
        let columns = columns.unwrap_or_else(|| Columns::all(percentiles, other_lexicon));
        Self { format, columns, is_chosen: false, sort: None }
    }
}

/// Takes the name of a column.
pub(crate) fn column_parser() -> impl TypedValueParser<Value = Column> {
    static NAMES: LazyLock<Vec<String>> =
        LazyLock::new(|| Column::all().map(|column| column.name().into_owned()).collect());
    PossibleValuesParser::new(NAMES.iter().map(String::as_str)).try_map(|name| Column::named(&name))
}

/// Names with what they mean, for a help text.
pub(crate) fn listed(columns: impl Iterator<Item = Column>, name: impl Fn(Column) -> String) -> String {
    columns.map(|column| format!("\n- {}: {}", name(column), column.about())).collect()
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
fn write_header(writer: &mut dyn Write, format: Format, columns: &Columns) -> io::Result<()> {
    match format {
        Format::Text => {
            let cells = columns.iter().map(|column| cell(column, &column.title()));
            writeln!(writer, "{}", heading(cells.collect::<Vec<_>>().join(" ").trim_end()))
        }
        Format::Tsv | Format::Csv => {
            write_row(writer, format, &columns.iter().map(Column::name).collect::<Vec<_>>())
        }
        Format::Json => Ok(()),
    }
}

/// A text for people in a column: numbers to the right, words to the left, lists with some space before them.
fn cell(column: Column, text: &str) -> String {
    match (column.missing(), column.width()) {
        (_, Some(width)) => format!("{text:>width$}"),
        (Value::Text(_), None) => format!("{text:<14}"),
        _ => format!("  {text}"),
    }
}

/// Writes a word.
fn write_word(
    writer: &mut dyn Write,
    Form { format, is_chosen, .. }: &Form,
    word: &MeasuredWord,
) -> io::Result<()> {
    match (format, is_chosen) {
        (Format::Text, _) => {
            let cells = word.values().map(|(column, value)| cell(column, &shown(word, column, value)));
            writeln!(writer, "{}", cells.collect::<Vec<_>>().join(" ").trim_end())
        }
        (Format::Tsv | Format::Csv, _) => {
            write_row(writer, *format, &word.values().map(|(_, value)| value.to_string()).collect::<Vec<_>>())
        }
        (Format::Json, false) => {
            serde_json::to_writer(&mut *writer, word)?;
            writeln!(writer)
        }
        (Format::Json, true) => {
            for (number, (column, value)) in word.values().enumerate() {
                let before = if number == 0 { "{" } else { "," };
                write!(writer, "{before}\"{}\":{}", column.name(), serde_json::to_string(value)?)?;
            }
            writeln!(writer, "}}")
        }
    }
}

/// A value for people; numbers that belong to the letters and the end stand behind these.
fn shown(word: &MeasuredWord, column: Column, value: &Value) -> String {
    match value {
        Value::Numbers(numbers) if numbers.len() == word.spelling.len() + 1 => {
            let letters = word.spelling.iter().map(String::as_str).chain(["end"]);
            let pairs = letters.zip(numbers).map(|(letter, number)| format!("{letter} {number:.2}"));
            pairs.collect::<Vec<_>>().join("  ")
        }
        _ => column.shown(value),
    }
}

/// Writes words with their measures as they come, or all of them sorted, and tells which have none. `seen` gets every word that is written.
pub(crate) fn write_measured<I>(
    writer: &mut dyn Write,
    form: &Form,
    mut words: MeasuredStream<'_, I>,
    problems: &Problems,
    progress: &Progress,
    mut seen: impl FnMut(&MeasuredWord),
) -> anyhow::Result<()>
where
    I: Iterator<Item: AsRef<str> + Display>,
{
    write_header(writer, form.format, &form.columns)?;
    let mut all = Vec::new();
    loop {
        if !words.is_ready() {
            progress.aside(|| writer.flush())?;
        }
        let Some(found) = words.next() else { break };
        match found? {
            (_, Ok(word)) => {
                seen(&word);
                match form.sort {
                    Some(_) => all.push(word),
                    None => write_word(writer, form, &word)?,
                }
            }
            (found, Err(problem)) => problems.tell(&format!("{found}: {}", without_score(&problem))),
        }
    }
    if let Some(column) = form.sort {
        let number =
            |word: &MeasuredWord| word.value(column).and_then(Value::number).unwrap_or(f64::NEG_INFINITY);
        all.sort_by(|left, right| number(right).total_cmp(&number(left)));
    }
    Ok(all.iter().try_for_each(|word| write_word(writer, form, word))?)
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
