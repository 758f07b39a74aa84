//! Model files: safetensors with everything that a reader needs, the words that the model was trained on included.
//!
//! | metadata key | content |
//! |---|---|
//! | `format` | `wug` |
//! | `format_version` | `4` |
//! | `config` | the run's configuration, TOML |
//! | `alphabet` | the letters in the order of their symbols 1, 2, …, a JSON list; symbol 0 is the end |
//! | `provenance` | where the model comes from, JSON |
//!
//! Tensors are named after the parameters, single or half precision, matrices with a row for each output; tensors of bytes hold the
//! list. A file is data and hostile until it is read: its configuration must be valid, its tensors must be exactly
//! those of the model that the configuration describes, and nothing is allocated that the file itself does not fill.

mod error;
mod half;
mod list;
mod named;
mod read;
mod write;

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

pub use error::{EncodeError, ModelFileError};
pub use list::StoredList;
pub use write::Precision;

pub(crate) use read::{Content, read_model_file};
pub(crate) use write::{Numbers, tensors_to_bytes};

use crate::counts::{Contexts, CountsSource, ListCounts};
use crate::languages::Language;
use crate::lexicon::{Alphabet, Casing, Lexicon, LexiconError, WordCounts};
use crate::model::{Fitted, Model};
use crate::{AtomicFile, Config};

/// The version that this library writes, and the newest that it reads.
pub(crate) const FORMAT_VERSION: u32 = 4;

/// Where the metadata have the order of the choice flow's cells.
const CELL_ORDER: &str = "cell_order";

impl CountsSource for TrainedModel {
    fn counts(&self) -> Result<Option<&ListCounts>, LexiconError> {
        if self.counts.get().is_none() && self.model.gate_shape().is_some() {
            let counts = match self.lexicon() {
                Ok(lexicon) => self.count(&lexicon)?,
                Err(LexiconError::NotStored { .. }) => None,
                Err(error) => return Err(error),
            };
            // Another thread may have been first, with the same counts.
            let _ = self.counts.set(counts);
        }
        Ok(self.counts.get().and_then(Option::as_ref))
    }
}

/// Where a model comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// Name or path of the list of words.
    pub lexicon: String,
    /// SHA-256 of the words and counts that passed the filter.
    pub lexicon_digest: String,
    /// Words seen in training.
    pub words_seen: u64,
    /// Version of the software that wrote the file.
    pub version: String,
}

/// A trained model: its structure, the numbers of its parameters, its alphabet and its words.
#[derive(Debug)]
pub struct TrainedModel {
    /// The configuration of the run that made it.
    pub config: Config,
    /// The structure.
    pub model: Arc<Model>,
    /// The numbers, in the order of the structure's parameters.
    pub parameters: Vec<f32>,
    /// The letters.
    pub alphabet: Alphabet,
    /// Where it comes from.
    pub provenance: Provenance,
    /// The words that it was trained on, if it carries them.
    pub list: Option<Arc<StoredList>>,
    /// The counts of its training words, made when they are first needed.
    counts: OnceLock<Option<ListCounts>>,
}

impl TrainedModel {
    /// A model of these parts.
    pub fn new(
        config: Config,
        model: Arc<Model>,
        parameters: Vec<f32>,
        alphabet: Alphabet,
        provenance: Provenance,
        list: Option<Arc<StoredList>>,
    ) -> Self {
        Self { config, model, parameters, alphabet, provenance, list, counts: OnceLock::new() }
    }

    /// The same with counts that are at hand.
    pub(crate) fn with_counts(self, counts: Option<ListCounts>) -> Self {
        Self { counts: counts.into(), ..self }
    }

