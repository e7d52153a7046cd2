//! Whether tables are what was written and, on demand, whether they are true.

mod checksums;
mod deep;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::build::{MANIFEST, Manifest, TableKind};
use super::error::{Fault, TableError, Unchecked};
use super::folder::Folder;
use super::format::{LayerName, Quantity, parse_rules};
use super::layer::Layer;
use super::storage::Access;
use crate::control::Control;
use crate::machine::free_memory;
use crate::retrograde::is_acyclic;
pub use checksums::{Checksum, Comparison, compare_checksums, folder_checksums, read_checksums};
use deep::{DeepCheck, check_board, entries, settle_again};

/// What a verification found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// Layer files read.
    pub files: u64,
    /// Everything that is wrong; empty if all is well.
    pub faults: Vec<Finding>,
}

/// A fault of a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub fault: Fault,
}

/// Reads all tables in `dir`, which is the folder of a game or holds several, and compares every
/// bit with the checksums, and the files with their names, their folder and its record. With
/// `deep`, each value of an intact layer is compared with those of its successors too, which takes
/// all lower layers except in games won by blocking; layers whose positions can repeat are otherwise settled
/// again instead and compared, which takes the memory of a build. Unfinished files (`.part`) and other names are passed over. The control counts
/// the positions of the layer in work.
///
/// # Errors
/// [`TableError::Io`] for a folder that cannot be read, [`TableError::NoTables`],
/// [`TableError::Stopped`]. What is wrong with a file is no error but part of the report.
pub fn verify(dir: &Path, deep: bool, control: &Control) -> Result<Report, TableError> {
    verify_within(dir, deep, None, Access::default(), control)
}

/// As [`verify`], with a limit on the bytes of memory that settling layers again or loading them may take; by
/// default, what the system has free. More than that is a fault ([`Fault::Unchecked`]). Layers are loaded to be
/// compared with their successors, unless `access` maps them.
///
/// # Errors
/// As [`verify`].
pub fn verify_within(
    dir: &Path,
    deep: bool,
    memory: Option<u64>,
    access: Access,
    control: &Control,
) -> Result<Report, TableError> {
    let memory = || memory.unwrap_or_else(free_memory);
    let mut report = Report { files: 0, faults: Vec::new() };
    for folder in Folder::find_some(dir)? {
        let intact = verify_folder(&folder, control, &mut report)?;
        if deep {
            let found = |file: PathBuf, fault| report.faults.push(Finding { file, fault });
            verify_deep(&folder, &intact, memory(), access, control, found)?;
        }
    }
    Ok(report)
}

fn verify_folder(
    folder: &Folder,
    control: &Control,
    report: &mut Report,
) -> Result<BTreeMap<LayerName, Layer>, TableError> {
    let manifest = Manifest::read(folder.path());
    let manifest_rules = manifest.as_ref().ok().and_then(Option::as_ref).map(|manifest| &manifest.rules);
    let mut owner = Owner { folder, rules: manifest_rules.cloned() };
    let mut intact = BTreeMap::new();
    for (&name, path) in folder.files() {
        control.check()?;
        report.files += 1;
        match verify_file(folder, name, &mut owner, control) {
            Ok(layer) => _ = intact.insert(name, layer),
            Err(TableError::Stopped(stopped)) => return Err(stopped.into()),
            Err(error) => report.faults.push(Finding { file: path.clone(), fault: error.into_fault() }),
        }
    }
    let mut found = |file: PathBuf, fault: Fault| report.faults.push(Finding { file, fault });
    let record = folder.path().join(MANIFEST);
    match manifest {
        Ok(None) => (),
        Ok(Some(manifest)) => {
            compare_manifest(folder, &manifest, &owner, &intact, |fault| found(record.clone(), fault));
        }
        Err(fault) => found(record, fault),
    }
    Ok(intact)
}

/// Whose tables a folder holds: by its name, or by its record, or by its first sound file.
struct Owner<'a> {
    folder: &'a Folder,
    rules: Option<String>,
}

impl Owner<'_> {
    fn check(&mut self, layer: &Layer) -> Result<(), Fault> {
        let other = |wanted: String| Err(Fault::OtherRules { found: layer.rules_id(), wanted });
        match (self.folder.named_for(layer.header().fingerprint()), &self.rules) {
            (Some(true), _) => (),
            (Some(false), _) => return other(format!("those of a folder named {}", self.folder.name())),
            (None, Some(rules)) if rules != layer.rule_text() => {
                return other(format!("{:032x}", xxhash_rust::xxh3::xxh3_128(rules.as_bytes())));
            }
            (None, _) => (),
        }
        self.rules = Some(layer.rule_text().into());
        Ok(())
    }
}

