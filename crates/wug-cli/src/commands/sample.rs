//! `wug sample`: makes words.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueHint};
use wug::generate::{
    Automaton, AutomatonError, Constraint, ConstraintError, MAX_LETTERS, NoiseLaw, Origin, Request, Sampler,
    Selection, SymbolChoice,
};
use wug::lexicon::{Input, read_list};
use wug::measure::ScoreSettings;
use wug::model::Kind;
use wug::{Execution, TrainedModel};

use crate::cli::{Partial, UsageError};
use crate::making::{Making, Quota};
use crate::measured;
use crate::messages::Messages;
use crate::options::{load_model, number, parse_count, threads};
use crate::output;
use crate::table::Format;

/// Make words
///
/// Words that meet constraints are distributed as the model's words given the constraints: they are not filtered out of
/// many, unless that is faster, but made by conditioning.
#[derive(Debug, Args)]
#[command(after_help = "Patterns:
  a letter is itself, ? one letter, * any letters or none
  [aeiou] one of these letters, [!aeiou] one that is none of these

Examples:
  wug sample                               words from the bundled English model
  wug sample -m runs/names-1 -n 50 --novel --unique
  wug sample --prefix wu --max-length 6
  wug sample --pattern 'q?????z'
  wug sample --pattern '[!aeiou][aeiou][!aeiou]' --novel
  wug sample --like glimmer --distance 0.1 --keep 2
  wug sample --match window -n 5 --format tsv")]
