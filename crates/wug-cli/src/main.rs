//! The `wug` command: arguments, progress, tables, reports. No mathematics.

mod cli;
mod columns;
mod commands;
mod interrupt;
mod memory;
mod messages;
mod options;
mod output;
mod progress;
mod run_progress;
mod table;
mod words;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Partial, UsageError};

#[global_allocator]
static MEMORY: memory::Memory = memory::Memory;

fn main() -> ExitCode {
    messages::settle_colours();
    match commands::run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            messages::error(format_args!("{error:#}"));
            ExitCode::from(match () {
                () if error.is::<UsageError>() => 2,
                () if error.is::<Partial>() => 3,
                () => 1,
            })
        }
    }
}
