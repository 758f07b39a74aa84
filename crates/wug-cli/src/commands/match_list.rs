//! `wug match`: pseudowords for a list of words.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, ValueHint};
use wug::AtomicFile;
use wug::lexicon::Casing;
use wug::measure::{
    BIBTEX, Column, ColumnError, Columns, Criterion, Feature, MatchRequest, Measures, Method, ScoreSettings,
    Sources,
};
use wug::{Error, Execution};

use super::sample::{known_words, told};
use super::score::{list_of, other_list};
use crate::cli::UsageError;
use crate::constraints::{ConstraintArguments, PATTERNS};
use crate::match_table;
use crate::messages::Messages;
use crate::options::{
    self, ModelArgument, Seed, ThreadsArgument, WordColumn, number, parse_seed, read_excluded,
};
use crate::output::OutputArgument;
use crate::progress::Progress;
use crate::table::{Format, listed};
use crate::words::{self, Problems, Trouble};

const EXAMPLES: &str = "Examples:
  wug match nouns.txt                                  a pseudoword for each noun
  wug match nouns.txt -n 2 -o stimuli.csv
  wug match nouns.txt --measures old20:2,log-probability --tolerance old20=0.2
  wug match nouns.txt --same first-letter,skeleton --min-edits 2 --apart 3
  wug match nouns.txt --not-in german.txt --method=method.txt";

/// Find matched pseudowords for a list of words
///
/// Each word gets pseudowords of its length that are as like it as possible in log-probability, Coltheart's N, OLD20 and bigram frequency, or
/// in the measures that are named. They are assigned optimally over the whole list: none comes twice, none is a word of the lexicon, and
/// small differences do not all go the same way. A report says how well each measure is matched, and whether words and pseudowords can
/// be told apart by their neighbours in the list (LD1NN).
#[derive(Debug, Args)]
#[command(after_help = format!("{PATTERNS}\n\n{EXAMPLES}"))]
pub(crate) struct Arguments {
    /// Lists with one word per line; `-` is standard input
    #[arg(value_name = "LIST", value_hint = ValueHint::FilePath, required = true)]
    lists: Vec<PathBuf>,
    /// Pseudowords for each word
    #[arg(short = 'n', long, value_name = "N", value_parser = number(1..=1000_usize), default_value_t = 1)]
    per_word: usize,
    #[command(flatten)]
    column: WordColumn,
    #[command(flatten)]
    model: ModelArgument,
    /// The list that words are compared with [default: the one that the model was trained on]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    lexicon: Option<PathBuf>,
    /// Convert words and the letters of --prefix and --suffix to lower case
    #[arg(long)]
    lower_case: bool,
    /// Particles for each score of a model whose scores are estimates
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_u32), default_value_t = 1000)]
    particles: u32,
    /// Random seed: another number gives other pseudowords, `random` others each time
    #[arg(long, value_name = "N", value_parser = parse_seed, default_value = "1")]
    seed: Seed,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Format of the pairs; with tsv and csv the report goes to standard error [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgument,
    /// Write a method section and references for a paper, to a file or to standard error
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    method: Option<PathBuf>,
    #[command(flatten)]
    matching: MatchArguments,
    #[command(flatten)]
    constraints: ConstraintArguments,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Matching")]
struct MatchArguments {
    /// Measures, with commas between them and weights after colons, such as old20:2,coltheart-n
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_criterion, long_help = measures_help())]
    measures: Vec<Criterion>,
    /// How far a pseudoword may be off in a measure, in its own unit: old20=0.2, coltheart-n=0
    #[arg(long, value_name = "NAME=MAX", value_parser = parse_tolerance)]
    tolerance: Vec<(Column, f64)>,
    /// What a pseudoword shares with its word: first-letter, last-letter, onset, ending, skeleton, syllables
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_feature)]
    same: Vec<Feature>,
    /// Places at which it has the word's letters: 1 is the first, -1 the last
    #[arg(long, value_name = "PLACES", value_delimiter = ',', allow_hyphen_values = true, value_parser = number(-100..=100_i32))]
    keep: Vec<i32>,
    /// The minimum number of letters that are changed between a word and its pseudoword
    #[arg(long, value_name = "N", value_parser = number(1..=100_usize), default_value_t = 1)]
    min_edits: usize,
    /// The maximum number of letters that are changed
    #[arg(long, value_name = "N", value_parser = number(1..=100_usize))]
    max_edits: Option<usize>,
    /// The minimum number of letters in which any two pseudowords differ
    #[arg(long, value_name = "N", value_parser = number(1..=100_usize), default_value_t = 1)]
    apart: usize,
    /// How often each three letters in a row of a pseudoword occur in the lexicon's words, at least
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 3)]
    attested: u64,
    /// No words of this list, language (such as de, or `all`) or Hunspell dictionary (fr.dic, with fr.aff beside it); can be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    not_in: Vec<PathBuf>,
    /// Another lexicon, such as that of a second language: for the measures other-coltheart-n and other-old20, and no words of it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    other_lexicon: Option<PathBuf>,
    /// Candidates for each group of words with the same constraints [default: some thousands]
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_usize))]
    candidates: Option<usize>,
}

