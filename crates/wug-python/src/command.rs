//! The command `wug`, which comes with the package.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command with its arguments, of which the first is the program's name, and returns the exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| wug_cli::run(arguments))
}
