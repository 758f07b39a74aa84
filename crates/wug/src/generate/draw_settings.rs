//! How words are drawn, whatever they must meet.

use super::noise_law::NoiseLaw;
use super::symbol_weights::SymbolChoice;

/// The most letters of the words that are made.
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
    /// The most letters of a word.
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

/// What noise is drawn for: no two uses share a step. Seeds are an interface: the numbers must not change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    Block,
    Population,
    Posterior,
}

impl Purpose {
    /// The step of noise for a tick of a block, or whatever else has this number.
    pub(crate) fn step(self, number: u64, tick: u64) -> u64 {
        (self as u64) << 62 | number << 24 | tick
    }
}