fn measures_help() -> String {
    let usual: Vec<_> = Criterion::usual().iter().map(|usual| usual.measure.criterion_name()).collect();
    let names = listed(Column::all_matched(), |column| column.criterion_name().into_owned());
    format!(
        "Measures, with commas between them and weights after colons, such as old20:2,coltheart-n [default: {}]\n\nThere are:{names}",
        usual.join(","),
    )
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let model = Arc::new(arguments.model.load(messages)?);
    let list = list_of(&model, arguments.lexicon.as_deref(), messages)?;
    let problems = Problems::default();
    let own_casing = options::casing(arguments.lower_case, &model);
    let targets = targets(arguments, own_casing, &problems, messages)?;
    let other = other_list(&model, arguments.matching.other_lexicon.as_deref(), messages)?;
    let mut request = request(arguments, own_casing)?;
    for path in arguments.matching.not_in.iter().chain(&arguments.matching.other_lexicon) {
        request.excluded.push(read_excluded(path, model.known_casing(), messages).context("--not-in")?);
    }
    match known_words(&model) {
        Ok(list) => request.excluded.push(Arc::new(list)),
        // With a lexicon of one's own the model's words need not be at hand.
        Err(_) if arguments.lexicon.is_some() => {
            messages.note("the words that the model was trained on cannot be read; only words of the lexicon are excluded");
        }
        Err(error) => return Err(error),
    }
    let execution =
        Execution { seed: arguments.seed.get(messages), threads: arguments.threads.count(messages) };
    let settings =
        ScoreSettings { particles: arguments.particles as usize, execution, ..ScoreSettings::default() };
    let sources = Sources { other: other.clone(), ..Sources::new(&model, &list) };
    let measures = Measures::new(Columns::all(true, other.is_some()), sources, settings)?;
    let mut progress = Progress::of_shares(messages);
    let texts: Vec<&str> = targets.iter().map(String::as_str).collect();
    let matched = measures.match_list(&texts, &request, |so_far| {
        progress.set_share(so_far.stage.name(), so_far.share);
        ControlFlow::Continue(())
    });
    drop(progress);
    let matched = matched.map_err(|error| match error {
        Error::Match(error) => UsageError(error.to_string()).into(),
        other => told(other),
    })?;
    let format = arguments.output.format(arguments.format).unwrap_or(Format::Text);
    arguments.output.print(format, |writer| match_table::write(writer, format, &matched))?;
    if matches!(format, Format::Tsv | Format::Csv) {
        messages.note(&matched);
    }
    if let Some(path) = &arguments.method {
        let name = arguments.model.name();
        let method = Method {
            matched: &matched,
            request: &request,
            model: &model,
            model_name: &name,
            model_digest: &model.fingerprint(),
            lexicon: list.lexicon(),
            other_lexicon: other.as_ref().map(|other| &**other.lexicon()),
        };
        write_method(path, &method.to_string(), messages)?;
    }
    for target in &matched.targets {
        problems.heed_capitals(&target.target, messages);
    }
    for (word, shortage) in &matched.shortages {
        problems.tell(&format!("{word}: {shortage}"));
    }
    Ok(problems.outcome()?)
}

