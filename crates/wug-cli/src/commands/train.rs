//! `wug train`: trains a model on a list of words and shows what it makes of them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use indicatif::ProgressBar;
use wug::Config;
use wug::generate::Sampler;
use wug::lexicon::{Alphabet, Lexicon};
use wug::model::Fitted;
use wug::train::{Event, Metrics, Outcome, Run, Trainer, Trial};

use crate::cli::UsageError;
use crate::interrupt::stop_flag;
use crate::messages::Messages;
use crate::options::{LexiconArguments, number, parse_count, threads};
use crate::output::{self, grouped};

/// Train a model on a list of words
///
/// Without arguments this trains the default model on the bundled English words and shows words that it makes.
/// Press Ctrl-C to stop; the run can be resumed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug train                               the bundled words, into runs/classics-en-1
  wug train names.txt -o names            a list of one's own
  wug train --words 50M --seed 2          longer, with another seed
  wug train --set particles=5 --set generative.flow=tril
  wug train --resume -o names             go on with a run that was stopped")]
pub(crate) struct Arguments {
    #[command(flatten)]
    lexicon: LexiconArguments,
    /// Folder of the run [default: a new one under runs/]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
    /// Settings in TOML; what the file does not set keeps its default
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
    /// A named configuration: our own by size of the states, or a row of the paper's tables
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    #[arg(value_parser = PossibleValuesParser::new(Config::presets()))]
    preset: Option<String>,
    /// Change one setting, such as particles=5; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Words to be seen in training, such as 500000, 20M or 1.5M
    #[arg(long, value_name = "N", value_parser = parse_count)]
    words: Option<u64>,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", value_parser = number(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Threads; results do not depend on it [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    /// Go on with the run in the folder given by --output
    #[arg(long, requires = "output", conflicts_with_all = ["config", "preset", "overrides", "words", "seed"])]
    #[arg(conflicts_with_all = LexiconArguments::IDS)]
    resume: bool,
}

/// Words shown at each report, and at the end.
const SHOWN: usize = 8;
const SHOWN_AT_END: usize = 40;
/// The most bytes of a file of settings.
pub(crate) const MAX_CONFIG: u64 = 1 << 20;
/// Letters after which a sample is cut.
const MAX_LETTERS: usize = 60;

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let threads = threads(arguments.threads, messages);
    let (mut run, lexicon) = if arguments.resume {
        resume(arguments, threads, messages)?
    } else {
        begin(arguments, threads, messages)?
    };
    let stop = stop_flag()?;
    let mut screen = Screen::new(&run, lexicon.alphabet().clone(), messages);
    let outcome = run.train(&stop, |event| screen.show(event));
    drop(screen);
    let folder = run.folder().display();
    match outcome? {
        Outcome::Done => {
            messages.note(format_args!("done: the model is {folder}/model.safetensors"));
            let words = samples(run.trainer(), lexicon.alphabet(), SHOWN_AT_END, u64::MAX)?;
            output::print(|writer| words.iter().try_for_each(|word| writeln!(writer, "{word}")))
        }
        Outcome::Interrupted => {
            let seen = grouped(run.trainer().words_drawn());
            bail!("stopped after {seen} words; go on with: wug train --resume -o {folder}")
        }
    }
}

fn begin(arguments: &Arguments, threads: usize, messages: Messages) -> anyhow::Result<(Run, Lexicon)> {
    let mut config = match &arguments.preset {
        Some(name) => Config::preset(name).map_err(|error| UsageError(format!("--preset: {error}")))?,
        None => Config::default(),
    };
    arguments.lexicon.own_list(&mut config.data);
    if let Some(path) = &arguments.config {
        let text =
            wug::read_text(path, MAX_CONFIG).with_context(|| format!("cannot read {}", path.display()))?;
        config =
            config.with_toml(&text).map_err(|error| UsageError(format!("{}: {error}", path.display())))?;
    }
    arguments.lexicon.apply(&mut config.data)?;
    config.train.words = arguments.words.unwrap_or(config.train.words);
    config.train.seed = arguments.seed.unwrap_or(config.train.seed);
    config.check().map_err(|error| UsageError(error.to_string()))?;
    let config =
        config.with_overrides(&arguments.overrides).map_err(|error| UsageError(format!("--set: {error}")))?;
    let folder = match &arguments.output {
        Some(folder) => folder.clone(),
        None => new_folder(&config)?,
    };
    let (lexicon, summary) = config.data.read()?;
    messages.note(summary);
    let run = Run::create(&folder, &config, &lexicon, threads)?;
    describe(&run, messages);
    if config.train.starts > 1 {
        let words = grouped(config.train.trial_words());
        messages.note(format_args!(
            "trying {} starts on {words} words each; the best goes on",
            config.train.starts
        ));
    }
    Ok((run, lexicon))
}

fn resume(arguments: &Arguments, threads: usize, messages: Messages) -> anyhow::Result<(Run, Lexicon)> {
    let folder = arguments.output.as_deref().unwrap_or(Path::new("."));
    let config = Run::config_of(folder)?;
    if config.data.lexicon == "-" {
        bail!("the run's words came from standard input, so it cannot be resumed");
    }
    config.data.check_stored()?;
    let (lexicon, _) = config.data.read()?;
    let run = Run::resume(folder, &lexicon, threads)?;
    messages.note(format_args!("resuming after {} words", grouped(run.trainer().words_drawn())));
    describe(&run, messages);
    Ok((run, lexicon))
}

