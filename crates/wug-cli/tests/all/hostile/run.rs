//! Running the command with limits on its time, its memory and the patience of its reader.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Address space of a command, in KiB: enough for what is asked for in tests, little enough for a computer.
pub(crate) const MEMORY: u64 = 4_000_000;

/// What the reader of standard output takes before it leaves.
const TAKEN: u64 = 1 << 16;
/// The most of standard error that is looked at.
const LISTENED: u64 = 1 << 16;

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The exit code; none if a signal ended it.
    pub(crate) code: Option<i32>,
    /// Whether it was still at work at the deadline, and was killed.
    pub(crate) late: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Asserts that it ended with this code and a message with these parts, and did not panic.
    pub(crate) fn assert(&self, code: i32, parts: &[&str]) -> &Self {
        assert_eq!((self.code, self.late), (Some(code), false), "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        parts.iter().for_each(|part| assert!(self.stderr.contains(part), "`{part}` is not in {self:?}"));
        self
    }
}

/// Runs the command in a folder. `limits` are commands of a shell that come first, such as `ulimit -v 100000`.
pub(crate) fn run<S: AsRef<OsStr>>(
    folder: &Path,
    limits: &str,
    arguments: &[S],
    deadline: Duration,
) -> Ended {
    let mut child = Command::new("sh")
        .args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_wug"))
        .args(arguments)
        .current_dir(folder)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    // A command that does not read its input is no failure.
    let _ = child.stdin.take().expect("standard input").write_all(b"wug 3\nblick 2\n");
    let stdout = listen(child.stdout.take().expect("standard output"), TAKEN);
    let stderr = listen(child.stderr.take().expect("standard error"), LISTENED);
    let (code, late) = wait(&mut child, deadline);
    let text =
        |bytes: JoinHandle<Vec<u8>>| String::from_utf8_lossy(&bytes.join().expect("no panic")).into_owned();
    Ended { code, late, stdout: text(stdout), stderr: text(stderr) }
}

/// Reads so many bytes and closes the pipe.
fn listen(pipe: impl Read + Send + 'static, bytes: u64) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut taken = Vec::new();
        pipe.take(bytes).read_to_end(&mut taken).expect("a pipe can be read");
        taken
    })
}

fn wait(child: &mut Child, deadline: Duration) -> (Option<i32>, bool) {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the child is ours") {
            return (status.code(), false);
        }
        if begin.elapsed() > deadline {
            child.kill().expect("the child is ours");
            return (child.wait().expect("the child is ours").code(), true);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
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
pub(crate) fn place() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let names =
        ["ada", "alan", "barbara", "edsger", "grace", "john", "kurt", "noam", "ann", "bo", "cy", "dee"];
    let names = names.map(|name| format!("{name}\t20\n")).concat();
    std::fs::write(folder.path().join("names.txt"), names).expect("the folder can be written");
    let arguments = [&["train", "-o", "run"], &TRAIN[..]].concat();
    run(folder.path(), "true", &arguments, Duration::from_secs(60)).assert(0, &["done"]);
    folder
}
