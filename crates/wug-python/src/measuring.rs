//! Scoring words.

use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wug::lexicon::{Casing, LineProblem, check_word};
use wug::measure::{MeasureBatch, Measures, ScoreSettings, Scorer};
use wug::{Execution, TrainedModel};

use crate::errors::exception;
use crate::figures::{self, Figure, Measured, Rows, Source};
use crate::input::{self, Words, within};
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
    /// Percentiles of what the letters say.
    ranks: bool,
}

impl Needs {
    fn of(figures: &[&Figure]) -> Self {
        let any = |source| figures.iter().any(|figure| figure.source == source);
        let ranks = any(Source::Ranks) || any(Source::OtherRanks);
        let letters = ranks || any(Source::Letters) || any(Source::Other);
        Self { letters, percentiles: any(Source::Percentiles), ranks }
    }
}

/// The lexicon that words are compared with, and another one.
type Lexicons = [Option<Arc<wug::Lexicon>>; 2];

/// What scores are computed with. It takes a second to prepare, so a model keeps it from one call to the next.
pub(crate) struct Prepared {
    /// Borrows from the three below, and goes before them.
    tools: Tools,
    _model: Arc<TrainedModel>,
    lexicons: Lexicons,
    settings: ScoreSettings,
    needs: Needs,
    process: u32,
}

impl Prepared {
    fn new(model: &Arc<TrainedModel>, lexicons: Lexicons, settings: ScoreSettings, needs: Needs) -> Self {
        // SAFETY: it lives where it is as long as its count is above 0, and the count is held here, behind the tools.
        let borrowed: &'static TrainedModel = unsafe { &*Arc::as_ptr(model) };
        let words = lexicons.each_ref().map(|words| -> Option<&'static wug::Lexicon> {
            // SAFETY: as above.
            words.as_ref().map(|words| unsafe { &*Arc::as_ptr(words) })
        });
        let tools = match (words[0], needs.percentiles) {
            (Some(own), _) if needs.letters => {
                let mut measures = match needs.percentiles {
                    true => Measures::new(borrowed, own, settings),
                    false => Measures::without_percentiles(borrowed, own, settings),
                };
                measures = if needs.ranks { measures.ranked() } else { measures };
                Tools::All(Box::new(match words[1] {
                    Some(other) => measures.beside(other),
                    None => measures,
                }))
            }
            (Some(own), true) => Tools::Model(Scorer::new(borrowed, own, settings)),
            _ => Tools::Model(Scorer::without_percentiles(borrowed, settings)),
        };
        Self { tools, _model: Arc::clone(model), lexicons, settings, needs, process: std::process::id() }
    }

    fn fits(&self, lexicons: &Lexicons, settings: ScoreSettings, needs: Needs) -> bool {
        let places = |lexicons: &Lexicons| lexicons.each_ref().map(|words| words.as_ref().map(Arc::as_ptr));
        places(&self.lexicons) == places(lexicons) && self.settings == settings && self.needs == needs
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
        let names = columns.as_ref().map(|Words(names)| names.as_slice());
        let figures = figures::named(py, names, percentiles, other_lexicon.is_some())?;
        let needs = Needs::of(&figures);
        let own = match lexicon {
            _ if !needs.letters && !needs.percentiles => None,
            Some(given) => Some(Arc::clone(&given.get().words)),
            None => Some(self.words(py)?),
        };
        let lexicons = [own, other_lexicon.map(|given| Arc::clone(&given.get().words))];
        let settings = settings(particles, error, Execution { seed, threads: wug::threads(threads) })?;
        let mut scores = Scores { rows: Rows::new(figures), problems: Texts::default() };
        let mut signals = Signals::new();
        let casing = if lower_case { self.trained.config.data.lower_casing() } else { Casing::Keep };
        let outcome = self.measuring(py, lexicons, settings, needs, |tools| match tools {
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

impl Model {
    /// Measures with what was prepared before, if it is free and fits. It is taken out and put back while the interpreter is held, so
    /// that several threads each have their own and a fork finds no lock held. After a fork, the threads of the other process that it
    /// may wait for do not exist: it is left alone.
    fn measuring<T: Send>(
        &self,
        py: Python<'_>,
        lexicons: Lexicons,
        settings: ScoreSettings,
        needs: Needs,
        work: impl FnOnce(&mut Tools) -> T + Send,
    ) -> T {
        let lock = || self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = lock().take();
        if found.as_ref().is_some_and(|prepared| prepared.process != std::process::id()) {
            std::mem::forget(found.take());
        }
        let found = found.filter(|prepared| prepared.fits(&lexicons, settings, needs));
        let (result, prepared) = py.detach(|| {
            let new = || Prepared::new(&self.trained, lexicons, settings, needs);
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
            let outcome: Result<_, (_, wug::Error)> = match found? {
                // To a model, nothing is a word too: one that ends at once.
                (word, Ok(_)) if word.is_empty() => Err((word, LineProblem::EmptyWord.into())),
                (_, Ok(scored)) => Ok(scored),
                (word, Err(problem)) => Err((word, problem.into())),
            };
            match outcome {
                Ok(scored) => {
                    self.rows.push(scored.parts());
                    self.problems.push("");
                }
                Err((word, problem)) if errors == OnProblem::Coerce => {
                    self.rows.push_missing(&word);
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
