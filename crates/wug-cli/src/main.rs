//! The `wug` command: arguments, progress, tables, reports. No mathematics.

mod cli;
mod commands;
mod options;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, UsageError};

fn main() -> ExitCode {
    match commands::run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wug: {error:#}");
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}
