//! Progress of long work, on standard error.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use wug::generate::WordProgress;

use crate::messages::Messages;
use crate::output::grouped;

/// A progress bar on a terminal; nothing elsewhere.
pub(crate) struct Progress {
    messages: Messages,
    bar: ProgressBar,
    /// The stage at work, and since when.
    stage: Option<(&'static str, Instant)>,
}

impl Progress {
    /// Progress through bytes, of which there are `total` if that is known.
    pub(crate) fn of_bytes(messages: Messages, total: Option<u64>) -> Self {
        let template = match total {
            Some(_) => "{bar:40} {bytes}/{total_bytes}, {binary_bytes_per_sec}, {eta} left",
            None => "{spinner} {bytes}, {binary_bytes_per_sec}",
        };
        Self { messages, bar: messages.bar(total, template), stage: None }
    }

    /// Progress through named stages, each from 0 to 1. How long they took is a detail.
    pub(crate) fn of_shares(messages: Messages) -> Self {
        let bar = messages.bar(Some(1000), "{bar:40} {percent:>3}%, {eta} left  {msg}");
        Self { messages, bar, stage: None }
    }

    /// Progress of words that may be long in coming.
    pub(crate) fn of_words(messages: Messages) -> Self {
        Self { messages, bar: messages.bar(None, "{spinner} {msg}"), stage: None }
    }

    /// The words that were made so far, shown if they are slow.
    pub(crate) fn set_words(&self, WordProgress { made, wanted, tries, .. }: WordProgress) {
        if self.bar.elapsed() > Duration::from_millis(500) {
            let [made, wanted, tries] = [made, wanted, tries].map(grouped);
            self.bar.set_message(format!("{made} of {wanted} words, {tries} tries"));
            self.bar.tick();
        }
    }

    /// Does some writing while nothing else is shown.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// The share of a stage that is done.
    pub(crate) fn set_share(&mut self, stage: &'static str, share: f64) {
        if share == 0.0 {
            // A stage may begin again and again, for one group of words after the other.
            if self.stage.is_none_or(|(own, _)| own != stage) {
                self.end_stage();
                self.stage = Some((stage, Instant::now()));
            }
            self.bar.reset();
            self.bar.set_message(stage);
        }
        self.bar.set_position((1000.0 * share) as u64);
    }

    fn end_stage(&mut self) {
        if let Some((stage, started)) = self.stage.take() {
            let seconds = started.elapsed().as_secs_f64();
            self.bar.suspend(|| self.messages.detail(format_args!("{stage}: {seconds:.2} s")));
        }
    }

    /// The bytes done so far.
    pub(crate) fn set(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }
}

/// The bar goes with the work, however it ends, so that an error stands on a line of its own.
impl Drop for Progress {
    fn drop(&mut self) {
        self.end_stage();
        self.bar.finish_and_clear();
    }
}
