//! Unconditional samples: noise → states → symbols, stopping at the first end symbol.
//!
//! A program takes a few steps at once for a tile of words; words that have not ended go on from their last
//! states. The baseline takes one step at a time, because it reads what it has written. Word number i is a function
//! of the seed and i alone.

use std::ops::Range;
use std::sync::Mutex;

use thiserror::Error;
use tilegrad::noise::Noise;
use tilegrad::{Graph, GraphError, Lanes, NoiseKey, Runner, Tile, VarId};

use crate::lexicon::{END, Symbol};
use crate::model::{Model, Parts};

/// Steps of one run of the program: most words end within.
const STEPS: usize = 8;
/// Words in a tile.
const WORDS: usize = 64;
/// Words drawn in one call of the runner.
const BLOCK: usize = 4096;

/// Streams of noise. Seeds are an interface: the numbers must not change.
const STATE_STREAM: u16 = 0;
const SYMBOL_STREAM: u16 = 1 << 15;

/// How a state becomes a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolChoice {
    /// Drawn from `P(w_t | h_t)`.
    Sampled,
    /// The most probable: all variety comes from the states.
    Argmax,
}

/// Why no words can be made.
#[derive(Debug, Error)]
pub enum SampleError {
    /// The model's computations cannot be recorded.
    #[error("the model cannot be recorded")]
    Graph(#[from] GraphError),
    /// The system refused a thread.
    #[error("no thread could be started")]
    Threads(#[from] std::io::Error),
}

/// Draws words from a model.
pub struct Sampler {
    runner: Runner<f32>,
    start: VarId,
    first_state: Vec<f32>,
    last_state: VarId,
    logits: Vec<VarId>,
    symbols: usize,
    max_letters: usize,
    choice: SymbolChoice,
    reads_symbols: bool,
}

impl Sampler {
    /// Prepares to draw from the model with these parameters; words are cut at `max_letters`.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn new(
        model: &Model,
        parameters: &[f32],
        max_letters: usize,
        threads: usize,
    ) -> Result<Self, SampleError> {
        let graph = Graph::new(model.params(), 1);
        let mut logits = Vec::new();
        let (start, state, start_param) = match model.parts() {
            Parts::StateSpace(parts) => {
                let generative = &parts.generative;
                let start = graph.data(generative.state_size(), Lanes::Word);
                let mut state = start;
                for step in 0..STEPS {
                    let noise =
                        graph.normal(STATE_STREAM + step as u16, generative.state_size(), Lanes::Word);
                    state = generative.transition(&graph, state).forward(noise).value;
                    logits.push(generative.emission().logits(&graph, state));
                }
                (start, state, generative.start_param())
            }
            Parts::Gru(baseline) => {
                let start = graph.data(baseline.start_param().rows, Lanes::Word);
                let state = baseline.step(&graph, graph.symbols(), start);
                logits.push(baseline.emission().logits(&graph, state));
                (start, state, baseline.start_param())
            }
        };
        let outputs: Vec<_> = logits.iter().copied().chain([state]).collect();
        let program = graph.compile(WORDS, None, &outputs)?;
        Ok(Self {
            start: start.id(),
            first_state: model.params().view(start_param, parameters).to_vec(),
            last_state: state.id(),
            logits: logits.into_iter().map(|logits| logits.id()).collect(),
            symbols: model.symbols(),
            max_letters,
            choice: SymbolChoice::Sampled,
            reads_symbols: matches!(model.parts(), Parts::Gru(_)),
            runner: Runner::new(model.params(), vec![program], threads)?,
        })
    }

    /// The same with another way from states to symbols.
    #[must_use]
    pub fn with_choice(self, choice: SymbolChoice) -> Self {
        Self { choice, ..self }
    }

    /// Draws words `first` to `first + count − 1` of the seed, as symbols without the end.
    pub fn draw(&mut self, parameters: &[f32], seed: u64, first: u64, count: usize) -> Vec<Vec<Symbol>> {
        let mut words = Vec::with_capacity(count);
        while words.len() < count {
            // Noise is addressed by block and place in it, so that a word does not depend on where a draw began.
            let next = first + words.len() as u64;
            let (block, start) = (next / BLOCK as u64, (next % BLOCK as u64) as usize);
            let end = BLOCK.min(start + count - words.len());
            words.extend(self.block(parameters, seed, block, start..end));
        }
        words
    }

    fn block(&mut self, parameters: &[f32], seed: u64, block: u64, range: Range<usize>) -> Vec<Vec<Symbol>> {
        let mut words: Vec<Vec<Symbol>> = vec![Vec::new(); range.end];
        // Words that go on: their places and states.
        let mut open: Vec<(usize, Vec<f32>)> =
            range.clone().map(|word| (word, self.first_state.clone())).collect();
        let mut position = 0;
        while !open.is_empty() && position < self.max_letters {
            let key = NoiseKey { seed, step: block * MAX_POSITIONS + position as u64 };
            open = self.advance(parameters, key, position, open, &mut words);
            position += self.logits.len();
        }
        words.split_off(range.start)
    }

    /// Takes the open words some steps further; returns those that are still open.
    fn advance(
        &mut self,
        parameters: &[f32],
        key: NoiseKey,
        position: usize,
        open: Vec<(usize, Vec<f32>)>,
        words: &mut [Vec<Symbol>],
    ) -> Vec<(usize, Vec<f32>)> {
        let mut tiles = Vec::new();
        let mut groups = Vec::new();
        // Noise is addressed by the word's number: words that stay together in a tile must be neighbours in it.
        for group in open.chunk_by(|left, right| left.0 / WORDS == right.0 / WORDS) {
            let mut tile = Tile::new(self.runner.programs(), 0);
            let base = group[0].0 / WORDS * WORDS;
            for (word, state) in group {
                tile.set_data(&self.runner.programs()[0], self.start, word - base, state);
                if self.reads_symbols {
                    let previous = words[*word].last().copied().unwrap_or(END);
                    tile.symbol_row_mut(0)[word - base] = u32::from(previous);
                }
            }
            tile.first_item = base as u32;
            tiles.push(tile);
            groups.push(group);
        }
        let (size, symbols) = (self.first_state.len(), self.symbols);
        let noise = Noise::new(key.seed);
        let (logits, last_state, max_letters) = (&self.logits, self.last_state, self.max_letters);
        let choice = self.choice;
        let found: Mutex<Vec<Advanced>> = Mutex::new(Vec::new());
        self.runner.forward(parameters, &tiles, key, |number, values| {
            let mut own = Vec::new();
            for (word, _) in groups[number] {
                let lane = word % WORDS;
                let mut letters = Vec::new();
                let mut ended = false;
                for (t, &logits) in logits.iter().enumerate() {
                    if position + t >= max_letters {
                        ended = true;
                        break;
                    }
                    let row = |symbol: usize| f64::from(values.get(logits)[symbol * WORDS + lane]);
                    let symbol = match choice {
                        SymbolChoice::Argmax => argmax(symbols, row),
                        SymbolChoice::Sampled => {
                            let stream = SYMBOL_STREAM + t as u16;
                            let [u, _] = noise.uniform_f64(stream, key.step, *word as u32, 0);
                            categorical(symbols, row, u)
                        }
                    };
                    if symbol == usize::from(END) {
                        ended = true;
                        break;
                    }
                    letters.push(symbol as Symbol);
                }
                let state = (0..size).map(|row| values.get(last_state)[row * WORDS + lane]).collect();
                own.push((*word, letters, (!ended).then_some(state)));
            }
            found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(own);
        });
        let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        found.sort_unstable_by_key(|found| found.0);
        let mut still_open = Vec::new();
        for (word, letters, state) in found {
            words[word].extend(letters);
            still_open.extend(state.map(|state| (word, state)));
        }
        still_open
    }
}

/// A word's place, its new letters, and its state if it has not ended.
type Advanced = (usize, Vec<Symbol>, Option<Vec<f32>>);

/// More positions than a word can have: keeps the noise of different blocks apart.
const MAX_POSITIONS: u64 = 1 << 20;

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

/// The symbol with the largest logit; the first of equals.
fn argmax(symbols: usize, logit: impl Fn(usize) -> f64) -> usize {
    (1..symbols).fold(0, |best, symbol| if logit(symbol) > logit(best) { symbol } else { best })
}
