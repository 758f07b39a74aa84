//! How far the making of words has come.

use std::ops::ControlFlow;

use super::SampleError;

/// How far the making of words has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WordProgress {
    /// Words that were made.
    pub made: u64,
    /// Words that are wanted.
    pub wanted: u64,
    /// Words that were begun.
    pub tries: u64,
    /// Particles of a population, if words that fit are so rare that they are made by populations.
    pub particles: Option<usize>,
}

/// How words were found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Account {
    /// Words that were made.
    pub made: u64,
    /// Words that were begun.
    pub tries: u64,
    /// Words that met the constraints but are in an excluded list.
    pub known: u64,
    /// Words that met the constraints but had been made before.
    pub repeated: u64,
    /// Which way was taken.
    pub way: Way,
}

/// A way to find words that meet constraints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    /// Words are drawn as always, and dropped at the letter that rules them out. That is exact.
    Rejection,
    /// Words are so rare that they come from populations of particles.
    Particles {
        /// Particles of each population.
        particles: usize,
        /// The fewest independent particles that were left at the end of the first populations.
        effective: f64,
        /// Words that are drawn from each.
        words: usize,
    },
}

/// Progress, and whoever wants to know about it and may end the work.
#[derive(Default)]
pub(crate) struct Watch<'m> {
    pub(crate) progress: WordProgress,
    pub(crate) watcher: Option<Watcher<'m>>,
}

/// Gets the progress every now and then, always on the caller's thread.
pub(crate) type Watcher<'m> = Box<dyn FnMut(WordProgress) -> ControlFlow<()> + 'm>;

impl Watch<'_> {
    /// Tells the progress.
    ///
    /// # Errors
    /// When the work is to end.
    pub(crate) fn tell(&mut self) -> Result<(), SampleError> {
        match self.watcher.as_mut().map(|watcher| watcher(self.progress)) {
            Some(ControlFlow::Break(())) => Err(SampleError::Stopped),
            Some(ControlFlow::Continue(())) | None => Ok(()),
        }
    }
}
