//! One layer file.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

use super::error::{Fault, TableError};
use super::format::{BLOCK_BYTES, FOUR_ROWS, HEADER_BYTES, Header};
use super::storage::{Access, Storage, as_bytes, as_bytes_mut, as_values};
use crate::control::Control;
use crate::rules::Rules;

/// Blocks that a full pass has in work at a time.
const BATCH: usize = 32;

/// A layer file: the values of a layer, or bounds of them. What is said of values holds for both.
/// Opening it reads the header and the rule text only, so it takes the same short
/// time whatever the size; each block of values is compared with its checksum when
/// [`Layer::value`] first meets it.
#[derive(Debug)]
pub struct Layer {
    path: PathBuf,
    header: Header,
    rule_text: String,
    storage: Storage,
    /// Blocks that have been compared with their checksums.
    sound: Vec<AtomicBool>,
}

impl Layer {
    /// Opens a layer file.
    ///
    /// # Errors
    /// [`TableError::Io`], [`TableError::Corrupt`], [`TableError::NewerVersion`] or
    /// [`TableError::Unsupported`].
    pub fn open(path: &Path, access: Access) -> Result<Layer, TableError> {
        Layer::open_file(path, access).map_err(|fault| fault.at(path))
    }

    pub(super) fn open_file(path: &Path, access: Access) -> Result<Layer, Fault> {
        // Not even opened: a pipe would block.
        if !fs::metadata(path)?.is_file() {
            return Err(Fault::Unreadable(io::Error::other("it is not a regular file")));
        }
        let file = File::open(path)?;
        let found = file.metadata()?.len();
        if found < HEADER_BYTES as u64 {
            return Err(Fault::NoHeader { bytes: found });
        }
        let storage = Storage::new(file, access)?;
        let mut bytes = [0; HEADER_BYTES];
        storage.read_at(0, &mut bytes)?;
        let header = Header::try_from(&bytes)?;
        let (found, expected) = (storage.length()?, header.file_length());
        if found != expected {
            return Err(Fault::Length { found, expected });
        }
        let mut text = vec![0; header.rules().length as usize];
        storage.read_at(header.rules().offset, &mut text)?;
        if xxh3_128(&text) != header.fingerprint() {
            return Err(Fault::RuleText);
        }
        let rule_text = String::from_utf8(text).map_err(|_| Fault::RuleText)?;
        let sound = (0..header.blocks()).map(|_| AtomicBool::new(false)).collect();
        Ok(Layer { path: path.into(), header, rule_text, storage, sound })
    }

