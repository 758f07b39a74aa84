//! The class `Lexicon`: words and how often each occurs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyModuleNotFoundError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use wug::languages::{find, open_list};
use wug::lexicon::{Casing, Filter, Input, SplitKind, Statistics, WordCounts, read_list};
use wug::measure::{Columns, ListIndex, Measures, ScoreSettings, Sources};
use wug::{DataConfig, Execution};

use crate::errors::exception;
use crate::input::{self, Words};
use crate::interrupt::Signals;
use crate::rows::Rows;
use crate::table::Table;
use crate::{json, numpy};

/// Words and how often each occurs, the most frequent first.
///
/// `Lexicon(["wug", "blick"])` and `Lexicon({"wug": 12, "blick": 7})` make one; `Lexicon.read(path)` reads a list.
#[pyclass(frozen, module = "wug")]
pub(crate) struct Lexicon {
    pub(crate) words: Arc<wug::Lexicon>,
    /// What words are compared with; made when they are.
    index: OnceLock<Arc<ListIndex>>,
}

impl Lexicon {
    pub(crate) fn of(words: Arc<wug::Lexicon>) -> Self {
        Self { words, index: OnceLock::new() }
    }

    /// The words as others are compared with them.
    pub(crate) fn index(&self) -> Arc<ListIndex> {
        if let Some(found) = self.index.get() {
            return Arc::clone(found);
        }
        let made = ListIndex::of(Arc::clone(&self.words));
        Arc::clone(self.index.get_or_init(|| made))
    }

    fn filtered(counts: WordCounts, filter: &Filter) -> PyResult<Self> {
        filter.check().map_err(exception)?;
        Ok(Self::of(Arc::new(counts.into_lexicon(filter).map_err(exception)?.0)))
    }
}

#[pymethods]
impl Lexicon {
    #[new]
    fn new(words: &Bound<'_, PyAny>) -> PyResult<Self> {
        let words = wug::Lexicon::from_counts(input::list(words, Casing::Keep)?).map_err(exception)?;
        Ok(Self::of(Arc::new(words)))
    }

