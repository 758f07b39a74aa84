//! Words and their pseudowords as text, as tables and as JSON, and the report of how well they are matched.

use std::fmt::Write as _;
use std::io::{self, Write};

use wug::measure::{Match, MatchRequest, Matched, MatchedTarget, Measure, Quality, Verdict};

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
    writeln!(writer, "\n{}", report(matched))
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
        let name = measure.name().replace('-', "_");
        header.extend([format!("word_{name}"), format!("pseudoword_{name}")]);
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
            }
            write_row(writer, format, &row)?;
        }
    }
    Ok(())
}

/// How well the list is matched.
pub(crate) fn report(matched: &Matched) -> String {
    let pairs: usize = matched.targets.iter().map(|target| target.pseudowords.len()).sum();
    let mut text = format!(
        "{} words, {pairs} pseudowords out of {} candidates\n\n{:<26} {:>10} {:>12} {:>11} {:>8} {:>7} {:>7}  worst\n",
        matched.targets.len(),
        crate::output::grouped(matched.candidates as u64),
        "measure",
        "words",
        "pseudowords",
        "difference",
        "paired p",
        "mean SD",
        "|SD|",
    );
    for quality in &matched.quality {
        let Quality { measure, target_mean, pseudoword_mean, mean_difference, p, .. } = quality;
        let figure = |number: &Option<f64>, digits: usize| {
            number.map_or_else(|| "–".to_owned(), |number| format!("{number:.digits$}"))
        };
        let worst = quality.worst.as_ref().map_or_else(String::new, |worst| {
            format!("{} {} {:+.2}", worst.target, worst.pseudoword, worst.difference)
        });
        let _ = writeln!(
            text,
            "{:<26} {:>10} {:>12} {mean_difference:>+11.3} {:>8} {:>+7.2} {:>7.2}  {worst}",
            measure.name(),
            figure(target_mean, 2),
            figure(pseudoword_mean, 2),
            figure(p, 3),
            quality.standardised_mean,
            quality.standardised_distance,
        );
    }
    let bias = match &matched.bias {
        None => "LD1NN could not be computed for this list".to_owned(),
        Some(bias) => {
            let verdict = match bias.verdict() {
                Verdict::Biased => "biased",
                Verdict::Doubtful => "in doubt",
                Verdict::NoneFound => "no bias found",
            };
            format!(
                "LD1NN: odds {:.2}, p = {:.3}, p < 0.05 in {} of {} random orders: {verdict}",
                bias.fit.odds(),
                bias.fit.p(),
                bias.significant_orders(),
                bias.orders.len()
            )
        }
    };
    text + "\n" + &bias
}
