//! Ctrl-C while Rust is at work.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Signals are looked at this often: soon enough for people, seldom enough to cost nothing.
const PERIOD: Duration = Duration::from_millis(50);

/// Looks for signals every now and then. The exception of a signal's handler ends the work.
pub(crate) struct Signals {
    looked: Instant,
    raised: Option<PyErr>,
}

impl Signals {
    pub(crate) fn new() -> Self {
        Self { looked: Instant::now(), raised: None }
    }

    /// Whether the work may go on.
    pub(crate) fn poll(&mut self) -> ControlFlow<()> {
        if self.raised.is_none() && self.looked.elapsed() < PERIOD {
            return ControlFlow::Continue(());
        }
        self.look(|_| Ok(()))
    }

    /// Calls Python, and looks at signals too.
    pub(crate) fn look(&mut self, call: impl FnOnce(Python<'_>) -> PyResult<()>) -> ControlFlow<()> {
        if self.raised.is_none() {
            self.raised = Python::attach(|py| py.check_signals().and_then(|()| call(py))).err();
            self.looked = Instant::now();
        }
        if self.raised.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The exception that ended the work, or else its outcome.
    pub(crate) fn settle<T>(self, outcome: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        self.raised.map_or_else(outcome, Err)
    }
}
