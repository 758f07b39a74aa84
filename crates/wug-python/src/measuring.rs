//! Scoring words.

use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wug::lexicon::check_word;
use wug::measure::{LetterStatistics, MeasuredWord, Measures, ScoreProblem, ScoreSettings};
use wug::{Execution, TrainedModel};

use crate::errors::exception;
use crate::input::Words;
use crate::interrupt::Signals;
use crate::lexicon::Lexicon;
use crate::model::Model;
use crate::table::{Column, Columns, Lists, Table, Texts};

/// What scores are computed with. It takes a second to prepare, so a model keeps it from one call to the next.
pub(crate) struct Prepared {
    /// Borrows from the two below, and goes before them.
    measures: Measures<'static>,
    _model: Arc<TrainedModel>,
    lexicon: Arc<wug::Lexicon>,
    settings: ScoreSettings,
    process: u32,
}

impl Prepared {
    fn new(model: &Arc<TrainedModel>, lexicon: &Arc<wug::Lexicon>, settings: ScoreSettings) -> Self {
        // SAFETY: both live where they are as long as their counts are above 0, and the counts are held here, behind the measures.
        let (borrowed, words) = unsafe { (&*Arc::as_ptr(model), &*Arc::as_ptr(lexicon)) };
        Self {
            measures: Measures::new(borrowed, words, settings),
            _model: Arc::clone(model),
            lexicon: Arc::clone(lexicon),
            settings,
            process: std::process::id(),
        }
    }

    fn fits(&self, lexicon: &Arc<wug::Lexicon>, settings: ScoreSettings) -> bool {
        Arc::ptr_eq(&self.lexicon, lexicon) && self.settings == settings
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
    /// A word that has no score raises `InputError`. With `errors="coerce"` its figures are missing instead, and the column `problem`
    /// says why; it is empty for all others. With `error`, words get as many particles as a standard error of that size takes.
    #[pyo3(signature = (words, *, lexicon=None, particles=1000, error=None, seed=1, lower_case=false, errors=OnProblem::Raise, threads=None))]
    #[pyo3(
        text_signature = "(self, words, *, lexicon=None, particles=1000, error=None, seed=1, lower_case=False, errors='raise', threads=None)"
    )]
    #[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn score(
        &self,
        py: Python<'_>,
        words: Words,
        lexicon: Option<&Bound<'_, Lexicon>>,
        particles: usize,
        error: Option<f64>,
        seed: u64,
        lower_case: bool,
        errors: OnProblem,
        threads: Option<usize>,
    ) -> PyResult<Table> {
        let Words(words) = words;
        let lexicon = match lexicon {
            Some(given) => Arc::clone(&given.get().words),
            None => self.words(py)?,
        };
        let execution = Execution { seed, threads: wug::threads(threads) };
        let settings = ScoreSettings { particles: particles.max(1), error, execution };
        let mut rows = ScoreRows::default();
        let mut signals = Signals::new();
        let outcome = self.measuring(py, &lexicon, settings, |measures| {
            rows.fill(measures, &words, (lower_case, errors), &mut signals)
        });
        signals.settle(|| outcome.map_err(exception))?;
        Ok(Table::new(rows.into_columns(errors == OnProblem::Coerce)))
    }
}

impl Model {
    /// Measures with what was prepared before, if it is free and fits. It is taken out and put back while the interpreter is held, so
    /// that several threads each have their own and a fork finds no lock held. After a fork, the threads of the other process that it
    /// may wait for do not exist: it is left alone.
    pub(crate) fn measuring<T: Send>(
        &self,
        py: Python<'_>,
        lexicon: &Arc<wug::Lexicon>,
        settings: ScoreSettings,
        work: impl FnOnce(&mut Measures<'static>) -> T + Send,
    ) -> T {
        let lock = || self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = lock().take();
        if found.as_ref().is_some_and(|prepared| prepared.process != std::process::id()) {
            std::mem::forget(found.take());
        }
        let found = found.filter(|prepared| prepared.fits(lexicon, settings));
        let (result, prepared) = py.detach(|| {
            let mut prepared = found.unwrap_or_else(|| Prepared::new(&self.trained, lexicon, settings));
            (work(&mut prepared.measures), prepared)
        });
        *lock() = Some(prepared);
        result
    }
}

/// The columns of scores, filled word by word.
#[derive(Default)]
pub(crate) struct ScoreRows {
    words: Texts,
    log_probabilities: Vec<f64>,
    errors: Vec<f64>,
    lexicon_percentiles: Vec<f64>,
    random_percentiles: Vec<f64>,
    surprisals: Lists<Vec<f64>>,
    letters: LetterRows,
    problems: Texts,
}

impl ScoreRows {
    fn fill(
        &mut self,
        measures: &mut Measures<'_>,
        words: &[String],
        (lower_case, errors): (bool, OnProblem),
        signals: &mut Signals,
    ) -> wug::Result<()> {
        // A text that is no word at all, such as one with white space, goes to the model as it is, which refuses it.
        let checked = words.iter().map(|word| check_word(word, lower_case).unwrap_or_else(|_| word.clone()));
        for found in measures.stream(checked) {
            match found? {
                (_, Ok(word)) => self.push(&word),
                (word, Err(problem)) if errors == OnProblem::Coerce => self.push_problem(&word, &problem),
                (_, Err(problem)) => return Err(problem.into()),
            }
            if signals.poll() == ControlFlow::Break(()) {
                break;
            }
        }
        Ok(())
    }

