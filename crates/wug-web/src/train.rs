//! Training on a list of one's own, some steps at a time.

use serde::Deserialize;
use serde_json::json;
use wug::lexicon::{Input, read_list};
use wug::train::{Event, TrainRequest, Training};

use crate::models::OpenModel;
use crate::{Answer, Failure};

/// How to train.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingRequest {
    /// The list's name.
    name: String,
    seed: u64,
    #[serde(default)]
    lower_case: bool,
    /// Settings as of `wug train --set`.
    #[serde(default)]
    settings: Vec<String>,
}

/// The most fresh words on the way.
const MAX_FRESH: usize = 100;

/// A training and its words.
pub(crate) struct Trainee {
    training: Training,
}

/// Reads the list and prepares to train as `wug train LIST` does.
pub(crate) fn begin(request: &TrainingRequest, bytes: &[u8]) -> Result<(Trainee, Answer), Failure> {
    let asked = TrainRequest {
        lexicon: Some(request.name.clone()),
        lower_case: request.lower_case,
        seed: Some(request.seed),
        settings: request.settings.clone(),
        ..TrainRequest::default()
    };
    let input = Input::from_reader(&request.name, std::io::Cursor::new(bytes.to_vec()))?;
    let list = read_list(input, asked.data()?.list_options())?;
    let plan = asked.plan_for(list, None)?;
    let (training, _) = plan.training(1)?;
    let answer = json!({
        "summary": plan.summary.to_string(),
        "words": plan.lexicon.types(),
        "total": training.total_words(),
        "batch": plan.config.train.batch,
        "parameters": training.model().params().len(),
    });
    Ok((Trainee { training }, Answer::of(answer)))
}

impl Trainee {
    /// Takes some steps; the answer has the curve's new points and fresh words.
    pub(crate) fn take(&mut self, steps: u64, fresh: usize) -> Result<Answer, Failure> {
        let (mut bound, mut taken, mut held_out, mut notes) = (0.0, 0_u64, None, Vec::new());
        for _ in 0..steps {
            match self.training.step()? {
                None => break,
                Some(Event::Step(step)) => {
                    bound += step.bound;
                    taken += 1;
                    held_out = step.report.and_then(|report| report.held_out).or(held_out);
                }
                Some(Event::Fallback(problem)) => notes.push(problem.to_string()),
            }
        }
        let fresh = match fresh {
            0 => Vec::new(),
            count => self.training.trained_model().sample(count.min(MAX_FRESH), self.training.steps())?,
        };
        Ok(Answer::of(json!({
            "seen": self.training.words_seen(),
            "total": self.training.total_words(),
            "nats": (taken > 0).then(|| -bound / taken as f64),
            "held_out": held_out,
            "done": self.training.is_done(),
            "stopped_early": self.training.stopped_early(),
            "fresh": fresh,
            "notes": notes,
        })))
    }

    /// The model as it is now, open, and its file.
    pub(crate) fn model(&self) -> Result<(OpenModel, Answer), Failure> {
        let model = self.training.trained_model();
        let bytes = model.to_bytes()?;
        let opened = OpenModel::new(model);
        let answer = Answer { bytes, ..opened.describe() };
        Ok((opened, answer))
    }
}
