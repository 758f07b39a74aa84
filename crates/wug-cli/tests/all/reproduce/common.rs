//! Reproductions of a test.

use std::fs;
use std::process::Command;

use crate::harness::{Ended, Place, end};

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

/// A folder with a list of words and a profile.
pub(crate) fn place() -> Place {
    let spell = |mut number: u32| {
        let mut word = String::from("a");
        while number > 0 {
            word.push(['a', 'b', 'c', 'd'][(number % 4) as usize]);
            number /= 4;
        }
        word
    };
    let words: String = (1..300).map(|i| format!("{}\t{}\n", spell(i), 3000 / i + 1)).collect();
    let place = Place::with("list.tsv", words);
    place.write("tiny.toml", PROFILE);
    place
}

/// Runs the command with the test's profile and settings, into `out`.
pub(crate) fn reproduce(place: &Place, out: &str, arguments: &[&str]) -> Ended {
    end(&mut command(place, out, arguments))
}

pub(crate) fn command(place: &Place, out: &str, arguments: &[&str]) -> Command {
    let mut command = place.command(&["reproduce", "--profile", "tiny.toml", "--out", out]);
    command.args(SETTINGS.iter().flat_map(|setting| ["--set", setting])).args(arguments);
    command
}

/// The three forms of the report in a folder.
pub(crate) fn report(place: &Place, out: &str) -> [String; 3] {
    ["html", "md", "json"].map(|extension| place.text(&format!("{out}/report.{extension}")))
}

/// The names of all results in a folder.
pub(crate) fn results(place: &Place, out: &str) -> Vec<String> {
    let entries = fs::read_dir(place.path(out).join("runs")).expect("runs");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let mut names: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".json")?.to_owned())).collect();
    names.sort();
    names
}
