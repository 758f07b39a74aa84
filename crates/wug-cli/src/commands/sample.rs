//! `wug sample`: makes words.

use std::io::Write;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, ValueHint};
use wug::generate::{
    Account, DISTANCE, GaveUp, MAX_LETTERS, NOISE, SampleError, TEMPERATURE, Way, WordBuilder, WordRequest,
    Words,
};
use wug::lexicon::{LexiconError, SpellError, WordCounts};
use wug::measure::{Measures, ScoreSettings, Sources};
use wug::{Error, Execution, TrainedModel};

use super::score::list_of;
use crate::cli::{Partial, UsageError};
use crate::constraints::{self, ConstraintArguments, PATTERNS, cased};
use crate::messages::Messages;
use crate::options::{ModelArgument, Seed, ThreadsArgument, casing, parse_count, parse_seed, read_excluded};
use crate::output::{OutputArgument, grouped};
use crate::progress::Progress;
use crate::table::{self, Form, Format};
use crate::words::Problems;

const EXAMPLES: &str = "Examples:
  wug sample                               words from the bundled English model
  wug sample -m runs/names-1 -n 50 --novel --unique
  wug sample --prefix wu --max-length 6
  wug sample --pattern 'q?????z'
  wug sample --pattern '(C|CC)VC' --novel --unique
  wug sample --class K=ptk --pattern 'KVKV' --without 'pup|[aeiou]t'
  wug sample --syllables 2 --containing oo --without-file rude.txt
  wug sample --like glimmer --distance 0.1 --keep 2
  wug sample -n 100 --novel --seed random --sort wordlikeness --show-score";

/// Make words
///
/// Words that meet constraints are distributed as the model's words given the constraints: they are not filtered out of
/// many, unless that is faster, but made by conditioning.
#[derive(Debug, Args)]
#[command(after_help = format!("{PATTERNS}\n\n{EXAMPLES}"))]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArgument,
    /// How many words, such as 50 or 1M
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_count, default_value = "20")]
    words: u64,
    /// Random seed: another number gives other words, `random` others each time
    #[arg(long, value_name = "N", value_parser = parse_seed, default_value = "1")]
    seed: Seed,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Convert the letters of --prefix, --suffix and --like to lower case
    #[arg(long)]
    lower_case: bool,
    /// Begin words with a capital letter
    #[arg(long)]
    capital: bool,
    /// Sort the words when all are made: by `wordlikeness` (log-probability per letter), `length` or `alphabet`
    #[arg(long, value_name = "ORDER")]
    sort: Option<wug::measure::Order>,
    /// Write each word's log-probability per letter, the end included, beside it
    #[arg(long)]
    show_score: bool,
    /// Say how the words were found: by chance or by particles, with how many tries
    #[arg(long)]
    explain: bool,
    /// Format of the words; tsv, csv and json add their statistics [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgument,
    #[command(flatten)]
    constraints: ConstraintArguments,
    #[command(flatten)]
    exclusions: ExclusionArguments,
    #[command(flatten)]
    parameters: SamplingParameters,
    #[command(flatten)]
    like: LikeArguments,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Exclusions")]
