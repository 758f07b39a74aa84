//! One deterministic automaton for all constraints together.
//!
//! Its states are the sets of places that each constraint may have come to (the subset construction), its input a
//! word's letters and the end. States from which no word can be completed are merged into [`DEAD`], so that a word is
//! given up at the first letter that rules it out. The number of states is bounded.

use std::collections::{HashMap, VecDeque};

use foldhash::fast::RandomState;

use super::constraint::{Constraint, ConstraintError, Item};
use crate::lexicon::{Alphabet, END, Symbol};

/// No word can be completed.
pub(crate) const DEAD: u32 = 0;
/// The word has ended and meets all constraints.
pub(crate) const ACCEPTED: u32 = 1;
const START: u32 = 2;

/// The most states.
pub(crate) const MAX_STATES: usize = 1 << 13;
/// Letters of alphabets up to this size are classes of their own.
const SMALL_ALPHABET: usize = 64;

/// A deterministic automaton over the symbols.
#[derive(Debug, Clone)]
pub struct Automaton {
    /// The class of each symbol. Symbols of a class are alike to all constraints; the end is alone in class 0.
    classes: Vec<u16>,
    class_count: usize,
    /// For each state and class the next state.
    table: Vec<u32>,
    /// Letters of the shortest word.
    shortest: usize,
}

impl Automaton {
    /// Accepts every word over `symbols` symbols, the end among them.
    pub fn anything(symbols: usize) -> Self {
        let classes = (0..symbols).map(|symbol| u16::from(symbol as Symbol != END)).collect();
        Self { classes, class_count: 2, table: vec![0, 0, 0, 0, ACCEPTED, START], shortest: 0 }
    }

    /// Accepts every word that has a letter.
    pub fn not_empty(symbols: usize) -> Self {
        let letters = START + 1;
        let table = vec![0, 0, 0, 0, DEAD, letters, ACCEPTED, letters];
        Self { table, shortest: 1, ..Self::anything(symbols) }
    }

    /// Accepts the words that meet all constraints.
    ///
    /// # Errors
    /// When a constraint is none in this alphabet; when no word of up to `max_letters` letters meets them all, naming
    /// the ones that exclude each other; or when there would be too many states.
    pub fn new(
        alphabet: &Alphabet,
        constraints: &[Constraint],
        max_letters: usize,
    ) -> Result<Self, ConstraintError> {
        let read = |constraint: &Constraint| Ok((constraint.to_string(), constraint.items(alphabet)?));
        let all: Vec<Read> = constraints.iter().map(read).collect::<Result<_, _>>()?;
        let all: Vec<&Read> = all.iter().collect();
        let symbols = alphabet.symbol_count();
        let automaton = Self::build(symbols, &all)?;
        let possible = |automaton: &Option<Self>| {
            automaton.as_ref().is_some_and(|automaton| automaton.shortest <= max_letters)
        };
        if let (true, Some(automaton)) = (possible(&automaton), automaton) {
            return Ok(automaton);
        }
        // The smallest set that is impossible by itself; there are few constraints.
        let mut blamed = all.clone();
        for subset in 1_u32..1 << all.len().min(10) {
            let some: Vec<&Read> = (0..all.len()).filter(|i| subset >> i & 1 == 1).map(|i| all[i]).collect();
            // A part may be more complex than the whole; then it is not to blame.
            let impossible = || matches!(Self::build(symbols, &some), Ok(automaton) if !possible(&automaton));
            if some.len() < blamed.len() && impossible() {
                blamed = some;
            }
        }
        Err(ConstraintError::Impossible { constraints: names(&blamed), max_letters })
    }

    /// The trimmed automaton; none if its language is empty.
    fn build(symbols: usize, constraints: &[&Read]) -> Result<Option<Self>, ConstraintError> {
        let items: Vec<&[Item]> = constraints.iter().map(|(_, items)| items.as_slice()).collect();
        let (classes, members) = classes(symbols, &items);
        let class_count = members.len();
        let mut numbers: HashMap<Vec<u64>, u32, RandomState> = HashMap::default();
        let mut table = vec![DEAD; START as usize * class_count];
        let first = Places::start(&items);
        let mut queue = VecDeque::from([first.clone()]);
        numbers.insert(first.bits, START);
        while let Some(places) = queue.pop_front() {
            let mut row = vec![DEAD; class_count];
            row[0] = if places.complete(&items) { ACCEPTED } else { DEAD };
            for (next, &symbol) in row[1..].iter_mut().zip(&members[1..]) {
                let Some(moved) = places.after(&items, symbol) else { continue };
                let fresh = START + numbers.len() as u32;
                *next = *numbers.entry(moved.bits.clone()).or_insert_with(|| {
                    queue.push_back(moved);
                    fresh
                });
                if numbers.len() > MAX_STATES {
                    return Err(ConstraintError::TooComplex { constraints: names(constraints) });
                }
            }
            table.extend(row);
        }
        let mut automaton = Self { classes, class_count, table, shortest: 0 };
        Ok(automaton.trim().map(|shortest| Self { shortest, ..automaton }))
    }

