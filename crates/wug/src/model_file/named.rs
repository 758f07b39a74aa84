//! Models by what a user calls them.

use std::path::Path;

use super::{ModelFileError, TrainedModel};
use crate::languages::{find, is_plain, models, question, suggest};

/// The file of a model in the folder of its run.
const MODEL: &str = "model.safetensors";

impl TrainedModel {
    /// A model that comes with the library: the code of a language, or another of [`model_names`].
    ///
    /// # Errors
    /// When there is none of that name in this build.
    pub fn named(name: &str) -> Result<Self, ModelFileError> {
        match models().find(|model| model.name == name) {
            Some(model) => Self::from_bytes(model.file, &format!("the bundled model {name}")),
            None => {
                // A language may have a list and no model.
                let language =
                    suggest(name).and_then(|code| find(&code).or_else(|| find(code.split('-').next()?)));
                let suggestion = language.and_then(|language| Some(language.models().next()?.to_owned()));
                Err(ModelFileError::Unknown { name: name.to_owned(), hint: question(suggestion.as_deref()) })
            }
        }
    }

    /// A model by what a user calls it: a name as for [`Self::named`], a model file, or the folder of a run. A name comes
    /// first; a file that has one is meant by `./fr`.
    ///
    /// # Errors
    /// When there is no such model, or its file is not whole and valid.
    pub fn open(name: &str) -> Result<Self, ModelFileError> {
        let path = Path::new(name);
        if models().any(|model| model.name == name) || (!path.exists() && is_plain(name)) {
            return Self::named(name);
        }
        let inside = path.join(MODEL);
        Self::load(if path.is_dir() { &inside } else { path })
    }
}
