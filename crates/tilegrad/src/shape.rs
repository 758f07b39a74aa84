//! Shapes of variables: rows of features, and one lane per word or per particle.

use std::fmt;

/// What a variable has one lane for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// One lane for each word of the tile.
    Word,
    /// One lane for each particle of each word.
    Particle,
}

impl Lanes {
    /// The lanes of a result computed from both: per particle if either is.
    pub(crate) fn join(self, other: Lanes) -> Lanes {
        if self == Lanes::Particle { self } else { other }
    }
}

/// Rows × lanes of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Number of rows (features).
    pub rows: usize,
    /// Kind of lanes.
    pub lanes: Lanes,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lanes = match self.lanes {
            Lanes::Word => "word",
            Lanes::Particle => "particle",
        };
        write!(f, "{} × {lanes}", self.rows)
    }
}

/// How many lanes a program's tile has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dims {
    /// Words in a tile, a multiple of eight. Particles of one kind lie `words` lanes apart.
    pub words: usize,
    /// Particles of each word.
    pub particles: usize,
}

impl Dims {
    /// Number of lanes of that kind.
    pub fn lanes(self, lanes: Lanes) -> usize {
        match lanes {
            Lanes::Word => self.words,
            Lanes::Particle => self.words * self.particles,
        }
    }

    /// Count of numbers in a variable of that shape.
    pub fn size(self, shape: Shape) -> usize {
        shape.rows * self.lanes(shape.lanes)
    }
}
