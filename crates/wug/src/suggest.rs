//! What a mistyped name was probably meant to be.

/// The known name that is nearest to a mistyped one, unless all are too far from it: more than one edit, and one more for
/// each three bytes of what was typed.
///
/// ```
/// assert_eq!(wug::nearest_name("tirl", ["id", "diag", "tril"]), Some("tril"));
/// assert_eq!(wug::nearest_name("spline", ["id", "diag", "tril"]), None);
/// ```
pub fn nearest_name<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distances = known.into_iter().map(|name| (edit_distance(typed, name), name));
    let nearest = distances.min_by_key(|(distance, _)| *distance);
    nearest.filter(|(distance, _)| *distance <= tolerance(typed)).map(|(_, name)| name)
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

/// Insertions, deletions and substitutions of characters between two strings.
pub(crate) fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("same", "same"), 0);
    }

    #[test]
    fn nothing_is_near_where_there_is_nothing() {
        assert_eq!(nearest_name("tril", []), None);
        assert_eq!(nearest_name("", ["id"]), None);
    }
}
