//! One error for the whole crate.

use std::path::Path;

use thiserror::Error;

/// What the crate's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a reproduction cannot be planned, run or reported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Training, evaluation or generation failed, or a setting is wrong.
    #[error(transparent)]
    Wug(#[from] wug::Error),
    /// The system refused a file or a folder.
    #[error("{action} {path}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// A name that means nothing.
    #[error(
        "there is no `{name}`{}; expected table1, table2, table3, figure1, figure2, beyond, a row such as tril-k5, or a run \
         of it such as tril-k5-s1",
        suggestion.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
    )]
    UnknownName {
        /// What was found.
        name: String,
        /// The nearest name of a table, figure or row.
        suggestion: Option<&'static str>,
    },
    /// The seed is what distinguishes a row's runs.
    #[error("train.seed is different for every run; give the number of seeds instead")]
    Seed,
    /// A profile is not TOML, or has a key or value that does not belong there.
    #[error("{0}")]
    Profile(#[from] toml::de::Error),
    /// Nothing would be done.
    #[error("`{0} = 0`: expected at least 1")]
    Zero(&'static str),
    /// A file is damaged or something else.
    #[error("{path} is not a result of `wug reproduce`: {problem}; remove it and the run will be done again")]
    Content {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// A result was made, or a run begun, with other settings.
    #[error(
        "{path} was {done} with other settings ({what}): repeat the command with the settings that it was {done} with, or \
         choose another folder"
    )]
    OtherSettings {
        /// The result or the run.
        path: String,
        /// What happened to it.
        done: &'static str,
        /// What differs.
        what: &'static str,
    },
    /// A result of a row that does not exist.
    #[error("{path} is a result of `{row}`, which is no row of this version")]
    UnknownRow {
        /// The file.
        path: String,
        /// The row.
        row: String,
    },
    /// Two results of one run.
    #[error(
        "{0} and {1} are results of the same run but differ: they were made with different settings or versions"
    )]
    Conflict(String, String),
    /// A run failed.
    #[error("{run}")]
    RunFailed {
        /// Its name.
        run: String,
        /// Why.
        source: Box<Error>,
    },
}

impl Error {
    pub(crate) fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.display().to_string(), source }
    }
}
