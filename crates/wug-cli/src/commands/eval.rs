//! `wug eval`: measures a model.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use wug::evaluate::{Context, Metric, Settings, evaluate};
use wug::lexicon::Lexicon;
use wug::{DataConfig, TrainedModel};

use crate::messages::Messages;
use crate::options::{LexiconArguments, ModelArgument, ThreadsArgument, number, parse_count};
use crate::progress::Progress;
use crate::report::print_report;
use crate::table::Format;

/// Measure a model: cross entropies, w∈V, information, n-gram perplexities
///
/// The words, their filter and their split are those that the model was trained with, unless you give others.
/// Cross entropies are in nats per word, information in bits.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug eval -m runs/classics-en-1                   all metrics
  wug eval -m model.safetensors --metrics cross-entropy --trajectories 1M
  wug eval -m model.safetensors other.tsv --format json > report.json")]
#[command(mut_arg("lexicon", |lexicon| lexicon.help(
    "Another list, with `word` or `word<TAB>count` on each line, plain, gzip or zstd; `-` is standard input; the model's own words if \
     none is given"
)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArgument,
    /// Metrics, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = metric_names())]
    metrics: Vec<String>,
    /// Shared trajectories, such as 100k or 1M
    #[arg(long, value_name = "K", value_parser = parse_count, default_value = "100k")]
    trajectories: u64,
    /// Particles for each word of the particle filter
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_u32), default_value_t = 1000)]
    particles: u32,
    /// Words drawn from each part for the particle filter, or `all` for the whole parts
    #[arg(long, value_name = "N", value_parser = parse_draws, default_value = "10k")]
    draws: usize,
    /// Random seed
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    lexicon: LexiconArguments,
}

fn metric_names() -> PossibleValuesParser {
    Metric::ALL.map(|metric| PossibleValue::new(metric.name).help(metric.about)).into()
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let metrics = if arguments.metrics.is_empty() {
        Metric::ALL.to_vec()
    } else {
        arguments.metrics.iter().map(|name| Metric::find(name)).collect::<Result<_, _>>()?
    };
    let model = arguments.model.load(messages)?;
    let mut data = model.config.data.clone();
    arguments.lexicon.apply(&mut data)?;
    let lexicon = words(&arguments.lexicon, &model, &data, messages)?;
    if lexicon.digest() != model.provenance.lexicon_digest {
        messages.note("these are not the words that the model was trained on");
    }
    let settings = Settings {
        trajectories: arguments.trajectories,
        particles: arguments.particles as usize,
        draws: arguments.draws,
        seed: arguments.seed,
        threads: arguments.threads.count(messages),
        ..Settings::default()
    };
    let context = Context::new(&model, &data, &lexicon, settings)?;
    let mut progress = Progress::of_shares(messages);
    let report = evaluate(&context, &metrics, |name, share| progress.set_share(name, share))?;
    drop(progress);
    print_report(arguments.format, &report, |writer| write!(writer, "{report}"))
}

/// The words to measure on: a list of your own, or the model's own words, which another filter may choose from.
fn words(
    arguments: &LexiconArguments,
    model: &TrainedModel,
    data: &DataConfig,
    messages: Messages,
) -> anyhow::Result<Lexicon> {
    let (lexicon, summary) = if arguments.is_list_given() {
        data.read()?
    } else if data.filter() == model.config.data.filter() {
        return Ok(model.lexicon()?);
    } else {
        model.training_list()?.into_lexicon(&data.filter())?
    };
    messages.note(summary);
    Ok(lexicon)
}

fn parse_draws(text: &str) -> Result<usize, String> {
    if text == "all" {
        return Ok(0);
    }
    usize::try_from(parse_count(text)?).map_err(|error| error.to_string())
}
