//! Writing a layer in the form of another program.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use super::layouts::{ExchangeError, Layout};
use crate::control::Control;
use crate::index::{Numbering, TooLarge};
use crate::rules::Rules;
use crate::tables::error::TableError;
use crate::tables::format::{PartFile, remove_if_there};
use crate::tables::layer::Layer;

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exported {
    /// The file.
    pub file: PathBuf,
    /// What the file holds, in JSON.
    pub record: PathBuf,
    /// Values in the file.
    pub entries: u64,
    /// Its length.
    pub bytes: u64,
    /// xxh3-128 of the values in the order of the file, one signed byte each.
    pub checksum: u128,
}

/// The name of the record next to an exported file: `FILE.json`.
pub(super) fn record_path(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// Writes a layer to a file, and what it holds to a record next to it. The values are compared with
/// their checksums before the file gets its name. The control counts positions.
///
/// # Errors
/// [`ExchangeError::NotAwari`] and [`ExchangeError::NoSuchLayer`] if the layout is not for the layer,
/// [`ExchangeError::NotValues`],
/// [`ExchangeError::Exists`] if the file or its record is there and `replace` is not set,
/// [`ExchangeError::NoFile`], [`TableError::Io`], and what [`Layer::check`] gives. No file is then left
/// that was not there before.
pub fn export(
    layer: &Layer,
    rules: &Rules,
    layout: Layout,
    file: &Path,
    replace: bool,
    control: &Control,
) -> Result<Exported, ExchangeError> {
    layout.takes(layer, rules)?;
    let seeds = layer.header().seeds();
    let record = record_path(file);
    for path in [file, &record] {
        may_write(path, replace)?;
    }
    let pits = rules.player_pits();
    let entries = layout.entries(pits, seeds).ok_or(TooLarge { pits: pits.into(), seeds })?;
    let numbering = Numbering::new(pits.into(), seeds)?;
    let mut checksum = Xxh3::new();
    let mut bytes = 0;
    let mut writer = PartFile::create(file)?;
    let mut write = |part: &[u8]| {
        bytes += part.len() as u64;
        writer.write(part, control).map_err(ExchangeError::from)
    };
    write(&layout.header(pits, entries))?;
    layout.for_each_batch(layer, control, |first, values| {
        checksum.update(values);
        layout.write(&numbering, seeds, first, values, &mut write)
    })?;
    let checksum = checksum.digest128();
    let exported = Exported { file: file.into(), record, entries, bytes, checksum };
    let mut record = PartFile::create(&exported.record)?;
    record.write(describe(&exported, layer, rules, layout).as_bytes(), control)?;
    // From here on nobody is asked to stop. A record never stands next to values that it does not
    // describe, and values never without one.
    remove_if_there(&exported.record)?;
    writer.finish(false)?;
    if let Err(error) = record.finish(false) {
        // Whatever this says, the error that led here tells more.
        let _ = fs::remove_file(file);
        return Err(error.into());
    }
    Ok(exported)
}

/// The record of a file: a JSON object with one key a line.
fn describe(exported: &Exported, layer: &Layer, rules: &Rules, layout: Layout) -> String {
    let header = layer.header();
    let name = exported.file.file_name().unwrap_or_default().to_string_lossy();
    let fields = [
        ("game", quoted(&rules.title())),
        ("rules", quoted(&rules.id())),
        ("rule_text", quoted(&rules.canonical())),
        ("layer", header.seeds().to_string()),
        ("positions", header.positions().to_string()),
        ("file", quoted(&name)),
        ("format", quoted(layout.name())),
        ("entries", exported.entries.to_string()),
        ("order", quoted(layout.order())),
        ("dtype", quoted("int8")),
        ("checksum", quoted(&format!("{:032x}", exported.checksum))),
        ("layer_checksum", quoted(&format!("{:032x}", header.values_checksum()))),
        ("generator", quoted(concat!("sowbase ", env!("CARGO_PKG_VERSION")))),
    ];
    let lines = fields.map(|(key, value)| format!("  \"{key}\": {value}"));
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// A JSON string. Written here since a JSON library in a library makes types ambiguous for its users.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\0'..' ' => _ = write!(quoted, "\\u{:04x}", u32::from(c)),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a name is free, or a file that may be replaced.
fn may_write(path: &Path, replace: bool) -> Result<(), ExchangeError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(TableError::io("write", path)(error).into()),
        Ok(found) if !found.is_file() => Err(ExchangeError::NoFile { path: path.into() }),
        Ok(_) if !replace => Err(ExchangeError::Exists { path: path.into() }),
        Ok(_) => Ok(()),
    }
}
