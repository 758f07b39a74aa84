//! Words and their pseudowords as text, as tables and as JSON.

use std::io::{self, Write};

use wug::measure::{Match, MatchRequest, Matched, MatchedTarget, Measure};

use crate::output::heading;
use crate::table::{Format, write_row};

/// Writes the pairs; for people, the report follows.
pub(crate) fn write(
    writer: &mut dyn Write,
    format: Format,
    matched: &Matched,
    request: &MatchRequest,
) -> io::Result<()> {
    match format {
        Format::Text => write_text(writer, matched),
        Format::Tsv | Format::Csv => write_rows(writer, format, matched, request),
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
            let old20 = candidate.letters.old20.map_or_else(|| "–".to_owned(), |old20| format!("{old20:.2}"));
            let nearest = candidate.letters.nearest.first().map_or("", String::as_str);
            writeln!(
                writer,
                "{:<14} {:<14} {match_distance:>8.2} {:>8.2} {old20:>8}  {nearest}",
                target.word, candidate.word, candidate.score.log_probability
            )?;
        }
    }
    writeln!(writer, "\n{matched}")
}

fn write_rows(
    writer: &mut dyn Write,
    format: Format,
    matched: &Matched,
    request: &MatchRequest,
) -> io::Result<()> {
    let measures: Vec<Measure> = request
        .criteria
        .iter()
        .map(|criterion| criterion.measure)
        .filter(|measure| *measure != Measure::SurprisalProfile)
        .collect();
    let mut header: Vec<String> =
        ["word", "pseudoword", "match_distance", "length", "lexicon_percentile", "skeleton", "nearest"]
            .map(String::from)
            .to_vec();
    for measure in &measures {
        let name = measure.field();
        header.extend([format!("word_{name}"), format!("pseudoword_{name}")]);
        header.extend([format!("word_{name}_percentile"), format!("pseudoword_{name}_percentile")]);
    }
    write_row(writer, format, &header)?;
    let figure = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.4}"));
    for MatchedTarget { target, pseudowords } in &matched.targets {
        for Match { candidate, match_distance } in pseudowords {
            let letters = &candidate.letters;
            let mut row = vec![
                target.word.clone(),
                candidate.word.clone(),
                format!("{match_distance:.4}"),
                letters.length.to_string(),
                figure(candidate.score.lexicon_percentile),
                letters.shape.as_ref().map_or_else(String::new, |shape| shape.skeleton.clone()),
                letters.nearest.join(" "),
            ];
            for measure in &measures {
                row.extend([figure(measure.of(target)), figure(measure.of(candidate))]);
                row.extend([target, candidate].map(|word| figure(word.percentile(*measure))));
            }
            write_row(writer, format, &row)?;
        }
    }
    Ok(())
}
