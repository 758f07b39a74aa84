//! Words of a model: what is asked for, and who waits for it.

use std::ops::ControlFlow;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::SampleError;
use super::automaton::Automaton;
use super::constraint::Constraint;
use super::draw_settings::DrawSettings;
use super::names::{NAME_VERSION, Names};
use super::noise_law::NoiseLaw;
use super::origin::Origin;
use super::progress::{Watcher, WordProgress};
use super::request::{Settled, WordRequest};
use super::selection::Selection;
use super::source::WordSource;
use super::steps::Steps;
use super::words::{Few, GaveUp, Words};
use crate::languages::open_excluded;
use crate::lexicon::{Alphabet, KnownWords};
use crate::model::Fitted;
use crate::{Execution, Result, TrainedModel};

/// Draws from the posterior of a word's randomness, which words near it take in turns.
const NEAR_DRAWS: usize = 64;

/// Words of a model: a [`WordRequest`], and lists whose words are excluded.
///
/// A word has at least one letter: where the model would end at once, it is asked again.
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
    threads: usize,
    request: WordRequest,
    /// Whether the model's list was in title case.
    title_case: bool,
    excluded: Vec<Arc<dyn KnownWords>>,
    watcher: Option<Watcher<'m>>,
}

impl TrainedModel {
    /// Words of the model; the builder says which.
    pub fn words(&self) -> WordBuilder<'_> {
        let title_case = self.config.data.title_case;
        WordBuilder { title_case, ..WordBuilder::new(self.fitted(), &self.alphabet) }
    }

    /// The words of a request, with its lists opened.
    ///
    /// # Errors
    /// When a list cannot be read.
    pub fn words_of(&self, request: WordRequest) -> Result<WordBuilder<'_>> {
        let mut excluded: Vec<Arc<dyn KnownWords>> = Vec::new();
        if request.novel {
            excluded.push(Arc::new(self.known_words()?));
        }
        for list in &request.exclude {
            excluded.push(open_excluded(list, self.known_casing())?);
        }
        Ok(WordBuilder { request, excluded, ..self.words() })
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
        let (threads, request) = (Execution::default().threads, WordRequest::default());
        Self { fitted, alphabet, threads, request, title_case: false, excluded: Vec::new(), watcher: None }
    }

    /// Everything that is asked for. Its lists are not opened: [`TrainedModel::words_of`] does that.
    pub fn request(self, request: WordRequest) -> Self {
        Self { request, ..self }
    }

    /// Seed and threads.
    pub fn execution(mut self, Execution { seed, threads }: Execution) -> Self {
        self.request.seed = seed;
        Self { threads, ..self }
    }

    /// The number of threads, which changes nothing but the time.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Adds a condition that words must meet.
    pub fn constraint(mut self, constraint: Constraint) -> Self {
        self.request.constraints.push(constraint);
        self
    }

    /// Excludes the words of a list or dictionary, such as [`TrainedModel::training_list`] for novel words.
    pub fn exclude(mut self, known: impl KnownWords + 'static) -> Self {
        self.excluded.push(Arc::new(known));
        self
    }

    /// Whether no word comes twice.
    pub fn unique(mut self, unique: bool) -> Self {
        self.request.unique = unique;
        self
    }

    /// Gives up after so many tries in a row without a word that fits; [`MAX_TRIES`](super::MAX_TRIES) unless it is said.
    pub fn max_tries(mut self, max_tries: u64) -> Self {
        self.request.max_tries = max_tries;
        self
    }

    /// Tells the progress every now and then, always on the thread that asks for words, and stops if that is the answer.
    pub fn watch(self, watcher: impl FnMut(WordProgress) -> ControlFlow<()> + 'm) -> Self {
        Self { watcher: Some(Box::new(watcher)), ..self }
    }

    /// Prepares to make up to `count` words.
    ///
    /// # Errors
    /// When the request cannot be met, or the model not be recorded.
    pub fn make(self, count: u64) -> Result<Words<'m>> {
        let settled = self.settle()?;
        let settings = self.settings(&settled, self.request.seed)?;
        let steps = Steps::new(self.fitted, self.threads)?;
        let mut source = WordSource::new(steps, self.threads, settings, settled.automaton);
        source.watch.watcher = self.watcher;
        source.watch.progress.wanted = count;
        Ok(Words {
            source,
            alphabet: self.alphabet,
            few: settled.few,
            unique: self.request.unique,
            capital: self.title_case || self.request.capital,
            selection: Selection::new(self.excluded, self.request.unique),
            constraints: settled.constraints,
            classes: self.request.classes,
            max_tries: self.request.max_tries,
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
    pub fn names(self) -> Result<Names<'m>> {
        let settled = self.settle()?;
        if let Some(Few { new: 0, known }) = settled.few {
            let hardest = None;
            let gave_up = GaveUp { made: 0, wanted: 1, tries: 0, is_all: true, known, repeated: 0, hardest };
            return Err(SampleError::from(gave_up).into());
        }
        let settings = self.settings(&settled, 0)?;
        let mut base = Sha256::new();
        base.update(format!("wug name {NAME_VERSION}\n"));
        self.alphabet.letters().for_each(|letter| base.update(format!("{letter}\n")));
        self.fitted.parameters().iter().for_each(|number| base.update(number.to_le_bytes()));
        let not_empty = || Automaton::not_empty(self.alphabet.symbol_count());
        Ok(Names {
            fitted: self.fitted,
            alphabet: self.alphabet,
            steps: Steps::new(self.fitted, self.threads)?,
            settings,
            automaton: settled.automaton.unwrap_or_else(not_empty),
            capital: self.title_case || self.request.capital,
            excluded: self.excluded,
            constraints: settled.constraints,
            classes: self.request.classes,
            max_tries: self.request.max_tries,
            base,
        })
    }

    fn settle(&self) -> Result<Settled, SampleError> {
        self.request.settle(self.fitted.model(), self.alphabet, &self.excluded)
    }

    /// How words are drawn. Those near a word follow noise that it may have come from.
    fn settings(&self, settled: &Settled, seed: u64) -> Result<DrawSettings, SampleError> {
        let WordRequest { noise, distance, .. } = self.request;
        let choice = settled.choice;
        let laws = match &settled.like {
            None => vec![NoiseLaw::prior(noise)],
            Some(symbols) => {
                let execution = Execution { seed: self.request.seed, threads: self.threads };
                let origins = Origin::draw(self.fitted, symbols, choice, NEAR_DRAWS, execution)?;
                origins.iter().map(|origin| NoiseLaw::around(origin, distance, noise)).collect()
            }
        };
        Ok(DrawSettings { choice, laws, ..DrawSettings::plain(seed) })
    }
}

#[cfg(test)]
mod tests;
