//! Constraints on words, as lists of what may stand at each place.
//!
//! | in a pattern | means |
//! |---|---|
//! | a letter | itself |
//! | `?` | one letter |
//! | `*` | any letters, or none |
//! | `[aeiou]` | one of these letters; `]` is one of them if it comes first |
//! | `[!aeiou]` | one letter that is none of these |

use std::fmt;

use thiserror::Error;

use crate::lexicon::letters::{letters, normalise};
use crate::lexicon::{Alphabet, Symbol};

/// A condition that words must meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    kind: Kind,
    /// What is asked for, as it was given.
    text: String,
    items: Vec<Item>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pattern,
    Prefix,
    Suffix,
    AtLeast,
    AtMost,
}

/// What stands at a place of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    /// One letter: by its symbol, whether it is allowed.
    One(Vec<bool>),
    /// One letter or none.
    Maybe,
    /// Any number of letters.
    Any,
}

/// Why a text is no constraint for a model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConstraintError {
    /// A letter that the model does not have.
    #[error("{constraint}: the letter `{letter}` is not one of the model's: {alphabet}")]
    UnknownLetter {
        /// What was asked for.
        constraint: String,
        /// The letter.
        letter: String,
        /// The letters that there are.
        alphabet: String,
    },
    /// A set of letters that does not end.
    #[error("{constraint}: a `[` has no `]` after it; write `[[]` for the sign itself")]
    OpenSet {
        /// What was asked for.
        constraint: String,
    },
    /// A pattern with too many places.
    #[error("{constraint}: {found} places, at most {MAX_ITEMS} are possible")]
    TooLong {
        /// What was asked for.
        constraint: String,
        /// Places of the pattern.
        found: usize,
    },
}

/// The most places of a pattern.
pub const MAX_ITEMS: usize = 500;

impl fmt::Display for Constraint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        match self.kind {
            Kind::Pattern => write!(formatter, "pattern `{text}`"),
            Kind::Prefix => write!(formatter, "prefix `{text}`"),
            Kind::Suffix => write!(formatter, "suffix `{text}`"),
            Kind::AtLeast => write!(formatter, "at least {text} letters"),
            Kind::AtMost => write!(formatter, "at most {text} letters"),
        }
    }
}

impl Constraint {
    /// Words that a pattern describes from end to end; the signs are in the source file's table.
    ///
    /// # Errors
    /// When the pattern is no pattern, or has letters that the alphabet lacks.
    pub fn pattern(text: &str, alphabet: &Alphabet) -> Result<Self, ConstraintError> {
        let normal = normalise(text, false);
        let mut clusters = letters(&normal);
        let mut constraint = Self { kind: Kind::Pattern, text: text.to_owned(), items: Vec::new() };
        while let Some(cluster) = clusters.next() {
            let item = match cluster {
                "*" => Item::Any,
                "?" => Item::one(alphabet, |_| true),
                "[" => {
                    let (members, negated) = constraint.set(&mut clusters, alphabet)?;
                    Item::one(alphabet, |symbol| members.contains(&symbol) != negated)
                }
                letter => constraint.letter(letter, alphabet)?,
            };
            constraint.items.push(item);
        }
        constraint.check()
    }

    /// The members of a set of letters, and whether they are the ones left out.
    fn set<'a>(
        &self,
        clusters: &mut impl Iterator<Item = &'a str>,
        alphabet: &Alphabet,
    ) -> Result<(Vec<Symbol>, bool), ConstraintError> {
        let open = || ConstraintError::OpenSet { constraint: self.to_string() };
        let mut next = clusters.next().ok_or_else(open)?;
        let negated = next == "!";
        if negated {
            next = clusters.next().ok_or_else(open)?;
        }
        let mut members = Vec::new();
        while members.is_empty() || next != "]" {
            members.push(self.symbol(next, alphabet)?);
            next = clusters.next().ok_or_else(open)?;
        }
        Ok((members, negated))
    }

    /// Words that begin with these letters.
    ///
    /// # Errors
    /// When the alphabet lacks a letter.
    pub fn prefix(text: &str, alphabet: &Alphabet) -> Result<Self, ConstraintError> {
        let mut constraint = Self::literal(Kind::Prefix, text, alphabet)?;
        constraint.items.push(Item::Any);
        constraint.check()
    }

    /// Words that end with these letters.
    ///
    /// # Errors
    /// When the alphabet lacks a letter.
    pub fn suffix(text: &str, alphabet: &Alphabet) -> Result<Self, ConstraintError> {
        let mut constraint = Self::literal(Kind::Suffix, text, alphabet)?;
        constraint.items.insert(0, Item::Any);
        constraint.check()
    }

    /// Words of at least this many letters.
    pub fn at_least(letters: usize, alphabet: &Alphabet) -> Self {
        let mut items = vec![Item::one(alphabet, |_| true); letters.min(MAX_ITEMS)];
        items.push(Item::Any);
        Self { kind: Kind::AtLeast, text: letters.to_string(), items }
    }

    /// Words of at most this many letters.
    pub fn at_most(letters: usize) -> Self {
        let items = if letters > MAX_ITEMS { vec![Item::Any] } else { vec![Item::Maybe; letters] };
        Self { kind: Kind::AtMost, text: letters.to_string(), items }
    }

    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    fn literal(kind: Kind, text: &str, alphabet: &Alphabet) -> Result<Self, ConstraintError> {
        let mut constraint = Self { kind, text: text.to_owned(), items: Vec::new() };
        for letter in letters(&normalise(text, false)) {
            constraint.items.push(constraint.letter(letter, alphabet)?);
        }
        Ok(constraint)
    }

    fn letter(&self, letter: &str, alphabet: &Alphabet) -> Result<Item, ConstraintError> {
        let own = self.symbol(letter, alphabet)?;
        Ok(Item::one(alphabet, |symbol| symbol == own))
    }

    fn symbol(&self, letter: &str, alphabet: &Alphabet) -> Result<Symbol, ConstraintError> {
        alphabet.symbol(letter).ok_or_else(|| ConstraintError::UnknownLetter {
            constraint: self.to_string(),
            letter: letter.to_owned(),
            alphabet: alphabet.letters().collect::<Vec<_>>().join(" "),
        })
    }

    fn check(self) -> Result<Self, ConstraintError> {
        if self.items.len() > MAX_ITEMS {
            let found = self.items.len();
            return Err(ConstraintError::TooLong { constraint: self.to_string(), found });
        }
        Ok(self)
    }
}

impl Item {
    fn one(alphabet: &Alphabet, allowed: impl Fn(Symbol) -> bool) -> Self {
        // Symbol 0 is the end, which is no letter.
        let letters = (1..alphabet.symbol_count()).map(|symbol| allowed(symbol as Symbol));
        Self::One(std::iter::once(false).chain(letters).collect())
    }
}
