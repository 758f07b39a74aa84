//! Results as data and as tables.

use std::fmt;

use serde::Serialize;

use crate::TrainedModel;
use crate::lexicon::Lexicon;

use super::context::{Context, Settings};

/// Version of the JSON form. `docs/evaluation.md` describes it.
const FORMAT_VERSION: u32 = 1;

/// Everything that was measured, with what it depends on.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    format_version: u32,
    wug_version: &'static str,
    model: ModelDescription,
    lexicon: LexiconDescription,
    settings: Settings,
    /// Results by the names of the metrics.
    metrics: serde_json::Map<String, serde_json::Value>,
    #[serde(skip)]
    tables: Vec<Table>,
}

#[derive(Debug, Clone, Serialize)]
struct ModelDescription {
    kind: crate::model::Kind,
    state: usize,
    words_seen: u64,
    seed: u64,
    trained_on: String,
    trained_on_sha256: String,
}

#[derive(Debug, Clone, Serialize)]
struct LexiconDescription {
    name: String,
    sha256: String,
    types: usize,
    tokens: u64,
    split: crate::lexicon::SplitKind,
    split_seed: u64,
    train: PartDescription,
    test: PartDescription,
}

#[derive(Debug, Clone, Serialize)]
struct PartDescription {
    types: usize,
    tokens: u64,
}

impl PartDescription {
    fn of(part: &Lexicon) -> Self {
        Self { types: part.types(), tokens: part.tokens() }
    }
}

impl Report {
    /// A report without results.
    pub(crate) fn new(context: &Context<'_>) -> Self {
        let TrainedModel { config, model, provenance, .. } = context.model;
        let data = &context.data;
        Self {
            format_version: FORMAT_VERSION,
            wug_version: env!("CARGO_PKG_VERSION"),
            model: ModelDescription {
                kind: model.config().kind,
                state: model.config().state,
                words_seen: provenance.words_seen,
                seed: config.train.seed,
                trained_on: provenance.lexicon.clone(),
                trained_on_sha256: provenance.lexicon_digest.clone(),
            },
            lexicon: LexiconDescription {
                name: data.lexicon.clone(),
                sha256: context.lexicon.digest(),
                types: context.lexicon.types(),
                tokens: context.lexicon.tokens(),
                split: data.split,
                split_seed: data.split_seed,
                train: PartDescription::of(&context.split.train),
                test: PartDescription::of(&context.split.test),
            },
            settings: context.settings,
            metrics: serde_json::Map::new(),
            tables: Vec::new(),
        }
    }

    /// Takes over a metric's result.
    pub(crate) fn add(&mut self, name: &str, section: Section) {
        self.metrics.insert(name.to_owned(), section.json);
        self.tables.extend(section.tables);
    }

    /// Results by the names of the metrics, as JSON.
    pub fn metrics(&self) -> &serde_json::Map<String, serde_json::Value> {
        &self.metrics
    }

    /// Results by the names of the metrics, as JSON, without the rest.
    pub fn into_metrics(self) -> serde_json::Map<String, serde_json::Value> {
        self.metrics
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LexiconDescription { name, types, split, split_seed, train, test, .. } = &self.lexicon;
        let kind = self.model.kind.name();
        writeln!(f, "{kind}, d = {}, {} words seen in training", self.model.state, self.model.words_seen)?;
        writeln!(f, "{name}: {types} words, split by {split} (seed {split_seed})")?;
        writeln!(f, "train: {} words, {} tokens", train.types, train.tokens)?;
        writeln!(f, "test:  {} words, {} tokens", test.types, test.tokens)?;
        self.tables.iter().try_for_each(|table| write!(f, "\n{table}"))
    }
}

/// One metric's result.
#[derive(Debug, Clone)]
pub struct Section {
    /// As data.
    pub json: serde_json::Value,
    /// For people.
    pub tables: Vec<Table>,
}

/// Named rows of numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// What it is about.
    pub title: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names and numbers; what does not exist is a dash.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
    /// Digits after the point.
    pub decimals: usize,
    /// Remarks below.
    pub notes: Vec<String>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: impl Into<String>, columns: &[&str], decimals: usize) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { title: title.into(), columns, decimals, ..Self::default() }
    }

    /// Adds a row; numbers that are not finite are shown as a dash.
    pub fn row(&mut self, name: impl Into<String>, numbers: &[f64]) {
        let numbers = numbers.iter().map(|&number| number.is_finite().then_some(number)).collect();
        self.rows.push((name.into(), numbers));
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = |text: &str| text.chars().count();
        let names = self.rows.iter().map(|(name, _)| length(name) + 2).chain([length(&self.title)]);
        let width = names.max().unwrap_or(0);
        let cell = |number: &Option<f64>| {
            number.map_or_else(|| "–".to_owned(), |number| format!("{number:.*}", self.decimals))
        };
        let widths: Vec<usize> = self
            .columns
            .iter()
            .enumerate()
            .map(|(column, name)| {
                let cells = self.rows.iter().filter_map(|(_, numbers)| numbers.get(column));
                cells.map(|number| length(&cell(number))).chain([length(name)]).max().unwrap_or(0)
            })
            .collect();
        write!(f, "{:width$}", self.title)?;
        self.columns.iter().zip(&widths).try_for_each(|(name, width)| write!(f, "  {name:>width$}"))?;
        writeln!(f)?;
        for (name, numbers) in &self.rows {
            write!(f, "  {name:0$}", width.saturating_sub(2))?;
            let mut cells = numbers.iter().zip(&widths);
            cells.try_for_each(|(number, width)| write!(f, "  {:>width$}", cell(number)))?;
            writeln!(f)?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "  {note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned() {
        let mut table = Table::new("nats per word", &["train", "test"], 2);
        table.row("Ĥ of a model", &[12.345, f64::INFINITY]);
        table.row("another", &[1.0, 100.0]);
        table.notes.push("a remark".into());
        let expected = "nats per word   train    test\n  Ĥ of a model  12.35       –\n  another        1.00  100.00\n  a remark\n";
        assert_eq!(table.to_string(), expected);
    }
}
