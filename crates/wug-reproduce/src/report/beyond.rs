//! What the paper does not have: models without feedback beside models with it, for both splits.

use wug::evaluate::NgramBaseline;
use wug::model::Kind;

use super::table::{Cell, Table, TableRow};
use crate::{Quantity, Row, Summary};

const COLUMNS: [&str; 8] =
    ["parameters", "runs", "H train", "H test", "gap closed", "w∈V", "w∈V unique", "Ī"];

/// The tables of both splits.
pub(super) fn beyond(summary: &Summary<'_>) -> [Table; 2] {
    let about = "First models without feedback. 2×tril draws a letter from each state and forgets it; in the choice flow the noise picks the \
                 letter, and the state remembers it. Then models that read their own letters, and Witten–Bell n-grams of the training part. H in nats per word: exact for the choice flow, its teacher-forced counterpart, GRUs and \
                 n-grams, an upper bound by the particle filter for 2×tril. GRUs with d = 40, 44, 81 and 97 have as many \
                 parameters as the choice flow with d = 8, 16, 32 and 64. The choice flow is not measured by shared trajectories: its noise decides \
                 every letter, so that a trajectory is one word and gives all others no probability.";
    let table = |title: &str, types: bool, about: String| Table {
        title: title.into(),
        about,
        columns: COLUMNS.map(str::to_owned).to_vec(),
        rows: rows(summary, types),
    };
    [
        table("Beyond the paper, split by tokens", false, about.into()),
        table(
            "Beyond the paper, split by types",
            true,
            "The same where a tenth of the distinct words is held out. The gap ends at the entropy of the test part.".into(),
        ),
    ]
}

fn rows(summary: &Summary<'_>, types: bool) -> Vec<TableRow> {
    let mut rows: Vec<&Row<'_>> =
        summary.rows().iter().filter(|row| row.spec.beyond && row.spec.splits_types() == types).collect();
    // Those without feedback come first, as rows.toml has them; GRUs last, by their size.
    rows.sort_by_key(|row| match row.spec.config() {
        Some(config) if config.model.kind == Kind::Gru => (2, config.model.state),
        Some(config) if [Kind::StateSpace, Kind::Choice].contains(&config.model.kind) => (0, 0),
        _ => (1, 0),
    });
    // N-grams depend on the words alone, so those of any run will do.
    let mut findings = rows.iter().flat_map(|row| row.findings());
    let baselines = findings.find_map(|found| found.metrics.ngram_baselines.as_ref());
    rows.iter().map(|row| trained(row)).chain(baselines.into_iter().flatten().map(baseline)).collect()
}

fn trained(row: &Row<'_>) -> TableRow {
    let cell = |quantity, decimals| Cell::of(row, quantity, decimals, None);
    let cells = vec![
        Cell::fixed(row.spec.parameters().map(|count| count as f64), 0, None).given(!row.results.is_empty()),
        super::tables::runs(row),
        cell(Quantity::TightTrain, 2),
        cell(Quantity::TightTest, 2),
        cell(Quantity::TightGapClosed, 3),
        cell(Quantity::InVocabulary, 2),
        cell(Quantity::InVocabularyUnique, 2),
        cell(Quantity::Information, 2),
    ];
    TableRow { label: row.spec.label.clone(), cells }
}

fn baseline(own: &NgramBaseline) -> TableRow {
    let mut cells = vec![Cell::nothing(None); COLUMNS.len()];
    cells[2] = Cell::fixed(Some(own.train), 2, None);
    cells[3] = Cell::fixed(Some(own.test), 2, None);
    cells[4] = Cell::fixed(own.gap_closed, 3, None);
    TableRow { label: format!("{}-grams", own.order), cells }
}