    pub(crate) fn push(&mut self, found: &MeasuredWord) {
        let MeasuredWord { word, score, letters, .. } = found;
        self.words.push(word);
        self.log_probabilities.push(score.log_probability);
        self.errors.push(score.standard_error);
        self.lexicon_percentiles.push(score.lexicon_percentile.unwrap_or(f64::NAN));
        self.random_percentiles.push(score.random_percentile.unwrap_or(f64::NAN));
        self.surprisals.push(&score.surprisals);
        self.letters.push(letters);
        self.problems.push("");
    }

    fn push_problem(&mut self, word: &str, problem: &ScoreProblem) {
        self.words.push(word);
        for numbers in [
            &mut self.log_probabilities,
            &mut self.errors,
            &mut self.lexicon_percentiles,
            &mut self.random_percentiles,
        ] {
            numbers.push(f64::NAN);
        }
        self.surprisals.push(&[]);
        self.letters.push_missing();
        self.problems.push(&problem.to_string());
    }

    pub(crate) fn into_columns(self, with_problems: bool) -> Columns {
        let mut columns = vec![
            ("word", Column::Texts(self.words)),
            ("log_probability", Column::Floats(self.log_probabilities)),
            ("standard_error", Column::Floats(self.errors)),
            ("lexicon_percentile", Column::Floats(self.lexicon_percentiles)),
            ("random_percentile", Column::Floats(self.random_percentiles)),
            ("surprisals", Column::FloatLists(self.surprisals)),
        ];
        columns.extend(self.letters.into_columns());
        if with_problems {
            columns.push(("problem", Column::Texts(self.problems)));
        }
        columns
    }
}

/// The columns of what letters alone say.
#[derive(Default)]
pub(crate) struct LetterRows {
    lengths: Vec<i64>,
    lexicality: Texts,
    coltheart_n: Vec<f64>,
    old20: Vec<f64>,
    bigrams: Vec<f64>,
    distances: Vec<f64>,
    nearest: Lists<Texts>,
}

impl LetterRows {
    pub(crate) fn push(&mut self, found: &LetterStatistics) {
        self.lengths.push(found.length as i64);
        self.lexicality.push(found.lexicality.name());
        self.coltheart_n.push(found.coltheart_n as f64);
        self.old20.push(found.old20.unwrap_or(f64::NAN));
        self.bigrams.push(found.bigram_frequency.unwrap_or(f64::NAN));
        self.distances.push(found.nearest_distance.map_or(f64::NAN, |distance| distance as f64));
        self.nearest.push(&found.nearest);
    }

    fn push_missing(&mut self) {
        self.lengths.push(0);
        self.lexicality.push("");
        for numbers in [&mut self.coltheart_n, &mut self.old20, &mut self.bigrams, &mut self.distances] {
            numbers.push(f64::NAN);
        }
        self.nearest.push(&[]);
    }

    pub(crate) fn into_columns(self) -> [(&'static str, Column); 7] {
        [
            ("length", Column::Whole(self.lengths)),
            ("lexicality", Column::Texts(self.lexicality)),
            ("coltheart_n", Column::Floats(self.coltheart_n)),
            ("old20", Column::Floats(self.old20)),
            ("bigram_frequency", Column::Floats(self.bigrams)),
            ("nearest_distance", Column::Floats(self.distances)),
            ("nearest", Column::TextLists(self.nearest)),
        ]
    }
}
