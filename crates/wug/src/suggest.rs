//! What a mistyped name was probably meant to be.

use strsim::levenshtein;
use thiserror::Error;

/// The known name that is nearest to a mistyped one, unless all are too far from it: more than one edit, and one more for
/// each three bytes of what was typed.
///
/// ```
/// assert_eq!(wug::nearest_name("tirl", ["id", "diag", "tril"]), Some("tril"));
/// assert_eq!(wug::nearest_name("spline", ["id", "diag", "tril"]), None);
/// ```
pub fn nearest_name<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distances = known.into_iter().map(|name| (levenshtein(typed, name), name));
    let nearest = distances.min_by_key(|(distance, _)| *distance);
    nearest.filter(|(distance, _)| *distance <= tolerance(typed)).map(|(_, name)| name)
}

/// A name that nothing has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct UnknownName(String);

impl UnknownName {
    /// Says so, with the nearest of the names that there are, and with all.
    pub(crate) fn new<'a>(kind: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        let name: String = name.chars().take(40).collect();
        let hint = in_brackets(nearest_name(&name, known.iter().copied()));
        Self(format!("there is no {kind} `{name}`{hint}; there are {}", known.join(", ")))
    }
}

/// Edits within which a name may be meant by what was typed.
pub(crate) fn tolerance(typed: &str) -> usize {
    1 + typed.len() / 3
}

/// A question for the end of a message, or nothing.
pub(crate) fn question(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// The same for the middle of a message.
pub(crate) fn in_brackets(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_near_where_there_is_nothing() {
        assert_eq!(nearest_name("tril", []), None);
        assert_eq!(nearest_name("", ["id"]), None);
    }
}
