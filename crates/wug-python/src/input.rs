//! What Python gives: words, counts, paths, numbers of threads.

use std::path::PathBuf;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};

/// One word or several.
pub(crate) struct Words(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Words {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(word) = given.cast::<PyString>() {
            return Ok(Self(vec![word.to_str()?.to_owned()]));
        }
        let mut words = Vec::with_capacity(given.len().unwrap_or(0));
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
    let mut counts = Vec::with_capacity(mapping.len()?);
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

/// A path, if it is one: an instance of `os.PathLike`, or a text.
pub(crate) fn path(given: &Bound<'_, PyAny>) -> Option<PathBuf> {
    given.extract().ok()
}

fn expected(what: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let class = found.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {what}; found {class}"))
}
