//! What can be wrong with a model file.

use thiserror::Error;

use super::FORMAT_VERSION;

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
    /// Nothing has that name.
    #[error(
        "`{name}` is neither a model file nor the folder of a run nor a language that comes with wug{}",
        hint
    )]
    Unknown {
        /// What was given.
        name: String,
        /// What was probably meant, or what there is.
        hint: String,
    },
    /// The file is not safetensors.
    #[error("{path} is not a model file, or damaged: {reason}; train again or get a fresh copy")]
    NotSafetensors {
        /// The file.
        path: String,
        /// What the reader says.
        reason: String,
    },
    /// The file is text.
    #[error("{path} is text and no model; if it is a list of words, train one: wug train {path}")]
    Text {
        /// The file.
        path: String,
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
pub struct EncodeError(pub(super) String);

impl EncodeError {
    pub(crate) fn json(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}
