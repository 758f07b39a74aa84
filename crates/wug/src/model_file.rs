//! Model files: safetensors with everything that a reader needs in the metadata.
//!
//! | metadata key | content |
//! |---|---|
//! | `format` | `wug` |
//! | `format_version` | `1` |
//! | `config` | the run's configuration, TOML |
//! | `alphabet` | the letters in the order of their symbols 1, 2, …, a JSON list; symbol 0 is the end |
//! | `provenance` | where the model comes from, JSON |
//!
//! Tensors are named after the parameters, single precision, matrices with a row for each output. A file is data
//! and hostile until it is read: its configuration must be valid, its tensors must be exactly those of the
//! model that the configuration describes, and nothing is allocated that the file itself does not fill.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bounded_file::read_after;
use crate::lexicon::read::{check_word, steers};
use crate::lexicon::{Alphabet, AlphabetError, Lexicon, LexiconError, Summary, Symbol, WordCounts};
use crate::model::{ConfigError, Fitted, Model};
use crate::{AtomicFile, Config, DocumentError};

/// The version that this library writes, and the newest that it reads.
pub(crate) const FORMAT_VERSION: u32 = 2;

/// The largest file that is read: no model of this kind is anywhere near it.
const MAX_BYTES: u64 = 1 << 30;

/// The longest header, as in the library that reads it.
const MAX_HEADER: u64 = 100_000_000;

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

/// A trained model: its structure, the numbers of its parameters, and its alphabet.
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
}

/// Where the metadata have the order of the choice flow's cells.
const CELL_ORDER: &str = "cell_order";

