//! Options that several commands share.

use std::fmt::Display;
use std::hash::{BuildHasher, Hasher};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::{Args, ValueEnum, ValueHint};
use wug::languages::{DEFAULT_MODEL, find, model_names, open_excluded, open_list};
use wug::lexicon::{
    Casing, Filter, FilterChanges, Input, KnownWords, Lexicon, LexiconError, ListOptions, Split, SplitKind,
    Summary, TableColumns, WordCounts, bundled, open_known,
};
use wug::train::TrainRequest;
use wug::{DataConfig, TrainedModel};

use crate::cli::UsageError;
use crate::messages::Messages;
use crate::output::grouped;

/// Which columns of a table are read.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct WordColumn {
    /// The column of words, by its name or number [default: found out, and said]
    #[arg(long, value_name = "COLUMN")]
    word_column: Option<String>,
}

impl WordColumn {
    /// How lists are read.
    pub(crate) fn options(&self, casing: Casing) -> ListOptions {
        ListOptions { casing, columns: TableColumns { word: self.word_column.clone(), count: None } }
    }
}

/// Which words to use.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Which words of the list")]
pub(crate) struct LexiconArguments {
    /// A list with `word` or `word<TAB>count` on each line, plain, gzip or zstd; `-` is standard input; or a language such
    /// as fr [default: the English list]
    #[arg(value_name = "LEXICON", value_hint = ValueHint::FilePath, help_heading = None::<&str>)]
    lexicon: Option<PathBuf>,
    /// The column of words in the list's table, by its name or number [default: found out, and said]
    #[arg(long, value_name = "COLUMN")]
    word_column: Option<String>,
    /// The column of counts, by its name or number [default: found out, and said]
    #[arg(long, value_name = "COLUMN")]
    count_column: Option<String>,
    /// A set of conditions that words must meet; the options below change some of them
    #[arg(long, value_enum, value_name = "NAME")]
    filter: Option<Preset>,
    /// Drop words that occur less often
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX))]
    min_count: Option<u64>,
    /// Drop words with fewer letters
    #[arg(long, value_name = "N", value_parser = number(0..=usize::MAX))]
    min_length: Option<usize>,
    /// Drop words with more letters
    #[arg(long, value_name = "N", value_parser = number(0..=usize::MAX))]
    max_length: Option<usize>,
    /// Drop words with characters that are not letters
    #[arg(long)]
    letters_only: bool,
    /// Drop words with a letter that a smaller share of the other words have, such as 0.001: letters from other scripts
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    min_letter_share: Option<f64>,
    /// Convert words to lower case before counting
    #[arg(long)]
    lower_case: bool,
    /// Learn the capital letters of a list in title case, instead of giving them back to the words that are made
    #[arg(long, conflicts_with = "lower_case")]
    keep_case: bool,
    /// The language whose rules --lower-case follows: tr and az have an i without a dot
    #[arg(long, value_name = "CODE", requires = "lower_case")]
    language: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Preset {
    /// Every word that occurs
    All,
    /// The paper's: 2–12 letters, letters only, at least 10 occurrences
    Paper,
}

impl Preset {
    fn filter(self) -> Filter {
        match self {
            Preset::All => Filter::default(),
            Preset::Paper => Filter::PAPER,
        }
    }
}

impl LexiconArguments {
    /// The names of all of these arguments, for options that cannot go with them.
    pub(crate) const IDS: [&str; 12] = [
        "lexicon",
        "word_column",
        "count_column",
        "filter",
        "min_count",
        "min_length",
        "max_length",
        "letters_only",
        "min_letter_share",
        "lower_case",
        "keep_case",
        "language",
    ];

    /// Whether a list of your own is given.
    pub(crate) fn is_list_given(&self) -> bool {
        self.lexicon.is_some()
    }

    /// The list, if one is given.
    fn list(&self) -> Result<Option<&str>, UsageError> {
        let not_unicode = || UsageError("LEXICON: the path is not Unicode".into());
        self.lexicon.as_ref().map(|path| path.to_str().ok_or_else(not_unicode)).transpose()
    }

    /// The part of a request to train that is about the list.
    pub(crate) fn request(&self) -> Result<TrainRequest, UsageError> {
        Ok(TrainRequest {
            lexicon: self.list()?.map(str::to_owned),
            word_column: self.word_column.clone(),
            count_column: self.count_column.clone(),
            filter: self.changes(),
            lower_case: self.lower_case,
            keep_case: self.keep_case,
            language: self.language.clone(),
            ..TrainRequest::default()
        })
    }

