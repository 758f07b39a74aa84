//! `wug between`: a path of words from one to another.

use clap::Args;
use wug::{Error, Execution};

use crate::cli::UsageError;
use crate::messages::Messages;
use crate::options::{ModelArgument, ThreadsArgument, number};
use crate::output;

/// Walk from one word to another through the space of noise
///
/// The noise of both words is drawn from its posterior and turned step by step from the one to the other. At each step the
/// most probable letters make a word.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug between winter summer
  wug between winter summer --steps 100 --seed 2")]
pub(crate) struct Arguments {
    /// The first word
    #[arg(value_name = "FROM")]
    from: String,
    /// The last word
    #[arg(value_name = "TO")]
    to: String,
    #[command(flatten)]
    model: ModelArgument,
    /// Steps of the path, both ends included; a word that stays the same is shown once
    #[arg(long, value_name = "N", value_parser = number(2..=10_000_u16), default_value_t = 20)]
    steps: u16,
    /// Random seed: another seed gives another path
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let model = arguments.model.load(messages)?;
    let execution = Execution { seed: arguments.seed, threads: arguments.threads.count(messages) };
    let Arguments { from, to, steps, .. } = arguments;
    let path = messages.timed("path", || model.between(from, to, (*steps).into(), execution));
    let words = path.map_err(|error| -> anyhow::Error {
        match error {
            Error::Spelling(_) => UsageError(error.to_string()).into(),
            other => other.into(),
        }
    })?;
    output::print(|writer| words.iter().try_for_each(|word| writeln!(writer, "{word}")))
}
