//! `wug check`: can the words of an experiment be told from its nonwords by looks alone?

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, ValueHint};
use serde::Serialize;
use wug::lexicon::Input;
use wug::measure::{
    Bias, Columns, Ld1nnError, ListIndex, MAX_STIMULI, MeasuredWord, Measures, SIGNIFICANT, ScoreSettings,
    Sources, Stimuli, Stimulus, Verdict, ld1nn_as_listed, ld1nn_random,
};
use wug::{DataConfig, Execution};

use crate::messages::Messages;
use crate::options::{ThreadsArgument, WordColumn, number, read_lexicon};
use crate::output;
use crate::report::print_report;
use crate::table::Format;
use crate::words::{Problems, Trouble};

/// Check the words and nonwords of a lexical decision experiment for bias (LD1NN)
///
/// The list has one stimulus per line, with a column that says `word` or `nonword`; without it, what the lexicon has is a word. Pairs
/// that `wug match` wrote as a table are read, too.
/// The test looks at each stimulus's nearest neighbours among those met before: odds above 1 mean that nearness gives words and
/// nonwords away, odds below 1 that neighbours tend to be of the other kind. It takes the mean over random orders, as an
/// experiment has one for each participant.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug check stimuli.tsv
  wug match nouns.txt -o pairs.csv && wug check pairs.csv
  cat words.txt nonwords.txt | wug check -
  wug check session.tsv --as-listed --format json")]
pub(crate) struct Arguments {
    /// The stimuli; `-` is standard input
    #[arg(value_name = "LIST", value_hint = ValueHint::FilePath)]
    list: PathBuf,
    #[command(flatten)]
    column: WordColumn,
    /// The list that tells words from nonwords and that neighbours are looked up in [default: the bundled English list]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    lexicon: Option<PathBuf>,
    /// Convert stimuli to lower case
    #[arg(long)]
    lower_case: bool,
    /// Use the list itself as the only order of presentation
    #[arg(long, conflicts_with_all = ["orders", "seed"])]
    as_listed: bool,
    /// Random orders
    #[arg(long, value_name = "N", value_parser = number(1..=10_000_u16), default_value_t = 100)]
    orders: u16,
    /// Seed of the orders
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What is told of the stimuli's letters.
const COLUMNS: [&str; 4] = ["length", "coltheart_n", "old20", "bigram_frequency"];

/// What is reported.
#[derive(Serialize)]
struct Report<'a> {
    words: Means,
    nonwords: Means,
    /// Who told words from nonwords: the list or the lexicon.
    kinds: &'static str,
    /// Random orders; 0 if the list's own was used.
    orders: usize,
    odds: f64,
    coefficient: f64,
    standard_error: f64,
    z: f64,
    p: f64,
    smallest_odds: f64,
    largest_odds: f64,
    /// Orders with p below 0.05.
    significant_orders: usize,
    verdict: Verdict,
    stimuli: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Item<'a> {
    word: &'a str,
    kind: &'static str,
    word_probability: f64,
}

/// Means over the stimuli of one kind.
#[derive(Serialize)]
struct Means {
    count: usize,
    length: f64,
    coltheart_n: f64,
    old20: Option<f64>,
    bigram_frequency: Option<f64>,
}

