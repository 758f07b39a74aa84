//! The report as Markdown.

use std::fmt::Write;

use super::{Cell, Report, SampleList, Table};
use crate::{Claim, Known};

pub(super) fn document(report: &Report) -> String {
    let mut text = String::from("# The paper's tables and figures, run again\n\n");
    first_page(&mut text, report);
    for line in &report.setting.lines {
        let _ = writeln!(text, "- {line}");
    }
    let _ = writeln!(text, "- Runs: {}", report.setting.runs);
    for (run, message) in &report.setting.diverged {
        let _ = writeln!(text, "- Diverged: {run} ({message})");
    }
    text.push_str("\nMean ± standard deviation over runs; *in italics* the paper's own figures.\n\n");
    if !report.claims.is_empty() {
        text.push_str("## Claims\n\n");
    }
    for claim in &report.claims {
        write_claim(&mut text, claim);
    }
    for table in &report.tables {
        write_table(&mut text, table);
    }
    if !report.samples.is_empty() {
        text.push_str(
            "## Words\n\nThe first run of each model; **bold** words are new, in neither part of the list.\n\n",
        );
    }
    for list in &report.samples {
        write_samples(&mut text, list);
    }
    text
}

/// A few sentences, and the claims with their verdicts; the figure is in the page.
fn first_page(text: &mut String, report: &Report) {
    for sentence in &report.first_page.sentences {
        let _ = writeln!(text, "{}", escape(sentence));
    }
    if !report.claims.is_empty() {
        text.push_str(
            "\n| claim | verdict | figure that decides; differences of H with half the width of the 95 % interval |\n|---|---|---|\n",
        );
    }
    for claim in &report.claims {
        let figure = escape(claim.figure.as_deref().unwrap_or(""));
        let _ = writeln!(text, "| {} | {} | {figure} |", escape(claim.claim), claim.verdict.name());
    }
    if let Some(paragraph) = &report.first_page.answer {
        let _ =
            writeln!(text, "\n## How far can a model without feedback be pushed?\n\n{}", escape(paragraph));
    }
    text.push_str(if text.ends_with("\n\n") { "" } else { "\n" });
}

fn write_claim(text: &mut String, claim: &Claim) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "### {} — {}\n\nRule: {}.\n", claim.claim, claim.verdict.name(), claim.rule);
    for line in &claim.evidence {
        let _ = writeln!(text, "- {}", escape(line));
    }
    if let Some(remark) = claim.remark {
        let _ = writeln!(text, "\n{}", escape(remark));
    }
    text.push('\n');
}

fn write_table(text: &mut String, table: &Table) {
    let _ = writeln!(text, "## {}\n\n{}\n", table.title, escape(&table.about));
    let columns: Vec<String> = table.columns.iter().map(|column| escape(column)).collect();
    let _ = writeln!(text, "| | {} |", columns.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(columns.len()));
    for row in &table.rows {
        let cells: Vec<String> = row.cells.iter().map(cell).collect();
        let _ = writeln!(text, "| {} | {} |", escape(&row.label), cells.join(" | "));
    }
    text.push('\n');
}

fn cell(cell: &Cell) -> String {
    let here = escape(&cell.here.text());
    match &cell.paper {
        Some(paper) => format!("{here}<br>*{}*", escape(paper)),
        None => here,
    }
}

fn write_samples(text: &mut String, list: &SampleList) {
    let words: Vec<String> = list
        .words
        .iter()
        .map(|own| match own.known {
            Known::New => format!("**{}**", escape(&own.word)),
            Known::Train | Known::Test => escape(&own.word),
        })
        .collect();
    let _ = writeln!(text, "{} (`{}`): {}\n", escape(&list.label), list.row, words.join(" "));
}

/// Text with the signs replaced that mean something in Markdown.
fn escape(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, c| {
        if "\\`*_[]<>|#".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
        escaped
    })
}