    /// Enters what is given into the data section of a configuration.
    pub(crate) fn apply(&self, data: &mut DataConfig) -> Result<(), UsageError> {
        if let Some(path) = self.list()? {
            data.set_list(path);
        }
        data.set_filter(&self.refine(data.filter())?);
        data.lower_case |= self.lower_case;
        for (own, column) in
            [(&mut data.word_column, &self.word_column), (&mut data.count_column, &self.count_column)]
        {
            if let Some(column) = column {
                column.clone_into(own);
            }
        }
        if let Some(language) = &self.language {
            language.clone_into(&mut data.language);
        }
        Ok(())
    }

    /// Reads the list and filters it.
    pub(crate) fn read(&self, messages: Messages) -> anyhow::Result<(Lexicon, Summary)> {
        let filter = self.filter()?;
        let words = match &self.lexicon {
            Some(path) => {
                let mut data = DataConfig::default();
                self.apply(&mut data)?;
                read_list(path, data.list_options(), messages)?
            }
            None => bundled()?,
        };
        Ok(words.into_lexicon(&filter)?)
    }

    fn filter(&self) -> Result<Filter, UsageError> {
        self.refine(Filter::default())
    }

    /// What is asked of words: a set of conditions, and single ones that win over it.
    fn changes(&self) -> FilterChanges {
        let named = self.filter.map(|preset| preset.filter());
        FilterChanges {
            min_length: self.min_length.or(named.map(|filter| filter.min_length)),
            max_length: self.max_length.or(named.map(|filter| filter.max_length)),
            min_count: self.min_count.or(named.map(|filter| filter.min_count)),
            letters_only: self.letters_only || named.is_some_and(|filter| filter.letters_only),
            min_letter_share: self.min_letter_share.or(named.map(|filter| filter.min_letter_share)),
        }
    }

    /// Changes single conditions of a filter.
    fn refine(&self, filter: Filter) -> Result<Filter, UsageError> {
        let filter = self.changes().of(filter);
        filter
            .check()
            .map_err(|error: LexiconError| UsageError(format!("--min-length, --max-length: {error}")))?;
        Ok(filter)
    }
}

/// How to divide the words.
#[derive(Debug, Args)]
pub(crate) struct SplitArguments {
    /// Divide the words into a training and a test part as `wug train` does: by `tokens` or by `types`
    #[arg(long, value_name = "KIND")]
    split: Option<SplitKind>,
    /// Seed of the split
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), default_value_t = 1, requires = "split")]
    split_seed: u64,
}

impl SplitArguments {
    /// The parts of a lexicon, if it is to be divided.
    pub(crate) fn of(&self, lexicon: &Lexicon) -> Option<Split> {
        self.split.map(|kind| lexicon.split(kind, self.split_seed))
    }
}

/// The model that a command uses.
#[derive(Debug, Args)]
pub(crate) struct ModelArgument {
    /// A model that comes with wug (`wug languages`), a model file, or the folder of a run [default: the English model]
    #[arg(short, long, value_name = "MODEL")]
    model: Option<PathBuf>,
}

impl ModelArgument {
    pub(crate) fn load(&self, messages: Messages) -> anyhow::Result<TrainedModel> {
        load_model(self.model.as_deref(), messages)
    }

    /// What a text calls the model.
    pub(crate) fn name(&self) -> String {
        self.model.as_ref().map_or_else(|| DEFAULT_MODEL.into(), |path| path.display().to_string())
    }
}

/// How many threads a command uses.
#[derive(Debug, Clone, Args)]
pub(crate) struct ThreadsArgument {
    /// Threads; results do not depend on it [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
}

impl ThreadsArgument {
    /// What is given, within reason, or one for each processor.
    pub(crate) fn count(&self, messages: Messages) -> usize {
        let threads = wug::threads(self.threads.map(usize::from));
        messages.detail(format_args!("threads: {threads}"));
        threads
    }
}

/// Reads a model by its name, from its file or from its run's folder; the bundled English one if there is none.
pub(crate) fn load_model(path: Option<&Path>, messages: Messages) -> anyhow::Result<TrainedModel> {
    let name = path.map_or(Some(DEFAULT_MODEL), Path::to_str);
    let name = name.ok_or_else(|| UsageError("--model: the path is not Unicode".into()))?;
    tell_double(model_names().find(|known| *known == name), messages);
    let model = TrainedModel::open(name)?;
    let TrainedModel { config, parameters, alphabet, provenance, .. } = &model;
    messages.detail(format_args!(
        "{name}: {}, d = {}, {} parameters, {} letters; {} words of {} seen (seed {}, wug {})",
        config.model.kind.name(),
        config.model.state,
        grouped(parameters.len() as u64),
        alphabet.letters().count(),
        grouped(provenance.words_seen),
        provenance.lexicon,
        config.train.seed,
        provenance.version,
    ));
    Ok(model)
}

