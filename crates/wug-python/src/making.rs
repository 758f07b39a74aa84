//! Making words.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyMapping;
use wug::generate::{Classes, Constraint, MAX_LETTERS, MAX_TRIES, WordBuilder};
use wug::languages::open_excluded;
use wug::lexicon::{KnownWords, WordCounts};
use wug::{Error, ErrorKind, Execution};

use crate::constraints::{Keywords, Range};
use crate::errors::{build, exception, text};
use crate::input::{self, Words};
use crate::interrupt::Signals;
use crate::lexicon::Lexicon;
use crate::model::Model;

/// Keys that get their words between two looks at signals.
const KEYS: usize = 1000;

/// What words to make: the options of `wug sample`.
#[derive(Default)]
pub(crate) struct Request {
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) classes: Classes,
    pub(crate) excluded: Vec<Arc<dyn KnownWords>>,
    pub(crate) unique: bool,
    pub(crate) max_tries: u64,
    pub(crate) noise: f32,
    pub(crate) temperature: f32,
    pub(crate) argmax: bool,
    pub(crate) near: Option<(String, f32, usize)>,
}

impl Request {
    /// Enters it into a builder.
    pub(crate) fn apply<'m>(&self, words: WordBuilder<'m>) -> WordBuilder<'m> {
        let words = words.classes(self.classes.clone());
        let mut words = self.constraints.iter().cloned().fold(words, WordBuilder::constraint);
        words = self.excluded.iter().cloned().fold(words, |words, known| words.exclude(known));
        words = words.unique(self.unique).max_tries(self.max_tries).noise(self.noise);
        words = if self.argmax { words.argmax() } else { words.temperature(self.temperature) };
        match &self.near {
            Some((word, distance, keep)) => words.near(word, *distance, *keep),
            None => words,
        }
    }
}

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
    /// `like` makes words near a word, at a `distance` from 0 to 1, which begin with `keep` of its letters.
    ///
    /// Raises `GaveUpError`, whose attribute `words` has what was made, if words that fit do not come up.
    #[pyo3(signature = (
        n=20, *, seed=1, length=None, min_length=None, max_length=None, prefix=None, suffix=None, pattern=None, not_pattern=None,
        containing=None, without=None, without_any=None, syllables=None, classes=None, novel=false, exclude=None, unique=false,
        max_tries=1_000_000, noise=1.0, temperature=1.0, argmax=false, like=None, distance=0.05, keep=0, threads=None
    ))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = input::count)] n: u64,
        #[pyo3(from_py_with = input::seed)] seed: u64,
        length: Option<usize>,
        min_length: Option<usize>,
        max_length: Option<usize>,
        prefix: Option<String>,
        suffix: Option<String>,
        pattern: Option<Words>,
        not_pattern: Option<Words>,
        containing: Option<Words>,
        without: Option<Words>,
        without_any: Option<Words>,
        syllables: Option<Range>,
        classes: Option<Bound<'py, PyMapping>>,
        novel: bool,
        exclude: Option<Bound<'py, PyAny>>,
        unique: bool,
        max_tries: u64,
        noise: f32,
        temperature: f32,
        argmax: bool,
        like: Option<String>,
        distance: f32,
        keep: usize,
        threads: Option<usize>,
    ) -> PyResult<Vec<String>> {
        within_letters([("length", length), ("min_length", min_length), ("max_length", max_length)])?;
        let (min_length, max_length) = (length.or(min_length), length.or(max_length));
        let looks = Keywords {
            pattern,
            not_pattern,
            prefix,
            suffix,
            containing,
            without,
            without_any,
            syllables,
            min_length,
            max_length,
            classes,
        };
        let mut request = Request {
            constraints: looks.constraints(),
            classes: looks.classes()?,
            unique,
            max_tries,
            noise,
            temperature,
            argmax,
            near: like.map(|word| (word, distance, keep)),
            ..Request::default()
        };
        if novel {
            request.excluded.push(self.list(py)?);
        }
        if let Some(exclude) = exclude {
            request.excluded.push(excluded(self, &exclude)?);
        }
        self.make(py, n, &request, Execution { seed, threads: wug::threads(threads) })
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
        let excluded: Vec<Arc<dyn KnownWords>> = if novel { vec![self.list(py)?] } else { Vec::new() };
        let near = Some((word, distance, keep));
        let request = Request {
            excluded,
            unique,
            near,
            max_tries: MAX_TRIES,
            noise: 1.0,
            temperature: 1.0,
            ..Request::default()
        };
        self.make(py, n, &request, Execution { seed, threads: wug::threads(threads) })
    }

    /// Words for keys: the same as `wug name`. The same key always gets the same word, which is new.
    #[pyo3(signature = (
        keys, *, min_length=4, max_length=10, prefix=None, suffix=None, pattern=None, not_pattern=None, containing=None, without=None,
        without_any=None, syllables=None, classes=None, threads=None
    ))]
    fn names<'py>(
        &self,
        py: Python<'py>,
        keys: Words,
        min_length: usize,
        max_length: usize,
        prefix: Option<String>,
        suffix: Option<String>,
        pattern: Option<Words>,
        not_pattern: Option<Words>,
        containing: Option<Words>,
        without: Option<Words>,
        without_any: Option<Words>,
        syllables: Option<Range>,
        classes: Option<Bound<'py, PyMapping>>,
        threads: Option<usize>,
    ) -> PyResult<Vec<String>> {
        let (min_length, max_length) = (Some(min_length), Some(max_length));
        within_letters([("min_length", min_length), ("max_length", max_length)])?;
        let looks = Keywords {
            pattern,
            not_pattern,
            prefix,
            suffix,
            containing,
            without,
            without_any,
            syllables,
            min_length,
            max_length,
            classes,
        };
        let Words(keys) = keys;
        let (constraints, classes, list) = (looks.constraints(), looks.classes()?, self.list(py)?);
        let execution = Execution { threads: wug::threads(threads), ..Execution::default() };
        let mut signals = Signals::new();
        let outcome = py.detach(|| -> wug::Result<_> {
            let words = self.trained.words().execution(execution).classes(classes).exclude(list);
            let mut names = constraints.into_iter().fold(words, WordBuilder::constraint).names()?;
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
        request: &Request,
        execution: Execution,
    ) -> PyResult<Vec<String>> {
        let mut signals = Signals::new();
        let mut made = Vec::new();
        let outcome = py.detach(|| -> wug::Result<()> {
            let words = request.apply(self.trained.words()).execution(execution);
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

/// Refuses lengths that no word has.
fn within_letters<const N: usize>(lengths: [(&str, Option<usize>); N]) -> PyResult<()> {
    let mut given = lengths.into_iter().filter_map(|(name, length)| length.map(|length| (name, length)));
    given.try_for_each(|(name, length)| input::within(name, length, 1..=MAX_LETTERS))
}

/// The exception that comes with what was made.
fn gave_up(py: Python<'_>, error: &Error, made: Vec<String>) -> PyErr {
    build(py, "GaveUpError", (text(error), made)).unwrap_or_else(|failure| failure)
}
