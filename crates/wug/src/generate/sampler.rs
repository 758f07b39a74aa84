//! Making words with a model.

use thiserror::Error;
use tilegrad::GraphError;

use super::automaton::Automaton;
use super::block::{self, TRIES};
use super::emission::SymbolChoice;
use super::noise_law::NoiseLaw;
use super::source::WordSource;
use super::steps::Steps;
use crate::lexicon::Symbol;
use crate::model::{Fitted, RunnerError};

/// Why no words can be made.
#[derive(Debug, Error)]
pub enum SampleError {
    /// The model's computations cannot be recorded.
    #[error("the model cannot be recorded")]
    Graph(#[from] GraphError),
    /// The baseline has no noise that a word could come from.
    #[error("the model is the recurrent baseline, which has no noise: use a state space model")]
    NoNoise,
    /// The model ends every word before its first letter.
    #[error("the model has made nothing but empty words in {tries} tries")]
    NoWords {
        /// How often it was tried.
        tries: u64,
    },
    /// It takes too much memory, or the system refused a thread.
    #[error(transparent)]
    Runner(#[from] RunnerError),
}

/// The most letters of the words that `wug` makes.
pub const MAX_LETTERS: usize = 100;

/// How words are made.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// From states to symbols.
    pub choice: SymbolChoice,
    /// Laws of the noise, which words take in turns; not empty.
    pub laws: Vec<NoiseLaw>,
    /// The most letters of a word.
    pub max_letters: usize,
}

impl Request {
    /// The model's own words, of up to `max_letters` letters.
    pub fn plain(seed: u64, max_letters: usize) -> Self {
        Self { seed, choice: SymbolChoice::Sampled, laws: vec![NoiseLaw::prior(1.0)], max_letters }
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

/// Draws words from a model.
pub struct Sampler<'m> {
    steps: Steps<'m>,
    symbols: usize,
    max_letters: usize,
    choice: SymbolChoice,
}

impl<'m> Sampler<'m> {
    /// Prepares to draw from a model; words are cut at `max_letters`.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn new(fitted: Fitted<'m>, max_letters: usize, threads: usize) -> Result<Self, SampleError> {
        let steps = Steps::new(fitted, threads)?;
        Ok(Self { steps, symbols: fitted.model().symbols(), max_letters, choice: SymbolChoice::Sampled })
    }

    /// The same with another way from states to symbols.
    #[must_use]
    pub fn with_choice(self, choice: SymbolChoice) -> Self {
        Self { choice, ..self }
    }

    /// Draws words `first` to `first + count − 1` of the seed, as symbols without the end.
    pub fn draw(&mut self, seed: u64, first: u64, count: usize) -> Vec<Vec<Symbol>> {
        let request = Request { choice: self.choice, ..Request::plain(seed, self.max_letters) };
        let anything = Automaton::anything(self.symbols);
        let end = first + count as u64;
        let tries = TRIES as u64;
        let (first_block, end_block) = (first / tries, end.div_ceil(tries));
        let blocks = self.steps.each((end_block - first_block) as usize, |item, walk| {
            let block = first_block + item as u64;
            let needed = (end - block * tries).min(tries) as usize;
            block::run(walk, &request, &anything, block, needed, true).words
        });
        let all = blocks.iter().flat_map(|words| words.iter());
        all.skip((first - first_block * tries) as usize).map(|(letters, _)| letters.to_vec()).collect()
    }

    /// Words that an automaton accepts, or any that have a letter.
    pub fn words(&mut self, request: Request, automaton: Option<Automaton>) -> WordSource<'_, 'm> {
        let constrained = automaton.is_some();
        let automaton = automaton.unwrap_or_else(|| Automaton::not_empty(self.symbols));
        WordSource::new(self, request, automaton, constrained)
    }

    pub(super) fn steps_mut(&mut self) -> &mut Steps<'m> {
        &mut self.steps
    }
}

/// The symbol at the point `u` of the softmax's cumulative distribution.
pub(crate) fn categorical(symbols: usize, logit: impl Fn(usize) -> f64, u: f64) -> usize {
    let largest = (0..symbols).map(&logit).fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = (0..symbols).map(|symbol| (logit(symbol) - largest).exp()).sum();
    let mut left = u * total;
    for symbol in 0..symbols {
        left -= (logit(symbol) - largest).exp();
        if left < 0.0 {
            return symbol;
        }
    }
    symbols - 1
}
