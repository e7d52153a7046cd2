//! Comparing a layer with a file of another program.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use super::layouts::{ExchangeError, LayerOf, Layout, Reader};
use crate::board::Position;
use crate::control::Control;
use crate::index::{Numbering, TooLarge};
use crate::rules::Rules;
use crate::tables::error::TableError;
use crate::tables::layer::Layer;

/// Values read at a time.
const BATCH: usize = 1 << 20;

/// How a file compares with a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Values compared: all of the file.
    pub entries: u64,
    /// How many of them differ.
    pub different: u64,
    /// The first that does.
    pub first: Option<Difference>,
}

/// A value that is not the same in a file and in a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the entry in the file, from 0.
    pub entry: u64,
    /// The position.
    pub position: Position,
    /// The value in the file, for the player to move.
    pub found: i32,
    /// The value in the layer.
    pub expected: i32,
}

/// Compares all values of a file with those of a layer, which are compared with their checksums
/// too. The control counts positions.
///
/// # Errors
/// [`ExchangeError::NotAwari`] and [`ExchangeError::NoSuchLayer`] if the layout is not for the layer,
/// [`ExchangeError::NotValues`],
/// [`ExchangeError::Length`] and [`ExchangeError::Contents`] if the file does not hold one value an
/// entry, [`ExchangeError::NoFile`], and what [`Layer::check`] gives.
pub fn compare(
    layer: &Layer,
    rules: &Rules,
    layout: Layout,
    file: &Path,
    control: &Control,
) -> Result<Compared, ExchangeError> {
    layout.takes(layer, rules)?;
    let seeds = layer.header().seeds();
    let pits = rules.player_pits();
    let entries = layout.entries(pits, seeds).ok_or(TooLarge { pits: pits.into(), seeds })?;
    let numbering = Numbering::new(pits.into(), seeds)?;
    let unreadable = || TableError::io("read", file);
    // Not even opened: a pipe would block.
    let metadata = fs::metadata(file).map_err(unreadable())?;
    if !metadata.is_file() {
        return Err(ExchangeError::NoFile { path: file.into() });
    }
    let of = LayerOf { rules, seeds, entries };
    let opened = BufReader::with_capacity(BATCH, File::open(file).map_err(unreadable())?);
    let mut reader = Reader::new(opened, file, layout, of, metadata.len())?;
    let mut compared = Compared { entries, different: 0, first: None };
    let mut found = Vec::new();
    layout.for_each_batch(layer, control, |first, values| {
        for (batch, ours) in values.chunks(BATCH).enumerate() {
            control.check()?;
            let first = first + (batch * BATCH) as u64;
            reader.next(&numbering, of, first, ours, &mut found)?;
            if found == ours {
                continue;
            }
            let unequal = |at: &usize| found[*at] != ours[*at];
            compared.different += (0..ours.len()).filter(unequal).count() as u64;
            if let (None, Some(at)) = (&compared.first, (0..ours.len()).find(unequal)) {
                let entry = first + at as u64;
                let value = |values: &[u8]| i32::from(values[at] as i8);
                compared.first = Some(Difference {
                    entry,
                    position: layout.position(&numbering, seeds, entry),
                    found: value(&found),
                    expected: value(ours),
                });
            }
        }
        Ok(())
    })?;
    reader.finish(of)?;
    Ok(compared)
}
