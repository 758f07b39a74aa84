//! The choice among candidates: optimal assignment, repeated until small differences do not all go the same way, and neighbours in the
//! list do not give words away.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::super::assignment::{Edge, assign};
use super::super::parallel;
use super::super::word_index::{Found, Search, WordIndex};
use super::super::words::Measures;
use super::nearest_edges::{NearestEdges, Squares};
use super::pool::{Pool, Target};
use super::resemblance::Resemblance;
use super::{MatchRequest, MatchStage, Watch, fresh};
use crate::Result;
use crate::lexicon::{Alphabet, Symbol};

/// Candidates that a target may get: the nearest, so many for each that it wants.
const NEAREST_EACH: usize = 20;
const MIN_NEAREST: usize = 60;
/// How often the list is assigned anew, with the targets moved.
const ROUNDS: usize = 16;
/// What the square of a mean difference, or of the lean of the list, weighs against the mean of the squared differences.
const TRACE_WEIGHT: f64 = 20.0;
/// What a share of words among a pseudoword's neighbours costs after one round with a lean of 1.
const LEAN_STEP: f64 = 0.5;
/// How often pseudowords that are too like each other are given up for others.
const REPAIRS: usize = 30;

pub(super) type Chosen = Vec<Vec<u32>>;
type Banned = HashSet<u32, RandomState>;

/// What the next assignment aims at.
#[derive(Clone, Default)]
struct Aim {
    /// How far the targets are moved.
    shift: Vec<f64>,
    /// What it costs a pseudoword to have no words for its neighbours in the list of the last round; if negative, to have them.
    company: f64,
    last: Chosen,
}

/// The candidates of each target.
pub(super) fn choose(
    measures: &Measures,
    pool: &mut Pool,
    request: &MatchRequest,
    watch: &mut Watch<'_>,
) -> Result<Chosen> {
    watch.tell(MatchStage::Assignment, 0.0)?;
    let threads = measures.settings().execution.threads;
    let (model, _) = measures.makers()?;
    let mut banned = Banned::default();
    if !model.model.is_exact() {
        rescore(measures, pool, request, threads, &mut banned)?;
    }
    let pool: &Pool = pool;
    let resemblance = Resemblance::new(pool, &model.alphabet, request.per_target, threads);
    let choice = Choice::new(pool, request, threads, resemblance);
    let mut aim = Aim { shift: vec![0.0; request.criteria.len()], ..Aim::default() };
    let mut best = None::<(f64, Aim)>;
    for round in 0..ROUNDS {
        watch.tell(MatchStage::Assignment, 0.8 * round as f64 / ROUNDS as f64)?;
        let chosen = choice.assign(&aim, &banned);
        let means = choice.mean_differences(&chosen);
        let lean = choice.resemblance.as_ref().map_or(0.0, |list| list.lean(&chosen));
        let trace = means.iter().map(|mean| mean * mean).sum::<f64>() + lean * lean;
        let worth = choice.mean_cost(&chosen) + TRACE_WEIGHT * trace;
        if best.as_ref().is_none_or(|(least, _)| worth < *least) {
            best = Some((worth, Aim { last: chosen.clone(), ..aim.clone() }));
        }
        // Half a step too far is put right by the next one.
        aim.shift.iter_mut().zip(&means).for_each(|(shift, mean)| *shift += mean);
        aim.company += LEAN_STEP * lean;
        aim.last = chosen;
    }
    let Some((_, aim)) = best else { return Ok(Vec::new()) };
    if request.apart < 2 {
        return Ok(aim.last);
    }
    choice.spread(&aim, &mut banned, watch)
}

/// Where scores are estimates, those of the nearest candidates are estimated again: what looked near because its estimate came out wrong
/// must not be chosen for it. Other candidates are out.
fn rescore(
    measures: &Measures,
    pool: &mut Pool,
    request: &MatchRequest,
    threads: usize,
    banned: &mut Banned,
) -> Result<()> {
    let choice = Choice::new(pool, request, threads, None);
    let still = vec![0.0; request.criteria.len()];
    let edges = choice.edges(&still, banned);
    let mut near: Vec<u32> = edges.iter().flatten().map(|edge| edge.column).collect();
    near.sort_unstable();
    near.dedup();
    let words: Vec<&str> = near.iter().map(|&index| pool.candidates[index as usize].word.as_str()).collect();
    let measured = measures.rows(&pool.columns(), &words, fresh(measures.settings(), 1))?;
    *banned = (0..pool.candidates.len() as u32).collect();
    for (index, measured) in near.into_iter().zip(measured) {
        if let Ok(measured) = measured {
            banned.remove(&index);
            pool.candidates[index as usize].point = pool.point(&measured);
        }
    }
    Ok(())
}

struct Choice<'p> {
    pool: &'p Pool,
    request: &'p MatchRequest,
    threads: usize,
    resemblance: Option<Resemblance<'p>>,
    /// Of each group.
    squares: Vec<Squares>,
}

