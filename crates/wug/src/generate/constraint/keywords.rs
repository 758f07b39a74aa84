//! The keywords of constraints, once for every front end: an option of the command, an argument in Python and a field of a request in
//! JSON have the same name, and their values are read here.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Constraint, ConstraintError};
use crate::generate::draw_settings::MAX_LETTERS;

/// A keyword, and how its value becomes a constraint.
#[derive(Debug)]
pub struct Keyword {
    /// Its name as an option of the command; Python and JSON have `_` for hyphens.
    pub name: &'static str,
    /// What stands for its value in help.
    pub value: &'static str,
    /// What it asks for.
    pub help: &'static str,
    /// What several values mean.
    pub several: Several,
    read: fn(&str) -> Result<Constraint, String>,
}

/// What several values of a keyword mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Several {
    /// There is only one value.
    Wrong,
    /// Words meet each of them.
    All,
    /// They are the lines of one value.
    Lines,
}

/// All keywords, in the order in which constraints are met.
pub const KEYWORDS: &[Keyword] = &[
    keyword("pattern", "PATTERN", "A pattern for the whole word", Several::All, |text| {
        Ok(Constraint::Pattern(text.into()))
    }),
    keyword("not-pattern", "PATTERN", "A pattern that the whole word must not match", Several::All, |text| {
        Ok(Constraint::NotPattern(text.into()))
    }),
    keyword("prefix", "LETTERS", "Letters that words begin with", Several::Wrong, |text| {
        Ok(Constraint::Prefix(text.into()))
    }),
    keyword("suffix", "LETTERS", "Letters that words end with", Several::Wrong, |text| {
        Ok(Constraint::Suffix(text.into()))
    }),
    keyword("containing", "PATTERN", "A pattern that words contain", Several::All, |text| {
        Ok(Constraint::Containing(text.into()))
    }),
    keyword(
        "without",
        "PATTERN",
        "A pattern that words do not contain, such as 'sex|xx', '[qx]' or 'C{4}'",
        Several::All,
        |text| Ok(Constraint::Without(text.into())),
    ),
    keyword(
        "without-any",
        "FILE",
        "Strings that words do not contain, one per line",
        Several::Lines,
        |text| Ok(Constraint::WithoutAny(text.lines().map(str::to_owned).collect())),
    ),
    keyword(
        "syllables",
        "N",
        "Groups of vowels in a word, roughly its syllables: 2 or 2-3",
        Several::Wrong,
        |text| range(text, 0).map(|(least, most)| Constraint::Syllables { least, most }),
    ),
    keyword("length", "N", "Letters of a word: 7 or 5-8", Several::Wrong, |text| {
        range(text, 1).map(|(least, most)| Constraint::Length { least, most })
    }),
    keyword("min-length", "N", "The minimum number of letters of a word", Several::Wrong, |text| {
        number(text, 1).map(Constraint::AtLeast)
    }),
    keyword("max-length", "N", "The maximum number of letters of a word", Several::Wrong, |text| {
        number(text, 1).map(Constraint::AtMost)
    }),
];

const fn keyword(
    name: &'static str,
    value: &'static str,
    help: &'static str,
    several: Several,
    read: fn(&str) -> Result<Constraint, String>,
) -> Keyword {
    Keyword { name, value, help, several, read }
}

fn number(text: &str, least: usize) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|number| (least..=MAX_LETTERS).contains(number));
    number.ok_or_else(|| format!("expected {least} to {MAX_LETTERS}"))
}

/// One number, or two with a hyphen between them.
fn range(text: &str, least: usize) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
    match (number(first, least), number(last, least)) {
        (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
        _ => Err(format!(
            "expected {least} to {MAX_LETTERS}, or two such numbers as in 2-3, the smaller first"
        )),
    }
}

impl Keyword {
    /// The constraint of one value.
    ///
    /// # Errors
    /// What is expected instead. Patterns are read later, when the alphabet is known.
    pub fn read(&self, value: &str) -> Result<Constraint, String> {
        (self.read)(value)
    }
}