/// Tells what is trained, and which settings are not the defaults.
fn describe(run: &Run, messages: Messages) {
    let (config, model) = (run.config(), run.trainer().model());
    messages.detail(format_args!(
        "{}: {} parameters, {} steps of {} words, seed {}",
        config.model.kind.name(),
        grouped(model.params().len() as u64),
        grouped(config.train.steps()),
        config.train.batch,
        config.train.seed,
    ));
    let changes = config.changes().unwrap_or_default();
    let changes = if changes.is_empty() { "none".to_owned() } else { changes.join(", ") };
    messages.detail(format_args!("settings that are not the defaults: {changes}"));
    messages.detail(format_args!("folder: {}", run.folder().display()));
}

/// The first folder under `runs/` with the list's name and a free number.
fn new_folder(config: &Config) -> anyhow::Result<PathBuf> {
    let name = Path::new(&config.data.lexicon).file_stem().and_then(|stem| stem.to_str());
    let name = name.filter(|name| *name != "-").unwrap_or("words");
    (1..10_000)
        .map(|number| Path::new("runs").join(format!("{name}-{number}")))
        .find(|folder| !folder.exists())
        .context("runs/ is full; give a folder with --output")
}

/// Words of the model as it is now; `seed` varies from report to report.
fn samples(trainer: &Trainer, alphabet: &Alphabet, count: usize, seed: u64) -> anyhow::Result<Vec<String>> {
    let parameters = trainer.parameters();
    let mut sampler = Sampler::new(Fitted::new(trainer.model(), &parameters), MAX_LETTERS, 1)?;
    let mut words = Vec::new();
    // A word that ended at once is none; a model at its beginning may make many of them.
    for round in 0..10 {
        let drawn = sampler.draw(seed, round * count as u64, count);
        words.extend(drawn.iter().filter(|word| !word.is_empty()).map(|word| alphabet.decode(word)));
        if words.len() >= count {
            break;
        }
    }
    words.truncate(count);
    Ok(words)
}

/// What is shown while the run goes on: a bar on a terminal, plain lines elsewhere.
struct Screen {
    messages: Messages,
    bar: ProgressBar,
    alphabet: Alphabet,
    started: Instant,
    words_at_start: u64,
    total: u64,
    starts: usize,
    /// Running mean of the bound.
    bound: Option<f64>,
    drawn: Instant,
}

impl Screen {
    fn new(run: &Run, alphabet: Alphabet, messages: Messages) -> Self {
        let total = run.config().train.words_in_all();
        let words_at_start = run.trainer().words_drawn();
        let per_second = |state: &indicatif::ProgressState, writer: &mut dyn std::fmt::Write| {
            // Nothing can be done about a terminal that does not take text.
            let _ = write!(writer, "{}/s", grouped(state.per_sec() as u64));
        };
        let bar = messages.bar(Some(total), "{bar:30} {percent}%  {per_sec} words, {eta} left  {msg}");
        bar.set_style(bar.style().with_key("per_sec", per_second));
        bar.set_position(words_at_start);
        let (now, starts) = (Instant::now(), run.config().train.starts);
        Self { messages, bar, alphabet, started: now, words_at_start, total, starts, bound: None, drawn: now }
    }

    fn show(&mut self, event: Event<'_>) {
        match event {
            Event::Step { words, bound } => {
                self.bound = Some(self.bound.map_or(bound, |mean| mean + 0.01 * (bound - mean)));
                if self.drawn.elapsed() > Duration::from_millis(100) {
                    self.drawn = Instant::now();
                    self.bar.set_position(words);
                    self.bar.set_message(format!("bound {:.2}", self.bound.unwrap_or_default()));
                }
            }
            Event::Trial(Trial { start, bound, chosen }) => {
                let bound =
                    bound.map_or_else(|| "out of bounds".to_owned(), |bound| format!("bound {bound:.3}"));
                self.line(&format!("start {} of {}: {bound}", start + 1, self.starts));
                if let Some(chosen) = chosen {
                    self.line(&format!("start {} is the best and goes on", chosen + 1));
                }
                self.bound = None;
            }
            Event::Report(metrics, trainer) => self.report(metrics, trainer),
            Event::Fallback(problem) => {
                self.line(&format!("{problem}: going back to the last report with half the step size"));
            }
        }
    }

    fn report(&self, metrics: &Metrics, trainer: &Trainer) {
        let words = samples(trainer, &self.alphabet, SHOWN, metrics.step).unwrap_or_default();
        let drawn = trainer.words_drawn();
        let rate = (drawn - self.words_at_start) as f64 / self.started.elapsed().as_secs_f64();
        let left = (self.total.saturating_sub(drawn)) as f64 / rate.max(1.0);
        let position = if self.bar.is_hidden() {
            format!(
                "{:3}%  {}/s, {left:.0} s left  ",
                (100.0 * drawn as f64 / self.total.max(1) as f64) as u64,
                grouped(rate as u64)
            )
        } else {
            format!("{:>12} words  ", grouped(drawn))
        };
        let information =
            metrics.information.map_or_else(String::new, |information| format!("  Ī {information:.2}"));
        self.line(&format!("{position}bound {:.3}{information}  {}", metrics.bound, words.join(" ")));
    }

    fn line(&self, text: &str) {
        if self.bar.is_hidden() {
            self.messages.note(text);
        } else {
            self.bar.println(text);
        }
    }
}

/// The bar goes with the work, however it ends.
impl Drop for Screen {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
