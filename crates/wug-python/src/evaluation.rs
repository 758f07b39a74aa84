//! Measuring a model.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use pyo3::prelude::*;
use wug::evaluate::{Context, Metric, Settings, evaluate as measure};
use wug::generate::SampleError;

use crate::errors::exception;
use crate::interrupt::Signals;
use crate::lexicon::Lexicon;
use crate::model::Model;
use crate::{input, json};

/// Thrown through the library when a signal has come.
struct Interrupted;

/// Measures a model. `observe` gets the name of a metric and the share of it that is done. Returns the report as a dictionary and as
/// text. `wug.evaluate` calls it.
#[pyfunction]
#[pyo3(signature = (model, lexicon, metrics, trajectories, particles, draws, seed, threads, observe))]
#[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    lexicon: Option<&Bound<'py, Lexicon>>,
    metrics: Option<Vec<String>>,
    trajectories: u64,
    particles: usize,
    draws: usize,
    #[pyo3(from_py_with = input::seed)] seed: u64,
    threads: Option<usize>,
    observe: Py<PyAny>,
) -> PyResult<(Bound<'py, PyAny>, String)> {
    let metrics: Vec<Metric> = match metrics {
        None => Metric::ALL.to_vec(),
        Some(names) => {
            names.iter().map(|name| Metric::find(name)).collect::<Result<_, _>>().map_err(exception)?
        }
    };
    input::within("particles", particles, 1..=1_000_000)?;
    input::within("trajectories", trajectories, 1..=1_000_000_000_000_000)?;
    let model = model.get();
    let mut data = model.trained.config.data.clone();
    let words = match lexicon {
        Some(given) => {
            "the given words".clone_into(&mut data.lexicon);
            given.get().words.clone()
        }
        None => std::sync::Arc::clone(model.words(py)?.lexicon()),
    };
    let settings = Settings {
        trajectories,
        particles,
        draws,
        seed,
        threads: wug::threads(threads),
        ..Settings::default()
    };
    let mut signals = Signals::new();
    let work = || -> wug::Result<_> {
        let context = Context::new(&model.trained, &data, &words, settings)?;
        measure(&context, &metrics, |name, share| {
            if signals.look(|py| observe.call1(py, (name, share)).map(drop)).is_break() {
                // Measuring has no other way to end early. Progress is told between pieces of work, on this thread.
                resume_unwind(Box::new(Interrupted));
            }
        })
    };
    let report = match py.detach(|| catch_unwind(AssertUnwindSafe(work))) {
        Ok(report) => report,
        Err(thrown) if thrown.is::<Interrupted>() => Err(SampleError::Stopped.into()),
        Err(panic) => resume_unwind(panic),
    };
    let report = signals.settle(|| report.map_err(exception))?;
    Ok((json::to_python(py, &report)?, report.to_string()))
}