pub(crate) struct Arguments {
    /// A model file, or the folder of a run; the bundled English model if none is given
    #[arg(short, long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// How many words, such as 50 or 1M
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_count, default_value = "20")]
    words: u64,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 1)]
    seed: u64,
    /// Threads; the words do not depend on it [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    #[command(flatten)]
    constraints: ConstraintArguments,
    #[command(flatten)]
    refusals: RefusalArguments,
    #[command(flatten)]
    dials: DialArguments,
    #[command(flatten)]
    like: LikeArguments,
    /// Make words that match this one: of the same length and not known, the nearest in log-probability, Coltheart's N, OLD20 and
    /// bigram frequency among some thousands
    #[arg(long = "match", value_name = "WORD", conflicts_with_all = ["length", "min_length", "max_length"])]
    matched: Option<String>,
    /// The form of the words; tsv and json come with their statistics
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Constraints")]
struct ConstraintArguments {
    /// The letters of a word
    #[arg(long, value_name = "N", value_parser = parse_letters, conflicts_with_all = ["min_length", "max_length"])]
    length: Option<usize>,
    /// The fewest letters of a word
    #[arg(long, alias = "min-len", value_name = "N", value_parser = parse_letters)]
    min_length: Option<usize>,
    /// The most letters of a word
    #[arg(long, alias = "max-len", value_name = "N", value_parser = parse_letters)]
    max_length: Option<usize>,
    /// Letters that words begin with
    #[arg(long, value_name = "LETTERS")]
    prefix: Option<String>,
    /// Letters that words end with
    #[arg(long, value_name = "LETTERS")]
    suffix: Option<String>,
    /// What words look like from end to end
    #[arg(long, value_name = "PATTERN")]
    pattern: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Refusals")]
struct RefusalArguments {
    /// No words of the list that the model was trained on
    #[arg(long)]
    novel: bool,
    /// No words of this list; may be given several times
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    exclude: Vec<PathBuf>,
    /// No word twice
    #[arg(long)]
    unique: bool,
    /// Give up after this many tries in a row without a word that fits
    #[arg(long, value_name = "N", value_parser = parse_count, default_value = "1M")]
    max_tries: u64,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Dials")]
struct DialArguments {
    /// Scale of the noise that drives the states: less is more usual, more is stranger
    #[arg(long, value_name = "SCALE", value_parser = parse_noise, default_value_t = 1.0)]
    noise: f32,
    /// Temperature of the letters given a state
    #[arg(long, value_name = "T", value_parser = parse_temperature, default_value_t = 1.0)]
    temperature: f32,
    /// Take the most probable letter of every state, the limit of temperature zero
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

/// Draws from the posterior of a word's randomness, which words near it take in turns.
const LIKE_DRAWS: usize = 64;

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let model = load_model(arguments.model.as_deref(), messages)?;
    let threads = threads(arguments.threads, messages);
    let constraints = arguments.constraints(&model)?;
    let automaton = match constraints.as_slice() {
        [] => None,
        some => Some(Automaton::new(model.alphabet.symbol_count(), some, MAX_LETTERS).map_err(
            |error| -> anyhow::Error {
                match error {
                    AutomatonError::Impossible { .. } => Partial(error.to_string()).into(),
                    AutomatonError::TooComplex { .. } => UsageError(error.to_string()).into(),
                }
            },
        )?),
    };
    let request = Request {
        seed: arguments.seed,
        choice: arguments.dials.choice(),
        laws: arguments.laws(&model, threads)?,
        max_letters: MAX_LETTERS,
    };
    let selection = arguments.refusals.selection(&model, arguments.matched.is_some())?;
    let quota = match arguments.matched {
        None => Quota { words: arguments.words, max_tries: arguments.refusals.max_tries },
        Some(_) => measured::candidates(arguments.words),
    };
    let mut sampler = Sampler::new(model.fitted(), MAX_LETTERS, threads)?;
    let source = messages.timed("preparation", || sampler.words(request, automaton));
    match source.particles() {
        None => messages.detail("words are drawn as they come; those that do not fit are dropped"),
        Some(particles) => {
            messages.detail(format_args!(
                "words that fit are rare: they come from populations of {particles} particles"
            ));
        }
    }
    let mut making = Making::new(source, &model.alphabet, selection, quota);
    let request = measured::Request {
        model: &model,
        messages,
        format: arguments.format,
        settings: ScoreSettings {
            execution: Execution { seed: arguments.seed, threads },
            ..ScoreSettings::default()
        },
    };
    match &arguments.matched {
        Some(word) => return request.print_matches(&mut making, word, arguments.words),
        None if arguments.format != Format::Text => return request.print_words(&mut making),
        None => {}
    }
    let mut outcome = Ok(true);
    messages.timed("words", || {
        output::print(|writer| {
            while let Ok(true) = outcome {
                outcome = making.advance(&mut |word| {
                    writer.write_all(word.as_bytes())?;
                    writer.write_all(b"\n")
                })?;
                writer.flush()?;
            }
            Ok(())
        })
    })?;
    outcome?;
    Ok(())
}

impl Arguments {
    fn constraints(&self, model: &TrainedModel) -> Result<Vec<Constraint>, UsageError> {
        let alphabet = &model.alphabet;
        let ConstraintArguments { length, min_length, max_length, prefix, suffix, pattern } =
            &self.constraints;
        let (min_length, max_length) = (length.or(*min_length), length.or(*max_length));
        if let (Some(least), Some(most)) = (min_length, max_length)
            && least > most
        {
            let message = format!("--min-length {least} is more than --max-length {most}");
            return Err(UsageError(message));
        }
        let usage = |option: &str| {
            let option = option.to_owned();
            move |error: ConstraintError| UsageError(format!("--{option}: {error}"))
        };
        let mut constraints = Vec::new();
        if let Some(text) = prefix {
            constraints.push(Constraint::prefix(text, alphabet).map_err(usage("prefix"))?);
        }
        if let Some(text) = suffix {
            constraints.push(Constraint::suffix(text, alphabet).map_err(usage("suffix"))?);
        }
        if let Some(text) = pattern {
            constraints.push(Constraint::pattern(text, alphabet).map_err(usage("pattern"))?);
        }
        if let (Some(word), Some(keep)) = (&self.like.like, self.like.keep) {
            let symbols = self.like.symbols(word, model)?;
            let letters = symbols.len() - 1;
            if keep > letters {
                return Err(UsageError(format!("--keep {keep}: `{word}` has only {letters} letters")));
            }
            let kept = alphabet.decode(&symbols[..keep]);
            constraints.push(Constraint::prefix(&kept, alphabet).map_err(usage("keep"))?);
        }
        if let Some(word) = &self.matched {
            let letters = super::spell("--match", word, model)?.len() - 1;
            constraints.push(Constraint::at_least(letters, alphabet));
            constraints.push(Constraint::at_most(letters));
        } else if !constraints.is_empty() || min_length.is_some() || max_length.is_some() {
            // A word has at least one letter.
            constraints.push(Constraint::at_least(min_length.unwrap_or(1), alphabet));
            constraints.extend(max_length.map(Constraint::at_most));
        }
        Ok(constraints)
    }

