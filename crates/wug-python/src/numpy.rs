//! Numbers as NumPy arrays. NumPy is imported when the first array is made, so that the command does not wait for it.

use std::ffi::c_int;
use std::sync::Arc;

use bytemuck::NoUninit;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList};

use crate::table::Columns;

/// A number that NumPy knows.
pub(crate) trait Number: NoUninit {
    /// Its name in NumPy.
    const TYPE: &'static str;
}

impl Number for f64 {
    const TYPE: &'static str = "float64";
}

impl Number for f32 {
    const TYPE: &'static str = "float32";
}

impl Number for i64 {
    const TYPE: &'static str = "int64";
}

/// A copy of some numbers, to be written to.
pub(crate) fn array<'py, T: Number>(
    py: Python<'py>,
    numbers: &[T],
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyByteArray::new(py, bytemuck::cast_slice(numbers));
    py.import("numpy")?
        .call_method1("frombuffer", (bytes, T::TYPE))?
        .call_method1("reshape", (shape.to_vec(),))
}

/// A view of numbers that belong to a table, to be read.
pub(crate) fn view<'py, T: Number>(
    py: Python<'py>,
    owner: &Arc<Columns>,
    numbers: &[T],
) -> PyResult<Bound<'py, PyAny>> {
    let bytes: &[u8] = bytemuck::cast_slice(numbers);
    let buffer = Buffer { _owner: Arc::clone(owner), start: bytes.as_ptr(), length: bytes.len() };
    py.import("numpy")?.call_method1("frombuffer", (buffer, T::TYPE))
}

/// An array of Python's objects.
pub(crate) fn objects<'py>(list: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyAny>> {
    list.py().import("numpy")?.call_method1("fromiter", (list, "object", list.len()))
}

/// A table's memory, which arrays look at without copying it.
#[pyclass(frozen, module = "wug._lib")]
pub(crate) struct Buffer {
    _owner: Arc<Columns>,
    start: *const u8,
    length: usize,
}

// SAFETY: the pointer leads into the table, which is shared, never changes, and lives as long as the buffer.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

#[pymethods]
impl Buffer {
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let (start, length) = (slf.get().start.cast_mut().cast(), slf.get().length as isize);
        // SAFETY: the view keeps the object alive, the object its bytes, which never change or move. The caller has given a
        // place for the view.
        let outcome = unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, length, 1, flags) };
        if outcome == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }

    unsafe fn __releasebuffer__(&self, _view: *mut ffi::Py_buffer) {}
}
