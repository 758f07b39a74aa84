//! Running the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How long and how hard a test tries.
const PROFILE: &str = "seeds = 2
words = 2_000

[evaluation]
trajectories = 300
particles = 8
draws = 50
";

/// Settings that make all models small and keep to the test's list. The sizes of states stay as they are.
const SETTINGS: [&str; 7] = [
    "data.lexicon=list.tsv",
    "data.min_count=1",
    "generative.hidden=[4]",
    "inference.hidden=[4]",
    "flow_hidden=[4]",
    "batch=16",
    "warmup_steps=10",
];

/// Rows of all tables and figures.
pub(crate) const SOME: [&str; 5] = ["tril", "gru-8d", "id-id", "types-gru-8d", "2xtril-k10"];
/// Rows that are measured fast, for tests that run them several times.
pub(crate) const FEW: [&str; 3] = ["tril", "gru-8d", "types-gru-8d"];

/// A folder for one test, with a list of words and a profile.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let spell = |mut number: u32| {
            let mut word = String::from("a");
            while number > 0 {
                word.push(['a', 'b', 'c', 'd'][(number % 4) as usize]);
                number /= 4;
            }
            word
        };
        let words: String = (1..300).map(|i| format!("{}\t{}\n", spell(i), 3000 / i + 1)).collect();
        fs::write(folder.path().join("list.tsv"), words).expect("the folder can be written");
        fs::write(folder.path().join("tiny.toml"), PROFILE).expect("the folder can be written");
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command with the test's profile and settings, into `out`.
    pub(crate) fn reproduce(&self, out: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wug"));
        command.current_dir(self.folder.path());
        command.args(["reproduce", "--profile", "tiny.toml", "--out", out]);
        command.args(SETTINGS.iter().flat_map(|setting| ["--set", setting])).args(arguments);
        command
    }

    /// The three forms of the report in a folder.
    pub(crate) fn report(&self, out: &str) -> [String; 3] {
        ["html", "md", "json"].map(|extension| {
            let path = self.path(out).join(format!("report.{extension}"));
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        })
    }

    /// The names of all results in a folder.
    pub(crate) fn results(&self, out: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(out).join("runs")).expect("runs");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let results = paths.filter(|path| path.extension().is_some_and(|own| own == "json"));
        let mut names: Vec<String> = results.map(|path| stem(&path)).collect();
        names.sort();
        names
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned()
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
