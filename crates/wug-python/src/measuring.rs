//! Scoring words.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{Arc, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wug::lexicon::{Casing, check_word};
use wug::measure::{MeasureBatch, Measures, ScoreSettings, Scorer};
use wug::{Execution, TrainedModel};

use crate::errors::exception;
use crate::figures::{self, Figure, Measured, Rows, Source};
use crate::input::Words;
use crate::interrupt::Signals;
use crate::lexicon::Lexicon;
use crate::model::Model;
use crate::table::{Column, Table, Texts};

/// What computes the figures of some columns.
enum Tools {
    /// All of them.
    All(Box<Measures<'static>>),
    /// What the model says.
    Model(Scorer<'static>),
}

/// What the columns that are asked for need.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Needs {
    letters: bool,
    percentiles: bool,
}

impl Needs {
    fn of(figures: &[&Figure]) -> Self {
        let any = |source| figures.iter().any(|figure| figure.source == source);
        Self { letters: any(Source::Letters), percentiles: any(Source::Percentiles) }
    }
}

/// What scores are computed with. It takes a second to prepare, so a model keeps it from one call to the next.
pub(crate) struct Prepared {
    /// Borrows from the two below, and goes before them.
    tools: Tools,
    _model: Arc<TrainedModel>,
    lexicon: Option<Arc<wug::Lexicon>>,
    settings: ScoreSettings,
    needs: Needs,
    process: u32,
}

impl Prepared {
    fn new(
        model: &Arc<TrainedModel>,
        lexicon: Option<&Arc<wug::Lexicon>>,
        settings: ScoreSettings,
        needs: Needs,
    ) -> Self {
        // SAFETY: it lives where it is as long as its count is above 0, and the count is held here, behind the tools.
        let borrowed: &'static TrainedModel = unsafe { &*Arc::as_ptr(model) };
        // SAFETY: as above.
        let words: Option<&'static wug::Lexicon> = lexicon.map(|words| unsafe { &*Arc::as_ptr(words) });
        let tools = match (words, needs.letters, needs.percentiles) {
            (Some(words), true, true) => Tools::All(Box::new(Measures::new(borrowed, words, settings))),
            (Some(words), true, false) => {
                Tools::All(Box::new(Measures::without_percentiles(borrowed, words, settings)))
            }
            (Some(words), false, true) => Tools::Model(Scorer::new(borrowed, words, settings)),
            _ => Tools::Model(Scorer::without_percentiles(borrowed, settings)),
        };
        let (model, lexicon) = (Arc::clone(model), lexicon.cloned());
        Self { tools, _model: model, lexicon, settings, needs, process: std::process::id() }
    }

    fn fits(&self, lexicon: Option<&Arc<wug::Lexicon>>, settings: ScoreSettings, needs: Needs) -> bool {
        let lexicon = lexicon.map(Arc::as_ptr);
        self.lexicon.as_ref().map(Arc::as_ptr) == lexicon && self.settings == settings && self.needs == needs
    }
}

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
    /// lexicon. A word that has no score raises `InputError`. With `errors="coerce"` its figures are missing instead, and the column
    /// `problem` says why; it is empty for all others. With `error`, words get as many particles as a standard error of that size takes.
    #[pyo3(signature = (
        words, *, columns=None, lexicon=None, particles=1000, error=None, seed=1, lower_case=false, errors=OnProblem::Raise, threads=None
    ))]
    #[pyo3(
        text_signature = "(self, words, *, columns=None, lexicon=None, particles=1000, error=None, seed=1, lower_case=False, errors='raise', threads=None)"
    )]
    #[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn score(
        &self,
        py: Python<'_>,
        words: Words,
        columns: Option<Words>,
        lexicon: Option<&Bound<'_, Lexicon>>,
        particles: usize,
        error: Option<f64>,
        seed: u64,
        lower_case: bool,
        errors: OnProblem,
        threads: Option<usize>,
    ) -> PyResult<Table> {
        let Words(words) = words;
        let figures = figures::named(py, columns.as_ref().map(|Words(names)| names.as_slice()))?;
        let needs = Needs::of(&figures);
        let lexicon = match lexicon {
            _ if needs == (Needs { letters: false, percentiles: false }) => None,
            Some(given) => Some(Arc::clone(&given.get().words)),
            None => Some(self.words(py)?),
        };
        let settings = settings(particles, error, Execution { seed, threads: wug::threads(threads) })?;
        let mut scores = Scores { rows: Rows::new(figures), problems: Texts::default() };
        let mut signals = Signals::new();
        let casing = Casing::from(lower_case);
        let outcome = self.measuring(py, lexicon.as_ref(), settings, needs, |tools| match tools {
            Tools::All(measures) => scores.fill(&mut **measures, &words, (casing, errors), &mut signals),
            Tools::Model(scorer) => scores.fill(scorer, &words, (casing, errors), &mut signals),
        });
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

fn within<T: PartialOrd + std::fmt::Display>(name: &str, found: T, range: RangeInclusive<T>) -> PyResult<()> {
    if range.contains(&found) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(PyValueError::new_err(format!("{name} is {found}; expected {least} to {most}")))
}

impl Model {
    /// Measures with what was prepared before, if it is free and fits. It is taken out and put back while the interpreter is held, so
    /// that several threads each have their own and a fork finds no lock held. After a fork, the threads of the other process that it
    /// may wait for do not exist: it is left alone.
    fn measuring<T: Send>(
        &self,
        py: Python<'_>,
        lexicon: Option<&Arc<wug::Lexicon>>,
        settings: ScoreSettings,
        needs: Needs,
        work: impl FnOnce(&mut Tools) -> T + Send,
    ) -> T {
        let lock = || self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = lock().take();
        if found.as_ref().is_some_and(|prepared| prepared.process != std::process::id()) {
            std::mem::forget(found.take());
        }
        let found = found.filter(|prepared| prepared.fits(lexicon, settings, needs));
        let (result, prepared) = py.detach(|| {
            let new = || Prepared::new(&self.trained, lexicon, settings, needs);
            let mut prepared = found.unwrap_or_else(new);
            (work(&mut prepared.tools), prepared)
        });
        *lock() = Some(prepared);
        result
    }
}

/// Scores, filled word by word.
struct Scores {
    rows: Rows,
    problems: Texts,
}

impl Scores {
    fn fill<M: MeasureBatch<Measured: Measured>>(
        &mut self,
        measures: &mut M,
        words: &[String],
        (casing, errors): (Casing, OnProblem),
        signals: &mut Signals,
    ) -> wug::Result<()> {
        // A text that is no word at all, such as one with white space, goes to the model as it is, which refuses it.
        let checked = words.iter().map(|word| check_word(word, casing).unwrap_or_else(|_| word.clone()));
        for found in measures.stream(checked) {
            match found? {
                (_, Ok(word)) => {
                    self.rows.push(word.parts());
                    self.problems.push("");
                }
                (word, Err(problem)) if errors == OnProblem::Coerce => {
                    self.rows.push_missing(&word);
                    self.problems.push(&problem.to_string());
                }
                (_, Err(problem)) => return Err(problem.into()),
            }
            if signals.poll() == ControlFlow::Break(()) {
                break;
            }
        }
        Ok(())
    }
}
