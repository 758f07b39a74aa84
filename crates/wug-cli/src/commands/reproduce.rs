//! `wug reproduce`: runs the paper's tables and figures again and reports on them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, anyhow, bail};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, ValueHint};
use wug_reproduce::{
    Error, Event, Folder, Plan, PlannedRun, Profile, run_all, selectable, share_out, write_report,
};

use crate::cli::{Partial, UsageError};
use crate::commands::train::MAX_CONFIG;
use crate::interrupt::stop_flag;
use crate::messages::Messages;
use crate::options::{Part, ThreadsArgument, number, parse_count};
use crate::output::{self, grouped};
use crate::run_progress::RunProgress;

/// Run the paper's tables and figures again
///
/// Trains and measures every row of Tables 1 to 3, several runs at a time, and writes a report that sets the results beside
/// the paper's. Finished runs are kept and interrupted runs continue, so you can stop and repeat the command at any time.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug reproduce                                        everything once; the paper's rows take half an hour on two cores
  wug reproduce --profile full                         longer runs, two or three of each row
  wug reproduce table3 2xtril-k10                      some tables or rows only
  wug reproduce tril --words 500k                      a short look at one row
  wug reproduce --profile full --list | parallel       the same with GNU parallel
  wug reproduce --profile full --shard 2/8 -o part2    an eighth of the runs, elsewhere
  wug reproduce --merge part1 part2 -o all             collect the parts and report")]
pub(crate) struct Arguments {
    /// What to run: table1, table2, table3, figure1, figure2, beyond, a row such as tril-k5, or one run of it such as
    /// tril-k5-s1 [default: everything]
    #[arg(value_name = "NAME", value_parser = Offered(selectable().collect()), hide_possible_values = true)]
    selection: Vec<String>,
    /// Folder of the reproduction [default: runs/reproduce-PROFILE]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
    /// How long to train and how hard to measure: quick, full, or a file such as profiles/quick.toml
    #[arg(long, value_name = "NAME", default_value = "quick")]
    #[arg(value_parser = Offered(profile_names().collect()), hide_possible_values = true)]
    profile: String,
    /// So many runs of each row, instead of the profile's number
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    seeds: Option<u64>,
    /// Words that each run sees, such as 500k or 12M, instead of the profile's number
    #[arg(long, value_name = "N", value_parser = parse_count)]
    words: Option<u64>,
    /// Change a setting of every run, such as model.state=16; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print a command for each missing run, and run nothing
    #[arg(long)]
    list: bool,
    /// Do the i-th of n parts of the runs
    #[arg(long, value_name = "I/N")]
    shard: Option<Part>,
    /// Copy the results of these folders, write the report, and run nothing
    #[arg(long, value_name = "DIR", num_args = 1.., value_hint = ValueHint::DirPath)]
    #[arg(conflicts_with_all = ["list", "shard", "threads"])]
    merge: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let plan = Plan {
        profile: profile(arguments)?,
        overrides: arguments.overrides.clone(),
        selection: arguments.selection.clone(),
    };
    let runs = plan.runs().map_err(|error| match error {
        Error::Seed => UsageError(format!("--set: {error} (--seeds)")),
        Error::Wug(_) => UsageError(format!("--set: {error}")),
        _ => UsageError(error.to_string()),
    })?;
    let runs = match arguments.shard {
        Some(Part { number, count }) => share_out(runs, number, count),
        None => runs,
    };
    let place = arguments.place()?;
    let effort = plan.profile.evaluation;
    if !arguments.merge.is_empty() {
        return merge(arguments, &place, runs, messages);
    }
    let folder = Folder::at(&place);
    let missing = folder.missing(runs.clone(), effort).map_err(told)?;
    if arguments.list {
        return output::print(|writer| {
            missing.iter().try_for_each(|run| writeln!(writer, "{}", arguments.command_for(run, &place)))
        });
    }
    let threads = arguments.threads.count(messages);
    messages.note(format_args!("{} runs, {} of them done already", runs.len(), runs.len() - missing.len()));
    describe(&plan, &missing, messages);
    folder.create()?;
    let stop = stop_flag()?;
    let progress = Mutex::new(RunProgress::new(&missing, messages));
    let done = run_all(&folder, missing, effort, threads, &stop, &|event| {
        let mut progress = progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match event {
            Event::Progress(run, share) => progress.set(run, share),
            Event::Done(run, result) => progress.done(run, result),
        }
    })
    .map_err(told)?;
    if !done {
        bail!("stopped; give the same command again to go on");
    }
    report(&folder)
}

