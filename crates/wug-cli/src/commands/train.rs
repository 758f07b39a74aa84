//! `wug train`: trains a model on a list of words and shows what it makes of them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use indicatif::ProgressBar;
use wug::Config;
use wug::lexicon::Weighting;
use wug::train::Start;
use wug::train::{Completion, Event, Plan, PlanError, Report, Run, TrainRequest, Training};

use super::train_grid::{self, Axis};
use crate::cli::UsageError;
use crate::interrupt::stop_flag;
use crate::messages::Messages;
use crate::options::{LexiconArguments, Part, ThreadsArgument, load_model, number, parse_count};
use crate::output::{self, grouped};

/// Train a model on a list of words
///
/// Without arguments this trains the default model on the bundled English words and shows words that it makes.
/// Press Ctrl-C to stop; the run can be resumed.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  wug train                               the bundled words, into runs/classics-en-1
  wug train names.txt -o names            a list of your own
  wug train moons.txt --from model.safetensors    a short list, starting from what a model knows
  wug train --words 50M --seed 2          longer, with another seed
  wug train --set particles=5 --set generative.flow=tril
  wug train --grid state=16,32 --grid seed=1,2,3 -o grid    six trainings; the same again continues them
  wug train --resume -o names             continue a run that was stopped
  wug train --resume -o names --words 50M    continue it to 50 million words")]
pub(crate) struct Arguments {
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
    /// Change one setting, such as particles=5; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// The weighting of words: `tokens` (as often as they occur) or `types` (all alike)
    #[arg(long, value_name = "WEIGHT", allow_hyphen_values = true)]
    weighting: Option<Weighting>,
    /// Start from what a model has learnt: a bundled one by name, a model file or the folder of a run
    #[arg(long, value_name = "MODEL", conflicts_with = "preset")]
    from: Option<PathBuf>,
    /// Words to train on, such as 500000, 20M or 1.5M; with --resume, the new total
    #[arg(long, value_name = "N", value_parser = parse_count)]
    words: Option<u64>,
    /// Random seed
    #[arg(long, value_name = "N", value_parser = number(0..=i64::MAX as u64))]
    seed: Option<u64>,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Leave the list of words out of the model file, which then gives none of them away; `--novel`, `wug match` and percentiles
    /// need the list given again
    #[arg(long)]
    without_list: bool,
    /// Train with every combination of some settings, such as state=16,32, each in a folder of its own within that of --output;
    /// can be repeated. What is there already is continued, and what is done is not done again
    #[arg(long, value_name = "KEY=VALUES", requires = "output")]
    grid: Vec<Axis>,
    /// Train the I-th of N parts of the grid; all parts together are the grid
    #[arg(long, value_name = "I/N", requires = "grid")]
    shard: Option<Part>,
    /// Continue the run in the folder given by --output
    #[arg(long, requires = "output")]
    #[arg(conflicts_with_all = ["grid", "config", "preset", "overrides", "seed", "weighting", "from", "without_list"])]
    #[arg(conflicts_with_all = LexiconArguments::IDS)]
    resume: bool,
    #[command(flatten)]
    lexicon: LexiconArguments,
}

/// Words shown at each report, and at the end.
const SHOWN: usize = 8;
const SHOWN_AT_END: usize = 40;
/// The most bytes of a file of settings.
pub(crate) const MAX_CONFIG: u64 = 1 << 20;

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    if !arguments.grid.is_empty() {
        return run_grid(arguments, messages);
    }
    let run = prepare(arguments, messages)?;
    let stop = stop_flag()?;
    let run = train(run, &stop, messages)?;
    messages.note(format_args!("done: the model is {}", model_of(run.folder())));
    match run.training().trained_model().sample(SHOWN_AT_END, 1) {
        Ok(words) => output::print(|writer| words.iter().try_for_each(|word| writeln!(writer, "{word}"))),
        // The model is there, however bad it is.
        Err(error) => {
            messages.note(error);
            Ok(())
        }
    }
}

