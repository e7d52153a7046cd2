//! Writing files so that a name is only ever seen complete.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::error::TableError;
use super::format::{BLOCK_BYTES, Header};
use super::name::{LayerName, Quantity};
use super::storage::as_bytes;
use crate::control::Control;
use crate::rules::Rules;

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
    let too_large = crate::index::TooLarge { pits: rules.pits.into(), seeds };
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

/// Writes a file under `NAME.part` and gives it its name when all of it is on the disk.
pub(super) fn write_whole(
    path: &Path,
    parts: &[&[u8]],
    read_only: bool,
    control: &Control,
) -> Result<(), TableError> {
    let part = part_name(path);
    let written = write_part(&part, parts, read_only, control);
    if written.is_err() {
        // Whatever this says, the first error tells more.
        let _ = fs::remove_file(&part);
        return written;
    }
    fs::rename(&part, path).map_err(TableError::io("rename", &part))?;
    sync_folder(path.parent().unwrap_or(Path::new(".")))
}

fn write_part(part: &Path, parts: &[&[u8]], read_only: bool, control: &Control) -> Result<(), TableError> {
    remove_if_there(part)?;
    let mut file = File::create_new(part).map_err(TableError::io("create", part))?;
    for bytes in parts.iter().flat_map(|part| part.chunks(PART_BYTES)) {
        control.check()?;
        file.write_all(bytes).map_err(TableError::io("write", part))?;
    }
    if read_only {
        let mut permissions = file.metadata().map_err(TableError::io("read", part))?.permissions();
        permissions.set_readonly(true);
        file.set_permissions(permissions).map_err(TableError::io("write", part))?;
    }
    file.sync_all().map_err(TableError::io("write", part))
}

/// The name under which a file is written.
pub(super) fn part_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Removes a file that an unfinished write may have left.
pub(super) fn remove_if_there(path: &Path) -> Result<(), TableError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(TableError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Makes the names in a folder last.
pub(super) fn sync_folder(folder: &Path) -> Result<(), TableError> {
    // Windows has no such call and needs none: it journals names.
    if cfg!(unix) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(TableError::io("write", folder))?;
    }
    Ok(())
}
