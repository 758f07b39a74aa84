//! Pseudowords that match words.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use wug::Execution;
use wug::measure::{
    BIBTEX, Column, ColumnError, Columns, Criterion, Feature, MatchError, MatchProgress, MatchRequest,
    Matched, Measures, Method, Sources,
};

use crate::bias::to_python;
use crate::constraints;
use crate::errors::exception;
use crate::input::{self, Words, within};
use crate::interrupt::Signals;
use crate::json;
use crate::lexicon::Lexicon;
use crate::making::excluded;
use crate::measuring::settings;
use crate::model::Model;
use crate::rows::Rows;
use crate::table::{self, Table};

/// Progress is told this often.
const PERIOD: Duration = Duration::from_millis(100);

#[pymethods]
#[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
impl Model {
    /// Finds pseudowords for a list of words: the same as `wug match`.
    ///
    /// `measures` names what is matched on, or maps names to weights; `tolerance` maps names to how far a pseudoword may be off. `same`
    /// names what each shares with its word, `keep` the places at which it has its letters. Words of the lexicon, of the other lexicon,
    /// of `exclude` and those that are known of the model's language are no pseudowords. Words that get too few pseudowords are no error:
    /// they are in `shortages`.
    #[pyo3(name = "match", signature = (
        targets, per_target=1, *, measures=None, tolerance=None, same=None, keep=Vec::new(), min_edits=1, max_edits=None, apart=1,
        attested=3, candidates=None, exclude=None, lexicon=None, other_lexicon=None, particles=1000, seed=1,
        threads=None, progress=None, **constraints
    ))]
    #[pyo3(
        text_signature = "(self, targets, per_target=1, *, measures=None, tolerance=None, same=None, keep=(), min_edits=1, max_edits=None, apart=1, attested=3, candidates=None, exclude=None, lexicon=None, other_lexicon=None, particles=1000, seed=1, threads=None, progress=None, **constraints)"
    )]
    fn matches<'py>(
        &self,
        py: Python<'py>,
        targets: Words,
        per_target: usize,
        measures: Option<Bound<'py, PyAny>>,
        tolerance: Option<BTreeMap<String, f64>>,
        same: Option<Words>,
        keep: Vec<i32>,
        min_edits: usize,
        max_edits: Option<usize>,
        apart: usize,
        attested: u64,
        candidates: Option<usize>,
        exclude: Option<Bound<'py, PyAny>>,
        lexicon: Option<&Bound<'py, Lexicon>>,
        other_lexicon: Option<&Bound<'py, Lexicon>>,
        particles: usize,
        #[pyo3(from_py_with = input::seed)] seed: u64,
        threads: Option<usize>,
        progress: Option<bool>,
        constraints: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (constraints, classes) = constraints::read(constraints.as_ref())?;
        if max_edits.is_some_and(|most| most < min_edits) {
            return Err(exception(MatchError::Request("min_edits is more than max_edits".into())));
        }
        within("per_target", per_target, 1..=1000)?;
        candidates.map_or(Ok(()), |candidates| within("candidates", candidates, 1..=1_000_000))?;
        let same = same.map_or_else(Vec::new, |Words(names)| names);
        let request = MatchRequest {
            per_target,
            criteria: criteria(measures.as_ref(), tolerance.unwrap_or_default())?,
            same: same
                .iter()
                .map(|name| name.parse::<Feature>())
                .collect::<Result<_, _>>()
                .map_err(exception)?,
            keep,
            min_edits,
            max_edits,
            apart,
            attested,
            candidates,
            constraints,
            classes,
            excluded: Vec::new(),
        };
        let mut exclusions = Vec::new();
        if let Some(exclude) = exclude {
            exclusions.push(excluded(self, &exclude)?);
        }
        if let Some(other) = other_lexicon {
            exclusions.push(excluded(self, other.as_any())?);
        }
        match self.list(py) {
            Ok(list) => exclusions.push(list),
            // With a lexicon of one's own the model's words need not be at hand.
            Err(_) if lexicon.is_some() => {}
            Err(error) => return Err(error),
        }
        let lexicon = lexicon.map_or_else(|| self.words(py), |given| Ok(given.get().index()))?;
        let other = other_lexicon.map(|given| given.get().index());
        let request = MatchRequest { excluded: exclusions, ..request };
        let execution = Execution { seed, threads: wug::threads(threads) };
        let settings = settings(particles, None, execution)?;
        let bar = py.import("wug._progress")?.getattr("Progress")?.call1((1.0, "", progress))?;
        let (bar, mut signals) = (Bar { bar: bar.unbind(), told: Instant::now() }, Signals::new());
        let outcome = py.detach(|| {
            let columns = Columns::from_iter([]);
            let sources = Sources { other: other.clone(), ..Sources::new(&self.trained, &lexicon) };
            let measures = Measures::new(columns, sources, settings)?;
            let texts: Vec<&str> = targets.0.iter().map(String::as_str).collect();
            let mut bar = bar;
            measures.match_list(&texts, &request, |so_far| bar.show(&mut signals, so_far))
        });
        let matched = signals.settle(|| outcome.map_err(exception))?;
        let method = Method {
            matched: &matched,
            request: &request,
            model: &self.trained,
            model_name: self.name(),
            model_digest: &self.trained.fingerprint(),
            lexicon: lexicon.lexicon(),
            other_lexicon: other.as_ref().map(|other| &**other.lexicon()),
        };
        let fields = PyDict::new(py);
        fields.set_item("pairs", Table::new(pairs(&matched)))?;
        fields.set_item("quality", json::to_python(py, &matched.quality)?)?;
        fields.set_item("bias", matched.bias.as_ref().map(|bias| to_python(py, bias)).transpose()?)?;
        let shortages =
            matched.shortages.iter().map(|(word, shortage)| (word.as_str(), shortage.to_string()));
        fields.set_item("shortages", shortages.collect::<Vec<_>>())?;
        fields.set_item("candidates", matched.candidates)?;
        fields.set_item("report", matched.to_string())?;
        fields.set_item("method", method.to_string())?;
        fields.set_item("bibtex", BIBTEX)?;
        py.import("wug.stimuli")?.getattr("Matches")?.call((), Some(&fields))
    }
}

