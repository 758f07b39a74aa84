//! A table: named columns that NumPy, pandas, polars and everything that speaks Arrow can look at.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PySlice, PyString};

use crate::{arrow, numpy};

/// Named columns of the same length.
pub(crate) type Columns = Vec<(Cow<'static, str>, Column)>;

/// The numbers or texts of a column.
pub(crate) enum Column {
    /// Numbers; NaN is a missing one.
    Floats(Vec<f64>),
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Texts.
    Texts(Texts),
    /// A list of numbers in each row.
    FloatLists(Lists<Vec<f64>>),
    /// A list of texts in each row.
    TextLists(Lists<Texts>),
}

/// Texts one after the other.
pub(crate) struct Texts {
    /// Where each ends, after a 0.
    pub(crate) ends: Vec<i64>,
    pub(crate) bytes: Vec<u8>,
}

/// Lists one after the other.
pub(crate) struct Lists<T> {
    /// Where each ends, after a 0.
    pub(crate) ends: Vec<i64>,
    pub(crate) items: T,
}

impl Column {
    fn rows(&self) -> usize {
        match self {
            Self::Floats(numbers) => numbers.len(),
            Self::Whole(numbers) => numbers.len(),
            Self::Texts(texts) => texts.ends.len() - 1,
            Self::FloatLists(lists) => lists.ends.len() - 1,
            Self::TextLists(lists) => lists.ends.len() - 1,
        }
    }

    /// The column as a list of Python's objects.
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        match self {
            Self::Floats(numbers) => PyList::new(py, numbers),
            Self::Whole(numbers) => PyList::new(py, numbers),
            Self::Texts(texts) => texts.list(py),
            Self::FloatLists(lists) => {
                let item = |start, end| PyList::new(py, &lists.items[start as usize..end as usize]);
                lists.each(py, |start, end| Ok(item(start, end)?.into_any()))
            }
            Self::TextLists(lists) => lists.texts(py),
        }
    }

    /// The column as an array: numbers without a copy, everything else as Python's objects.
    fn to_numpy<'py>(&self, py: Python<'py>, owner: &Arc<Columns>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Floats(numbers) => numpy::view(py, owner, numbers),
            Self::Whole(numbers) => numpy::view(py, owner, numbers),
            Self::Texts(texts) => numpy::objects(&texts.list(py)?),
            Self::FloatLists(lists) => {
                let items = numpy::view(py, owner, &lists.items)?;
                numpy::objects(&lists.each(py, |start, end| items.get_item(PySlice::new(py, start, end, 1)))?)
            }
            Self::TextLists(lists) => numpy::objects(&lists.texts(py)?),
        }
    }
}

impl Default for Texts {
    fn default() -> Self {
        Self { ends: vec![0], bytes: Vec::new() }
    }
}

impl Texts {
    pub(crate) fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(self.bytes.len() as i64);
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for bounds in self.ends.windows(2) {
            list.append(PyString::from_bytes(py, &self.bytes[bounds[0] as usize..bounds[1] as usize])?)?;
        }
        Ok(list)
    }
}

impl<T: Default> Default for Lists<T> {
    fn default() -> Self {
        Self { ends: vec![0], items: T::default() }
    }
}

impl Lists<Vec<f64>> {
    pub(crate) fn push(&mut self, list: &[f64]) {
        self.items.extend_from_slice(list);
        self.ends.push(self.items.len() as i64);
    }
}

impl Lists<Texts> {
    pub(crate) fn push(&mut self, list: &[String]) {
        list.iter().for_each(|text| self.items.push(text));
        self.ends.push(self.items.ends.len() as i64 - 1);
    }

    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let items = self.items.list(py)?;
        self.each(py, |start, end| Ok(items.get_slice(start as usize, end as usize).into_any()))
    }
}

impl<T> Lists<T> {
    /// A list of what is made of each row's bounds.
    fn each<'py>(
        &self,
        py: Python<'py>,
        item: impl Fn(isize, isize) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        self.ends
            .windows(2)
            .try_for_each(|bounds| list.append(item(bounds[0] as isize, bounds[1] as isize)?))?;
        Ok(list)
    }
}

/// A table of words: `table["log_probability"]` is a column as a NumPy array.
///
/// Numbers are shared, not copied, with NumPy and with everything that reads Arrow's PyCapsule interface, such as
/// `polars.DataFrame(table)`. A number that does not exist is NaN in NumPy and null in Arrow.
#[pyclass(frozen, module = "wug")]
pub(crate) struct Table {
    columns: Arc<Columns>,
    rows: usize,
}

impl Table {
    /// A table of columns of the same length.
    pub(crate) fn new(columns: Columns) -> Self {
        let rows = columns.first().map_or(0, |(_, column)| column.rows());
        Self { columns: Arc::new(columns), rows }
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, _)| &**name).collect()
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    fn __contains__(&self, name: &str) -> bool {
        self.columns.iter().any(|(own, _)| own == name)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let found = self.columns.iter().find(|(own, _)| own == name);
        let unknown =
            || PyKeyError::new_err(format!("no column `{name}`; there are {}", self.columns().join(", ")));
        found.ok_or_else(unknown)?.1.to_numpy(py, &self.columns)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.columns())?.try_iter()?.into_any())
    }

    /// The columns as NumPy arrays, by name.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        self.columns
            .iter()
            .try_for_each(|(name, column)| columns.set_item(&**name, column.to_numpy(py, &self.columns)?))?;
        Ok(columns)
    }

    /// The columns as lists of Python's own numbers and texts, by name: for JSON, and for R.
    fn to_lists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        self.columns.iter().try_for_each(|(name, column)| columns.set_item(&**name, column.list(py)?))?;
        Ok(columns)
    }

    /// A pandas DataFrame.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pandas")?.call_method1("DataFrame", (self.to_dict(py)?,))
    }

    /// A polars DataFrame, which shares the table's memory.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// The table as a stream of Arrow arrays: the PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore the request.
        drop(requested_schema);
        PyCapsule::new_with_value(
            py,
            arrow::stream(Arc::clone(&self.columns), self.rows),
            c"arrow_array_stream",
        )
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a table does not pickle: send its to_dict(), to_lists() or to_pandas()"))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("wug._display")?.call_method1("table_text", (slf,))?.extract()
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("wug._display")?.call_method1("table_html", (slf,))?.extract()
    }
}
