//! The machine: how much memory and disk are free, sizes in words, and large buffers.

#[cfg(unix)]
use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::AtomicU64;

#[cfg(any(unix, windows))]
use memmap2::{MmapMut, MmapRaw};
use sysinfo::Disks;
#[cfg(any(unix, windows))]
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes of memory that can be had without swapping, within the limits set for this process. Memory
/// that only keeps copies of files counts as free. A gibibyte where no system tells.
#[cfg(not(any(unix, windows)))]
pub fn free_memory() -> u64 {
    1 << 30
}

/// Bytes of memory that can be had without swapping, within the limits set for this process. Memory
/// that only keeps copies of files counts as free.
#[cfg(any(unix, windows))]
pub fn free_memory() -> u64 {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind);
    let free = system.available_memory();
    system.cgroup_limits().map_or(free, |limits| free.min(limits.total_memory.saturating_sub(limits.rss)))
}

/// Bytes free for a folder, which need not exist yet, if its file system can be told.
pub(crate) fn free_disk(folder: &Path) -> Option<u64> {
    let folder = folder.ancestors().find_map(|folder| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().ok()
    })?;
    let disks = Disks::new_with_refreshed_list();
    let disk = disks
        .iter()
        .filter(|disk| folder.starts_with(disk.mount_point()) && same_device(&folder, disk.mount_point()))
        .max_by_key(|disk| disk.mount_point().as_os_str().len())?;
    Some(disk.available_space())
}

/// Whether two folders lie on one file system: a mount that the list of disks leaves out must not
/// be judged by the disk around it.
#[cfg(unix)]
fn same_device(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::metadata(path).map(|metadata| metadata.dev()).ok();
    device(one).is_some() && device(one) == device(other)
}

#[cfg(not(unix))]
fn same_device(_: &Path, _: &Path) -> bool {
    true
}

/// Bytes as people read them.
pub fn size_text(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["bytes", "KiB", "MiB", "GiB"] {
        if size < 1024.0 {
            return if unit == "bytes" || size >= 99.5 {
                format!("{size:.0} {unit}")
            } else {
                format!("{size:.1} {unit}")
            };
        }
        size /= 1024.0;
    }
    format!("{size:.1} TiB")
}

/// A zeroed buffer, on huge pages where the system grants them: tables are read at random places,
/// and with small pages most of that time goes into finding the page.
pub(crate) fn zeroed(len: usize) -> Vec<i8> {
    let buffer = vec![0; len];
    advise_huge_pages(&buffer);
    buffer
}

/// Shared words, all 0 at first, page-aligned and on huge pages where the system grants them.
#[cfg(any(unix, windows))]
pub(crate) struct Words(MmapRaw);

/// Shared words, all 0 at first.
#[cfg(not(any(unix, windows)))]
pub(crate) struct Words(Vec<AtomicU64>);

#[cfg(not(any(unix, windows)))]
impl Words {
    /// Where a system has no maps, memory that is not granted ends the program as any other.
    pub fn new(len: usize) -> Option<Words> {
        Some(Words((0..len).map(|_| AtomicU64::new(0)).collect()))
    }
}

#[cfg(not(any(unix, windows)))]
impl Deref for Words {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        &self.0
    }
}

#[cfg(any(unix, windows))]
impl Words {
    /// `None` if the system does not grant so much address space.
    pub fn new(len: usize) -> Option<Words> {
        let map = MmapMut::map_anon(len.checked_mul(size_of::<AtomicU64>())?).ok()?;
        advise_huge_pages(&map);
        Some(Words(map.into()))
    }
}

#[cfg(any(unix, windows))]
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
