//! What words must look like: keyword arguments by the library's keywords, and `classes`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use wug::generate::{Classes, Constraint, KEYWORDS};

use crate::errors::exception;
use crate::input::Words;

/// The constraints and classes of keyword arguments.
pub(crate) fn read(given: Option<&Bound<'_, PyDict>>) -> PyResult<(Vec<Constraint>, Classes)> {
    let (mut constraints, mut classes) = (Vec::new(), Classes::default());
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        if value.is_none() {
            continue;
        }
        if name == "classes" {
            let items = value.cast::<PyMapping>()?.items()?.extract::<Vec<(String, String)>>()?;
            classes = items.try_into().map_err(exception)?;
        } else if let Some(keyword) = KEYWORDS.iter().find(|keyword| keyword.name.replace('-', "_") == name) {
            let found = values(&name, &value, keyword.value == "N")?;
            constraints.extend(Constraint::of_keyword(&name, &found).map_err(exception)?);
        } else {
            return Err(PyTypeError::new_err(format!("unexpected keyword argument '{name}'")));
        }
    }
    Ok((constraints, classes))
}

/// A text or several; or, where that is what is meant, a number or two of them.
fn values(name: &str, value: &Bound<'_, PyAny>, is_number: bool) -> PyResult<Vec<String>> {
    if is_number && let Ok(number) = value.extract::<u64>() {
        return Ok(vec![number.to_string()]);
    }
    if is_number && let Ok((least, most)) = value.extract::<(u64, u64)>() {
        return Ok(vec![format!("{least}-{most}")]);
    }
    let words = value.extract::<Words>();
    words.map(|Words(texts)| texts).map_err(|error| PyTypeError::new_err(format!("{name}: {error}")))
}
