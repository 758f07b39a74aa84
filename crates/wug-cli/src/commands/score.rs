//! `wug score`: how probable are words, and how word-like?

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, ValueHint};
use wug::evaluate::MAX_PARTICLES;
use wug::lexicon::{Casing, LexiconError};
use wug::measure::{Column, ListIndex, Measures, Need, SORTED_BY, ScoreSettings, Sources};
use wug::{Execution, TrainedModel};

use crate::cli::UsageError;
use crate::messages::Messages;
use crate::options::{self, ModelArgument, ThreadsArgument, WordColumn, number, read_lexicon};
use crate::output::{OutputArgument, grouped};
use crate::progress::Progress;
use crate::table::{self, Form, Format, column_parser, listed};
use crate::words::{self, Problems, Trouble};

/// Score words: log-probability, surprisal of each letter, percentiles, neighbours
///
/// Words come from the arguments, from files (`-i`), or from standard input. A word's log-probability is in nats, with its
/// standard error; percentiles tell how many of the lexicon's words of that length, and of random strings, are less probable.
/// The formats tsv, csv and json add Coltheart's N, OLD20, bigram frequency and the nearest words. Only the columns that are asked for
/// are computed: log-probability and surprisals alone are by far the fastest.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug score blick bnick
  wug score --sort -i stimuli.txt                  the most word-like first
  wug score -i stimuli.csv --word-column Wort -o scores.csv
  wug score -i list.txt --columns word,log_probability,surprisals > scores.tsv
  wug score -i list.txt --percentiles --other-lexicon de -o scores.csv
  wug score -m runs/paper-1 --error 0.05 blick")]
pub(crate) struct Arguments {
    /// Words
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Lists with one word per line, plain, gzip or zstd; `-` is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    input: Vec<PathBuf>,
    #[command(flatten)]
    column: WordColumn,
    #[command(flatten)]
    model: ModelArgument,
    /// The list that words are compared with [default: the one that the model was trained on]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    lexicon: Option<PathBuf>,
    /// A second list, such as that of another language: adds columns with its neighbours
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    other_lexicon: Option<PathBuf>,
    /// Add columns with the per cent of the lexicon's words of the length that have a smaller figure, for each measure
    #[arg(long)]
    percentiles: bool,
    /// Convert words to lower case
    #[arg(long)]
    lower_case: bool,
    /// Columns of the table or keys of the objects, with commas between them; the format is tsv then, unless another is given [default: all]
    #[arg(long, value_name = "NAME", value_parser = column_parser(), value_delimiter = ',', hide_possible_values = true, long_help = columns_help())]
    columns: Vec<Column>,
    /// Sort words by a column with numbers, the largest first [default: the most word-like first]
    #[arg(long, value_name = "NAME", value_parser = column_parser(), hide_possible_values = true, num_args = 0..=1, require_equals = true, default_missing_value = SORTED_BY)]
    sort: Option<Column>,
    /// The largest standard error of a log-probability, in nats: words get as many particles as that takes, up to a million
    #[arg(long, value_name = "NATS", value_parser = parse_error, conflicts_with = "particles")]
    error: Option<f64>,
    /// Particles for each word: more make the standard error smaller. Models whose scores are exact, such as the bundled one, need none
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_u32), default_value_t = 1000)]
    particles: u32,
    /// Random seed
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Format of the results [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgument,
}

/// The smallest error that can be asked for: a million particles come near it at best.
const LEAST_ERROR: f64 = 0.001;

fn parse_error(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|error| (LEAST_ERROR..=10.0).contains(error));
    found.ok_or_else(|| format!("expected a number from {LEAST_ERROR} to 10"))
}

fn columns_help() -> String {
    let names = listed(Column::all(), |column| column.name().into_owned());
    format!(
        "Columns of the table or keys of the objects, with commas between them; the format is tsv then, unless another is given [default: all]\n\n\
         There are:{names}"
    )
}

