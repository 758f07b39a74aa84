//! What words to make.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::SampleError;
use super::automaton::Automaton;
use super::classes::Classes;
use super::constraint::Constraint;
use super::draw_settings::{DrawSettings, MAX_LETTERS};
use super::names::{NAME_VERSION, Names};
use super::noise_law::NoiseLaw;
use super::origin::Origin;
use super::progress::{Watcher, WordProgress};
use super::selection::Selection;
use super::source::WordSource;
use super::steps::Steps;
use super::symbol_weights::SymbolChoice;
use super::words::{Few, GaveUp, Words};
use crate::lexicon::{Alphabet, KnownWords, Symbol};
use crate::model::Fitted;
use crate::{Execution, Result, TrainedModel};

/// Scales of the noise that are possible.
pub const NOISE: RangeInclusive<f32> = 0.0..=10.0;
/// Temperatures that are possible; the limit of zero is [`WordBuilder::argmax`].
pub const TEMPERATURE: RangeInclusive<f32> = 0.01..=100.0;
/// Distances from a word that are possible.
pub const DISTANCE: RangeInclusive<f32> = 0.0..=1.0;
/// Tries in a row without a word that fits, after which the making is given up.
pub const MAX_TRIES: u64 = 1_000_000;

/// The most words that are listed to see whether there are any new ones among them.
const MAX_LISTED: usize = 200;

/// Draws from the posterior of a word's randomness, which words near it take in turns.
const NEAR_DRAWS: usize = 64;

/// What words to make: constraints, excluded words, sampling parameters, nearness to a word.
///
/// Words that meet constraints are distributed as the model's words given the constraints. A word has at least one letter:
/// where the model would end at once, it is asked again.
///
/// ```
/// use wug::generate::Constraint;
///
/// let model = wug::bundled_model()?;
/// let words = model.words().constraint(Constraint::Pattern("w?g*".into())).unique(true);
/// for word in words.make(3)? {
///     println!("{}", word?);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct WordBuilder<'m> {
    fitted: Fitted<'m>,
    alphabet: &'m Alphabet,
    execution: Execution,
    constraints: Vec<Constraint>,
    classes: Classes,
    excluded: Vec<Arc<dyn KnownWords>>,
    unique: bool,
    max_tries: u64,
    noise: f32,
    choice: SymbolChoice,
    near: Option<Near>,
    watcher: Option<Watcher<'m>>,
}

/// A word that others are to be near to.
struct Near {
    word: String,
    distance: f32,
    keep: usize,
}

impl TrainedModel {
    /// Words of the model; the builder says which.
    pub fn words(&self) -> WordBuilder<'_> {
        WordBuilder::new(self.fitted(), &self.alphabet)
    }

    /// Makes words, the same as `wug sample -n COUNT --seed SEED`, on one thread.
    ///
    /// # Errors
    /// When the model cannot be recorded, or makes hardly anything but empty words.
    pub fn sample(&self, count: usize, seed: u64) -> Result<Vec<String>> {
        self.words().execution(Execution { seed, threads: 1 }).make(count as u64)?.collect()
    }
}

impl<'m> WordBuilder<'m> {
    /// Words of a model, whether or not it has been trained to the end.
    pub fn new(fitted: Fitted<'m>, alphabet: &'m Alphabet) -> Self {
        Self {
            fitted,
            alphabet,
            execution: Execution::default(),
            constraints: Vec::new(),
            classes: Classes::default(),
            excluded: Vec::new(),
            unique: false,
            max_tries: MAX_TRIES,
            noise: 1.0,
            choice: SymbolChoice::Sampled,
            near: None,
            watcher: None,
        }
    }

    /// Seed and threads. The first ten of a thousand words are those that one gets when asking for ten.
    pub fn execution(self, execution: Execution) -> Self {
        Self { execution, ..self }
    }

    /// Adds a condition that words must meet.
    pub fn constraint(mut self, constraint: Constraint) -> Self {
        self.constraints.push(constraint);
        self
    }

    /// Classes of letters that patterns can name, beside `V` and `C`.
    pub fn classes(self, classes: Classes) -> Self {
        Self { classes, ..self }
    }

