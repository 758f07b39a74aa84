//! Blocks of words by plain sampling: noise → states → symbols, and an automaton that reads along.
//!
//! A word that the automaton refuses is dropped at that very symbol, and its lane begins the next one. What is left
//! is distributed exactly as the model given the automaton's language. A block is a function of the seed and its
//! number, and its first words are the same however many are asked for.

use tilegrad::NoiseKey;

use super::automaton::{ACCEPTED, Automaton, DEAD};
use super::emission::Emission;
use super::steps::{LANES, Walk};
use super::words::Words;
use super::{NoiseLaw, Purpose, Request};
use crate::lexicon::Symbol;

/// Words that a block begins.
pub(crate) const TRIES: usize = 4096;

/// What became of a block's words.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// Words that the automaton accepts, in the order in which they began.
    pub(crate) words: Words,
    /// Words begun after the last of them.
    pub(crate) left_over: u64,
}

/// A word on its way.
#[derive(Default)]
struct Lane {
    /// Its number in the block; none if the lane rests.
    number: Option<usize>,
    state: u32,
    letters: Vec<Symbol>,
}

/// Runs the first `tries` words of a block. Words that do not end within the request's limit are dropped, or cut there
/// if `cut` says so.
pub(crate) fn run(
    walk: &mut Walk<'_, '_>,
    request: &Request,
    automaton: &Automaton,
    number: u64,
    tries: usize,
    cut: bool,
) -> Block {
    let mut block = Running { request, automaton, tries, begun: 0, found: Vec::new() };
    let mut lanes: Vec<Lane> = (0..LANES).map(|_| Lane::default()).collect();
    for (index, lane) in lanes.iter_mut().enumerate() {
        block.begin(walk, index, lane);
    }
    let mut emission = Emission::new(request.choice);
    let mut symbols = [0; LANES];
    let mut tick = 0;
    while lanes.iter().any(|lane| lane.number.is_some()) {
        let key = NoiseKey { seed: request.seed, step: Purpose::Block.step(number, tick) };
        walk.step(key, 0, |outcome| {
            emission.set(outcome.logits);
            block.restrict(&mut emission, &lanes);
            emission.draw(outcome.uniform, &mut symbols);
        });
        for (index, (lane, &symbol)) in lanes.iter_mut().zip(&symbols).enumerate() {
            block.advance(walk, index, lane, symbol, cut);
        }
        tick += 1;
    }
    block.finish()
}

struct Running<'a> {
    request: &'a Request,
    automaton: &'a Automaton,
    tries: usize,
    begun: usize,
    found: Vec<(usize, Vec<Symbol>)>,
}

impl Running<'_> {
    /// Begins the next word in a lane, if there is one.
    fn begin(&mut self, walk: &mut Walk<'_, '_>, index: usize, lane: &mut Lane) {
        lane.letters.clear();
        lane.state = self.automaton.start();
        lane.number = (self.begun < self.tries).then_some(self.begun);
        self.begun += 1;
        walk.begin(index);
        self.set_noise(walk, index, lane);
    }

    fn set_noise(&self, walk: &mut Walk<'_, '_>, index: usize, lane: &Lane) {
        let laws = &self.request.laws;
        let law = &laws[lane.number.unwrap_or(0) % laws.len()];
        // A constant law stays in its lane.
        if laws.len() > 1 || !law.is_constant() || self.begun <= LANES {
            let (mean, scale) = law.at(lane.letters.len(), walk.noise_size());
            walk.set_noise(index, mean, scale);
        }
    }

    /// Leaves each lane's letters the freedom that its law gives them.
    fn restrict(&self, emission: &mut Emission, lanes: &[Lane]) {
        let laws = &self.request.laws;
        if laws.iter().all(NoiseLaw::is_constant) {
            return;
        }
        for (index, lane) in lanes.iter().enumerate() {
            if let Some(arc) = laws[lane.number.unwrap_or(0) % laws.len()].arc(lane.letters.len()) {
                emission.restrict(index, arc);
            }
        }
    }

    /// Takes a symbol into account.
    fn advance(&mut self, walk: &mut Walk<'_, '_>, index: usize, lane: &mut Lane, symbol: Symbol, cut: bool) {
        let Some(number) = lane.number else { return };
        lane.state = self.automaton.next(lane.state, symbol);
        let full = lane.letters.len() == self.request.max_letters;
        if lane.state == ACCEPTED || cut && full {
            self.found.push((number, lane.letters.clone()));
        } else if lane.state != DEAD && !full {
            lane.letters.push(symbol);
            walk.set_previous(index, symbol);
            self.set_noise(walk, index, lane);
            return;
        }
        self.begin(walk, index, lane);
    }

    fn finish(mut self) -> Block {
        self.found.sort_unstable_by_key(|found| found.0);
        let (mut words, mut before) = (Words::default(), 0);
        for (number, letters) in &self.found {
            words.push(letters, (number + 1 - before) as u64);
            before = number + 1;
        }
        Block { words, left_over: (self.tries - before) as u64 }
    }
}
