//! Many runs at once: one for each thread, the costly ones first.
//!
//! A run on one thread wastes nothing, so two runs side by side are faster than one after the other on two threads. Only
//! when there are fewer runs than threads does a run get several.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::plan::longest_first;
use crate::{Effort, Error, Folder, PlannedRun, Result, RunResult, execute};

/// What is told while runs go on.
#[derive(Debug)]
pub enum Event<'a> {
    /// A run has come to this share of its work.
    Progress(&'a PlannedRun, f64),
    /// A run is done and its result is saved.
    Done(&'a PlannedRun, &'a RunResult),
}

/// Does all runs and saves their results, on so many threads. Returns whether all were done; if `stop` is set, runs save
/// where they are and can be taken up again.
///
/// # Errors
/// The first run that fails; the others then stop where they are.
pub fn run_all(
    folder: &Folder,
    mut runs: Vec<PlannedRun>,
    effort: Effort,
    threads: usize,
    stop: &AtomicBool,
    observe: &(dyn Fn(Event<'_>) + Sync),
) -> Result<bool> {
    longest_first(&mut runs);
    let workers = threads.clamp(1, runs.len().max(1));
    let threads_each = (threads / workers).max(1);
    let queue = Mutex::new(VecDeque::from(runs));
    let failure = Mutex::new(None);
    let work = || {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(run) = next else { return };
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let name = run.name();
            let result = execute(&run, &folder.run(&name), effort, threads_each, stop, |share| {
                observe(Event::Progress(&run, share));
            });
            let saved = result.and_then(|result| save(folder, result));
            match saved {
                Ok(Some(result)) => observe(Event::Done(&run, &result)),
                Ok(None) => return,
                Err(source) => {
                    stop.store(true, Ordering::Relaxed);
                    let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                    failure.get_or_insert(Error::RunFailed { run: name, source: Box::new(source) });
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        (1..workers).for_each(|_| {
            // If the system refuses a thread, there are fewer.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        });
        work();
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failure) => Err(failure),
        None => Ok(!stop.load(Ordering::Relaxed)),
    }
}

fn save(folder: &Folder, result: Option<RunResult>) -> Result<Option<RunResult>> {
    let Some(result) = result else { return Ok(None) };
    result.save(&folder.runs())?;
    Ok(Some(result))
}
