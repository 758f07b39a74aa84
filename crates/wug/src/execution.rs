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

/// The most threads, where there are few processors: more would only take memory, and at its end the standard library panics in
/// threads that have just begun.
const MIN_ALLOWED: usize = 8;

/// The number of threads to use: what is given, within reason, or one for each processor.
pub fn threads(given: Option<usize>) -> usize {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    given.map_or(available, |given| given.clamp(1, MIN_ALLOWED.max(2 * available)))
}
