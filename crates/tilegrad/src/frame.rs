//! What an operation sees of one tile's run: values and gradients as vectors of the path that it runs on.
//!
//! An operation reads values in place and opens what it writes. There are no closures in between: a closure is not
//! always compiled into the function that it is called from, and only there the path's instructions are enabled.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use bytemuck::TransparentWrapper;

use crate::element::Element;
use crate::graph::VarId;
use crate::params::Param;
use crate::run::{Run, Space};
use crate::simd::Simd;

/// One tile's run of one program, on a path. What does not depend on the path is in the [`Run`] behind it.
#[repr(transparent)]
pub struct Frame<'a, S: Simd>(Run<'a, S::Element>);

// SAFETY: it has no other field.
unsafe impl<'a, S: Simd> TransparentWrapper<Run<'a, S::Element>> for Frame<'a, S> {}

impl<'a, S: Simd> Deref for Frame<'a, S> {
    type Target = Run<'a, S::Element>;

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Vectors to be written while the frame can be read. [`Frame::close`] puts them back.
pub(crate) struct Open<S: Simd> {
    space: Space,
    chunks: Vec<<S::Element as Element>::Chunk>,
    range: Range<usize>,
    path: PhantomData<S>,
}

impl<S: Simd> Deref for Open<S> {
    type Target = [S::Vector];

    #[inline(always)]
    fn deref(&self) -> &[S::Vector] {
        S::vectors(&self.chunks[self.range.clone()])
    }
}

impl<S: Simd> DerefMut for Open<S> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [S::Vector] {
        S::vectors_mut(&mut self.chunks[self.range.clone()])
    }
}

impl<'a, S: Simd> Frame<'a, S> {
    /// The run, seen by an operation.
    #[inline(always)]
    pub(crate) fn of<'r>(run: &'r mut Run<'a, S::Element>) -> &'r mut Self {
        Self::wrap_mut(run)
    }

    /// The value of a variable, row after row.
    #[inline(always)]
    pub(crate) fn value(&self, var: VarId) -> &[S::Vector] {
        S::vectors(self.0.value(var))
    }

    /// The value of a variable that the operation makes.
    #[inline(always)]
    pub(crate) fn open(&mut self, var: VarId) -> Open<S> {
        self.take(self.0.value_space(var), None)
    }

    /// The gradient of input `number`, which is `var`, and whether to add to it (or to overwrite it). None if nobody
    /// wants it.
    #[inline(always)]
    pub(crate) fn open_gradient(&mut self, number: usize, var: VarId) -> Option<(Open<S>, bool)> {
        let (space, range, add) = self.0.gradient_space(number, var)?;
        Some((self.take(space, Some(range)), add))
    }

    /// A parameter's gradient, to be added to, in the layout that [`Layout`](crate::layout::Layout) gives it.
    #[inline(always)]
    pub(crate) fn open_param(&mut self, param: Param) -> Open<S> {
        let range = self.0.layout().range(param);
        self.take(Space::Gradient, Some(range))
    }

    /// The space for passing results that the operation asked for.
    #[inline(always)]
    pub(crate) fn open_scratch(&mut self) -> Open<S> {
        self.take(Space::Scratch, None)
    }

    #[inline(always)]
    fn take(&mut self, space: Space, range: Option<Range<usize>>) -> Open<S> {
        let chunks = self.0.take(space);
        let range = range.unwrap_or(0..chunks.len());
        Open { space, chunks, range, path: PhantomData }
    }

    /// Puts back what was opened.
    #[inline(always)]
    pub(crate) fn close(&mut self, open: Open<S>) {
        self.0.put_back(open.space, open.chunks);
    }
}
