//! Reports on results whose content is known.

use super::*;
use crate::synthetic::{diverged, measured};
use crate::{Subject, rows};

/// Every row once; 2×tril, K = 10 twice.
fn everything() -> Vec<RunResult> {
    let trained = rows().iter().filter(|own| matches!(own.subject, Subject::Trained { .. }));
    let mut results: Vec<RunResult> = trained.map(|own| measured(&own.name, 1, 11.5)).collect();
    results.push(measured("2xtril-k10", 2, 11.3));
    results
}

fn table<'a>(report: &'a Report, title: &str) -> &'a Table {
    report.tables.iter().find(|table| table.title.starts_with(title)).expect("the table")
}

fn cell<'a>(table: &'a Table, label: &str, column: &str) -> &'a Cell {
    let row = table.rows.iter().find(|row| row.label == label).expect("the row");
    let column = table.columns.iter().position(|name| name == column).expect("the column");
    &row.cells[column]
}

#[test]
fn every_row_has_a_value_beside_the_papers() {
    let results = everything();
    let report = Report::of(&results);
    let sizes: Vec<(usize, usize)> =
        report.tables.iter().map(|table| (table.rows.len(), table.columns.len())).collect();
    assert_eq!(sizes, [(15, 10), (10, 4), (4, 13), (4, 4), (4, 4), (18, 8), (16, 8)]);
    for table in &report.tables {
        for row in &table.rows {
            assert_eq!(row.cells.len(), table.columns.len(), "{}", row.label);
            for cell in row.cells.iter().filter(|cell| cell.paper.is_some()) {
                assert!(matches!(cell.here, Here::Value { .. }), "{}: {cell:?}", row.label);
            }
        }
    }
    let table1 = table(&report, "Table 1");
    let best = |column| cell(table1, "2×tril, K = 10", column);
    assert_eq!(best("H test, shared").here.text(), "11.40 ± 0.14");
    assert_eq!(best("H test, shared").paper.as_deref(), Some("11.38±.06"));
    assert_eq!(best("gap closed, shared").here.text(), "0.450 ± 0.018");
    assert_eq!(best("gap closed, shared").paper.as_deref(), Some("0.395"));
    assert_eq!(best("runs").here.text(), "2");
    assert_eq!(cell(table1, "tril", "H test, tight").here.text(), "11.30");
    assert_eq!(cell(table1, "tril", "Ī, living").here.text(), "1.10");
    assert_eq!(cell(table1, "oracle-train", "H test, shared").here.text(), "7.00");
    let table2 = table(&report, "Table 2");
    assert_eq!(cell(table2, "oracle-test", "P3 test").here.text(), "15.0");
    assert_eq!(cell(table2, "oracle-test", "P3 test").paper.as_deref(), Some("4.1"));
    assert_eq!(
        cell(table(&report, "Table 3a"), "F_g = 2×tril", "F_q = tril").paper.as_deref(),
        Some("unstable")
    );
    let beyond = table(&report, "Beyond");
    assert_eq!(cell(beyond, "choice flow, d = 8", "H test").here.text(), "11.30");
    assert!(beyond.rows.iter().all(|row| row.cells.iter().all(|cell| cell.paper.is_none())));
    assert_eq!(cell(beyond, "3-grams", "H test").here.text(), "9.50");
    assert_eq!(cell(beyond, "GRU, d = 8", "parameters").here.text(), "883");
    let definitions = table(&report, "Ī and w∈V");
    let own = |label| cell(definitions, label, "2×tril, K = 10");
    assert_eq!(
        own("Ī, all states, 20 noise vectors (as we read the paper)").paper.as_deref(),
        Some("1.28±.13")
    );
    assert_eq!(own("Ī, all states, bias of 20 noise vectors taken away").here.text(), "1.20 ± 0.00");
    assert_eq!(own("Ī, living words, bias taken away").here.text(), "1.40 ± 0.00");
    assert_eq!(own("w∈V, whole list, sampled letters").here.text(), "0.60 ± 0.00");
    assert_eq!((report.figures.len(), report.claims.len()), (3, 17));
    assert_eq!(report.samples.len(), 53);
}

#[test]
fn what_diverged_and_what_is_missing_is_said() {
    let results = vec![diverged("tril", 1), measured("tril-k2", 1, 11.8), diverged("tril-k2", 2)];
    let report = Report::of(&results);
    let table1 = table(&report, "Table 1");
    assert_eq!(cell(table1, "tril", "H test, shared").here.text(), "diverged");
    assert_eq!(cell(table1, "tril, K = 2", "H test, shared").here.text(), "11.80 (1 diverged)");
    assert!(table1.rows.iter().all(|row| row.label != "2×tril"), "it was not run");
    assert_eq!(report.setting.diverged.len(), 2);
    assert!(report.to_html().contains("Diverged: tril-s1"));
}

