//! One build a folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::BuildError;
use crate::tables::error::TableError;

/// Name of the lock file in a game folder.
const LOCK: &str = "build.lock";

/// The right to write in a folder, held until it is dropped. The system holds the lock for the
/// process and lets go of it when the process ends, however it ends; so the file may be left over
/// and means nothing by itself. It is never removed: a second build could then lock a file that is
/// no longer in the folder.
#[derive(Debug)]
pub(super) struct FolderLock {
    file: File,
}

impl FolderLock {
    /// Takes the lock of a folder for some work, told in a few words.
    pub(super) fn take(folder: &Path, work: &str) -> Result<FolderLock, BuildError> {
        let path = folder.join(LOCK);
        let io = |action| TableError::io(action, &path);
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&path).map_err(io("create"))?;
        match file.try_lock() {
            Ok(()) => (),
            Err(TryLockError::Error(error)) => return Err(io("lock")(error).into()),
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // An unreadable name must not hide that the folder is taken.
                let _ = file.take(200).read_to_string(&mut holder);
                let holder = holder.lines().next().unwrap_or_default().trim().to_owned();
                let holder = if holder.is_empty() { "another build".into() } else { holder };
                return Err(BuildError::Locked { folder: folder.into(), holder });
            }
        }
        let text = format!("process {} ({work})\n", std::process::id());
        file.set_len(0).and_then(|()| file.rewind()).map_err(io("write"))?;
        file.write_all(text.as_bytes()).map_err(io("write"))?;
        Ok(FolderLock { file })
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Nobody should read the name of a build that is over. A failure leaves a stale name in a
        // file that nobody has locked, which is harmless.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}
