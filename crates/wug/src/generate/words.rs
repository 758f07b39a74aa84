//! Words one after the other, until there are enough of them or no hope for more.

use std::collections::VecDeque;
use std::fmt;

use thiserror::Error;

use super::SampleError;
use super::automaton::Automaton;
use super::classes::Classes;
use super::constraint::Constraint;
use super::draw_settings::MAX_LETTERS;
use super::progress::Account;
use super::selection::Selection;
use super::source::{Batch, WordSource};
use super::word_list::WordList;
use crate::Result;
use crate::lexicon::Alphabet;

/// Words in the making, by [`WordBuilder::make`](super::WordBuilder::make).
///
/// An error is the last item. Words that were made before it are good.
pub struct Words<'m> {
    pub(super) source: WordSource<'m>,
    pub(super) alphabet: &'m Alphabet,
    /// What can come out at all, where that is known.
    pub(super) few: Option<Few>,
    pub(super) unique: bool,
    /// Whether they begin with a capital letter.
    pub(super) capital: bool,
    pub(super) selection: Selection,
    pub(super) constraints: Vec<Constraint>,
    pub(super) classes: Classes,
    pub(super) max_tries: u64,
    pub(super) tries_in_a_row: u64,
    /// What is at hand, and the next word of the first batch.
    pub(super) batches: VecDeque<Batch>,
    pub(super) place: usize,
    pub(super) over: bool,
}

/// How many words meet the constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Few {
    /// In no excluded list.
    pub(super) new: u64,
    /// In an excluded list.
    pub(super) known: u64,
}

/// Why the making of words was given up.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct GaveUp {
    /// Words that were made.
    pub made: u64,
    /// Words that were wanted.
    pub wanted: u64,
    /// Tries in a row without a word that fits.
    pub tries: u64,
    /// Whether there are no more words that fit, rather than tries.
    pub is_all: bool,
    /// Words that met the constraints but are in an excluded list.
    pub known: u64,
    /// Words that met the constraints but had been made before.
    pub repeated: u64,
    /// The constraint that excludes most, if no word met them all.
    pub hardest: Option<Hardest>,
}

/// A constraint, and how many of the model's words meet it by chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hardest {
    /// The constraint.
    pub constraint: String,
    /// Words that meet it.
    pub met: usize,
    /// Words that were looked at.
    pub of: usize,
}

impl fmt::Display for GaveUp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { made, wanted, tries, is_all, known, repeated, hardest } = self;
        match is_all {
            true => write!(formatter, "{made} of {wanted} words made: there are no more; ")?,
            false => {
                write!(formatter, "{made} of {wanted} words made: gave up after {tries} tries in a row; ")?
            }
        }
        match (known, repeated, hardest) {
            (0, _, None) if *is_all => write!(formatter, "no other word meets the constraints"),
            (known, _, _) if *is_all && *known > 0 => {
                write!(formatter, "words that meet the constraints and are known: {known}")
            }
            (0, 0, None) => write!(formatter, "the model makes hardly any words that have a letter"),
            (0, 0, Some(Hardest { constraint, met, of })) => {
                write!(formatter, "{constraint} is the hardest to meet: {met} of {of} words of the model do")
            }
            (known, 0, _) => write!(formatter, "{known} words that met the constraints were known"),
            (0, repeated, _) => write!(formatter, "{repeated} words that met the constraints were repeated"),
            (known, repeated, _) => write!(
                formatter,
                "of the words that met the constraints {known} were known and {repeated} were repeated"
            ),
        }
    }
}

impl Words<'_> {
    /// Whether the next word may be at hand already. If not, it may take a while: print what there is.
    pub fn is_ready(&self) -> bool {
        !self.batches.is_empty()
    }

    /// How the words so far were found.
    pub fn account(&self) -> Account {
        let (progress, tally) = (self.source.watch.progress, self.selection.tally());
        Account {
            made: progress.made,
            tries: progress.tries,
            known: tally.known,
            repeated: tally.repeated,
            way: self.source.way(),
        }
    }

    /// The next word, or none if all were made.
    fn advance(&mut self) -> Result<Option<String>, SampleError> {
        loop {
            let progress = self.source.watch.progress;
            if progress.made == progress.wanted {
                return Ok(None);
            }
            let is_all = |few: Few| few.new == 0 || self.unique && progress.made >= few.new;
            if self.few.is_some_and(is_all) {
                return Err(self.gave_up(true).into());
            }
            let Some(batch) = self.batches.front() else {
                self.batches = self.source.batch(progress.wanted - progress.made)?.into();
                continue;
            };
            if let Some((letters, tries)) = batch.words.get(self.place) {
                self.place += 1;
                self.tries_in_a_row += tries;
                let word = self.alphabet.decode(letters);
                if self.selection.admits(&word) {
                    self.source.watch.progress.made += 1;
                    self.tries_in_a_row = 0;
                    return Ok(Some(word));
                }
            } else {
                self.tries_in_a_row += batch.left_over;
                self.batches.pop_front();
                self.place = 0;
            }
            if self.tries_in_a_row > self.max_tries {
                return Err(self.gave_up(false).into());
            }
        }
    }

    fn gave_up(&mut self, is_all: bool) -> GaveUp {
        let progress = self.source.watch.progress;
        let tally = self.selection.tally();
        let known = self.few.filter(|_| is_all).map_or(tally.known, |few| few.known);
        let is_excluded = known + tally.repeated + progress.made > 0;
        let hardest = if is_excluded {
            None
        } else {
            Hardest::of(&self.source.unconstrained(), self.alphabet, &self.classes, &self.constraints)
        };
        let (made, wanted, tries) = (progress.made, progress.wanted, self.max_tries);
        GaveUp { made, wanted, tries, is_all, known, repeated: tally.repeated, hardest }
    }
}

impl Hardest {
    /// The constraint that the fewest of a model's words meet.
    pub(super) fn of(
        words: &WordList,
        alphabet: &Alphabet,
        classes: &Classes,
        constraints: &[Constraint],
    ) -> Option<Self> {
        let met = |constraint: &Constraint| {
            let one = std::slice::from_ref(constraint);
            let automaton = Automaton::new(alphabet, classes, one, MAX_LETTERS).ok()?;
            let met = words.iter().filter(|letters| automaton.accepts(letters)).count();
            Some(Self { constraint: constraint.to_string(), met, of: words.len() })
        };
        constraints.iter().filter_map(met).min_by_key(|hardest| hardest.met)
    }
}

impl Iterator for Words<'_> {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let word = self.advance().transpose();
        self.over = !matches!(word, Some(Ok(_)));
        word.map(|word| {
            let word = word?;
            Ok(if self.capital { self.alphabet.capitalise(&word) } else { word })
        })
    }
}
