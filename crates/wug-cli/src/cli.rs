//! The command line as a whole.

use clap::{Parser, Subcommand};

use crate::commands::{between, check, count, eval, lexicon, ngram, reproduce, sample, score, train};

/// Words from white noise: train, sample, score and measure a deep state space model of words.
#[derive(Debug, Parser)]
#[command(name = "wug", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Between(between::Arguments),
    Check(check::Arguments),
    Count(count::Arguments),
    Eval(eval::Arguments),
    Lexicon(lexicon::Arguments),
    Ngram(ngram::Arguments),
    Reproduce(reproduce::Arguments),
    Sample(sample::Arguments),
    Score(score::Arguments),
    Train(train::Arguments),
}

/// Options that do not go together. Like clap's own complaints it ends the command with code 2.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// The work is done in part only, or cannot be done: code 3.
#[derive(Debug)]
pub(crate) struct Partial(pub(crate) String);

impl std::fmt::Display for Partial {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Partial {}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_are_consistent() {
        Cli::command().debug_assert();
    }
}
