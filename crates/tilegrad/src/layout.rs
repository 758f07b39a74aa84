//! How a tile's gradient of the parameters lies in memory while it is summed up.
//!
//! Products towards the weights run their vectors along the shorter side of a matrix, because the
//! factor of that side is the one to be transposed. So the gradient of a matrix is kept with its
//! longer side as rows and each row filled up to whole vectors. The gradient of a table is kept by its rows, to which
//! words add one by one.

use crate::element::Element;
use crate::params::{Param, Params};
use crate::simd::{Path, Simd, Task};
use std::ops::Range;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// First vector.
    start: usize,
    /// Vectors in a row.
    pub(crate) stride: usize,
    /// Rows: the longer side, or the rows of a table.
    pub(crate) long: usize,
    /// Numbers in a row: the other side.
    short: usize,
    /// Whether rows are the parameter's columns.
    pub(crate) transposed: bool,
    /// First number in the flat vector.
    offset: usize,
}

/// Places of all parameters' gradients.
#[derive(Debug)]
pub(crate) struct Layout {
    entries: Vec<Entry>,
    pub(crate) vectors: usize,
    numbers: usize,
}

impl Layout {
    pub(crate) fn new<T: Element>(params: &Params) -> Self {
        let mut vectors = 0;
        let entry = |info: &crate::params::ParamInfo| {
            // A vector is one row of a matrix, whatever its length.
            let transposed = !info.is_table && (info.cols == 1 || info.cols > info.rows);
            let (long, short) = if transposed { (info.cols, info.rows) } else { (info.rows, info.cols) };
            let stride = short.div_ceil(T::LANES);
            let entry = Entry { start: vectors, stride, long, short, transposed, offset: info.offset };
            vectors += long * stride;
            entry
        };
        let entries = params.iter().map(entry).collect();
        Self { entries, vectors, numbers: params.len() }
    }

    /// Length of the flat vector.
    pub(crate) fn numbers(&self) -> usize {
        self.numbers
    }

    pub(crate) fn entry(&self, param: Param) -> Entry {
        self.entries[param.index as usize]
    }

    pub(crate) fn range(&self, param: Param) -> Range<usize> {
        let entry = self.entry(param);
        entry.start..entry.start + entry.long * entry.stride
    }

    /// Writes the sum of all `parts`, in their order, to the flat gradient.
    pub(crate) fn sum<T: Element>(&self, parts: &[Vec<T::Chunk>], flat: &mut [T], path: Path) {
        T::run(path, Sum { layout: self, parts, flat });
    }
}

struct Sum<'a, T: Element> {
    layout: &'a Layout,
    parts: &'a [Vec<T::Chunk>],
    flat: &'a mut [T],
}

impl<T: Element> Task<T> for Sum<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = T>>(self) {
        let Self { layout, parts, flat } = self;
        for entry in &layout.entries {
            let cols = if entry.transposed { entry.long } else { entry.short };
            for long in 0..entry.long {
                for vector in 0..entry.stride {
                    let at = entry.start + long * entry.stride + vector;
                    let mut sum = S::vectors(&parts[0])[at];
                    for part in &parts[1..] {
                        sum += S::vectors(part)[at];
                    }
                    let numbers: &[T] = bytemuck::cast_slice(std::slice::from_ref(&sum));
                    let first = vector * T::LANES;
                    let count = numbers.len().min(entry.short - first);
                    for (lane, &number) in numbers[..count].iter().enumerate() {
                        let (row, col) =
                            if entry.transposed { (first + lane, long) } else { (long, first + lane) };
                        flat[entry.offset + row * cols + col] = number;
                    }
                }
            }
        }
    }
}