struct ExclusionArguments {
    /// Only words that are neither in the model's training list nor otherwise known in its language
    #[arg(long)]
    novel: bool,
    /// No words of this list, language (such as de, or `all`) or Hunspell dictionary (fr.dic, with fr.aff beside it); can be repeated
    #[arg(long, alias = "exclude", value_name = "FILE", value_hint = ValueHint::FilePath)]
    not_in: Vec<PathBuf>,
    /// No word twice
    #[arg(long)]
    unique: bool,
    /// Give up after this many tries in a row without a word that fits
    #[arg(long, value_name = "N", value_parser = parse_count, default_value = "1M")]
    max_tries: u64,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Sampling parameters")]
struct SamplingParameters {
    /// Scale of the noise that moves the states (the paper's flows only): less is more usual, more is stranger
    #[arg(long, value_name = "SCALE", value_parser = parse_noise, default_value_t = 1.0)]
    noise: f32,
    /// Temperature of the choice of letters: less is more usual, more is stranger
    #[arg(long, value_name = "T", value_parser = parse_temperature, default_value_t = 1.0)]
    temperature: f32,
    /// Take the most probable letter of every state, the limit of temperature zero (the paper's flows only)
    #[arg(long, conflicts_with = "temperature")]
    argmax: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Near another word")]
struct LikeArguments {
    /// Make words near this one: from the noise that it may have come from
    #[arg(long, value_name = "WORD")]
    like: Option<String>,
    /// How much of it is replaced by fresh noise: 0 gives the word itself, 1 forgets it
    #[arg(long, value_name = "0..1", value_parser = parse_distance, default_value_t = 0.05, requires = "like")]
    distance: f32,
    /// Leading letters that all words share with it
    #[arg(long, value_name = "K", value_parser = parse_letters, requires = "like")]
    keep: Option<usize>,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let model = Arc::new(arguments.model.load(messages)?);
    let threads = arguments.threads.count(messages);
    let execution = Execution { seed: arguments.seed.get(messages), threads };
    let progress = Progress::of_words(messages);
    let words = arguments.builder(&model, messages)?.execution(execution).watch(|so_far| {
        progress.set_words(so_far);
        ControlFlow::Continue(())
    });
    let format = arguments.output.format(arguments.format).unwrap_or(Format::Text);
    if format == Format::Text && (arguments.sort.is_some() || arguments.show_score) {
        let mut words = words.make(arguments.words).map_err(told)?;
        let mut failure = None;
        let made =
            words.by_ref().map_while(|word| word.map_err(|error| failure = Some(error)).ok()).collect();
        let found = model.ordered(made, arguments.sort, execution)?;
        let write = |writer: &mut dyn Write| {
            found.iter().try_for_each(|(word, score)| match arguments.show_score {
                true => writeln!(writer, "{word}\t{score:.3}"),
                false => writeln!(writer, "{word}"),
            })
        };
        arguments.output.print(format, write)?;
        arguments.explain(words.account(), messages);
        return failure.map_or(Ok(()), |failure| Err(told(failure)));
    }
    if format == Format::Text {
        let mut words = words.make(arguments.words).map_err(told)?;
        let print = |writer: &mut dyn Write| loop {
            if !words.is_ready() {
                progress.aside(|| writer.flush())?;
            }
            match words.next() {
                Some(word) => writeln!(writer, "{}", word.map_err(told)?)?,
                None => return anyhow::Ok(()),
            }
        };
        let outcome = messages.timed("words", || arguments.output.print(format, print));
        arguments.explain(words.account(), messages);
        return outcome;
    }
    let form = Form::usual(format, false, false);
    let settings = ScoreSettings { execution, ..ScoreSettings::default() };
    let sources = Sources::new(&model, &list_of(&model, None, messages)?);
    let measures = Measures::new(form.columns.clone(), sources, settings)?;
    let words = words.make(arguments.words).map_err(told)?;
    print_measured(words, &model, &measures, &form, arguments, &progress, messages)
}

/// Prints words with their statistics as they come.
fn print_measured(
    mut words: Words<'_>,
    model: &TrainedModel,
    measures: &Measures,
    form: &Form,
    arguments: &Arguments,
    progress: &Progress,
    messages: Messages,
) -> anyhow::Result<()> {
    let (problems, mut failure) = (Problems::default(), None);
    let mut made: Box<dyn Iterator<Item = String>> =
        Box::new(words.by_ref().map_while(|word| word.map_err(|error| failure = Some(error)).ok()));
    if arguments.sort.is_some() {
        let sorted = model.ordered(made.collect(), arguments.sort, measures.settings().execution)?;
        made = Box::new(sorted.into_iter().map(|(word, _)| word));
    }
    let made = measures.stream(made);
    let write =
        |writer: &mut dyn Write| table::write_measured(writer, form, made, &problems, progress, |_| ());
    arguments.output.print(form.format, write)?;
    arguments.explain(words.account(), messages);
    match failure {
        Some(failure) => Err(told(failure)),
        None => Ok(problems.outcome()?),
    }
}

impl Arguments {
    /// Says how the words were found, if asked to.
    fn explain(&self, account: Account, messages: Messages) {
        if !self.explain {
            return messages.detail(how(account));
        }
        messages.note(how(account));
    }

