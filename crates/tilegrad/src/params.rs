//! Parameters: one flat vector of numbers with named views into it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// A handle to one named parameter of a [`Params`] set: a matrix, a vector (a matrix of one column), or a table of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    pub(crate) set: u32,
    pub(crate) index: u32,
    pub(crate) offset: usize,
    pub(crate) is_table: bool,
    /// Number of rows (outputs).
    pub rows: usize,
    /// Number of columns (inputs); 1 for a vector.
    pub cols: usize,
}

/// Name, shape and place of one parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamInfo {
    /// Unique, stable name: it is also the tensor's name in files.
    pub name: String,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns; 1 for a vector.
    pub cols: usize,
    /// Whether it was declared as a vector.
    pub is_vector: bool,
    /// Whether it was declared as a table.
    pub is_table: bool,
    /// First number in the flat vector.
    pub offset: usize,
}

impl ParamInfo {
    /// Where the parameter lies in the flat vector, row by row.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.rows * self.cols
    }
}

/// The parameters of a model: declared once, stored in one flat vector that optimisers work on.
///
/// The set itself holds no numbers, only names, shapes and places.
#[derive(Debug)]
pub struct Params {
    id: u32,
    infos: Vec<ParamInfo>,
    by_name: HashMap<String, usize>,
    len: usize,
}

impl Default for Params {
    fn default() -> Self {
        Self::new()
    }
}

impl Params {
    /// An empty set.
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { id, infos: Vec::new(), by_name: HashMap::new(), len: 0 }
    }

    /// Declares a matrix of `rows` outputs and `cols` inputs.
    ///
    /// # Panics
    /// If the name is taken or a dimension is zero: both are mistakes in the model's code.
    #[track_caller]
    pub fn matrix(&mut self, name: impl Into<String>, rows: usize, cols: usize) -> Param {
        self.declare(name.into(), (rows, cols), false, false)
    }

    /// Declares a table, whose rows are looked up one by one: its gradient is kept row by row.
    ///
    /// # Panics
    /// If the name is taken or a dimension is zero: both are mistakes in the model's code.
    #[track_caller]
    pub fn table(&mut self, name: impl Into<String>, rows: usize, cols: usize) -> Param {
        self.declare(name.into(), (rows, cols), false, true)
    }

    /// Declares a vector.
    ///
    /// # Panics
    /// If the name is taken or `rows` is zero: both are mistakes in the model's code.
    #[track_caller]
    pub fn vector(&mut self, name: impl Into<String>, rows: usize) -> Param {
        self.declare(name.into(), (rows, 1), true, false)
    }

    #[track_caller]
    fn declare(
        &mut self,
        name: String,
        (rows, cols): (usize, usize),
        is_vector: bool,
        is_table: bool,
    ) -> Param {
        assert!(rows > 0 && cols > 0, "parameter `{name}` has an empty shape {rows}×{cols}");
        let index = self.infos.len();
        let taken = self.by_name.insert(name.clone(), index);
        assert!(taken.is_none(), "parameter `{name}` is declared twice");
        let offset = self.len;
        self.infos.push(ParamInfo { name, rows, cols, is_vector, is_table, offset });
        self.len += rows * cols;
        Param { set: self.id, index: index as u32, offset, is_table, rows, cols }
    }

    /// Total count of numbers: the length of the flat vector.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }

    /// All parameters in the order of declaration, which is their order in the flat vector.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &ParamInfo> {
        self.infos.iter()
    }

    /// The description of one parameter.
    ///
    /// # Panics
    /// If the handle belongs to another set.
    #[track_caller]
    pub fn info(&self, param: Param) -> &ParamInfo {
        assert_eq!(param.set, self.id, "the parameter handle belongs to another set");
        &self.infos[param.index as usize]
    }

    /// Looks a parameter up by name.
    pub fn find(&self, name: &str) -> Option<&ParamInfo> {
        self.by_name.get(name).map(|&index| &self.infos[index])
    }

    /// The numbers of one parameter in `flat`, row by row.
    pub fn view<'a, T>(&self, param: Param, flat: &'a [T]) -> &'a [T] {
        &flat[self.info(param).range()]
    }

    /// The numbers of one parameter in `flat`, row by row, to be changed.
    pub fn view_mut<'a, T>(&self, param: Param, flat: &'a mut [T]) -> &'a mut [T] {
        &mut flat[self.info(param).range()]
    }

    pub(crate) fn id(&self) -> u32 {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_tile_the_flat_vector_in_order() {
        let mut params = Params::new();
        let w = params.matrix("w", 2, 3);
        let b = params.vector("b", 4);
        let mut flat: Vec<f32> = (0..params.len()).map(|i| i as f32).collect();
        assert_eq!(params.view(w, &flat), &[0., 1., 2., 3., 4., 5.]);
        params.view_mut(b, &mut flat)[3] = 100.0;
        assert_eq!(params.view(b, &flat), &[6., 7., 8., 100.]);
        assert_eq!(params.find("b").unwrap().offset, 6);
        assert!(params.find("c").is_none());
    }

    #[test]
    #[should_panic(expected = "`w` is declared twice")]
    fn names_are_unique() {
        let mut params = Params::new();
        params.vector("w", 1);
        params.vector("w", 2);
    }
}