/// What becomes of the capital letters of words that are given.
pub(crate) fn casing(lower_case: bool, model: &TrainedModel) -> Casing {
    if lower_case { model.config.data.lower_casing() } else { Casing::Keep }
}

/// Says so if a name of ours is also that of a file here.
fn tell_double(name: Option<&str>, messages: Messages) {
    if let Some(name) = name.filter(|name| Path::new(name).exists()) {
        messages.note(format_args!(
            "{name} is the language that comes with wug; write ./{name} for the file here"
        ));
    }
}

/// Reads a list by the code of its language or from its file.
pub(crate) fn read_list(
    path: &Path,
    options: impl Into<ListOptions>,
    messages: Messages,
) -> anyhow::Result<WordCounts> {
    let Some(name) = path.to_str() else {
        return Ok(wug::lexicon::read_list(Input::open(path)?, options)?);
    };
    tell_double(find(name).map(|_| name), messages);
    Ok(open_list(name, options)?)
}

/// Reads a list to compare words with: the list of a language with its filter, a file as it is.
pub(crate) fn read_lexicon(
    path: &Path,
    casing: impl Into<Casing>,
    messages: Messages,
) -> anyhow::Result<Lexicon> {
    let filter = path.to_str().and_then(find).map_or_else(Filter::default, |language| language.filter());
    let (lexicon, summary) = read_list(path, casing, messages)?.into_lexicon(&filter)?;
    match &summary.table {
        Some(_) => messages.note(summary),
        None => messages.detail(summary),
    }
    Ok(lexicon)
}

/// The same for words that are to be excluded, which may stand among anything.
pub(crate) fn read_excluded(
    path: &Path,
    casing: Casing,
    messages: Messages,
) -> anyhow::Result<Arc<dyn KnownWords>> {
    let Some(name) = path.to_str() else {
        return Ok(open_known(path, casing)?);
    };
    tell_double(find(name).map(|_| name), messages);
    Ok(open_excluded(name, casing)?)
}

/// A seed: a number, or one that chance picks and that is said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seed {
    number: u64,
    is_random: bool,
}

impl Seed {
    /// The number.
    pub(crate) fn get(self, messages: Messages) -> u64 {
        if self.is_random {
            messages.note(format_args!("seed {}", self.number));
        }
        self.number
    }
}

/// Reads a seed.
pub(crate) fn parse_seed(text: &str) -> Result<Seed, String> {
    if text == "random" {
        // A hash table of the standard library is keyed by the system's random numbers.
        let number = std::hash::RandomState::new().build_hasher().finish() % 1_000_000_000;
        return Ok(Seed { number, is_random: true });
    }
    let number = number(0..=u64::MAX)(text).map_err(|error| format!("{error}, or `random`"))?;
    Ok(Seed { number, is_random: false })
}

/// Reads a whole number within a range.
pub(crate) fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let found = text.parse().ok().filter(|number| range.contains(number));
        found.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a share of the words from 0 to 1, such as 0.001".into())
}

/// A count of at least 1, such as 500000, 20M or 1.5M.
pub(crate) fn parse_count(text: &str) -> Result<u64, String> {
    let count = wug::parse_quantity(text).map_err(|error| error.to_string())?;
    if (1..=MAX).contains(&count) { Ok(count) } else { Err("expected 1 to 1e15".into()) }
}

/// The largest count.
const MAX: u64 = 1_000_000_000_000_000;

/// One of several parts of some work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// From 1 on.
    pub(crate) number: usize,
    pub(crate) count: usize,
}

impl Part {
    /// Whether something is in this part, by its place among all: every n-th is.
    pub(crate) fn takes(self, place: u64) -> bool {
        place % self.count as u64 == self.number as u64 - 1
    }
}

impl std::str::FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = text.split_once('/').and_then(|(number, count)| {
            Some(Self { number: number.parse().ok()?, count: count.parse().ok()? })
        });
        part.filter(|part| part.count <= 10_000 && (1..=part.count).contains(&part.number))
            .ok_or_else(|| "expected i/n with 1 ≤ i ≤ n ≤ 10000, such as 2/4".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_share_out_all_places() {
        let parts: Vec<Part> = ["1/3", "2/3", "3/3"].map(|text| text.parse().unwrap()).into();
        assert!((0..10).all(|place| parts.iter().filter(|part| part.takes(place)).count() == 1));
        for bad in ["0/2", "3/2", "1", "a/b", "", "1/99999999999"] {
            assert!(bad.parse::<Part>().is_err(), "{bad}");
        }
    }
}
