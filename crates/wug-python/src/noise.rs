//! From words to noise and back.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wug::Execution;
use wug::generate::{Encoding, StepNoise};

use crate::errors::exception;
use crate::model::Model;
use crate::{input, numpy};

#[pymethods]
impl Model {
    /// Noise that a word may have come from, drawn from its posterior, with all that it brings about.
    #[pyo3(signature = (word, *, seed=1))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        word: &str,
        #[pyo3(from_py_with = input::seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let encoding = py.detach(|| self.trained.encode(word, seed)).map_err(exception)?;
        self.to_python(py, &encoding)
    }

    /// The word that some noise makes, and everything on the way: the inverse of `encode`.
    ///
    /// `noise` has a row for each step, `points` the number of the unit interval that chooses each letter; the choice flow needs only
    /// one of both. What is not given is drawn by the seed.
    #[pyo3(signature = (noise=None, points=None, *, seed=1))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        noise: Option<Bound<'py, PyAny>>,
        points: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = input::seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let encoding = self.decoded(py, noise, points, seed)?;
        self.to_python(py, &encoding)
    }

    /// Noise that a word may have come from: an array with a row for each letter and one for the end.
    #[pyo3(signature = (word, *, seed=1))]
    fn noise<'py>(
        &self,
        py: Python<'py>,
        word: &str,
        #[pyo3(from_py_with = input::seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let encoding = py.detach(|| self.trained.encode(word, seed)).map_err(exception)?;
        noise_array(py, &encoding, self.trained.noise_size())
    }

    /// The states that some noise leads to: an array with a row for each letter and one for the end.
    #[pyo3(signature = (noise, points=None, *, seed=1))]
    fn states<'py>(
        &self,
        py: Python<'py>,
        noise: Option<Bound<'py, PyAny>>,
        points: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = input::seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        state_array(py, &self.decoded(py, noise, points, seed)?)
    }

    /// The letters that some noise makes: an array of texts.
    #[pyo3(signature = (noise, points=None, *, seed=1))]
    fn letters<'py>(
        &self,
        py: Python<'py>,
        noise: Option<Bound<'py, PyAny>>,
        points: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = input::seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let encoding = self.decoded(py, noise, points, seed)?;
        let letters: Vec<&str> = encoding
            .steps
            .iter()
            .map(|step| step.letter.as_str())
            .filter(|letter| !letter.is_empty())
            .collect();
        py.import("numpy")?.call_method1("array", (letters, "str"))
    }
}

impl Model {
    fn decoded(
        &self,
        py: Python<'_>,
        noise: Option<Bound<'_, PyAny>>,
        points: Option<Bound<'_, PyAny>>,
        seed: u64,
    ) -> PyResult<Encoding> {
        let noise: Vec<Vec<f64>> = noise.map_or(Ok(Vec::new()), |noise| rows(&noise))?;
        let points: Vec<f64> = points.map_or(Ok(Vec::new()), |points| {
            points.extract().map_err(|_| PyValueError::new_err("points: expected a number for each step"))
        })?;
        let steps = (0..noise.len().max(points.len())).map(|step| StepNoise {
            noise: noise.get(step).cloned().unwrap_or_default(),
            point: points.get(step).copied(),
        });
        let steps: Vec<StepNoise> = steps.collect();
        py.detach(|| self.trained.decode_all(&[steps], Execution { seed, threads: 1 }))
            .map_err(exception)?
            .pop()
            .ok_or_else(|| PyValueError::new_err("no noise"))
    }

    fn to_python<'py>(&self, py: Python<'py>, encoding: &Encoding) -> PyResult<Bound<'py, PyAny>> {
        let steps = encoding.steps.len();
        let flat = |numbers: &dyn Fn(usize) -> Vec<f64>| (0..steps).flat_map(numbers).collect::<Vec<f64>>();
        let points = flat(&|step| vec![encoding.steps[step].point]);
        let intervals = flat(&|step| encoding.steps[step].interval.to_vec());
        let probabilities = flat(&|step| encoding.steps[step].probabilities.clone());
        let letters: Vec<&str> = encoding.steps.iter().map(|step| step.letter.as_str()).collect();
        let fields = PyDict::new(py);
        fields.set_item("word", &encoding.word)?;
        fields.set_item("log_probability", encoding.log_probability)?;
        fields.set_item("symbols", &encoding.symbols)?;
        fields.set_item("letters", letters)?;
        fields.set_item("noise", noise_array(py, encoding, self.trained.noise_size())?)?;
        fields.set_item("points", numpy::array(py, &points, &[steps])?)?;
        fields.set_item("intervals", numpy::array(py, &intervals, &[steps, 2])?)?;
        fields
            .set_item("probabilities", numpy::array(py, &probabilities, &[steps, encoding.symbols.len()])?)?;
        fields.set_item("states", state_array(py, encoding)?)?;
        py.import("wug.encoding")?.getattr("Encoding")?.call((), Some(&fields))
    }
}

/// The rows of an array of noise. One with a single dimension has a number for each step.
fn rows(noise: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<f64>>> {
    let numbers: PyResult<Vec<f64>> = noise.extract();
    if let Ok(numbers) = numbers {
        return Ok(numbers.into_iter().map(|number| vec![number]).collect());
    }
    noise.extract().map_err(|_| PyValueError::new_err("noise: expected a row of numbers for each step"))
}

fn noise_array<'py>(py: Python<'py>, encoding: &Encoding, size: usize) -> PyResult<Bound<'py, PyAny>> {
    let numbers: Vec<f64> = encoding.steps.iter().flat_map(|step| step.noise.iter().copied()).collect();
    numpy::array(py, &numbers, &[encoding.steps.len(), size])
}

fn state_array<'py>(py: Python<'py>, encoding: &Encoding) -> PyResult<Bound<'py, PyAny>> {
    let numbers: Vec<f32> = encoding.steps.iter().flat_map(|step| step.state.iter().copied()).collect();
    let size = numbers.len() / encoding.steps.len().max(1);
    numpy::array(py, &numbers, &[encoding.steps.len(), size])
}