impl<'p> Choice<'p> {
    fn new(
        pool: &'p Pool,
        request: &'p MatchRequest,
        threads: usize,
        resemblance: Option<Resemblance<'p>>,
    ) -> Self {
        let squares = pool.groups.iter().map(|group| Squares::new(pool, group)).collect();
        Self { pool, request, threads, resemblance, squares }
    }

    /// For each target, moved by the shift, the nearest candidates.
    fn edges(&self, shift: &[f64], banned: &Banned) -> Vec<Vec<Edge>> {
        let most = (NEAREST_EACH * self.request.per_target).max(MIN_NEAREST);
        parallel::map(&self.pool.targets, self.threads, |target: &Target| {
            let mut nearest = NearestEdges::new(most);
            let squares = self.squares[target.group].of(&target.point, shift);
            for (&column, square) in self.pool.groups[target.group].candidates.iter().zip(squares) {
                if square <= nearest.bound && !banned.contains(&column) {
                    let other = &self.pool.candidates[column as usize].point;
                    nearest.add(Edge { column, cost: self.pool.cost(target, other, shift) });
                }
            }
            nearest.sorted()
        })
    }

    fn assign(&self, aim: &Aim, banned: &Banned) -> Chosen {
        let mut edges = self.edges(&aim.shift, banned);
        if let Some(list) = self.resemblance.as_ref().filter(|_| aim.company != 0.0) {
            list.charge(&mut edges, aim.company, &aim.last);
        }
        assign(&edges, self.request.per_target)
    }

    /// All pairs of a target and a candidate.
    fn pairs<'c>(
        &'c self,
        chosen: &'c Chosen,
    ) -> impl Iterator<Item = (&'c Target, &'c super::pool::Candidate)> {
        self.pool.targets.iter().zip(chosen).flat_map(move |(target, own)| {
            own.iter().map(move |&index| (target, &self.pool.candidates[index as usize]))
        })
    }

    /// The mean of each criterion's differences, in units of its scale.
    fn mean_differences(&self, chosen: &Chosen) -> Vec<f64> {
        let count = self.pairs(chosen).count().max(1) as f64;
        (0..self.request.criteria.len())
            .map(|index| {
                if self.request.criteria[index].measure.is_profile() {
                    return 0.0;
                }
                let difference = |(target, other): (&Target, &super::pool::Candidate)| {
                    other.point.figures[index] - target.point.figures[index]
                };
                self.pairs(chosen).map(difference).sum::<f64>() / count
            })
            .collect()
    }

    fn mean_cost(&self, chosen: &Chosen) -> f64 {
        let still = vec![0.0; self.request.criteria.len()];
        let costs = self.pairs(chosen).map(|(target, other)| self.pool.cost(target, &other.point, &still));
        costs.sum::<f64>() / self.pairs(chosen).count().max(1) as f64
    }

    /// Gives up pseudowords that are too like another one, until none is.
    fn spread(&self, aim: &Aim, banned: &mut Banned, watch: &mut Watch<'_>) -> Result<Chosen> {
        let mut chosen = aim.last.clone();
        for round in 0..REPAIRS {
            watch.tell(MatchStage::Assignment, 0.8 + 0.2 * round as f64 / REPAIRS as f64)?;
            let near = self.too_near(&chosen);
            if near.is_empty() {
                return Ok(chosen);
            }
            banned.extend(near);
            chosen = self.assign(aim, banned);
        }
        let near: Banned = self.too_near(&chosen).into_iter().collect();
        chosen.iter_mut().for_each(|own| own.retain(|index| !near.contains(index)));
        Ok(chosen)
    }

    /// Of pseudowords that are too near to each other, all but the first.
    fn too_near(&self, chosen: &Chosen) -> Vec<u32> {
        let all: Vec<u32> = chosen.iter().flatten().copied().collect();
        let text = |index: &u32| self.pool.candidates[*index as usize].word.as_str();
        let Ok(alphabet) = Alphabet::of_words(all.iter().map(text)) else { return Vec::new() };
        let spelt: Vec<Vec<Symbol>> =
            all.iter().filter_map(|index| alphabet.encode(text(index)).ok()).collect();
        let index = WordIndex::of((0..).zip(spelt.iter().map(Vec::as_slice)));
        let places: Vec<usize> = (0..spelt.len()).collect();
        let near = parallel::map(&places, self.threads, |&place| {
            let mut earlier = Earlier { place, bound: self.request.apart - 1, is_there: false };
            index.search(&spelt[place], &mut earlier);
            earlier.is_there
        });
        all.into_iter().zip(near).filter(|(_, near)| *near).map(|(index, _)| index).collect()
    }
}

/// A search for words that come before a place in a list.
struct Earlier {
    place: usize,
    bound: usize,
    is_there: bool,
}

impl Search for Earlier {
    fn bound(&self) -> usize {
        self.bound
    }

    fn take(&mut self, found: Found<'_>) {
        self.is_there |= found.ids().any(|id| (id as usize) < self.place);
    }
}
