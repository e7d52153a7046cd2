//! Writing files so that a name is only ever seen complete.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::name::{LayerName, Quantity};
use super::{BLOCK_BYTES, Header};
use crate::control::Control;
use crate::rules::Rules;
use crate::tables::error::TableError;
use crate::tables::storage::as_bytes;

/// Bytes written between two looks at the control.
const PART_BYTES: usize = 1 << 26;

/// Writes a layer file: the entries by index, values or bounds, of a layer with `seeds` seeds. The
/// bytes depend on the rules, the layer, the entries and the version of this program, and on nothing
/// else. Returns the header written.
///
/// # Errors
/// [`TableError::WrongSize`], [`TableError::Io`], for instance when the disk is full, or
/// [`TableError::Stopped`]. No file of this name is then left that was not there before.
pub fn write_layer(
    path: &Path,
    rules: &Rules,
    seeds: u32,
    quantity: Quantity,
    values: &[i8],
    control: &Control,
) -> Result<Header, TableError> {
    let bytes = as_bytes(values);
    let (whole, blocks): (u128, Vec<u64>) =
        rayon::join(|| xxh3_128(bytes), || bytes.par_chunks(BLOCK_BYTES).map(xxh3_64).collect());
    let too_large = crate::index::TooLarge { pits: rules.pits().into(), seeds };
    let header = Header::new(rules, LayerName { seeds, quantity }, whole).ok_or(too_large)?;
    if header.positions() != bytes.len() as u64 {
        let (found, expected) = (bytes.len() as u64, header.positions());
        return Err(TableError::WrongSize { seeds, found, expected });
    }
    let mut front = header.raw().bytes().to_vec();
    front.extend(rules.canonical().bytes());
    front.resize(header.checksums().offset as usize, 0);
    front.extend(blocks.iter().flat_map(|checksum| checksum.to_le_bytes()));
    front.resize(header.values().offset as usize, 0);
    write_whole(path, &[&front, bytes], true, control)?;
    Ok(header)
}

/// Writes a file, one part after the other, so that its name is only seen complete: until then it is
/// `NAME.part`. A file of this name that was there before is replaced, a link stays one, and a device or a pipe is
/// written to. `read_only` sets that permission.
///
/// # Errors
/// [`TableError::Io`], or [`TableError::Stopped`]. What had the name before still has it then.
pub fn write_whole(
    path: &Path,
    parts: &[&[u8]],
    read_only: bool,
    control: &Control,
) -> Result<(), TableError> {
    let path = &behind_link(path);
    if is_device(path) {
        let mut file = File::options().write(true).open(path).map_err(TableError::io("open", path))?;
        return parts
            .iter()
            .try_for_each(|bytes| file.write_all(bytes))
            .map_err(TableError::io("write", path));
    }
    let mut file = PartFile::create(path)?;
    parts.iter().try_for_each(|bytes| file.write(bytes, control))?;
    file.finish(read_only)
}

/// Tries whether [`write_whole`] could write a file, so that no long work is done for one that it cannot.
/// Nothing is left behind.
///
/// # Errors
/// [`TableError::Io`].
pub fn try_name(path: &Path) -> Result<(), TableError> {
    // Such as `/dev/stdout`: replaced by a new file, it would lose what else is written there.
    let is_open = |path: &Path| path.starts_with("/proc") || path.starts_with("/dev/fd");
    let is_own_output = is_open(path) || fs::read_link(path).is_ok_and(|path| is_open(&path));
    let path = &behind_link(path);
    if path.is_dir() {
        return Err(TableError::io("write", path)(ErrorKind::IsADirectory.into()));
    }
    if is_device(path) {
        return Ok(());
    }
    if is_own_output {
        return Err(TableError::io("write", path)(ErrorKind::InvalidInput.into()));
    }
    // Another program may be at work on it, and will be done by then.
    match File::create_new(part_name(path)) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        created => {
            created.map_err(TableError::io("create", path))?;
            remove_if_there(&part_name(path))
        }
    }
}

/// What a link leads to, or the name itself.
fn behind_link(path: &Path) -> PathBuf {
    fs::read_link(path).and_then(|_| fs::canonicalize(path)).unwrap_or_else(|_| path.into())
}

fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// A file that is written under `NAME.part` and gets its name when all of it is on the disk. It is
/// removed if it is dropped before.
pub(in crate::tables) struct PartFile {
    path: PathBuf,
    part: PathBuf,
    file: File,
    has_name: bool,
}

impl PartFile {
    /// Begins to write.
    pub(in crate::tables) fn create(path: &Path) -> Result<PartFile, TableError> {
        let part = part_name(path);
        remove_if_there(&part)?;
        let file = File::create_new(&part).map_err(TableError::io("create", path))?;
        Ok(PartFile { path: path.into(), part, file, has_name: false })
    }

    /// Writes more.
    pub(in crate::tables) fn write(&mut self, bytes: &[u8], control: &Control) -> Result<(), TableError> {
        for bytes in bytes.chunks(PART_BYTES) {
            control.check()?;
            self.file.write_all(bytes).map_err(TableError::io("write", &self.part))?;
        }
        Ok(())
    }

    /// Gives the file its name.
    pub(in crate::tables) fn finish(mut self, read_only: bool) -> Result<(), TableError> {
        if read_only {
            let metadata = self.file.metadata().map_err(TableError::io("read", &self.part))?;
            let mut permissions = metadata.permissions();
            permissions.set_readonly(true);
            self.file.set_permissions(permissions).map_err(TableError::io("write", &self.part))?;
        }
        self.file.sync_all().map_err(TableError::io("write", &self.part))?;
        fs::rename(&self.part, &self.path).map_err(TableError::io("rename", &self.part))?;
        self.has_name = true;
        sync_folder(self.path.parent().unwrap_or(Path::new(".")))
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.has_name {
            // Whatever this says, the error that led here tells more.
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// The name under which a file is written.
pub(in crate::tables) fn part_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Removes a file that an unfinished write may have left.
pub(in crate::tables) fn remove_if_there(path: &Path) -> Result<(), TableError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(TableError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Makes the names in a folder last.
pub(in crate::tables) fn sync_folder(folder: &Path) -> Result<(), TableError> {
    // Windows has no such call and needs none: it journals names.
    if cfg!(unix) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(TableError::io("write", folder))?;
    }
    Ok(())
}
