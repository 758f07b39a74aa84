//! The same work on many things, on several threads.

/// Applies a function to every item; results keep the items' order and do not depend on the number of threads.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.clamp(1, items.len().max(1));
    if threads == 1 {
        return items.iter().map(work).collect();
    }
    let chunk = items.len().div_ceil(threads);
    let work = &work;
    std::thread::scope(|scope| {
        let running: Vec<_> = items
            .chunks(chunk)
            .map(|chunk| {
                let whole = move || -> Vec<R> { chunk.iter().map(work).collect() };
                (chunk, std::thread::Builder::new().spawn_scoped(scope, whole))
            })
            .collect();
        running
            .into_iter()
            .flat_map(|(chunk, thread)| match thread.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(results)) => results,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                // The system refused a thread: this one does its work.
                Err(_) => chunk.iter().map(work).collect(),
            })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_order_is_kept() {
        let items: Vec<u32> = (0..101).collect();
        for threads in [1, 2, 7, 1000] {
            assert_eq!(
                super::map(&items, threads, |item| 2 * item),
                items.iter().map(|i| 2 * i).collect::<Vec<_>>()
            );
        }
        assert!(super::map(&[0u32; 0], 4, |item| *item).is_empty());
    }
}
