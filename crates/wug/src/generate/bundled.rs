//! The model that comes with the library.

use crate::{Result, TrainedModel};

/// A model of English words. `data/README.md` tells where it comes from and how it was made.
static ENGLISH: &[u8] = include_bytes!("../../data/english.safetensors");

/// Reads the bundled model, trained on the bundled list.
///
/// # Errors
/// None, unless the library was built with a damaged file.
pub fn bundled_model() -> Result<TrainedModel> {
    Ok(TrainedModel::from_bytes(ENGLISH, "the bundled model")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataConfig;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_model_is_the_one_that_is_described() {
        let readme = include_str!("../../data/README.md");
        let digest: String = Sha256::digest(ENGLISH).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(readme.contains(&digest), "{digest}");
        let model = bundled_model().unwrap();
        assert_eq!(model.config.data.lexicon, DataConfig::BUNDLED);
        let (lexicon, _) = model.config.data.read().unwrap();
        assert_eq!(lexicon.digest(), model.provenance.lexicon_digest);
    }
}
