//! Progress of long work, on standard error.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar on a terminal; nothing elsewhere, so that logs stay readable.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Progress through bytes, of which there are `total` if that is known.
    pub(crate) fn of_bytes(total: Option<u64>) -> Self {
        if !io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden() };
        }
        let (bar, template) = match total {
            Some(total) => (
                ProgressBar::new(total),
                "{bar:40} {bytes}/{total_bytes}, {binary_bytes_per_sec}, {eta} left",
            ),
            None => (ProgressBar::new_spinner(), "{spinner} {bytes}, {binary_bytes_per_sec}"),
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Self { bar: bar.with_style(style) }
    }

    /// Progress through named stages, each from 0 to 1.
    pub(crate) fn of_shares() -> Self {
        if !io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden() };
        }
        let template = "{bar:40} {percent:>3}%, {eta} left  {msg}";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Self { bar: ProgressBar::new(1000).with_style(style) }
    }

    /// The share of a stage that is done.
    pub(crate) fn set_share(&self, stage: &'static str, share: f64) {
        if share == 0.0 {
            self.bar.reset();
            self.bar.set_message(stage);
        }
        self.bar.set_position((1000.0 * share) as u64);
    }

    /// The bytes done so far.
    pub(crate) fn set(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
