//! How words are drawn, whatever they must meet.

use super::noise_law::NoiseLaw;
use super::symbol_weights::SymbolChoice;

/// The maximum number of letters of the words that are made.
pub const MAX_LETTERS: usize = 100;

/// How words are drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DrawSettings {
    /// Seed of everything that is drawn.
    pub(crate) seed: u64,
    /// From states to symbols.
    pub(crate) choice: SymbolChoice,
    /// Laws of the noise, which words take in turns; not empty.
    pub(crate) laws: Vec<NoiseLaw>,
    /// The maximum number of letters of a word.
    pub(crate) max_letters: usize,
}

impl DrawSettings {
    /// The model's own words.
    pub(crate) fn plain(seed: u64) -> Self {
        Self {
            seed,
            choice: SymbolChoice::Sampled,
            laws: vec![NoiseLaw::prior(1.0)],
            max_letters: MAX_LETTERS,
        }
    }
}
