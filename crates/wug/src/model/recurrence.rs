//! Models that go symbol by symbol: the symbols so far decide the state, and the state the probabilities of the next symbol.
//!
//! Such a model is exact: `log P(w) = Σ_t log π(w_t | h_{t−1})`, with no noise left to be integrated over. Its states are driven by white
//! noise all the same, through a [code](super::code) that turns one normal number into one symbol.
//!
//! | name | state and symbol seen last | next state |
//! |---|---|---|
//! | [`Choice`] | `softmax(A(w, h))` | `g(h, w)` |
//! | [`TeacherForced`] | the same networks, which have read the end of a word before | |
//! | [`GruLanguageModel`] | `softmax(E h + b)` | a gated recurrent unit |
//!
//! A new one is a file that implements [`Recurrence`], and a line in [`Model`](super::Model).

mod choice;
mod gru;

use std::fmt;

use tilegrad::{Graph, Symbols, Var};

pub(crate) use choice::{Choice, ChoiceSizes, TeacherForced};
pub(crate) use gru::GruLanguageModel;

use crate::random::streams;

/// A model that goes symbol by symbol, as three functions. `h_0` is the state before the first symbol, and the symbol before it is the end.
pub(crate) trait Recurrence: fmt::Debug + Send + Sync {
    /// `h_0` for every word; `end` holds end symbols.
    fn start<'g>(&self, graph: &'g Graph, end: Symbols<'g>, dropout: Dropout) -> Var<'g>;

    /// Logits of the next symbol, a row for each, given `h_{t−1}` and `w_{t−1}`.
    fn logits<'g>(&self, graph: &'g Graph, state: Var<'g>, last: Symbols<'g>, dropout: Dropout) -> Var<'g>;

    /// `h_t` given `h_{t−1}` and `w_t`.
    fn advance<'g>(&self, graph: &'g Graph, state: Var<'g>, symbol: Symbols<'g>, dropout: Dropout)
    -> Var<'g>;
}

/// Dropout in the hidden layers at one step of a word, for training alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dropout {
    rate: f64,
    step: usize,
}

impl Dropout {
    /// Nothing is dropped.
    pub(crate) const OFF: Self = Self { rate: 0.0, step: 0 };

    /// Drops this share of the hidden units at a step.
    pub(crate) fn new(rate: f64, step: usize) -> Self {
        Self { rate, step }
    }

    /// At the step after.
    pub(crate) fn next(self) -> Self {
        Self { step: self.step + 1, ..self }
    }

    /// Of a hidden layer on the way to the logits.
    pub(crate) fn output(self, layer: usize, hidden: Var<'_>) -> Var<'_> {
        hidden.dropout(streams::dropout(self.step, 0, layer), self.rate)
    }

    /// Of a hidden layer on the way to the next state.
    pub(crate) fn state(self, layer: usize, hidden: Var<'_>) -> Var<'_> {
        hidden.dropout(streams::dropout(self.step, 1, layer), self.rate)
    }
}