/// A run at its beginning, or where it was stopped.
fn prepare(arguments: &Arguments, messages: Messages) -> anyhow::Result<Run> {
    let threads = arguments.threads.count(messages);
    if arguments.resume { resume(arguments, threads, messages) } else { begin(arguments, threads, messages) }
}

/// Trains to the end.
fn train(mut run: Run, stop: &AtomicBool, messages: Messages) -> anyhow::Result<Run> {
    let mut screen = Screen::new(run.training(), messages);
    let completion = run.train(|training, event| {
        screen.show(training, event);
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    drop(screen);
    match completion? {
        Completion::Finished => {
            if run.training().stopped_early() {
                messages.note(
                    "stopped: the held-out words no longer gain; the model is the one that was best on them",
                );
            }
            Ok(run)
        }
        Completion::Cancelled => {
            let (seen, folder) = (grouped(run.training().words_seen()), run.folder().display());
            bail!("stopped after {seen} words; continue with: wug train --resume -o {folder}")
        }
    }
}

/// The trainings of a grid that are this part's, one after the other. Prints the model of each.
fn run_grid(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let stop = stop_flag()?;
    let grid = arguments.output.as_deref().unwrap_or(Path::new("."));
    let points = train_grid::points(&arguments.grid)?;
    let is_own = |place: u64| arguments.shard.is_none_or(|part| part.takes(place));
    for (point, _) in points.iter().zip(0..).filter(|(_, place)| is_own(*place)) {
        let folder = point.folder(grid);
        let mut own = Arguments { output: Some(folder.clone()), ..arguments.clone() };
        own.overrides.extend(point.overrides.iter().cloned());
        own.resume = Run::config_of(&folder).is_ok();
        if own.resume {
            // What the grid says is in the folder already.
            own.words = None;
        }
        messages.note(format_args!("{}: {}", folder.display(), point.overrides.join(", ")));
        let run = train(prepare(&own, messages)?, &stop, messages)?;
        output::print(|writer| writeln!(writer, "{}", model_of(run.folder())))?;
    }
    Ok(())
}

fn model_of(folder: &Path) -> String {
    format!("{}/model.safetensors", folder.display())
}

fn begin(arguments: &Arguments, threads: usize, messages: Messages) -> anyhow::Result<Run> {
    let source = arguments.from.as_deref().map(|from| load_model(Some(from), messages)).transpose()?;
    let plan = arguments.request()?.plan(source.as_ref()).map_err(|error| arguments.blame(error))?;
    messages.note(&plan.summary);
    let folder = match &arguments.output {
        Some(folder) => folder.clone(),
        None => new_folder(&plan.config)?,
    };
    let (run, transfer) = plan.run(&folder, threads).map_err(|error| match error {
        wug::Error::Plan(error) => arguments.blame(error),
        error => error.into(),
    })?;
    match transfer {
        Some(transfer) => messages.note(format_args!("starting from a model: {transfer}")),
        None if messages != Messages::Quiet => hint(&plan, messages),
        None => {}
    }
    describe(&run, messages);
    Ok(run)
}

impl Arguments {
    /// What is asked for.
    fn request(&self) -> anyhow::Result<TrainRequest> {
        let read = |path: &PathBuf| {
            wug::read_text(path, MAX_CONFIG).with_context(|| format!("cannot read {}", path.display()))
        };
        Ok(TrainRequest {
            preset: self.preset.clone(),
            document: self.config.as_ref().map(read).transpose()?,
            weighting: self.weighting,
            words: self.words,
            seed: self.seed,
            without_list: self.without_list,
            settings: self.overrides.clone(),
            ..self.lexicon.request()?
        })
    }

    /// The error with the option that it comes from.
    fn blame(&self, error: PlanError) -> anyhow::Error {
        let text = match error {
            PlanError::List(error) => return error.into(),
            PlanError::Preset(error) => format!("--preset: {error}"),
            PlanError::Document(error) => {
                let path = self.config.as_deref().unwrap_or(Path::new("--config"));
                format!("{}: {error}", path.display())
            }
            PlanError::Settings(error) => format!("--set: {error}"),
            PlanError::Source(error) => {
                format!("--from: {error}; leave out --set and --config for the model")
            }
            error => error.to_string(),
        };
        UsageError(text).into()
    }
}

/// Short lists are better learnt from a model of words like theirs.
fn hint(plan: &Plan<'_>, messages: Messages) {
    if let Some(Start { model, lower_case }) = plan.suggested_start() {
        let lower_case = if lower_case { "--lower-case " } else { "" };
        messages.note(format_args!(
            "the list is short: with {lower_case}--from {model} training starts from words like these, and makes better ones"
        ));
    }
}

fn resume(arguments: &Arguments, threads: usize, messages: Messages) -> anyhow::Result<Run> {
    let folder = arguments.output.as_deref().unwrap_or(Path::new("."));
    let mut run = Run::resume(folder, threads)?;
    if let Some(words) = arguments.words {
        run.set_words(words).map_err(|error| UsageError(format!("--words: {error}")))?;
    }
    messages.note(format_args!("resuming after {} words", grouped(run.training().words_seen())));
    describe(&run, messages);
    Ok(run)
}

/// Tells what is trained, and which settings are not the defaults.
fn describe(run: &Run, messages: Messages) {
    let (config, model) = (run.training().config(), run.training().model());
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

/// What is shown while the run goes on: a bar on a terminal, plain lines elsewhere.
struct Screen {
    messages: Messages,
    bar: ProgressBar,
    started: Instant,
    words_at_start: u64,
    /// Running mean of the bound.
    bound: Option<f64>,
    drawn: Instant,
}

impl Screen {
    fn new(training: &Training, messages: Messages) -> Self {
        let words_at_start = training.words_seen();
        let per_second = |state: &indicatif::ProgressState, writer: &mut dyn std::fmt::Write| {
            // Nothing can be done about a terminal that does not take text.
            let _ = write!(writer, "{}/s", grouped(state.per_sec() as u64));
        };
        let total = Some(training.total_words());
        let bar = messages.bar(total, "{bar:30} {percent}%  {per_sec} words, {eta} left  {msg}");
        bar.set_style(bar.style().with_key("per_sec", per_second));
        bar.set_position(words_at_start);
        let now = Instant::now();
        Self { messages, bar, started: now, words_at_start, bound: None, drawn: now }
    }

    fn show(&mut self, training: &Training, event: &Event) {
        let step = match event {
            Event::Step(step) => step,
            Event::Fallback(problem) => {
                self.bound = None;
                return self
                    .line(&format!("{problem}: going back to the last report with half the learning rate"));
            }
        };
        let bound = self.bound.map_or(step.bound, |mean| mean + 0.01 * (step.bound - mean));
        self.bound = Some(bound);
        if self.drawn.elapsed() > Duration::from_millis(100) {
            self.drawn = Instant::now();
            self.bar.set_position(step.words);
            self.bar.set_message(format!("bound {bound:.2}"));
        }
        if let Some(report) = &step.report {
            self.report(report, training);
        }
    }

    fn report(&self, report: &Report, training: &Training) {
        if self.messages == Messages::Quiet {
            return;
        }
        let samples = training.trained_model().sample(SHOWN, report.step).unwrap_or_default();
        let (words, total) = (report.words, training.total_words());
        let rate = (words - self.words_at_start) as f64 / self.started.elapsed().as_secs_f64();
        let left = (total.saturating_sub(words)) as f64 / rate.max(1.0);
        let position = if self.bar.is_hidden() {
            format!(
                "{:3}%  {}/s, {left:.0} s left  ",
                (100.0 * words as f64 / total.max(1) as f64) as u64,
                grouped(rate as u64)
            )
        } else {
            format!("{:>12} words  ", grouped(words))
        };
        let held_out =
            report.held_out.map_or_else(String::new, |held_out| format!("  held out {:.3}", -held_out));
        let information =
            report.information.map_or_else(String::new, |information| format!("  Ī {information:.2}"));
        self.line(&format!(
            "{position}bound {:.3}{held_out}{information}  {}",
            report.bound,
            samples.join(" ")
        ));
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
