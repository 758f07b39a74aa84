//! The candidates that are nearest to a target, out of tens of thousands.

use super::super::assignment::Edge;
use super::pool::{Group, Point, Pool};

/// Candidates that are looked at together.
const CHUNK: usize = 64;
/// How far a sum that is computed in another order may be off, at the very most.
const TOLERANCE: f64 = 1e-6;

/// What costs begin with: squared differences in the criteria that are numbers, without those that are lists of numbers. Of each such criterion
/// the figures of all candidates of a group lie side by side, times the root of its weight.
pub(super) struct Squares(Vec<(usize, f64, Vec<f64>)>);

impl Squares {
    pub(super) fn new(pool: &Pool, group: &Group) -> Self {
        let numbers =
            pool.criteria.iter().enumerate().filter(|(_, criterion)| !criterion.measure.is_profile());
        let figures = numbers.map(|(index, criterion)| {
            let root = criterion.weight.sqrt();
            let points = group.candidates.iter().map(|&column| &pool.candidates[column as usize].point);
            (index, root, points.map(|point| root * point.figures[index]).collect())
        });
        Self(figures.collect())
    }

    /// For each candidate, what it costs a target that is moved, and no less than this.
    pub(super) fn of(&self, target: &Point, shift: &[f64]) -> impl Iterator<Item = f64> {
        let moved = |(index, root, _): &(usize, f64, _)| root * (target.figures[*index] - shift[*index]);
        let own: Vec<f64> = self.0.iter().map(moved).collect();
        let count = self.0.first().map_or(usize::MAX, |(.., figures)| figures.len());
        (0..count).step_by(CHUNK).flat_map(move |start| {
            let mut squares = [0.0; CHUNK];
            for ((.., figures), own) in self.0.iter().zip(&own) {
                for (square, figure) in squares.iter_mut().zip(&figures[start..]) {
                    *square += (figure - own) * (figure - own);
                }
            }
            squares
        })
    }
}

/// The cheapest of the edges that are added.
pub(super) struct NearestEdges {
    most: usize,
    edges: Vec<Edge>,
    /// What costs more than this is not among them.
    pub(super) bound: f64,
}

fn by_cost(left: &Edge, right: &Edge) -> std::cmp::Ordering {
    left.cost.total_cmp(&right.cost).then_with(|| left.column.cmp(&right.column))
}

impl NearestEdges {
    pub(super) fn new(most: usize) -> Self {
        Self { most, edges: Vec::with_capacity(2 * most), bound: f64::INFINITY }
    }

    /// Adds an edge, unless it is one that cannot be taken.
    pub(super) fn add(&mut self, edge: Edge) {
        if edge.cost.is_finite() {
            self.edges.push(edge);
        }
        if self.edges.len() == 2 * self.most {
            let (_, last, _) = self.edges.select_nth_unstable_by(self.most - 1, by_cost);
            self.bound = last.cost * (1.0 + TOLERANCE) + TOLERANCE;
            self.edges.truncate(self.most);
        }
    }

    pub(super) fn sorted(mut self) -> Vec<Edge> {
        self.edges.sort_unstable_by(by_cost);
        self.edges.truncate(self.most);
        self.edges
    }
}
