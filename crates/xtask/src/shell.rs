//! Running programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Nothing, or what went wrong in words.
pub(crate) type Outcome = Result<(), String>;

/// The top folder of the checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of what is built.
pub(crate) fn target() -> PathBuf {
    let own = || std::path::absolute(root().join("target")).unwrap_or_else(|_| root().join("target"));
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(own, PathBuf::from)
}

/// The cargo that runs this.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a program to its end, which must be a good one.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let line = format!("{command:?}");
    eprintln!("$ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{line} ended with {status}")),
        Err(error) => Err(format!("{line} cannot be started: {error}")),
    }
}

/// Whether a program runs and ends well, without a sound.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
