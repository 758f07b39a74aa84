//! Training.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wug::UnknownName;
use wug::lexicon::{Weighting, WordCounts};
use wug::train::{Completion, Event, Run, Step, TrainRequest, Training};
use wug::{DataConfig, TrainedModel};

use crate::errors::{build, exception};
use crate::input;
use crate::interrupt::Signals;
use crate::lexicon::Lexicon;
use crate::model::Model;

/// Steps between reports are told this often.
const PERIOD: Duration = Duration::from_millis(100);

/// Trains a model. `observe` gets a dictionary for the steps, and at each report the model so far; it stops training by returning
/// True. `wug.train` calls it.
#[pyfunction]
#[pyo3(signature = (lexicon, overrides, weighting, preset, output, threads, source, observe))]
#[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn train(
    py: Python<'_>,
    lexicon: &Bound<'_, PyAny>,
    overrides: Vec<String>,
    weighting: Option<&str>,
    preset: Option<&str>,
    output: Option<PathBuf>,
    threads: Option<usize>,
    source: Option<&Bound<'_, Model>>,
    observe: Py<PyAny>,
) -> PyResult<Model> {
    let source = source.map(|model| &*model.get().trained);
    let weighting: Option<Weighting> = weighting
        .map(str::parse)
        .transpose()
        .map_err(|error: UnknownName| PyValueError::new_err(format!("weighting: {error}")))?;
    let path = input::path(lexicon).map(|path| path.to_string_lossy().into_owned());
    let is_file = path.is_some();
    let request = TrainRequest {
        preset: preset.map(str::to_owned),
        lexicon: Some(path.unwrap_or_else(|| "the given words".to_owned())),
        weighting,
        settings: overrides,
        ..TrainRequest::default()
    };
    let plan = if is_file {
        py.detach(|| request.plan(source))
    } else {
        let data = request.data().map_err(exception)?;
        request.plan_for(in_memory(lexicon, &data)?, source)
    };
    let plan = plan.map_err(exception)?;
    let threads = wug::threads(threads);
    let mut observer = Observer::new(observe);
    match output {
        None => {
            let (outcome, model) = py
                .detach(|| -> wug::Result<_> {
                    let (mut training, _) = plan.training(threads)?;
                    let outcome = training.run(|training, event| observer.see(training, event));
                    Ok((outcome, training.trained_model()))
                })
                .map_err(exception)?;
            observer.settle(py, outcome.map_err(Into::into), model, "give `output` to be able to continue")
        }
        Some(folder) => {
            let (mut run, _) = py.detach(|| plan.run(&folder, threads)).map_err(exception)?;
            in_folder(py, &mut run, observer)
        }
    }
}

/// Continues the run in a folder. `wug.resume` calls it.
#[pyfunction]
#[pyo3(signature = (folder, words, threads, observe))]
pub(crate) fn resume(
    py: Python<'_>,
    folder: PathBuf,
    words: Option<u64>,
    threads: Option<usize>,
    observe: Py<PyAny>,
) -> PyResult<Model> {
    let prepare = || -> wug::Result<Run> {
        let mut run = Run::resume(&folder, wug::threads(threads))?;
        if let Some(words) = words {
            run.set_words(words)?;
        }
        Ok(run)
    };
    let mut run = py.detach(prepare).map_err(exception)?;
    in_folder(py, &mut run, Observer::new(observe))
}

fn in_folder(py: Python<'_>, run: &mut Run, mut observer: Observer) -> PyResult<Model> {
    let outcome = py.detach(|| run.train(|training, event| observer.see(training, event)));
    let hint = format!("continue with wug.resume({:?})", run.folder().display().to_string());
    observer.settle(py, outcome, run.training().trained_model(), &hint)
}

/// Words that are no file, with the same rules for them.
fn in_memory(given: &Bound<'_, PyAny>, data: &DataConfig) -> PyResult<WordCounts> {
    let counts = match given.cast::<Lexicon>() {
        Ok(lexicon) => lexicon.get().words.words().map(|word| (word.text.to_owned(), word.count)).collect(),
        Err(_) => input::list(given, data.casing())?,
    };
    WordCounts::from_counts(counts).map_err(exception)
}

/// Tells Python how training goes.
struct Observer {
    observe: Py<PyAny>,
    signals: Signals,
    told: Instant,
    stopped: bool,
}

impl Observer {
    fn new(observe: Py<PyAny>) -> Self {
        Self { observe, signals: Signals::new(), told: Instant::now(), stopped: false }
    }

    fn see(&mut self, training: &Training, event: &Event) -> ControlFlow<()> {
        match event {
            Event::Step(step) if step.report.is_some() || self.told.elapsed() >= PERIOD => {
                self.told = Instant::now();
                let model = step.report.as_ref().map(|_| training.trained_model());
                let (observe, stopped) = (&self.observe, &mut self.stopped);
                self.signals.look(|py| {
                    *stopped = tell(py, observe, step, model)?;
                    Ok(())
                })?;
                if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
            _ => self.signals.poll(),
        }
    }

    /// The model, or the exception that ended its training.
    fn settle(
        self,
        py: Python<'_>,
        outcome: wug::Result<Completion>,
        model: TrainedModel,
        hint: &str,
    ) -> PyResult<Model> {
        let words = model.provenance.words_seen;
        let model = Model::new(model);
        match self.signals.settle(|| outcome.map_err(exception)) {
            Ok(_) => Ok(model),
            Err(raised) if raised.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py) => {
                let text =
                    format!("stopped after {words} words; the model so far is the attribute `model`; {hint}");
                Err(build(py, "TrainingInterrupted", (text, model))?)
            }
            Err(raised) => Err(raised),
        }
    }
}

/// Calls the observer with a step, and returns whether it wants to stop.
fn tell(py: Python<'_>, observe: &Py<PyAny>, step: &Step, model: Option<TrainedModel>) -> PyResult<bool> {
    let told = PyDict::new(py);
    told.set_item("step", step.step)?;
    told.set_item("words", step.words)?;
    told.set_item("total_words", step.total_words)?;
    told.set_item("learning_rate", step.learning_rate)?;
    match &step.report {
        None => {
            told.set_item("bound", step.bound)?;
            told.set_item("gradient_norm", step.gradient_norm)?;
        }
        Some(report) => {
            told.set_item("bound", report.bound)?;
            told.set_item("gradient_norm", report.gradient_norm)?;
            told.set_item("held_out", report.held_out)?;
            told.set_item("information", report.information)?;
            told.set_item("symbol_entropy", report.symbol_entropy)?;
        }
    }
    observe.bind(py).call1((told, model.map(Model::new)))?.is_truthy()
}
