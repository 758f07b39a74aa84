//! The folder of a run: who may write to it, its configuration and its metrics.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Report, RunError};
use crate::model_file::read_model_file;
use crate::{AtomicFile, Config, EncodeError, ModelFileError, read_bounded, read_text};

const CONFIG: &str = "config.toml";
const METRICS: &str = "metrics.jsonl";
const LOCK: &str = ".lock";
/// The state of a run.
pub(super) const CHECKPOINT: &str = "checkpoint.safetensors";
/// The model of a run.
const MODEL: &str = "model.safetensors";

/// The most bytes of its texts.
const MAX_TEXT: u64 = 1 << 24;

/// A folder that this process alone writes to. The system gives the lock back when the process ends, however it
/// ends; the empty lock file stays.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Refuses a folder with files that a new run would overwrite, and one that was made for something else. A run that was killed before its first
    /// checkpoint has left at most its configuration and no metrics: it may begin again.
    pub(super) fn check_free(path: &Path, config: &Config) -> Result<(), RunError> {
        let other = |name: &str, own: &[u8]| {
            let path = path.join(name);
            fs::symlink_metadata(&path).is_ok() && read_bounded(&path, MAX_TEXT).ok().as_deref() != Some(own)
        };
        let taken = path.join(CHECKPOINT).exists()
            || path.join(MODEL).exists()
            || other(CONFIG, config.to_toml().as_bytes())
            || other(METRICS, b"");
        if taken {
            return Err(RunError::Occupied(path.display().to_string()));
        }
        let own = |name: &str| [CONFIG, METRICS, LOCK].contains(&name) || is_partial(name);
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        match names.find(|name| !own(name)) {
            Some(file) => Err(RunError::ForeignFiles { folder: path.display().to_string(), file }),
            None => Ok(()),
        }
    }

    /// Makes the folder of a new run.
    pub(super) fn create(path: &Path, config: &Config) -> Result<Self, RunError> {
        fs::create_dir_all(path).map_err(|source| write_error(path, source))?;
        let folder = Self::lock(path)?;
        Self::check_free(path, config)?;
        folder.write_config(config)?;
        write_whole(&path.join(METRICS), b"")?;
        Ok(folder)
    }

    /// Takes the folder of a run that is to go on.
    pub(super) fn open(path: &Path) -> Result<Self, RunError> {
        let folder = Self::lock(path)?;
        folder.remove_partial_files();
        Ok(folder)
    }

    fn lock(path: &Path) -> Result<Self, RunError> {
        let name = path.join(LOCK);
        let file = File::options().create(true).truncate(false).write(true).open(&name);
        let file = file.map_err(|source| write_error(&name, source))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunError::Busy(path.display().to_string())),
            // Some network drives have no locks: there the user must take care.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(source)) => return Err(write_error(&name, source)),
        }
        Ok(Self { path: path.to_owned(), _lock: file })
    }

    /// Removes what a killed process was writing. Nothing depends on it, so failures do not matter.
    fn remove_partial_files(&self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if is_partial(&name) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The configuration of the run in a folder.
    pub(super) fn config(path: &Path) -> Result<Config, RunError> {
        if !path.join(CHECKPOINT).exists() {
            return Err(RunError::NothingToResume(path.display().to_string()));
        }
        let path = path.join(CONFIG);
        let text = read_text(&path, MAX_TEXT).map_err(|source| read_error(&path, source))?;
        Config::from_toml(&text)
            .map_err(|source| RunError::Config { path: path.display().to_string(), source })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where the model is.
    pub(super) fn model(&self) -> PathBuf {
        self.path.join(MODEL)
    }

    pub(super) fn write_config(&self, config: &Config) -> Result<(), RunError> {
        write_whole(&self.path.join(CONFIG), config.to_toml().as_bytes())
    }

    pub(super) fn write_checkpoint(&self, content: Result<Vec<u8>, EncodeError>) -> Result<(), RunError> {
        let path = self.path.join(CHECKPOINT);
        let content = content.map_err(|error| write_error(&path, io::Error::other(error)))?;
        write_whole(&path, &content)
    }

    /// The content of the checkpoint, and the file's name for messages.
    pub(super) fn read_checkpoint(&self) -> Result<(Vec<u8>, String), ModelFileError> {
        let path = self.path.join(CHECKPOINT);
        Ok((read_model_file(&path)?, path.display().to_string()))
    }

    /// Writes a line of metrics.
    pub(super) fn add_metrics(&self, report: &Report, seconds: f64) -> Result<(), RunError> {
        #[derive(Serialize)]
        struct Line<'a> {
            #[serde(flatten)]
            report: &'a Report,
            seconds: f64,
        }
        let path = self.path.join(METRICS);
        let line = serde_json::to_string(&Line { report, seconds });
        let line = line.map_err(|error| write_error(&path, error.into()))? + "\n";
        let file = File::options().append(true).create(true).open(&path);
        file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|source| write_error(&path, source))
    }

    /// Drops the lines of metrics after a step, and one that was not finished.
    pub(super) fn keep_metrics(&self, last_step: u64) -> Result<(), RunError> {
        let path = self.path.join(METRICS);
        let text = match read_text(&path, MAX_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(|source| read_error(&path, source))?,
        };
        let step = |line: &str| serde_json::from_str::<serde_json::Value>(line).ok()?["step"].as_u64();
        let kept: String = text
            .lines()
            .filter(|line| step(line).is_some_and(|step| step <= last_step))
            .flat_map(|line| [line, "\n"])
            .collect();
        if kept == text { Ok(()) } else { write_whole(&path, kept.as_bytes()) }
    }
}

/// Whether a file is one of a run's that was not finished.
fn is_partial(name: &str) -> bool {
    let files = [CONFIG, METRICS, CHECKPOINT, MODEL];
    let begins = |file: &&str| name.strip_prefix('.').is_some_and(|rest| rest.starts_with(file));
    name.ends_with(".partial") && files.iter().any(begins)
}

fn read_error(path: &Path, source: io::Error) -> RunError {
    RunError::Io { action: "cannot read", path: path.display().to_string(), source }
}

fn write_error(path: &Path, source: io::Error) -> RunError {
    RunError::Io { action: "cannot write", path: path.display().to_string(), source }
}

fn write_whole(path: &Path, content: &[u8]) -> Result<(), RunError> {
    let write = || -> io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(content)?;
        file.commit()
    };
    write().map_err(|source| write_error(path, source))
}