/// Why a file is no model.
#[derive(Debug, Error)]
pub enum ModelFileError {
    /// The file cannot be read or written.
    #[error("{action} {path}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is not safetensors.
    #[error("{path} is not a model file, or damaged: {reason}; train again or get a fresh copy")]
    NotSafetensors {
        /// The file.
        path: String,
        /// What the reader says.
        reason: String,
    },
    /// The metadata says that it is something else.
    #[error("{path} is a safetensors file, but not a wug model: its metadata has no `{key}`")]
    MissingMetadata {
        /// The file.
        path: String,
        /// What is missing.
        key: &'static str,
    },
    /// The file was written by a newer version.
    #[error("{path} has format version {found}; this version of wug reads {FORMAT_VERSION}: use a newer wug")]
    Newer {
        /// The file.
        path: String,
        /// Its version.
        found: String,
    },
    /// The file was written by an older version.
    #[error(
        "{path} has format version {found}, which this version of wug no longer reads: train the model again"
    )]
    Older {
        /// The file.
        path: String,
        /// Its version.
        found: String,
    },
    /// A part of the metadata is not what it should be.
    #[error("{path}: bad `{key}` in the metadata: {reason}")]
    BadMetadata {
        /// The file.
        path: String,
        /// Which part.
        key: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// The tensors are not those of the configuration.
    #[error("{path}: {reason}")]
    BadTensor {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
}

/// Why a model has no file.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct EncodeError(String);

impl EncodeError {
    pub(crate) fn json(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

impl TrainedModel {
    /// Its structure and its numbers, for whatever runs a model.
    pub fn fitted(&self) -> Fitted<'_> {
        Fitted::new(&self.model, &self.parameters)
    }

    /// The list that it was trained on, unfiltered: the words to refuse for novel ones.
    ///
    /// # Errors
    /// When the list is not where it was, or is no ordinary file.
    pub fn training_list(&self) -> Result<WordCounts, LexiconError> {
        self.config.data.check_stored()?;
        self.config.data.read_unfiltered()
    }

    /// The words that it was trained and tested on, with an account of the filter.
    ///
    /// # Errors
    /// When the list is not where it was, is no ordinary file, or no word is left.
    pub fn lexicon(&self) -> Result<(Lexicon, Summary), LexiconError> {
        self.config.data.check_stored()?;
        self.config.data.read()
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

    /// The content of a model file.
    ///
    /// # Errors
    /// When the header is too long to be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EncodeError> {
        let letters: Vec<&str> = self.alphabet.letters().collect();
        let json = |text: serde_json::Result<String>| text.map_err(EncodeError::json);
        let mut metadata = HashMap::from([
            ("format".to_owned(), "wug".to_owned()),
            ("format_version".to_owned(), FORMAT_VERSION.to_string()),
            ("config".to_owned(), self.config.to_toml()),
            ("alphabet".to_owned(), json(serde_json::to_string(&letters))?),
            ("provenance".to_owned(), json(serde_json::to_string(&self.provenance))?),
        ]);
        if self.config.model.is_choice() {
            let order = json(serde_json::to_string(&self.model.cell_order()))?;
            metadata.insert(CELL_ORDER.to_owned(), order);
        }
        tensors_to_bytes(&self.model, &[("", Numbers::Single(&self.parameters))], metadata)
    }

    /// Reads a model.
    ///
    /// # Errors
    /// When the file cannot be read or is not a whole and valid model.
    pub fn load(path: &Path) -> Result<Self, ModelFileError> {
        let bytes = read_model_file(path)?;
        Self::from_bytes(&bytes, &name(path))
    }

    /// Reads a model from the content of a file; `path` is for messages.
    ///
    /// # Errors
    /// When the content is not a whole and valid model.
    pub fn from_bytes(bytes: &[u8], path: &str) -> Result<Self, ModelFileError> {
        let content = Content::open(bytes, path)?;
        let config = Config::from_toml(content.text("config")?)
            .map_err(|error: DocumentError| content.bad("config", &error))?;
        let letters: Vec<String> = serde_json::from_str(content.text("alphabet")?)
            .map_err(|error| content.bad("alphabet", &error))?;
        // What letters have in them is printed: the same is refused as in lists.
        letters
            .iter()
            .try_for_each(|letter| check_word(letter))
            .map_err(|error| content.bad("alphabet", &error))?;
        let alphabet = Alphabet::from_letters(letters.iter().map(String::as_str))
            .map_err(|error: AlphabetError| content.bad("alphabet", &error))?;
        let provenance: Provenance = serde_json::from_str(content.text("provenance")?)
            .map_err(|error| content.bad("provenance", &error))?;
        let Provenance { lexicon, lexicon_digest, version, .. } = &provenance;
        if [lexicon, lexicon_digest, version].into_iter().any(|text| text.contains(steers)) {
            return Err(content.bad("provenance", &"it has control characters in it"));
        }
        let symbols = alphabet.symbol_count();
        let bad_config = |error: ConfigError| content.bad("config", &error);
        let model = if config.model.is_choice() {
            let order: Vec<Symbol> = serde_json::from_str(content.text(CELL_ORDER)?)
                .map_err(|error| content.bad(CELL_ORDER, &error))?;
            if order.len() != symbols {
                let reason =
                    format!("it has {} symbols; the alphabet has {symbols} with the end", order.len());
                return Err(content.bad(CELL_ORDER, &reason));
            }
            config.model.check().map_err(bad_config)?;
            Model::with_order(&config.model, &order).map_err(|error| match error.key.as_str() {
                CELL_ORDER => content.bad(CELL_ORDER, &error.expected),
                _ => content.bad("config", &error),
            })?
        } else {
            Model::new(&config.model, symbols).map_err(bad_config)?
        };
        let parameters = content.single(&model, "")?;
        content.check_count(model.params().iter().len())?;
        Ok(Self { config, model: Arc::new(model), parameters, alphabet, provenance })
    }
}

/// Reads a file of bounded size.
pub(crate) fn read_model_file(path: &Path) -> Result<Vec<u8>, ModelFileError> {
    let no_header = || std::io::Error::from(std::io::ErrorKind::InvalidData);
    let check = |start: &[u8]| match start.first_chunk().map(|length| u64::from_le_bytes(*length)) {
        None | Some(1..=MAX_HEADER) => Ok(()),
        Some(_) => Err(no_header()),
    };
    read_after(path, MAX_BYTES, check).map_err(|source| match source.kind() {
        std::io::ErrorKind::InvalidData => ModelFileError::NotSafetensors {
            path: name(path),
            reason: "it does not begin with the length of a header".to_owned(),
        },
        _ => ModelFileError::Io { action: "cannot read", path: name(path), source },
    })
}

pub(crate) fn name(path: &Path) -> String {
    path.display().to_string()
}

/// Numbers in the order of a model's parameters.
#[derive(Clone, Copy)]
pub(crate) enum Numbers<'a> {
    Single(&'a [f32]),
    Double(&'a [f64]),
}

/// Serialises sets of numbers that all have the shapes of a model's parameters, each with a prefix to its names.
pub(crate) fn tensors_to_bytes(
    model: &Model,
    sets: &[(&str, Numbers<'_>)],
    metadata: HashMap<String, String>,
) -> Result<Vec<u8>, EncodeError> {
    let encode = |error: safetensors::SafeTensorError| EncodeError(error.to_string());
    let mut views = Vec::new();
    for (prefix, numbers) in sets {
        for info in model.params().iter() {
            let shape = if info.is_vector { vec![info.rows] } else { vec![info.rows, info.cols] };
            let (kind, bytes): (_, &[u8]) = match numbers {
                Numbers::Single(numbers) => (Dtype::F32, bytemuck::cast_slice(&numbers[info.range()])),
                Numbers::Double(numbers) => (Dtype::F64, bytemuck::cast_slice(&numbers[info.range()])),
            };
            let view = TensorView::new(kind, shape, bytes).map_err(encode)?;
            views.push((format!("{prefix}{}", info.name), view));
        }
    }
    let bytes = safetensors::serialize(views, Some(metadata)).map_err(encode)?;
    with_sorted_header(&bytes).ok_or_else(|| EncodeError("the header cannot be written".to_owned()))
}

/// The same file with the header's keys in order: equal models are to be equal files, byte by byte.
fn with_sorted_header(bytes: &[u8]) -> Option<Vec<u8>> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (header, data) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let header: BTreeMap<String, BTreeMap<String, serde_json::Value>> =
        serde_json::from_slice(header).ok()?;
    let mut header = serde_json::to_vec(&header).ok()?;
    // Tensors begin at a multiple of eight.
    header.resize(header.len().next_multiple_of(8), b' ');
    Some([&(header.len() as u64).to_le_bytes(), header.as_slice(), data].concat())
}

/// A parsed file, before its content is trusted.
pub(crate) struct Content<'a> {
    tensors: SafeTensors<'a>,
    metadata: HashMap<String, String>,
    path: &'a str,
}

impl<'a> Content<'a> {
    pub(crate) fn open(bytes: &'a [u8], path: &'a str) -> Result<Self, ModelFileError> {
        let damaged = |error: safetensors::SafeTensorError| ModelFileError::NotSafetensors {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
        let tensors = SafeTensors::deserialize(bytes).map_err(damaged)?;
        let metadata = header.metadata().clone().unwrap_or_default();
        let content = Self { tensors, metadata, path };
        if content.text("format")? != "wug" {
            return Err(content.bad("format", &"it is not `wug`"));
        }
        let version = content.text("format_version")?;
        match version.parse::<u32>() {
            Ok(FORMAT_VERSION) => Ok(content),
            Ok(1..FORMAT_VERSION) => {
                Err(ModelFileError::Older { path: path.to_owned(), found: version.to_owned() })
            }
            Ok(0) | Err(_) => Err(content.bad("format_version", &format!("`{version}` is no version"))),
            Ok(_) => Err(ModelFileError::Newer { path: path.to_owned(), found: version.to_owned() }),
        }
    }

    pub(crate) fn text(&self, key: &'static str) -> Result<&str, ModelFileError> {
        let missing = || ModelFileError::MissingMetadata { path: self.path.to_owned(), key };
        self.metadata.get(key).map(String::as_str).ok_or_else(missing)
    }

    pub(crate) fn bad(&self, key: &'static str, reason: &dyn std::fmt::Display) -> ModelFileError {
        ModelFileError::BadMetadata { path: self.path.to_owned(), key, reason: reason.to_string() }
    }

    /// Refuses tensors beyond those that were read.
    pub(crate) fn check_count(&self, read: usize) -> Result<(), ModelFileError> {
        if self.tensors.len() == read {
            return Ok(());
        }
        let reason = format!("there are {} tensors; the configuration asks for {read}", self.tensors.len());
        Err(ModelFileError::BadTensor { path: self.path.to_owned(), reason })
    }

    /// The numbers of all of a model's parameters in single precision.
    pub(crate) fn single(&self, model: &Model, prefix: &str) -> Result<Vec<f32>, ModelFileError> {
        self.numbers(model, prefix, Dtype::F32, f32::from_le_bytes, f32::is_finite)
    }

    /// The numbers of all of a model's parameters, their tensors' names behind a prefix.
    pub(crate) fn numbers<T: Copy, const BYTES: usize>(
        &self,
        model: &Model,
        prefix: &str,
        kind: Dtype,
        decode: fn([u8; BYTES]) -> T,
        is_finite: fn(T) -> bool,
    ) -> Result<Vec<T>, ModelFileError> {
        let bad = |reason: String| ModelFileError::BadTensor { path: self.path.to_owned(), reason };
        let mut numbers = Vec::new();
        for info in model.params().iter() {
            let name = format!("{prefix}{}", info.name);
            let view =
                self.tensors.tensor(&name).map_err(|_| bad(format!("the tensor `{name}` is missing")))?;
            let shape = if info.is_vector { vec![info.rows] } else { vec![info.rows, info.cols] };
            if view.dtype() != kind || view.shape() != shape {
                return Err(bad(format!(
                    "the tensor `{name}` is {:?} {:?}; the configuration asks for {kind:?} {shape:?}",
                    view.dtype(),
                    view.shape()
                )));
            }
            let first = numbers.len();
            let (chunks, _) = view.data().as_chunks::<BYTES>();
            numbers.extend(chunks.iter().map(|&chunk| decode(chunk)));
            if numbers[first..].iter().any(|&number| !is_finite(number)) {
                return Err(bad(format!("the tensor `{name}` has numbers that are not finite")));
            }
        }
        Ok(numbers)
    }
}
