//! `wug noise`: from words to the noise that they come from, and back.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum, ValueHint};
use wug::generate::{Encoding, SampleError, StepNoise, read_noise};
use wug::{Error, Execution, TrainedModel, read_bounded};

use crate::cli::UsageError;
use crate::messages::Messages;
use crate::options::{self, ModelArgument, ThreadsArgument, number};
use crate::output::{self, heading};
use crate::table::{self, write_row};
use crate::words::{self, Problems, Trouble};

/// Show the noise that words come from, and make words from noise
///
/// For each letter: the noise, the point of the unit interval that it falls on, the part of the interval that belongs to the letter, and
/// what else was probable. The noise of a word is drawn from its posterior. With `--from`, it makes words from the noise in a
/// file, such as a changed table that this command has written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug noise winter
  wug noise winter --format tsv > noise.tsv     change it, then
  wug noise --from noise.tsv
  wug noise -i words.txt --format json > noise.jsonl")]
pub(crate) struct Arguments {
    /// Words
    #[arg(value_name = "WORD", conflicts_with = "from")]
    words: Vec<String>,
    /// Lists with one word per line, plain, gzip or zstd; `-` is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "from")]
    input: Vec<PathBuf>,
    /// Make words from the noise in this file: a table with the columns `noise` or `point` (tsv or csv), or JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
    #[command(flatten)]
    model: ModelArgument,
    /// Convert words to lower case
    #[arg(long)]
    lower_case: bool,
    /// Random seed: another seed gives other noise
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Format of the results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The form of encodings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people; with --from, the words alone
    Text,
    /// A table with tabs and a header, a row for each step
    Tsv,
    /// The same with commas, for spreadsheets
    Csv,
    /// An object on each line, for each word
    Json,
}

/// The largest file of noise.
const MAX_BYTES: u64 = 1 << 28;

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    if arguments.words.is_empty() && arguments.input.is_empty() && arguments.from.is_none() {
        return Err(UsageError("no words: give some, a list with -i, or noise with --from".into()).into());
    }
    let model = arguments.model.load(messages)?;
    let execution = Execution { seed: arguments.seed, threads: arguments.threads.count(messages) };
    let problems = Problems::default();
    let encodings = match &arguments.from {
        Some(path) => {
            let name = path.display();
            let bytes = read_bounded(path, MAX_BYTES).with_context(|| format!("cannot read {name}"))?;
            let noise = read_noise(&bytes).with_context(|| name.to_string())?;
            decode(&model, &noise, execution).with_context(|| name.to_string())?
        }
        None => arguments.encode(&model, execution, &problems, messages)?,
    };
    output::print(|writer| match (arguments.format, &arguments.from) {
        (Format::Text, Some(_)) => {
            encodings.iter().try_for_each(|encoding| writeln!(writer, "{}", encoding.word))
        }
        (Format::Text, None) => encodings.iter().try_for_each(|encoding| write_text(writer, encoding)),
        (Format::Tsv, _) => write_table(writer, table::Format::Tsv, &encodings),
        (Format::Csv, _) => write_table(writer, table::Format::Csv, &encodings),
        (Format::Json, _) => encodings.iter().try_for_each(|encoding| {
            serde_json::to_writer(&mut *writer, encoding)?;
            writeln!(writer)
        }),
    })?;
    Ok(problems.outcome()?)
}

/// Noise that does not fit is told with the word's number.
fn decode(
    model: &TrainedModel,
    noise: &[Vec<StepNoise>],
    execution: Execution,
) -> anyhow::Result<Vec<Encoding>> {
    model.decode_all(noise, execution).map_err(|error| {
        let is_wrong = |steps: &Vec<StepNoise>| {
            matches!(model.decode(steps, 0), Err(Error::Sample(SampleError::Noise { .. })))
        };
        match (&error, noise.iter().position(is_wrong)) {
            (Error::Sample(SampleError::Noise { .. }), Some(word)) => {
                anyhow::anyhow!("word {}: {error}", word + 1)
            }
            _ => error.into(),
        }
    })
}

