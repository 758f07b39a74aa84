//! Recording: a [`Graph`] notes operations on [`Var`]s; nothing is computed yet.
//!
//! Mistakes (mismatched shapes, variables of another graph) are caught where they are recorded and
//! reported, with the place in the source and both shapes, when the graph is compiled.

use std::cell::RefCell;
use std::panic::Location;
use std::sync::Arc;

use crate::element::Element;
use crate::ops::Op;
use crate::params::{Param, Params};
use crate::program::Program;
use crate::shape::{Dims, Lanes, Shape};

/// A mistake in the recording of a graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {operation}: {message}")]
pub struct GraphError {
    /// File, line and column of the call that recorded the operation.
    pub location: String,
    /// Name of the operation.
    pub operation: &'static str,
    /// What was found and what was expected.
    pub message: String,
}

/// Stable name of a variable, to read its value or to fill it with data after the graph is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VarId(pub(crate) u32);

/// A row of whole numbers that a tile gives for its words, such as the symbols at one position.
#[derive(Debug, Clone, Copy)]
pub struct Symbols<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) index: u32,
}

impl Symbols<'_> {
    /// Which of the tile's rows of symbols this is.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// A variable of a graph: a number of rows, and one lane per word or per particle.
///
/// Variables are small handles that can be copied. Operations between a variable per word and one per
/// particle use the word's value for each of its particles.
#[derive(Clone, Copy, Debug)]
pub struct Var<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) id: VarId,
}

impl<'g> Var<'g> {
    /// The variable's name beyond the life of the graph.
    pub fn id(self) -> VarId {
        self.id
    }

    /// Rows and kind of lanes.
    pub fn shape(self) -> Shape {
        self.graph.shape_of(self.id)
    }

    /// Number of rows.
    pub fn rows(self) -> usize {
        self.shape().rows
    }

    /// The graph it belongs to.
    pub fn graph(self) -> &'g Graph {
        self.graph
    }
}

/// Where a variable's numbers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The operation with this number.
    Op(u32),
    /// The tile's data.
    Data(u32),
    /// Rows of another variable, from this row on.
    View(VarId, usize),
}

#[derive(Debug, Clone)]
pub(crate) struct VarInfo {
    pub(crate) shape: Shape,
    pub(crate) source: Source,
    pub(crate) needs_gradient: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub(crate) vars: Vec<VarInfo>,
    pub(crate) ops: Vec<Arc<dyn Op>>,
    pub(crate) data: Vec<Shape>,
    pub(crate) symbol_rows: usize,
    error: Option<GraphError>,
}

/// The shape of a loss.
const ONE_PER_WORD: Shape = Shape { rows: 1, lanes: Lanes::Word };

fn foreign_variable(var: Var<'_>) -> String {
    format!("a variable ({}) belongs to another graph", var.shape())
}

/// A recording of operations, to be compiled into a [`Program`].
#[derive(Debug)]
pub struct Graph {
    pub(crate) params: u32,
    pub(crate) particles: usize,
    pub(crate) recording: RefCell<Recording>,
}

impl Graph {
    /// An empty graph over a set of parameters, with `particles` particles for each word.
    ///
    /// # Panics
    /// If `particles` is zero.
    pub fn new(params: &Params, particles: usize) -> Self {
        assert!(particles > 0, "a graph needs at least one particle per word");
        Self { params: params.id(), particles, recording: RefCell::default() }
    }

    /// Particles for each word.
    pub fn particles(&self) -> usize {
        self.particles
    }