pub(crate) fn run(arguments: &Arguments, messages: Messages) -> anyhow::Result<()> {
    let threads = arguments.threads.count(messages);
    let lexicon = match &arguments.lexicon {
        Some(path) => read_lexicon(path, false, messages).context("--lexicon")?,
        None => {
            let mut data = DataConfig::default();
            data.set_list(wug::languages::DEFAULT_MODEL);
            data.read()?.0
        }
    };
    let problems = Problems::default();
    let (entries, kinds) = read_entries(arguments, &problems, messages)?;
    if entries.len() > MAX_STIMULI {
        return Err(Ld1nnError::TooMany { found: entries.len() })
            .with_context(|| format!("{} cannot be tested", arguments.list.display()));
    }
    let texts: Vec<&str> = entries.iter().map(|(text, _)| text.as_str()).collect();
    messages
        .detail(format_args!("{} stimuli; words and nonwords are told apart by the {kinds}", texts.len()));
    let lexicon = Arc::new(lexicon);
    let sources = Sources { lexicon: Some(ListIndex::of(Arc::clone(&lexicon))), ..Sources::default() };
    let execution = Execution { threads, ..Execution::default() };
    let settings = ScoreSettings { execution, ..ScoreSettings::default() };
    let measures = Measures::new(Columns::named(COLUMNS, false, false)?, sources, settings)?;
    let letters = messages.timed("neighbours", || measures.measure(&texts))?;
    // Without a model every text has letters.
    let letters: Vec<MeasuredWord> = letters.into_iter().collect::<Result<_, _>>()?;
    let known: HashSet<&str> = lexicon.words().map(|word| word.text).collect();
    let stimuli: Vec<Stimulus> = entries
        .iter()
        .map(|(text, is_word)| {
            let is_word = is_word.unwrap_or_else(|| known.contains(&*lexicon.alphabet().fold(text)));
            Stimulus { text: text.clone(), is_word }
        })
        .collect();
    if kinds == "lexicon" {
        tell_capitals(&known, &stimuli, messages);
    }
    let bias = messages
        .timed("LD1NN", || {
            if arguments.as_listed {
                ld1nn_as_listed(&stimuli, threads)
            } else {
                ld1nn_random(&stimuli, arguments.orders.into(), arguments.seed, threads)
            }
        })
        .with_context(|| format!("{} cannot be tested", arguments.list.display()))?;
    let report = Report::new(&stimuli, kinds, &letters, &bias, arguments.as_listed);
    print_report(arguments.format, &report, |writer| write!(writer, "{report}"))?;
    Ok(problems.outcome()?)
}

/// A stimulus, and whether it is a word if the list says it.
type Entry = (String, Option<bool>);

/// The stimuli, and who tells words from nonwords.
fn read_entries(
    arguments: &Arguments,
    problems: &Problems,
    messages: Messages,
) -> anyhow::Result<(Vec<Entry>, &'static str)> {
    let options = arguments.column.options(arguments.lower_case.into());
    let mut stimuli = Stimuli::new(Input::open(&arguments.list)?, options);
    let mut entries = Vec::new();
    for found in stimuli.by_ref() {
        match found.map_err(Trouble::of) {
            Ok(stimulus) => entries.push((stimulus.text, stimulus.is_word)),
            Err(Trouble::One(problem)) => problems.tell(&problem),
            Err(Trouble::End(error)) => return Err(error.into()),
        }
    }
    if let Some(note) = stimuli.note() {
        messages.note(note);
    }
    Ok((entries, if stimuli.are_listed() { "list" } else { "lexicon" }))
}

/// Says which stimuli count as nonwords only because of their capital letters, where the lexicon has capitals, too.
fn tell_capitals(known: &HashSet<&str>, stimuli: &[Stimulus], messages: Messages) {
    let is_capital =
        |stimulus: &&Stimulus| !stimulus.is_word && known.contains(stimulus.text.to_lowercase().as_str());
    let capital: Vec<&str> =
        stimuli.iter().filter(is_capital).map(|stimulus| stimulus.text.as_str()).collect();
    if let Some(first) = capital.first() {
        messages.note(format_args!(
            "{} stimuli such as {first} count as nonwords, but the lexicon has them in lower case: give --lower-case",
            capital.len()
        ));
    }
}

