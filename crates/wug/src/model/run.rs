//! Threads and space for a model's programs, within bounds.

use thiserror::Error;
use tilegrad::{Element, Program, Runner};

use super::Model;

/// The most working memory of all threads together, in bytes.
const MAX_WORKSPACE: usize = if cfg!(target_pointer_width = "64") { 4 << 30 } else { 1 << 30 };

/// Why programs cannot be run.
#[derive(Debug, Error)]
pub enum RunnerError {
    /// The sizes ask for more memory than a command may use.
    #[error(
        "this model needs {} GiB of working memory on {threads} threads, more than {}; give fewer particles, smaller \
         sizes or fewer threads",
        bytes.div_ceil(1 << 30),
        MAX_WORKSPACE >> 30
    )]
    Memory {
        /// What would be needed.
        bytes: usize,
        /// The threads that share it.
        threads: usize,
    },
    /// The system refused a thread.
    #[error("no thread could be started")]
    Threads(#[from] std::io::Error),
}

impl Model {
    /// A runner for programs that were recorded over its parameters. Sizes that a configuration may have can ask for any
    /// amount of memory: what is too much is refused before it is taken.
    ///
    /// # Errors
    /// When that takes too much memory, or the system refuses a thread.
    pub fn runner<T: Element>(
        &self,
        programs: Vec<Program<T>>,
        threads: usize,
    ) -> Result<Runner<T>, RunnerError> {
        let largest = programs.iter().map(Program::workspace_bytes).max().unwrap_or(0);
        let bytes = threads.saturating_mul(largest);
        if bytes > MAX_WORKSPACE {
            return Err(RunnerError::Memory { bytes, threads });
        }
        Ok(Runner::new(self.params(), programs, threads)?)
    }
}
