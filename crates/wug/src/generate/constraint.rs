//! Conditions that words must meet.

mod error;
pub(crate) mod keywords;

use std::fmt;
use std::sync::Arc;

use super::classes::Classes;
use super::pattern::{Expression, LetterSet, Reader};
use super::program::Program;
use crate::lexicon::letters::{letters, normalise};
use crate::lexicon::{Alphabet, Symbol};
pub use error::ConstraintError;
pub use keywords::{KEYWORDS, Keyword, Several};

/// A condition that words must meet. The signs of patterns are those of `docs/sampling.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constraint {
    /// What words look like from end to end.
    Pattern(String),
    /// A pattern that words do not have from end to end.
    NotPattern(String),
    /// Letters that words begin with.
    Prefix(String),
    /// Letters that words end with.
    Suffix(String),
    /// A pattern that stands somewhere in words.
    Containing(String),
    /// A pattern that stands nowhere in words, such as `sex|xx`, `[qx]` or `C{4}`.
    Without(String),
    /// Strings that stand nowhere in words. Those with letters that the model lacks are met by all words.
    WithoutAny(Arc<[String]>),
    /// The number of letters.
    Length {
        /// The minimum.
        least: usize,
        /// The maximum.
        most: usize,
    },
    /// The minimum number of letters.
    AtLeast(usize),
    /// The maximum number of letters.
    AtMost(usize),
    /// How many groups of vowels words have, which is about their number of syllables.
    Syllables {
        /// The minimum.
        least: usize,
        /// The maximum.
        most: usize,
    },
    /// How many letters must be replaced, put in or left out to come from a word to this one (Levenshtein distance).
    Edits {
        /// The word.
        word: String,
        /// The minimum.
        least: usize,
        /// The most; without a limit if there is none.
        most: Option<usize>,
    },
}

impl fmt::Display for Constraint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(text) => write!(formatter, "pattern `{text}`"),
            Self::NotPattern(text) => write!(formatter, "not-pattern `{text}`"),
            Self::Prefix(text) => write!(formatter, "prefix `{text}`"),
            Self::Suffix(text) => write!(formatter, "suffix `{text}`"),
            Self::Containing(text) => write!(formatter, "containing `{text}`"),
            Self::Without(text) => write!(formatter, "without `{text}`"),
            Self::WithoutAny(strings) => write!(formatter, "without any of {} strings", strings.len()),
            Self::Length { least, most } if least == most => write!(formatter, "length {least}"),
            Self::Length { least, most } => write!(formatter, "length {least} to {most}"),
            Self::AtLeast(letters) => write!(formatter, "at least {letters} letters"),
            Self::AtMost(letters) => write!(formatter, "at most {letters} letters"),
            Self::Syllables { least, most } if least == most => write!(formatter, "syllables {least}"),
            Self::Syllables { least, most } => write!(formatter, "syllables {least} to {most}"),
            Self::Edits { word, least, most: None } => {
                write!(formatter, "at least {least} edits from `{word}`")
            }
            Self::Edits { word, least, most: Some(most) } => {
                write!(formatter, "{least} to {most} edits from `{word}`")
            }
        }
    }
}

impl Constraint {
    /// What words that meet it did, for the text on a method.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Pattern(text) => format!("matched the pattern `{text}`"),
            Self::NotPattern(text) => format!("did not match the pattern `{text}`"),
            Self::Prefix(text) => format!("began with `{text}`"),
            Self::Suffix(text) => format!("ended in `{text}`"),
            Self::Containing(text) => format!("contained the pattern `{text}`"),
            Self::Without(text) => format!("did not contain the pattern `{text}`"),
            Self::WithoutAny(strings) => format!("contained none of {} strings", strings.len()),
            Self::Length { least, most } if least == most => format!("had {least} letters"),
            Self::Length { least, most } => format!("had {least} to {most} letters"),
            Self::AtLeast(letters) => format!("had at least {letters} letters"),
            Self::AtMost(letters) => format!("had at most {letters} letters"),
            Self::Syllables { least, most } if least == most => format!("had {least} groups of vowels"),
            Self::Syllables { least, most } => format!("had {least} to {most} groups of vowels"),
            Self::Edits { .. } => format!("were {self}"),
        }
    }
}

/// A set of words.
#[derive(Debug)]
pub(crate) struct Language {
    pub(crate) matcher: Matcher,
    /// Whether it is all other words.
    pub(crate) negated: bool,
}

/// What words of a language have.
#[derive(Debug)]
pub(crate) enum Matcher {
    /// They are what the program accepts.
    Program(Program),
    /// They have one of the strings somewhere.
    Strings(Vec<Vec<Symbol>>),
}

