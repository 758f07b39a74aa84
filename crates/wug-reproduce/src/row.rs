//! One row of the tables: what is run, where it stands, and what the paper found.

use serde::Deserialize;
use thiserror::Error;
use wug::lexicon::SplitKind;
use wug::model::Model;
use wug::{Config, UnknownName};

use crate::Figure;

/// Letters a to z and the end.
pub(crate) const SYMBOLS: usize = 27;

/// A row of the tables. What stands in two tables is one row.
#[derive(Debug, Clone)]
pub struct RowSpec {
    /// Its name.
    pub name: String,
    /// What it is called in reports.
    pub label: String,
    /// What makes it.
    pub subject: Subject,
    /// Figures of the paper that show its runs.
    pub figures: Vec<u8>,
    /// Where it stands in Table 1.
    pub table1: Option<Table1Row>,
    /// Where it stands in Table 2.
    pub table2: Option<Table2Row>,
    /// Where it stands in Table 3.
    pub table3: Option<Table3Cell>,
    /// Whether it stands in the tables of what the paper does not have.
    pub beyond: bool,
}

/// What makes a row.
#[derive(Debug, Clone)]
pub enum Subject {
    /// Models that are trained.
    Trained {
        /// Runs with different seeds, unless a profile has a number of its own.
        runs: u64,
        /// A preset, split as the row asks for.
        config: Box<Config>,
    },
    /// Words drawn from the data. It needs no run of its own: every evaluation measures both oracles.
    Oracle(Oracle),
}

/// Words drawn from a part of the data.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oracle {
    /// Which part.
    pub part: Part,
    /// The row whose evaluation tells its figures.
    pub measured_with: String,
}

/// A part of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The training part.
    Train,
    /// The test part.
    Test,
}

/// The paper's figures in a row of Table 1.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table1Row {
    /// Its number from the top.
    pub row: u8,
    /// `H[P_train, P̂]`, nats per word.
    pub train: Figure,
    /// `H[P_test, P̂]`, nats per word.
    pub test: Figure,
    /// `w ∈ V unique`.
    pub in_vocabulary_unique: Figure,
    /// `w ∈ V`.
    pub in_vocabulary: Figure,
    /// `Ī` in bits.
    pub information: Option<Figure>,
}

/// The paper's figures in a row of Table 2.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table2Row {
    /// Its number from the top.
    pub row: u8,
    /// `H[P_train, P̂]`, nats per word.
    pub train: Option<Figure>,
    /// `H[P_test, P̂]`, nats per word.
    pub test: Option<Figure>,
    /// `P_2 … P_5` under n-grams from train+test.
    pub train_and_test_perplexity: [f64; 4],
    /// `P_2 … P_5` under n-grams from test.
    pub test_perplexity: [f64; 4],
}

/// The paper's figures in a cell of Table 3.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table3Cell {
    /// `H[P_test, P̂]`, nats per word.
    pub test: Option<Figure>,
    /// `Ī` in bits.
    pub information: Option<Figure>,
    /// Whether the paper prints a bar, for training that was not stable.
    #[serde(default)]
    pub unstable: bool,
}

/// A row as `rows.toml` has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    label: String,
    preset: Option<String>,
    split: Option<SplitKind>,
    runs: Option<u64>,
    oracle: Option<Oracle>,
    #[serde(default)]
    figures: Vec<u8>,
    table1: Option<Table1Row>,
    table2: Option<Table2Row>,
    table3: Option<Table3Cell>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    row: Vec<Entry>,
    beyond: Beyond,
}

/// What the paper does not have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Beyond {
    rows: Vec<Entry>,
    /// Rows of the paper that stand in the same tables.
    beside: Vec<String>,
}

/// Why a document has no rows.
#[derive(Debug, Error)]
pub(crate) enum RowError {
    /// It is not TOML, or has a key or value that does not belong there.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// There is no such configuration.
    #[error("`{row}`: {source}")]
    Preset {
        /// The row.
        row: String,
        /// What is wrong.
        source: UnknownName,
    },
    /// It has neither or both of `oracle` and `runs`.
    #[error("`{0}`: expected either `oracle` or `runs`")]
    Subject(String),
}

impl RowSpec {
    /// Reads rows.
    ///
    /// # Errors
    /// When the document is not of the form of `rows.toml`.
    pub(crate) fn from_toml(text: &str) -> Result<Vec<Self>, RowError> {
        let Document { row, beyond: Beyond { rows, beside } } = toml::from_str(text)?;
        let of_the_paper = row.into_iter().map(|entry| {
            let beyond = beside.contains(&entry.name);
            Self::new(entry, beyond)
        });
        let others = rows.into_iter().map(|entry| Self::new(entry, true));
        of_the_paper.chain(others).collect()
    }

    fn new(entry: Entry, beyond: bool) -> Result<Self, RowError> {
        let Entry { name, label, figures, table1, table2, table3, .. } = entry;
        let subject = match (entry.oracle, entry.runs) {
            (Some(oracle), None) => Subject::Oracle(oracle),
            (None, Some(runs)) => {
                let preset = entry.preset.as_ref().unwrap_or(&name);
                let mut config = Config::preset(preset)
                    .map_err(|source| RowError::Preset { row: name.clone(), source })?;
                config.data.split = entry.split.unwrap_or(config.data.split);
                Subject::Trained { runs, config: Box::new(config) }
            }
            _ => return Err(RowError::Subject(name)),
        };
        Ok(Self { name, label, subject, figures, table1, table2, table3, beyond })
    }

    /// The configuration, if it is trained.
    pub fn config(&self) -> Option<&Config> {
        match &self.subject {
            Subject::Trained { config, .. } => Some(config),
            Subject::Oracle(_) => None,
        }
    }

    /// How many numbers are trained, if it is trained on words of the letters a to z.
    pub fn parameters(&self) -> Option<usize> {
        // A configuration that passed its check makes a model.
        Some(Model::new(&self.config()?.model, SYMBOLS).ok()?.params().len())
    }

    /// Whether the likelihood that is trained is exact: the choice flow, its teacher-forced counterpart and GRUs.
    pub fn is_exact(&self) -> bool {
        let model = self.config().and_then(|config| Model::new(&config.model, SYMBOLS).ok());
        model.is_some_and(|model| model.is_exact())
    }

    /// Whether whole words are held out.
    pub fn splits_types(&self) -> bool {
        self.config().is_some_and(|config| config.data.split == SplitKind::Types)
    }

    /// F_g and F_q of a cell of Table 3.
    pub fn flows(&self) -> Option<[String; 2]> {
        self.table3.as_ref()?;
        let model = &self.config()?.model;
        Some([model.generative.flow.to_string(), model.inference.flow.into()])
    }

    /// Whether its symbols are independent of each other, because F_g does not see the state.
    pub fn has_independent_symbols(&self) -> bool {
        self.flows().is_some_and(|[generative, _]| generative == "id")
    }

    /// Whether it stands in the table or figure of this name: `table1`, `figure2`, `beyond`.
    pub fn is_in(&self, name: &str) -> bool {
        match name {
            "table1" => self.table1.is_some(),
            "table2" => self.table2.is_some(),
            "table3" => self.table3.is_some(),
            "beyond" => self.beyond,
            "figure1" => self.figures.contains(&1),
            "figure2" => self.figures.contains(&2),
            _ => false,
        }
    }
}
