//! Conditions that words must meet.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::classes::Classes;
use super::pattern::{Expression, LetterSet, Reader};
use super::program::{MAX_STEPS, Program};
use crate::lexicon::letters::{letters, normalise};
use crate::lexicon::{Alphabet, Symbol};

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
    WithoutAny {
        /// Where they come from, for messages.
        name: String,
        /// The strings.
        strings: Arc<[String]>,
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
    /// A pattern that cannot be read.
    #[error("{constraint}: {problem}")]
    Syntax {
        /// What was asked for.
        constraint: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A class that cannot be defined.
    #[error("class `{name}={members}`: {problem}")]
    Class {
        /// Its name.
        name: String,
        /// Its members.
        members: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The table of vowels lacks the script.
    #[error(
        "{constraint}: which of the model's letters are vowels is known for Latin, Cyrillic and Greek letters only; define the \
         class V, such as V=aeiou"
    )]
    NoVowels {
        /// What was asked for.
        constraint: String,
    },
    /// A pattern with too many places.
    #[error("{constraint}: more than {MAX_STEPS} places when repetitions are written out")]
    TooLong {
        /// What was asked for.
        constraint: String,
    },
    /// No word at all, or none that is short enough, meets these constraints.
    #[error("no word of up to {max_letters} letters meets {}", list(constraints))]
    Impossible {
        /// Constraints that exclude each other; without any one of them there would be words.
        constraints: Vec<String>,
        /// The maximum number of letters of a word.
        max_letters: usize,
    },
    /// The constraints would need too many states.
    #[error(
        "{} would need too many states: use fewer `*` and `?`, shorter repetitions or fewer strings",
        list(constraints)
    )]
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

impl fmt::Display for Constraint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(text) => write!(formatter, "pattern `{text}`"),
            Self::NotPattern(text) => write!(formatter, "not-pattern `{text}`"),
            Self::Prefix(text) => write!(formatter, "prefix `{text}`"),
            Self::Suffix(text) => write!(formatter, "suffix `{text}`"),
            Self::Containing(text) => write!(formatter, "containing `{text}`"),
            Self::Without(text) => write!(formatter, "without `{text}`"),
            Self::WithoutAny { name, strings } => {
                write!(formatter, "without the {} strings of {name}", strings.len())
            }
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
            Self::WithoutAny { strings, .. } => {
                let strings = strings.iter().filter_map(|text| spell_loosely(text, alphabet)).collect();
                return Ok(vec![Language { matcher: Matcher::Strings(strings), negated: true }]);
            }
            Self::AtLeast(letters) => (any().repeat((*letters).min(ENDLESS), None), false),
            Self::AtMost(letters) if *letters >= ENDLESS => (Expression::anything(), false),
            Self::AtMost(letters) => (any().repeat(0, Some(*letters)), false),
            Self::Syllables { least, most } if least > most => {
                let problem = "the smaller number comes first".to_owned();
                return Err(ConstraintError::Syntax { constraint: self.to_string(), problem });
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