impl Arguments {
    /// Format and columns of the results: text for people, unless something is asked for.
    fn form(&self) -> Form {
        let beside = self.other_lexicon.is_some();
        let is_chosen = !self.columns.is_empty();
        let is_asked = is_chosen || self.percentiles || beside;
        let format =
            self.output.format(self.format).unwrap_or(if is_asked { Format::Tsv } else { Format::Text });
        let mut form = Form::usual(format, self.percentiles, beside);
        if is_chosen {
            let more = form.columns.iter().filter(|column| column.ranks().is_some());
            let more = more.filter(|column| !self.columns.contains(column));
            form = Form { columns: self.columns.iter().copied().chain(more).collect(), is_chosen, ..form };
        }
        Form { sort: self.sort, ..form }
    }
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    if arguments.words.is_empty() && arguments.input.is_empty() && io::stdin().is_terminal() {
        return Err(UsageError("no words: give some, or a list with -i".into()).into());
    }
    let form = arguments.form();
    if form.columns.need(Need::OtherLexicon) && arguments.other_lexicon.is_none() {
        let column = form.columns.iter().find(|column| column.needs(Need::OtherLexicon));
        let name = column.map(|column| column.name().into_owned()).unwrap_or_default();
        return Err(UsageError(format!("--columns {name}: give a second list with --other-lexicon")).into());
    }
    if let Some(column) = form.sort
        && (column.width().is_none() || !form.columns.iter().any(|own| own == column))
    {
        let name = column.name();
        return Err(UsageError(format!(
            "--sort={name}: give a column of the table that has numbers, and name it in --columns"
        ))
        .into());
    }
    let model = Arc::new(arguments.model.load(messages)?);
    let read = || list_of(&model, arguments.lexicon.as_deref(), messages);
    let lexicon = form.columns.need(Need::Lexicon).then(read).transpose()?;
    let settings = ScoreSettings {
        particles: arguments.particles as usize,
        error: arguments.error,
        execution: Execution { seed: arguments.seed, threads: arguments.threads.count(messages) },
    };
    let casing = options::casing(arguments.lower_case, &model);
    let other = other_list(&model, arguments.other_lexicon.as_deref(), messages)?;
    let sources = Sources { model: Some(model), lexicon, other };
    let measures = Measures::new(form.columns.clone(), sources, settings)?;
    arguments.print(&measures, &form, casing, messages)
}

impl Arguments {
    /// Measures all words and prints them.
    fn print(
        &self,
        measures: &Measures,
        form: &Form,
        casing: Casing,
        messages: Messages,
    ) -> anyhow::Result<()> {
        let (problems, failure) = (Problems::default(), Cell::new(None));
        let options = self.column.options(casing);
        let words = words::all(&self.words, &self.input, &options, messages);
        // Lines that are no words are told and left out; an input that cannot be read is the end.
        let words = words.map_while(|found| match found {
            Ok(found) => {
                problems.heed_spaces(&found, messages);
                Some(Some(found))
            }
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
        self.output.print(form.format, |writer| {
            table::write_measured(writer, form, words, &problems, &progress, |word| {
                problems.heed_capitals(word, messages);
                let error = word.score.as_ref().map_or(0.0, |score| score.standard_error);
                uncertain += u64::from(self.error.is_some_and(|most| error > most));
            })
        })?;
        if uncertain > 0 {
            let words = if uncertain == 1 { "word has" } else { "words have" };
            messages.note(format_args!(
                "{} {words} a larger standard error than asked for, with {} particles",
                grouped(uncertain),
                grouped(MAX_PARTICLES as u64)
            ));
        }
        match failure.into_inner() {
            Some(failure) => Err(failure.into()),
            None => Ok(problems.outcome()?),
        }
    }
}

/// The words that others are compared with: a list of your own, or those of the model.
pub(crate) fn list_of(
    model: &TrainedModel,
    path: Option<&Path>,
    messages: Messages,
) -> anyhow::Result<Arc<ListIndex>> {
    let Some(path) = path else {
        let lexicon = model.lexicon().map_err(|error| match error {
            LexiconError::NotStored { .. } => {
                UsageError(format!("{error}: give a list with --lexicon")).into()
            }
            other => anyhow::Error::from(other),
        });
        return Ok(ListIndex::of(Arc::new(lexicon?)));
    };
    let lexicon = read_lexicon(path, model.config.data.casing(), messages).context("--lexicon")?;
    Ok(ListIndex::of(Arc::new(lexicon)))
}

/// A second list, if there is one.
pub(crate) fn other_list(
    model: &TrainedModel,
    path: Option<&Path>,
    messages: Messages,
) -> anyhow::Result<Option<Arc<ListIndex>>> {
    let read = |path| read_lexicon(path, model.config.data.casing(), messages).context("--other-lexicon");
    Ok(path.map(read).transpose()?.map(|lexicon| ListIndex::of(Arc::new(lexicon))))
}
