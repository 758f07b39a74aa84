//! Options that say what words must look like, for all commands that make words.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueHint};
use wug::generate::{Classes, Constraint, ConstraintError, MAX_LETTERS};
use wug::lexicon::{Casing, Input, check_word, read_lines};

use crate::cli::{Partial, UsageError};

/// The signs of patterns, for the help of commands that have them.
pub(crate) const PATTERNS: &str = "Patterns:
  a letter is itself, ? one letter, * any letters or none
  [aeiou] one of these letters, [!aeiou] any other letter, [a-m] one from a to m
  V a vowel, C a consonant, and the names of --class
  (an|en) one of these, C{2} C{2,3} C{2,} repetitions, \\? a literal ?";

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Constraints")]
pub(crate) struct ConstraintArguments {
    /// A pattern for the whole word
    #[arg(long, value_name = "PATTERN")]
    pattern: Vec<String>,
    /// A pattern that the whole word must not match
    #[arg(long, value_name = "PATTERN")]
    not_pattern: Vec<String>,
    /// Letters that words begin with
    #[arg(long, value_name = "LETTERS")]
    prefix: Option<String>,
    /// Letters that words end with
    #[arg(long, value_name = "LETTERS")]
    suffix: Option<String>,
    /// A pattern that words contain
    #[arg(long, value_name = "PATTERN")]
    containing: Vec<String>,
    /// A pattern that words do not contain, such as 'sex|xx', '[qx]' or 'C{4}'
    #[arg(long, value_name = "PATTERN")]
    without: Vec<String>,
    /// Strings that words do not contain, one per line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    without_file: Vec<PathBuf>,
    /// Groups of vowels in a word, roughly its syllables: 2 or 2-3
    #[arg(long, value_name = "N", value_parser = parse_range)]
    syllables: Option<(usize, usize)>,
    /// A class of letters for patterns, such as K=ptk or K='p|t|ch'; V=aeiou defines the vowels
    #[arg(long, value_name = "NAME=LETTERS", value_parser = parse_class)]
    class: Vec<(String, String)>,
}

impl ConstraintArguments {
    /// The constraints. Plain letters are turned into lower case if asked for; in patterns capital letters have a meaning.
    pub(crate) fn constraints(&self, casing: Casing) -> anyhow::Result<Vec<Constraint>> {
        let Self {
            pattern, not_pattern, prefix, suffix, containing, without, without_file, syllables, ..
        } = self;
        let every =
            |texts: &[String], kind: fn(String) -> Constraint| texts.iter().cloned().map(kind).collect();
        let mut all: Vec<Constraint> = every(pattern, Constraint::Pattern);
        all.extend::<Vec<_>>(every(not_pattern, Constraint::NotPattern));
        all.extend(cased("--prefix", prefix.as_deref(), casing)?.map(Constraint::Prefix));
        all.extend(cased("--suffix", suffix.as_deref(), casing)?.map(Constraint::Suffix));
        all.extend::<Vec<_>>(every(containing, Constraint::Containing));
        all.extend::<Vec<_>>(every(without, Constraint::Without));
        for path in without_file {
            let strings = Input::open(path).and_then(read_lines).context("--without-file")?;
            all.push(Constraint::WithoutAny { name: path.display().to_string(), strings: strings.into() });
        }
        all.extend(syllables.map(|(least, most)| Constraint::Syllables { least, most }));
        Ok(all)
    }

    /// The classes.
    pub(crate) fn classes(&self) -> anyhow::Result<Classes> {
        let mut classes = Classes::default();
        for (name, members) in &self.class {
            classes.define(name, members).map_err(told)?;
        }
        Ok(classes)
    }
}

/// Letters that were given, in lower case if asked for.
pub(crate) fn cased(option: &str, given: Option<&str>, casing: Casing) -> Result<Option<String>, UsageError> {
    match given {
        Some(letters) if casing != Casing::Keep => {
            let letters =
                check_word(letters, casing).map_err(|problem| UsageError(format!("{option}: {problem}")))?;
            Ok(Some(letters))
        }
        given => Ok(given.map(str::to_owned)),
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

/// One number, or two with a hyphen between them.
fn parse_range(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.trim().parse().ok().filter(|&number: &usize| number <= MAX_LETTERS);
    let pair = match text.split_once('-') {
        None => number(text).map(|only| (only, only)),
        Some((least, most)) => number(least).zip(number(most)),
    };
    pair.filter(|(least, most)| least <= most).ok_or_else(|| {
        format!("expected a number up to {MAX_LETTERS}, or two such as 2-3, the smaller first")
    })
}

fn parse_class(text: &str) -> Result<(String, String), String> {
    let (name, members) = text.split_once('=').ok_or("expected a name and letters, such as K=ptk")?;
    Ok((name.to_owned(), members.to_owned()))
}
