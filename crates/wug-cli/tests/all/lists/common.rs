//! Runs the real binary.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `wug` with arguments and bytes on standard input.
pub(crate) fn wug(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wug"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The command may stop before it has read all.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

/// A file that comes with the tests.
pub(crate) fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// Asserts that a run failed with one line that holds all the parts, and without a panic or a result.
pub(crate) fn assert_fails(run: &Run, code: i32, parts: &[&str]) {
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    assert_eq!(run.stdout, "");
    assert_eq!(run.stderr.trim_end().lines().count(), 1, "{}", run.stderr);
    for part in parts {
        assert!(run.stderr.contains(part), "`{part}` is not in: {}", run.stderr);
    }
}
