//! The report as one page: inline style and plots, no script, nothing from elsewhere.

use std::fmt::Write;

use super::{Cell, Drawing, FirstPage, Here, Report, SampleList, Table};
use crate::svg::escape;
use crate::{Claim, Known, Verdict};

/// Columns beyond which numbers and their spread stand on lines of their own.
const MANY_COLUMNS: usize = 10;

/// Columns up to which tables stand side by side.
const FEW_COLUMNS: usize = 4;

const STYLE: &str = include_str!("style.css");

pub(super) fn page(report: &Report) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Words from white noise, run again</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <div class=\"first\">\n<h1>Words from white noise, run again</h1>\n\
         <p class=\"lead\">Tables and figures of Schmidt &amp; Hofmann, <cite>Deep State Space Models for Unconditional Word \
         Generation</cite> (NeurIPS 2018), run again with <code>wug</code> on another corpus: levels of H depend on the corpus, \
         so compare rows with each other and the gap closed with the paper's.</p>\n"
    );
    first_page(&mut html, report);
    setting(&mut html, report);
    claims(&mut html, &report.claims);
    // Pairs of flows make two small tables, which stand side by side.
    let is_small = |table: &Table| table.columns.len() <= FEW_COLUMNS;
    for tables in report.tables.chunk_by(|left, right| is_small(left) == is_small(right)) {
        let class = if is_small(&tables[0]) { "pair" } else { "wide" };
        let _ = writeln!(html, "<div class=\"{class}\">");
        tables.iter().for_each(|table| write_table(&mut html, table));
        html.push_str("</div>\n");
    }
    if !report.figures.is_empty() {
        html.push_str("<div class=\"figures\">\n");
        report.figures.iter().for_each(|drawing| figure(&mut html, drawing));
        html.push_str("</div>\n");
    }
    words(&mut html, &report.samples);
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

/// A few sentences, a figure and a table: the rest of the first page, which the title has opened.
fn first_page(html: &mut String, report: &Report) {
    let FirstPage { sentences, figure: drawing, answer } = &report.first_page;
    if !sentences.is_empty() {
        let _ = writeln!(html, "<p class=\"lead\">{}</p>", escape(&sentences.join(" ")));
    }
    html.push_str("<div class=\"glance\">\n");
    if let Some(drawing) = drawing {
        figure(html, drawing);
    }
    if !report.claims.is_empty() {
        html.push_str("<section>\n<h2>What holds</h2>\n<table class=\"verdicts\">\n<thead><tr><th>claim</th><th>verdict</th><th>figure that decides</th></tr></thead>\n<tbody>\n");
        for claim in &report.claims {
            let _ = writeln!(
                html,
                "<tr><th scope=\"row\">{}</th><td data-name=\"verdict\">{}</td><td data-name=\"figure\">{}</td></tr>",
                escape(claim.claim),
                verdict(claim),
                escape(claim.figure.as_deref().unwrap_or("")).replace("± ", "±&nbsp;")
            );
        }
        html.push_str("</tbody>\n</table>\n<p class=\"about\">Differences of H in the order of the claims below, with half the width of their 95 % intervals.</p>\n</section>\n");
    }
    html.push_str("</div>\n</div>\n");
    if let Some(text) = answer {
        html.push_str("<section>\n<h2>How far can a model without feedback be pushed?</h2>\n");
        let _ = writeln!(html, "<p>{}</p>\n</section>", escape(text));
    }
}

/// A verdict with its sign.
fn verdict(claim: &Claim) -> String {
    let class = match claim.verdict {
        Verdict::Holds => "holds",
        Verdict::DoesNotHold => "fails",
        Verdict::CannotSay => "open",
    };
    format!("<span class=\"verdict {class}\">{}</span>", claim.verdict.name())
}

