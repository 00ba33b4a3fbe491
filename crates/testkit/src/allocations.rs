//! An allocator that counts, to prove that playouts allocate nothing.
//!
//! A test binary makes it the global allocator:
//! ```
//! use tesuji_testkit::allocations::{CountingAllocator, count};
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//! assert_eq!(count(|| 1 + 1), (0, 2));
//! assert_eq!(count(|| vec![1_u8; 100]).0, 1);
//! ```

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, which also counts the calls on each thread.
#[derive(Clone, Copy, Debug)]
pub struct CountingAllocator;

// SAFETY: every call goes on to `System` unchanged. The counter is a
// const-initialised thread-local `Cell`, which neither allocates nor unwinds.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `System`, through `alloc` or `realloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as for `dealloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

/// Runs `work`, and returns how often it allocated on this thread, and its result.
pub fn count<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = ALLOCATIONS.get();
    let result = work();
    (ALLOCATIONS.get() - before, result)
}
