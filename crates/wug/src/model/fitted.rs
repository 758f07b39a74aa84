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
        Self { model, parameters, counts: None }
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

    /// The structure.
    pub fn model(self) -> &'a Model {
        self.model
    }

    /// The numbers, in the order of the structure's parameters.
    pub fn parameters(self) -> &'a [f32] {
        self.parameters
    }
}