#[test]
fn the_page_stands_by_itself() {
    let results = everything();
    let html = Report::of(&results).to_html();
    for outside in ["<script", "http://", "https://", "url(", "@import", "<link", "<img"] {
        let allowed = html.matches("http://www.w3.org/2000/svg").count();
        let found = html.matches(outside).count();
        assert_eq!(found, if outside == "http://" { allowed } else { 0 }, "{outside}");
    }
    for (open, close) in
        [("<table", "</table>"), ("<svg", "</svg>"), ("<section", "</section>"), ("<td", "</td>")]
    {
        assert_eq!(html.matches(open).count(), html.matches(close).count(), "{open}");
    }
    assert!(html.contains("<i>11.38±.06</i>"));
}

/// One figure, one table, five sentences, and an answer, all from the results.
#[test]
fn the_first_page_says_what_was_found() {
    let report = Report::of(&everything());
    let FirstPage { sentences, figure, answer } = &report.first_page;
    assert_eq!(sentences.len(), 5, "{sentences:?}");
    assert_eq!(sentences[0], "54 runs of 53 rows saw 24,000,000 words each; none diverged.");
    assert!(sentences[1].contains("0.450 ± 0.018 with d = 8 (the paper 0.395)"), "{sentences:?}");
    assert!(
        sentences[3].contains("Ī = 1.00 ± 0.00 bits of a letter (the paper 1.28±.13), 1.10 ± 0.00"),
        "{sentences:?}"
    );
    assert!(sentences[4].contains("H is 11.20 nats per word for 2×tril, K = 10 and 11.30"), "{sentences:?}");
    assert!(figure.is_some());
    let answer = answer.as_deref().expect("an answer");
    for part in [
        "reach an H of 11.20 ± 0.14 nats per word at best (d = 8), where a GRU of the same d has 11.30",
        "has 11.30 with d = 32, its teacher-forced counterpart 11.30, and a GRU of as many parameters 11.30",
        "9.50 with n = 3 (split by tokens)",
    ] {
        assert!(answer.contains(part), "{part}: {answer}");
    }
    let html = report.to_html();
    assert!(html.contains(">choice flow, d = 64</text>"));
    assert!(html.contains("class=\"dot dot2\"") && html.contains("<table class=\"verdicts\">"));
}

/// Words come from models, and models from anybody's lists.
#[test]
fn words_cannot_break_the_page() {
    let mut results = vec![measured("tril", 1, 11.5)];
    if let crate::RunOutcome::Measured(findings) = &mut results[0].outcome {
        findings.samples[0].word = "<script>|*".into();
    }
    let report = Report::of(&results);
    assert!(report.to_html().contains("&lt;script&gt;|*"));
    assert!(report.to_markdown().contains("\\<script\\>\\|\\*"));
}

#[test]
fn the_order_and_the_time_of_runs_do_not_matter() {
    let results = everything();
    let mut other: Vec<RunResult> = results.iter().rev().cloned().collect();
    other.iter_mut().for_each(|result| result.seconds.training = 7.0);
    let (left, right) = (Report::of(&results), Report::of(&other));
    assert_eq!(left.to_html(), right.to_html());
    assert_eq!(left.to_markdown(), right.to_markdown());
    assert_eq!(left.to_json(), right.to_json());
}

#[test]
fn an_empty_folder_has_a_report() {
    let report = Report::of(&[]);
    assert_eq!(
        report.setting.lines.last().map(String::as_str),
        Some("Rows: 0 of 53; the others were not run")
    );
    assert!(!report.to_html().contains("<table") && !report.to_markdown().contains("## "));
}

/// One row makes a short report: what it says nothing about is left out.
#[test]
fn what_was_not_asked_for_is_left_out() {
    let report = Report::of(&[measured("tril-k5", 1, 11.5)]);
    let sizes: Vec<(usize, usize)> =
        report.tables.iter().map(|table| (table.rows.len(), table.columns.len())).collect();
    assert_eq!((sizes, report.claims.len(), report.figures.len()), (vec![(1, 10)], 0, 0));
    for text in [report.to_html(), report.to_markdown()] {
        assert!(!text.contains("not measured") && !text.contains(">not run<"), "{text}");
    }
    // A cell of Table 3 brings its row and its column.
    let report =
        Report::of(&[measured("tril", 1, 11.5), measured("id-id", 1, 15.0), measured("2xtril-k10", 1, 11.0)]);
    let flows = table(&report, "Table 3a");
    assert_eq!(
        (flows.rows.len(), &flows.columns[..]),
        (2, &["F_q = id".to_owned(), "F_q = diag".to_owned()][..])
    );
    assert_eq!(cell(flows, "F_g = id", "F_q = diag").here, Here::NotRun);
    let claims: Vec<&str> = report.claims.iter().map(|claim| claim.claim).collect();
    assert_eq!(claims.len(), 4, "{claims:?}");
}
