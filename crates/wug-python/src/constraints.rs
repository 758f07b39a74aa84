//! What words must look like: the keywords of everything that makes words, in the order of the command's options.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyMapping;
use wug::generate::{Classes, Constraint};

use crate::errors::exception;
use crate::input::Words;

/// The keywords as they are given.
#[derive(Default)]
pub(crate) struct Keywords<'py> {
    pub(crate) pattern: Option<Words>,
    pub(crate) not_pattern: Option<Words>,
    pub(crate) prefix: Option<String>,
    pub(crate) suffix: Option<String>,
    pub(crate) containing: Option<Words>,
    pub(crate) without: Option<Words>,
    pub(crate) without_any: Option<Words>,
    pub(crate) syllables: Option<Range>,
    pub(crate) min_length: Option<usize>,
    pub(crate) max_length: Option<usize>,
    pub(crate) classes: Option<Bound<'py, PyMapping>>,
}

/// A number, or the least and the most.
pub(crate) struct Range(usize, usize);

impl<'py> FromPyObject<'_, 'py> for Range {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let range = given.extract::<usize>().map(|only| Self(only, only));
        range.or_else(|_| given.extract::<(usize, usize)>().map(|(least, most)| Self(least, most))).map_err(
            |_| PyTypeError::new_err("syllables: expected a number such as 2, or two such as (2, 3)"),
        )
    }
}

impl Keywords<'_> {
    /// The library's constraints.
    pub(crate) fn constraints(&self) -> Vec<Constraint> {
        let every = |texts: &Option<Words>, kind: fn(String) -> Constraint| {
            let texts = texts.iter().flat_map(|Words(texts)| texts);
            texts.cloned().map(kind).collect::<Vec<_>>()
        };
        let mut all = every(&self.pattern, Constraint::Pattern);
        all.extend(every(&self.not_pattern, Constraint::NotPattern));
        all.extend(self.prefix.clone().map(Constraint::Prefix));
        all.extend(self.suffix.clone().map(Constraint::Suffix));
        all.extend(every(&self.containing, Constraint::Containing));
        all.extend(every(&self.without, Constraint::Without));
        if let Some(Words(strings)) = &self.without_any {
            all.push(Constraint::WithoutAny { name: "without_any".into(), strings: strings.clone().into() });
        }
        all.extend(self.syllables.as_ref().map(|&Range(least, most)| Constraint::Syllables { least, most }));
        all.extend(self.min_length.map(Constraint::AtLeast));
        all.extend(self.max_length.map(Constraint::AtMost));
        all
    }

    /// The classes of letters that patterns name.
    pub(crate) fn classes(&self) -> PyResult<Classes> {
        let mut classes = Classes::default();
        let Some(given) = &self.classes else { return Ok(classes) };
        for (name, members) in given.items()?.extract::<Vec<(String, String)>>()? {
            classes.define(&name, &members).map_err(exception)?;
        }
        Ok(classes)
    }
}
