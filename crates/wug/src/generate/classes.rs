//! Classes of letters that patterns can name.

use serde::{Deserialize, Serialize};

use super::constraint::ConstraintError;
use super::pattern::{Expression, LetterSet, Reader};
use crate::lexicon::letters::{letters, normalise};
use crate::lexicon::{Alphabet, Symbol};
use crate::vowels::{LetterKind, Vowels};

/// Signs that mean something in patterns, and can be no names.
const SIGNS: [&str; 13] = ["*", "?", "[", "]", "(", ")", "{", "}", "|", "\\", "!", ",", "="];

/// Classes of letters: `V` for vowels, `C` for consonants, and those that are defined.
///
/// `V` and `C` have members by a table for Latin, Cyrillic and Greek letters, unless they are defined or are letters of the model. If `V`
/// is defined, `C` are all other letters. A later definition may use an earlier one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(String, String)>", into = "Vec<(String, String)>")]
pub struct Classes {
    definitions: Vec<(String, String)>,
}

impl TryFrom<Vec<(String, String)>> for Classes {
    type Error = ConstraintError;

    fn try_from(definitions: Vec<(String, String)>) -> Result<Self, ConstraintError> {
        let mut classes = Self::default();
        definitions.iter().try_for_each(|(name, members)| classes.define(name, members))?;
        Ok(classes)
    }
}

impl From<Classes> for Vec<(String, String)> {
    fn from(classes: Classes) -> Self {
        classes.definitions
    }
}

impl Classes {
    /// Defines a class by its letters, as in `ptk`, or by strings, as in `p|t|ch`.
    ///
    /// # Errors
    /// When the name is not one letter, has a meaning in patterns or is taken, or the class has no members.
    pub fn define(&mut self, name: &str, members: &str) -> Result<(), ConstraintError> {
        let name = normalise(name, false).into_owned();
        let wrong = |problem: &str| {
            Err(ConstraintError::Class {
                name: name.clone(),
                members: members.to_owned(),
                problem: problem.into(),
            })
        };
        if letters(&name).count() != 1 || SIGNS.contains(&name.as_str()) {
            return wrong("the name of a class is one letter, such as K");
        }
        if self.definitions.iter().any(|(taken, _)| *taken == name) {
            return wrong("this class is defined twice");
        }
        if members.is_empty() {
            return wrong("a class has members, such as K=ptk or K=p|t|ch");
        }
        self.definitions.push((name, members.to_owned()));
        Ok(())
    }

    /// Names and members, as they were defined.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.definitions.iter().map(|(name, members)| (name.as_str(), members.as_str()))
    }

    /// What a name in a pattern stands for; nothing if it is no class.
    pub(crate) fn find(
        &self,
        name: &str,
        reader: &Reader<'_>,
    ) -> Result<Option<Expression>, ConstraintError> {
        if let Some(index) = self.definitions.iter().position(|(own, _)| own == name) {
            return self.members(index, reader).map(Some);
        }
        if reader.alphabet.symbol(name).is_some() {
            return Ok(None);
        }
        match name {
            "V" => self.vowels(reader).map(Expression::Letter).map(Some),
            "C" => {
                let vowels = self.vowels(reader)?;
                let consonants = LetterSet::of(reader.alphabet, |symbol| {
                    !vowels.has(symbol) && kind(reader.alphabet, symbol) != LetterKind::Sign
                });
                Ok(Some(Expression::Letter(consonants)))
            }
            _ => Ok(None),
        }
    }

    /// The vowels: those that are defined, or those of the table.
    pub(crate) fn vowels(&self, reader: &Reader<'_>) -> Result<LetterSet, ConstraintError> {
        if let Some(index) = self.definitions.iter().position(|(own, _)| own == "V") {
            return match self.members(index, reader)? {
                Expression::Letter(set) => Ok(set),
                _ => Err(ConstraintError::Class {
                    name: "V".into(),
                    members: self.definitions[index].1.clone(),
                    problem: "vowels are single letters here".into(),
                }),
            };
        }
        let alphabet = reader.alphabet;
        let kinds: Vec<LetterKind> =
            (0..alphabet.symbol_count()).map(|symbol| kind(alphabet, symbol as Symbol)).collect();
        if kinds.contains(&LetterKind::Unknown) || !kinds.contains(&LetterKind::Vowel) {
            return Err(ConstraintError::NoVowels { constraint: reader.name.clone() });
        }
        Ok(LetterSet::of(alphabet, |symbol| kinds[usize::from(symbol)] == LetterKind::Vowel))
    }

    /// The members of a definition, in which earlier ones may occur.
    fn members(&self, index: usize, reader: &Reader<'_>) -> Result<Expression, ConstraintError> {
        let (name, text) = &self.definitions[index];
        let earlier = Self { definitions: self.definitions[..index].to_vec() };
        let inner = Reader { classes: &earlier, name: format!("class `{name}={text}`"), ..*reader };
        if text.contains('|') {
            let strings = text.split('|').filter(|string| !string.is_empty());
            return Ok(Expression::Alternatives(
                strings.map(|s| inner.literally(s)).collect::<Result<_, _>>()?,
            ));
        }
        let mut sets = Vec::new();
        for letter in letters(&normalise(text, false)) {
            sets.push(match earlier.find(letter, &inner)? {
                Some(Expression::Letter(set)) => set,
                Some(_) => {
                    return Err(ConstraintError::Class {
                        name: name.clone(),
                        members: text.clone(),
                        problem: format!("the class {letter} has members of several letters"),
                    });
                }
                None => LetterSet::One(inner.symbol(letter)?),
            });
        }
        let any = LetterSet::of(reader.alphabet, |symbol| sets.iter().any(|set| set.has(symbol)));
        Ok(Expression::Letter(any))
    }
}

fn kind(alphabet: &Alphabet, symbol: Symbol) -> LetterKind {
    alphabet.letter(symbol).map_or(LetterKind::Sign, |letter| Vowels::of(alphabet).kind(letter))
}
