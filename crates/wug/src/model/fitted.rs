//! A model and the numbers of its parameters, together.

use super::Model;
use crate::counts::{CountsSource, ListCounts};
use crate::lexicon::LexiconError;

/// A model's structure and the numbers of its parameters.
///
/// What runs a model takes both from here, so that they cannot come from two places.
#[derive(Debug, Clone, Copy)]
pub struct Fitted<'a> {
    model: &'a Model,
    parameters: &'a [f32],
    counts: Option<&'a dyn CountsSource>,
    leaves_out: bool,
}

impl<'a> Fitted<'a> {
    /// Puts a model and its numbers together.
    ///
    /// # Panics
    /// If there are more or fewer numbers than the model has.
    #[track_caller]
    pub fn new(model: &'a Model, parameters: &'a [f32]) -> Self {
        let expected = model.params().len();
        assert_eq!(parameters.len(), expected, "the model has {expected} parameters");
        Self { model, parameters, counts: None, leaves_out: false }
    }

    /// The same mixed with the counts of a list.
    pub(crate) fn with_counts(self, counts: Option<&'a dyn CountsSource>) -> Self {
        Self { counts, ..self }
    }

    /// The counts of a list that the model is mixed with, if it is.
    ///
    /// # Errors
    /// When the list is damaged.
    pub(crate) fn counts(self) -> Result<Option<&'a ListCounts>, LexiconError> {
        self.counts.map_or(Ok(None), CountsSource::counts)
    }

    /// The same for telling how word-like a string is: a word of the list is scored as if the list had one word less, since what the counts know by
    /// heart says nothing about its form. Words that the list lacks are scored as ever.
    pub(crate) fn leaving_out(self) -> Self {
        Self { leaves_out: true, ..self }
    }

    /// Whether counts leave out the word at hand.
    pub(crate) fn leaves_out(self) -> bool {
        self.leaves_out
    }

    /// The structure.
    pub fn model(self) -> &'a Model {
        self.model
    }

    /// The numbers, in the order of the structure's parameters.
    pub fn parameters(self) -> &'a [f32] {
        self.parameters
    }
}
