//! Standard output, and numbers for people.

use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use anyhow::Context;
pub(crate) use wug::grouped;

/// Writes results to standard output. A reader that has seen enough (`wug … | head`) ends the writing quietly. If the work behind
/// the results fails, what was written is printed, and the failure returned.
pub(crate) fn print<E: Into<anyhow::Error>>(
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> anyhow::Result<()> {
    let mut writer = BufWriter::new(io::stdout().lock());
    let outcome: anyhow::Result<()> = write(&mut writer).map_err(Into::into);
    // Only the writer fails with nothing but an error of input and output.
    let failure = match outcome.map_err(anyhow::Error::downcast::<io::Error>) {
        Ok(()) => writer.flush().err(),
        Err(Ok(failure)) => Some(failure),
        Err(Err(other)) => return Err(other),
    };
    match failure {
        None => Ok(()),
        Some(failure) if failure.kind() == io::ErrorKind::BrokenPipe => {
            // What is still in the buffer has no reader.
            let _ = writer.into_parts();
            Ok(())
        }
        Some(failure) => Err(failure).context("cannot write to standard output"),
    }
}

/// The heading of a table on standard output: bold on a terminal that has colours.
pub(crate) fn heading(text: &str) -> String {
    let style = match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => Style::new(),
        _ => Style::new().bold(),
    };
    format!("{style}{text}{style:#}")
}
