//! Models from bytes that may be anything.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use super::{CELL_ORDER, FORMAT_VERSION, ModelFileError, Provenance, StoredList, TrainedModel, half, name};
use crate::bounded_file::read_after;
use crate::lexicon::read::{check_word, steers};
use crate::lexicon::{Alphabet, AlphabetError, Symbol};
use crate::model::{ConfigError, Model};
use crate::{Config, DocumentError};

/// The largest file that is read: no model of this kind is anywhere near it.
const MAX_BYTES: u64 = 1 << 30;

/// The longest header, as in the library that reads it.
const MAX_HEADER: u64 = 100_000_000;

impl TrainedModel {
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
        let order: Vec<Symbol> = serde_json::from_str(content.text(CELL_ORDER)?)
            .map_err(|error| content.bad(CELL_ORDER, &error))?;
        if order.len() != symbols {
            let reason = format!("it has {} symbols; the alphabet has {symbols} with the end", order.len());
            return Err(content.bad(CELL_ORDER, &reason));
        }
        config.model.check().map_err(bad_config)?;
        let model = Model::with_order(&config.model, &order).map_err(|error| match error.key.as_str() {
            CELL_ORDER => content.bad(CELL_ORDER, &error.expected),
            _ => content.bad("config", &error),
        })?;
        let parameters = content.single(&model, "")?;
        let list = content.list()?;
        let listed = list.as_ref().map_or(0, |list| list.tensors().count());
        content.check_count(model.params().iter().len() + listed)?;
        Ok(Self::new(config, Arc::new(model), parameters, alphabet, provenance, list.map(Arc::new)))
    }
}

/// Reads a file of bounded size.
pub(crate) fn read_model_file(path: &Path) -> Result<Vec<u8>, ModelFileError> {
    let no_header = || std::io::Error::from(std::io::ErrorKind::InvalidData);
    let check = |start: &[u8]| match start.first_chunk().map(|length| u64::from_le_bytes(*length)) {
        None | Some(1..=MAX_HEADER) => Ok(()),
        Some(_) if is_text(start) => Err(std::io::ErrorKind::InvalidInput.into()),
        Some(_) => Err(no_header()),
    };
    read_after(path, MAX_BYTES, check).map_err(|source| match source.kind() {
        std::io::ErrorKind::InvalidData => ModelFileError::NotSafetensors {
            path: name(path),
            reason: "it does not begin with the length of a header".to_owned(),
        },
        std::io::ErrorKind::InvalidInput => ModelFileError::Text { path: name(path) },
        _ => ModelFileError::Io { action: "cannot read", path: name(path), source },
    })
}

/// Whether a file begins as text does; its last character may be cut.
fn is_text(start: &[u8]) -> bool {
    let is_plain = |sign: char| !sign.is_control() || "\t\r\n".contains(sign);
    match std::str::from_utf8(start) {
        Ok(text) => text.chars().all(is_plain),
        Err(error) => {
            let (good, _) = start.split_at(error.valid_up_to());
            error.error_len().is_none()
                && std::str::from_utf8(good).is_ok_and(|text| text.chars().all(is_plain))
        }
    }
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
        Err(self.bad_tensor(reason))
    }

    /// The list that it holds, if any. It is unpacked, and looked at, when it is needed.
    pub(crate) fn list(&self) -> Result<Option<StoredList>, ModelFileError> {
        let tensor = |name: &str| -> Result<Option<Vec<u8>>, ModelFileError> {
            let Ok(view) = self.tensors.tensor(name) else { return Ok(None) };
            if view.dtype() == Dtype::U8 && view.shape().len() == 1 {
                return Ok(Some(view.data().to_vec()));
            }
            let found = (view.dtype(), view.shape());
            Err(self.bad_tensor(format!(
                "the tensor `{name}` is {:?} {:?}; expected U8 and one row",
                found.0, found.1
            )))
        };
        StoredList::from_tensors(tensor)?
            .map_err(|missing| self.bad_tensor(format!("the tensor `{missing}` is missing")))
    }

    fn bad_tensor(&self, reason: String) -> ModelFileError {
        ModelFileError::BadTensor { path: self.path.to_owned(), reason }
    }

    /// The tensor of this name, which must have this shape.
    fn tensor(&self, name: &str, shape: &[usize], kinds: &[Dtype]) -> Result<TensorView<'_>, ModelFileError> {
        let missing = |_| self.bad_tensor(format!("the tensor `{name}` is missing"));
        let view = self.tensors.tensor(name).map_err(missing)?;
        if kinds.contains(&view.dtype()) && view.shape() == shape {
            return Ok(view);
        }
        Err(self.bad_tensor(format!(
            "the tensor `{name}` is {:?} {:?}; the configuration asks for {:?} {shape:?}",
            view.dtype(),
            view.shape(),
            kinds[0],
        )))
    }

    /// The numbers of all of a model's parameters in single precision; those in half precision are widened.
    pub(crate) fn single(&self, model: &Model, prefix: &str) -> Result<Vec<f32>, ModelFileError> {
        let decode = |view: &TensorView<'_>, numbers: &mut Vec<f32>| match view.dtype() {
            Dtype::F16 => numbers.extend(view.data().as_chunks().0.iter().copied().map(half::decode)),
            _ => numbers.extend(view.data().as_chunks().0.iter().copied().map(f32::from_le_bytes)),
        };
        self.numbers(model, prefix, &[Dtype::F32, Dtype::F16], decode, f32::is_finite)
    }

    /// The same in double precision.
    pub(crate) fn double(&self, model: &Model, prefix: &str) -> Result<Vec<f64>, ModelFileError> {
        let decode = |view: &TensorView<'_>, numbers: &mut Vec<f64>| {
            numbers.extend(view.data().as_chunks().0.iter().copied().map(f64::from_le_bytes));
        };
        self.numbers(model, prefix, &[Dtype::F64], decode, f64::is_finite)
    }

    /// The numbers of all of a model's parameters, their tensors' names behind a prefix.
    fn numbers<T: Copy>(
        &self,
        model: &Model,
        prefix: &str,
        kinds: &[Dtype],
        decode: impl Fn(&TensorView<'_>, &mut Vec<T>),
        is_finite: fn(T) -> bool,
    ) -> Result<Vec<T>, ModelFileError> {
        let mut numbers = Vec::new();
        for info in model.params().iter() {
            let name = format!("{prefix}{}", info.name);
            let shape = if info.is_vector { vec![info.rows] } else { vec![info.rows, info.cols] };
            let first = numbers.len();
            decode(&self.tensor(&name, &shape, kinds)?, &mut numbers);
            if numbers[first..].iter().any(|&number| !is_finite(number)) {
                return Err(self.bad_tensor(format!("the tensor `{name}` has numbers that are not finite")));
            }
        }
        Ok(numbers)
    }
}
