//! One deterministic automaton for all constraints together.
//!
//! Each constraint becomes a deterministic automaton of its own; this one is their product, of which only states that words can reach are
//! made. Its input is a word's letters and the end. States from which no word can be completed are merged into [`DEAD`], so that
//! a word is given up at the first letter that rules it out. The number of states is bounded.

use std::collections::{HashMap, VecDeque};

use foldhash::fast::RandomState;

use super::classes::Classes;
use super::constraint::{Constraint, ConstraintError, Language, Matcher};
use super::pattern::LetterSet;
use super::transitions::{Transitions, too_large};
use crate::lexicon::{Alphabet, END, Symbol};

/// No word can be completed.
pub(crate) const DEAD: u32 = 0;
/// The word has ended and meets all constraints.
pub(crate) const ACCEPTED: u32 = 1;
const START: u32 = 2;

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

/// A constraint with its name, determinised.
struct Part {
    name: String,
    automata: Vec<Transitions>,
}

impl Automaton {
    /// Accepts every word over `symbols` symbols, the end among them.
    pub(crate) fn anything(symbols: usize) -> Self {
        let classes = (0..symbols).map(|symbol| u16::from(symbol as Symbol != END)).collect();
        Self { classes, class_count: 2, table: vec![0, 0, 0, 0, ACCEPTED, START], shortest: 0 }
    }

    /// Accepts every word that has a letter.
    pub(crate) fn not_empty(symbols: usize) -> Self {
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
        classes: &Classes,
        constraints: &[Constraint],
        max_letters: usize,
    ) -> Result<Self, ConstraintError> {
        let languages: Vec<Vec<Language>> = constraints
            .iter()
            .map(|constraint| constraint.languages(alphabet, classes))
            .collect::<Result<_, _>>()?;
        let classes = LetterClasses::new(alphabet.symbol_count(), languages.iter().flatten());
        let parts: Vec<Part> = constraints
            .iter()
            .zip(&languages)
            .map(|(constraint, languages)| {
                let name = constraint.to_string();
                let automata = languages.iter().map(|language| classes.determinise(language)).collect();
                match automata {
                    Some(automata) => Ok(Part { name, automata }),
                    None => Err(ConstraintError::TooComplex { constraints: vec![name] }),
                }
            })
            .collect::<Result<_, _>>()?;
        let all: Vec<&Part> = parts.iter().collect();
        let possible = |automaton: &Option<Self>| {
            automaton.as_ref().is_some_and(|automaton| automaton.shortest <= max_letters)
        };
        let automaton = Self::build(&classes, &all)?;
        if let (true, Some(automaton)) = (possible(&automaton), automaton) {
            return Ok(automaton);
        }
        // Without each of those that are left to blame there would be words. A part may be more complex than the whole; then
        // it is not looked into.
        let impossible =
            |parts: &[&Part]| matches!(Self::build(&classes, parts), Ok(found) if !possible(&found));
        let mut blamed = all;
        if let Some(&alone) = blamed.iter().find(|part| impossible(&[part])) {
            blamed = vec![alone];
        }
        for index in (0..blamed.len()).rev() {
            let fewer: Vec<&Part> = [&blamed[..index], &blamed[index + 1..]].concat();
            if !fewer.is_empty() && impossible(&fewer) {
                blamed = fewer;
            }
        }
        Err(ConstraintError::Impossible { constraints: names(&blamed), max_letters })
    }