    /// Excludes the words of a list or dictionary, such as [`TrainedModel::training_list`] for novel words.
    pub fn exclude(mut self, known: impl KnownWords + 'static) -> Self {
        self.excluded.push(Arc::new(known));
        self
    }

    /// Whether no word comes twice.
    pub fn unique(self, unique: bool) -> Self {
        Self { unique, ..self }
    }

    /// Gives up after so many tries in a row without a word that fits; [`MAX_TRIES`] unless it is said.
    pub fn max_tries(self, max_tries: u64) -> Self {
        Self { max_tries, ..self }
    }

    /// Scale of the noise that moves the states: less is more usual, more is stranger. Refused for exact models, whose noise only picks
    /// letters.
    pub fn noise(self, noise: f32) -> Self {
        Self { noise, ..self }
    }

    /// Temperature of the letters given a state: less is more usual, more is stranger.
    pub fn temperature(self, temperature: f32) -> Self {
        let choice =
            if temperature == 1.0 { SymbolChoice::Sampled } else { SymbolChoice::Tempered(temperature) };
        Self { choice, ..self }
    }

    /// The most probable letter of every state, the limit of temperature zero. Refused for exact models, whose noise picks the letters.
    pub fn argmax(self) -> Self {
        Self { choice: SymbolChoice::Argmax, ..self }
    }

    /// Words near a word: from the noise that it may have come from, of which fresh noise replaces a share. At distance 0
    /// they are the word itself, at 1 they know nothing of it. All begin with `keep` of its letters.
    pub fn near(self, word: impl Into<String>, distance: f32, keep: usize) -> Self {
        Self { near: Some(Near { word: word.into(), distance, keep }), ..self }
    }

    /// Tells the progress every now and then, always on the thread that asks for words, and stops if that is the answer.
    pub fn watch(self, watcher: impl FnMut(WordProgress) -> ControlFlow<()> + 'm) -> Self {
        Self { watcher: Some(Box::new(watcher)), ..self }
    }

