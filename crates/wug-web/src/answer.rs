//! What comes back.

use serde_json::Value;

/// JSON, and the bytes of a file if there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The JSON.
    pub json: Value,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// An answer without bytes.
    pub fn of(json: Value) -> Self {
        Self { json, bytes: Vec::new() }
    }
}

/// Why there is no answer, in words for the reader of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(pub String);

impl<E: std::error::Error> From<E> for Failure {
    /// The error and its causes on one line.
    fn from(error: E) -> Self {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(found) = cause {
            let more = found.to_string();
            if !text.contains(&more) {
                text = format!("{text}: {more}");
            }
            cause = found.source();
        }
        Self(text)
    }
}
