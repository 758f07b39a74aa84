//! What metrics measure: a model, words, and how hard to try.

use serde::{Deserialize, Serialize};

use super::EvaluateError;
use super::membership::Known;
use super::report::LexiconDescription;
use crate::generate::{SymbolChoice, draw};
use crate::lexicon::{Lexicon, Split, Symbol};
use crate::model::ModelConfig;
use crate::{DataConfig, Execution, TrainedModel};

/// How hard to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Shared trajectories, K.
    pub trajectories: u64,
    /// Particles for each word.
    pub particles: usize,
    /// Words drawn from each part for the particle filter; 0 for all words of the part, as always for the baseline.
    pub draws: usize,
    /// Words generated for `w ∈ V` and n-grams.
    pub words: usize,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// Threads; no result depends on it.
    #[serde(skip)]
    pub threads: usize,
}

impl Settings {
    /// Seed and threads.
    pub fn execution(&self) -> Execution {
        Execution { seed: self.seed, threads: self.threads }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self { trajectories: 100_000, particles: 1000, draws: 10_000, words: 10_000, seed: 1, threads: 1 }
    }
}

/// A model and the words to measure it on.
#[derive(Debug)]
pub struct Context<'a> {
    pub(crate) model: &'a TrainedModel,
    pub(crate) words: LexiconDescription,
    /// All words, by weight.
    pub(crate) lexicon: Lexicon,
    /// The list that they come from, with what its filter dropped.
    list: Lexicon,
    /// Both parts, by weight.
    pub(crate) split: Split,
    pub(crate) settings: Settings,
}

impl<'a> Context<'a> {
    /// Prepares to measure `model` on the words that `data` describes, which are in `lexicon`.
    ///
    /// # Errors
    /// When the words have letters that the model lacks or are too long, or one part of the split is empty.
    pub fn new(
        model: &'a TrainedModel,
        data: &DataConfig,
        lexicon: &Lexicon,
        settings: Settings,
    ) -> Result<Self, EvaluateError> {
        let lexicon = lexicon.spelt(&model.alphabet).map_err(|error| EvaluateError::Alphabet {
            lexicon: data.lexicon.clone(),
            error,
            letters: model.alphabet.letters().collect::<Vec<_>>().join(" "),
        })?;
        let length = lexicon.words().map(|word| word.symbols.len()).max().unwrap_or(0);
        if length > ModelConfig::MAX_STEPS {
            return Err(EvaluateError::TooLong { length });
        }
        let split = lexicon.split(data.split, data.split_seed);
        for (part, name) in [(&split.train, "training"), (&split.test, "test")] {
            if part.is_empty() {
                return Err(EvaluateError::EmptyPart {
                    part: name,
                    types: lexicon.types(),
                    split: data.split,
                });
            }
        }
        let words = LexiconDescription::of(data, &lexicon, &split);
        let list = lexicon;
        let lexicon = list.weighted(data.weighting);
        let split =
            Split { train: split.train.weighted(data.weighting), test: split.test.weighted(data.weighting) };
        Ok(Self { model, words, lexicon, list, split, settings })
    }

    /// The training and the test part.
    pub(crate) fn parts(&self) -> [&Lexicon; 2] {
        [&self.split.train, &self.split.test]
    }

    /// The training part and the whole list, to look up words.
    pub(crate) fn known(&self) -> Known<'_> {
        Known::new(&self.split.train, &self.list)
    }

    /// Words that the model makes, as symbols without the end.
    pub(crate) fn generate(&self, choice: SymbolChoice) -> Result<Vec<Vec<Symbol>>, EvaluateError> {
        Ok(draw(self.model.fitted(), choice, self.settings.words, self.settings.execution())?)
    }
}
