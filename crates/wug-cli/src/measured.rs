//! Words in the making, with their statistics, and those that match a word best.

use std::io;

use wug::TrainedModel;
use wug::measure::{MatchError, Measures, ScoreSettings, Target};

use crate::cli::{Partial, UsageError};
use crate::commands::score::lexicon_of;
use crate::making::{Making, Quota};
use crate::messages::Messages;
use crate::output::{self, grouped};
use crate::table::{self, Format};
use crate::words::Problems;

/// Words that are measured together.
const BATCH: usize = 256;
/// Candidates for a match: at least so many, and so many for each word that is wanted.
const CANDIDATES: u64 = 3000;
const CANDIDATES_EACH: u64 = 30;
/// Tries in a row after which there are no more candidates: short words are soon all known.
const CANDIDATE_TRIES: u64 = 20_000;

/// How many candidates to make for a number of matches.
pub(crate) fn candidates(matches: u64) -> Quota {
    let words = matches.saturating_mul(CANDIDATES_EACH).clamp(CANDIDATES, 1 << 20);
    Quota { words, max_tries: CANDIDATE_TRIES }
}

/// How words are measured and written.
pub(crate) struct Request<'a> {
    pub(crate) model: &'a TrainedModel,
    pub(crate) messages: Messages,
    pub(crate) format: Format,
    pub(crate) settings: ScoreSettings,
}

impl Request<'_> {
    /// Prints words with their statistics as they come.
    pub(crate) fn print_words(&self, making: &mut Making<'_>) -> anyhow::Result<()> {
        let lexicon = lexicon_of(self.model, None, self.messages)?;
        let mut measures = Measures::new(self.model, &lexicon, self.settings);
        let mut problems = Problems::default();
        let mut outcome = Ok(true);
        let mut failure = None;
        output::print(|writer| {
            table::write_header(writer, self.format)?;
            while let (Ok(true), None) = (&outcome, &failure) {
                let mut words = Vec::new();
                outcome = making.advance(&mut collect(&mut words))?;
                for batch in words.chunks(BATCH) {
                    match measures.measure(&batch.iter().map(String::as_str).collect::<Vec<_>>()) {
                        Ok(measured) => {
                            for word in measured {
                                match word {
                                    Ok(word) => table::write_word(writer, self.format, &word)?,
                                    Err(problem) => problems.tell(&problem.to_string()),
                                }
                            }
                        }
                        Err(error) => {
                            failure = Some(error);
                            break;
                        }
                    }
                    writer.flush()?;
                }
            }
            Ok(())
        })?;
        if let Some(failure) = failure {
            return Err(failure.into());
        }
        outcome?;
        Ok(problems.outcome()?)
    }

    /// Prints the words that match `word` best, out of all that are made.
    pub(crate) fn print_matches(
        &self,
        making: &mut Making<'_>,
        word: &str,
        wanted: u64,
    ) -> anyhow::Result<()> {
        let lexicon = lexicon_of(self.model, None, self.messages)?;
        let mut measures = Measures::new(self.model, &lexicon, self.settings);
        let target = Target::new(&mut measures, word).map_err(|error| -> anyhow::Error {
            match error {
                MatchError::Evaluate(error) => error.into(),
                other => UsageError(format!("--match: {other}")).into(),
            }
        })?;
        let mut words = Vec::new();
        // Fewer candidates than hoped for are still candidates.
        while let Ok(true) = making.advance(&mut collect(&mut words))? {}
        let made = words.len() as u64;
        let count = usize::try_from(wanted).unwrap_or(usize::MAX);
        self.messages.detail(format_args!("{} candidates made", grouped(made)));
        let found = self.messages.timed("comparing", || target.nearest(&mut measures, words, count))?;
        output::print(|writer| {
            table::write_match_header(writer, self.format)?;
            found.iter().try_for_each(|found| table::write_match(writer, self.format, found))
        })?;
        if (found.len() as u64) < wanted {
            let message = format!(
                "{} of {} matches found: only {} new words of that length could be made",
                grouped(found.len() as u64),
                grouped(wanted),
                grouped(made)
            );
            return Err(Partial(message).into());
        }
        Ok(())
    }
}

fn collect(words: &mut Vec<String>) -> impl FnMut(&str) -> io::Result<()> {
    |word| {
        words.push(word.to_owned());
        Ok(())
    }
}