impl Constraint {
    /// The constraints that a keyword and its values stand for.
    ///
    /// # Errors
    /// When there is no such keyword, or a value is none of its.
    pub fn of_keyword(name: &str, values: &[String]) -> Result<Vec<Self>, ConstraintError> {
        let wrong = |value: &str, problem| ConstraintError::Syntax {
            constraint: format!("{} `{value}`", name.replace('_', "-")),
            problem,
        };
        let Some(keyword) = KEYWORDS.iter().find(|keyword| keyword.name == name.replace('_', "-")) else {
            let names: Vec<&str> = KEYWORDS.iter().map(|keyword| keyword.name).collect();
            return Err(wrong("", format!("there is no such constraint; there are: {}", names.join(", "))));
        };
        let read = |value: &String| keyword.read(value).map_err(|problem| wrong(value, problem));
        match keyword.several {
            Several::Lines => Ok(vec![read(&values.join("\n"))?]),
            Several::Wrong if values.len() > 1 => {
                Err(wrong(&values.join(", "), "it is asked for only once".into()))
            }
            _ => values.iter().map(read).collect(),
        }
    }

    /// Its keyword and value; none for distances from words, which only matching asks for.
    fn keyword(&self) -> Option<(&'static str, String)> {
        let range = |least, most| if least == most { format!("{least}") } else { format!("{least}-{most}") };
        Some(match self {
            Self::Length { least, most } => ("length", range(least, most)),
            Self::AtLeast(letters) => ("min-length", letters.to_string()),
            Self::AtMost(letters) => ("max-length", letters.to_string()),
            Self::Pattern(text) => ("pattern", text.clone()),
            Self::NotPattern(text) => ("not-pattern", text.clone()),
            Self::Prefix(text) => ("prefix", text.clone()),
            Self::Suffix(text) => ("suffix", text.clone()),
            Self::Containing(text) => ("containing", text.clone()),
            Self::Without(text) => ("without", text.clone()),
            Self::WithoutAny(strings) => ("without-any", strings.join("\n")),
            Self::Syllables { least, most } => ("syllables", range(least, most)),
            Self::Edits { .. } => return None,
        })
    }

    /// The place of its keyword.
    pub(crate) fn rank(&self) -> usize {
        let name = self.keyword().map(|(name, _)| name);
        KEYWORDS.iter().position(|keyword| Some(keyword.name) == name).unwrap_or(KEYWORDS.len())
    }
}

/// Values in JSON: a text, a number, or several of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Values {
    One(Value),
    Several(Vec<Value>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Number(u64),
}

pub(crate) fn serialize<S: Serializer>(constraints: &[Constraint], serializer: S) -> Result<S::Ok, S::Error> {
    let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for constraint in constraints {
        let without = || S::Error::custom(format!("{constraint}: it has no keyword"));
        let (name, value) = constraint.keyword().ok_or_else(without)?;
        fields.entry(name.replace('-', "_")).or_default().push(value);
    }
    fields.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Constraint>, D::Error> {
    let fields = BTreeMap::<String, Values>::deserialize(deserializer)?;
    let mut constraints = Vec::new();
    for (name, values) in fields {
        let values = match values {
            Values::One(value) => vec![value],
            Values::Several(values) => values,
        };
        let text = |value| match value {
            Value::Text(text) => text,
            Value::Number(number) => number.to_string(),
        };
        let values: Vec<String> = values.into_iter().map(text).collect();
        constraints.extend(Constraint::of_keyword(&name, &values).map_err(D::Error::custom)?);
    }
    Ok(constraints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_read_and_written() {
        for keyword in KEYWORDS {
            let value = if keyword.value == "N" { "3" } else { "ab" };
            let constraints = Constraint::of_keyword(keyword.name, &[value.into()]).unwrap();
            assert_eq!(constraints[0].keyword(), Some((keyword.name, value.to_owned())));
            assert_eq!(KEYWORDS[constraints[0].rank()].name, keyword.name);
        }
    }

    #[test]
    fn values_that_are_none_are_named() {
        for (name, values, expected) in [
            ("syllables", &["3-2"][..], "syllables `3-2`: expected 0 to 100"),
            ("length", &["0"], "length `0`: expected 1 to 100"),
            ("max-length", &["x"], "max-length `x`: expected 1 to 100"),
            ("prefix", &["a", "b"], "prefix `a, b`: it is asked for only once"),
            ("colour", &["red"], "there is no such constraint; there are: pattern, not-pattern"),
        ] {
            let values: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
            let error = Constraint::of_keyword(name, &values).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
