//! Large buffers.

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use memmap2::{MmapMut, MmapRaw};

/// A zeroed buffer, on huge pages where the system grants them: tables are read at random places,
/// and with small pages most of that time goes into finding the page.
pub(crate) fn zeroed(len: usize) -> Vec<i8> {
    let buffer = vec![0; len];
    advise_huge_pages(&buffer);
    buffer
}

/// Shared words, all 0 at first, page-aligned and on huge pages where the system grants them.
pub(crate) struct Words(MmapRaw);

impl Words {
    /// `None` if the system does not grant so much address space.
    pub fn new(len: usize) -> Option<Words> {
        let map = MmapMut::map_anon(len.checked_mul(size_of::<AtomicU64>())?).ok()?;
        advise_huge_pages(&map);
        Some(Words(map.into()))
    }
}

impl Deref for Words {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        let len = self.0.len() / size_of::<AtomicU64>();
        // SAFETY: the map is page-aligned, lives as long as `self`, is reached in no other way, and
        // any bytes are valid atomic words.
        unsafe { std::slice::from_raw_parts(self.0.as_mut_ptr().cast::<AtomicU64>(), len) }
    }
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
