//! The class `Model`: loading, saving, and what a model is. What it does is in the modules beside this one.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use wug::TrainedModel;
use wug::languages::DEFAULT_MODEL;
use wug::lexicon::WordCounts;
use wug::measure::ListIndex;

use crate::errors::exception;
use crate::lexicon::Lexicon;
use crate::{json, numpy};

/// A trained model of words. `wug.load` reads one, `wug.train` makes one.
///
/// It never changes, can be used from several threads at once, and pickles by value.
#[pyclass(frozen, module = "wug")]
pub(crate) struct Model {
    pub(crate) trained: Arc<TrainedModel>,
    /// What it was loaded by.
    loaded_by: Option<String>,
    /// Read when they are needed for the first time.
    lexicon: Mutex<Option<Arc<ListIndex>>>,
    list: Mutex<Option<Arc<WordCounts>>>,
}

impl Model {
    pub(crate) fn new(trained: TrainedModel) -> Self {
        Self {
            trained: Arc::new(trained),
            loaded_by: None,
            lexicon: Mutex::default(),
            list: Mutex::default(),
        }
    }

    /// What it is called: as it was loaded, or by the list that it was trained on.
    pub(crate) fn name(&self) -> &str {
        self.loaded_by.as_deref().unwrap_or(&self.trained.provenance.lexicon)
    }

    /// The words that it was trained on, as others are compared with them. Locks are held while the interpreter is, so that none is held across a fork.
    pub(crate) fn words(&self, py: Python<'_>) -> PyResult<Arc<ListIndex>> {
        remembered(py, &self.lexicon, || Ok(ListIndex::of(Arc::new(self.trained.lexicon()?))))
    }

    /// The words that are known: those that it was trained on, and others of the language.
    pub(crate) fn list(&self, py: Python<'_>) -> PyResult<Arc<WordCounts>> {
        remembered(py, &self.list, || Ok(Arc::new(self.trained.known_words()?)))
    }
}

/// What is read once.
fn remembered<T: Send + Sync>(
    py: Python<'_>,
    place: &Mutex<Option<Arc<T>>>,
    read: impl FnOnce() -> wug::Result<Arc<T>> + Send,
) -> PyResult<Arc<T>> {
    let lock = || place.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = lock().as_ref() {
        return Ok(Arc::clone(found));
    }
    let found = py.detach(read).map_err(exception)?;
    *lock() = Some(Arc::clone(&found));
    Ok(found)
}

#[pymethods]
impl Model {
    /// Reads a model: by the name of one that comes with the package, from its file, or from the folder of its run.
    #[staticmethod]
    #[pyo3(signature = (name=None))]
    fn load(py: Python<'_>, name: Option<PathBuf>) -> PyResult<Self> {
        let name = name.map(|name| name.to_string_lossy().into_owned());
        let open = || TrainedModel::open(name.as_deref().unwrap_or(DEFAULT_MODEL));
        let trained = py.detach(open).map_err(exception)?;
        let loaded_by = Some(name.unwrap_or_else(|| DEFAULT_MODEL.to_owned()));
        Ok(Self { loaded_by, ..Self::new(trained) })
    }

    /// Reads a model from the content of a file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, content: &[u8]) -> PyResult<Self> {
        py.detach(|| TrainedModel::from_bytes(content, "the content")).map(Self::new).map_err(exception)
    }

    /// The content of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.trained.to_bytes().map_err(exception)?))
    }

    /// Writes the model to a file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.trained.save(&path)).map_err(exception)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((slf.get_type().getattr("from_bytes")?, (slf.get().to_bytes(slf.py())?,)))
    }

    /// The letters.
    #[getter]
    fn alphabet(&self) -> Vec<&str> {
        self.trained.alphabet.letters().collect()
    }

    /// What it is: a state space model, or one of the baselines.
    #[getter]
    fn kind(&self) -> &'static str {
        self.trained.config.model.kind.name()
    }

    /// Numbers of noise that a step takes; 0 for the baselines.
    #[getter]
    fn noise_size(&self) -> usize {
        self.trained.noise_size()
    }

    /// Numbers of a state.
    #[getter]
    fn state_size(&self) -> usize {
        self.trained.config.model.state
    }

    /// The configuration of its training, every default written out.
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.trained.config)
    }

    /// Where it comes from: the list, its SHA-256, words seen, version.
    #[getter]
    fn provenance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.trained.provenance)
    }

    /// The words that it was trained and tested on.
    #[getter]
    fn lexicon(&self, py: Python<'_>) -> PyResult<Lexicon> {
        Ok(Lexicon::of(Arc::clone(self.words(py)?.lexicon())))
    }

    /// Copies of its parameters as arrays, by name; matrices have a row for each output.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parameters = PyDict::new(py);
        for info in self.trained.model.params().iter() {
            let numbers = &self.trained.parameters[info.range()];
            let shape = if info.is_vector { vec![info.rows] } else { vec![info.rows, info.cols] };
            parameters.set_item(&info.name, numpy::array(py, numbers, &shape)?)?;
        }
        Ok(parameters)
    }

    fn __repr__(&self) -> String {
        let TrainedModel { config, alphabet, provenance, .. } = &*self.trained;
        format!(
            "<wug.Model: {}, d = {}, {} letters, trained on {} words of {}>",
            config.model.kind.name(),
            config.model.state,
            alphabet.letters().count(),
            provenance.words_seen,
            provenance.lexicon
        )
    }
}
