//! Why no words can be made under some constraints.

use thiserror::Error;

use crate::generate::program::MAX_STEPS;

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
