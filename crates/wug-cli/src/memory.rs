//! The end of memory: a message and exit code 1 like any other failure, not a signal.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// The system's allocator; when it has no more, the command ends.
pub struct Memory;

/// Says that there is no more memory, without taking any. What was being written is left as it was: files get their
/// names only when they are whole.
#[cold]
fn end(bytes: usize) -> ! {
    let _ = writeln!(
        std::io::stderr(),
        "error: out of memory: {bytes} bytes more are not to be had; give fewer --threads, fewer particles or a smaller model"
    );
    std::process::exit(1)
}

fn checked(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if pointer.is_null() { end(bytes) } else { pointer }
}

// SAFETY: every call is passed on to the system's allocator, and what it returns is passed back.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller has promised.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller has promised.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller has promised.
        checked(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller has promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}
