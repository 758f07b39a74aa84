//! Options that say what words must look like, for all commands that make words.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use wug::generate::{Classes, Constraint, ConstraintError, KEYWORDS, Keyword, Several};
use wug::lexicon::{Casing, Input, check_word, read_lines};

use crate::cli::{Partial, UsageError};

/// The signs of patterns, for the help of commands that have them.
pub(crate) const PATTERNS: &str = "Patterns:
  a letter is itself, ? one letter, * any letters or none
  [aeiou] one of these letters, [!aeiou] any other letter, [a-m] one from a to m
  V a vowel, C a consonant, and the names of --class
  (an|en) one of these, C{2} C{2,3} C{2,} repetitions, \\? a literal ?";

/// The library's constraints as options, and the classes that their patterns name.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConstraintArguments {
    constraints: Vec<Constraint>,
    /// Files with strings that words do not contain.
    files: Vec<PathBuf>,
    classes: Vec<(String, String)>,
}

/// The options that are no keyword of the library.
#[derive(Debug, Args)]
#[command(next_help_heading = "Constraints")]
struct MoreArguments {
    /// Strings that words do not contain, one per line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    without_file: Vec<PathBuf>,
    /// A class of letters for patterns, such as K=ptk or K='p|t|ch'; V=aeiou defines the vowels
    #[arg(long, value_name = "NAME=LETTERS", value_parser = parse_class)]
    class: Vec<(String, String)>,
}

/// The keywords that are options: strings come in files.
fn keywords() -> impl Iterator<Item = &'static Keyword> {
    KEYWORDS.iter().filter(|keyword| keyword.several != Several::Lines)
}

impl Args for ConstraintArguments {
    fn augment_args(command: Command) -> Command {
        let option = |keyword: &'static Keyword| {
            let repeats = keyword.several == Several::All;
            Arg::new(keyword.name)
                .long(keyword.name)
                .value_name(keyword.value)
                .help(keyword.help)
                .action(if repeats { ArgAction::Append } else { ArgAction::Set })
                .value_parser(move |value: &str| keyword.read(value))
        };
        let command = command.next_help_heading("Constraints").args(keywords().map(option));
        MoreArguments::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ConstraintArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given =
            |keyword: &'static Keyword| matches.get_many::<Constraint>(keyword.name).unwrap_or_default();
        let constraints = keywords().flat_map(given).cloned().collect();
        let MoreArguments { without_file: files, class: classes } = MoreArguments::from_arg_matches(matches)?;
        Ok(Self { constraints, files, classes })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ConstraintArguments {
    /// The constraints. Plain letters are turned into lower case if asked for; in patterns capital letters have a meaning.
    pub(crate) fn constraints(&self, casing: Casing) -> anyhow::Result<Vec<Constraint>> {
        let mut all = Vec::new();
        for constraint in self.constraints.iter().cloned() {
            all.push(match constraint {
                Constraint::Prefix(letters) => Constraint::Prefix(cased("--prefix", letters, casing)?),
                Constraint::Suffix(letters) => Constraint::Suffix(cased("--suffix", letters, casing)?),
                other => other,
            });
        }
        for path in &self.files {
            let strings = Input::open(path).and_then(read_lines).context("--without-file")?;
            all.push(Constraint::WithoutAny(strings.into()));
        }
        Ok(all)
    }

    /// The classes.
    pub(crate) fn classes(&self) -> anyhow::Result<Classes> {
        Classes::try_from(self.classes.clone()).map_err(told)
    }
}

/// Letters that were given, in lower case if asked for.
pub(crate) fn cased(option: &str, given: String, casing: Casing) -> Result<String, UsageError> {
    match casing {
        Casing::Keep => Ok(given),
        casing => check_word(&given, casing).map_err(|problem| UsageError(format!("{option}: {problem}"))),
    }
}

/// An error in terms of the options.
pub(crate) fn told(error: ConstraintError) -> anyhow::Error {
    match &error {
        ConstraintError::Impossible { .. } => Partial(error.to_string()).into(),
        ConstraintError::TooComplex { .. } => UsageError(error.to_string()).into(),
        // It begins with the constraint, which is the option's name and value.
        _ => UsageError(format!("--{error}")).into(),
    }
}

fn parse_class(text: &str) -> Result<(String, String), String> {
    let (name, members) = text.split_once('=').ok_or("expected a name and letters, such as K=ptk")?;
    let is_another = |at: usize| members[at + 1..].chars().nth(1) == Some('=');
    if members.match_indices(',').any(|(at, _)| is_another(at)) {
        return Err("one class at a time: give --class again for the next".to_owned());
    }
    Ok((name.to_owned(), members.to_owned()))
}
