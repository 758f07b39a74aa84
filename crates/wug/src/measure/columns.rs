//! Several columns: those of a table.

use std::sync::Arc;

use super::column::{Column, ColumnError};
use super::declaration::Need;

/// The columns of a table, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns(Arc<[Column]>);

impl Columns {
    /// Every column but percentiles and those next to another lexicon, which are there only if they are asked for.
    pub fn all(percentiles: bool, other_lexicon: bool) -> Self {
        let is_shown = |column: &Column| {
            (percentiles || column.ranks().is_none()) && (other_lexicon || !column.needs(Need::OtherLexicon))
        };
        Column::all().filter(is_shown).collect()
    }

    /// The columns of some names, and all percentiles if they are asked for.
    ///
    /// # Errors
    /// When there is no such column.
    pub fn named<N: AsRef<str>>(
        names: impl IntoIterator<Item = N>,
        percentiles: bool,
        other_lexicon: bool,
    ) -> Result<Self, ColumnError> {
        let mut columns: Vec<Column> =
            names.into_iter().map(|name| Column::named(name.as_ref())).collect::<Result<_, _>>()?;
        if percentiles {
            let all = Self::all(true, other_lexicon);
            columns.extend(
                all.iter()
                    .filter(|column| column.ranks().is_some() && !columns.contains(column))
                    .collect::<Vec<_>>(),
            );
        }
        Ok(columns.into_iter().collect())
    }

    /// What letters say next to a lexicon alone, without a model.
    pub fn of_letters() -> Self {
        let is_own = |column: &Column| !column.needs(Need::Model);
        Self::all(false, false).iter().filter(is_own).collect()
    }

    /// The columns.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Column> + Clone + use<'_> {
        self.0.iter().copied()
    }

    /// Whether one of them is computed from something.
    pub fn need(&self, need: Need) -> bool {
        self.iter().any(|column| column.needs(need))
    }

    /// These and others that are not among them.
    pub(super) fn with(&self, more: impl IntoIterator<Item = Column>) -> Self {
        let mut all = self.0.to_vec();
        for column in more {
            if !all.contains(&column) {
                all.push(column);
            }
        }
        all.into_iter().collect()
    }

    pub(super) fn place(&self, column: Column) -> Option<usize> {
        self.iter().position(|own| own == column)
    }
}

impl FromIterator<Column> for Columns {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        Self(columns.into_iter().collect())
    }
}
