//! Values of words, row by row, as the typed columns of a table.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wug::measure::{Column as Measure, MeasuredWord, Value};

use crate::table::{Column, Columns, Lists, Texts};

/// Columns that are filled row by row.
pub(crate) struct Rows(Columns);

impl Rows {
    /// Columns by their names, and what is missing in each, which has its type.
    pub(crate) fn new<N: Into<Cow<'static, str>>>(columns: impl IntoIterator<Item = (N, Value)>) -> Self {
        let column = |missing| match missing {
            // Whole numbers that may be missing are numbers.
            Value::Number(_) | Value::Count(None) => Column::Floats(Vec::new()),
            Value::Count(Some(_)) => Column::Whole(Vec::new()),
            Value::Text(_) => Column::Texts(Texts::default()),
            Value::Numbers(_) => Column::FloatLists(Lists::default()),
            Value::Texts(_) => Column::TextLists(Lists::default()),
        };
        Self(columns.into_iter().map(|(name, missing)| (name.into(), column(missing))).collect())
    }

    /// The columns of measured words.
    pub(crate) fn of(columns: &wug::measure::Columns) -> Self {
        Self::new(columns.iter().map(|column| (column.name(), column.missing())))
    }

    pub(crate) fn push<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) {
        for ((_, column), value) in self.0.iter_mut().zip(values) {
            match (column, value) {
                (Column::Floats(numbers), value) => numbers.push(value.number().unwrap_or(f64::NAN)),
                (Column::Whole(numbers), Value::Count(number)) => {
                    numbers.push(number.and_then(|number| i64::try_from(number).ok()).unwrap_or_default());
                }
                (Column::Texts(texts), Value::Text(text)) => texts.push(text.as_deref().unwrap_or_default()),
                (Column::FloatLists(lists), Value::Numbers(all)) => lists.push(all),
                (Column::TextLists(lists), Value::Texts(all)) => lists.push(all),
                // All values of a column have its type.
                _ => {}
            }
        }
    }

    /// A row of a word.
    pub(crate) fn push_word(&mut self, word: &MeasuredWord) {
        self.push(word.values().map(|(_, value)| value));
    }

    pub(crate) fn into_columns(self) -> Columns {
        self.0
    }
}

/// The columns that `Model.score` knows: for each its name, its type, what it is, whether it needs another lexicon, and its name in
/// `Model.match` if words can be matched on it.
#[pyfunction]
pub(crate) fn columns(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let matched: Vec<Measure> = Measure::all_matched().collect();
    let describe = |column: Measure| {
        let fields = PyDict::new(py);
        fields.set_item("name", column.name())?;
        fields.set_item("type", column.missing().kind())?;
        fields.set_item("about", column.about())?;
        fields.set_item("needs_other_lexicon", column.needs(wug::measure::Need::OtherLexicon))?;
        fields.set_item("measure", matched.contains(&column).then(|| column.criterion_name()))?;
        Ok(fields)
    };
    Measure::all().map(describe).collect()
}
