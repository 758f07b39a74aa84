//! One row of the tables: what is run, where it stands, and what the paper found.

use serde::Deserialize;
use thiserror::Error;
use wug::{Config, DocumentError};

use crate::Figure;

/// A row of the tables. A row that stands in two tables is one experiment.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The name of its file.
    pub name: &'static str,
    /// What the row is called in reports.
    pub label: String,
    /// What makes the row.
    pub subject: Subject,
    /// Figures of the paper that show its runs.
    pub figures: Vec<u8>,
    /// Where it stands in Table 1.
    pub table1: Option<Table1Row>,
    /// Where it stands in Table 2.
    pub table2: Option<Table2Row>,
    /// Where it stands in Table 3.
    pub table3: Option<Table3Cell>,
    /// Its number from the top in the table of what the paper does not have.
    pub beyond: Option<u8>,
}

/// What makes a row.
#[derive(Debug, Clone)]
pub enum Subject {
    /// Models that are trained.
    Trained {
        /// Runs with different seeds in the full profile.
        runs: u64,
        /// What the paper fixes; everything else has its default.
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
    /// The experiment whose evaluation tells its figures.
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
    /// F_g.
    pub generative: String,
    /// F_q.
    pub inference: String,
    /// `H[P_test, P̂]`, nats per word.
    pub test: Option<Figure>,
    /// `Ī` in bits.
    pub information: Option<Figure>,
    /// Whether the paper prints a bar, for training that was not stable.
    #[serde(default)]
    pub unstable: bool,
}

/// An experiment as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    label: String,
    runs: Option<u64>,
    #[serde(default)]
    figures: Vec<u8>,
    oracle: Option<Oracle>,
    config: Option<toml::Table>,
    table1: Option<Table1Row>,
    table2: Option<Table2Row>,
    table3: Option<Table3Cell>,
    beyond: Option<u8>,
}

/// Why a file is no experiment.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// It is not TOML, or has a key or value that does not belong there.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// Its configuration is wrong.
    #[error("[config]: {0}")]
    Config(#[from] DocumentError),
    /// It has neither or both of `oracle` and `config`.
    #[error("expected either `oracle`, or `runs` and [config]")]
    Subject,
}

impl Experiment {
    /// Reads an experiment's file.
    ///
    /// # Errors
    /// When it is not of the form that `docs/reproduce.md` describes.
    pub fn from_toml(name: &'static str, text: &str) -> Result<Self, ExperimentError> {
        let document: Document = toml::from_str(text)?;
        let subject = match (document.oracle, document.runs, document.config) {
            (Some(oracle), None, None) => Subject::Oracle(oracle),
            (None, Some(runs), Some(config)) => {
                Subject::Trained { runs, config: Box::new(Config::from_toml(&config.to_string())?) }
            }
            _ => return Err(ExperimentError::Subject),
        };
        let Document { label, figures, table1, table2, table3, beyond, .. } = document;
        Ok(Self { name, label, subject, figures, table1, table2, table3, beyond })
    }

    /// The configuration, if it is trained.
    pub fn config(&self) -> Option<&Config> {
        match &self.subject {
            Subject::Trained { config, .. } => Some(config),
            Subject::Oracle(_) => None,
        }
    }

    /// Whether its symbols are independent of each other, because F_g does not see the state.
    pub fn has_independent_symbols(&self) -> bool {
        self.table3.as_ref().is_some_and(|cell| cell.generative == "id")
    }

    /// Whether it stands in the table or figure of this name: `table1`, `figure2`, `beyond`.
    pub fn is_in(&self, name: &str) -> bool {
        match name {
            "table1" => self.table1.is_some(),
            "table2" => self.table2.is_some(),
            "table3" => self.table3.is_some(),
            "beyond" => self.beyond.is_some(),
            "figure1" => self.figures.contains(&1),
            "figure2" => self.figures.contains(&2),
            _ => false,
        }
    }
}
