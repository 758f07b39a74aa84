//! Results as data and as tables.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::lexicon::{Lexicon, Split, Weighting};
use crate::{DataConfig, TrainedModel};

use super::context::{Context, Settings};
use super::metrics::Metrics;

/// Version of the JSON form. `docs/evaluation.md` describes it.
const FORMAT_VERSION: u32 = 1;

/// Everything that was measured, with what it depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of the form.
    pub format_version: u32,
    /// Version of the software.
    pub wug_version: String,
    /// The model.
    pub model: ModelDescription,
    /// The words.
    pub lexicon: LexiconDescription,
    /// How hard it was tried.
    pub settings: Settings,
    /// What was found.
    pub metrics: Metrics,
}

/// Which model was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelDescription {
    /// What it is.
    pub kind: crate::model::Kind,
    /// Size of its states.
    pub state: usize,
    /// Words seen in training.
    pub words_seen: u64,
    /// Seed of the training.
    pub seed: u64,
    /// The list that it was trained on.
    pub trained_on: String,
    /// Digest of the words that it was trained on.
    pub trained_on_sha256: String,
}

/// Which words it was measured on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LexiconDescription {
    /// The list.
    pub name: String,
    /// Digest of its words.
    pub sha256: String,
    /// Distinct words.
    pub types: usize,
    /// Occurrences.
    pub tokens: u64,
    /// The weighting of words in cross entropies and n-grams.
    pub weighting: Weighting,
    /// How it was divided.
    pub split: crate::lexicon::SplitKind,
    /// Seed of the split.
    pub split_seed: u64,
    /// The training part.
    pub train: PartDescription,
    /// The test part.
    pub test: PartDescription,
}

/// The size of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartDescription {
    /// Distinct words.
    pub types: usize,
    /// Occurrences.
    pub tokens: u64,
}

impl LexiconDescription {
    pub(crate) fn of(data: &DataConfig, lexicon: &Lexicon, split: &Split) -> Self {
        Self {
            name: data.lexicon.clone(),
            sha256: lexicon.digest(),
            types: lexicon.types(),
            tokens: lexicon.tokens(),
            weighting: data.weighting,
            split: data.split,
            split_seed: data.split_seed,
            train: PartDescription::of(&split.train),
            test: PartDescription::of(&split.test),
        }
    }

    /// What a word counts for, in words.
    fn weight(&self) -> String {
        match self.weighting {
            Weighting::Tokens => "each word as often as it occurs".to_owned(),
            Weighting::Types => "each word once".to_owned(),
        }
    }
}

impl PartDescription {
    fn of(part: &Lexicon) -> Self {
        Self { types: part.types(), tokens: part.tokens() }
    }
}

impl Report {
    /// A report on what was found.
    pub(crate) fn new(context: &Context<'_>, metrics: Metrics) -> Self {
        let TrainedModel { config, model, provenance, .. } = context.model;
        Self {
            format_version: FORMAT_VERSION,
            wug_version: env!("CARGO_PKG_VERSION").to_owned(),
            model: ModelDescription {
                kind: model.config().kind,
                state: model.config().state,
                words_seen: provenance.words_seen,
                seed: config.train.seed,
                trained_on: provenance.lexicon.clone(),
                trained_on_sha256: provenance.lexicon_digest.clone(),
            },
            lexicon: context.words.clone(),
            settings: context.settings,
            metrics,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LexiconDescription { name, types, split, split_seed, train, test, .. } = &self.lexicon;
        let weight = self.lexicon.weight();
        let kind = self.model.kind.name();
        writeln!(f, "{kind}, d = {}, {} words seen in training", self.model.state, self.model.words_seen)?;
        writeln!(f, "{name}: {types} words, split by {split} (seed {split_seed}); {weight}")?;
        writeln!(f, "train: {} words, {} tokens", train.types, train.tokens)?;
        writeln!(f, "test:  {} words, {} tokens", test.types, test.tokens)?;
        self.metrics.tables().iter().try_for_each(|table| write!(f, "\n{table}"))
    }
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

    /// Adds a row; what does not exist or is not finite is shown as a dash.
    pub fn row<N: Into<Option<f64>>>(
        &mut self,
        name: impl Into<String>,
        numbers: impl IntoIterator<Item = N>,
    ) {
        let finite = |number: N| number.into().filter(|number| number.is_finite());
        self.rows.push((name.into(), numbers.into_iter().map(finite).collect()));
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
        table.row("Ĥ of a model", [12.345, f64::INFINITY]);
        table.row("another", [1.0, 100.0]);
        table.notes.push("a remark".into());
        let expected = "nats per word   train    test\n  Ĥ of a model  12.35       –\n  another        1.00  100.00\n  a remark\n";
        assert_eq!(table.to_string(), expected);
    }
}
