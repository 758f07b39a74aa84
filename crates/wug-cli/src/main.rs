//! The program around the command.

use std::process::ExitCode;

fn main() -> ExitCode {
    wug_cli::run(std::env::args_os()).into()
}
