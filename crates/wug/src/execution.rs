//! How work that draws random numbers is run.

/// Seed and threads. Results are a function of the seed; threads change how long they take and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execution {
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// Threads. One works on the caller's thread alone.
    pub threads: usize,
}

impl Default for Execution {
    fn default() -> Self {
        Self { seed: 1, threads: 1 }
    }
}
