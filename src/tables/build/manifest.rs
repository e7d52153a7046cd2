//! The record of a game folder: for what it was first built and what was built there.
//!
//! It is a convenience and never believed against the files. A build repairs it, `verify` compares
//! it. The bytes are [`SIGNATURE`], the xxh3-64 of the rest, and the rest: the record in the wire
//! format of bincode.

use std::fs;
use std::path::Path;

use wincode::{SchemaRead, SchemaWrite};
use xxhash_rust::xxh3::xxh3_64;

use crate::control::Control;
use crate::tables::error::{Fault, TableError};
use crate::tables::format::{LayerName, Quantity, write_whole};

/// Name of the record in a game folder.
pub const MANIFEST: &str = "manifest.sowm";
/// First bytes of a record; the last of them counts its versions.
const SIGNATURE: [u8; 8] = *b"sowmani\x01";
/// No record is longer than this.
const MAX_BYTES: u64 = 1 << 20;

/// What a game folder is known to hold.
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct Manifest {
    /// The game the folder was first built for, such as `kalah:6x4`. The tables are the same for
    /// every number of seeds at the start, so the files do not say it.
    pub game: String,
    /// The canonical text of the rules.
    pub rules: String,
    /// Version of the program that wrote the record.
    pub generator: String,
    /// The files, by rising seeds, values before bounds.
    pub layers: Vec<ManifestEntry>,
}

/// A layer file in the record.
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct ManifestEntry {
    /// Seeds in play.
    pub seeds: u16,
    /// What the entries of the file are, as in its header.
    pub flags: u16,
    /// xxh3-128 of the decoded values in index order.
    pub checksum: u128,
}

impl ManifestEntry {
    /// The file, if this program knows such files.
    pub fn name(&self) -> Option<LayerName> {
        Some(LayerName { seeds: self.seeds.into(), quantity: Quantity::from_flags(self.flags)? })
    }
}

impl Manifest {
    /// The record of a folder, if it has one.
    ///
    /// # Errors
    /// [`Fault::Manifest`] if it is damaged, [`Fault::Unreadable`].
    pub fn read(folder: &Path) -> Result<Option<Manifest>, Fault> {
        let path = folder.join(MANIFEST);
        let metadata = match fs::metadata(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            metadata => metadata?,
        };
        if !metadata.is_file() || metadata.len() > MAX_BYTES {
            return Err(Fault::Manifest("it is no record of a folder".into()));
        }
        Manifest::decode(&fs::read(&path)?).map(Some)
    }

    fn decode(bytes: &[u8]) -> Result<Manifest, Fault> {
        let damaged = || Fault::Manifest("the record does not match its checksum".into());
        let bytes = bytes.strip_prefix(&SIGNATURE).ok_or_else(damaged)?;
        let (checksum, record) = bytes.split_first_chunk().ok_or_else(damaged)?;
        if xxh3_64(record) != u64::from_le_bytes(*checksum) {
            return Err(damaged());
        }
        let record: Manifest = wincode::deserialize_exact(record).map_err(|_| damaged())?;
        if record.layers.iter().any(|entry| entry.name().is_none()) {
            return Err(Fault::Manifest("the record names files that this program does not know".into()));
        }
        Ok(record)
    }

    fn encode(&self) -> Vec<u8> {
        let record = wincode::serialize(self).expect("the record is far smaller than the encoder's limit");
        [&SIGNATURE[..], &xxh3_64(&record).to_le_bytes(), &record].concat()
    }

    /// Replaces the record of a folder.
    pub(in crate::tables) fn write(&self, folder: &Path, control: &Control) -> Result<(), TableError> {
        write_whole(&folder.join(MANIFEST), &[&self.encode()], false, control)
    }

    /// The files with their checksums.
    pub fn files(&self) -> impl Iterator<Item = (LayerName, u128)> + '_ {
        self.layers.iter().filter_map(|entry| Some((entry.name()?, entry.checksum)))
    }

    /// The checksum of a file.
    pub fn checksum(&self, name: LayerName) -> Option<u128> {
        self.files().find(|(file, _)| *file == name).map(|(_, checksum)| checksum)
    }

    /// Enters a file.
    pub(in crate::tables) fn set(&mut self, name: LayerName, checksum: u128) {
        self.layers.retain(|entry| entry.name() != Some(name));
        self.layers.push(ManifestEntry { seeds: name.seeds as u16, flags: name.quantity.flags(), checksum });
        self.layers.sort_by_key(ManifestEntry::name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_of_a_record_is_noticed() {
        let entry = |seeds, flags, checksum| ManifestEntry { seeds, flags, checksum };
        let layers = vec![entry(0, 0, 7), entry(1, 0, u128::MAX), entry(1, 1, 5), entry(1, 2, 6)];
        let manifest =
            Manifest { game: "kalah:3x3".into(), rules: "two rows\n".into(), generator: "1".into(), layers };
        let mut bytes = manifest.encode();
        assert_eq!(Manifest::decode(&bytes).unwrap(), manifest);
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Manifest::decode(&bytes).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
