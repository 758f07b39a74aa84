//! Standard output, and numbers for people.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use anyhow::Context;

/// Writes results to standard output. A reader that has seen enough (`wug … | head`) ends the writing quietly.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut writer = BufWriter::new(io::stdout().lock());
    match write(&mut writer).and_then(|()| writer.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // What is still in the buffer has no reader.
            let _ = writer.into_parts();
            Ok(())
        }
        result => result.context("cannot write to standard output"),
    }
}

/// The most characters of a message: some quote what they found, which may be a line of any length.
const LONGEST: usize = 4000;

/// Tells on standard error what went wrong.
pub(crate) fn complain(problem: &str) {
    let cut = problem.char_indices().nth(LONGEST).map_or(problem.len(), |(place, _)| place);
    tell(&format!("wug: {}{}", &problem[..cut], if cut < problem.len() { "…" } else { "" }));
}

/// Writes lines to standard error that may quote what others wrote. A reader that is gone is no failure.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{}", harmless(text));
}

/// The text with its control characters spelt out, but for ends of lines and tabs, and with those that turn the direction of
/// writing: names and messages quote files, and what a stranger wrote must not steer a terminal.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
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

/// The number with its digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(harmless("two\nlines, zoë"), "two\nlines, zoë");
        assert_eq!(harmless("\u{1b}[2J\t\u{9b}\u{202e}"), "\\u{1b}[2J\t\\u{9b}\\u{202e}");
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        let numbers = [0, 7, 999, 1000, 46_430_473, u64::MAX];
        let expected = ["0", "7", "999", "1,000", "46,430,473", "18,446,744,073,709,551,615"];
        assert_eq!(numbers.map(grouped), expected);
    }
}
