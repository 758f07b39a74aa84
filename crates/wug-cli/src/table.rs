//! Measured words as text, as a table with tabs, and as JSON. `docs/statistics.md` describes every column.

use std::fmt::Display;
use std::io::{self, Write};

use clap::ValueEnum;
use wug::lexicon::SpellError;
use wug::measure::{Match, MeasuredStream, MeasuredWord, ScoreProblem};

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

/// Columns of the table.
const COLUMNS: [&str; 13] = [
    "word",
    "length",
    "log_probability",
    "standard_error",
    "lexicon_percentile",
    "random_percentile",
    "surprisals",
    "lexicality",
    "coltheart_n",
    "old20",
    "bigram_frequency",
    "nearest_distance",
    "nearest",
];

/// The column that matches have beside those of all words.
const DISTANCE: &str = "match_distance";

/// Writes what stands above the words.
fn write_header(writer: &mut dyn Write, format: Format) -> io::Result<()> {
    match format {
        Format::Text => {
            let columns = format!(
                "{:<14} {:>8} {:>7} {:>7} {:>7}   surprisal of each letter and of the end",
                "word", "log P", "±", "words", "random"
            );
            writeln!(writer, "{}", heading(&columns))
        }
        Format::Tsv => writeln!(writer, "{}", COLUMNS.join("\t")),
        Format::Json => Ok(()),
    }
}

/// Writes a word.
fn write_word(writer: &mut dyn Write, format: Format, word: &MeasuredWord) -> io::Result<()> {
    match format {
        Format::Text => write_text(writer, word),
        Format::Tsv => writeln!(writer, "{}", fields(word).join("\t")),
        Format::Json => {
            serde_json::to_writer(&mut *writer, word)?;
            writeln!(writer)
        }
    }
}

/// Writes words with their measures as they come, and tells which have none.
pub(crate) fn write_measured<I: Iterator<Item: AsRef<str> + Display>>(
    writer: &mut dyn Write,
    format: Format,
    mut words: MeasuredStream<'_, '_, I>,
    problems: &Problems,
    progress: &Progress,
) -> anyhow::Result<()> {
    write_header(writer, format)?;
    loop {
        if !words.is_ready() {
            progress.aside(|| writer.flush())?;
        }
        let Some(found) = words.next() else { return Ok(()) };
        match found? {
            (_, Ok(word)) => write_word(writer, format, &word)?,
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
        Format::Tsv => writeln!(writer, "{}\t{DISTANCE}", COLUMNS.join("\t")),
    }
}

/// Writes a match of a word; for people, the bare word.
pub(crate) fn write_match(writer: &mut dyn Write, format: Format, found: &Match) -> io::Result<()> {
    match format {
        Format::Text => writeln!(writer, "{}", found.candidate.word),
        Format::Tsv => {
            writeln!(writer, "{}\t{:.4}", fields(&found.candidate).join("\t"), found.match_distance)
        }
        Format::Json => {
            serde_json::to_writer(&mut *writer, found)?;
            writeln!(writer)
        }
    }
}

fn write_text(writer: &mut dyn Write, word: &MeasuredWord) -> io::Result<()> {
    let score = &word.score;
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

fn fields(word: &MeasuredWord) -> [String; 13] {
    let MeasuredWord { word, score, letters, .. } = word;
    let optional = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.4}"));
    let surprisals: Vec<String> = score.surprisals.iter().map(|number| format!("{number:.4}")).collect();
    [
        word.clone(),
        letters.length.to_string(),
        format!("{:.4}", score.log_probability),
        format!("{:.4}", score.standard_error),
        optional(score.lexicon_percentile),
        optional(score.random_percentile),
        surprisals.join(" "),
        letters.lexicality.name().to_owned(),
        letters.coltheart_n.to_string(),
        optional(letters.old20),
        optional(letters.bigram_frequency),
        letters.nearest_distance.map_or_else(String::new, |distance| distance.to_string()),
        letters.nearest.join(" "),
    ]
}
