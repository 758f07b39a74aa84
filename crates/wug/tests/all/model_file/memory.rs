//! How much memory a piece of work takes at most, counted for its thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes in use, and the most since the count began.
    static IN_USE: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

struct Counting;

fn count(bytes: isize) {
    // A thread that ends has no count any more.
    let _ = IN_USE.try_with(|in_use| {
        let (now, most) = in_use.get();
        in_use.set((now + bytes, most.max(now + bytes)));
    });
}

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller has promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as the caller has promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most bytes that the work had in use at once, and its result.
pub(crate) fn peak_of<T>(work: impl FnOnce() -> T) -> (usize, T) {
    IN_USE.with(|in_use| in_use.set((0, 0)));
    let result = work();
    (IN_USE.with(Cell::get).1 as usize, result)
}

#[test]
fn the_counter_counts() {
    let (peak, _) = peak_of(|| drop((vec![0_u8; 1000], vec![0_u8; 500])));
    assert!((1500..2000).contains(&peak), "{peak}");
}
