//! `wug name`: a word for a key.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use wug::TrainedModel;
use wug::generate::{NAME_VERSION, WordBuilder, WordRequest};
use wug::lexicon::{Casing, Input, LexiconError, read_lines};

use super::sample::{known_words, told};
use crate::cli::UsageError;
use crate::constraints::{ConstraintArguments, PATTERNS};
use crate::messages::Messages;
use crate::options::{ModelArgument, ThreadsArgument, number};
use crate::output::{self, grouped};

const EXAMPLES: &str = "Examples:
  wug name server-1 server-2
  wug name -i hosts.txt --syllables 2 --max-length 8
  wug name level-17 --parts 2 --capital
  wug name server-1 --pin 9f2c1e7a            fails with any other model";

/// Keys that are tried to tell how often two of them get the same word.
const TRIED_KEYS: usize = 20_000;

/// Give keys their words: the same key always gets the same word
///
/// A word is a function of the key, the model, the constraints and the version of this way of naming. Words are new: none is in the list that the
/// model was trained on, of 4 to 10 letters unless another length is asked for. Two keys may get the same word; `--explain` says how rarely.
#[derive(Debug, Args)]
#[command(after_help = format!("{PATTERNS}\n\n{EXAMPLES}"))]
pub(crate) struct Arguments {
    /// Keys: any text
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    /// Lists with one key per line; `-` is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    input: Vec<PathBuf>,
    #[command(flatten)]
    model: ModelArgument,
    /// Words for each key, with hyphens between them: more words, fewer keys that share them
    #[arg(long, value_name = "N", value_parser = number(1..=8_usize), default_value_t = 1)]
    parts: usize,
    /// Begin words with a capital letter
    #[arg(long)]
    capital: bool,
    /// Fail unless the model's fingerprint begins with these digits
    #[arg(long, value_name = "DIGITS")]
    pin: Option<String>,
    /// Say which model and version the words come from, and how often two keys get the same one
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    constraints: ConstraintArguments,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    if arguments.keys.is_empty() && arguments.input.is_empty() {
        return Err(UsageError("no keys: give some, or a list with -i".into()).into());
    }
    let model = arguments.model.load(messages)?;
    let fingerprint = model.fingerprint();
    if let Some(pin) = arguments.pin.as_ref().filter(|pin| !fingerprint.starts_with(pin.as_str())) {
        return Err(UsageError(format!(
            "--pin {pin}: the model is another one, with fingerprint {fingerprint}; its words for the keys would be other ones"
        ))
        .into());
    }
    // First what may be wrong with the options: keys may come from a standard input that waits.
    let mut names = builder(arguments, &model, messages)?.names().map_err(told)?;
    let keys = keys(arguments)?;
    // Each part of a name has a key of its own; the first is the key itself.
    let of_part = |part: usize| -> Vec<String> {
        keys.iter().map(|key| if part == 0 { key.clone() } else { format!("{key}\n{part}") }).collect()
    };
    let mut words: Vec<Vec<String>> = vec![Vec::new(); keys.len()];
    for part in 0..arguments.parts {
        let found = names.of(&of_part(part)).map_err(told)?;
        words.iter_mut().zip(found).for_each(|(own, word)| own.push(word));
    }
    output::print(|writer| words.iter().try_for_each(|own| writeln!(writer, "{}", own.join("-"))))?;
    if arguments.explain {
        let space = names.space(TRIED_KEYS).map_err(told)?;
        let probability = space.collision_probability().powi(arguments.parts as i32);
        messages.note(format_args!(
            "naming version {NAME_VERSION}, wug {}, model fingerprint {fingerprint}\n{} keys got {} different words{}",
            env!("CARGO_PKG_VERSION"),
            grouped(space.keys as u64),
            grouped(space.distinct as u64),
            if space.pairs == 0 {
                "; no two the same".to_owned()
            } else {
                let half = (2.0 * std::f64::consts::LN_2 / probability).sqrt();
                let parts = if arguments.parts > 1 { format!(" ({} parts)", arguments.parts) } else { String::new() };
                format!(
                    "; two keys get the same name{parts} once in {}; among {} keys some two do with even odds",
                    grouped((1.0 / probability) as u64),
                    grouped(half as u64)
                )
            }
        ));
    }
    Ok(())
}

fn keys(arguments: &Arguments) -> Result<Vec<String>, LexiconError> {
    let mut keys = arguments.keys.clone();
    for path in &arguments.input {
        keys.extend(read_lines(Input::open(path)?)?);
    }
    Ok(keys)
}

fn builder<'m>(
    arguments: &Arguments,
    model: &'m TrainedModel,
    messages: Messages,
) -> anyhow::Result<WordBuilder<'m>> {
    let request = WordRequest {
        constraints: arguments.constraints.constraints(Casing::Keep)?,
        classes: arguments.constraints.classes()?,
        capital: arguments.capital,
        ..WordRequest::default()
    };
    let words = model.words().request(request.for_names()).exclude(known_words(model)?);
    Ok(words.threads(arguments.threads.count(messages)))
}