    /// Reads a list of words, with counts or without, in a table of any kind, plain, gzip or zstd. Where the words and the counts are is
    /// found out, unless their columns are given by name or number.
    ///
    /// `language` says whose rules lower-casing follows: `tr` and `az` have their own.
    #[staticmethod]
    #[pyo3(signature = (
        path, *, lower_case=false, language="", min_length=1, max_length=None, min_count=1, letters_only=false,
        word_column="", count_column=""
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        lower_case: bool,
        language: &str,
        min_length: usize,
        max_length: Option<usize>,
        min_count: u64,
        letters_only: bool,
        word_column: &str,
        count_column: &str,
    ) -> PyResult<Self> {
        let max_length = max_length.unwrap_or(usize::MAX);
        let filter = Filter { min_length, max_length, min_count, letters_only, ..Filter::default() };
        let [language, word_column, count_column] = [language, word_column, count_column].map(str::to_owned);
        let data = DataConfig { lower_case, language, word_column, count_column, ..DataConfig::default() };
        let read = || Input::open(&path).and_then(|input| read_list(input, data.list_options()));
        Self::filtered(py.detach(read).map_err(exception)?, &filter)
    }

    /// The list of a language that comes with the package, by its code. The English one has the paper's filter: 2 to 12 letters, at
    /// least 10 occurrences.
    #[staticmethod]
    #[pyo3(signature = (language="en"))]
    fn bundled(py: Python<'_>, language: &str) -> PyResult<Self> {
        let filter = find(language).map_or_else(Filter::default, |language| language.filter());
        Self::filtered(py.detach(|| open_list(language, false)).map_err(exception)?, &filter)
    }

    /// Words of a language by the package `wordfreq`, which has to be installed, with their occurrences in a thousand million words of text.
    ///
    /// `min_zipf` is the smallest frequency on the Zipf scale: 3 is once in a million. Words with signs that are not letters are left out.
    #[staticmethod]
    #[pyo3(signature = (language, *, min_zipf=3.0))]
    fn from_wordfreq(py: Python<'_>, language: &str, min_zipf: f64) -> PyResult<Self> {
        let missing = |error: PyErr| {
            if error.is_instance_of::<PyModuleNotFoundError>(py) {
                PyModuleNotFoundError::new_err("wordfreq is not installed: `pip install wordfreq`")
            } else {
                error
            }
        };
        let package = py.import("wordfreq").map_err(missing)?;
        let frequencies: BTreeMap<String, f64> =
            package.call_method1("get_frequency_dict", (language,))?.extract()?;
        let kept = frequencies.into_iter().filter(|pair| pair.1 >= 10f64.powf(min_zipf - 9.0));
        let counts = kept.map(|(word, frequency)| (word, (frequency * 1e9).round().max(1.0) as u64));
        let counts = WordCounts::from_counts(counts).map_err(exception)?;
        if counts.is_empty() {
            return Err(PyValueError::new_err(format!(
                "no word of `{language}` has a Zipf frequency of {min_zipf} in wordfreq: give a smaller min_zipf"
            )));
        }
        Self::filtered(counts, &Filter { letters_only: true, ..Filter::default() })
    }

    /// The words, the most frequent first.
    #[getter]
    fn words(&self) -> Vec<&str> {
        self.words.words().map(|word| word.text).collect()
    }

    /// How often each word occurs, in the order of `words`.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts: Vec<i64> =
            self.words.words().map(|word| i64::try_from(word.count).unwrap_or(i64::MAX)).collect();
        numpy::array(py, &counts, &[counts.len()])
    }

    /// The sum of all counts.
    #[getter]
    fn tokens(&self) -> u64 {
        self.words.tokens()
    }

    /// The letters.
    #[getter]
    fn alphabet(&self) -> Vec<&str> {
        self.words.alphabet().letters().collect()
    }

    /// The SHA-256 of the words and counts, in hexadecimal.
    #[getter]
    fn digest(&self) -> String {
        self.words.digest()
    }

    fn __len__(&self) -> usize {
        self.words.types()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.words().into_pyobject(py)?.try_iter()?.into_any())
    }

    fn __contains__(&self, word: &str) -> bool {
        self.words.words().any(|own| own.text == word)
    }

    /// The training and the test part, divided as `wug train` does: by `tokens` or by `types`.
    #[pyo3(signature = (kind="tokens", *, seed=1))]
    fn split(&self, kind: &str, #[pyo3(from_py_with = input::seed)] seed: u64) -> PyResult<(Self, Self)> {
        let kind: SplitKind =
            kind.parse().map_err(|error: wug::UnknownName| PyValueError::new_err(error.to_string()))?;
        let split = self.words.split(kind, seed);
        Ok((Self::of(Arc::new(split.train)), Self::of(Arc::new(split.test))))
    }

    /// Lengths, letters and entropies: the figures of `wug lexicon`.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &py.detach(|| Statistics::of(&self.words)))
    }

    /// What letters alone say about words: Coltheart's N, OLD20, bigram frequency, the nearest words.
    #[pyo3(signature = (words, *, threads=None))]
    fn measure(&self, py: Python<'_>, words: Words, threads: Option<usize>) -> PyResult<Table> {
        let Words(words) = words;
        let columns = Columns::of_letters();
        let (mut rows, mut signals) = (Rows::of(&columns), Signals::new());
        let outcome = py.detach(|| -> wug::Result<()> {
            let sources = Sources { lexicon: Some(self.index()), ..Sources::default() };
            let execution = Execution { threads: wug::threads(threads), ..Execution::default() };
            let settings = ScoreSettings { execution, ..ScoreSettings::default() };
            let measures = Measures::new(columns, sources, settings)?;
            for found in measures.stream(&words) {
                rows.push_word(&found?.1?);
                if signals.poll().is_break() {
                    break;
                }
            }
            Ok(())
        });
        signals.settle(|| outcome.map_err(exception))?;
        Ok(Table::new(rows.into_columns()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let counts = PyDict::new(slf.py());
        slf.get().words.words().try_for_each(|word| counts.set_item(word.text, word.count))?;
        Ok((slf.get_type().into_any(), PyTuple::new(slf.py(), [counts])?))
    }

    fn __repr__(&self) -> String {
        format!("<wug.Lexicon: {} words, {} tokens>", self.words.types(), self.words.tokens())
    }
}
