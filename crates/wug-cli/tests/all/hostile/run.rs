//! Running the command with limits on its time, its memory and the patience of its reader.

use std::ffi::OsStr;
use std::process::Command;
use std::time::Duration;

use crate::harness::{Ended, Place, WUG, watch};

/// Address space of a command, in KiB: enough for what is asked for in tests, little enough for a computer.
pub(crate) const MEMORY: u64 = 4_000_000;

/// The bytes of standard output and of standard error that are read.
const READ: u64 = 1 << 16;

/// Runs the command in a folder. `limits` are commands of a shell that come first, such as `ulimit -v 100000`.
pub(crate) fn run<S: AsRef<OsStr>>(
    place: &Place,
    limits: &str,
    arguments: &[S],
    deadline: Duration,
) -> Ended {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")]).arg(WUG).args(arguments);
    command.current_dir(place.path("")).env("RUST_BACKTRACE", "0");
    watch(&mut command, b"wug 3\nblick 2\n", deadline, READ)
}

/// Arguments that train a small model on the names in no time.
pub(crate) const TRAIN: [&str; 15] = [
    "names.txt",
    "--words",
    "160",
    "--set=batch=16",
    "--set=state=2",
    "--set=generative.flow=2xtril",
    "--set=generative.hidden=[2]",
    "--set=inference.hidden=[2]",
    "--set=flow_hidden=[2]",
    "--set=embedding=2",
    "--set=encoder=2",
    "--set=particles=2",
    "--threads",
    "2",
    "--set=checkpoint_seconds=0",
];

/// A folder with a list of words and a run on them in `run`.
pub(crate) fn place() -> Place {
    let names =
        ["ada", "alan", "barbara", "edsger", "grace", "john", "kurt", "noam", "ann", "bo", "cy", "dee"];
    let place = Place::with("names.txt", names.map(|name| format!("{name}\t20\n")).concat());
    place.train(&[&["-o", "run"], &TRAIN[..]].concat()).tells(0, &["done"]);
    place
}
