//! Words that meet constraints, in whichever way gives them sooner.
//!
//! The first [blocks](super::block) tell how often words meet the constraints by chance. If that is not too rare, all words
//! are made in blocks, which is exact; else by [populations](super::population) of particles, with as many particles as it
//! takes for some of them to be independent. The choice depends on the request alone, so the words are a function of
//! the seed, for any number of threads. Work goes on in slices of well under a second on one thread each, with a look at whoever
//! watches in between.

use std::ops::Range;

use super::SampleError;
use super::automaton::Automaton;
use super::block::{self, Block, TRIES};
use super::draw_settings::DrawSettings;
use super::lookahead::Lookahead;
use super::population::{Guide, Population};
use super::progress::{self, Watch};
use super::steps::{LANES, Steps};
use super::word_list::WordList;
use crate::lexicon::Symbol;

/// Blocks that are tried before populations, all in all, step by step.
const TRIAL_BLOCKS: [u64; 3] = [1, 4, 16];
/// Words of the first block that are tried before the rest of it, where few words are wanted: these are there sooner.
const FIRST_TRIES: usize = 512;
/// The same for each word that is wanted, where there are no constraints: some words may be known.
const TRIES_PER_WORD: usize = 8;
/// The most words that are few.
const FEW_WORDS: u64 = 256;
/// Words that must meet the constraints by then. One in 8,000 words takes about the time that a population takes.
const ENOUGH_WORDS: usize = 8;

/// Particles of the first populations, and of the last.
const MIN_PARTICLES: usize = 1 << 10;
const MAX_PARTICLES: usize = 1 << 16;
/// The most symbols that a population of more particles may draw: long words would take minutes, and the descendants of
/// few particles take over their populations however many there are.
const MAX_SYMBOLS: usize = 1 << 20;
/// How many times more particles the next populations have.
const GROWTH: usize = 4;
/// The same where no particle was left of the first ones: if more are of any help, then many more.
const LEAP: usize = 16;
/// A population of which no particle is left counts as so many tries: it was led to where words are, and found none.
const FUTILE_TRIES: u64 = 1 << 18;
/// Populations that are looked at to see whether there are enough particles.
const PILOTS: u64 = 4;
/// Independent particles that each of them must have.
const ENOUGH_ROOTS: f64 = 64.0;
/// Independent particles for each word that is drawn.
const ROOTS_PER_WORD: f64 = 8.0;

/// Blocks for each thread that are run at once: enough that threads end at about the same time.
const BLOCKS_PER_THREAD: usize = 16;
/// Blocks of all threads: few enough to be held in memory.
const MAX_BLOCKS: usize = 64;

/// An endless source of words.
pub(crate) struct WordSource<'m> {
    steps: Steps<'m>,
    threads: usize,
    settings: DrawSettings,
    automaton: Automaton,
    way: Way,
    /// The next block or population.
    next: u64,
    /// Words of all blocks.
    found: u64,
    /// Words of the first block that were given before the rest of it was run, and how many were tried for them; none if it was
    /// not begun.
    given: Option<(usize, usize)>,
    /// The most blocks of the next batch: few at first, so that something is seen soon.
    max_blocks: usize,
    pub(crate) watch: Watch<'m>,
}

enum Way {
    Undecided,
    Blocks,
    Populations { lookahead: Lookahead, particles: usize, effective: f64, words: usize },
}

/// Some words, and what they took.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The words.
    pub(crate) words: WordList,
    /// Tries after the last of them.
    pub(crate) left_over: u64,
}

impl<'m> WordSource<'m> {
    /// Words that an automaton accepts, or any that have a letter.
    pub(crate) fn new(
        steps: Steps<'m>,
        threads: usize,
        settings: DrawSettings,
        automaton: Option<Automaton>,
    ) -> Self {
        let way = if automaton.is_some() { Way::Undecided } else { Way::Blocks };
        let symbols = steps.fitted().model().symbols();
        let automaton = automaton.unwrap_or_else(|| Automaton::not_empty(symbols));
        let (threads, watch) = (threads.max(1), Watch::default());
        let (next, found, given, max_blocks) = (0, 0, None, threads);
        Self { steps, threads, settings, automaton, way, next, found, given, max_blocks, watch }
    }

