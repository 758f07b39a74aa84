//! The `wug` command: arguments, progress, tables, reports. No mathematics.

mod cli;
mod commands;
mod constraints;
mod interrupt;
mod match_table;
mod messages;
mod options;
mod output;
mod progress;
mod report;
#[cfg(feature = "reproduce")]
mod run_progress;
mod table;
mod words;

use std::ffi::OsString;

use clap::Parser;

use cli::{Cli, Partial, UsageError};

/// Runs the command with its arguments, of which the first is the program's name. Returns the exit code: 0 done, 1 failed, 2 wrong
/// usage, 3 done in part.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    messages::settle_colours();
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help that has no reader is lost.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    match commands::run(cli) {
        Ok(()) => 0,
        Err(error) => {
            messages::error(format_args!("{error:#}"));
            match () {
                () if error.is::<UsageError>() => 2,
                () if error.is::<Partial>() => 3,
                () => 1,
            }
        }
    }
}
