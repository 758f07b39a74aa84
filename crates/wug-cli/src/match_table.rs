//! Words and their pseudowords as text, as tables and as JSON.

use std::io::{self, Write};

use wug::measure::{Match, Matched, MatchedTarget, MeasuredWord, Value};

use crate::output::heading;
use crate::table::{Format, write_row};

/// Writes the pairs; for people, the report follows.
pub(crate) fn write(writer: &mut dyn Write, format: Format, matched: &Matched) -> io::Result<()> {
    match format {
        Format::Text => write_text(writer, matched),
        Format::Tsv | Format::Csv => {
            let names: Vec<String> = matched.columns().into_iter().map(|(name, _)| name).collect();
            write_row(writer, format, &names)?;
            let text = |row: Vec<Value>| row.iter().map(Value::to_string).collect::<Vec<_>>();
            matched.rows().try_for_each(|row| write_row(writer, format, &text(row)))
        }
        Format::Json => {
            serde_json::to_writer(&mut *writer, matched)?;
            writeln!(writer)
        }
    }
}

fn write_text(writer: &mut dyn Write, matched: &Matched) -> io::Result<()> {
    let columns = format!(
        "{:<14} {:<14} {:>8} {:>8} {:>8}  nearest word",
        "word", "pseudoword", "distance", "log P", "OLD20"
    );
    writeln!(writer, "{}", heading(&columns))?;
    for MatchedTarget { target, pseudowords } in &matched.targets {
        for Match { candidate, match_distance } in pseudowords {
            let number =
                |name| candidate.number(name).map_or_else(|| "–".to_owned(), |number| format!("{number:.2}"));
            writeln!(
                writer,
                "{:<14} {:<14} {match_distance:>8.2} {:>8} {:>8}  {}",
                target.word,
                candidate.word,
                number("log_probability"),
                number("old20"),
                nearest(candidate)
            )?;
        }
    }
    writeln!(writer, "\n{matched}")
}

/// The first of the nearest words.
fn nearest(word: &MeasuredWord) -> &str {
    let mut values = word.values().filter(|(column, _)| column.name() == "nearest");
    match values.next() {
        Some((_, Value::Texts(all))) => all.first().map_or("", String::as_str),
        _ => "",
    }
}
