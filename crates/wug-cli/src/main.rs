//! The program around the command.

use std::process::ExitCode;

#[global_allocator]
static MEMORY: wug_cli::Memory = wug_cli::Memory;

fn main() -> ExitCode {
    wug_cli::run(std::env::args_os()).into()
}
