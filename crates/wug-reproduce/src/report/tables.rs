//! The paper's three tables with what was found here.

use std::collections::BTreeSet;

use wug::evaluate::{GeneratedWords, Membership, Metrics, Perplexities};

use super::paper::paper_gap_closed;
use super::table::{Cell, Here, Table, TableRow};
use crate::{Figure, Findings, Oracle, Part, Quantity, Row, Subject, Summary, Table1Row, Table3Cell};

fn text(figure: &Figure) -> Option<String> {
    Some(figure.to_string())
}

fn number(number: f64, decimals: usize) -> Option<String> {
    Some(format!("{number:.decimals$}"))
}

/// The number of runs behind a row.
pub(super) fn runs(row: &Row<'_>) -> Cell {
    let count = row.results.len();
    Cell::fixed((count > 0).then_some(count as f64), 0, None)
}

/// An oracle's figures, as measured with the runs of another row.
fn oracle<'a>(summary: &Summary<'a>, oracle: &Oracle) -> Option<&'a Metrics> {
    Some(&summary.row(&oracle.measured_with)?.findings().next()?.metrics)
}

/// The rows that stand in a table, from the top.
fn rows_by<'s, 'a>(summary: &'s Summary<'a>, place: fn(&Row<'a>) -> Option<u8>) -> Vec<&'s Row<'a>> {
    let mut rows: Vec<&Row<'a>> = summary.rows().iter().filter(|row| place(row).is_some()).collect();
    rows.sort_by_key(|row| place(row));
    rows
}

const GENERATION: [&str; 10] = [
    "runs",
    "H train, shared",
    "H test, shared",
    "H test, tight",
    "gap closed, shared",
    "gap closed, tight",
    "w∈V unique",
    "w∈V",
    "Ī",
    "Ī, living",
];

pub(super) fn table1(summary: &Summary<'_>) -> Table {
    let rows = rows_by(summary, |row| Some(row.spec.table1.as_ref()?.row));
    let line = |row: &&Row<'_>| {
        let paper = row.spec.table1.as_ref()?;
        let cells = match &row.spec.subject {
            Subject::Oracle(own) => oracle1(oracle(summary, own), own.part, paper),
            Subject::Trained { .. } => trained1(row, paper),
        };
        Some(TableRow { label: row.spec.label.clone(), cells })
    };
    Table {
        title: "Table 1: generation, split by tokens".into(),
        about: "H in nats per word. “shared” is the paper's estimator over shared trajectories, “tight” the particle \
                filter (for the GRU the exact chain rule). Gap closed is (H_id − H) / (H_id − H_oracle) on the test part; \
                the paper's is computed from its own figures. Ī in bits, over all states as in the paper; “living” leaves \
                out words that have ended. The row with d = 32 has settings of its own, which larger states need: half the learning rate, a \
                second hidden layer in F_g, and a larger q that sees h_{t−1}."
            .into(),
        columns: GENERATION.map(str::to_owned).to_vec(),
        rows: rows.iter().filter_map(line).collect(),
    }
}

/// The cells of a trained row, beside the paper's figures.
fn trained1(row: &Row<'_>, paper: &Table1Row) -> Vec<Cell> {
    let gap = paper_gap_closed(paper.test.mean).and_then(|gap| number(gap, 3));
    vec![
        runs(row),
        Cell::of(row, Quantity::Train, 2, text(&paper.train)),
        Cell::of(row, Quantity::Test, 2, text(&paper.test)),
        Cell::of(row, Quantity::TightTest, 2, None),
        Cell::of(row, Quantity::GapClosed, 3, gap),
        Cell::of(row, Quantity::TightGapClosed, 3, None),
        Cell::of(row, Quantity::InVocabularyUnique, 2, text(&paper.in_vocabulary_unique)),
        Cell::of(row, Quantity::InVocabulary, 2, text(&paper.in_vocabulary)),
        Cell::of(row, Quantity::Information, 2, paper.information.as_ref().and_then(text)),
        Cell::of(row, Quantity::LivingInformation, 2, None),
    ]
}

fn oracle1(found: Option<&Metrics>, part: Part, paper: &Table1Row) -> Vec<Cell> {
    let oracles = found.and_then(|found| found.oracles.as_ref());
    let bound = |of_train: bool| {
        let bounds = oracles.map(|found| if of_train { found.train } else { found.test })?;
        match part {
            Part::Train => bounds.oracle_train,
            Part::Test => bounds.oracle_test,
        }
    };
    let words: Option<Membership> = oracles.map(|found| match part {
        Part::Train => found.oracle_train_words,
        Part::Test => found.oracle_test_words,
    });
    vec![
        Cell::nothing(None),
        Cell::fixed(bound(true), 2, text(&paper.train)),
        Cell::fixed(bound(false), 2, text(&paper.test)),
        Cell::nothing(None),
        Cell::nothing(None),
        Cell::nothing(None),
        Cell::fixed(words.map(|own| own.in_vocabulary_unique), 2, text(&paper.in_vocabulary_unique)),
        Cell::fixed(words.map(|own| own.in_vocabulary), 2, text(&paper.in_vocabulary)),
        Cell::nothing(None),
        Cell::nothing(None),
    ]
}

