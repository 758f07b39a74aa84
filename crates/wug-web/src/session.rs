//! A Worker's state, and the requests that it takes.

use serde::Deserialize;
use serde_json::{Value, json};
use wug::measure::Columns;

use crate::models::Models;
use crate::train::TrainingRequest;
use crate::{Answer, Failure, matching, noise, score, train, words};

/// What JavaScript asks for; `do` says which.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Request {
    /// Opens a model; the bytes are its file, or there are none if it comes with the library.
    Open {
        /// The name that later requests call it by.
        model: String,
    },
    /// Makes words.
    Words(words::WordsRequest),
    /// Which words are in the model's list.
    Known {
        /// The model.
        model: String,
        /// The words.
        words: Vec<String>,
    },
    /// Words of the model's list to begin with.
    Examples {
        /// The model.
        model: String,
        /// How many.
        count: usize,
    },
    /// From a word to its noise, or from noise to its word.
    Noise(noise::NoiseRequest),
    /// Noise on its way to another word's.
    Toward(noise::TowardRequest),
    /// The columns of measured words.
    Columns,
    /// Measures words.
    Score(score::ScoreRequest),
    /// Finds pseudowords for a list of words, or measures a list that has them.
    Match(matching::MatchingRequest),
    /// Begins to train; the bytes are the list.
    Train(TrainingRequest),
    /// Takes some steps of the training that was begun.
    Steps {
        /// How many.
        steps: u64,
        /// Fresh words to make of what was learnt.
        #[serde(default)]
        fresh: usize,
    },
    /// The model as it is now: opened under a name, and its file.
    Trained {
        /// The name.
        model: String,
    },
}

/// Open models and a training.
#[derive(Default)]
pub struct Session {
    models: Models,
    training: Option<train::Trainee>,
}

impl Session {
    /// Answers a request. `tell` gets results on the way.
    ///
    /// # Errors
    /// When the request is malformed or cannot be met; the text is for the reader of the page.
    pub fn answer(
        &mut self,
        json: &[u8],
        bytes: &[u8],
        tell: &mut dyn FnMut(&Value),
    ) -> Result<Answer, Failure> {
        match serde_json::from_slice(json)? {
            Request::Open { model } => self.models.open(&model, bytes),
            Request::Words(request) => words::make(self.models.get(&request.model)?, &request, tell),
            Request::Known { model, words } => words::known(self.models.get(&model)?, &words),
            Request::Examples { model, count } => self.models.get(&model)?.examples(count),
            Request::Noise(request) => noise::noise(self.models.get(&request.model)?, &request),
            Request::Toward(request) => noise::toward(self.models.get(&request.model)?, &request),
            Request::Columns => {
                Ok(Answer::of(json!({ "columns": score::described(&Columns::all(false, false)) })))
            }
            Request::Score(request) => score::score(self.models.get(&request.model)?, &request, tell),
            Request::Match(request) => matching::find(self.models.get(&request.model)?, &request, tell),
            Request::Train(request) => {
                let (trainee, answer) = train::begin(&request, bytes)?;
                self.training = Some(trainee);
                Ok(answer)
            }
            Request::Steps { steps, fresh } => self.trainee()?.take(steps, fresh),
            Request::Trained { model } => {
                let (opened, answer) = self.trainee()?.model()?;
                self.models.add(&model, opened);
                Ok(answer)
            }
        }
    }

    fn trainee(&mut self) -> Result<&mut train::Trainee, Failure> {
        self.training.as_mut().ok_or_else(|| Failure("nothing is being trained".to_owned()))
    }
}
