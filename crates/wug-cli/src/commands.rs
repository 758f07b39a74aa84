//! One file for each command.

pub(crate) mod between;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod eval;
pub(crate) mod languages;
pub(crate) mod lexicon;
pub(crate) mod man;
pub(crate) mod match_list;
pub(crate) mod name;
pub(crate) mod ngram;
pub(crate) mod noise;
#[cfg(feature = "reproduce")]
pub(crate) mod reproduce;
pub(crate) mod sample;
pub(crate) mod score;
pub(crate) mod train;
mod train_grid;

use crate::cli::{Cli, Command, UsageError};

/// Runs the command.
pub(crate) fn run(cli: Cli) -> anyhow::Result<()> {
    let messages = cli.messages()?;
    wug::SimdPath::from_environment().map_err(|error| UsageError(error.to_string()))?;
    match cli.command {
        Command::Between(arguments) => between::run(&arguments, messages),
        Command::Check(arguments) => check::run(&arguments, messages),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Count(arguments) => count::run(&arguments, messages),
        Command::Eval(arguments) => eval::run(&arguments, messages),
        Command::Languages(arguments) => languages::run(&arguments),
        Command::Lexicon(arguments) => lexicon::run(&arguments, messages),
        Command::Man(arguments) => man::run(&arguments, messages),
        Command::Match(arguments) => match_list::run(&arguments, messages),
        Command::Name(arguments) => name::run(&arguments, messages),
        Command::Ngram(arguments) => ngram::run(&arguments, messages),
        Command::Noise(arguments) => noise::run(&arguments, messages),
        #[cfg(feature = "reproduce")]
        Command::Reproduce(arguments) => reproduce::run(&arguments, messages),
        Command::Sample(arguments) => sample::run(&arguments, messages),
        Command::Score(arguments) => score::run(&arguments, messages),
        Command::Train(arguments) => train::run(&arguments, messages),
    }
}
