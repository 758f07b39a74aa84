//! One file for each command.

pub(crate) mod between;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod eval;
pub(crate) mod lexicon;
pub(crate) mod man;
pub(crate) mod ngram;
pub(crate) mod reproduce;
pub(crate) mod sample;
pub(crate) mod score;
pub(crate) mod train;

use wug::TrainedModel;
use wug::generate::MAX_LETTERS;
use wug::lexicon::Symbol;

use crate::cli::{Cli, Command, UsageError};

/// Runs the command.
pub(crate) fn run(cli: Cli) -> anyhow::Result<()> {
    let messages = cli.messages()?;
    match cli.command {
        Command::Between(arguments) => between::run(&arguments, messages),
        Command::Check(arguments) => check::run(&arguments, messages),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Count(arguments) => count::run(&arguments, messages),
        Command::Eval(arguments) => eval::run(&arguments, messages),
        Command::Lexicon(arguments) => lexicon::run(&arguments, messages),
        Command::Man(arguments) => man::run(&arguments, messages),
        Command::Ngram(arguments) => ngram::run(&arguments, messages),
        Command::Reproduce(arguments) => reproduce::run(&arguments, messages),
        Command::Sample(arguments) => sample::run(&arguments, messages),
        Command::Score(arguments) => score::run(&arguments, messages),
        Command::Train(arguments) => train::run(&arguments, messages),
    }
}

/// The symbols of a word that an option gives, with the end.
fn spell(option: &str, word: &str, model: &TrainedModel) -> Result<Vec<Symbol>, UsageError> {
    let letters = || model.alphabet.letters().collect::<Vec<_>>().join(" ");
    let symbols = model
        .alphabet
        .encode(word)
        .map_err(|error| UsageError(format!("{option}: {error} of the model: {}", letters())))?;
    if !(2..=MAX_LETTERS + 1).contains(&symbols.len()) {
        return Err(UsageError(format!("{option}: expected a word of 1 to {MAX_LETTERS} letters")));
    }
    Ok(symbols)
}