    /// Fails unless the layer belongs to a rule set.
    pub(super) fn belongs_to(&self, rules: &Rules) -> Result<(), Fault> {
        // The pits are compared too: the text could be right and the header another board's.
        if self.header.fingerprint() == rules.fingerprint() && self.header.pits() == rules.player_pits() {
            return Ok(());
        }
        Err(Fault::OtherRules { found: self.rules_id(), wanted: rules.id() })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The canonical text of the rules it was built for.
    pub fn rule_text(&self) -> &str {
        &self.rule_text
    }

    /// The fingerprint of its rules as 32 hex digits.
    pub fn rules_id(&self) -> String {
        format!("{:032x}", self.header.fingerprint())
    }

    /// Whether it is of a game won by blocking, so that its values are codes of verdicts.
    pub fn has_verdicts(&self) -> bool {
        self.rule_text.lines().next() == Some(FOUR_ROWS)
    }

    /// The value of a position by index, in points of the player to move with empty stores.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] if the block of the position does not match its checksum or has a
    /// value beyond the seeds in play, and [`TableError::Io`].
    ///
    /// # Panics
    /// If the index is not below the number of positions.
    pub fn value(&self, index: u64) -> Result<i32, TableError> {
        assert!(index < self.header.positions(), "layer {} has no position {index}", self.header.seeds());
        self.read_value(index).map_err(|fault| fault.at(&self.path))
    }

    fn read_value(&self, index: u64) -> Result<i32, Fault> {
        let block = index / BLOCK_BYTES as u64;
        let at = self.header.values().offset;
        if !self.sound[block as usize].load(Relaxed) {
            let (first, length) = self.header.block(block);
            let bytes = self.storage.bytes(at + first, length)?;
            self.check_block(block, &bytes)?;
        }
        let mut byte = [0];
        self.storage.read_at(at + index, &mut byte)?;
        Ok(i32::from(byte[0] as i8))
    }

    /// Compares the values of a block with its checksum and with the seeds in play.
    fn check_block(&self, block: u64, bytes: &[u8]) -> Result<(), Fault> {
        let mut checksum = [0; 8];
        self.storage.read_at(self.header.checksums().offset + 8 * block, &mut checksum)?;
        if xxh3_64(bytes) != u64::from_le_bytes(checksum) {
            return Err(Fault::Block { block, first: self.header.block(block).0 });
        }
        self.check_range(self.header.block(block).0, bytes)?;
        self.sound[block as usize].store(true, Relaxed);
        Ok(())
    }

    /// The values by index, if the file is mapped. They are not compared with their checksums:
    /// [`Layer::check`] does that.
    pub fn values(&self) -> Option<&[i8]> {
        let values = self.header.values();
        self.storage.slice(values.offset, usize::try_from(values.length).ok()?).map(as_values)
    }

    /// Compares all values that [`Layer::values`] gives with the checksums of their blocks, with all
    /// threads of the current rayon pool.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] with a damaged block, [`TableError::Io`], or [`TableError::Stopped`].
    pub fn check_values(&self, control: &Control) -> Result<(), TableError> {
        let Some(values) = self.values() else { return Ok(()) };
        values.par_chunks(BLOCK_BYTES).enumerate().try_for_each(|(block, values)| {
            control.check()?;
            self.check_block(block as u64, as_bytes(values)).map_err(|fault| fault.at(&self.path))
        })
    }

    /// Reads everything and compares it with its checksums: unused bytes, blocks, and the layer as
    /// a whole.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] with the first fault, [`TableError::Io`], or [`TableError::Stopped`].
    pub fn check(&self, control: &Control) -> Result<(), TableError> {
        self.check_and_visit(control, |_, _| Ok(()))
    }

    /// As [`Layer::check`], and passes the values on as [`Layer::scan`] does. What it is worth is
    /// known at the end only.
    pub(super) fn check_and_visit<E: From<TableError>>(
        &self,
        control: &Control,
        mut visit: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.check_padding().map_err(|fault| fault.at(&self.path))?;
        let mut whole = Xxh3::new();
        self.scan(control, |first, bytes| {
            whole.update(bytes);
            visit(first, bytes)
        })?;
        if whole.digest128() != self.header.values_checksum() {
            return Err(Fault::Values.at(&self.path).into());
        }
        Ok(())
    }

    /// No value of a block is beyond the seeds in play; in games of four rows it is the code of a
    /// verdict, whose plies end with 126 for both players.
    fn check_range(&self, first: u64, bytes: &[u8]) -> Result<(), Fault> {
        let most = if self.has_verdicts() { i8::MAX as u32 } else { self.header.seeds() };
        let beyond = |byte: &u8| u32::from((*byte as i8).unsigned_abs()) > most;
        // The whole block first: this loop vectorises, a search for the place does not.
        if bytes.iter().filter(|byte| beyond(byte)).count() == 0 {
            return Ok(());
        }
        let at = bytes.iter().position(beyond).unwrap_or(0);
        Err(Fault::Range { index: first + at as u64, value: i32::from(bytes[at] as i8) })
    }

    /// The bytes between sections are 0, so that every bit of the file has a meaning.
    fn check_padding(&self) -> Result<(), Fault> {
        let (rules, checksums, values) = (self.header.rules(), self.header.checksums(), self.header.values());
        for (section, next) in [(rules, checksums.offset), (checksums, values.offset)] {
            let end = section.offset + section.length;
            let bytes = self.storage.bytes(end, (next - end) as usize)?;
            if let Some(at) = bytes.iter().position(|byte| *byte != 0) {
                return Err(Fault::Padding { at: end + at as u64 });
            }
        }
        Ok(())
    }

    /// All values in memory, compared with their checksums.
    ///
    /// # Errors
    /// As [`Layer::check`].
    pub fn load(&self, control: &Control) -> Result<Vec<i8>, TableError> {
        let length = usize::try_from(self.header.positions());
        let too_long = |_| Fault::Unreadable(io::ErrorKind::OutOfMemory.into()).at(&self.path);
        let mut values = vec![0_i8; length.map_err(too_long)?];
        for (batch, part) in values.chunks_mut(BATCH * BLOCK_BYTES).enumerate() {
            control.check()?;
            self.read_blocks((batch * BATCH * BLOCK_BYTES) as u64, as_bytes_mut(part))?;
        }
        Ok(values)
    }

    /// Reads the values of whole blocks from the index of their first one on, with all threads of the
    /// current rayon pool, and compares them with their checksums.
    pub(super) fn read_blocks(&self, first: u64, bytes: &mut [u8]) -> Result<(), TableError> {
        let at = self.header.values().offset;
        let read = |(block, bytes): (usize, &mut [u8])| {
            let block = first / BLOCK_BYTES as u64 + block as u64;
            self.storage.read_at(at + self.header.block(block).0, bytes)?;
            self.check_block(block, bytes)
        };
        let result: Result<(), Fault> = bytes.par_chunks_mut(BLOCK_BYTES).enumerate().try_for_each(read);
        result.map_err(|fault| fault.at(&self.path))
    }

    /// Passes all values in index order to a function, in batches of whole blocks with the index
    /// of their first one; the blocks are read and compared with their checksums in parallel.
    pub(super) fn scan<E: From<TableError>>(
        &self,
        control: &Control,
        mut visit: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let positions = self.header.positions();
        let capacity = positions.min((BATCH * BLOCK_BYTES) as u64) as usize;
        let mut buffer = vec![0; capacity];
        let mut first = 0;
        while first < positions {
            control.check().map_err(TableError::from)?;
            let part = &mut buffer[..(positions - first).min(capacity as u64) as usize];
            self.read_blocks(first, part)?;
            visit(first, part)?;
            control.advance(part.len() as u64);
            first += part.len() as u64;
        }
        Ok(())
    }
}
