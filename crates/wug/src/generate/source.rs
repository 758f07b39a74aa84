//! Words that meet constraints, in whichever way gives them sooner.
//!
//! The first [blocks](super::block) tell how often words meet the constraints by chance. If that is not too rare, all words
//! are made in blocks, which is exact; else by [populations](super::population) of particles, with as many particles as it
//! takes for some of them to be independent. The choice depends on the request alone, so the words are a function of
//! the seed, for any number of threads.

use std::collections::VecDeque;

use super::automaton::Automaton;
use super::block::{self, Block, TRIES};
use super::lookahead::Lookahead;
use super::population::{Guide, Population};
use super::steps::Steps;
use super::words::Words;
use super::{Request, Sampler};
use crate::lexicon::Symbol;

/// Blocks that are tried before populations, all in all, step by step.
const TRIAL_BLOCKS: [u64; 3] = [1, 4, 16];
/// Words that must meet the constraints by then. One in 8,000 words takes about the time that a population takes.
const ENOUGH_WORDS: usize = 8;

/// Particles of the first populations, and of the last.
const FEWEST_PARTICLES: usize = 1 << 10;
const MOST_PARTICLES: usize = 1 << 16;
/// Populations that are looked at to see whether there are enough particles.
const PILOTS: u64 = 4;
/// Independent particles that each of them must have.
const ENOUGH_ROOTS: f64 = 64.0;
/// Independent particles for each word that is drawn.
const ROOTS_PER_WORD: f64 = 8.0;

/// An endless source of words.
pub struct WordSource<'a, 'm> {
    steps: &'a mut Steps<'m>,
    request: Request,
    automaton: Automaton,
    way: Way,
    /// The next block or population.
    next: u64,
    /// Words that were made to find the way.
    ready: VecDeque<Batch>,
}

enum Way {
    Blocks,
    Populations { lookahead: Lookahead, particles: usize, words: usize },
}

/// Some words, and what they took.
#[derive(Debug, Default)]
pub struct Batch {
    /// The words.
    pub words: Words,
    /// Tries after the last of them.
    pub left_over: u64,
}

impl<'a, 'm> WordSource<'a, 'm> {
    pub(super) fn new(
        sampler: &'a mut Sampler<'m>,
        request: Request,
        automaton: Automaton,
        constrained: bool,
    ) -> Self {
        let steps = sampler.steps_mut();
        let (way, next, ready) = (Way::Blocks, 0, VecDeque::new());
        let mut source = Self { steps, request, automaton, way, next, ready };
        if constrained && !source.chance_is_enough() {
            source.use_populations();
        }
        source
    }

    /// Tries the first blocks.
    fn chance_is_enough(&mut self) -> bool {
        for blocks in TRIAL_BLOCKS {
            let made = self.blocks((blocks - self.next) as usize);
            self.ready.extend(made);
            if self.ready.iter().map(|batch| batch.words.len()).sum::<usize>() >= ENOUGH_WORDS {
                return true;
            }
        }
        false
    }

    /// Finds out how many particles it takes.
    fn use_populations(&mut self) {
        let Self { steps, request, automaton, .. } = self;
        let anything = Automaton::anything(automaton.symbols());
        let pilot = steps.each(1, |_, walk| block::run(walk, request, &anything, 0, TRIES, true));
        let lookahead = Lookahead::new(automaton, &pilot.into_iter().next().unwrap_or_default().words);
        let guide = Guide { request, automaton, lookahead: &lookahead };
        let mut particles = FEWEST_PARTICLES;
        let (pilots, roots) = loop {
            let pilots = steps
                .each(PILOTS as usize, |item, walk| Population::run(walk, guide, item as u64, particles));
            let roots = pilots.iter().map(Population::effective_roots).fold(f64::INFINITY, f64::min);
            if roots >= ENOUGH_ROOTS || particles == MOST_PARTICLES {
                break (pilots, roots);
            }
            particles *= 4;
        };
        let words = ((roots / ROOTS_PER_WORD) as usize).max(1);
        let batch = |population: &Population| Batch::of_population(&population.draw(words), particles);
        self.ready = pilots.iter().map(batch).collect();
        self.next = PILOTS;
        self.way = Way::Populations { lookahead, particles, words };
    }

    /// The particles of a population if words are made by populations; none if they are made by chance.
    pub fn particles(&self) -> Option<usize> {
        match self.way {
            Way::Blocks => None,
            Way::Populations { particles, .. } => Some(particles),
        }
    }

    /// The next words: at least one block's or population's, about `wanted` of them if there are as many in a few.
    /// The words of all batches one after the other do not depend on what was wanted.
    pub fn batch(&mut self, wanted: usize) -> Vec<Batch> {
        if !self.ready.is_empty() {
            return self.ready.drain(..).collect();
        }
        let Self { steps, request, automaton, way, next, .. } = self;
        match way {
            Way::Blocks => self.blocks(wanted.div_ceil(TRIES).clamp(1, MOST_ITEMS)),
            Way::Populations { lookahead, particles, words } => {
                let items = wanted.div_ceil(*words).clamp(1, MOST_ITEMS);
                let guide = Guide { request, automaton, lookahead };
                let made = steps.each(items, |item, walk| {
                    Population::run(walk, guide, *next + item as u64, *particles).draw(*words)
                });
                *next += items as u64;
                made.iter().map(|made| Batch::of_population(made, *particles)).collect()
            }
        }
    }

    fn blocks(&mut self, items: usize) -> Vec<Batch> {
        let Self { steps, request, automaton, next, .. } = self;
        let blocks = steps.each(items, |item, walk| {
            block::run(walk, request, automaton, *next + item as u64, TRIES, false)
        });
        *next += items as u64;
        blocks.into_iter().map(|Block { words, left_over }| Batch { words, left_over }).collect()
    }
}

/// Blocks or populations that are run at once: few enough to be held in memory, enough for all threads.
const MOST_ITEMS: usize = 64;

impl Batch {
    /// All particles are tries for the first word.
    fn of_population(made: &[Vec<Symbol>], particles: usize) -> Self {
        let particles = particles as u64;
        let mut words = Words::default();
        for (number, letters) in made.iter().enumerate() {
            words.push(letters, if number == 0 { particles } else { 0 });
        }
        Self { left_over: if words.is_empty() { particles } else { 0 }, words }
    }
}

#[cfg(test)]
mod tests;
