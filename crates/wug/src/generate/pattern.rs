//! The language of patterns.
//!
//! | in a pattern | means |
//! |---|---|
//! | a letter | itself |
//! | `?` | one letter |
//! | `*` | any letters, or none |
//! | `[aeiou]` | one of these letters, classes among them; `]` is one of them if it comes first |
//! | `[!aeiou]` | one letter that is none of these |
//! | `[a-m]` | one of the letters between these by their numbers in Unicode; `-` is a letter if it comes first or last |
//! | `V`, `C` | a vowel, a consonant, if the model does not have these capital letters |
//! | the name of a [class](super::Classes) | one of its members |
//! | `(an\|en)` | one of these |
//! | `C{2}`, `C{2,3}`, `C{2,}` | what stands before, so many times |
//! | `\?` | the sign itself, if the model has it |

use std::iter::Peekable;
use std::sync::Arc;

use super::classes::Classes;
use super::constraint::ConstraintError;
use crate::lexicon::letters::{letters, normalise};
use crate::lexicon::{Alphabet, END, Symbol};

/// The deepest nesting of groups.
const MAX_DEPTH: usize = 30;
/// The most times that something may be repeated.
const MAX_REPETITIONS: usize = 1000;

/// Some letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LetterSet {
    /// All of them.
    Any,
    /// One of them.
    One(Symbol),
    /// By symbol, whether it is one of them; the end is none.
    Some(Arc<[bool]>),
}

impl LetterSet {
    /// The letters that a condition holds for.
    pub(crate) fn of(alphabet: &Alphabet, condition: impl Fn(Symbol) -> bool) -> Self {
        Self::Some((0..alphabet.symbol_count() as Symbol).map(|s| s != END && condition(s)).collect())
    }

    /// Whether a letter is one of them.
    pub(crate) fn has(&self, symbol: Symbol) -> bool {
        match self {
            Self::Any => symbol != END,
            Self::One(own) => *own == symbol,
            Self::Some(members) => members[usize::from(symbol)],
        }
    }
}

/// A pattern, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    /// One letter.
    Letter(LetterSet),
    /// One after the other.
    Sequence(Vec<Expression>),
    /// One of them.
    Alternatives(Vec<Expression>),
    /// The same so many times, without a limit if there is no most.
    Repeat(Box<Expression>, usize, Option<usize>),
}

impl Expression {
    /// Any letters, or none.
    pub(crate) fn anything() -> Self {
        Self::Letter(LetterSet::Any).repeat(0, None)
    }

    /// The same several times.
    pub(crate) fn repeat(self, least: usize, most: Option<usize>) -> Self {
        Self::Repeat(Box::new(self), least, most)
    }

    /// Somewhere in a word.
    pub(crate) fn anywhere(self) -> Self {
        Self::Sequence(vec![Self::anything(), self, Self::anything()])
    }