/// Checks all of a file that can be checked by itself.
fn verify_file(
    folder: &Folder,
    name: LayerName,
    owner: &mut Owner,
    control: &Control,
) -> Result<Layer, TableError> {
    let path = &folder.files()[&name];
    let layer = folder.open(name, Access::Read).map_err(|fault| fault.at(path))?;
    let rules = parse_rules(layer.rule_text(), "game").ok_or_else(|| Fault::UnknownRules.at(path))?;
    layer.belongs_to(&rules).and_then(|()| owner.check(&layer)).map_err(|fault| fault.at(path))?;
    control.begin(format!("checking layer {name}"), layer.header().positions());
    layer.check(control)?;
    Ok(layer)
}

/// A record may know less than the folder holds, since a build can end before it is written, but
/// nothing else.
fn compare_manifest(
    folder: &Folder,
    manifest: &Manifest,
    owner: &Owner,
    intact: &BTreeMap<LayerName, Layer>,
    mut found: impl FnMut(Fault),
) {
    if owner.rules.as_ref().is_some_and(|rules| *rules != manifest.rules) {
        found(Fault::Manifest("the record names other rules than the layers beside it".into()));
    }
    for (name, checksum) in manifest.files() {
        if !folder.files().contains_key(&name) {
            found(Fault::Manifest(format!("the record names layer {name}, and its file is missing")));
        }
        if intact.get(&name).is_some_and(|layer| layer.header().values_checksum() != checksum) {
            found(Fault::Manifest(format!("the record has another checksum for layer {name} than its file")));
        }
    }
}

fn verify_deep(
    folder: &Folder,
    intact: &BTreeMap<LayerName, Layer>,
    memory: u64,
    access: Access,
    control: &Control,
    mut found: impl FnMut(PathBuf, Fault),
) -> Result<(), TableError> {
    let Some(first) = intact.values().next() else { return Ok(()) };
    let rules = parse_rules(first.rule_text(), "game").ok_or_else(|| Fault::UnknownRules.at(first.path()))?;
    if rules.four_rows().is_some() {
        for (&name, layer) in intact {
            let fault = match (name.quantity, folder.open(name, access)) {
                (Quantity::Value, Ok(layer)) => check_board(&rules, &layer, memory, control)?,
                (Quantity::Value, Err(fault)) => Some(fault),
                _ => Some(Unchecked::OnlyDraws.into()),
            };
            fault.into_iter().for_each(|fault| found(layer.path().into(), fault));
        }
        return Ok(());
    }
    if !is_acyclic(&rules) {
        for kind in TableKind::ALL {
            settle_again(&rules, kind, intact, memory, control, &mut |layer: &Layer, fault| {
                found(layer.path().into(), fault)
            })?;
        }
        return Ok(());
    }
    // Mapped only now: reads of a file that is cut short meanwhile fail, reads of a map crash.
    let mut opened = BTreeMap::new();
    for (&name, layer) in intact {
        if name.quantity != Quantity::Value {
            found(layer.path().into(), Unchecked::NoBounds.into());
            continue;
        }
        match folder.open(name, access) {
            Ok(layer) => _ = opened.insert(name.seeds, layer),
            Err(fault) => found(folder.files()[&name].clone(), fault),
        }
    }
    let (mut left, mut values) = (memory, BTreeMap::new());
    for (&seeds, layer) in &opened {
        match entries(layer, seeds, left, control)? {
            Ok(entries) => {
                left -= if matches!(entries, Cow::Owned(_)) { entries.len() as u64 } else { 0 };
                values.insert(seeds, entries);
            }
            Err(fault) => found(layer.path().into(), fault),
        }
    }
    let check = match DeepCheck::new(&rules, &values) {
        Ok(check) => check,
        Err(error) => {
            found(first.path().into(), Unchecked::from(error).into());
            return Ok(());
        }
    };
    for &seeds in values.keys() {
        if let Some(fault) = check.layer(seeds, control)? {
            found(opened[&seeds].path().into(), fault);
        }
    }
    Ok(())
}
