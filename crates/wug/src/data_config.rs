//! Which words a run uses.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::config::within_toml;
use crate::lexicon::read::steers;
use crate::lexicon::{
    Filter, Input, Lexicon, LexiconError, SplitKind, Summary, Weigh, WordCounts, read_list,
};
use crate::model::ConfigError;

/// Which words of a list are used, and which of them are held out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DataConfig {
    /// The list of words: a path, or `classics-en` for the bundled one.
    pub lexicon: String,
    /// Whether words are turned into lower case.
    pub lower_case: bool,
    /// The fewest letters.
    pub min_length: usize,
    /// The most letters; 0 for no limit.
    pub max_length: usize,
    /// The fewest occurrences.
    pub min_count: u64,
    /// Whether every letter must be alphabetic.
    pub letters_only: bool,
    /// What words weigh: how often they are drawn, and how much they count in a cross entropy.
    pub weigh: Weigh,
    /// How the test part is held out.
    pub split: SplitKind,
    /// Seed of the split.
    pub split_seed: u64,
}

impl Default for DataConfig {
    fn default() -> Self {
        let mut data = Self {
            lexicon: Self::BUNDLED.into(),
            lower_case: false,
            min_length: 1,
            max_length: 0,
            min_count: 1,
            letters_only: false,
            weigh: Weigh::Tokens,
            split: SplitKind::Tokens,
            split_seed: 1,
        };
        data.set_filter(&Filter::PAPER);
        data
    }
}

impl DataConfig {
    /// The name of the bundled list.
    pub const BUNDLED: &str = "classics-en";

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
    pub fn read_unfiltered(&self) -> Result<WordCounts, LexiconError> {
        if self.lexicon == Self::BUNDLED {
            #[cfg(feature = "bundled-lexicon")]
            return crate::lexicon::bundled();
            #[cfg(not(feature = "bundled-lexicon"))]
            return Err(LexiconError::NotBundled);
        }
        read_list(Input::open(Path::new(&self.lexicon))?, self.lower_case)
    }

    /// Refuses to open what is no ordinary file, if the path comes from a file: from that of a model, say, which a
    /// stranger may have made. To open a device can have effects, a pipe may never end, and a path on the network tells
    /// others who asks for it.
    ///
    /// # Errors
    /// When the list is neither the bundled one nor an ordinary file.
    pub fn check_stored(&self) -> Result<(), LexiconError> {
        let name = self.lexicon.clone();
        if name == Self::BUNDLED {
            return Ok(());
        }
        if cfg!(windows) && is_on_network(&name) {
            return Err(LexiconError::NotAFile { name });
        }
        match std::fs::metadata(&name) {
            Ok(found) if found.is_file() => Ok(()),
            Ok(_) => Err(LexiconError::NotAFile { name }),
            Err(source) => Err(LexiconError::Open { name, source }),
        }
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
        if self.lexicon.chars().any(steers) {
            let expected = "expected a path without control characters".to_owned();
            let found = format!("{:?}", self.lexicon);
            return Err(ConfigError { key: "data.lexicon".into(), found, expected });
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
        let Self { min_length, min_count, letters_only, .. } = *self;
        Filter { min_length, max_length, min_count, letters_only }
    }

    /// Weighs words in another way, and holds out words in the way that goes with it: of running words some occurrences,
    /// otherwise words as a whole.
    pub fn set_weigh(&mut self, weigh: Weigh) {
        self.weigh = weigh;
        self.split = if weigh == Weigh::Tokens { SplitKind::Tokens } else { SplitKind::Types };
    }

    /// Takes over a filter.
    pub fn set_filter(&mut self, filter: &Filter) {
        self.min_length = filter.min_length;
        self.max_length = if filter.max_length == usize::MAX { 0 } else { filter.max_length };
        self.min_count = filter.min_count;
        self.letters_only = filter.letters_only;
    }
}

/// Whether a path means another computer on Windows.
fn is_on_network(path: &str) -> bool {
    let mut signs = path.chars().map(|sign| matches!(sign, '/' | '\\'));
    signs.next() == Some(true) && signs.next() == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(lexicon: &str) -> Result<(), String> {
        let data = DataConfig { lexicon: lexicon.into(), ..DataConfig::default() };
        data.check_stored().map_err(|error| error.to_string())
    }

    #[test]
    fn only_ordinary_files_are_opened_for_a_stranger() {
        assert_eq!(stored(DataConfig::BUNDLED), Ok(()));
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list.txt");
        std::fs::write(&list, "wug\n").unwrap();
        assert_eq!(stored(list.to_str().unwrap()), Ok(()));
        let refused = stored(folder.path().to_str().unwrap()).unwrap_err();
        assert!(refused.contains("not an ordinary file"), "{refused}");
        #[cfg(unix)]
        for device in ["/dev/zero", "/dev/null", "/dev/tty"] {
            assert!(stored(device).is_err(), "{device}");
        }
        assert!(stored("-").unwrap_err().contains('-'));
        assert!(stored("no/such/list").unwrap_err().contains("no/such/list"));
    }

    #[test]
    fn paths_on_the_network_are_recognised() {
        for path in ["\\\\host\\share\\list", "//host/share", "\\/host"] {
            assert!(is_on_network(path), "{path}");
        }
        for path in ["", "/", "/home/list", "C:\\list", "list"] {
            assert!(!is_on_network(path), "{path}");
        }
    }
}
