//! Scoring words.

use std::ops::ControlFlow;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wug::Execution;
use wug::lexicon::{Casing, LineProblem, check_word};
use wug::measure::{Columns, Measures, Need, ScoreSettings, Sources};

use crate::errors::exception;
use crate::input::{self, Words, within};
use crate::interrupt::Signals;
use crate::lexicon::Lexicon;
use crate::model::Model;
use crate::rows::Rows;
use crate::table::{Column, Table, Texts};

/// What to do with words that have no score.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnProblem {
    Raise,
    Coerce,
}

impl<'py> FromPyObject<'_, 'py> for OnProblem {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match given.extract::<&str>()? {
            "raise" => Ok(Self::Raise),
            "coerce" => Ok(Self::Coerce),
            other => Err(PyValueError::new_err(format!("errors is `{other}`; expected `raise` or `coerce`"))),
        }
    }
}

#[pymethods]
impl Model {
    /// Scores words: the figures of `wug score`, a row for each word in its order.
    ///
    /// Only the `columns` that are asked for are computed: log-probabilities and surprisals alone are by far the fastest, and need no
    /// lexicon. With `percentiles`, each measure of letters comes with the per cent of the lexicon's words of the length that have a
    /// smaller figure; with `other_lexicon`, there are the neighbours in a second list, too. A word that has no score raises `InputError`.
    /// With `errors="coerce"` its figures are missing instead, and the column `problem` says why; it is empty for all others. With `error`,
    /// words get as many particles as a standard error of that size takes.
    #[pyo3(signature = (
        words, *, columns=None, percentiles=false, lexicon=None, other_lexicon=None, particles=1000, error=None, seed=1,
        lower_case=false, errors=OnProblem::Raise, threads=None
    ))]
    #[pyo3(
        text_signature = "(self, words, *, columns=None, percentiles=False, lexicon=None, other_lexicon=None, particles=1000, error=None, seed=1, lower_case=False, errors='raise', threads=None)"
    )]
    #[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn score(
        &self,
        py: Python<'_>,
        words: Words,
        columns: Option<Words>,
        percentiles: bool,
        lexicon: Option<&Bound<'_, Lexicon>>,
        other_lexicon: Option<&Bound<'_, Lexicon>>,
        particles: usize,
        error: Option<f64>,
        #[pyo3(from_py_with = input::seed)] seed: u64,
        lower_case: bool,
        errors: OnProblem,
        threads: Option<usize>,
    ) -> PyResult<Table> {
        let Words(words) = words;
        let columns = match columns {
            Some(Words(names)) => {
                Columns::named(names, percentiles, other_lexicon.is_some()).map_err(exception)?
            }
            None => Columns::all(percentiles, other_lexicon.is_some()),
        };
        let lexicon = match lexicon {
            _ if !columns.need(Need::Lexicon) => None,
            Some(given) => Some(given.get().index()),
            None => Some(self.words(py)?),
        };
        let other = other_lexicon.map(|given| given.get().index());
        let sources = Sources { model: Some(Arc::clone(&self.trained)), lexicon, other };
        let settings = settings(particles, error, Execution { seed, threads: wug::threads(threads) })?;
        let mut scores = Scores { rows: Rows::of(&columns), problems: Texts::default() };
        let measures = Measures::new(columns, sources, settings).map_err(exception)?;
        let mut signals = Signals::new();
        let casing = if lower_case { self.trained.config.data.lower_casing() } else { Casing::Keep };
        let outcome = py.detach(|| scores.fill(&measures, &words, (casing, errors), &mut signals));
        signals.settle(|| outcome.map_err(exception))?;
        let mut columns = scores.rows.into_columns();
        if errors == OnProblem::Coerce {
            columns.push(("problem".into(), Column::Texts(scores.problems)));
        }
        Ok(Table::new(columns))
    }
}

/// The settings of scores, within the bounds of the command.
pub(crate) fn settings(
    particles: usize,
    error: Option<f64>,
    execution: Execution,
) -> PyResult<ScoreSettings> {
    within("particles", particles, 1..=1_000_000)?;
    error.map_or(Ok(()), |error| within("error", error, 0.001..=10.0))?;
    Ok(ScoreSettings { particles, error, execution })
}

/// Scores, filled word by word.
struct Scores {
    rows: Rows,
    problems: Texts,
}

impl Scores {
    fn fill(
        &mut self,
        measures: &Measures,
        words: &[String],
        (casing, errors): (Casing, OnProblem),
        signals: &mut Signals,
    ) -> wug::Result<()> {
        // A text that is no word at all, such as one with white space, goes to the model as it is, which refuses it.
        let checked = words.iter().map(|word| check_word(word, casing).unwrap_or_else(|_| word.clone()));
        for found in measures.stream(checked) {
            let outcome: Result<_, (_, wug::Error)> = match found? {
                // To a model, nothing is a word too: one that ends at once.
                (word, Ok(_)) if word.is_empty() => Err((word, LineProblem::EmptyWord.into())),
                (_, Ok(scored)) => Ok(scored),
                (word, Err(problem)) => Err((word, problem.into())),
            };
            match outcome {
                Ok(scored) => {
                    self.rows.push_word(&scored);
                    self.problems.push("");
                }
                Err((word, problem)) if errors == OnProblem::Coerce => {
                    self.rows.push_word(&measures.columns().of_unmeasured(&word));
                    self.problems.push(&problem.to_string());
                }
                Err((_, problem)) => return Err(problem),
            }
            if signals.poll() == ControlFlow::Break(()) {
                break;
            }
        }
        Ok(())
    }
}
