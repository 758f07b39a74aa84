//! What is said on standard error: errors always, notes unless `--quiet` is given, details with `--verbose`.
//!
//! Results go to standard output and everything else comes through here. Messages that have no reader are lost, and the work
//! goes on. Colours are for terminals that understand them; `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE` are respected.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};

/// The style that clap has for the same word.
const ERROR: Style = AnsiColor::Red.on_default().bold();
const DETAIL: Style = Style::new().dimmed();

/// Settles the colours of both streams, those of the parser of arguments included: none on a dumb terminal, wherever it
/// stands. Left to itself `anstream` colours every terminal where `CI` is set, be it dumb.
pub(crate) fn settle_colours() {
    let forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty());
    if is_dumb() && !forced {
        ColorChoice::Never.write_global();
    }
}

/// Whether the terminal understands neither colours nor redrawing.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

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
            write_line(harmless(&text.to_string()));
        }
    }

    /// Says what a curious user wants to know.
    pub(crate) fn detail(self, text: impl Display) {
        if self == Self::Verbose {
            write_line(format_args!("{DETAIL}{}{DETAIL:#}", harmless(&text.to_string())));
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
        if self == Self::Quiet || !io::stderr().is_terminal() || is_dumb() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        total.map_or_else(ProgressBar::new_spinner, ProgressBar::new).with_style(style)
    }
}

/// The most characters of an error: some quote what they found, which may be a line of any length.
const LONGEST: usize = 4000;

/// Says what went wrong.
pub(crate) fn error(text: impl Display) {
    let text = text.to_string();
    let cut = text.char_indices().nth(LONGEST).map_or(text.len(), |(place, _)| place);
    let more = if cut < text.len() { "…" } else { "" };
    write_line(format_args!("{ERROR}error:{ERROR:#} {}{more}", harmless(&text[..cut])));
}

fn write_line(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// The text with its control characters spelt out, but for ends of lines and tabs, and with those that turn the direction of
/// writing: names and messages quote files, and what a stranger wrote must not steer a terminal.
fn harmless(text: &str) -> Cow<'_, str> {
    let steers = |sign: char| {
        (sign.is_control() && !matches!(sign, '\n' | '\t'))
            || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let spell = |sign: char| if steers(sign) { sign.escape_default().to_string() } else { sign.to_string() };
    text.chars().map(spell).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(harmless("two\nlines, zoë"), "two\nlines, zoë");
        assert_eq!(harmless("\u{1b}[2J\t\u{9b}\u{202e}"), "\\u{1b}[2J\t\\u{9b}\\u{202e}");
    }
}
