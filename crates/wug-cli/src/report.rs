//! Reports as text, as tables of names and values, and as JSON.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use crate::output::print;
use crate::table::{Format, write_row};

/// Prints a report: as `text` writes it for people, or with its fields by their names.
pub(crate) fn print_report(
    format: Format,
    report: &impl Serialize,
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    print(|writer| match format {
        Format::Text => text(writer),
        Format::Tsv | Format::Csv => {
            write_row(writer, format, &["name", "value"])?;
            let mut write = |name: &str, value: &str| write_row(writer, format, &[name, value]);
            write_fields(&serde_json::to_value(report)?, "", &mut write)
        }
        Format::Json => {
            serde_json::to_writer_pretty(&mut *writer, report)?;
            writeln!(writer)
        }
    })
}

/// Writes a row for each value, with the names that lead to it in JSON: `statistics.lengths.0.letters`.
fn write_fields(
    value: &Value,
    name: &str,
    write: &mut impl FnMut(&str, &str) -> io::Result<()>,
) -> io::Result<()> {
    let inner = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        Value::Object(fields) => {
            fields.iter().try_for_each(|(key, field)| write_fields(field, &inner(key), write))
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| write_fields(item, &inner(&index.to_string()), write)),
        Value::Null => write(name, ""),
        Value::String(text) => write(name, text),
        other => write(name, &other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_row_with_its_path() {
        let report = serde_json::json!({"a": {"b": [1, {"c": "x,y"}]}, "d": null, "e": true, "f": 0.25});
        let mut rows = Vec::new();
        write_fields(&report, "", &mut |name, value| {
            rows.push(format!("{name}={value}"));
            Ok(())
        })
        .unwrap();
        assert_eq!(rows, ["a.b.0=1", "a.b.1.c=x,y", "d=", "e=true", "f=0.25"]);
    }
}