/// More letters than words can have.
const ENDLESS: usize = 1000;

impl Constraint {
    /// The languages that words must be in, in an alphabet.
    pub(crate) fn languages(
        &self,
        alphabet: &Alphabet,
        classes: &Classes,
    ) -> Result<Vec<Language>, ConstraintError> {
        let reader = Reader { alphabet, classes, name: self.to_string() };
        let any = || Expression::Letter(LetterSet::Any);
        let (expression, negated) = match self {
            Self::Pattern(text) => (reader.pattern(text)?, false),
            Self::NotPattern(text) => (reader.pattern(text)?, true),
            Self::Prefix(text) => {
                (Expression::Sequence(vec![reader.literally(text)?, Expression::anything()]), false)
            }
            Self::Suffix(text) => {
                (Expression::Sequence(vec![Expression::anything(), reader.literally(text)?]), false)
            }
            Self::Containing(text) | Self::Without(text) => {
                let (expression, negated) = (reader.pattern(text)?, matches!(self, Self::Without(_)));
                if let Some(strings) = expression.strings() {
                    return Ok(vec![Language { matcher: Matcher::Strings(strings), negated }]);
                }
                (expression.anywhere(), negated)
            }
            Self::WithoutAny(strings) => {
                let strings = strings.iter().filter_map(|text| spell_loosely(text, alphabet)).collect();
                return Ok(vec![Language { matcher: Matcher::Strings(strings), negated: true }]);
            }
            Self::AtLeast(letters) => (any().repeat((*letters).min(ENDLESS), None), false),
            Self::AtMost(letters) if *letters >= ENDLESS => (Expression::anything(), false),
            Self::AtMost(letters) => (any().repeat(0, Some(*letters)), false),
            Self::Length { least, most } | Self::Syllables { least, most } if least > most => {
                let problem = "the smaller number comes first".to_owned();
                return Err(ConstraintError::Syntax { constraint: self.to_string(), problem });
            }
            Self::Length { least, most } => {
                (any().repeat((*least).min(ENDLESS), Some((*most).min(ENDLESS))), false)
            }
            Self::Syllables { least, most } => (syllables(&reader, *least, *most)?, false),
            Self::Edits { word, least, most } => return self.edits(&reader.literal(word)?, *least, *most),
        };
        let program = Program::new(&expression).map_err(|_| self.too_long())?;
        Ok(vec![Language { matcher: Matcher::Program(program), negated }])
    }

    fn too_long(&self) -> ConstraintError {
        ConstraintError::TooLong { constraint: self.to_string() }
    }

    fn edits(
        &self,
        word: &[Symbol],
        least: usize,
        most: Option<usize>,
    ) -> Result<Vec<Language>, ConstraintError> {
        let within = |edits: usize, negated| {
            let program = Program::within(word, edits.min(ENDLESS)).map_err(|_| self.too_long())?;
            Ok(Language { matcher: Matcher::Program(program), negated })
        };
        let far = least.checked_sub(1).map(|nearer| within(nearer, true));
        let near = most.map(|most| within(most, false));
        [far, near].into_iter().flatten().collect()
    }
}

/// Words with so many groups of vowels.
fn syllables(reader: &Reader<'_>, least: usize, most: usize) -> Result<Expression, ConstraintError> {
    let vowels = reader.classes.vowels(reader)?;
    let (least, most) = (least.min(ENDLESS), most.min(ENDLESS));
    let others = LetterSet::of(reader.alphabet, |symbol| !vowels.has(symbol));
    let vowels = || Expression::Letter(vowels.clone()).repeat(1, None);
    let others = |fewest| Expression::Letter(others.clone()).repeat(fewest, None);
    if most == 0 {
        return Ok(others(0));
    }
    let more = Expression::Sequence(vec![others(1), vowels()]);
    let more = more.repeat(least.saturating_sub(1), Some(most - 1));
    let some = Expression::Sequence(vec![others(0), vowels(), more, others(0)]);
    Ok(if least == 0 { Expression::Alternatives(vec![others(0), some]) } else { some })
}

/// The letters of a forbidden string, in lower case where the model has no capital; none if no word can have it.
fn spell_loosely(text: &str, alphabet: &Alphabet) -> Option<Vec<Symbol>> {
    let text = normalise(text.trim(), false);
    let symbol = |letter: &str| alphabet.symbol(letter).or_else(|| alphabet.symbol(&letter.to_lowercase()));
    let symbols: Vec<Symbol> = letters(&text).map(symbol).collect::<Option<_>>()?;
    (!symbols.is_empty()).then_some(symbols)
}
