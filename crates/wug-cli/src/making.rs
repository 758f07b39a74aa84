//! Taking words from a source until there are enough of them.

use std::io;

use wug::generate::{Selection, WordSource};
use wug::lexicon::Alphabet;

use crate::cli::Partial;
use crate::output::grouped;

/// How many words to make, and when to give up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quota {
    pub(crate) words: u64,
    /// Tries in a row without a word that fits.
    pub(crate) max_tries: u64,
}

/// Words in the making.
pub(crate) struct Making<'a> {
    source: WordSource<'a, 'a>,
    alphabet: &'a Alphabet,
    selection: Selection,
    quota: Quota,
    made: u64,
    tries_in_a_row: u64,
    text: String,
}

impl<'a> Making<'a> {
    pub(crate) fn new(
        source: WordSource<'a, 'a>,
        alphabet: &'a Alphabet,
        selection: Selection,
        quota: Quota,
    ) -> Self {
        Self { source, alphabet, selection, quota, made: 0, tries_in_a_row: 0, text: String::new() }
    }

    /// Hands the next words to `write`; whether there are more to come. It is an error of its own if the quota cannot be
    /// met, and says what was in the way.
    pub(crate) fn advance(
        &mut self,
        write: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> io::Result<Result<bool, Partial>> {
        let Quota { words, max_tries } = self.quota;
        let wanted = usize::try_from(words - self.made).unwrap_or(usize::MAX);
        for batch in self.source.batch(wanted) {
            for (letters, tries) in batch.words.iter() {
                self.tries_in_a_row += tries;
                self.text.clear();
                for &symbol in letters {
                    self.text.push_str(self.alphabet.letter(symbol).unwrap_or_default());
                }
                if self.selection.admits(&self.text) {
                    write(&self.text)?;
                    (self.made, self.tries_in_a_row) = (self.made + 1, 0);
                    if self.made == words {
                        return Ok(Ok(false));
                    }
                } else if self.tries_in_a_row > max_tries {
                    return Ok(Err(self.given_up()));
                }
            }
            self.tries_in_a_row += batch.left_over;
            if self.tries_in_a_row > max_tries {
                return Ok(Err(self.given_up()));
            }
        }
        Ok(Ok(true))
    }

    fn given_up(&self) -> Partial {
        let tally = self.selection.tally();
        let refused = [(tally.known, "known (--novel, --exclude)"), (tally.repeated, "repeated (--unique)")];
        let refused: Vec<String> = refused
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, why)| format!("{} were {why}", grouped(count)))
            .collect();
        let why = if refused.is_empty() {
            "the model finds such words next to impossible".to_owned()
        } else {
            format!("of the words that met the constraints {}", refused.join(" and "))
        };
        Partial(format!(
            "{} of {} words made: gave up after {} tries in a row (--max-tries); {why}",
            grouped(self.made),
            grouped(self.quota.words),
            grouped(self.quota.max_tries),
        ))
    }
}
