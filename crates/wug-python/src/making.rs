//! Making words.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wug::generate::WordRequest;
use wug::languages::open_excluded;
use wug::lexicon::{KnownWords, WordCounts};
use wug::{Error, ErrorKind, Execution};

use crate::constraints;
use crate::errors::{build, exception, text};
use crate::input::{self, Words};
use crate::interrupt::Signals;
use crate::lexicon::Lexicon;
use crate::model::Model;

/// Keys that get their words between two looks at signals.
const KEYS: usize = 1000;

/// A list of words to exclude: a `Lexicon`, a path, or words.
pub(crate) fn excluded(model: &Model, given: &Bound<'_, PyAny>) -> PyResult<Arc<dyn KnownWords>> {
    if let Ok(lexicon) = given.cast::<Lexicon>() {
        let words = lexicon.get().words.words().map(|word| (word.text, word.count));
        return Ok(Arc::new(WordCounts::from_counts(words).map_err(exception)?));
    }
    if let Some(path) = input::path(given) {
        return open_excluded(&path.to_string_lossy(), model.trained.known_casing()).map_err(exception);
    }
    Ok(Arc::new(WordCounts::from_counts(input::counts(given)?).map_err(exception)?))
}

#[pymethods]
#[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
impl Model {
    /// Makes words: the same as `wug sample -n N --seed SEED`, to the last letter.
    ///
    /// `novel` excludes the words that the model was trained on and others that are known of its language, `exclude` those of a
    /// `Lexicon`, a file or a collection, `unique` repeated ones. In a `pattern`, `?` is one letter, `*` any letters, `[aeiou]` one of
    /// these, `V` a vowel, `C` a consonant, `(an|en)` one of both and `C{2,3}` two or three; `classes` names further sets of letters.
    /// With `capital` words begin with a capital letter, as those of a model of names in title case do anyhow.
    /// `like` makes words near a word, at a `distance` from 0 to 1, which begin with `keep` of its letters.
    ///
    /// Raises `GaveUpError`, whose attribute `words` has what was made, if words that fit do not come up.
    #[pyo3(signature = (
        n=20, *, seed=1, novel=false, exclude=None, unique=false, capital=false, max_tries=1_000_000, noise=1.0, temperature=1.0, argmax=false,
        like=None, distance=0.05, keep=0, threads=None, **constraints
    ))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = input::count)] n: u64,
        #[pyo3(from_py_with = input::seed)] seed: u64,
        novel: bool,
        exclude: Option<Bound<'py, PyAny>>,
        unique: bool,
        capital: bool,
        max_tries: u64,
        noise: f32,
        temperature: f32,
        argmax: bool,
        like: Option<String>,
        distance: f32,
        keep: usize,
        threads: Option<usize>,
        constraints: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Vec<String>> {
        let (constraints, classes) = constraints::read(constraints.as_ref())?;
        let request = WordRequest {
            seed,
            constraints,
            classes,
            unique,
            capital,
            max_tries,
            noise,
            temperature,
            argmax,
            like,
            distance,
            keep,
            ..WordRequest::default()
        };
        let mut lists: Vec<Arc<dyn KnownWords>> = Vec::new();
        if novel {
            lists.push(self.list(py)?);
        }
        if let Some(exclude) = exclude {
            lists.push(excluded(self, &exclude)?);
        }
        self.make(py, n, request, lists, wug::threads(threads))
    }

    /// Words near a word: from the noise that it may have come from, of which fresh noise replaces a share.
    ///
    /// At distance 0 they are the word itself, at 1 they know nothing of it. All begin with `keep` of its letters.
    #[pyo3(signature = (word, n=20, *, distance=0.05, keep=0, seed=1, novel=false, unique=false, threads=None))]
    fn like(
        &self,
        py: Python<'_>,
        word: String,
        #[pyo3(from_py_with = input::count)] n: u64,
        distance: f32,
        keep: usize,
        #[pyo3(from_py_with = input::seed)] seed: u64,
        novel: bool,
        unique: bool,
        threads: Option<usize>,
    ) -> PyResult<Vec<String>> {
        let lists: Vec<Arc<dyn KnownWords>> = if novel { vec![self.list(py)?] } else { Vec::new() };
        let request =
            WordRequest { seed, unique, like: Some(word), distance, keep, ..WordRequest::default() };
        self.make(py, n, request, lists, wug::threads(threads))
    }

    /// Words for keys: the same as `wug name`. The same key always gets the same word, which is new, and has 4 to 10 letters unless
    /// the constraints ask for another length.
    #[pyo3(signature = (keys, *, threads=None, **constraints))]
    fn names<'py>(
        &self,
        py: Python<'py>,
        keys: Words,
        threads: Option<usize>,
        constraints: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Vec<String>> {
        let (constraints, classes) = constraints::read(constraints.as_ref())?;
        let (Words(keys), list) = (keys, self.list(py)?);
        let request = WordRequest { constraints, classes, ..WordRequest::default() }.for_names();
        let mut signals = Signals::new();
        let outcome = py.detach(|| -> wug::Result<_> {
            let words = self.trained.words().request(request).threads(wug::threads(threads));
            let mut names = words.exclude(list).names()?;
            let mut found = Vec::with_capacity(keys.len());
            for keys in keys.chunks(KEYS) {
                found.extend(names.of(keys)?);
                if signals.poll().is_break() {
                    break;
                }
            }
            Ok(found)
        });
        signals.settle(|| outcome.map_err(exception))
    }

    /// Words on the way from one to another through the space of noise, at `steps` even places; none comes twice in a row.
    #[pyo3(signature = (first, last, steps=20, *, seed=1, threads=None))]
    fn between(
        &self,
        py: Python<'_>,
        first: &str,
        last: &str,
        steps: usize,
        #[pyo3(from_py_with = input::seed)] seed: u64,
        threads: Option<usize>,
    ) -> PyResult<Vec<String>> {
        input::within("steps", steps, 2..=10_000)?;
        let execution = Execution { seed, threads: wug::threads(threads) };
        py.detach(|| self.trained.between(first, last, steps, execution)).map_err(exception)
    }
}

impl Model {
    fn make(
        &self,
        py: Python<'_>,
        count: u64,
        request: WordRequest,
        lists: Vec<Arc<dyn KnownWords>>,
        threads: usize,
    ) -> PyResult<Vec<String>> {
        let mut signals = Signals::new();
        let mut made = Vec::new();
        let outcome = py.detach(|| -> wug::Result<()> {
            let words = self.trained.words().request(request).threads(threads);
            let words = lists.into_iter().fold(words, |words, list| words.exclude(list));
            for word in words.watch(|_| signals.poll()).make(count)? {
                made.push(word?);
            }
            Ok(())
        });
        signals.settle(|| match outcome {
            Ok(()) => Ok(made),
            Err(error) if error.kind() == ErrorKind::GaveUp => Err(gave_up(py, &error, made)),
            Err(error) => Err(exception(error)),
        })
    }
}

/// The exception that comes with what was made.
fn gave_up(py: Python<'_>, error: &Error, made: Vec<String>) -> PyErr {
    build(py, "GaveUpError", (text(error), made)).unwrap_or_else(|failure| failure)
}
