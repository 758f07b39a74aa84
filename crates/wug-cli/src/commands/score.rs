//! `wug score`: how probable are words, and how word-like?

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueHint};
use wug::lexicon::{Filter, Input, Lexicon, LexiconError, read_list};
use wug::measure::{Measures, ScoreSettings};
use wug::{Execution, TrainedModel};

use crate::cli::UsageError;
use crate::messages::Messages;
use crate::options::{load_model, number, threads};
use crate::output;
use crate::progress::Progress;
use crate::table::{self, Format};
use crate::words::{self, Problems, Trouble};

/// Score words: log-probability, surprisal of each letter, percentiles, neighbours
///
/// Words come from the arguments, from files (`-i`), or from standard input. A word's log-probability is in nats, with its
/// standard error; percentiles tell how many of the lexicon's words of that length, and of random strings, are less probable.
/// The formats tsv and json add Coltheart's N, OLD20, bigram frequency and the nearest words.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug score blick bnick
  wug score -i stimuli.txt --format tsv > stimuli.tsv
  wug score -m runs/names-1 --particles 10000 --seed 2 blick")]
pub(crate) struct Arguments {
    /// Words
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Lists with a word on each line, plain, gzip or zstd; `-` is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    input: Vec<PathBuf>,
    /// A model file, or the folder of a run; the bundled English model if none is given
    #[arg(short, long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// The list that words are compared with [default: the one that the model was trained on]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    lexicon: Option<PathBuf>,
    /// Turn words into lower case
    #[arg(long)]
    lower_case: bool,
    /// Particles for each word: more make the standard error smaller
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_u32), default_value_t = 1000)]
    particles: u32,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 1)]
    seed: u64,
    /// Threads; results do not depend on it [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    /// The form of the results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    if arguments.words.is_empty() && arguments.input.is_empty() && io::stdin().is_terminal() {
        return Err(UsageError("no words: give some, or a list with -i".into()).into());
    }
    let model = load_model(arguments.model.as_deref(), messages)?;
    let lexicon = lexicon_of(&model, arguments.lexicon.as_deref(), messages)?;
    let settings = ScoreSettings {
        particles: arguments.particles as usize,
        execution: Execution { seed: arguments.seed, threads: threads(arguments.threads, messages) },
    };
    let mut measures = Measures::new(&model, &lexicon, settings);
    let (problems, failure) = (Problems::default(), Cell::new(None));
    let words = words::all(&arguments.words, &arguments.input, arguments.lower_case);
    // Lines that are no words are told and left out; an input that cannot be read is the end.
    let words = words.map_while(|found| match found {
        Ok(found) => Some(Some(found)),
        Err(Trouble::One(problem)) => {
            problems.tell(&problem);
            Some(None)
        }
        Err(Trouble::End(error)) => {
            failure.set(Some(error));
            None
        }
    });
    let words = measures.stream(words.flatten());
    let progress = Progress::of_words(messages);
    output::print(|writer| table::write_measured(writer, arguments.format, words, &problems, &progress))?;
    match failure.into_inner() {
        Some(failure) => Err(failure.into()),
        None => Ok(problems.outcome()?),
    }
}

/// The words that others are compared with: a list of one's own, or those of the model.
pub(crate) fn lexicon_of(
    model: &TrainedModel,
    path: Option<&Path>,
    messages: Messages,
) -> anyhow::Result<Lexicon> {
    let Some(path) = path else {
        return model.lexicon().map_err(|error| match error {
            LexiconError::NotStored { .. } => {
                UsageError(format!("{error}: give a list with --lexicon")).into()
            }
            other => other.into(),
        });
    };
    let words = read_list(Input::open(path)?, model.config.data.lower_case).context("--lexicon")?;
    let (lexicon, summary) = words.into_lexicon(&Filter::default())?;
    messages.detail(summary);
    Ok(lexicon)
}
