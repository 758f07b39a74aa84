//! Standard output, and numbers for people.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use anyhow::Context;
use clap::{Args, ValueEnum, ValueHint};
use wug::AtomicFile;
pub(crate) use wug::grouped;

use crate::table::Format;

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

/// Where results go.
#[derive(Debug, Args)]
pub(crate) struct OutputArgument {
    /// Write to this file instead of standard output: whole or not at all, in the format that .csv, .tsv, .json or .txt says, CSV with the
    /// mark by which spreadsheets know UTF-8
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl OutputArgument {
    /// The format that is asked for, or what the file's name says.
    pub(crate) fn format(&self, asked: Option<Format>) -> Option<Format> {
        let ending = self.output.as_ref().and_then(|path| path.extension()?.to_str());
        asked.or_else(|| Format::from_str(ending?, true).ok())
    }

    /// Writes results.
    pub(crate) fn print<E: Into<anyhow::Error>>(
        &self,
        format: Format,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> anyhow::Result<()> {
        let Some(path) = &self.output else { return print(write) };
        let failed = || format!("cannot write {}", path.display());
        let mut file = AtomicFile::create(path).with_context(failed)?;
        if format == Format::Csv {
            file.write_all("\u{feff}".as_bytes()).with_context(failed)?;
        }
        let mut writer = BufWriter::new(&mut file);
        write(&mut writer).map_err(Into::into)?;
        writer.flush().with_context(failed)?;
        drop(writer);
        file.commit().with_context(failed)
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