fn setting(html: &mut String, report: &Report) {
    html.push_str("<section>\n<h2>What was run</h2>\n<ul class=\"setting\">\n");
    for line in &report.setting.lines {
        // Writing to a string cannot fail.
        let _ = writeln!(html, "<li>{}</li>", escape(line));
    }
    let _ = writeln!(html, "<li>Runs: {}</li>", report.setting.runs);
    for (run, message) in &report.setting.diverged {
        let _ = writeln!(html, "<li>Diverged: {} ({})</li>", escape(run), escape(message));
    }
    html.push_str("</ul>\n</section>\n");
}

fn claims(html: &mut String, claims: &[Claim]) {
    if claims.is_empty() {
        return;
    }
    html.push_str("<section>\n<h2>The claims one by one</h2>\n<p class=\"about\">Verdicts follow from the runs. ± is a standard error; \
                   95 % intervals decide.</p>\n<ol class=\"claims\">\n");
    for claim in claims {
        let _ = writeln!(
            html,
            "<li><h3>{} {}</h3>\n<p class=\"about\">Rule: {}.</p>\n<ul>",
            escape(claim.claim),
            verdict(claim),
            escape(claim.rule)
        );
        for line in &claim.evidence {
            let _ = writeln!(html, "<li>{}</li>", escape(line));
        }
        html.push_str("</ul>\n");
        if let Some(remark) = claim.remark {
            let _ = writeln!(html, "<p class=\"about\">{}</p>", escape(remark));
        }
        html.push_str("</li>\n");
    }
    html.push_str("</ol>\n</section>\n");
}

fn write_table(html: &mut String, table: &Table) {
    let has_paper = table.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.paper.is_some());
    let _ = writeln!(
        html,
        "<section>\n<h2>{}</h2>\n<p class=\"about\">{} Mean ± standard deviation over runs{}.</p>\n<table{}>\n\
         <thead><tr><th></th>",
        escape(&table.title),
        escape(&table.about),
        if has_paper { "; <i>the paper's figures below</i>" } else { "" },
        if table.columns.len() > MANY_COLUMNS { " class=\"dense\"" } else { "" }
    );
    for column in &table.columns {
        let _ = writeln!(html, "<th scope=\"col\">{}</th>", escape(column));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        let _ = writeln!(html, "<tr><th scope=\"row\">{}</th>", escape(&row.label));
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            write_cell(html, column, cell);
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</section>\n");
}

/// A cell; on narrow screens the name of its column stands before it, and empty ones are left out.
fn write_cell(html: &mut String, column: &str, cell: &Cell) {
    let empty = cell.here == Here::Nothing && cell.paper.is_none();
    let class = if empty { " class=\"empty\"" } else { "" };
    let paper = cell.paper.as_ref().map_or_else(String::new, |paper| format!("<i>{}</i>", escape(paper)));
    let _ = writeln!(
        html,
        "<td{class} data-name=\"{}\"><span>{}{paper}</span></td>",
        escape(column),
        escape(&cell.here.text()).replace("± ", "±&nbsp;")
    );
}

fn figure(html: &mut String, drawing: &Drawing) {
    let _ = writeln!(
        html,
        "<figure>\n<h2>{}</h2>\n{}<figcaption>{}</figcaption>\n</figure>",
        escape(&drawing.title),
        drawing.plot.to_svg(),
        escape(&drawing.caption)
    );
}

fn words(html: &mut String, samples: &[SampleList]) {
    if samples.is_empty() {
        return;
    }
    html.push_str("<section>\n<h2>Words</h2>\n<p class=\"about\">The first run of each model. Underlined words are new, in \
                   neither part of the list.</p>\n<dl class=\"words\">\n");
    for list in samples {
        let _ = writeln!(html, "<dt>{} <code>{}</code></dt>", escape(&list.label), list.row);
        let words: Vec<String> = list
            .words
            .iter()
            .map(|own| match own.known {
                Known::New => format!("<b>{}</b>", escape(&own.word)),
                Known::Train | Known::Test => escape(&own.word),
            })
            .collect();
        let _ = writeln!(html, "<dd>{}</dd>", words.join(" "));
    }
    html.push_str("</dl>\n</section>\n");
}
