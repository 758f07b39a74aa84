//! The Arrow C data interface, as far as tables need it: https://arrow.apache.org/docs/format/CDataInterface.html.
//!
//! A stream gives one batch of rows. Arrays point into the table's own memory, which each of them keeps alive by counting, so that a
//! consumer may release them in any order and after the table is gone.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use crate::table::{Column, Columns, Lists, Texts};

/// A column's type.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// A column's memory.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// Batches of rows.
#[repr(C)]
pub(crate) struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

// SAFETY: what it points to is its own, and is `Send`.
unsafe impl Send for Stream {}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: nobody has released it, or the function would be gone.
            unsafe { release(self) };
        }
    }
}

/// What a stream has still to give.
struct Source {
    columns: Arc<Columns>,
    rows: usize,
    is_done: bool,
}

/// A stream of a table's rows.
pub(crate) fn stream(columns: Arc<Columns>, rows: usize) -> Stream {
    unsafe extern "C" fn get_schema(stream: *mut Stream, schema: *mut Schema) -> c_int {
        // SAFETY: the consumer calls with the stream that it got, before it releases it, and with a place to write to.
        unsafe {
            let source = &*(*stream).private_data.cast::<Source>();
            let columns = source.columns.iter().map(|(name, column)| column.schema(name)).collect();
            schema.write(Schema::new(c"+s", "", 0, columns));
        }
        0
    }
    unsafe extern "C" fn get_next(stream: *mut Stream, array: *mut Array) -> c_int {
        // SAFETY: as above; calls do not overlap.
        unsafe {
            let source = &mut *(*stream).private_data.cast::<Source>();
            array.write(if source.is_done { Array::end() } else { batch(&source.columns, source.rows) });
            source.is_done = true;
        }
        0
    }
    unsafe extern "C" fn get_last_error(_stream: *mut Stream) -> *const c_char {
        null()
    }
    unsafe extern "C" fn release(stream: *mut Stream) {
        // SAFETY: called once, with the stream that was made below.
        unsafe {
            drop(Box::from_raw((*stream).private_data.cast::<Source>()));
            (*stream).release = None;
        }
    }
    let source = Box::new(Source { columns, rows, is_done: false });
    Stream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(source).cast(),
    }
}

/// All rows of a table.
fn batch(columns: &Arc<Columns>, rows: usize) -> Array {
    let children = columns.iter().map(|(_, column)| column.array(rows, columns)).collect();
    Array::new(rows, 0, vec![null()], children, (Arc::clone(columns), Vec::new()))
}

/// Values may be missing.
const NULLABLE: i64 = 2;

impl Column {
    fn schema(&self, name: &str) -> Schema {
        match self {
            Self::Floats(_) => Schema::new(c"g", name, NULLABLE, Vec::new()),
            Self::Whole(_) => Schema::new(c"l", name, 0, Vec::new()),
            Self::Texts(_) => Schema::new(c"U", name, 0, Vec::new()),
            Self::FloatLists(_) => {
                Schema::new(c"+L", name, 0, vec![Schema::new(c"g", "item", 0, Vec::new())])
            }
            Self::TextLists(_) => Schema::new(c"+L", name, 0, vec![Schema::new(c"U", "item", 0, Vec::new())]),
        }
    }

    fn array(&self, rows: usize, owner: &Arc<Columns>) -> Array {
        match self {
            Self::Floats(numbers) => floats(numbers, owner),
            Self::Whole(numbers) => flat(rows, vec![null(), numbers.as_ptr().cast()], owner),
            Self::Texts(found) => texts(found, owner),
            Self::FloatLists(Lists { ends, items }) => lists(ends, floats(items, owner), owner),
            Self::TextLists(Lists { ends, items }) => lists(ends, texts(items, owner), owner),
        }
    }
}

/// Numbers, of which NaN are missing.
fn floats(numbers: &[f64], owner: &Arc<Columns>) -> Array {
    let missing = numbers.iter().filter(|number| number.is_nan()).count();
    if missing == 0 {
        return flat(numbers.len(), vec![null(), numbers.as_ptr().cast()], owner);
    }
    let mut present = vec![0u8; numbers.len().div_ceil(8)];
    for (place, number) in numbers.iter().enumerate() {
        present[place / 8] |= u8::from(!number.is_nan()) << (place % 8);
    }
    // Moving a vector does not move what it holds.
    let buffers = vec![present.as_ptr().cast(), numbers.as_ptr().cast()];
    Array::new(numbers.len(), missing, buffers, Vec::new(), (Arc::clone(owner), present))
}

fn texts(Texts { ends, bytes }: &Texts, owner: &Arc<Columns>) -> Array {
    flat(ends.len() - 1, vec![null(), ends.as_ptr().cast(), bytes.as_ptr().cast()], owner)
}

fn lists(ends: &[i64], items: Array, owner: &Arc<Columns>) -> Array {
    Array::new(
        ends.len() - 1,
        0,
        vec![null(), ends.as_ptr().cast()],
        vec![items],
        (Arc::clone(owner), Vec::new()),
    )
}

/// An array without missing values and without children.
fn flat(length: usize, buffers: Vec<*const c_void>, owner: &Arc<Columns>) -> Array {
    Array::new(length, 0, buffers, Vec::new(), (Arc::clone(owner), Vec::new()))
}

/// What a schema owns.
struct SchemaParts {
    _name: CString,
    children: Vec<*mut Schema>,
}

impl Schema {
    fn new(format: &'static CStr, name: &str, flags: i64, children: Vec<Self>) -> Self {
        unsafe extern "C" fn release(schema: *mut Schema) {
            // SAFETY: called once, with a schema that was made below; its children were made as boxes, and those that the
            // consumer has moved out have no function to release them any more.
            unsafe {
                let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
                for &child in &parts.children {
                    if let Some(release) = (*child).release {
                        release(child);
                    }
                    drop(Box::from_raw(child));
                }
                (*schema).release = None;
            }
        }
        let name = CString::new(name).unwrap_or_default();
        let name_start = name.as_ptr();
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut parts = Box::new(SchemaParts { _name: name, children });
        Self {
            format: format.as_ptr(),
            name: name_start,
            metadata: null(),
            flags,
            n_children: parts.children.len() as i64,
            children: parts.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

/// What an array keeps alive: the table, and which of its values are there.
type Owner = (Arc<Columns>, Vec<u8>);

/// What an array owns.
struct ArrayParts {
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
    _owner: Owner,
}

impl Array {
    fn new(
        length: usize,
        nulls: usize,
        buffers: Vec<*const c_void>,
        children: Vec<Self>,
        owner: Owner,
    ) -> Self {
        unsafe extern "C" fn release(array: *mut Array) {
            // SAFETY: as for schemas.
            unsafe {
                let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
                for &child in &parts.children {
                    if let Some(release) = (*child).release {
                        release(child);
                    }
                    drop(Box::from_raw(child));
                }
                (*array).release = None;
            }
        }
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut parts = Box::new(ArrayParts { buffers, children, _owner: owner });
        Self {
            length: length as i64,
            null_count: nulls as i64,
            offset: 0,
            n_buffers: parts.buffers.len() as i64,
            n_children: parts.children.len() as i64,
            buffers: parts.buffers.as_ptr(),
            children: parts.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release),
            private_data: Box::into_raw(parts).cast(),
        }
    }

    /// What tells that there are no more batches.
    fn end() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: null(),
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private_data: null_mut(),
        }
    }
}
