//! Optimal assignment: each row gets columns of its own, and the sum of the costs is the smallest that there is.
//!
//! Rows are augmented one after the other along shortest paths with reduced costs (Jonker & Volgenant 1987), on the few columns that each
//! row can have.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use foldhash::fast::RandomState;

/// A column that a row can have, and what it costs, which is not negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Edge {
    pub(crate) column: u32,
    pub(crate) cost: f64,
}

/// The `each` columns of every row, or fewer where there are not enough; none comes twice. As many rows as possible get theirs.
pub(crate) fn assign(rows: &[Vec<Edge>], each: usize) -> Vec<Vec<u32>> {
    let mut work = Assignment { rows, each, ..Assignment::default() };
    // Every row's first column before any row's second.
    for unit in (0..each).flat_map(|copy| (0..rows.len()).map(move |row| row * each + copy)) {
        work.augment(unit);
    }
    let mut found = vec![Vec::new(); rows.len()];
    let mut matched: Vec<(u32, usize)> =
        work.columns.iter().filter_map(|(&c, own)| Some((c, own.unit?))).collect();
    matched.sort_unstable();
    matched.into_iter().for_each(|(column, unit)| found[unit / each].push(column));
    found
}

#[derive(Default)]
struct Assignment<'a> {
    rows: &'a [Vec<Edge>],
    each: usize,
    columns: HashMap<u32, Column, RandomState>,
    /// Prices of the units.
    prices: HashMap<usize, f64, RandomState>,
    /// The columns of the units that have one.
    taken: HashMap<usize, u32, RandomState>,
}

#[derive(Clone, Copy, Default)]
struct Column {
    /// Which copy of a row has it.
    unit: Option<usize>,
    price: f64,
}

/// A column on the way, nearest first.
#[derive(PartialEq)]
struct Reached {
    distance: f64,
    column: u32,
}

impl Eq for Reached {}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance).then_with(|| other.column.cmp(&self.column))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Assignment<'_> {
    /// Gives a unit a column, and others another one where that is cheaper.
    fn augment(&mut self, first: usize) {
        let mut reached: HashMap<u32, (f64, usize), RandomState> = HashMap::default();
        let mut done: Vec<(u32, f64)> = Vec::new();
        let mut is_done: HashMap<u32, (), RandomState> = HashMap::default();
        let mut heap = BinaryHeap::new();
        let (mut unit, mut distance) = (first, 0.0);
        let free = loop {
            let price = self.prices.get(&unit).copied().unwrap_or(0.0);
            for edge in &self.rows[unit / self.each] {
                let column = self.columns.get(&edge.column).copied().unwrap_or_default();
                let there = distance + (edge.cost - price - column.price).max(0.0);
                if is_done.contains_key(&edge.column)
                    || reached.get(&edge.column).is_some_and(|old| old.0 <= there)
                {
                    continue;
                }
                reached.insert(edge.column, (there, unit));
                heap.push(Reached { distance: there, column: edge.column });
            }
            let next = loop {
                match heap.pop() {
                    None => break None,
                    Some(next) if is_done.contains_key(&next.column) => {}
                    Some(next) => break Some(next),
                }
            };
            // All that can be reached is taken: the unit stays without.
            let Some(Reached { distance: there, column }) = next else { return };
            distance = there;
            is_done.insert(column, ());
            match self.columns.get(&column).and_then(|own| own.unit) {
                None => break column,
                Some(other) => unit = other,
            }
            done.push((column, there));
        };
        *self.prices.entry(first).or_default() += distance;
        for (column, there) in done {
            if let Some(own) = self.columns.get_mut(&column) {
                own.price -= distance - there;
                if let Some(unit) = own.unit {
                    *self.prices.entry(unit).or_default() += distance - there;
                }
            }
        }
        let mut column = free;
        loop {
            let unit = reached[&column].1;
            self.columns.entry(column).or_default().unit = Some(unit);
            match self.taken.insert(unit, column) {
                Some(before) => column = before,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The most units that can be served, and their smallest cost, by trying everything.
    fn brute_force(rows: &[Vec<Edge>], units: &[usize], taken: &mut Vec<u32>) -> (usize, f64) {
        let Some((&row, rest)) = units.split_first() else { return (0, 0.0) };
        let mut best = brute_force(rows, rest, taken);
        for edge in &rows[row] {
            if !taken.contains(&edge.column) {
                taken.push(edge.column);
                let (served, cost) = brute_force(rows, rest, taken);
                taken.pop();
                if served + 1 > best.0 || served + 1 == best.0 && cost + edge.cost < best.1 {
                    best = (served + 1, cost + edge.cost);
                }
            }
        }
        best
    }

    proptest! {
        #[test]
        fn no_other_assignment_is_cheaper(
            costs in prop::collection::vec(prop::collection::vec(prop::option::weighted(0.8, 0u32..50), 6), 1..4),
            each in 1usize..3,
        ) {
            let rows: Vec<Vec<Edge>> = costs
                .iter()
                .map(|row| (0..).zip(row).filter_map(|(column, cost)| Some(Edge { column, cost: f64::from((*cost)?) })).collect())
                .collect();
            let found = assign(&rows, each);
            let mut all: Vec<u32> = found.concat();
            let served = all.len();
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(all.len(), served, "a column comes twice");
            let cost = |row: usize, column: u32| rows[row].iter().find(|edge| edge.column == column).unwrap().cost;
            let total: f64 =
                found.iter().enumerate().flat_map(|(row, own)| own.iter().map(move |&column| (row, column))).map(|(r, c)| cost(r, c)).sum();
            let units: Vec<usize> = (0..rows.len()).flat_map(|row| std::iter::repeat_n(row, each)).collect();
            let (most, least) = brute_force(&rows, &units, &mut Vec::new());
            prop_assert_eq!(served, most);
            // Where some unit must go without, which one it is may cost.
            if most == units.len() {
                prop_assert!((total - least).abs() < 1e-9, "{} instead of {}", total, least);
            }
        }
    }

    #[test]
    fn a_wish_gives_way_to_the_whole() {
        let edge = |column, cost| Edge { column, cost };
        // The first row is a little better off with column 0, the second has nothing else.
        let rows = [vec![edge(0, 1.0), edge(1, 1.5)], vec![edge(0, 2.0)]];
        assert_eq!(assign(&rows, 1), [[1], [0]]);
        assert_eq!(assign(&rows, 2), [vec![1], vec![0]]);
        assert_eq!(assign(&[vec![], vec![edge(7, 0.0)]], 1), [vec![], vec![7]]);
    }
}
