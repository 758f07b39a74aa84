//! `wug score`: how probable are words, and how word-like?

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueHint};
use wug::evaluate::MOST_PARTICLES;
use wug::lexicon::{Filter, Lexicon, LexiconError};
use wug::measure::{MeasureBatch, Measures, ScoreSettings, Scorer};
use wug::{Execution, TrainedModel};
use wug_reproduce::Shard;

use crate::cli::UsageError;
use crate::columns::{Column, Row};
use crate::messages::Messages;
use crate::options::{load_model, number, read_list, threads};
use crate::output::{self, grouped};
use crate::progress::Progress;
use crate::table::{self, Format};
use crate::words::{self, Problems, Trouble};

/// Score words: log-probability, surprisal of each letter, percentiles, neighbours
///
/// Words come from the arguments, from files (`-i`), or from standard input. A word's log-probability is in nats, with its
/// standard error; percentiles tell how many of the lexicon's words of that length, and of random strings, are less probable.
/// The formats tsv and json add Coltheart's N, OLD20, bigram frequency and the nearest words. Only the columns that are asked for
/// are computed: log-probability and surprisals alone are by far the fastest.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug score blick bnick
  wug score -i stimuli.txt --format tsv > stimuli.tsv
  wug score -i list.txt --columns word,log_probability,surprisals > scores.tsv
  wug score -m runs/paper-1 --error 0.05 blick")]
pub(crate) struct Arguments {
    /// Words
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Lists with a word on each line, plain, gzip or zstd; `-` is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    input: Vec<PathBuf>,
    /// A model that comes with wug (`wug languages`), a model file, or the folder of a run [default: the English model]
    #[arg(short, long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// The list that words are compared with [default: the one that the model was trained on]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    lexicon: Option<PathBuf>,
    /// Turn words into lower case
    #[arg(long)]
    lower_case: bool,
    /// Columns of the table or keys of the objects, with commas between them; the format is tsv then, unless it is json [default: all]
    #[arg(long, value_name = "NAME", value_enum, value_delimiter = ',', hide_possible_values = true)]
    columns: Vec<Column>,
    /// The largest standard error of a log-probability, in nats: words get as many particles as that takes, up to a million
    #[arg(long, value_name = "NATS", value_parser = parse_error, conflicts_with = "particles")]
    error: Option<f64>,
    /// Particles for each word: more make the standard error smaller. Models whose scores are exact, such as the bundled one, need none
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_u32), default_value_t = 1000)]
    particles: u32,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 1)]
    seed: u64,
    /// Threads; results do not depend on it [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    /// The form of the results [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Score the I-th of N parts of the words: every N-th of them, from the I-th on
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

/// The smallest error that can be asked for: a million particles come near it at best.
const LEAST_ERROR: f64 = 0.001;

fn parse_error(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|error| (LEAST_ERROR..=10.0).contains(error));
    found.ok_or_else(|| format!("expected a number from {LEAST_ERROR} to 10"))
}

impl Arguments {
    /// The form of the results, and the columns if there is a choice.
    fn form(&self) -> Result<(Format, Option<&[Column]>), UsageError> {
        match (self.format, &self.columns[..]) {
            (format, []) => Ok((format.unwrap_or(Format::Text), None)),
            (Some(Format::Text), _) => {
                Err(UsageError("--columns: the format text has its own; use tsv or json".into()))
            }
            (format, columns) => Ok((format.unwrap_or(Format::Tsv), Some(columns))),
        }
    }
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    if arguments.words.is_empty() && arguments.input.is_empty() && io::stdin().is_terminal() {
        return Err(UsageError("no words: give some, or a list with -i".into()).into());
    }
    let form = arguments.form()?;
    // People see what the model says and percentiles.
    let shown = form.1.unwrap_or(Column::all());
    let letters = form.0 != Format::Text && shown.iter().any(|column| column.is_of_letters());
    let percentiles = shown.iter().any(|column| column.is_percentile());
    let model = load_model(arguments.model.as_deref(), messages)?;
    let read = || lexicon_of(&model, arguments.lexicon.as_deref(), messages);
    let lexicon = (letters || percentiles).then(read).transpose()?;
    let settings = ScoreSettings {
        particles: arguments.particles as usize,
        error: arguments.error,
        execution: Execution { seed: arguments.seed, threads: threads(arguments.threads, messages) },
    };
    match &lexicon {
        Some(lexicon) if letters && percentiles => {
            arguments.print(Measures::new(&model, lexicon, settings), form, messages)
        }
        Some(lexicon) if letters => {
            arguments.print(Measures::without_percentiles(&model, lexicon, settings), form, messages)
        }
        Some(lexicon) => arguments.print(Scorer::new(&model, lexicon, settings), form, messages),
        None => arguments.print(Scorer::without_percentiles(&model, settings), form, messages),
    }
}

impl Arguments {
    /// Measures all words and prints them.
    fn print(
        &self,
        mut measures: impl MeasureBatch<Measured: Row>,
        form: (Format, Option<&[Column]>),
        messages: Messages,
    ) -> anyhow::Result<()> {
        let (problems, failure) = (Problems::default(), Cell::new(None));
        let words = words::all(&self.words, &self.input, self.lower_case);
        let is_own = |place| self.shard.is_none_or(|shard| shard.takes(place));
        // Nothing can be read after an end, whosever turn it is.
        let words =
            words.zip(0..).filter(|(found, place)| is_own(*place) || matches!(found, Err(Trouble::End(_))));
        let words = words.map(|(found, _)| found);
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
        let mut uncertain = 0;
        output::print(|writer| {
            table::write_measured(writer, form, words, &problems, &progress, |word| {
                uncertain += u64::from(self.error.is_some_and(|error| word.score.standard_error > error));
            })
        })?;
        if uncertain > 0 {
            let words = if uncertain == 1 { "word has" } else { "words have" };
            messages.note(format_args!(
                "{} {words} a larger standard error than asked for, with {} particles",
                grouped(uncertain),
                grouped(MOST_PARTICLES as u64)
            ));
        }
        match failure.into_inner() {
            Some(failure) => Err(failure.into()),
            None => Ok(problems.outcome()?),
        }
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
    let words = read_list(path, model.config.data.casing(), messages).context("--lexicon")?;
    let (lexicon, summary) = words.into_lexicon(&Filter::default())?;
    messages.detail(summary);
    Ok(lexicon)
}