/// Shows how far the work has come, and takes the bar away with itself.
struct Bar {
    bar: Py<PyAny>,
    told: Instant,
}

impl Bar {
    fn show(&mut self, signals: &mut Signals, so_far: MatchProgress) -> ControlFlow<()> {
        if self.told.elapsed() < PERIOD {
            return signals.poll();
        }
        self.told = Instant::now();
        let call = |py: Python<'_>| self.bar.call_method1(py, "show", (so_far.share, so_far.stage.name()));
        signals.look(|py| call(py).map(drop))
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        // A bar that cannot be taken away is no reason to lose the result.
        let _ = Python::attach(|py| self.bar.call_method0(py, "close"));
    }
}

/// What is matched on: names, or names with weights, and tolerances.
fn criteria(
    measures: Option<&Bound<'_, PyAny>>,
    tolerance: BTreeMap<String, f64>,
) -> PyResult<Vec<Criterion>> {
    let mut criteria = match measures {
        None => MatchRequest::default().criteria,
        Some(given) => {
            let weights: Vec<(String, f64)> = match given.cast::<PyMapping>() {
                Ok(weights) => weights.items()?.extract()?,
                Err(_) => given.extract::<Words>()?.0.into_iter().map(|name| (name, 1.0)).collect(),
            };
            let weighed =
                |(name, weight): (String, f64)| Ok(Criterion { weight, ..Criterion::named(&name)? });
            weights.into_iter().map(weighed).collect::<Result<_, ColumnError>>().map_err(exception)?
        }
    };
    for (name, most) in tolerance {
        let measure = Column::matched(&name).map_err(exception)?;
        match criteria.iter_mut().find(|criterion| criterion.measure == measure) {
            Some(criterion) => criterion.tolerance = Some(most),
            None => criteria.push(Criterion { measure, weight: 0.0, tolerance: Some(most) }),
        }
    }
    Ok(criteria)
}

/// A row for each pseudoword: the columns of `wug match --format tsv`.
fn pairs(matched: &Matched) -> table::Columns {
    let mut rows = Rows::new(matched.columns());
    matched.rows().for_each(|row| rows.push(&row));
    rows.into_columns()
}