    /// A variable that the tile gives: `rows` numbers for each lane.
    #[track_caller]
    pub fn data(&self, rows: usize, lanes: Lanes) -> Var<'_> {
        if rows == 0 {
            self.fail("data", "a variable needs at least one row".into());
        }
        // Recording goes on after a mistake, with a shape that other operations can take.
        let shape = Shape { rows: rows.max(1), lanes };
        let mut recording = self.recording.borrow_mut();
        let source = Source::Data(recording.data.len() as u32);
        recording.data.push(shape);
        recording.vars.push(VarInfo { shape, source, needs_gradient: false });
        Var { graph: self, id: VarId(recording.vars.len() as u32 - 1) }
    }

    /// A row of whole numbers that the tile gives for its words.
    pub fn symbols(&self) -> Symbols<'_> {
        let mut recording = self.recording.borrow_mut();
        recording.symbol_rows += 1;
        Symbols { graph: self, index: recording.symbol_rows as u32 - 1 }
    }

    /// Turns the recording into a program for tiles of `words` words (a multiple of eight).
    ///
    /// With a `loss` — one row per word — the program can compute the gradient of the sum of its
    /// lanes; `outputs` are variables whose values can be read after a forward run.
    ///
    /// # Errors
    /// The first mistake that was made while recording, or a loss of the wrong shape.
    #[track_caller]
    pub fn compile<T: Element>(
        &self,
        words: usize,
        loss: Option<Var<'_>>,
        outputs: &[Var<'_>],
    ) -> Result<Program<T>, GraphError> {
        let recording = self.recording.borrow();
        if let Some(error) = &recording.error {
            return Err(error.clone());
        }
        let location = Location::caller().to_string();
        let error = |message| Err(GraphError { location, operation: "compile", message });
        if words == 0 || !words.is_multiple_of(8) {
            return error(format!("words per tile are {words}, not a positive multiple of 8"));
        }
        if loss.is_none() && outputs.is_empty() {
            return error("the graph is empty: it has neither a loss nor an output".into());
        }
        if let Some(foreign) = outputs.iter().chain(&loss).find(|var| !std::ptr::eq(self, var.graph)) {
            return error(foreign_variable(*foreign));
        }
        if let Some(shape) = loss.map(Var::shape).filter(|&shape| shape != ONE_PER_WORD) {
            return error(format!("the loss is {shape}, not {ONE_PER_WORD}"));
        }
        let dims = Dims { words, particles: self.particles };
        let outputs: Vec<VarId> = outputs.iter().map(|output| output.id).collect();
        Ok(Program::new(&recording, self.params, dims, loss.map(|loss| loss.id), &outputs))
    }

    pub(crate) fn shape_of(&self, id: VarId) -> Shape {
        self.recording.borrow().vars[id.0 as usize].shape
    }

    /// Notes an operation; `make` gets the name of its result.
    pub(crate) fn push(&self, shape: Shape, make: impl FnOnce(VarId) -> Arc<dyn Op>) -> Var<'_> {
        let mut recording = self.recording.borrow_mut();
        let id = VarId(recording.vars.len() as u32);
        let op = make(id);
        let needs_gradient = op.differentiable()
            && (op.has_params() || op.inputs().iter().any(|x| recording.vars[x.0 as usize].needs_gradient));
        let source = Source::Op(recording.ops.len() as u32);
        recording.ops.push(op);
        recording.vars.push(VarInfo { shape, source, needs_gradient });
        Var { graph: self, id }
    }

    /// Notes a variable that only operations know: space that the forward run leaves to the backward run.
    pub(crate) fn push_hidden(&self, shape: Shape) -> VarId {
        let mut recording = self.recording.borrow_mut();
        // Its operation is the next one to be pushed.
        let source = Source::Op(recording.ops.len() as u32);
        recording.vars.push(VarInfo { shape, source, needs_gradient: false });
        VarId(recording.vars.len() as u32 - 1)
    }

    /// Notes a view of rows of a variable.
    pub(crate) fn push_view(&self, of: VarId, first: usize, rows: usize) -> Var<'_> {
        let mut recording = self.recording.borrow_mut();
        let info = recording.vars[of.0 as usize].clone();
        let source = match info.source {
            Source::View(root, start) => Source::View(root, start + first),
            Source::Op(_) | Source::Data(_) => Source::View(of, first),
        };
        let shape = Shape { rows, lanes: info.shape.lanes };
        recording.vars.push(VarInfo { shape, source, needs_gradient: info.needs_gradient });
        Var { graph: self, id: VarId(recording.vars.len() as u32 - 1) }
    }

    /// Keeps the first mistake, with the place of the caller.
    #[track_caller]
    pub(crate) fn fail(&self, operation: &'static str, message: String) {
        let location = Location::caller().to_string();
        let mut recording = self.recording.borrow_mut();
        recording.error.get_or_insert(GraphError { location, operation, message });
    }

    /// Whether the variable is one of this graph; if not, that is the mistake.
    #[track_caller]
    pub(crate) fn owns(&self, operation: &'static str, var: Var<'_>) -> bool {
        let own = std::ptr::eq(self, var.graph);
        if !own {
            self.fail(operation, foreign_variable(var));
        }
        own
    }

    /// Whether the parameter is of this graph's set; if not, that is the mistake.
    #[track_caller]
    pub(crate) fn knows(&self, operation: &'static str, param: Param) -> bool {
        let known = param.set == self.params;
        if !known {
            self.fail(
                operation,
                format!("a parameter ({}×{}) belongs to another set", param.rows, param.cols),
            );
        }
        known
    }

    /// Whether a parameter is a table of this graph's set.
    #[track_caller]
    pub(crate) fn knows_table(&self, operation: &'static str, table: Param) -> bool {
        if self.knows(operation, table) && !table.is_table {
            self.fail(operation, format!("the parameter ({}×{}) is no table", table.rows, table.cols));
        }
        table.set == self.params && table.is_table
    }
}
