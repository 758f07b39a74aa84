//! `wug man`: manual pages, made from the same descriptions as `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::Resettable;
use clap::{Args, Command, CommandFactory, ValueHint};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use wug::AtomicFile;

use crate::cli::Cli;
use crate::messages::Messages;
use crate::output;

/// Print the manual page, or write those of all commands into a folder
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug man | man -l -                               read the page of wug itself
  wug man ~/.local/share/man/man1                  install all pages; then: man wug-train")]
pub(crate) struct Arguments {
    /// Folder for wug.1, wug-train.1 and so on; existing pages are replaced
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    folder: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let mut wug = Cli::command().disable_help_subcommand(true);
    wug.build();
    let Some(folder) = &arguments.folder else {
        let page = page(&wug, &wug).context("the page cannot be made")?;
        return output::print(|writer| writer.write_all(&page));
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut count = 0;
    for command in wug.get_subcommands().chain([&wug]) {
        let path = folder.join(format!("{}.1", page_name(command)));
        write_page(&wug, command, &path).with_context(|| format!("cannot write {}", path.display()))?;
        messages.detail(path.display());
        count += 1;
    }
    messages.note(format_args!("{count} pages written to {}", folder.display()));
    Ok(())
}

fn write_page(wug: &Command, command: &Command, path: &Path) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(&page(wug, command)?)?;
    file.commit()
}

/// `wug`, or `wug-train`.
fn page_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// The page of a command. What the help of `wug` as a whole says at its end about exit codes and the like is true of every
/// command and stands on every page.
fn page(wug: &Command, command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let plain = command
        .clone()
        .after_help(Resettable::Reset)
        .after_long_help(Resettable::Reset)
        .version(Resettable::Reset);
    let source = format!("wug {}", env!("CARGO_PKG_VERSION"));
    Man::new(plain).title(page_name(command).to_uppercase()).source(source).render(&mut page)?;
    let mut roff = Roff::default();
    let own = help_end(command);
    sections(&own).into_iter().for_each(|section| write_section(&mut roff, &section));
    if page_name(command) != page_name(wug) {
        let common = help_end(wug);
        let common = sections(&common).into_iter().filter(|section| section.heading != "Examples");
        common.for_each(|section| write_section(&mut roff, &section));
        roff.control("SH", ["SEE ALSO"]);
        roff.text([roman("wug(1)")]);
    }
    roff.to_writer(&mut page)?;
    Ok(page)
}

/// What the help of a command says after its options.
fn help_end(command: &Command) -> String {
    let text = command.get_after_long_help().or_else(|| command.get_after_help());
    text.map_or_else(String::new, ToString::to_string)
}

/// A part of the end of a help text.
struct Section<'a> {
    heading: &'a str,
    lines: Vec<&'a str>,
}

/// Its parts: a line without indent that ends with a colon is a heading.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for line in text.lines() {
        match (line.strip_suffix(':'), sections.last_mut()) {
            (Some(heading), _) if !line.starts_with(' ') => {
                sections.push(Section { heading, lines: Vec::new() });
            }
            (_, Some(section)) if !line.is_empty() => {
                section.lines.push(line.strip_prefix("  ").unwrap_or(line));
            }
            _ => {}
        }
    }
    sections
}

/// The lines stay as they are: they are commands and small tables.
fn write_section(roff: &mut Roff, section: &Section<'_>) {
    roff.control("SH", [section.heading.to_uppercase().as_str()]);
    roff.control("nf", []);
    section.lines.iter().for_each(|line| {
        roff.text([roman(*line)]);
    });
    roff.control("fi", []);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands before the first heading would be missing from the pages.
    #[test]
    fn the_end_of_every_help_has_headings_and_examples() {
        let wug = Cli::command();
        for command in wug.get_subcommands().chain([&wug]) {
            let end = help_end(command);
            let found = sections(&end);
            assert!(
                found.iter().any(|section| section.heading == "Examples"),
                "{}: {end}",
                command.get_name()
            );
            let kept: usize = found.iter().map(|section| 1 + section.lines.len()).sum();
            assert_eq!(
                kept,
                end.lines().filter(|line| !line.is_empty()).count(),
                "{}: {end}",
                command.get_name()
            );
        }
    }
}
