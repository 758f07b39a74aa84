//! The model that comes with the library.

use crate::languages::DEFAULT_MODEL;
use crate::{ModelFileError, TrainedModel};

/// Reads the English model: [`TrainedModel::named`] with [`DEFAULT_MODEL`].
///
/// # Errors
/// None, unless the library was built with a damaged file.
pub fn bundled_model() -> Result<TrainedModel, ModelFileError> {
    TrainedModel::named(DEFAULT_MODEL)
}