    /// Its structure, its numbers and the counts of its list, for whatever runs a model. A model that was saved without its list goes without counts.
    pub fn fitted(&self) -> Fitted<'_> {
        Fitted::new(&self.model, &self.parameters).with_counts(Some(self))
    }

    /// Counts the training part of its list.
    fn count(&self, lexicon: &Lexicon) -> Result<Option<ListCounts>, LexiconError> {
        let Some(gate) = self.model.gate(&self.parameters) else { return Ok(None) };
        let lexicon = self.config.data.training_part(&lexicon.spelt(&self.alphabet)?);
        let lexicon = lexicon.weighted(self.config.data.weighting);
        let contexts = Contexts::of(&lexicon, gate.shape().order);
        Ok(Some(ListCounts::new(Arc::new(contexts), gate)))
    }

    /// The same without its list, for a file that gives no words away, or whose list comes with the library.
    pub fn without_list(self) -> Self {
        Self { list: None, ..self }
    }

    /// The list that it was trained on, with the words that the filter dropped: the words to exclude for novel ones.
    ///
    /// # Errors
    /// When the model was saved without its list, or the list is damaged.
    pub fn training_list(&self) -> Result<WordCounts, LexiconError> {
        match &self.list {
            Some(list) => list.words(&self.provenance.lexicon),
            None => self.bundled_list()?.list(),
        }
    }

    /// All words that are known to exist: the list that it was trained on, and for a language that comes with the library what
    /// else is known of it. Words that are to be new are none of them.
    ///
    /// # Errors
    /// When the model was saved without its list, or the list is damaged.
    pub fn known_words(&self) -> Result<WordCounts, LexiconError> {
        let mut words = self.training_list()?;
        let language = self.config.data.language();
        for more in language.iter().flat_map(Language::more_known_words) {
            more?.into_words().into_iter().try_for_each(|(word, _)| words.add(&word, 1))?;
        }
        Ok(words)
    }

    /// What becomes of capital letters in further lists of known words: a model that has none makes no difference between *Lisa* and
    /// *lisa*.
    pub fn known_casing(&self) -> Casing {
        if self.alphabet.casing() == Casing::Keep {
            self.config.data.casing()
        } else {
            self.config.data.lower_casing()
        }
    }

    /// The same model with the list that it was trained on, for a file that is to be complete by itself.
    ///
    /// # Errors
    /// When the list is not at hand.
    pub fn with_list(self) -> Result<Self, LexiconError> {
        let list = match &self.list {
            Some(list) => Arc::clone(list),
            None => Arc::new(StoredList::of(&self.lexicon()?)),
        };
        Ok(Self { list: Some(list), ..self })
    }

    /// The language that it was trained on, whose list it need not carry.
    fn bundled_list(&self) -> Result<Language, LexiconError> {
        let missing = || LexiconError::NotStored { name: self.provenance.lexicon.clone() };
        self.config.data.language().ok_or_else(missing)
    }

    /// The words that it was trained and tested on.
    ///
    /// # Errors
    /// When the model was saved without its list, or the list is damaged or another one.
    pub fn lexicon(&self) -> Result<Lexicon, LexiconError> {
        let lexicon = match &self.list {
            Some(list) => list.lexicon()?,
            None => self.bundled_list()?.list()?.into_lexicon(&self.config.data.filter())?.0,
        };
        if lexicon.digest() == self.provenance.lexicon_digest {
            Ok(lexicon)
        } else {
            Err(LexiconError::OtherList { name: self.provenance.lexicon.clone() })
        }
    }

    /// Writes the model, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ModelFileError> {
        let io = |source| ModelFileError::Io { action: "cannot write", path: name(path), source };
        let bytes = self.to_bytes().map_err(|error| io(std::io::Error::other(error)))?;
        let mut file = AtomicFile::create(path).map_err(io)?;
        file.write_all(&bytes).map_err(io)?;
        file.commit().map_err(io)
    }

    /// Reads a model.
    ///
    /// # Errors
    /// When the file cannot be read or is not a whole and valid model.
    pub fn load(path: &Path) -> Result<Self, ModelFileError> {
        let bytes = read_model_file(path)?;
        Self::from_bytes(&bytes, &name(path))
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}
