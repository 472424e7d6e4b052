//! Hints to the machine, without effect on results: what will be read soon, what should lie in large pages, and what
//! should be given back when it is freed.

/// Prefetches the cache line of a value.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn prefetch<T>(place: &T) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every x86-64 machine has the instruction, and it reads nothing as far as the program can tell.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(place).cast()) }
}

/// Advises the system to back memory that has not been touched yet with huge pages, which saves most TLB misses
/// of a table that is read at random.
#[cfg(all(feature = "huge-pages", target_os = "linux"))]
pub fn advise_huge_pages<T>(memory: &[T]) {
    use core::ffi::{c_int, c_void};
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    const PAGE: usize = 4096;
    const ADVISE_HUGE_PAGES: c_int = 14;
    let range = memory.as_ptr_range();
    let start = range.start.addr().next_multiple_of(PAGE);
    let end = range.end.addr() / PAGE * PAGE;
    if start < end {
        let address = range.start.cast_mut().cast::<c_void>().with_addr(start);
        // SAFETY: the whole pages between `start` and `end` belong to the slice, and this advice neither reads
        // nor changes what is in them. Failure is harmless.
        let _ = unsafe { madvise(address, end - start, ADVISE_HUGE_PAGES) };
    }
}

/// Other systems decide for themselves.
#[cfg(all(feature = "huge-pages", not(target_os = "linux")))]
pub fn advise_huge_pages<T>(_memory: &[T]) {}

/// Has the allocator return blocks of a mebibyte and more to the system as soon as they are freed. Left to itself, glibc
/// raises that bound to the size of the largest block freed so far, up to 32 MiB, and keeps what lies below it: a program
/// that makes and drops many tables grows to several times what it uses. Call it before other threads start.
#[cfg(all(feature = "huge-pages", target_os = "linux", target_env = "gnu"))]
pub fn return_large_blocks() {
    use core::ffi::c_int;
    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }
    const MMAP_THRESHOLD: c_int = -3;
    // SAFETY: this sets a number that the allocator compares sizes with; either value of it is fine for any block.
    let _ = unsafe { mallopt(MMAP_THRESHOLD, 1 << 20) };
}

/// Other allocators decide for themselves.
#[cfg(all(feature = "huge-pages", not(all(target_os = "linux", target_env = "gnu"))))]
pub fn return_large_blocks() {}