    /// The trimmed automaton; none if its language is empty.
    fn build(classes: &LetterClasses, parts: &[&Part]) -> Result<Option<Self>, ConstraintError> {
        let automata: Vec<&Transitions> = parts.iter().flat_map(|part| &part.automata).collect();
        if !automata.iter().all(|automaton| automaton.is_possible()) {
            return Ok(None);
        }
        let class_count = classes.members.len();
        let mut numbers: HashMap<Box<[u32]>, u32, RandomState> = HashMap::default();
        let mut table = vec![DEAD; START as usize * class_count];
        let first: Box<[u32]> = vec![0; automata.len()].into();
        let mut queue = VecDeque::from([first.clone()]);
        numbers.insert(first, START);
        let mut moved: Vec<u32> = Vec::new();
        while let Some(places) = queue.pop_front() {
            let mut both = automata.iter().zip(&places);
            table.push(if both.all(|(automaton, &place)| automaton.accepts(place)) {
                ACCEPTED
            } else {
                DEAD
            });
            for class in 1..class_count {
                moved.clear();
                let next = automata
                    .iter()
                    .zip(&places)
                    .map_while(|(automaton, &place)| automaton.next(place, class));
                moved.extend(next);
                if moved.len() < automata.len() {
                    table.push(DEAD);
                    continue;
                }
                let number = numbers.get(moved.as_slice()).copied().unwrap_or_else(|| {
                    let (fresh, moved) = (START + numbers.len() as u32, moved.clone().into_boxed_slice());
                    queue.push_back(moved.clone());
                    numbers.insert(moved, fresh);
                    fresh
                });
                table.push(number);
            }
            if too_large(numbers.len(), class_count) {
                return Err(ConstraintError::TooComplex { constraints: names(parts) });
            }
        }
        let mut automaton = Self { classes: classes.of.clone(), class_count, table, shortest: 0 };
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
fn names(parts: &[&Part]) -> Vec<String> {
    parts.iter().map(|part| part.name.clone()).collect()
}

/// Letters that are alike to all constraints.
struct LetterClasses {
    /// The class of each symbol; the end is class 0.
    of: Vec<u16>,
    /// A symbol of each class.
    members: Vec<Symbol>,
}

impl LetterClasses {
    fn new<'l>(symbols: usize, languages: impl Iterator<Item = &'l Language>) -> Self {
        let own = || (0..symbols).map(|symbol| symbol as u16);
        if symbols <= SMALL_ALPHABET {
            return Self { of: own().collect(), members: own().collect() };
        }
        // A letter that a constraint names is alone in its class; the others are told apart by the sets that they are in.
        let mut alone = vec![false; symbols];
        let mut sets: Vec<&[bool]> = Vec::new();
        for language in languages {
            match &language.matcher {
                Matcher::Strings(strings) => {
                    strings.iter().flatten().for_each(|&s| alone[usize::from(s)] = true)
                }
                Matcher::Program(program) => program.sets().for_each(|set| match set {
                    LetterSet::Any => {}
                    LetterSet::One(symbol) => alone[usize::from(*symbol)] = true,
                    // Repetitions share their set.
                    LetterSet::Some(members) if sets.iter().any(|known| std::ptr::eq(*known, &**members)) => {
                    }
                    LetterSet::Some(members) => sets.push(members),
                }),
            }
        }
        let mut numbers: HashMap<(usize, Vec<bool>), u16, RandomState> = HashMap::default();
        let mut members = Vec::new();
        let of = own()
            .map(|symbol| {
                let index = usize::from(symbol);
                let lone = if symbol == END || alone[index] { index + 1 } else { 0 };
                let signature =
                    if lone > 0 { Vec::new() } else { sets.iter().map(|set| set[index]).collect() };
                let fresh = members.len() as u16;
                *numbers.entry((lone, signature)).or_insert_with(|| {
                    members.push(symbol);
                    fresh
                })
            })
            .collect();
        Self { of, members }
    }

    /// The automaton of a language; none if it would be too large.
    fn determinise(&self, language: &Language) -> Option<Transitions> {
        match &language.matcher {
            Matcher::Program(program) => program.determinise(&self.members, language.negated),
            Matcher::Strings(strings) => {
                Transitions::of_strings(strings, &self.of, self.members.len(), language.negated)
            }
        }
    }
}

#[cfg(test)]
mod tests;
