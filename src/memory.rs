//! Large buffers.

/// A zeroed buffer, on huge pages where the system grants them: tables are read at random places,
/// and with small pages most of that time goes into finding the page.
pub(crate) fn zeroed(len: usize) -> Vec<i8> {
    let buffer = vec![0; len];
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
