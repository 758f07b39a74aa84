//! LD1NN: can words be told from nonwords by their neighbours in the list alone?

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wug::measure::{Bias, Stimulus, ld1nn_random};

use crate::errors::exception;
use crate::input::Words;
use crate::{input, json, numpy};

/// Tests words and nonwords in random orders. `wug.ld1nn` calls it.
#[pyfunction]
#[pyo3(signature = (words, nonwords, orders, seed, threads))]
pub(crate) fn ld1nn<'py>(
    py: Python<'py>,
    words: Words,
    nonwords: Words,
    orders: usize,
    #[pyo3(from_py_with = input::seed)] seed: u64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let kinds = [(words, true), (nonwords, false)];
    let stimuli = kinds
        .into_iter()
        .flat_map(|(Words(texts), is_word)| texts.into_iter().map(move |text| Stimulus { text, is_word }));
    let stimuli: Vec<Stimulus> = stimuli.collect();
    input::within("orders", orders, 1..=10_000)?;
    let test = || ld1nn_random(&stimuli, orders, seed, wug::threads(threads));
    to_python(py, &py.detach(test).map_err(exception)?)
}

/// The outcome as an instance of `wug.Bias`.
pub(crate) fn to_python<'py>(py: Python<'py>, bias: &Bias) -> PyResult<Bound<'py, PyAny>> {
    let Bias { fit, orders, probabilities } = bias;
    let fields = PyDict::new(py);
    fields.set_item("odds", fit.odds())?;
    fields.set_item("coefficient", fit.coefficient)?;
    fields.set_item("standard_error", fit.standard_error)?;
    fields.set_item("z", fit.z())?;
    fields.set_item("p", fit.p())?;
    fields.set_item("orders", orders.len())?;
    fields.set_item("significant_orders", bias.significant_orders())?;
    fields.set_item("verdict", json::to_python(py, &bias.verdict())?)?;
    fields.set_item("word_probabilities", numpy::array(py, probabilities, &[probabilities.len()])?)?;
    py.import("wug.stimuli")?.getattr("Bias")?.call((), Some(&fields))
}
