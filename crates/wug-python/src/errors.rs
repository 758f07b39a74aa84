//! Errors as exceptions. `wug.errors` has the classes; the text is that of the library, with its causes.

use std::error::Error as _;
use std::io;

use pyo3::prelude::*;
use wug::lexicon::LexiconError;
use wug::train::PlanError;
use wug::{Error, ErrorKind, ModelFileError};

/// The library's error as an exception.
pub(crate) fn exception(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    Python::attach(|py| {
        let built = match error.kind() {
            ErrorKind::System => system_error(py, &error),
            kind => build(py, class_of(kind, &error), (text(&error),)),
        };
        built.unwrap_or_else(|failure| failure)
    })
}

/// An exception of one of the package's classes.
pub(crate) fn build<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<PyErr> {
    let class = py.import("wug.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call1(arguments)?))
}

fn class_of(kind: ErrorKind, error: &Error) -> &'static str {
    match (kind, error) {
        (
            _,
            Error::Name(_)
            | Error::Plan(PlanError::Preset(_))
            | Error::Column(_)
            | Error::ModelFile(ModelFileError::Unknown { .. })
            | Error::Lexicon(LexiconError::UnknownList { .. }),
        ) => "UnknownNameError",
        (ErrorKind::Request | ErrorKind::Data, _) => "InputError",
        (ErrorKind::Numerical, _) => "NumericalError",
        (ErrorKind::GaveUp, _) => "GaveUpError",
        _ => "Error",
    }
}

fn system_error(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let mut cause = error.source();
    let mut found = None;
    while let Some(inner) = cause {
        found = found.or_else(|| inner.downcast_ref::<io::Error>());
        cause = inner.source();
    }
    match found {
        Some(found) if found.kind() == io::ErrorKind::NotFound => {
            build(py, "MissingFileError", (found.raw_os_error(), text(error)))
        }
        Some(found) => build(py, "FileError", (found.raw_os_error(), text(error))),
        None => build(py, "Error", (text(error),)),
    }
}

/// The message with its causes, as the command prints it.
pub(crate) fn text(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
