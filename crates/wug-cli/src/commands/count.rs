//! `wug count`: word counts of running text.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueHint};
use wug::AtomicFile;
use wug::lexicon::{CountRules, Input, LexiconError, TextCounts, count_text};

use crate::messages::Messages;
use crate::options::ThreadsArgument;
use crate::output::{self, grouped};
use crate::progress::Progress;

/// Count the words of running text: a list for `wug train` and `wug lexicon`
///
/// Texts are UTF-8, plain or compressed with gzip or zstd, of any size. Words are found by
/// Unicode's word boundaries (UAX #29), counted in lower case, and dropped if they contain anything but letters. The list is
/// sorted by falling count, and by code points where counts are equal.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug count book.txt > words.tsv
  wug count *.txt.gz -o words.tsv          many texts, the list written whole or not at all
  wug count roman.txt --elision -o fr.tsv   French: l'homme counts as homme
  wug count - --keep-case < names.txt      standard input, with capital letters")]
pub(crate) struct Arguments {
    /// Texts; `-` is standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// Write the list to this file instead of standard output
    #[arg(short, long, value_name = "LEXICON", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Keep capital letters
    #[arg(long)]
    keep_case: bool,
    /// Keep words with an apostrophe in them, such as don't
    #[arg(long)]
    keep_apostrophes: bool,
    /// Drop what is elided, as French, Italian and Catalan want: l'homme counts as homme. Words cut off by an apostrophe, such
    /// as po', are left out
    #[arg(long, conflicts_with = "keep_apostrophes")]
    elision: bool,
    #[command(flatten)]
    threads: ThreadsArgument,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let total = check_files(&arguments.files)?;
    let output = arguments.output.as_deref().map(create).transpose()?;
    let Arguments { keep_case, keep_apostrophes, elision, .. } = *arguments;
    let rules = CountRules { keep_case, keep_apostrophes, elision };
    let threads = NonZeroUsize::new(arguments.threads.count(messages)).unwrap_or(NonZeroUsize::MIN);
    messages.detail(format_args!(
        "{} files, {}",
        arguments.files.len(),
        total.map_or_else(|| "of unknown size".to_owned(), |bytes| format!("{} bytes", grouped(bytes)))
    ));
    let progress = Progress::of_bytes(messages, total);
    let inputs = arguments.files.iter().map(|path| Input::open(path));
    let counts =
        messages.timed("counting", || count_text(inputs, rules, threads, &|bytes| progress.set(bytes)))?;
    drop(progress);
    match (output, &arguments.output) {
        (Some(mut file), Some(path)) => counts
            .write_tsv(&mut file)
            .and_then(|()| file.commit())
            .with_context(|| format!("cannot write {}", path.display()))?,
        _ => output::print(|writer| counts.write_tsv(writer))?,
    }
    report(&counts, messages);
    Ok(())
}

/// Finds a missing file before hours have gone into those before it, and adds up the sizes if all have one.
fn check_files(files: &[PathBuf]) -> Result<Option<u64>, LexiconError> {
    let mut total = Some(0u64);
    for path in files {
        let size = if path.as_os_str() == "-" {
            None
        } else {
            let name = || path.display().to_string();
            let found = fs::metadata(path).map_err(|source| LexiconError::Open { name: name(), source })?;
            if found.is_dir() {
                return Err(LexiconError::Directory { name: name() });
            }
            found.is_file().then_some(found.len())
        };
        total = total.zip(size).map(|(total, size)| total.saturating_add(size));
    }
    Ok(total)
}

fn create(path: &Path) -> anyhow::Result<AtomicFile> {
    AtomicFile::create(path).with_context(|| format!("--output: cannot create {}", path.display()))
}

fn report(counts: &TextCounts, messages: Messages) {
    let left_out = counts.left_out();
    let reasons: Vec<String> = [
        (left_out.apostrophe, "with an apostrophe"),
        (left_out.not_letters, "with digits or other signs"),
        (left_out.too_long, "too long"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, reason)| format!("{} {reason}", grouped(count)))
    .collect();
    let left_out =
        if reasons.is_empty() { String::new() } else { format!("; left out {}", reasons.join(", ")) };
    messages.note(format_args!(
        "{} words, {} tokens{left_out}",
        grouped(counts.words().len() as u64),
        grouped(counts.tokens())
    ));
}
