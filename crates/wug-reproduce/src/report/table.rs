//! Tables of a report: cells with what was found here and what the paper has.

use serde::Serialize;

use crate::statistics::rounded;
use crate::{Quantity, Row, Statistics};

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// Its heading.
    pub title: String,
    /// What is in it.
    pub about: String,
    /// Names of the columns after the first.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<TableRow>,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableRow {
    /// The name.
    pub label: String,
    /// One cell for each column.
    pub cells: Vec<Cell>,
}

/// What was found here, and below it what the paper has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// What was found here.
    pub here: Here,
    /// As the paper prints it; none where it has no such number.
    pub paper: Option<String>,
}

/// What was found here.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Here {
    /// A number.
    Value {
        /// The number over all runs that did not diverge.
        #[serde(flatten)]
        statistics: Statistics,
        /// Digits after the point that are shown.
        #[serde(skip)]
        decimals: usize,
        /// Runs that diverged.
        diverged: usize,
    },
    /// Every run diverged.
    Diverged(usize),
    /// There is no result.
    NotRun,
    /// There is no such number.
    Nothing,
}

impl Table {
    /// Leaves out the rows and columns in which nothing was found; none if there is nothing else.
    pub(super) fn pruned(mut self) -> Option<Self> {
        self.rows.retain(|row| row.cells.iter().any(|cell| cell.here.is_found()));
        let kept: Vec<bool> = (0..self.columns.len())
            .map(|column| self.rows.iter().any(|row| row.cells[column].here.is_found()))
            .collect();
        let mut flags = kept.iter();
        self.columns.retain(|_| flags.next() == Some(&true));
        for row in &mut self.rows {
            let mut flags = kept.iter();
            row.cells.retain(|_| flags.next() == Some(&true));
        }
        (!self.rows.is_empty()).then_some(self)
    }
}

impl Cell {
    /// A quantity of a row.
    pub(super) fn of(row: &Row<'_>, quantity: Quantity, decimals: usize, paper: Option<String>) -> Self {
        Self { here: Here::of(row, &row.values(quantity), decimals), paper }
    }

    /// A number that does not vary from run to run.
    pub(super) fn fixed(number: Option<f64>, decimals: usize, paper: Option<String>) -> Self {
        let here = match number {
            Some(mean) => {
                let statistics = Statistics { runs: 1, mean, deviation: None };
                Here::Value { statistics, decimals, diverged: 0 }
            }
            None => Here::Nothing,
        };
        Self { here, paper }
    }

    /// The same, or an empty cell.
    pub(super) fn given(self, is_given: bool) -> Self {
        if is_given { self } else { Self::nothing(self.paper) }
    }

    /// An empty cell.
    pub(super) fn nothing(paper: Option<String>) -> Self {
        Self { here: Here::Nothing, paper }
    }
}

impl Here {
    /// The values of a row's runs.
    pub(super) fn of(row: &Row<'_>, values: &[f64], decimals: usize) -> Self {
        let diverged = row.diverged();
        match Statistics::of(values) {
            Some(statistics) => Here::Value { statistics, decimals, diverged },
            None if row.results.is_empty() => Here::NotRun,
            None if diverged > 0 => Here::Diverged(diverged),
            None => Here::Nothing,
        }
    }

    /// Whether there is something.
    fn is_found(&self) -> bool {
        matches!(self, Here::Value { .. } | Here::Diverged(_))
    }

    /// For people.
    pub fn text(&self) -> String {
        match self {
            Here::Value { statistics: Statistics { mean, deviation, .. }, decimals, diverged } => {
                let mut text = rounded(*mean, *decimals);
                if let Some(deviation) = deviation {
                    text.push_str(&format!(" ± {deviation:.decimals$}"));
                }
                if *diverged > 0 {
                    text.push_str(&format!(" ({diverged} diverged)"));
                }
                text
            }
            Here::Diverged(1) => "diverged".into(),
            Here::Diverged(runs) => format!("all {runs} diverged"),
            Here::NotRun => "not run".into(),
            Here::Nothing => "–".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(mean: f64, deviation: Option<f64>, diverged: usize) -> String {
        let runs = if deviation.is_some() { 2 } else { 1 };
        Here::Value { statistics: Statistics { runs, mean, deviation }, decimals: 2, diverged }.text()
    }

    #[test]
    fn numbers_are_shown_with_their_spread_and_divergences() {
        assert_eq!(value(11.238, None, 0), "11.24");
        assert_eq!(value(11.238, Some(0.051), 0), "11.24 ± 0.05");
        assert_eq!(value(-0.001, Some(0.0), 1), "0.00 ± 0.00 (1 diverged)");
        assert_eq!(Here::Diverged(3).text(), "all 3 diverged");
        assert_eq!(Here::NotRun.text(), "not run");
    }
}
