//! Runs the real command in a folder, and asserts how it ended.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

pub(crate) const WUG: &str = env!("CARGO_BIN_EXE_wug");

/// A command that takes longer hangs.
pub(crate) const DEADLINE: Duration = Duration::from_secs(600);

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
    #[track_caller]
    pub(crate) fn tells(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!((self.code, self.late), (Some(code), false), "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` is not in: {}", self.stderr);
        }
        self
    }

    #[track_caller]
    pub(crate) fn succeeds(self) -> Self {
        self.tells(0, &[])
    }

    /// Asserts the same as [`Self::tells`], and that there is no result.
    #[track_caller]
    pub(crate) fn fails(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!(self.stdout, "", "{}", self.stderr);
        self.tells(code, parts)
    }

    /// Asserts the same as [`Self::fails`], and that one line says it.
    #[track_caller]
    pub(crate) fn fails_in_one_line(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!(self.stderr.trim_end().lines().count(), 1, "{}", self.stderr);
        self.fails(code, parts)
    }

    /// The lines of a run that succeeded and had nothing else to say.
    #[track_caller]
    pub(crate) fn words(self) -> Vec<String> {
        assert_eq!(self.stderr, "");
        self.succeeds().stdout.lines().map(str::to_owned).collect()
    }

    /// The result of a run that succeeded.
    #[track_caller]
    pub(crate) fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.succeeds().stdout).expect("JSON")
    }
}

/// A folder for one test.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let place = Self::new();
        place.write(name, content);
        place
    }

    /// A folder with a short list of words, `names.txt`.
    pub(crate) fn names() -> Self {
        Self::with("names.txt", "ada\nalan\nbarbara\nedsger\ngrace\njohn\nkurt\nnoam\n")
    }

    /// A folder with a small model of the most frequent English words, `english`. What it makes is passable.
    pub(crate) fn english() -> Self {
        static MODEL: OnceLock<Vec<u8>> = OnceLock::new();
        let train = || {
            let report = wug(&["lexicon", "--top", "12000", "--format", "json"]).json();
            let words = report["most_frequent"].as_array().expect("words").iter();
            let line = |word: &serde_json::Value| {
                format!("{}\t{}\n", word["word"].as_str().expect("a word"), word["count"])
            };
            let place = Self::with("list.tsv", words.map(line).collect::<String>());
            let settings = [
                "state=16",
                "generative.hidden=[32]",
                "choice_hidden=[32]",
                "dropout=0",
                "learning_rate=0.01",
            ];
            let settings = settings.iter().flat_map(|setting| ["--set", setting]);
            end(place.command(&["train", "list.tsv", "--words", "60k", "-o", "run"]).args(settings))
                .succeeds();
            place.read("run/model.safetensors")
        };
        Self::with("english", MODEL.get_or_init(train))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("the folder can be written");
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("UTF-8")
    }

    /// The command in this folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        command(self.0.path(), arguments)
    }

    pub(crate) fn wug(&self, arguments: &[&str]) -> Ended {
        end(&mut self.command(arguments))
    }

    /// Runs the command with this on standard input.
    pub(crate) fn feed(&self, arguments: &[&str], input: &[u8]) -> Ended {
        watch(&mut self.command(arguments), input, DEADLINE, u64::MAX)
    }

    pub(crate) fn train(&self, arguments: &[&str]) -> Ended {
        self.wug(&[&["train"], arguments].concat())
    }

    /// Trains a small model on the names, into `run`.
    pub(crate) fn train_names(&self, arguments: &[&str]) -> Ended {
        end(&mut self.names_command(arguments))
    }

    pub(crate) fn names_command(&self, arguments: &[&str]) -> Command {
        self.command(&[&["train", "names.txt", "-o", "run"], &SMALL[..], arguments].concat())
    }
}

/// The command in a folder, in an environment that says nothing about colours.
fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(WUG);
    without_wishes(command.args(arguments).current_dir(folder));
    command
}

/// Takes away what the surroundings of the tests say of colours.
pub(crate) fn without_wishes(command: &mut Command) {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
}

/// Runs the command where no file matters.
pub(crate) fn wug(arguments: &[&str]) -> Ended {
    feed(arguments, b"")
}

/// The same with this on standard input.
pub(crate) fn feed(arguments: &[&str], input: &[u8]) -> Ended {
    watch(&mut command(Path::new("."), arguments), input, DEADLINE, u64::MAX)
}

/// Runs a command to its end, without input.
pub(crate) fn end(command: &mut Command) -> Ended {
    watch(command, b"", DEADLINE, u64::MAX)
}

/// Runs a command until the deadline. What reads its output leaves after so many bytes.
pub(crate) fn watch(command: &mut Command, input: &[u8], deadline: Duration, most: u64) -> Ended {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("standard input");
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // The command may end before it has read all.
        scope.spawn(move || drop(stdin.write_all(input)));
        let stdout = scope.spawn(|| listen(stdout, most));
        let stderr = scope.spawn(|| listen(stderr, most));
        let (code, late) = wait(&mut child, deadline);
        let text = |listener: thread::ScopedJoinHandle<'_, String>| listener.join().expect("UTF-8");
        Ended { code, late, stdout: text(stdout), stderr: text(stderr) }
    })
}

/// Reads so many bytes and closes the pipe.
fn listen(pipe: Option<impl Read>, most: u64) -> String {
    let mut taken = Vec::new();
    pipe.expect("a pipe").take(most).read_to_end(&mut taken).expect("a pipe can be read");
    // The last letter may be cut.
    if taken.len() as u64 == most {
        String::from_utf8_lossy(&taken).into_owned()
    } else {
        String::from_utf8(taken).expect("UTF-8")
    }
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
        thread::sleep(Duration::from_millis(2));
    }
}