pub(super) fn table2(summary: &Summary<'_>) -> Table {
    let rows = rows_by(summary, |row| Some(row.spec.table2.as_ref()?.row));
    let line = |row: &&Row<'_>| {
        let paper = row.spec.table2.as_ref()?;
        let cross_entropy = |quantity, figure: &Option<Figure>| match &row.spec.subject {
            Subject::Oracle(_) => Cell::nothing(None),
            Subject::Trained { .. } => Cell::of(row, quantity, 2, figure.as_ref().and_then(text)),
        };
        let mut cells = vec![match &row.spec.subject {
            Subject::Oracle(_) => Cell::nothing(None),
            Subject::Trained { .. } => runs(row),
        }];
        cells.push(cross_entropy(Quantity::Train, &paper.train));
        cells.push(cross_entropy(Quantity::Test, &paper.test));
        cells.push(cross_entropy(Quantity::TightTest, &None));
        cells.push(cross_entropy(Quantity::TightGapClosed, &None));
        for from_all in [true, false] {
            let printed = if from_all { paper.train_and_test_perplexity } else { paper.test_perplexity };
            cells.extend((0..4).map(|n| perplexity(summary, row, from_all, n, number(printed[n], 1))));
        }
        Some(TableRow { label: row.spec.label.clone(), cells })
    };
    let cross_entropies = ["runs", "H train, shared", "H test, shared", "H test, tight", "gap closed, tight"];
    let perplexities = ["all", "test"].iter().flat_map(|from| (2..=5).map(move |n| format!("P{n} {from}")));
    Table {
        title: "Table 2: split by types".into(),
        about: "A tenth of the distinct words is held out. H in nats per word; P2 … P5 are perplexities per symbol of \
                generated words under Witten–Bell n-grams from train+test (all) or from test alone. Words of the model are made \
                of the most probable symbols, as in the paper, words of the GRU of sampled ones. The gap ends at the \
                entropy of the test part, because ORACLE-TRAIN knows none of its words."
            .into(),
        columns: cross_entropies.iter().map(|&name| name.to_owned()).chain(perplexities).collect(),
        rows: rows.iter().filter_map(line).collect(),
    }
}

fn perplexity(summary: &Summary<'_>, row: &Row<'_>, from_all: bool, n: usize, paper: Option<String>) -> Cell {
    let pick = |found: &Perplexities| if from_all { found.train_and_test[n] } else { found.test[n] };
    match &row.spec.subject {
        Subject::Oracle(own) => {
            let words = match own.part {
                Part::Train => GeneratedWords::OracleTrain,
                Part::Test => GeneratedWords::OracleTest,
            };
            let found = oracle(summary, own).and_then(|found| found.ngrams.as_ref());
            let found = found.and_then(|found| found.iter().find(|own| own.words == words));
            Cell::fixed(found.map(pick), 1, paper)
        }
        Subject::Trained { .. } => {
            // The first words are the most probable symbols; the GRU has sampled ones alone.
            let value = |findings: &Findings| findings.metrics.ngrams.as_ref()?.first().map(pick);
            let values: Vec<f64> = row.findings().filter_map(value).collect();
            Cell { here: Here::of(row, &values, 1), paper }
        }
    }
}

/// H and Ī for all pairs of flows.
pub(super) fn table3(summary: &Summary<'_>) -> [Table; 2] {
    const FLOWS: [&str; 4] = ["id", "diag", "tril", "2xtril"];
    let name = |flow: &str| flow.replace("2x", "2×");
    let grid = |quantity: Quantity, printed: fn(&Table3Cell) -> Option<&Figure>| {
        let cell = |generative: &str, inference: &str| {
            let mut rows = summary.rows().iter();
            let found = rows.find_map(|row| {
                let cell = row.spec.table3.as_ref()?;
                (row.spec.flows()? == [generative, inference]).then_some((row, cell))
            });
            let Some((row, cell)) = found else { return Cell::nothing(None) };
            let paper = if cell.unstable { Some("unstable".into()) } else { printed(cell).and_then(text) };
            Cell::of(row, quantity, 2, paper)
        };
        let line = |generative: &&str| TableRow {
            label: format!("F_g = {}", name(generative)),
            cells: FLOWS.iter().map(|inference| cell(generative, inference)).collect(),
        };
        FLOWS.iter().map(line).collect()
    };
    let columns: Vec<String> = FLOWS.iter().map(|flow| format!("F_q = {}", name(flow))).collect();
    let counts = summary.rows().iter().filter(|row| row.spec.table3.is_some());
    let counts: BTreeSet<usize> = counts.map(|row| row.results.len()).filter(|&count| count > 0).collect();
    let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
    let sample = format!("one sample (K = 1); runs of each pair: {}.", counts.join(" or "));
    [
        Table {
            title: "Table 3a: flows, H on the test part".into(),
            about: format!("Nats per word by the paper's estimator, {sample}"),
            columns: columns.clone(),
            rows: grid(Quantity::Test, |cell| cell.test.as_ref()),
        },
        Table {
            title: "Table 3b: flows, Ī".into(),
            about: format!("Bits, {sample}"),
            columns,
            rows: grid(Quantity::Information, |cell| cell.information.as_ref()),
        },
    ]
}
