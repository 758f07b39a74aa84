//! A deterministic automaton of one constraint, and the one that finds many strings at once (Aho & Corasick 1975).

use std::collections::VecDeque;

use crate::lexicon::Symbol;

/// The most states of one constraint.
pub(crate) const MAX_STATES: usize = 1 << 18;
/// The most transitions of an automaton: what would be larger is refused.
const MAX_TRANSITIONS: usize = 1 << 24;

/// Whether so many states would have too many transitions.
pub(crate) fn too_large(states: usize, classes: usize) -> bool {
    states.saturating_mul(classes) > MAX_TRANSITIONS
}

/// For each state and class of letters the next state; words begin in state 0.
#[derive(Debug)]
pub(crate) struct Transitions {
    table: Vec<u32>,
    classes: usize,
    accepting: Vec<bool>,
    /// Whether a word can still be completed.
    live: Vec<bool>,
}

impl Transitions {
    /// The column of class 0, the end, is not used.
    pub(crate) fn new(table: Vec<u32>, classes: usize, accepting: Vec<bool>) -> Self {
        let states = accepting.len();
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); states];
        for (source, row) in table.chunks_exact(classes).enumerate() {
            row[1..].iter().for_each(|&target| sources[target as usize].push(source as u32));
        }
        let mut live = accepting.clone();
        let mut open: Vec<usize> = (0..states).filter(|&state| live[state]).collect();
        while let Some(target) = open.pop() {
            for &source in &sources[target] {
                if !std::mem::replace(&mut live[source as usize], true) {
                    open.push(source as usize);
                }
            }
        }
        Self { table, classes, accepting, live }
    }

    /// Accepts words that have one of the strings, or, negated, those that have none; nothing if it would be too large.
    pub(crate) fn of_strings(
        strings: &[Vec<Symbol>],
        class_of: &[u16],
        classes: usize,
        negated: bool,
    ) -> Option<Self> {
        const NONE: u32 = u32::MAX;
        const FOUND: u32 = 1;
        // The root and the state of those that have one.
        let mut table = vec![NONE; 2 * classes];
        table[classes..].fill(FOUND);
        let mut ends = vec![false, true];
        for string in strings {
            let mut node = 0;
            for &symbol in string {
                let place = node as usize * classes + usize::from(class_of[usize::from(symbol)]);
                if table[place] == NONE {
                    table[place] = ends.len() as u32;
                    table.extend(std::iter::repeat_n(NONE, classes));
                    ends.push(false);
                    if too_large(ends.len(), classes) {
                        return None;
                    }
                }
                node = table[place];
            }
            ends[node as usize] = true;
        }
        // In the order of depth, so that the state to fall back to is complete.
        let mut fallback = vec![0_u32; ends.len()];
        let mut queue = VecDeque::from([0_u32]);
        while let Some(node) = queue.pop_front() {
            for class in 1..classes {
                let place = node as usize * classes + class;
                let other =
                    if node == 0 { 0 } else { table[fallback[node as usize] as usize * classes + class] };
                if table[place] == NONE {
                    table[place] = other;
                } else {
                    let child = table[place];
                    fallback[child as usize] = other;
                    ends[child as usize] |= ends[other as usize];
                    queue.push_back(child);
                }
            }
        }
        table.iter_mut().for_each(|target| {
            *target = if *target == NONE {
                0
            } else if ends[*target as usize] {
                FOUND
            } else {
                *target
            };
        });
        if ends[0] {
            // Every word has the empty string.
            table[..classes].fill(FOUND);
        }
        let accepting = ends.iter().map(|&found| found != negated).collect();
        Some(Self::new(table, classes, accepting))
    }

    /// The state after a letter of a class; none if no word can be completed from there.
    pub(crate) fn next(&self, state: u32, class: usize) -> Option<u32> {
        let next = self.table[state as usize * self.classes + class];
        self.live[next as usize].then_some(next)
    }

    /// Whether the word may end.
    pub(crate) fn accepts(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// Whether there is any word.
    pub(crate) fn is_possible(&self) -> bool {
        self.live.first() == Some(&true)
    }
}
