//! What a word has in a column.

use std::fmt;

use serde::Serialize;

/// A word's value of a measure. Printed, it is a cell of a table: numbers with four places, lists with spaces between their items, nothing
/// where there is no value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(Option<f64>),
    /// A whole number.
    Count(Option<u64>),
    /// A text.
    Text(Option<String>),
    /// Numbers, such as one for each letter.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
}

impl Value {
    /// The value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => *number,
            Self::Count(count) => count.map(|count| count as f64),
            Self::Text(_) | Self::Numbers(_) | Self::Texts(_) => None,
        }
    }

    /// What type of value it is, by name.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "number",
            Self::Count(_) => "count",
            Self::Text(_) => "text",
            Self::Numbers(_) => "numbers",
            Self::Texts(_) => "texts",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(Some(number)) => write!(formatter, "{number:.4}"),
            Self::Count(Some(count)) => write!(formatter, "{count}"),
            Self::Text(Some(text)) => formatter.write_str(text),
            Self::Number(None) | Self::Count(None) | Self::Text(None) => Ok(()),
            Self::Numbers(all) => {
                let all: Vec<String> = all.iter().map(|number| format!("{number:.4}")).collect();
                formatter.write_str(&all.join(" "))
            }
            Self::Texts(all) => formatter.write_str(&all.join(" ")),
        }
    }
}