    /// Sends transitions that lead nowhere to [`DEAD`]; returns the letters of the shortest word, if there is one.
    fn trim(&mut self) -> Option<usize> {
        let states = self.states();
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); states];
        for (source, row) in self.table.chunks_exact(self.class_count).enumerate().skip(START as usize) {
            row.iter().for_each(|&target| sources[target as usize].push(source as u32));
        }
        // Symbols from each state to acceptance.
        let mut distance = vec![usize::MAX; states];
        distance[ACCEPTED as usize] = 0;
        let mut queue = VecDeque::from([ACCEPTED]);
        while let Some(target) = queue.pop_front() {
            for &source in &sources[target as usize] {
                if distance[source as usize] == usize::MAX {
                    distance[source as usize] = distance[target as usize] + 1;
                    queue.push_back(source);
                }
            }
        }
        self.table.iter_mut().for_each(|target| {
            if distance[*target as usize] == usize::MAX {
                *target = DEAD;
            }
        });
        distance.get(START as usize).filter(|&&symbols| symbols != usize::MAX).map(|symbols| symbols - 1)
    }

    /// The state before the first letter.
    pub(crate) fn start(&self) -> u32 {
        START
    }

    /// The number of symbols, the end among them.
    pub(crate) fn symbols(&self) -> usize {
        self.classes.len()
    }

    /// The number of states.
    pub(crate) fn states(&self) -> usize {
        self.table.len() / self.class_count
    }

    /// The number of classes.
    pub(crate) fn class_count(&self) -> usize {
        self.class_count
    }

    /// The class of a symbol.
    pub(crate) fn class(&self, symbol: Symbol) -> u16 {
        self.classes[usize::from(symbol)]
    }

    /// The state after a symbol of a class.
    pub(crate) fn next_by_class(&self, state: u32, class: u16) -> u32 {
        self.table[state as usize * self.class_count + usize::from(class)]
    }

    /// The state after a symbol.
    pub(crate) fn next(&self, state: u32, symbol: Symbol) -> u32 {
        self.next_by_class(state, self.class(symbol))
    }

    /// Whether a word without its end is accepted.
    pub fn accepts(&self, letters: &[Symbol]) -> bool {
        let state = letters.iter().fold(START, |state, &symbol| self.next(state, symbol));
        self.next(state, END) == ACCEPTED
    }
}

/// A constraint's name, and what it allows.
type Read = (String, Vec<Item>);

fn names(constraints: &[&Read]) -> Vec<String> {
    constraints.iter().map(|(name, _)| name.clone()).collect()
}

/// The class of each symbol, and a member of each class.
fn classes(symbols: usize, constraints: &[&[Item]]) -> (Vec<u16>, Vec<Symbol>) {
    if symbols <= SMALL_ALPHABET {
        let own = || (0..symbols).map(|symbol| symbol as u16);
        return (own().collect(), own().collect());
    }
    let sets: Vec<&Vec<bool>> = constraints
        .iter()
        .flat_map(|items| *items)
        .filter_map(|item| if let Item::One(set) = item { Some(set) } else { None })
        .collect();
    let mut numbers: HashMap<(bool, Vec<bool>), u16, RandomState> = HashMap::default();
    let mut members = Vec::new();
    let classes = (0..symbols)
        .map(|symbol| {
            let signature = sets.iter().map(|set| set[symbol]).collect();
            let fresh = members.len() as u16;
            *numbers.entry((symbol == usize::from(END), signature)).or_insert_with(|| {
                members.push(symbol as Symbol);
                fresh
            })
        })
        .collect();
    (classes, members)
}

/// The places that the constraints may have come to: for each a set, as bits, in words of its own.
#[derive(Clone)]
struct Places {
    bits: Vec<u64>,
}

impl Places {
    /// Words that a constraint's places take. The place after the last item is one of them.
    fn words(items: &[Item]) -> usize {
        items.len() / 64 + 1
    }

    fn start(constraints: &[&[Item]]) -> Self {
        let mut places = Self { bits: vec![0; constraints.iter().map(|items| Self::words(items)).sum()] };
        let mut first = 0;
        for items in constraints {
            places.enter(items, first, 0);
            first += Self::words(items);
        }
        places
    }

    fn has(&self, first: usize, place: usize) -> bool {
        self.bits[first + place / 64] >> (place % 64) & 1 == 1
    }

    /// Adds a place, and those that can be reached from it without a letter.
    fn enter(&mut self, items: &[Item], first: usize, place: usize) {
        for place in place.. {
            self.bits[first + place / 64] |= 1 << (place % 64);
            if !matches!(items.get(place), Some(Item::Any | Item::Maybe)) {
                return;
            }
        }
    }

    /// The places after a letter; none if a constraint has come to nothing.
    fn after(&self, constraints: &[&[Item]], symbol: Symbol) -> Option<Self> {
        let mut moved = Self { bits: vec![0; self.bits.len()] };
        let mut first = 0;
        for items in constraints {
            for (place, item) in items.iter().enumerate().filter(|(place, _)| self.has(first, *place)) {
                match item {
                    Item::One(set) if !set[usize::from(symbol)] => {}
                    Item::One(_) | Item::Maybe => moved.enter(items, first, place + 1),
                    Item::Any => moved.enter(items, first, place),
                }
            }
            let words = Self::words(items);
            if moved.bits[first..first + words].iter().all(|&word| word == 0) {
                return None;
            }
            first += words;
        }
        Some(moved)
    }

    /// Whether the word may end here.
    fn complete(&self, constraints: &[&[Item]]) -> bool {
        let mut first = 0;
        constraints.iter().all(|items| {
            let own = self.has(first, items.len());
            first += Self::words(items);
            own
        })
    }
}

#[cfg(test)]
mod tests;