fn write_method(path: &Path, method: &str, messages: Messages) -> anyhow::Result<()> {
    if path.as_os_str() == "-" {
        messages.note(format_args!("\n{method}\n{BIBTEX}"));
        return Ok(());
    }
    let write = || {
        let mut file = AtomicFile::create(path)?;
        write!(file, "{method}\n{BIBTEX}")?;
        file.commit()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// The words of the lists, in their order.
fn targets(
    arguments: &Arguments,
    casing: Casing,
    problems: &Problems,
    messages: Messages,
) -> anyhow::Result<Vec<String>> {
    let mut targets = Vec::new();
    let options = arguments.column.options(casing);
    for line in arguments.lists.iter().flat_map(|path| words::lines(path, &options, messages)) {
        match line {
            Ok(line) => {
                problems.heed_spaces(&line, messages);
                targets.push(line.word);
            }
            Err(Trouble::One(problem)) => problems.tell(&problem),
            Err(Trouble::End(error)) => return Err(error.into()),
        }
    }
    Ok(targets)
}

fn request(arguments: &Arguments, casing: Casing) -> anyhow::Result<MatchRequest> {
    let MatchArguments {
        measures,
        tolerance,
        same,
        keep,
        min_edits,
        max_edits,
        apart,
        attested,
        candidates,
        ..
    } = &arguments.matching;
    let usual = MatchRequest::default();
    let mut criteria = if measures.is_empty() { usual.criteria } else { measures.clone() };
    for (measure, most) in tolerance {
        match criteria.iter_mut().find(|criterion| criterion.measure == *measure) {
            Some(criterion) => criterion.tolerance = Some(*most),
            None => criteria.push(Criterion { measure: *measure, weight: 0.0, tolerance: Some(*most) }),
        }
    }
    if max_edits.is_some_and(|most| most < *min_edits) {
        return Err(UsageError("--min-edits is more than --max-edits".into()).into());
    }
    Ok(MatchRequest {
        per_target: arguments.per_word,
        criteria,
        same: same.clone(),
        keep: keep.clone(),
        min_edits: *min_edits,
        max_edits: *max_edits,
        apart: *apart,
        attested: *attested,
        candidates: *candidates,
        constraints: arguments.constraints.constraints(casing)?,
        classes: arguments.constraints.classes()?,
        excluded: Vec::new(),
    })
}

fn parse_criterion(text: &str) -> Result<Criterion, String> {
    let (name, weight) = text.split_once(':').unwrap_or((text, "1"));
    let weight: f64 = weight
        .parse()
        .ok()
        .filter(|weight: &f64| weight.is_finite() && *weight >= 0.0)
        .ok_or("expected a weight such as 2 after the colon")?;
    let criterion = Criterion::named(name).map_err(|error| error.to_string())?;
    Ok(Criterion { weight, ..criterion })
}

fn parse_tolerance(text: &str) -> Result<(Column, f64), String> {
    let (name, most) = text.split_once('=').ok_or("expected a measure and a number, such as old20=0.2")?;
    let most: f64 =
        most.parse().ok().filter(|most| *most >= 0.0).ok_or("expected a number that is not negative")?;
    Ok((Column::matched(name).map_err(|error| error.to_string())?, most))
}

fn parse_feature(text: &str) -> Result<Feature, String> {
    text.parse().map_err(|error: ColumnError| error.to_string())
}
