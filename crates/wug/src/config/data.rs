//! Which words a run uses.

use serde::{Deserialize, Serialize};

use super::within_toml;
use crate::languages::{self, Language};
use crate::lexicon::read::steers;
use crate::lexicon::{
    Casing, Filter, Lexicon, LexiconError, ListOptions, Split, SplitKind, Summary, TableColumns, Weighting,
    WordCounts,
};
use crate::model::ConfigError;

/// Which words of a list are used, and which of them are held out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DataConfig {
    /// The list of words: a path, or the code of a language that comes with the library (`classics-en` for English). Empty if words
    /// are given; the command and plans of training take the English list then.
    pub lexicon: String,
    /// The column of words in the list's table, by name or number; found out if it is empty.
    pub word_column: String,
    /// The column of counts, by name or number; found out if it is empty.
    pub count_column: String,
    /// Whether words are turned into lower case.
    pub lower_case: bool,
    /// Whether the list was in title case: it is learnt in lower case, and words that are made begin with a capital letter.
    pub title_case: bool,
    /// The language whose rules lower-casing follows: `tr` and `az` have their own, others the usual ones.
    pub language: String,
    /// The minimum number of letters.
    pub min_length: usize,
    /// The maximum number of letters; 0 for no limit.
    pub max_length: usize,
    /// The minimum number of occurrences.
    pub min_count: u64,
    /// Whether every letter must be alphabetic.
    pub letters_only: bool,
    /// The smallest share of words in which each letter of a word must occur; 0 for any letter.
    pub min_letter_share: f64,
    /// The weighting of words: how often they are drawn, and how much they count in a cross entropy.
    pub weighting: Weighting,
    /// How the test part is held out.
    pub split: SplitKind,
    /// Seed of the split.
    pub split_seed: u64,
    /// Whether the model file carries the list. Without it, the file tells nobody the words, but cannot tell new words from
    /// known ones either.
    pub store_list: bool,
}

impl Default for DataConfig {
    fn default() -> Self {
        let mut data = Self {
            lexicon: String::new(),
            word_column: String::new(),
            count_column: String::new(),
            lower_case: false,
            title_case: false,
            language: String::new(),
            min_length: 1,
            max_length: 0,
            min_count: 1,
            letters_only: false,
            min_letter_share: 0.0,
            weighting: Weighting::Tokens,
            split: SplitKind::Tokens,
            split_seed: 1,
            store_list: true,
        };
        data.set_filter(&Filter::PAPER);
        data
    }
}

impl DataConfig {
    /// The words of a list that are not held out for the test. A tiny list may be held out whole: then there is nothing to be gained from a split.
    pub(crate) fn training_part(&self, lexicon: &Lexicon) -> Lexicon {
        let Split { train, test } = lexicon.split(self.split, self.split_seed);
        if train.is_empty() { test } else { train }
    }

    /// The name of the bundled English list.
    pub const BUNDLED: &str = languages::PAPER;

    /// The language whose list it is, if the list comes with the library.
    pub(crate) fn language(&self) -> Option<Language> {
        languages::find(&self.lexicon)
    }

    /// Reads the list and filters it.
    ///
    /// # Errors
    /// When the list cannot be read or no word is left.
    pub fn read(&self) -> Result<(Lexicon, Summary), LexiconError> {
        let filter = self.filter();
        filter.check()?;
        self.read_unfiltered()?.into_lexicon(&filter)
    }

    /// Reads the list as it is.
    ///
    /// # Errors
    /// When the list cannot be read.
    pub(crate) fn read_unfiltered(&self) -> Result<WordCounts, LexiconError> {
        if self.lexicon == Self::BUNDLED && self.language().is_none() {
            return Err(LexiconError::NotBundled);
        }
        if self.lexicon.is_empty() {
            let hint = "; name a list in data.lexicon".to_owned();
            return Err(LexiconError::UnknownList { name: String::new(), hint });
        }
        languages::open_list(&self.lexicon, self.casing())
    }

    /// How the list is read.
    pub fn list_options(&self) -> ListOptions {
        let given = |column: &String| (!column.is_empty()).then(|| column.clone());
        let columns = TableColumns { word: given(&self.word_column), count: given(&self.count_column) };
        ListOptions { casing: self.casing(), columns }
    }

    /// What becomes of capital letters.
    pub fn casing(&self) -> Casing {
        match (self.lower_case, self.language.as_str()) {
            (true, "tr" | "az") => Casing::LowerTurkic,
            (lower_case, _) => lower_case.into(),
        }
    }

    /// What becomes of capital letters in words that are turned into lower case: the rules of the language.
    pub fn lower_casing(&self) -> Casing {
        Self { lower_case: true, ..self.clone() }.casing()
    }

    /// Checks all values.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let Self { min_length, max_length, min_count, split_seed, .. } = *self;
        let lengths = [("data.min_length", min_length as u64), ("data.max_length", max_length as u64)];
        for (key, found) in
            lengths.into_iter().chain([("data.min_count", min_count), ("data.split_seed", split_seed)])
        {
            within_toml(key, found)?;
        }
        // It is printed, and a model file from a stranger has one too.
        let Self { lexicon, word_column, count_column, .. } = self;
        let texts = [("lexicon", lexicon), ("word_column", word_column), ("count_column", count_column)];
        if let Some((name, text)) = texts.into_iter().find(|(_, text)| text.chars().any(steers)) {
            let expected = "expected a text without control characters".to_owned();
            return Err(ConfigError { key: format!("data.{name}"), found: format!("{text:?}"), expected });
        }
        if self.language.len() > 8
            || !self.language.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
        {
            let expected = "expected the code of a language, such as tr, or nothing".to_owned();
            let found = format!("{:?}", self.language);
            return Err(ConfigError { key: "data.language".into(), found, expected });
        }
        if !(0.0..=1.0).contains(&self.min_letter_share) {
            let (key, found) = ("data.min_letter_share".into(), self.min_letter_share.to_string());
            return Err(ConfigError { key, found, expected: "expected a share from 0 to 1".to_owned() });
        }
        if self.filter().check().is_err() {
            let expected = "expected at least data.min_length, or 0 for no limit".to_owned();
            return Err(ConfigError {
                key: "data.max_length".into(),
                found: max_length.to_string(),
                expected,
            });
        }
        Ok(())
    }

    /// The filter that it describes.
    pub fn filter(&self) -> Filter {
        let max_length = if self.max_length == 0 { usize::MAX } else { self.max_length };
        let Self { min_length, min_count, letters_only, min_letter_share, .. } = *self;
        Filter { min_length, max_length, min_count, letters_only, min_letter_share }
    }

    /// Weights words in another way, and holds out words in the way that goes with it: of tokens some occurrences,
    /// otherwise words as a whole.
    pub fn set_weighting(&mut self, weighting: Weighting) {
        self.weighting = weighting;
        self.split = if weighting == Weighting::Tokens { SplitKind::Tokens } else { SplitKind::Types };
    }

    /// Names the list. A list of one's own is not filtered; that of a language has a filter of its own.
    pub fn set_list(&mut self, name: &str) {
        name.clone_into(&mut self.lexicon);
        self.set_filter(&self.language().map_or_else(Filter::default, |language| language.filter()));
    }

    /// Takes over a filter.
    pub fn set_filter(&mut self, filter: &Filter) {
        self.min_length = filter.min_length;
        self.max_length = if filter.max_length == usize::MAX { 0 } else { filter.max_length };
        self.min_count = filter.min_count;
        self.letters_only = filter.letters_only;
        self.min_letter_share = filter.min_letter_share;
    }
}