impl<'a> Report<'a> {
    fn new(
        stimuli: &'a [Stimulus],
        kinds: &'static str,
        letters: &[MeasuredWord],
        bias: &Bias,
        as_listed: bool,
    ) -> Self {
        let means = |is_word: bool| {
            let own = stimuli.iter().zip(letters).filter(move |(stimulus, _)| stimulus.is_word == is_word);
            Means::of(&own.map(|(_, letters)| letters).collect::<Vec<_>>())
        };
        let odds = || bias.orders.iter().map(wug::measure::Fit::odds);
        Self {
            words: means(true),
            nonwords: means(false),
            kinds,
            orders: if as_listed { 0 } else { bias.orders.len() },
            odds: bias.fit.odds(),
            coefficient: bias.fit.coefficient,
            standard_error: bias.fit.standard_error,
            z: bias.fit.z(),
            p: bias.fit.p(),
            smallest_odds: odds().fold(f64::INFINITY, f64::min),
            largest_odds: odds().fold(0.0, f64::max),
            significant_orders: bias.significant_orders(),
            verdict: bias.verdict(),
            stimuli: stimuli
                .iter()
                .zip(&bias.probabilities)
                .map(|(stimulus, &word_probability)| {
                    let kind = if stimulus.is_word { "word" } else { "nonword" };
                    Item { word: &stimulus.text, kind, word_probability }
                })
                .collect(),
        }
    }
}

impl Means {
    fn of(letters: &[&MeasuredWord]) -> Self {
        let count = letters.len();
        let mean = |name: &str| {
            let sum: Option<f64> = letters.iter().map(|letters| letters.number(name)).sum();
            sum.map(|sum| sum / count as f64)
        };
        Self {
            count,
            length: mean("length").unwrap_or(0.0),
            coltheart_n: mean("coltheart_n").unwrap_or(0.0),
            old20: mean("old20"),
            bigram_frequency: mean("bigram_frequency"),
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let optional =
            |number: Option<f64>| number.map_or_else(|| "–".into(), |number| format!("{number:.2}"));
        let heading = format!(
            "{:<10} {:>6} {:>8} {:>8} {:>8} {:>10}",
            "kind", "count", "length", "N", "OLD20", "bigrams"
        );
        writeln!(formatter, "{}", output::heading(&heading))?;
        for (name, means) in [("words", &self.words), ("nonwords", &self.nonwords)] {
            writeln!(
                formatter,
                "{name:<10} {:>6} {:>8.2} {:>8.2} {:>8} {:>10}",
                means.count,
                means.length,
                means.coltheart_n,
                optional(means.old20),
                optional(means.bigram_frequency)
            )?;
        }
        let order = match self.orders {
            0 => "in the order of the list".to_owned(),
            orders => format!(
                "mean of {orders} random orders (odds {:.2} to {:.2}, p < {SIGNIFICANT} in {})",
                self.smallest_odds, self.largest_odds, self.significant_orders
            ),
        };
        writeln!(
            formatter,
            "\nLD1NN      odds {:.3}, log-odds {:.3} ± {:.3}, z = {:.2}, p = {:.4}; {order}",
            self.odds, self.coefficient, self.standard_error, self.z, self.p
        )?;
        writeln!(formatter, "           {}", self.words_for_verdict())
    }
}

impl Report<'_> {
    fn words_for_verdict(&self) -> String {
        match (self.verdict, self.coefficient > 0.0) {
            (Verdict::NoneFound, _) => {
                "no bias found: neighbours in the list do not tell words from nonwords".into()
            }
            (Verdict::Doubtful, positive) => format!(
                "in doubt: not significant on average, but {}; a stimulus tends to be of {} kind {} its neighbours",
                if self.orders == 0 {
                    "close to it".to_owned()
                } else {
                    format!(
                        "{} of {} orders are, where chance would make about {:.0}",
                        self.significant_orders,
                        self.orders,
                        0.05 * self.orders as f64
                    )
                },
                if positive { "the" } else { "the other" },
                if positive { "of" } else { "than" },
            ),
            (Verdict::Biased, true) => {
                "biased: a stimulus is likelier to be of the kind of its neighbours in the list".into()
            }
            (Verdict::Biased, false) => {
                "biased: a stimulus is likelier to be of the other kind than its neighbours in the list"
                    .into()
            }
        }
    }
}
