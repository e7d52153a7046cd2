//! Where the bytes of a layer file lie.

use std::borrow::Cow;
use std::fs::File;
use std::io;

use memmap2::Mmap;

/// How the values of a file are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// By positioned reads: whatever happens to a file meanwhile, it is an error at worst. A search needs the
    /// values in memory, where [`TableSet::load_values`](super::TableSet::load_values) puts them.
    #[default]
    Read,
    /// Through a memory map: the fastest way, with nothing to load. [`Access::map`] makes it.
    Map(MapPromise),
}

/// That the contract of [`Access::map`] is kept. Nothing else makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapPromise(());

impl Access {
    /// Reading through memory maps.
    ///
    /// # Safety
    /// As long as a layer, or a set of layers, that was opened with the result is alive, nobody may write to its
    /// files or shorten them, neither this process nor another one. What [`build`](super::build()) writes keeps to
    /// that: finished files are made read-only, and are replaced by a rename, which leaves the mapped file as it was.
    pub const unsafe fn map() -> Access {
        Access::Map(MapPromise(()))
    }
}

/// Bytes that do not change, at offsets from 0.
#[derive(Debug)]
pub(super) enum Storage {
    /// In a file, by positioned reads.
    File(File),
    /// In a file, mapped.
    Map(Mmap),
}

impl Storage {
    /// The contents of a file.
    ///
    /// # Errors
    /// What the system says, in particular if it cannot map the file.
    pub(super) fn new(file: File, access: Access) -> io::Result<Storage> {
        match access {
            Access::Read => Ok(Storage::File(file)),
            // SAFETY: a map is sound as long as nobody writes to the file or shortens it while it
            // is mapped, which whoever made the promise by `Access::map` answers for.
            Access::Map(MapPromise(())) => Ok(Storage::Map(unsafe { Mmap::map(&file)? })),
        }
    }

    /// Bytes stored.
    pub(super) fn length(&self) -> io::Result<u64> {
        match self {
            Storage::File(file) => Ok(file.metadata()?.len()),
            Storage::Map(map) => Ok(map.len() as u64),
        }
    }

    /// The bytes of a range, where they lie in memory.
    pub(super) fn slice(&self, offset: u64, length: usize) -> Option<&[u8]> {
        let Storage::Map(map) = self else {
            return None;
        };
        let start = usize::try_from(offset).ok()?;
        map.get(start..start.checked_add(length)?)
    }

    /// Fills a buffer from an offset on.
    ///
    /// # Errors
    /// What the system says, and [`io::ErrorKind::UnexpectedEof`] beyond the end.
    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self {
            Storage::File(file) => read_exact_at(file, offset, buffer),
            Storage::Map(_) => {
                let bytes = self.slice(offset, buffer.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
                buffer.copy_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// The bytes of a range, copied only if they do not lie in memory.
    ///
    /// # Errors
    /// As [`Storage::read_at`].
    pub(super) fn bytes(&self, offset: u64, length: usize) -> io::Result<Cow<'_, [u8]>> {
        if let Some(bytes) = self.slice(offset, length) {
            return Ok(Cow::Borrowed(bytes));
        }
        let mut buffer = vec![0; length];
        self.read_at(offset, &mut buffer)?;
        Ok(Cow::Owned(buffer))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Where a system has no files, none is open.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (buffer, offset) = (&mut buffer[read..], offset + read as u64),
        }
    }
    Ok(())
}

/// Values as the bytes of a file.
pub(super) fn as_bytes(values: &[i8]) -> &[u8] {
    // SAFETY: i8 and u8 have the same size and alignment, and every bit pattern is a value of both.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// As [`as_bytes`], to be filled.
pub(super) fn as_bytes_mut(values: &mut [i8]) -> &mut [u8] {
    // SAFETY: as in `as_bytes`; the borrow of the values is exclusive and lasts as long as the result.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), values.len()) }
}

/// The bytes of a file as values.
pub(super) fn as_values(bytes: &[u8]) -> &[i8] {
    // SAFETY: as in `as_bytes`.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}
