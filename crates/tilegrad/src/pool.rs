//! A handful of threads that wait for work: one call runs a function for each of a number of items.
//!
//! Nothing is allocated per call. Items are handed out in order to whoever is free, so which thread
//! runs an item varies from call to call; callers must not let results depend on it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// What a thread runs: `(worker, item)`.
type Work = dyn Fn(usize, usize) + Sync;

/// A job that all threads work on.
#[derive(Clone, Copy)]
struct Job {
    /// Valid until the call of [`Pool::run`] that set it returns.
    work: *const Work,
    items: usize,
}

// SAFETY: the function behind the pointer is `Sync`, and `Pool::run` keeps it alive while in use.
unsafe impl Send for Job {}

#[derive(Default)]
struct State {
    job: Option<Job>,
    /// Workers that have not finished the current job.
    running: usize,
    stop: bool,
    panic: Option<Box<dyn std::any::Any + Send>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Counts jobs; read without the lock by threads that wait for the next one.
    epoch: AtomicU64,
    next: AtomicUsize,
    start: Condvar,
    done: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs items until none is left.
    fn work(&self, worker: usize, work: &(dyn Fn(usize, usize) + Sync), items: usize) {
        loop {
            let item = self.next.fetch_add(1, Ordering::Relaxed);
            if item >= items {
                return;
            }
            work(worker, item);
        }
    }
}

/// Threads that wait for work. The calling thread works too: a pool of one has no threads of its own.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool in which `threads` threads work, the caller's among them.
    pub(crate) fn new(threads: usize) -> std::io::Result<Self> {
        let mut pool = Self { shared: Arc::default(), threads: Vec::new() };
        for worker in 1..threads.max(1) {
            let shared = Arc::clone(&pool.shared);
            let builder = std::thread::Builder::new().name(format!("tilegrad-{worker}"));
            pool.threads.push(builder.spawn(move || serve(&shared, worker))?);
        }
        Ok(pool)
    }

    /// Number of workers.
    pub(crate) fn workers(&self) -> usize {
        self.threads.len() + 1
    }

    /// Calls `work(worker, item)` for every item below `items`, each once; a worker runs one item at a
    /// time. A panic in it is passed on after all workers have stopped.
    pub(crate) fn run(&mut self, items: usize, work: &(dyn Fn(usize, usize) + Sync)) {
        if self.threads.is_empty() || items <= 1 {
            (0..items).for_each(|item| work(0, item));
            return;
        }
        let shared = &*self.shared;
        {
            let mut state = shared.lock();
            // SAFETY: only the lifetime is changed; the pointer is removed below before it ends.
            let work = unsafe {
                std::mem::transmute::<*const (dyn Fn(usize, usize) + Sync + '_), *const Work>(work)
            };
            state.job = Some(Job { work, items });
            state.running = self.threads.len();
            shared.next.store(0, Ordering::Relaxed);
            shared.epoch.fetch_add(1, Ordering::Release);
        }
        shared.start.notify_all();
        let own = catch_unwind(AssertUnwindSafe(|| shared.work(0, work, items)));
        let mut state = shared.lock();
        while state.running > 0 {
            state = shared.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.job = None;
        let theirs = state.panic.take();
        drop(state);
        if let Some(panic) = own.err().or(theirs) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        {
            // Under the lock: a worker that is about to sleep has either not looked yet or is asleep already.
            let mut state = self.shared.lock();
            state.stop = true;
            self.shared.epoch.fetch_add(1, Ordering::Release);
        }
        self.shared.start.notify_all();
        for thread in self.threads.drain(..) {
            // A worker that panicked has passed its panic on already.
            let _ = thread.join();
        }
    }
}

/// Rounds of waiting before a thread goes to sleep: steps follow each other within microseconds.
const SPINS: usize = 4000;

fn serve(shared: &Shared, worker: usize) {
    let mut seen = 0;
    loop {
        for _ in 0..SPINS {
            if shared.epoch.load(Ordering::Acquire) != seen {
                break;
            }
            std::hint::spin_loop();
        }
        let mut state = shared.lock();
        while shared.epoch.load(Ordering::Acquire) == seen {
            state = shared.start.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        seen = shared.epoch.load(Ordering::Acquire);
        if state.stop {
            return;
        }
        let job = state.job;
        drop(state);
        let Some(job) = job else { continue };
        // SAFETY: `Pool::run` waits for this worker to count itself out before the function ends.
        let work = unsafe { &*job.work };
        let result = catch_unwind(AssertUnwindSafe(|| shared.work(worker, work, job.items)));
        let mut state = shared.lock();
        if let Err(panic) = result {
            state.panic.get_or_insert(panic);
        }
        state.running -= 1;
        if state.running == 0 {
            shared.done.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn every_item_runs_once() {
        for threads in [1, 2, 3, 8] {
            let mut pool = Pool::new(threads).unwrap();
            for items in [0, 1, 2, 7, 100] {
                let counts: Vec<AtomicU32> = (0..items).map(|_| AtomicU32::new(0)).collect();
                pool.run(items, &|worker, item| {
                    assert!(worker < threads);
                    counts[item].fetch_add(1, Ordering::Relaxed);
                });
                assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_survives() {
        let mut pool = Pool::new(3).unwrap();
        let result = catch_unwind(AssertUnwindSafe(|| {
            pool.run(10, &|_, item| assert!(item != 5, "item five"));
        }));
        assert!(result.is_err());
        let sum = AtomicUsize::new(0);
        pool.run(10, &|_, item| {
            sum.fetch_add(item, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 45);
    }
}