    /// The words that are asked for.
    fn builder<'m>(&self, model: &'m TrainedModel, messages: Messages) -> anyhow::Result<WordBuilder<'m>> {
        let casing = casing(self.lower_case, model);
        let ExclusionArguments { novel, not_in, unique, max_tries } = &self.exclusions;
        let LikeArguments { like, distance, keep } = &self.like;
        let request = WordRequest {
            constraints: self.constraints.constraints(casing)?,
            classes: self.constraints.classes()?,
            capital: self.capital,
            unique: *unique,
            max_tries: *max_tries,
            noise: self.parameters.noise,
            temperature: self.parameters.temperature,
            argmax: self.parameters.argmax,
            like: like.clone().map(|word| cased("--like", word, casing)).transpose()?,
            distance: *distance,
            keep: keep.unwrap_or(0),
            ..WordRequest::default()
        };
        let mut words = model.words().request(request);
        if *novel {
            words = words.exclude(known_words(model)?);
        }
        for path in not_in {
            let list = read_excluded(path, model.known_casing(), messages).context("--not-in")?;
            words = words.exclude(list);
        }
        Ok(words)
    }
}

/// How words were found, in a sentence.
fn how(Account { made, tries, known, repeated, way }: Account) -> String {
    let way = match way {
        Way::Rejection => {
            "by chance: words are drawn and dropped at the letter that rules them out, which is exact"
                .to_owned()
        }
        Way::Particles { particles, effective, words } => format!(
            "by particles: populations of {}, of which at least {effective:.0} were independent at the end; {words} words are drawn from each",
            grouped(particles as u64)
        ),
    };
    format!(
        "{} words from {} tries, {way}; {} excluded as known, {} as repeated",
        grouped(made),
        grouped(tries),
        grouped(known),
        grouped(repeated)
    )
}

/// The words that are known.
pub(crate) fn known_words(model: &TrainedModel) -> anyhow::Result<WordCounts> {
    model.known_words().map_err(|error| match error {
        LexiconError::NotStored { .. } => {
            UsageError(format!("--novel: {error}: give the words with --not-in instead")).into()
        }
        other => other.into(),
    })
}

/// An error in terms of the options.
pub(crate) fn told(error: Error) -> anyhow::Error {
    let usage = |text: String| UsageError(text).into();
    let Error::Sample(sample) = &error else { return error.into() };
    match sample {
        SampleError::Constraint(error) => constraints::told(error.clone()),
        SampleError::Spelling(SpellError::Letter { in_lower_case: true, .. }) => {
            usage(format!("--like: {error}: give --lower-case"))
        }
        SampleError::Spelling(_) => usage(format!("--like: {error}")),
        SampleError::Keep { .. } => usage(format!("--keep: {error}")),

        SampleError::NothingToScale => usage(format!("--noise: {error} (--temperature)")),
        SampleError::NothingToMaximise => usage(format!("--argmax: {error} (--temperature 0.1)")),
        SampleError::GaveUp(GaveUp { made, is_all, known, repeated, .. }) => {
            let options = [
                (!is_all, "--max-tries"),
                (*known > 0, "--novel"),
                (*known > 0, "--not-in"),
                (*repeated > 0 || *is_all && *made > 0, "--unique"),
            ];
            let options: Vec<&str> =
                options.into_iter().filter_map(|(is_one, name)| is_one.then_some(name)).collect();
            let options =
                if options.is_empty() { String::new() } else { format!(" ({})", options.join(", ")) };
            Partial(format!("{error}{options}")).into()
        }
        _ => error.into(),
    }
}

fn parse_letters(text: &str) -> Result<usize, String> {
    let expected = || format!("expected 1 to {MAX_LETTERS}");
    text.parse().ok().filter(|letters| (1..=MAX_LETTERS).contains(letters)).ok_or_else(expected)
}

fn parse_within(text: &str, range: RangeInclusive<f32>, more: &str) -> Result<f32, String> {
    let expected = || format!("expected {} to {}{more}", range.start(), range.end());
    text.parse().ok().filter(|number| range.contains(number)).ok_or_else(expected)
}

fn parse_noise(text: &str) -> Result<f32, String> {
    parse_within(text, NOISE, "")
}

fn parse_temperature(text: &str) -> Result<f32, String> {
    parse_within(text, TEMPERATURE, "; with the paper's flows the limit of zero is --argmax")
}

fn parse_distance(text: &str) -> Result<f32, String> {
    parse_within(text, DISTANCE, "")
}
