//! Numbers in memory, as many as a vector has lanes: what all paths load and store.

use bytemuck::{Pod, Zeroable};

/// Numbers side by side, aligned such that every path's vectors can be loaded from them.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub struct Chunk<T, const N: usize>([T; N]);

/// Eight numbers of single precision.
pub type Chunk8 = Chunk<f32, 8>;

impl<T, const N: usize> Chunk<T, N> {
    /// These numbers.
    pub const fn new(numbers: [T; N]) -> Self {
        Self(numbers)
    }
}

impl<T, const N: usize> From<[T; N]> for Chunk<T, N> {
    fn from(numbers: [T; N]) -> Self {
        Self(numbers)
    }
}

// SAFETY: zeros are numbers.
unsafe impl<T: Zeroable, const N: usize> Zeroable for Chunk<T, N> {}

// SAFETY: an array of numbers that fills the 32 bytes of its alignment, so that there is no padding.
unsafe impl Pod for Chunk<f32, 8> {}

// SAFETY: as above.
unsafe impl Pod for Chunk<f64, 4> {}
