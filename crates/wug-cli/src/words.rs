//! Words from arguments, files and standard input, one after the other, with an account of those that are none.

use std::cell::Cell;
use std::fmt;
use std::path::{Path, PathBuf};

use wug::lexicon::{Input, LexiconError, ListLine, ListLines, ListOptions, check_word};
use wug::measure::MeasuredWord;

use crate::cli::Partial;
use crate::messages::{self, Messages};
use crate::output::grouped;

/// Problems that are shown; the rest is counted.
const SHOWN: u64 = 20;

/// A word and where it was found.
pub(crate) struct Found {
    pub(crate) place: String,
    pub(crate) word: String,
    /// The second column of its line.
    pub(crate) second: Option<String>,
    /// Whether the columns are set apart by spaces alone, so that this may be a name of two words.
    pub(crate) is_spaced: bool,
}

/// Where it was found.
impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.place)
    }
}

impl AsRef<str> for Found {
    fn as_ref(&self) -> &str {
        &self.word
    }
}

/// Why there is no word.
pub(crate) enum Trouble {
    /// A line or an argument is none; others may be.
    One(String),
    /// Nothing more can be read.
    End(LexiconError),
}

/// All words: those of the arguments, then those of the files; standard input if there are neither.
pub(crate) fn all<'a>(
    words: &'a [String],
    files: &'a [PathBuf],
    options: &'a ListOptions,
    messages: Messages,
) -> impl Iterator<Item = Result<Found, Trouble>> + 'a {
    let arguments = (1..).zip(words).map(move |(number, word)| {
        let place = format!("argument {number}");
        match check_word(word, options.casing) {
            Ok(word) => Ok(Found { place, word, second: None, is_spaced: false }),
            Err(problem) => Err(Trouble::One(format!("{place}: {problem}"))),
        }
    });
    let stdin = (words.is_empty() && files.is_empty()).then(|| PathBuf::from("-"));
    arguments.chain(files.iter().cloned().chain(stdin).flat_map(move |path| lines(&path, options, messages)))
}

/// The words of one file. What was found out about it is said.
pub(crate) fn lines(
    path: &Path,
    options: &ListOptions,
    messages: Messages,
) -> Box<dyn Iterator<Item = Result<Found, Trouble>>> {
    let input = match Input::open(path) {
        Ok(input) => input,
        Err(error) => return Box::new(std::iter::once(Err(Trouble::End(error)))),
    };
    let mut lines = ListLines::new(input, options.clone());
    let mut is_said = false;
    Box::new(std::iter::from_fn(move || {
        let line = lines.next();
        if !std::mem::replace(&mut is_said, true)
            && let Some(note) = lines.note()
        {
            messages.note(note);
        }
        Some(match line? {
            Ok(ListLine { place, word, second, is_spaced, .. }) => {
                Ok(Found { place: place.to_string(), word, second, is_spaced })
            }
            Err(error) => Err(Trouble::of(error)),
        })
    }))
}

impl Trouble {
    pub(crate) fn of(error: LexiconError) -> Self {
        if error.is_about_one_line() { Self::One(error.to_string()) } else { Self::End(error) }
    }
}

/// What went wrong with single words, told on standard error as it comes up.
#[derive(Default)]
pub(crate) struct Problems {
    count: Cell<u64>,
    told_spaces: Cell<bool>,
    told_capitals: Cell<bool>,
}

impl Problems {
    /// Tells of a problem.
    pub(crate) fn tell(&self, problem: &str) {
        self.count.update(|count| count + 1);
        if self.count.get() <= SHOWN {
            messages::error(problem);
        }
    }

    /// Says once how a line with spaces in it is understood: it may have been meant as a name of two words.
    pub(crate) fn heed_spaces(&self, found: &Found, messages: Messages) {
        if let (true, Some(second)) = (found.is_spaced && !self.told_spaces.replace(true), &found.second) {
            let Found { place, word, .. } = found;
            messages.note(format_args!(
                "{place}: of `{word} {second}` the word is {word}; names of several words are joined, as in {word}-{second}"
            ));
        }
    }

    /// Says once that capital letters make no difference, if a word has some and is spelt without.
    pub(crate) fn heed_capitals(&self, word: &MeasuredWord, messages: Messages) {
        if word.word != word.spelling.concat() && !self.told_capitals.replace(true) {
            messages.note(format_args!(
                "{} is measured as {}: there are no capital letters in what words are measured by",
                word.word,
                word.spelling.concat()
            ));
        }
    }

    /// The outcome of a command that left out words with problems.
    pub(crate) fn outcome(&self) -> Result<(), Partial> {
        match self.count.get() {
            0 => Ok(()),
            1 => Err(Partial("1 word or line was left out".into())),
            count => Err(Partial(format!("{} words or lines were left out", grouped(count)))),
        }
    }
}
