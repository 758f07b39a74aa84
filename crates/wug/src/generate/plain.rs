//! Words of a model without further ado.

use super::sampler::{MAX_LETTERS, Request, SampleError, Sampler};
use crate::TrainedModel;

/// Tries in a row without a word after which there is no hope of one.
const MOST_TRIES: u64 = 1_000_000;

impl TrainedModel {
    /// Makes words, the same as `wug sample -n COUNT --seed SEED`, on one thread. [`Sampler`] has more to offer:
    /// constraints, dials, threads, words without end.
    ///
    /// # Errors
    /// When the model cannot be recorded, or makes nothing but empty words.
    pub fn sample(&self, count: usize, seed: u64) -> Result<Vec<String>, SampleError> {
        let mut sampler = Sampler::new(self.fitted(), MAX_LETTERS, 1)?;
        let mut source = sampler.words(Request::plain(seed, MAX_LETTERS), None);
        let mut words = Vec::new();
        let mut tries_in_a_row = 0;
        while words.len() < count {
            for batch in source.batch(count - words.len()) {
                let made = batch.words.iter().take(count - words.len());
                words.extend(made.map(|(letters, _)| self.alphabet.decode(letters)));
                tries_in_a_row = if batch.words.is_empty() { tries_in_a_row + batch.left_over } else { 0 };
            }
            if tries_in_a_row > MOST_TRIES {
                return Err(SampleError::NoWords { tries: tries_in_a_row });
            }
        }
        Ok(words)
    }
}

#[cfg(test)]
mod tests {
    use crate::generate::{SampleError, bundled_model};

    #[test]
    fn as_many_words_are_made_as_are_wanted() {
        let model = bundled_model().unwrap();
        let many = model.sample(9000, 2).unwrap();
        assert_eq!(many.len(), 9000);
        assert!(many.iter().all(|word| !word.is_empty()));
        assert_eq!(many[..7], model.sample(7, 2).unwrap());
        assert_eq!(model.sample(0, 2).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_model_that_makes_no_words_is_no_endless_loop() {
        let mut model = bundled_model().unwrap();
        let end = model.model.params().find("generative.emission.bias").unwrap().range().start;
        model.parameters[end] = 1e4;
        assert!(matches!(model.sample(1, 1), Err(SampleError::NoWords { .. })));
    }
}