    /// Prepares to make up to `count` words.
    ///
    /// # Errors
    /// When the request cannot be met, or the model not be recorded.
    pub fn make(mut self, count: u64) -> Result<Words<'m>> {
        self.check_parameters()?;
        let only = self.only_word();
        let laws = self.laws()?;
        let automaton = self.automaton()?;
        let few = self.few(only, automaton.as_ref());
        let Execution { seed, threads } = self.execution;
        let settings = DrawSettings { choice: self.choice, laws, ..DrawSettings::plain(seed) };
        let steps = Steps::new(self.fitted, threads)?;
        let mut source = WordSource::new(steps, threads, settings, automaton);
        source.watch.watcher = self.watcher;
        source.watch.progress.wanted = count;
        Ok(Words {
            source,
            alphabet: self.alphabet,
            few,
            unique: self.unique,
            selection: Selection::new(self.excluded, self.unique),
            constraints: self.constraints,
            classes: self.classes,
            max_tries: self.max_tries,
            tries_in_a_row: 0,
            batches: Default::default(),
            place: 0,
            over: false,
        })
    }

    /// Prepares to give keys their words: the same key, model and constraints give the same word, whatever the seed. Words come again
    /// if keys want them: there is no [`unique`](Self::unique).
    ///
    /// # Errors
    /// When the request cannot be met, or the model not be recorded.
    pub fn names(mut self) -> Result<Names<'m>> {
        self.check_parameters()?;
        let only = self.only_word();
        let laws = self.laws()?;
        let not_empty = || Automaton::not_empty(self.alphabet.symbol_count());
        let automaton = self.automaton()?.unwrap_or_else(not_empty);
        if let Some(Few { new: 0, known }) = self.few(only, Some(&automaton)) {
            let hardest = None;
            let gave_up = GaveUp { made: 0, wanted: 1, tries: 0, is_all: true, known, repeated: 0, hardest };
            return Err(SampleError::from(gave_up).into());
        }
        let mut base = Sha256::new();
        base.update(format!("wug name {NAME_VERSION}\n"));
        self.alphabet.letters().for_each(|letter| base.update(format!("{letter}\n")));
        self.fitted.parameters().iter().for_each(|number| base.update(number.to_le_bytes()));
        Ok(Names {
            fitted: self.fitted,
            alphabet: self.alphabet,
            steps: Steps::new(self.fitted, self.execution.threads)?,
            settings: DrawSettings { choice: self.choice, laws, ..DrawSettings::plain(0) },
            automaton,
            excluded: self.excluded,
            constraints: self.constraints,
            classes: self.classes,
            max_tries: self.max_tries,
            base,
        })
    }

    /// What the constraints accept, of words that have a letter; none if there are no constraints.
    fn automaton(&self) -> Result<Option<Automaton>, SampleError> {
        if self.constraints.is_empty() {
            return Ok(None);
        }
        let mut all = self.constraints.clone();
        if !all.iter().any(|constraint| matches!(constraint, Constraint::AtLeast(_))) {
            all.push(Constraint::AtLeast(1));
        }
        Ok(Some(Automaton::new(self.alphabet, &self.classes, &all, MAX_LETTERS)?))
    }

    /// The only word that can come out: at distance 0 that is the word itself.
    fn only_word(&self) -> Option<Vec<Symbol>> {
        let near = self.near.as_ref().filter(|near| near.distance == 0.0)?;
        let is_itself = self.noise == 1.0 && self.choice != SymbolChoice::Argmax;
        let symbols = self.alphabet.spell(&near.word, 1..=MAX_LETTERS).ok().filter(|_| is_itself)?;
        Some(symbols[..symbols.len() - 1].to_vec())
    }

    /// How many words can come out, if they are few: then it is known when there are no more.
    fn few(&self, only: Option<Vec<Symbol>>, automaton: Option<&Automaton>) -> Option<Few> {
        let accepted = match (only, automaton) {
            (Some(word), Some(automaton)) if !automaton.accepts(&word) => Vec::new(),
            (Some(word), _) => vec![word],
            (None, automaton) => automaton?.list(MAX_LISTED, |_, _| true)?,
        };
        let is_known = |letters: &&Vec<Symbol>| {
            let word = self.alphabet.decode(letters);
            self.excluded.iter().any(|known| known.has(&word))
        };
        let known = accepted.iter().filter(is_known).count() as u64;
        Some(Few { new: accepted.len() as u64 - known, known })
    }

    fn check_parameters(&self) -> Result<(), SampleError> {
        let check = |parameter, found: f32, range: RangeInclusive<f32>| {
            let (least, most) = (*range.start(), *range.end());
            if range.contains(&found) {
                Ok(())
            } else {
                Err(SampleError::Parameter { parameter, found, least, most })
            }
        };
        check("the scale of the noise", self.noise, NOISE)?;
        if let SymbolChoice::Tempered(temperature) = self.choice {
            check("the temperature", temperature, TEMPERATURE)?;
        }
        if let Some(near) = &self.near {
            check("the distance", near.distance, DISTANCE)?;
        }
        Ok(())
    }

    /// Laws of the noise; letters to be kept become a constraint.
    fn laws(&mut self) -> Result<Vec<NoiseLaw>, SampleError> {
        let picks_symbols = self.fitted.model().noise().picks_symbols;
        if self.noise != 1.0 && picks_symbols {
            return Err(SampleError::NothingToScale);
        }
        if self.choice == SymbolChoice::Argmax && picks_symbols {
            return Err(SampleError::NothingToMaximise);
        }
        let Some(Near { word, distance, keep }) = self.near.take() else {
            return Ok(vec![NoiseLaw::prior(self.noise)]);
        };
        let symbols: Vec<Symbol> = self.alphabet.spell(&word, 1..=MAX_LETTERS)?;
        let letters = symbols.len() - 1;
        if keep > letters {
            return Err(SampleError::Keep { keep, word, letters });
        }
        if keep > 0 {
            self.constraints.push(Constraint::Prefix(self.alphabet.decode(&symbols[..keep])));
        }
        let origins = Origin::draw(self.fitted, &symbols, self.choice, NEAR_DRAWS, self.execution)?;
        Ok(origins.iter().map(|origin| NoiseLaw::around(origin, distance, self.noise)).collect())
    }
}

#[cfg(test)]
mod tests;
