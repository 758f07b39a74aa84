//! One file for each command.

pub(crate) mod count;
pub(crate) mod eval;
pub(crate) mod lexicon;
pub(crate) mod ngram;
pub(crate) mod reproduce;
pub(crate) mod train;

use crate::cli::{Cli, Command};

/// Runs the command.
pub(crate) fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Command::Count(arguments) => count::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Lexicon(arguments) => lexicon::run(&arguments),
        Command::Ngram(arguments) => ngram::run(&arguments),
        Command::Reproduce(arguments) => reproduce::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
    }
}
