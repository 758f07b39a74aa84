//! Constraints on words, and what they allow at each place of a word.
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

use super::automaton::MAX_STATES;
use crate::lexicon::letters::{letters, normalise};
use crate::lexicon::{Alphabet, Symbol};

/// A condition that words must meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constraint {
    /// What words look like from end to end; the source file's table has the signs.
    Pattern(String),
    /// Letters that words begin with.
    Prefix(String),
    /// Letters that words end with.
    Suffix(String),
    /// The fewest letters.
    AtLeast(usize),
    /// The most letters.
    AtMost(usize),
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

/// Why no words can be made under some constraints.
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
    /// No word at all, or none that is short enough, meets these constraints.
    #[error("no word of up to {max_letters} letters has {}", list(constraints))]
    Impossible {
        /// A smallest set of constraints that exclude each other.
        constraints: Vec<String>,
        /// The most letters of a word.
        max_letters: usize,
    },
    /// The constraints would need too many states.
    #[error("{} would need more than {MAX_STATES} states: use fewer `*` and `?`", list(constraints))]
    TooComplex {
        /// The constraints.
        constraints: Vec<String>,
    },
}

fn list(constraints: &[String]) -> String {
    match constraints {
        [] => "no constraint".into(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// The most places of a pattern.
pub(crate) const MAX_ITEMS: usize = 500;

impl fmt::Display for Constraint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(text) => write!(formatter, "pattern `{text}`"),
            Self::Prefix(text) => write!(formatter, "prefix `{text}`"),
            Self::Suffix(text) => write!(formatter, "suffix `{text}`"),
            Self::AtLeast(letters) => write!(formatter, "at least {letters} letters"),
            Self::AtMost(letters) => write!(formatter, "at most {letters} letters"),
        }
    }
}

impl Constraint {
    /// What may stand at each place of a word, in an alphabet.
    pub(crate) fn items(&self, alphabet: &Alphabet) -> Result<Vec<Item>, ConstraintError> {
        let items = match self {
            Self::Pattern(text) => self.pattern(text, alphabet)?,
            Self::Prefix(text) => {
                let mut items = self.literal(text, alphabet)?;
                items.push(Item::Any);
                items
            }
            Self::Suffix(text) => {
                let mut items = self.literal(text, alphabet)?;
                items.insert(0, Item::Any);
                items
            }
            Self::AtLeast(letters) => {
                let mut items = vec![Item::one(alphabet, |_| true); (*letters).min(MAX_ITEMS)];
                items.push(Item::Any);
                return Ok(items);
            }
            Self::AtMost(letters) if *letters > MAX_ITEMS => vec![Item::Any],
            Self::AtMost(letters) => vec![Item::Maybe; *letters],
        };
        match items.len() {
            found if found > MAX_ITEMS => {
                Err(ConstraintError::TooLong { constraint: self.to_string(), found })
            }
            _ => Ok(items),
        }
    }

    fn pattern(&self, text: &str, alphabet: &Alphabet) -> Result<Vec<Item>, ConstraintError> {
        let normal = normalise(text, false);
        let mut clusters = letters(&normal);
        let mut items = Vec::new();
        while let Some(cluster) = clusters.next() {
            items.push(match cluster {
                "*" => Item::Any,
                "?" => Item::one(alphabet, |_| true),
                "[" => {
                    let (members, negated) = self.set(&mut clusters, alphabet)?;
                    Item::one(alphabet, |symbol| members.contains(&symbol) != negated)
                }
                letter => self.letter(letter, alphabet)?,
            });
        }
        Ok(items)
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

    fn literal(&self, text: &str, alphabet: &Alphabet) -> Result<Vec<Item>, ConstraintError> {
        letters(&normalise(text, false)).map(|letter| self.letter(letter, alphabet)).collect()
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
}

impl Item {
    fn one(alphabet: &Alphabet, allowed: impl Fn(Symbol) -> bool) -> Self {
        // Symbol 0 is the end, which is no letter.
        let letters = (1..alphabet.symbol_count()).map(|symbol| allowed(symbol as Symbol));
        Self::One(std::iter::once(false).chain(letters).collect())
    }
}
