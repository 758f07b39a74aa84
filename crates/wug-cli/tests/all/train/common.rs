//! Running the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Settings of a model that trains in a moment.
pub(crate) const SMALL: [&str; 12] = [
    "--set",
    "generative.hidden=[4]",
    "--set",
    "choice_hidden=[4]",
    "--set",
    "inference.hidden=[4]",
    "--set",
    "flow_hidden=[4]",
    "--set",
    "state=3",
    "--set",
    "particles=2",
];

pub(crate) fn wug() -> Command {
    Command::new(env!("CARGO_BIN_EXE_wug"))
}

/// A folder for one test, with a short list of words.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Self { folder };
        place.write("names.txt", "ada\nalan\nbarbara\nedsger\ngrace\njohn\nkurt\nnoam\n");
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("the folder can be written");
    }

    /// The command `wug train` in this folder.
    pub(crate) fn train(&self, arguments: &[&str]) -> Command {
        let mut command = wug();
        command.current_dir(self.folder.path()).arg("train").args(arguments);
        command
    }

    /// A small model on the names, into `run`.
    pub(crate) fn train_names(&self, arguments: &[&str]) -> Command {
        let mut command = self.train(&["names.txt", "-o", "run"]);
        command.args(SMALL).args(arguments);
        command
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// Runs to the end: exit code, standard output, standard error.
pub(crate) fn finish(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

/// Runs a command that must succeed.
pub(crate) fn succeed(command: &mut Command) -> (String, String) {
    let (code, stdout, stderr) = finish(command);
    assert_eq!(code, Some(0), "{stderr}");
    (stdout, stderr)
}

/// Asserts that all files of a run can be read.
pub(crate) fn assert_whole(folder: &Path) {
    wug::train::Run::resume(folder, 1).expect("a whole checkpoint");
    let model = folder.join("model.safetensors");
    if model.exists() {
        wug::TrainedModel::load(&model).expect("a whole model");
    }
}
