//! The `wug` command: arguments, progress, tables, reports. No mathematics.

mod cli;
mod commands;
mod interrupt;
mod options;
mod output;
mod progress;
mod run_progress;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, DoneInPart, UsageError};

fn main() -> ExitCode {
    match commands::run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wug: {error:#}");
            let code = match () {
                () if error.is::<UsageError>() => 2,
                () if error.is::<DoneInPart>() => 3,
                () => 1,
            };
            ExitCode::from(code)
        }
    }
}