    /// The next words: at least one block's or population's, about `wanted` of them if there are as many in a few.
    /// The words of all batches one after the other do not depend on what was wanted.
    ///
    /// # Errors
    /// When whoever watches ends the work.
    pub(crate) fn batch(&mut self, wanted: u64) -> Result<Vec<Batch>, SampleError> {
        let items = |words: usize| usize::try_from(wanted.div_ceil(words as u64)).unwrap_or(usize::MAX);
        if self.next == 0 && self.given.is_none() && wanted <= FEW_WORDS {
            return self.begin(wanted);
        }
        let Self { steps, threads, settings, automaton, way, next, watch, .. } = self;
        match way {
            Way::Undecided => self.decide(),
            Way::Blocks => {
                let most = self.max_blocks;
                self.max_blocks = (2 * most).min(BLOCKS_PER_THREAD * *threads).min(MAX_BLOCKS);
                // As many as it takes if they have as many words as those before.
                let words = self.found.checked_div(self.next).map_or(TRIES, |words| words as usize);
                self.blocks(items(words.max(1)).clamp(1, most))
            }
            Way::Populations { lookahead, particles, words, .. } => {
                let guide = Guide { settings, automaton, lookahead };
                let numbers = *next..*next + items(*words).clamp(1, *threads) as u64;
                *next = numbers.end;
                let made = populations(steps, guide, numbers, *particles, watch)?;
                Ok(made.iter().map(|made| Batch::of_population(&made.draw(*words), *particles)).collect())
            }
        }
    }

    /// The first words of the first block, if constraints leave enough of them: these do not depend on how many the block tries.
    fn begin(&mut self, wanted: u64) -> Result<Vec<Batch>, SampleError> {
        let Self { steps, settings, automaton, way, watch, .. } = self;
        let tries = match way {
            Way::Blocks => (TRIES_PER_WORD * wanted as usize).clamp(LANES, FIRST_TRIES),
            _ => FIRST_TRIES,
        };
        let first =
            steps.map([0], |number, stepper| block::run(stepper, settings, automaton, number, tries, false));
        let words = first.into_iter().next().unwrap_or_default().words;
        if words.len() < ENOUGH_WORDS {
            self.given = Some((0, 0));
            return self.batch(wanted);
        }
        self.given = Some((words.len(), tries));
        watch.progress.tries += tries as u64;
        watch.tell()?;
        // Tries after the last of them count with the first word of the rest.
        Ok(vec![Batch { words, left_over: 0 }])
    }

    /// Tries the first blocks; if they have too few words, finds out how many particles it takes.
    fn decide(&mut self) -> Result<Vec<Batch>, SampleError> {
        let mut ready = Vec::new();
        for blocks in TRIAL_BLOCKS {
            ready.extend(self.blocks((blocks - self.next) as usize)?);
            let words: usize = ready.iter().map(|batch| batch.words.len()).sum();
            if words + self.given.unwrap_or_default().0 >= ENOUGH_WORDS {
                self.way = Way::Blocks;
                return Ok(ready);
            }
        }
        let words = self.unconstrained();
        let lookahead = Lookahead::new(&self.automaton, &words);
        let Self { steps, settings, automaton, watch, .. } = self;
        let guide = Guide { settings, automaton, lookahead: &lookahead };
        let mut particles = MIN_PARTICLES;
        let (pilots, roots) = loop {
            watch.progress.particles = Some(particles);
            let pilots = populations(steps, guide, 0..PILOTS, particles, watch)?;
            let roots = pilots.iter().map(Population::effective_roots).fold(f64::INFINITY, f64::min);
            let length = pilots.iter().map(Population::steps).max().unwrap_or_default();
            let futile = pilots.iter().all(Population::is_extinct);
            let growth = if futile { LEAP } else { GROWTH };
            if roots >= ENOUGH_ROOTS
                || (futile && particles > MIN_PARTICLES)
                || particles == MAX_PARTICLES
                || growth * particles * length > MAX_SYMBOLS
            {
                break (pilots, roots);
            }
            particles *= growth;
        };
        let words = ((roots / ROOTS_PER_WORD) as usize).max(1);
        self.next = PILOTS;
        self.way = Way::Populations { lookahead, particles, effective: roots, words };
        Ok(pilots.iter().map(|pilot| Batch::of_population(&pilot.draw(words), particles)).collect())
    }

