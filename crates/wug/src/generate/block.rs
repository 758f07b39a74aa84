//! Blocks of words by plain sampling: noise → states → symbols, and an automaton that reads along.
//!
//! A word that the automaton rejects is dropped at that very symbol, and its lane begins the next one. What is left
//! is distributed exactly as the model given the automaton's language. A block is a function of the seed and its
//! number, and its first words are the same however many are asked for.

use tilegrad::NoiseKey;

use super::automaton::{ACCEPTED, Automaton, DEAD};
use super::draw_settings::DrawSettings;
use super::noise_law::NoiseLaw;
use super::steps::{LANES, Stepper};
use super::symbol_weights::SymbolWeights;
use super::word_list::WordList;
use crate::lexicon::Symbol;
use crate::model::NoiseShape;
use crate::random::streams::Making;

/// Words that a block begins.
pub(crate) const TRIES: usize = 4096;

/// What became of a block's words.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// Words that the automaton accepts, in the order in which they began.
    pub(crate) words: WordList,
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

/// Runs the first `tries` words of a block. Words that do not end within the limit are dropped, or cut there if `cut`
/// says so.
pub(crate) fn run(
    stepper: &mut Stepper<'_, '_>,
    settings: &DrawSettings,
    automaton: &Automaton,
    number: u64,
    tries: usize,
    cut: bool,
) -> Block {
    let mut block = Running { settings, automaton, tries, begun: 0, found: Vec::new() };
    let mut lanes: Vec<Lane> = (0..LANES).map(|_| Lane::default()).collect();
    for (index, lane) in lanes.iter_mut().enumerate() {
        block.begin(stepper, index, lane);
    }
    let mut weights = stepper.weights(settings.choice);
    let (noise, mut tick) = (stepper.noise(), 0);
    while lanes.iter().any(|lane| lane.number.is_some()) {
        let key = NoiseKey { seed: settings.seed, step: Making::Block.step(number, tick) };
        let drawn = stepper.look(key, 0, |look| {
            weights.set(look.logits);
            block.restrict(&mut weights, noise, &lanes);
            weights.draw(look.uniform)
        });
        stepper.take(&drawn);
        for (index, (lane, &symbol)) in lanes.iter_mut().zip(&drawn).enumerate() {
            block.advance(stepper, index, lane, symbol, cut);
        }
        tick += 1;
    }
    block.finish()
}

struct Running<'a> {
    settings: &'a DrawSettings,
    automaton: &'a Automaton,
    tries: usize,
    begun: usize,
    found: Vec<(usize, Vec<Symbol>)>,
}

impl Running<'_> {
    /// Begins the next word in a lane, if there is one.
    fn begin(&mut self, stepper: &mut Stepper<'_, '_>, index: usize, lane: &mut Lane) {
        lane.letters.clear();
        lane.state = self.automaton.start();
        lane.number = (self.begun < self.tries).then_some(self.begun);
        self.begun += 1;
        stepper.begin(index);
        self.set_noise(stepper, index, lane);
    }

    fn set_noise(&self, stepper: &mut Stepper<'_, '_>, index: usize, lane: &Lane) {
        let laws = &self.settings.laws;
        let law = &laws[lane.number.unwrap_or(0) % laws.len()];
        // A constant law stays in its lane.
        if laws.len() > 1 || !law.is_constant() || self.begun <= LANES {
            stepper.set_noise(index, law.at(lane.letters.len(), stepper.noise()), law.scale());
        }
    }

    /// Leaves each lane's letters the freedom that its law gives them.
    fn restrict(&self, weights: &mut SymbolWeights<'_>, noise: NoiseShape, lanes: &[Lane]) {
        let laws = &self.settings.laws;
        if laws.iter().all(NoiseLaw::is_constant) {
            return;
        }
        for (index, lane) in lanes.iter().enumerate() {
            let law = &laws[lane.number.unwrap_or(0) % laws.len()];
            if let Some(restriction) = law.restriction(lane.letters.len(), noise) {
                weights.restrict(index, restriction);
            }
        }
    }

    /// Takes a symbol into account.
    fn advance(
        &mut self,
        stepper: &mut Stepper<'_, '_>,
        index: usize,
        lane: &mut Lane,
        symbol: Symbol,
        cut: bool,
    ) {
        let Some(number) = lane.number else { return };
        lane.state = self.automaton.next(lane.state, symbol);
        let full = lane.letters.len() == self.settings.max_letters;
        if lane.state == ACCEPTED || cut && full {
            self.found.push((number, lane.letters.clone()));
        } else if lane.state != DEAD && !full {
            lane.letters.push(symbol);
            self.set_noise(stepper, index, lane);
            return;
        }
        self.begin(stepper, index, lane);
    }

    fn finish(mut self) -> Block {
        self.found.sort_unstable_by_key(|found| found.0);
        let (mut words, mut before) = (WordList::default(), 0);
        for (number, letters) in &self.found {
            words.push(letters, (number + 1 - before) as u64);
            before = number + 1;
        }
        Block { words, left_over: (self.tries - before) as u64 }
    }
}