    /// Laws of the noise.
    fn laws(&self, model: &TrainedModel, threads: usize) -> anyhow::Result<Vec<NoiseLaw>> {
        let noise = self.dials.noise;
        let has_noise = model.config.model.kind == Kind::StateSpace;
        if !has_noise && (noise != 1.0 || self.like.like.is_some()) {
            let message = "--noise and --like need a state space model; this one is the recurrent baseline";
            return Err(UsageError(message.into()).into());
        }
        let Some(word) = &self.like.like else { return Ok(vec![NoiseLaw::prior(noise)]) };
        let symbols = self.like.symbols(word, model)?;
        let execution = Execution { seed: self.seed, threads };
        let origins = Origin::draw(model.fitted(), &symbols, self.dials.choice(), LIKE_DRAWS, execution)?;
        Ok(origins.iter().map(|origin| NoiseLaw::around(origin, self.like.distance, noise)).collect())
    }
}

impl LikeArguments {
    fn symbols(&self, word: &str, model: &TrainedModel) -> Result<Vec<wug::lexicon::Symbol>, UsageError> {
        super::spell("--like", word, model)
    }
}

impl DialArguments {
    fn choice(&self) -> SymbolChoice {
        match (self.argmax, self.temperature) {
            (true, _) => SymbolChoice::Argmax,
            (false, 1.0) => SymbolChoice::Sampled,
            (false, temperature) => SymbolChoice::Tempered(temperature),
        }
    }
}

impl RefusalArguments {
    /// Which words to let pass; for a match, new and different ones only.
    fn selection(&self, model: &TrainedModel, for_match: bool) -> anyhow::Result<Selection> {
        let mut known = Vec::new();
        if self.novel || for_match {
            let data = &model.config.data;
            if data.lexicon == "-" {
                let message = "--novel, --match: the model's words came from standard input; leave out --novel and give them with --exclude";
                return Err(UsageError(message.into()).into());
            }
            let list = data.check_stored().and_then(|()| data.read_unfiltered()).with_context(|| {
                format!(
                    "--novel and --match need the words that the model was trained on: {}, as seen from where it was trained. Go \
                     there, or leave out --novel and give the words with --exclude",
                    data.lexicon
                )
            })?;
            known.push(list);
        }
        for path in &self.exclude {
            known.push(read_list(Input::open(path)?, model.config.data.lower_case).context("--exclude")?);
        }
        Ok(Selection::new(known, self.unique || for_match))
    }
}

fn parse_letters(text: &str) -> Result<usize, String> {
    let expected = || format!("expected 1 to {MAX_LETTERS}");
    text.parse().ok().filter(|letters| (1..=MAX_LETTERS).contains(letters)).ok_or_else(expected)
}

fn parse_within(text: &str, least: f32, most: f32, expected: &str) -> Result<f32, String> {
    text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| expected.to_owned())
}

fn parse_noise(text: &str) -> Result<f32, String> {
    parse_within(text, 0.0, 10.0, "expected 0 to 10")
}

fn parse_temperature(text: &str) -> Result<f32, String> {
    parse_within(text, 0.01, 100.0, "expected 0.01 to 100; the limit of zero is --argmax")
}

fn parse_distance(text: &str) -> Result<f32, String> {
    parse_within(text, 0.0, 1.0, "expected 0 to 1")
}