    /// The strings, if it is but a choice among some.
    pub(crate) fn strings(&self) -> Option<Vec<Vec<Symbol>>> {
        let one = |expression: &Self| match expression {
            Self::Letter(LetterSet::One(symbol)) => Some(vec![*symbol]),
            Self::Sequence(parts) => parts
                .iter()
                .map(|part| match part {
                    Self::Letter(LetterSet::One(symbol)) => Some(*symbol),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        match self {
            Self::Alternatives(some) => some.iter().map(one).collect(),
            other => one(other).map(|string| vec![string]),
        }
    }
}

/// Reads patterns in an alphabet.
pub(crate) struct Reader<'a> {
    pub(crate) alphabet: &'a Alphabet,
    pub(crate) classes: &'a Classes,
    /// What was asked for, as errors call it.
    pub(crate) name: String,
}

/// The signs that are left.
type Signs<'s> = Peekable<Box<dyn Iterator<Item = &'s str> + 's>>;

impl Reader<'_> {
    /// Reads a pattern.
    pub(crate) fn pattern(&self, text: &str) -> Result<Expression, ConstraintError> {
        let normal = normalise(text, false);
        let mut signs: Signs<'_> = (Box::new(letters(&normal)) as Box<dyn Iterator<Item = &str>>).peekable();
        let expression = self.alternatives(&mut signs, 0)?;
        match signs.next() {
            None => Ok(expression),
            Some(sign) => {
                Err(self
                    .wrong(format!("a `{sign}` without its beginning; write `\\{sign}` for the sign itself")))
            }
        }
    }

    /// Reads letters that stand for themselves.
    pub(crate) fn literal(&self, text: &str) -> Result<Vec<Symbol>, ConstraintError> {
        letters(&normalise(text, false)).map(|letter| self.symbol(letter)).collect()
    }

    /// The same as an expression.
    pub(crate) fn literally(&self, text: &str) -> Result<Expression, ConstraintError> {
        let letter = |symbol| Expression::Letter(LetterSet::One(symbol));
        Ok(Expression::Sequence(self.literal(text)?.into_iter().map(letter).collect()))
    }

    fn wrong(&self, problem: String) -> ConstraintError {
        ConstraintError::Syntax { constraint: self.name.clone(), problem }
    }

    fn alternatives(&self, signs: &mut Signs<'_>, depth: usize) -> Result<Expression, ConstraintError> {
        if depth > MAX_DEPTH {
            return Err(self.wrong(format!("more than {MAX_DEPTH} groups inside each other")));
        }
        let mut all = vec![self.sequence(signs, depth)?];
        while signs.next_if_eq(&"|").is_some() {
            all.push(self.sequence(signs, depth)?);
        }
        Ok(match <[_; 1]>::try_from(all) {
            Ok([only]) => only,
            Err(all) => Expression::Alternatives(all),
        })
    }

    fn sequence(&self, signs: &mut Signs<'_>, depth: usize) -> Result<Expression, ConstraintError> {
        let mut parts = Vec::new();
        while let Some(sign) = signs.next_if(|sign| !matches!(*sign, "|" | ")" | "}")) {
            let part = match sign {
                "*" => Expression::anything(),
                "?" => Expression::Letter(LetterSet::Any),
                "[" => Expression::Letter(self.set(signs)?),
                "(" => {
                    let group = self.alternatives(signs, depth + 1)?;
                    let end =
                        || self.wrong("a `(` has no `)` after it; write `\\(` for the sign itself".into());
                    signs.next_if_eq(&")").ok_or_else(end)?;
                    group
                }
                "{" => return Err(self.wrong("nothing stands before `{` that could be repeated".into())),
                "\\" => Expression::Letter(LetterSet::One(self.escaped(signs)?)),
                name => match self.classes.find(name, self)? {
                    Some(class) => class,
                    None => Expression::Letter(LetterSet::One(self.symbol(name)?)),
                },
            };
            parts.push(if signs.next_if_eq(&"{").is_some() {
                let (least, most) = self.repetition(signs)?;
                part.repeat(least, most)
            } else {
                part
            });
        }
        Ok(match <[_; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(parts) => Expression::Sequence(parts),
        })
    }

    /// What stands between braces: `2`, `2,3`, `2,` or `,3`.
    fn repetition(&self, signs: &mut Signs<'_>) -> Result<(usize, Option<usize>), ConstraintError> {
        let mut text = String::new();
        loop {
            match signs.next() {
                Some("}") => break,
                Some(sign) => text.push_str(sign),
                None => {
                    return Err(
                        self.wrong("a `{` has no `}` after it; write `\\{` for the sign itself".into())
                    );
                }
            }
        }
        let number = |digits: &str| -> Result<usize, ConstraintError> {
            let found = digits.trim().parse().ok().filter(|&number| number <= MAX_REPETITIONS);
            found.ok_or_else(|| {
                self.wrong(format!(
                    "`{{{text}}}`: expected numbers up to {MAX_REPETITIONS}, such as {{2}}, {{2,3}} or {{2,}}"
                ))
            })
        };
        let (least, most) = match text.split_once(',') {
            None => (number(&text)?, Some(number(&text)?)),
            Some((least, "")) => (number(least)?, None),
            Some(("", most)) => (0, Some(number(most)?)),
            Some((least, most)) => (number(least)?, Some(number(most)?)),
        };
        if most.is_some_and(|most| most < least) {
            return Err(self.wrong(format!("`{{{text}}}`: the first number is more than the second")));
        }
        Ok((least, most))
    }

    /// What stands between brackets.
    fn set(&self, signs: &mut Signs<'_>) -> Result<LetterSet, ConstraintError> {
        let open = || ConstraintError::OpenSet { constraint: self.name.clone() };
        let mut next = signs.next().ok_or_else(open)?;
        let negated = next == "!";
        if negated {
            next = signs.next().ok_or_else(open)?;
        }
        let mut members = vec![false; self.alphabet.symbol_count()];
        let mut first = true;
        while first || next != "]" {
            let class = if next == "\\" { None } else { self.classes.find(next, self)? };
            let letter = if next == "\\" { self.after_backslash(signs)? } else { next };
            first = false;
            next = signs.next().ok_or_else(open)?;
            match class {
                Some(Expression::Letter(class)) => {
                    (1..members.len()).for_each(|s| members[s] |= class.has(s as Symbol));
                }
                Some(_) => {
                    return Err(self
                        .wrong(format!("the class `{letter}` has members of several letters: use `(…|…)`")));
                }
                None if next == "-" && signs.peek().is_some_and(|after| *after != "]") => {
                    let last = match signs.next() {
                        Some("\\") => self.after_backslash(signs)?,
                        other => other.ok_or_else(open)?,
                    };
                    self.range(letter, last, &mut members)?;
                    next = signs.next().ok_or_else(open)?;
                }
                None => members[usize::from(self.symbol(letter)?)] = true,
            }
        }
        Ok(LetterSet::of(self.alphabet, |symbol| members[usize::from(symbol)] != negated))
    }

    /// Adds the model's letters from one to another by their numbers in Unicode.
    fn range(&self, first: &str, last: &str, members: &mut [bool]) -> Result<(), ConstraintError> {
        let single = |letter: &str| {
            let mut characters = letter.chars();
            characters.next().filter(|_| characters.next().is_none())
        };
        let (Some(from), Some(to)) = (single(first), single(last)) else {
            let problem = "a range goes from one character to another, and one of these is several";
            return Err(self.wrong(format!("`[{first}-{last}]`: {problem}")));
        };
        if from > to {
            return Err(self.wrong(format!("`[{first}-{last}]`: `{first}` comes after `{last}`")));
        }
        for (letter, member) in self.alphabet.letters().zip(&mut members[1..]) {
            *member |= single(letter).is_some_and(|own| (from..=to).contains(&own));
        }
        Ok(())
    }

    fn escaped(&self, signs: &mut Signs<'_>) -> Result<Symbol, ConstraintError> {
        self.symbol(self.after_backslash(signs)?)
    }

    fn after_backslash<'s>(&self, signs: &mut Signs<'s>) -> Result<&'s str, ConstraintError> {
        let end = || self.wrong("a `\\` at the end; it stands before the sign that is meant".into());
        signs.next().ok_or_else(end)
    }

    pub(crate) fn symbol(&self, letter: &str) -> Result<Symbol, ConstraintError> {
        self.alphabet.symbol(letter).ok_or_else(|| ConstraintError::UnknownLetter {
            constraint: self.name.clone(),
            letter: letter.to_owned(),
            alphabet: self.alphabet.letters().collect::<Vec<_>>().join(" "),
        })
    }
}

#[cfg(test)]
mod tests;
