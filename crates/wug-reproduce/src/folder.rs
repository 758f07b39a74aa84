//! The folder of a reproduction: runs, their results, and the report.
//!
//! | file | content |
//! |---|---|
//! | `runs/NAME/` | the training run, as `wug train` leaves it |
//! | `runs/NAME.json` | what came out of it |
//! | `report.html`, `report.md`, `report.json` | the report on all results in the folder |
//! | `runs.tsv` | all runs with the time they took |

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Effort, Error, PlannedRun, Result, RunResult, row};

/// The folder of a reproduction.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder at a path; it need not be there.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Makes the folder if it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(&self) -> Result<()> {
        let runs = self.runs();
        fs::create_dir_all(&runs).map_err(|source| Error::io("cannot make", &runs, source))
    }

    /// Where runs are trained, and where their results lie.
    pub fn runs(&self) -> PathBuf {
        self.path.join("runs")
    }

    /// Where a run is trained.
    pub fn run(&self, name: &str) -> PathBuf {
        self.runs().join(name)
    }

    /// Where a file of this name lies.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// All results there are.
    ///
    /// # Errors
    /// When one cannot be read or belongs to no row.
    pub fn load(&self) -> Result<Vec<RunResult>> {
        if !self.runs().exists() {
            return Ok(Vec::new());
        }
        let results = RunResult::load_all(&self.runs())?;
        match results.iter().find(|result| row(&result.row).is_none()) {
            Some(result) => Err(Error::UnknownRow { path: self.path_of(result), row: result.row.clone() }),
            None => Ok(results),
        }
    }

    /// The runs that have no result yet.
    ///
    /// # Errors
    /// When a result cannot be read, or was made with other settings.
    pub fn missing(&self, runs: Vec<PlannedRun>, effort: Effort) -> Result<Vec<PlannedRun>> {
        let results = self.load()?;
        let mut missing = Vec::new();
        for run in runs {
            let Some(result) = results.iter().find(|result| result.name() == run.name()) else {
                missing.push(run);
                continue;
            };
            let what = if result.config != run.config {
                "configuration"
            } else if result.effort != effort {
                "evaluation"
            } else {
                continue;
            };
            return Err(Error::OtherSettings { path: self.path_of(result), done: "made", what });
        }
        Ok(missing)
    }

    /// Takes over the results of other folders; returns how many are new.
    ///
    /// # Errors
    /// When a result cannot be read or written, or two results of one run differ. Then nothing is taken over.
    pub fn merge(&self, others: &[Self]) -> Result<usize> {
        let mut all: Vec<(String, RunResult)> = Vec::new();
        for folder in std::iter::once(self).chain(others) {
            for result in folder.load()? {
                let path = folder.path_of(&result);
                match all.iter().find(|(_, own)| own.name() == result.name()) {
                    None => all.push((path, result)),
                    Some((_, own)) if own.agrees_with(&result) => {}
                    Some((own, _)) => return Err(Error::Conflict(own.clone(), path)),
                }
            }
        }
        let own: BTreeSet<String> = self.load()?.iter().map(RunResult::name).collect();
        self.create()?;
        let new: Vec<&RunResult> =
            all.iter().map(|(_, result)| result).filter(|result| !own.contains(&result.name())).collect();
        for result in &new {
            result.save(&self.runs())?;
        }
        Ok(new.len())
    }

    fn path_of(&self, result: &RunResult) -> String {
        self.runs().join(format!("{}.json", result.name())).display().to_string()
    }
}
