//! What tells two models apart, wherever they are stored.

use sha2::{Digest, Sha256};

use crate::TrainedModel;

impl TrainedModel {
    /// The SHA-256 of the model's letters, structure, order of cells and parameters, in hexadecimal: two models with the same fingerprint make
    /// the same words. What else a file says, such as where the model comes from, does not matter.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for letter in self.alphabet.letters() {
            hash.update(letter);
            hash.update([0]);
        }
        hash.update(toml::to_string(self.model.config()).unwrap_or_default());
        for symbol in self.model.cell_order() {
            hash.update(u64::from(symbol).to_le_bytes());
        }
        for number in &self.parameters {
            hash.update(number.to_le_bytes());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(all(test, feature = "english"))]
mod tests {
    use std::sync::Arc;

    use crate::TrainedModel;
    use crate::model::Model;

    /// The numbers are the same, but noise falls on other letters.
    #[test]
    fn models_with_other_cells_are_other_models() {
        let own = TrainedModel::open("en-tokens").unwrap();
        let mut other = TrainedModel::open("en-tokens").unwrap();
        assert_eq!(own.fingerprint(), other.fingerprint());
        let mut order = own.model.cell_order();
        order.swap(1, 2);
        other.model = Arc::new(Model::with_order(&own.config.model, &order).unwrap());
        assert_ne!(own.fingerprint(), other.fingerprint());
        let words =
            |model: &TrainedModel| model.words().make(50).unwrap().map(Result::unwrap).collect::<Vec<_>>();
        assert_ne!(words(&own), words(&other));
    }
}
