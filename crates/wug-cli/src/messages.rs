//! What is said on standard error: errors always, notes unless `--quiet` is given, details with `--verbose`.
//!
//! Results go to standard output and everything else comes through here. Messages that have no reader are lost, and the work
//! goes on. Colours are for terminals only; `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE` are respected.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};

/// The style that clap has for the same word.
const ERROR: Style = AnsiColor::Red.on_default().bold();
const DETAIL: Style = Style::new().dimmed();

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Messages {
    /// Errors only.
    Quiet,
    /// Notes and progress too.
    Normal,
    /// Details too.
    Verbose,
}

impl Messages {
    /// Says what a user wants to know.
    pub(crate) fn note(self, text: impl Display) {
        if self != Self::Quiet {
            write_line(text);
        }
    }

    /// Says what a curious user wants to know.
    pub(crate) fn detail(self, text: impl Display) {
        if self == Self::Verbose {
            write_line(format_args!("{DETAIL}{text}{DETAIL:#}"));
        }
    }

    /// Does some work and says how long it took, as a detail.
    pub(crate) fn timed<T>(self, work_name: &str, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = work();
        self.detail(format_args!("{work_name}: {:.2} s", started.elapsed().as_secs_f64()));
        result
    }

    /// A progress bar on a terminal that can redraw a line; a hidden one elsewhere, so that logs stay readable.
    pub(crate) fn bar(self, total: Option<u64>, template: &str) -> ProgressBar {
        let can_redraw =
            io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        if self == Self::Quiet || !can_redraw {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        total.map_or_else(ProgressBar::new_spinner, ProgressBar::new).with_style(style)
    }
}

/// Says what went wrong.
pub(crate) fn error(text: impl Display) {
    write_line(format_args!("{ERROR}error:{ERROR:#} {text}"));
}

fn write_line(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}