impl Arguments {
    fn encode(
        &self,
        model: &TrainedModel,
        execution: Execution,
        problems: &Problems,
        messages: Messages,
    ) -> anyhow::Result<Vec<Encoding>> {
        let mut found = Vec::new();
        let options = options::casing(self.lower_case, model).into();
        for word in words::all(&self.words, &self.input, &options, messages) {
            match word {
                Ok(word) => found.push(word),
                Err(Trouble::One(problem)) => problems.tell(&problem),
                Err(Trouble::End(error)) => return Err(error.into()),
            }
        }
        let texts: Vec<&str> = found.iter().map(AsRef::as_ref).collect();
        let encodings = model.encode_all(&texts, execution)?.into_iter().zip(&found);
        let told = encodings.filter_map(|(encoding, found)| match encoding {
            Ok(encoding) => Some(encoding),
            Err(problem) => {
                problems.tell(&format!("{found}: {problem}"));
                None
            }
        });
        Ok(told.collect())
    }
}

/// Symbols that are named beside the one that was chosen.
const OTHERS: usize = 3;

fn write_text(writer: &mut dyn Write, encoding: &Encoding) -> io::Result<()> {
    let name = |symbol: &str| if symbol.is_empty() { "end".to_owned() } else { symbol.to_owned() };
    writeln!(writer, "{}", heading(&format!("{}   log P {:.3}", encoding.word, encoding.log_probability)))?;
    writeln!(
        writer,
        "{:>6} {:>8} {:>7}  {:<15} {:>7}   also probable",
        "", "noise", "point", "interval", "P"
    )?;
    for step in &encoding.steps {
        let [start, end] = step.interval;
        let mut others: Vec<(&String, f64)> = encoding
            .symbols
            .iter()
            .zip(step.probabilities.iter().copied())
            .filter(|(symbol, _)| **symbol != step.letter)
            .collect();
        others.sort_by(|left, right| right.1.total_cmp(&left.1));
        let others: Vec<String> = others
            .iter()
            .take(OTHERS)
            .map(|(symbol, share)| format!("{} {share:.2}", name(symbol)))
            .collect();
        let noise = match step.noise.first() {
            Some(first) if step.noise.len() == 1 => format!("{first:.3}"),
            Some(first) => format!("{first:.2}, …"),
            None => String::new(),
        };
        writeln!(
            writer,
            "{:>6} {noise:>8} {:>7.4}  {start:.4} to {end:.4} {:>7.4}   {}",
            name(&step.letter),
            step.point,
            end - start,
            others.join(", ")
        )?;
    }
    writeln!(writer)
}

fn write_table(writer: &mut dyn Write, format: table::Format, encodings: &[Encoding]) -> io::Result<()> {
    let Some(first) = encodings.first() else { return Ok(()) };
    let probabilities = first.symbols.iter().map(|symbol| match symbol.as_str() {
        "" => "p_end".to_owned(),
        letter => format!("p_{letter}"),
    });
    let fixed = ["word", "step", "letter", "noise", "point", "start", "end", "state"].map(str::to_owned);
    write_row(writer, format, &fixed.into_iter().chain(probabilities).collect::<Vec<_>>())?;
    for encoding in encodings {
        for (number, step) in (1..).zip(&encoding.steps) {
            let [start, end] = step.interval;
            let noise: Vec<String> = step.noise.iter().map(f64::to_string).collect();
            let state: Vec<String> = step.state.iter().map(f32::to_string).collect();
            let fixed = [
                encoding.word.clone(),
                i32::to_string(&number),
                step.letter.clone(),
                noise.join(" "),
                step.point.to_string(),
                start.to_string(),
                end.to_string(),
                state.join(" "),
            ];
            let probabilities = step.probabilities.iter().map(|share| format!("{share:e}"));
            write_row(writer, format, &fixed.into_iter().chain(probabilities).collect::<Vec<_>>())?;
        }
    }
    Ok(())
}
