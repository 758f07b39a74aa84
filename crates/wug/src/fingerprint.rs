//! What tells two models apart, wherever they are stored.

use sha2::{Digest, Sha256};

use crate::TrainedModel;

impl TrainedModel {
    /// The SHA-256 of the model's letters and parameters, in hexadecimal: two models with the same fingerprint make the same words. What
    /// else a file says, such as where the model comes from, does not matter.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for letter in self.alphabet.letters() {
            hash.update(letter);
            hash.update([0]);
        }
        for number in &self.parameters {
            hash.update(number.to_le_bytes());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
