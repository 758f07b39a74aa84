//! A nondeterministic automaton, as a program whose steps read letters or branch, and its determinisation.

use std::collections::{HashMap, VecDeque};

use foldhash::fast::RandomState;

use super::pattern::{Expression, LetterSet};
use super::transitions::{MAX_STATES, Transitions, too_large};
use crate::lexicon::Symbol;

/// The most steps of a program.
pub(crate) const MAX_STEPS: usize = 20_000;
/// The most moves of single places while states are made: what takes longer is refused.
const MAX_MOVES: usize = 60_000_000;

/// A step.
#[derive(Debug, Clone)]
enum Step {
    /// Reads one of these letters and goes on with the next step.
    Letter(LetterSet),
    /// Goes on at both places.
    Split(u32, u32),
    /// The word may end here.
    Accept,
}

/// Steps; the first is where words begin.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    steps: Vec<Step>,
}

/// There would be too many steps.
#[derive(Debug)]
pub(crate) struct TooLong;

impl Program {
    /// The program of a pattern.
    pub(crate) fn new(expression: &Expression) -> Result<Self, TooLong> {
        let mut program = Self::default();
        program.compile(expression)?;
        program.push(Step::Accept)?;
        Ok(program)
    }

    /// Accepts what can be made from a word with up to so many letters replaced, put in or left out.
    pub(crate) fn within(word: &[Symbol], edits: usize) -> Result<Self, TooLong> {
        // Each pair (letters of the word done, edits) has a place of eight steps.
        const PLACE: usize = 8;
        let mut program = Self::default();
        let at = |letter: usize, edit: usize| ((edit * (word.len() + 1) + letter) * PLACE) as u32;
        let jump = |target| Step::Split(target, target);
        for edit in 0..=edits {
            for letter in 0..=word.len() {
                let here = at(letter, edit);
                let (more, left) = (edit < edits, letter < word.len());
                // 0: own letter | 3; 3: any letter, replaced or put in | 7: left out, or the end.
                let steps = [
                    if left { Step::Split(here + 1, here + 3) } else { jump(here + 3) },
                    Step::Letter(if left { LetterSet::One(word[letter]) } else { LetterSet::Any }),
                    jump(at((letter + 1).min(word.len()), edit)),
                    if more { Step::Split(here + 4, here + 6) } else { jump(here + 6) },
                    Step::Letter(LetterSet::Any),
                    if left && more {
                        Step::Split(at(letter + 1, edit + 1), at(letter, edit + 1))
                    } else {
                        jump(at(letter, (edit + 1).min(edits)))
                    },
                    if left && more {
                        Step::Split(at(letter + 1, edit + 1), here + 7)
                    } else {
                        jump(here + 7)
                    },
                    if left { jump(here + 7) } else { Step::Accept },
                ];
                steps.into_iter().try_for_each(|step| program.push(step))?;
            }
        }
        Ok(program)
    }

    fn push(&mut self, step: Step) -> Result<(), TooLong> {
        self.steps.push(step);
        if self.steps.len() > MAX_STEPS { Err(TooLong) } else { Ok(()) }
    }

    fn compile(&mut self, expression: &Expression) -> Result<(), TooLong> {
        match expression {
            Expression::Letter(set) => self.push(Step::Letter(set.clone())),
            Expression::Sequence(parts) => parts.iter().try_for_each(|part| self.compile(part)),
            Expression::Alternatives(all) => {
                let mut ends = Vec::new();
                for (index, one) in all.iter().enumerate() {
                    if index + 1 == all.len() {
                        self.compile(one)?;
                        break;
                    }
                    let split = self.hole()?;
                    self.compile(one)?;
                    ends.push(self.hole()?);
                    self.fill(split, split + 1, self.steps.len());
                }
                ends.into_iter().for_each(|end| self.fill(end, self.steps.len(), self.steps.len()));
                Ok(())
            }
            Expression::Repeat(inner, least, most) => {
                (0..*least).try_for_each(|_| self.compile(inner))?;
                let Some(most) = most else {
                    let split = self.hole()?;
                    self.compile(inner)?;
                    let back = self.hole()?;
                    self.fill(back, split, split);
                    self.fill(split, split + 1, self.steps.len());
                    return Ok(());
                };
                let mut splits = Vec::new();
                for _ in *least..*most {
                    splits.push(self.hole()?);
                    self.compile(inner)?;
                }
                splits.into_iter().for_each(|split| self.fill(split, split + 1, self.steps.len()));
                Ok(())
            }
        }
    }

    /// A branch whose targets are not known yet.
    fn hole(&mut self) -> Result<usize, TooLong> {
        self.push(Step::Split(0, 0))?;
        Ok(self.steps.len() - 1)
    }

    fn fill(&mut self, hole: usize, one: usize, other: usize) {
        self.steps[hole] = Step::Split(one as u32, other as u32);
    }

    /// The sets of letters that make a difference.
    pub(crate) fn sets(&self) -> impl Iterator<Item = &LetterSet> {
        self.steps.iter().filter_map(|step| if let Step::Letter(set) = step { Some(set) } else { None })
    }

    /// The deterministic automaton over classes of letters, of which `members` has one each, the end first; none if it would be too large.
    pub(crate) fn determinise(&self, members: &[Symbol], negated: bool) -> Option<Transitions> {
        let classes = members.len();
        let mut numbers: HashMap<Vec<u32>, u32, RandomState> = HashMap::default();
        let mut marks = vec![0_u32; self.steps.len()];
        let (mut round, mut moves) = (0, 0);
        let mut first = Vec::new();
        self.enter(0, &mut first, &mut marks, 1);
        first.sort_unstable();
        let mut queue = VecDeque::from([first.clone()]);
        numbers.insert(first, 0);
        let (mut table, mut accepting) = (Vec::new(), Vec::new());
        round += 1;
        let mut moved = Vec::new();
        while let Some(places) = queue.pop_front() {
            let ends = places.iter().any(|&place| matches!(self.steps[place as usize], Step::Accept));
            accepting.push(ends != negated);
            table.push(0);
            for &symbol in &members[1..] {
                moved.clear();
                round += 1;
                for &place in &places {
                    if let Step::Letter(set) = &self.steps[place as usize]
                        && set.has(symbol)
                    {
                        self.enter(place + 1, &mut moved, &mut marks, round);
                    }
                }
                moves += places.len() + 4 * moved.len();
                moved.sort_unstable();
                let fresh = numbers.len() as u32;
                let next = match numbers.get(moved.as_slice()) {
                    Some(&known) => known,
                    None => {
                        numbers.insert(moved.clone(), fresh);
                        queue.push_back(moved.clone());
                        fresh
                    }
                };
                table.push(next);
            }
            if moves > MAX_MOVES || numbers.len() > MAX_STATES || too_large(numbers.len(), classes) {
                return None;
            }
        }
        Some(Transitions::new(table, classes, accepting))
    }

    /// Adds a place, or those that it branches to.
    fn enter(&self, place: u32, places: &mut Vec<u32>, marks: &mut [u32], round: u32) {
        let mut open = vec![place];
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut marks[place as usize], round) == round {
                continue;
            }
            match self.steps[place as usize] {
                Step::Split(one, other) => open.extend([other, one]),
                Step::Letter(_) | Step::Accept => places.push(place),
            }
        }
    }
}
