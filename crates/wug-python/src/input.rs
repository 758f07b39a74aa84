//! What Python gives: words, counts, paths, numbers.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};
use wug::lexicon::{Casing, check_word};

use crate::errors::{build, exception};

/// One word or several.
pub(crate) struct Words(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Words {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(word) = given.cast::<PyString>() {
            return Ok(Self(vec![word.to_str()?.to_owned()]));
        }
        // A table is a collection too: of the names of its columns, which nobody means.
        if given.hasattr("columns")? {
            return Err(expected("a word or words, such as one column of a table", &given));
        }
        let mut words = Vec::new();
        for (number, word) in given.try_iter().map_err(|_| expected("a word or words", &given))?.enumerate() {
            let word = word?;
            let word = word
                .cast::<PyString>()
                .map_err(|_| expected(&format!("words[{number}] to be str"), &word))?;
            words.push(word.to_str()?.to_owned());
        }
        Ok(Self(words))
    }
}

/// Words with their counts: a mapping from words to counts, or words that count one each.
pub(crate) fn counts(given: &Bound<'_, PyAny>) -> PyResult<Vec<(String, u64)>> {
    let Ok(mapping) = given.cast::<PyMapping>() else {
        return Ok(given.extract::<Words>()?.0.into_iter().map(|word| (word, 1)).collect());
    };
    let mut counts = Vec::new();
    for item in mapping.items()?.iter() {
        let (word, count): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let word =
            word.cast::<PyString>().map_err(|_| expected("words to be str", &word))?.to_str()?.to_owned();
        let count = count.extract().map_err(|_| {
            PyValueError::new_err(format!(
                "the count of `{word}` is {count}; expected a whole number from 0 to {}",
                u64::MAX
            ))
        })?;
        counts.push((word, count));
    }
    Ok(counts)
}

/// Words with their counts, of which there is at least one, as lists have them: in normal form C, without white space.
pub(crate) fn list(given: &Bound<'_, PyAny>, casing: Casing) -> PyResult<Vec<(String, u64)>> {
    let counts = counts(given)?;
    if counts.is_empty() {
        return Err(build(given.py(), "InputError", ("there are no words: give at least one",))?);
    }
    let checked = counts.into_iter().map(|(word, count)| Ok((check_word(&word, casing)?, count)));
    checked.collect::<wug::Result<_>>().map_err(exception)
}

/// A path, if it is one: an instance of `os.PathLike`, or a text.
pub(crate) fn path(given: &Bound<'_, PyAny>) -> Option<PathBuf> {
    given.extract().ok()
}

/// A seed.
pub(crate) fn seed(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("the seed", given)
}

/// How many words to make.
pub(crate) fn count(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("the number of words", given)
}

fn whole(name: &str, given: &Bound<'_, PyAny>) -> PyResult<u64> {
    given.extract().map_err(|error: PyErr| match error.is_instance_of::<PyOverflowError>(given.py()) {
        true => out_of_range(name, given, &(0..=u64::MAX)),
        false => error,
    })
}

/// Refuses a number that the command would refuse.
pub(crate) fn within<T: PartialOrd + Display>(
    name: &str,
    found: T,
    range: RangeInclusive<T>,
) -> PyResult<()> {
    if range.contains(&found) { Ok(()) } else { Err(out_of_range(name, found, &range)) }
}

fn out_of_range<T: Display>(name: &str, found: impl Display, range: &RangeInclusive<T>) -> PyErr {
    PyValueError::new_err(format!("{name} is {found}; expected {} to {}", range.start(), range.end()))
}

fn expected(what: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let class = found.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {what}; found {class}"))
}