/// An error in terms of the options.
fn told(error: Error) -> anyhow::Error {
    let cause = if let Error::RunFailed { source, .. } = &error { source } else { &error };
    let other_settings = matches!(cause, Error::OtherSettings { .. });
    let error = anyhow::Error::from(error);
    if other_settings { anyhow!("{error:#} (--out)") } else { error }
}

/// Tells what every run is like, and which are to be done.
fn describe(plan: &Plan, missing: &[PlannedRun], messages: Messages) {
    let Profile { words, evaluation, .. } = &plan.profile;
    messages.detail(format_args!(
        "{} words for each run; measured with {} trajectories, and {} particles on {} words of each part",
        grouped(*words),
        grouped(evaluation.trajectories),
        grouped(evaluation.particles as u64),
        grouped(evaluation.draws as u64)
    ));
    let names: Vec<String> = missing.iter().map(PlannedRun::name).collect();
    messages.detail(format_args!("to do: {}", names.join(" ")));
}

fn merge(
    arguments: &Arguments,
    place: &Path,
    runs: Vec<PlannedRun>,
    messages: Messages,
) -> anyhow::Result<()> {
    let mut others = Vec::new();
    for path in &arguments.merge {
        if !path.join("runs").is_dir() {
            let message = format!("--merge: {} holds no results of `wug reproduce`", path.display());
            return Err(UsageError(message).into());
        }
        others.push(Folder::at(path));
    }
    let folder = Folder::at(place);
    let taken = folder.merge(&others)?;
    messages.note(format_args!("{taken} results taken over"));
    report(&folder)?;
    let done: Vec<String> = folder.load()?.iter().map(|result| result.name()).collect();
    let missing: Vec<String> =
        runs.iter().map(PlannedRun::name).filter(|name| !done.contains(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let count = missing.len();
    Err(Partial(format!("{count} runs are missing from the report: {}", missing.join(", "))).into())
}

/// Makes the report and tells where it is.
fn report(folder: &Folder) -> anyhow::Result<()> {
    write_report(folder)?;
    output::print(|writer| writeln!(writer, "{}", folder.file("report.html").display()))
}

fn profile_names() -> impl Iterator<Item = &'static str> {
    Profile::BUNDLED.iter().map(|profile| profile.0)
}

fn profile(arguments: &Arguments) -> anyhow::Result<Profile> {
    let name = &arguments.profile;
    let bundled =
        Profile::BUNDLED.iter().find(|profile| profile.0 == name).map(|profile| profile.1.to_owned());
    let text = match bundled {
        Some(text) => text,
        None => wug::read_text(Path::new(name), MAX_CONFIG)
            .with_context(|| {
                let meant = wug::nearest_name(name, profile_names());
                let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean `{meant}`?)"));
                format!("--profile {name}{meant}: neither quick nor full, and no file that can be read")
            })
            .map_err(|error| UsageError(format!("{error:#}")))?,
    };
    let profile =
        Profile::from_toml(&text).map_err(|error| UsageError(format!("--profile {name}: {error}")))?;
    let Profile { seeds, words, .. } = profile;
    Ok(Profile { seeds: arguments.seeds.or(seeds), words: arguments.words.unwrap_or(words), ..profile })
}

impl Arguments {
    /// The folder of the reproduction.
    fn place(&self) -> anyhow::Result<PathBuf> {
        if let Some(path) = &self.out {
            return Ok(path.clone());
        }
        let name = Path::new(&self.profile).file_stem().and_then(|stem| stem.to_str());
        let name = name.with_context(|| format!("--profile {}: no name of a file", self.profile))?;
        Ok(Path::new("runs").join(format!("reproduce-{name}")))
    }

    /// The command that does one run alone.
    fn command_for(&self, run: &PlannedRun, place: &Path) -> String {
        let program = std::env::args().next().unwrap_or_else(|| "wug".into());
        let mut words = vec![program, "reproduce".into(), run.name()];
        words.extend(["--profile".into(), self.profile.clone()]);
        if run.config.train.seed > 1 {
            words.extend(["--seeds".into(), run.config.train.seed.to_string()]);
        }
        words.extend(self.words.iter().flat_map(|count| ["--words".to_owned(), count.to_string()]));
        words.extend(self.overrides.iter().flat_map(|change| ["--set".to_owned(), change.clone()]));
        words.extend(["--threads".into(), "1".into(), "--out".into(), place.display().to_string()]);
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("runs/a-1"), "runs/a-1");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}

/// Takes any text, and tells shells some that they may offer.
#[derive(Clone)]
struct Offered(Vec<&'static str>);

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}
