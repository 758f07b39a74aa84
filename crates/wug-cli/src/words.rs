//! Words from arguments, files and standard input, one after the other, with an account of those that are none.

use std::path::PathBuf;

use wug::lexicon::{Input, LexiconError, ListLine, ListLines, Place, check_word};

use crate::cli::Partial;
use crate::output::grouped;

/// Problems that are shown; the rest is counted.
const SHOWN: u64 = 20;

/// All words: those of the arguments, then those of the files; standard input if there are neither.
pub(crate) fn all<'a>(
    words: &'a [String],
    files: &'a [PathBuf],
    lower_case: bool,
) -> impl Iterator<Item = Result<ListLine, LexiconError>> + 'a {
    let arguments = (1..).zip(words).map(move |(line, word)| {
        let place = Place { name: "the arguments".into(), line };
        match check_word(word, lower_case) {
            Ok(word) => Ok(ListLine { place, word, second: None }),
            Err(problem) => Err(LexiconError::Line { place, problem }),
        }
    });
    let stdin = (words.is_empty() && files.is_empty()).then(|| PathBuf::from("-"));
    let files = files.iter().cloned().chain(stdin);
    arguments.chain(files.flat_map(move |path| lines(&path, lower_case)))
}

/// The lines of one file.
pub(crate) fn lines(
    path: &std::path::Path,
    lower_case: bool,
) -> Box<dyn Iterator<Item = Result<ListLine, LexiconError>>> {
    match Input::open(path) {
        Ok(input) => Box::new(ListLines::new(input, lower_case)),
        Err(error) => Box::new(std::iter::once(Err(error))),
    }
}

/// What went wrong with single words, told on standard error as it comes up.
#[derive(Default)]
pub(crate) struct Problems {
    count: u64,
}

impl Problems {
    /// Tells of a problem.
    pub(crate) fn tell(&mut self, problem: &dyn std::fmt::Display) {
        self.count += 1;
        if self.count <= SHOWN {
            eprintln!("wug: {problem}");
        }
    }

    /// The outcome of a command that left out words with problems.
    pub(crate) fn outcome(&self) -> Result<(), Partial> {
        match self.count {
            0 => Ok(()),
            1 => Err(Partial("1 line was left out".into())),
            count => Err(Partial(format!("{} lines were left out", grouped(count)))),
        }
    }
}
