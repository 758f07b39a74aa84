//! One run from its beginning, or from where it was cut off, to its result.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::Deserialize;
use wug::evaluate::{Context, EvaluateError, Metric, Metrics};
use wug::lexicon::{Lexicon, Split};
use wug::model::Kind;
use wug::train::{Completion, Event, Run, RunError, TrainError};
use wug::{TrainedModel, read_text};

use crate::{
    Effort, Error, Findings, Known, LexiconFacts, Moment, PlannedRun, Result, RunOutcome, RunResult, Sample,
};

/// Words shown of each model.
const SAMPLES: u64 = 40;
/// Tries in a row after which a model that makes hardly any words has no more.
const MAX_TRIES: u64 = 1000;
/// The largest file of metrics that is read.
const MAX_METRICS: u64 = 1 << 24;
/// The share of a run's progress that is training.
const TRAINING_SHARE: f64 = 0.9;

/// Trains and measures one run in the folder `place`; none if `stop` was set, and then the run can be taken up again.
/// `progress` gets the share that is done.
///
/// # Errors
/// When files cannot be read or written, or the folder holds something else. Divergence is a result.
pub(crate) fn execute(
    run: &PlannedRun,
    place: &Path,
    effort: Effort,
    threads: usize,
    stop: &AtomicBool,
    mut progress: impl FnMut(f64),
) -> Result<Option<RunResult>> {
    let (lexicon, _) = run.config.data.read().map_err(wug::Error::from)?;
    let mut training = open(run, place, &lexicon, threads)?;
    let completion = training.train(|_, event| {
        if let Event::Step(step) = event {
            progress(TRAINING_SHARE * step.words as f64 / step.total_words as f64);
        }
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let outcome = match completion {
        Ok(Completion::Cancelled) => return Ok(None),
        Ok(Completion::Finished) => None,
        Err(wug::Error::Train(TrainError::Diverged(problem))) => {
            Some(RunOutcome::Diverged(problem.to_string()))
        }
        Err(error) => return Err(error.into()),
    };
    let words_seen = training.training().words_seen();
    let model = training.training().trained_model();
    drop(training);
    let start = Instant::now();
    let outcome = match outcome {
        Some(diverged) => diverged,
        None => match measure(run, &model, &lexicon, effort, threads, stop, progress) {
            Ok(Some(findings)) => RunOutcome::Measured(Box::new(findings)),
            Ok(None) => return Ok(None),
            // The parameters are finite but so large that the model is of no use.
            Err(Error::Wug(wug::Error::Evaluate(problem @ EvaluateError::NotFinite { .. }))) => {
                RunOutcome::Diverged(problem.to_string())
            }
            Err(error) => return Err(error),
        },
    };
    let mut result = RunResult::new(&run.row.name, run.config.clone(), effort, outcome);
    result.words_seen = words_seen;
    let (types, tokens) = (lexicon.types(), lexicon.tokens());
    result.lexicon = LexiconFacts { sha256: lexicon.digest(), types, tokens };
    (result.history, result.seconds.training) = history(place)?;
    result.seconds.evaluation = start.elapsed().as_secs_f64();
    Ok(Some(result))
}

/// Begins the run, or takes it up.
fn open(run: &PlannedRun, place: &Path, lexicon: &Lexicon, threads: usize) -> Result<Run> {
    match Run::config_of(place) {
        Ok(config) if config == run.config => Ok(Run::resume(place, threads)?),
        Ok(_) => {
            let path = place.display().to_string();
            Err(Error::OtherSettings { path, done: "begun", what: "configuration" })
        }
        Err(wug::Error::Run(RunError::NothingToResume(_))) => {
            Ok(Run::create(place, &run.config, lexicon, threads)?)
        }
        Err(error) => Err(error.into()),
    }
}

fn measure(
    run: &PlannedRun,
    model: &TrainedModel,
    lexicon: &Lexicon,
    effort: Effort,
    threads: usize,
    stop: &AtomicBool,
    mut progress: impl FnMut(f64),
) -> Result<Option<Findings>> {
    let context =
        Context::new(model, &run.config.data, lexicon, effort.settings(threads)).map_err(wug::Error::from)?;
    let mut metrics = Metric::ALL.to_vec();
    // N-grams take as long as all the rest, and only Table 2 has them.
    metrics.retain(|metric| metric.name != "ngrams" || run.row.table2.is_some());
    // Of exact models only the paper's baseline is measured by shared trajectories, too, as the paper does.
    let is_shared = !model.model.is_exact() || model.config.model.kind == Kind::Gru;
    metrics.retain(|metric| metric.name != "cross-entropy" || is_shared);
    let mut found = Metrics::default();
    for (number, metric) in metrics.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let progress = &mut |share| {
            let done = (number as f64 + share) / metrics.len() as f64;
            progress(TRAINING_SHARE + (1.0 - TRAINING_SHARE) * done);
        };
        metric.measure(&context, progress, &mut found).map_err(wug::Error::from)?;
    }
    let samples = samples(model, &lexicon.split(run.config.data.split, run.config.data.split_seed))?;
    Ok(Some(Findings { metrics: found, samples }))
}

/// Words of the model, marked as known or new; empty ones are left out.
fn samples(model: &TrainedModel, split: &Split) -> Result<Vec<Sample>> {
    let is_in = |part: &Lexicon, word: &str| part.words().any(|known| known.text == word);
    let sample = |word: String| {
        let known = if is_in(&split.train, &word) {
            Known::Train
        } else if is_in(&split.test, &word) {
            Known::Test
        } else {
            Known::New
        };
        Sample { word, known }
    };
    let words = model.words().max_tries(MAX_TRIES).make(SAMPLES)?;
    Ok(words.map_while(Result::ok).map(sample).collect())
}

/// The reports of a run, and the seconds it was trained for.
fn history(place: &Path) -> Result<(Vec<Moment>, f64)> {
    #[derive(Deserialize)]
    struct Line {
        #[serde(flatten)]
        moment: Moment,
        seconds: f64,
    }
    let path = place.join("metrics.jsonl");
    let text = read_text(&path, MAX_METRICS).map_err(|source| Error::io("cannot read", &path, source))?;
    let lines: Result<Vec<Line>, serde_json::Error> = text.lines().map(serde_json::from_str).collect();
    let lines = lines
        .map_err(|error| Error::Content { path: path.display().to_string(), problem: error.to_string() })?;
    let seconds = lines.last().map_or(0.0, |line| line.seconds);
    Ok((lines.into_iter().map(|line| line.moment).collect(), seconds))
}
