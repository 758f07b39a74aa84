//! `wug between`: a path of words from one to another.

use std::path::PathBuf;

use clap::Args;
use wug::generate::SampleError;
use wug::{Error, Execution};

use crate::cli::UsageError;
use crate::messages::Messages;
use crate::options::{load_model, number, threads};
use crate::output;

/// Walk from one word to another through the space of noise
///
/// Both words' noise is drawn from its posterior and turned step by step from the one to the other; the most probable
/// letters are read off on the way.
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
    /// A model file, or the folder of a run; the bundled English model if none is given
    #[arg(short, long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// Places on the path, its ends included; a word that stays the same is shown once
    #[arg(long, value_name = "N", value_parser = number(2..=10_000_u16), default_value_t = 20)]
    steps: u16,
    /// Seed of everything that is drawn: another seed is another path
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 1)]
    seed: u64,
    /// Threads; the words do not depend on it [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let model = load_model(arguments.model.as_deref(), messages)?;
    let execution = Execution { seed: arguments.seed, threads: threads(arguments.threads, messages) };
    let Arguments { from, to, steps, .. } = arguments;
    let path = messages.timed("path", || model.between(from, to, (*steps).into(), execution));
    let words = path.map_err(|error| -> anyhow::Error {
        match error {
            Error::Sample(SampleError::NoNoise) => UsageError(format!("--model: {error}")).into(),
            Error::Spelling(_) => UsageError(error.to_string()).into(),
            other => other.into(),
        }
    })?;
    output::print(|writer| words.iter().try_for_each(|word| writeln!(writer, "{word}")))
}