    fn blocks(&mut self, items: usize) -> Result<Vec<Batch>, SampleError> {
        let Self { steps, settings, automaton, next, watch, .. } = self;
        let numbers = *next..*next + items as u64;
        let is_first = numbers.start == 0;
        *next = numbers.end;
        let blocks = steps
            .map(numbers, |number, stepper| block::run(stepper, settings, automaton, number, TRIES, false));
        watch.progress.tries += (items * TRIES) as u64;
        self.found += blocks.iter().map(|block| block.words.len() as u64).sum::<u64>();
        watch.tell()?;
        let mut blocks: Vec<Batch> =
            blocks.into_iter().map(|Block { words, left_over }| Batch { words, left_over }).collect();
        if let (true, Some((given @ 1.., tries)), Some(first)) = (is_first, self.given, blocks.first_mut()) {
            first.words = first.words.after(given);
            self.watch.progress.tries -= tries as u64;
        }
        Ok(blocks)
    }

    /// Which way is taken.
    pub(crate) fn way(&self) -> progress::Way {
        match &self.way {
            Way::Undecided | Way::Blocks => progress::Way::Rejection,
            &Way::Populations { particles, effective, words, .. } => {
                progress::Way::Particles { particles, effective, words }
            }
        }
    }

    /// A block of the model's words, whatever the constraints.
    pub(crate) fn unconstrained(&mut self) -> WordList {
        let Self { steps, settings, automaton, .. } = self;
        let anything = Automaton::anything(automaton.symbols());
        let blocks = steps
            .map([0], |number, stepper| block::run(stepper, settings, &anything, number, TRIES, true).words);
        blocks.into_iter().next().unwrap_or_default()
    }
}

/// Runs populations to their ends, side by side and symbol by symbol.
pub(crate) fn populations(
    steps: &mut Steps<'_>,
    guide: Guide<'_>,
    numbers: Range<u64>,
    particles: usize,
    watch: &mut Watch<'_>,
) -> Result<Vec<Population>, SampleError> {
    let initial_state = steps.initial_state();
    watch.progress.tries += (numbers.end - numbers.start) * particles as u64;
    let mut populations: Vec<Population> =
        numbers.map(|number| Population::new(guide, initial_state, number, particles)).collect();
    let mut go_on = true;
    while go_on {
        let advanced = steps.map(populations, |mut population, stepper| {
            let goes_on = population.advance(stepper, guide);
            (population, goes_on)
        });
        go_on = advanced.iter().any(|(_, goes_on)| *goes_on);
        populations = advanced.into_iter().map(|(population, _)| population).collect();
        watch.tell()?;
    }
    Ok(populations)
}

impl Batch {
    /// All particles are tries for the first word.
    fn of_population(made: &[Vec<Symbol>], particles: usize) -> Self {
        let particles = particles as u64;
        let mut words = WordList::default();
        for (number, letters) in made.iter().enumerate() {
            words.push(letters, if number == 0 { particles } else { 0 });
        }
        Self { left_over: if words.is_empty() { particles.max(FUTILE_TRIES) } else { 0 }, words }
    }
}

#[cfg(test)]
mod tests;
