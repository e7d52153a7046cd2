//! Large buffers.

use bytemuck::Zeroable;

/// A zeroed buffer, on huge pages where the system grants them: tables are read at random places,
/// and with small pages most of that time goes into finding the page.
pub(crate) fn zeroed<T: Zeroable>(len: usize) -> Vec<T> {
    let buffer = bytemuck::allocation::zeroed_vec(len);
    advise_huge_pages(&buffer);
    buffer
}

#[cfg(target_os = "linux")]
fn advise_huge_pages<T>(buffer: &[T]) {
    const HUGE: usize = 2 << 20;
    let bytes = buffer.as_ptr_range();
    let start = (bytes.start as usize).next_multiple_of(HUGE);
    let end = bytes.end as usize & !(HUGE - 1);
    if start < end {
        // SAFETY: the range lies within the buffer, and the advice does not change its contents.
        // Refused advice only costs time.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages<T>(_: &[T]) {}

/// Tells the processor that an element will be read soon; an index out of range is ignored.
#[inline(always)]
pub(crate) fn prefetch<T>(buffer: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = buffer.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is a hint and part of the base instruction set.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (buffer, index);
}
