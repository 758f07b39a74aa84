//! The small file that a finished run leaves: everything that reports are made of.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wug::evaluate::Metrics;
use wug::{AtomicFile, Config, read_bounded};

use crate::{Effort, Error, Result, run_name};

/// The form of result files.
const FORMAT_VERSION: u32 = 1;

/// The largest file that is read.
const MAX_BYTES: u64 = 1 << 26;

/// What came out of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// The form of the file.
    pub format_version: u32,
    /// Version of the software.
    pub wug_version: String,
    /// The row.
    pub row: String,
    /// The seed.
    pub seed: u64,
    /// Words seen in training.
    pub words_seen: u64,
    /// How long it took; the only part that differs from one time to the next.
    pub seconds: Seconds,
    /// The words.
    pub lexicon: LexiconFacts,
    /// The complete configuration.
    pub config: Config,
    /// How hard it was measured.
    pub effort: Effort,
    /// What was measured, or how training failed.
    pub outcome: RunOutcome,
    /// Reports during training.
    pub history: Vec<Moment>,
}

/// Which words were used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LexiconFacts {
    /// Hash of the words and their counts.
    pub sha256: String,
    /// Distinct words.
    pub types: usize,
    /// Occurrences.
    pub tokens: u64,
}

/// Wall time in seconds, of all times that the run was taken up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// Training.
    pub training: f64,
    /// Evaluation.
    pub evaluation: f64,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunOutcome {
    /// The model was measured.
    Measured(Box<Findings>),
    /// A number became NaN or infinite again and again: the message says which.
    Diverged(String),
}

/// What is known of a trained model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// The metrics.
    pub metrics: Metrics,
    /// Words of the model.
    pub samples: Vec<Sample>,
}

/// A word that a model made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The word.
    pub word: String,
    /// Whether it is known.
    pub known: Known,
}

/// Where a generated word occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// In the training part.
    Train,
    /// In the test part alone.
    Test,
    /// Nowhere.
    New,
}

/// A report during training.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Words seen.
    pub words: u64,
    /// Mean bound since the report before, in nats per word.
    pub bound: f64,
    /// `Ī` in bits; none for the baseline.
    pub information: Option<f64>,
    /// `H[w_t | h_t]` in bits; none for the baseline.
    pub symbol_entropy: Option<f64>,
}

impl RunResult {
    /// A result of this version of the software.
    pub fn new(row: &str, config: Config, effort: Effort, outcome: RunOutcome) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            wug_version: env!("CARGO_PKG_VERSION").to_owned(),
            row: row.to_owned(),
            seed: config.train.seed,
            words_seen: 0,
            seconds: Seconds { training: 0.0, evaluation: 0.0 },
            lexicon: LexiconFacts::default(),
            config,
            effort,
            outcome,
            history: Vec::new(),
        }
    }

    /// The run's name.
    pub fn name(&self) -> String {
        run_name(&self.row, self.seed)
    }

    /// What was measured, unless the run diverged.
    pub fn findings(&self) -> Option<&Findings> {
        match &self.outcome {
            RunOutcome::Measured(findings) => Some(findings),
            RunOutcome::Diverged(_) => None,
        }
    }

    /// Whether two results are the same but for the time they took.
    pub fn agrees_with(&self, other: &Self) -> bool {
        Self { seconds: other.seconds, ..self.clone() } == *other
    }

    /// Reads a result.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or does not bear the name of its run.
    pub fn load(path: &Path) -> Result<Self> {
        let bytes = read_bounded(path, MAX_BYTES).map_err(|source| Error::io("cannot read", path, source))?;
        Self::from_bytes(&bytes, path)
    }

    /// Reads a result from the content of a file, whose name must be that of the run.
    ///
    /// # Errors
    /// When the content is damaged, or of another run.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let content = |problem: String| Error::Content { path: path.display().to_string(), problem };
        let result: Self = serde_json::from_slice(bytes).map_err(|error| content(error.to_string()))?;
        if result.format_version != FORMAT_VERSION {
            let found = result.format_version;
            return Err(content(format!("format {found}, expected {FORMAT_VERSION}")));
        }
        if path.file_stem().and_then(|stem| stem.to_str()) != Some(result.name().as_str()) {
            return Err(content(format!("it holds the run {}", result.name())));
        }
        Ok(result)
    }

    /// Writes the result into a folder, whole or not at all.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let path = folder.join(format!("{}.json", self.name()));
        let write = || -> std::io::Result<()> {
            let mut file = AtomicFile::create(&path)?;
            serde_json::to_writer_pretty(&mut file, self)?;
            writeln!(file)?;
            file.commit()
        };
        write().map_err(|source| Error::io("cannot write", &path, source))
    }

    /// All results of a folder, by the names of their files.
    ///
    /// # Errors
    /// When the folder or a file of it cannot be read.
    pub fn load_all(folder: &Path) -> Result<Vec<Self>> {
        let entries = fs::read_dir(folder).map_err(|source| Error::io("cannot read", folder, source))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        paths.iter().map(|path| Self::load(path)).collect()
    }
}
