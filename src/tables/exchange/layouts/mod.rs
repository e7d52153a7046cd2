//! The forms in which other programs keep the values of a layer.

mod csv;
mod npy;
mod reader;
mod vu;

pub(super) use reader::{LayerOf, Reader};

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::board::Position;
use crate::control::{Control, Stopped};
use crate::index::{Numbering, TooLarge};
use crate::rules::{self, Rules};
use crate::tables::error::TableError;
use crate::tables::folder::folder_name;
use crate::tables::format::{Quantity, layer_positions};
use crate::tables::layer::Layer;
use crate::tables::storage::as_bytes;

/// How the values of a layer lie in a file; `docs/FORMAT.md` explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// The files `scores.N` of the public Awari data set.
    Vu,
    /// Signed bytes by index.
    Raw,
    /// As `Raw`, with the header of NumPy.
    Npy,
    /// Text, one line a position.
    Csv,
}

/// Why a layer was not written in a layout or compared with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The layer could not be read, or the file not be written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The layout belongs to one rule set.
    #[error(
        "the layout vu holds values of awari with 6 pits a row, and {game} has other rules; take raw, npy or csv"
    )]
    NotAwari {
        /// The game.
        game: String,
    },
    /// The layout has no such layer.
    #[error("the layout vu ends with {max} seeds, and layer {seeds} was asked for; take raw, npy or csv", max = vu::MAX_SEEDS)]
    NoSuchLayer {
        /// The layer.
        seeds: u32,
    },
    /// A layer of bounds.
    #[error("{} holds bounds, and only values are exchanged; name the file of the values", path.display())]
    NotValues {
        /// The file.
        path: PathBuf,
    },
    /// The file to be written is there.
    #[error("{} is there already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A folder, a device or a pipe.
    #[error("{} is no regular file; name one", path.display())]
    NoFile {
        /// What was named.
        path: PathBuf,
    },
    /// A file of another length.
    #[error(
        "{} has {found} {unit}, and layer {seeds} of {game} has {expected}; name the file of that layer in this layout",
        path.display()
    )]
    Length {
        /// The file.
        path: PathBuf,
        /// What is counted.
        unit: &'static str,
        /// How many there are.
        found: u64,
        /// How many there should be.
        expected: u64,
        /// The game.
        game: String,
        /// The layer.
        seeds: u32,
    },
    /// A file that is not in the layout.
    #[error("{} is not in the layout {layout}: {reason}; name another file or layout", path.display())]
    Contents {
        /// The file.
        path: PathBuf,
        /// The layout expected.
        layout: Layout,
        /// What is wrong.
        reason: String,
    },
}

impl From<Stopped> for ExchangeError {
    fn from(stopped: Stopped) -> ExchangeError {
        ExchangeError::Table(stopped.into())
    }
}

impl From<TooLarge> for ExchangeError {
    fn from(error: TooLarge) -> ExchangeError {
        ExchangeError::Table(error.into())
    }
}

impl ExchangeError {
    /// Whether the work was stopped by its control.
    pub fn is_stop(&self) -> bool {
        matches!(self, ExchangeError::Table(TableError::Stopped(_)))
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Layout {
    type Err = String;

    fn from_str(name: &str) -> Result<Layout, String> {
        let known = Layout::ALL.into_iter().find(|layout| layout.name() == name);
        known.ok_or_else(|| format!("the layouts are {}", Layout::ALL.map(Layout::name).join(", ")))
    }
}

impl Layout {
    /// All of them.
    pub const ALL: [Layout; 4] = [Layout::Vu, Layout::Raw, Layout::Npy, Layout::Csv];

    /// The name in a word.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Vu => "vu",
            Layout::Raw => "raw",
            Layout::Npy => "npy",
            Layout::Csv => "csv",
        }
    }

    /// The usual name of a file: `scores.9`, or `kalah-6-9.npy`.
    pub fn file_name(self, rules: &Rules, seeds: u32) -> String {
        match self {
            Layout::Vu => format!("scores.{seeds}"),
            _ => format!("{}-{seeds}.{}", folder_name(rules), self.name()),
        }
    }

    /// Entries of a file; `None` if they do not fit 64 bits. With `Vu`, the pits must be 6.
    pub fn entries(self, pits: u8, seeds: u32) -> Option<u64> {
        let all = layer_positions(pits, seeds)?;
        match (self, seeds.checked_sub(vu::PITS.into())) {
            // Left out: the opponent has a seed in each pit, and the others lie anywhere.
            (Layout::Vu, Some(others)) => Some(all - layer_positions(pits, others)?),
            _ => Some(all),
        }
    }

    /// Fails unless a layer has the values of a rule set, and they can be written so.
    pub(super) fn takes(self, layer: &Layer, rules: &Rules) -> Result<(), ExchangeError> {
        layer.belongs_to(rules).map_err(|fault| fault.at(layer.path()))?;
        if layer.header().quantity() != Quantity::Value {
            return Err(ExchangeError::NotValues { path: layer.path().into() });
        }
        if self != Layout::Vu {
            return Ok(());
        }
        let awari = rules::preset("awari").and_then(|awari| awari.with_pits(vu::PITS).ok());
        if awari.is_none_or(|awari| awari.fingerprint() != rules.fingerprint()) {
            return Err(ExchangeError::NotAwari { game: rules.full_title() });
        }
        let seeds = layer.header().seeds();
        if seeds > vu::MAX_SEEDS {
            return Err(ExchangeError::NoSuchLayer { seeds });
        }
        Ok(())
    }

    /// The order of the entries, in a word.
    pub(super) fn order(self) -> &'static str {
        if self == Layout::Vu { "colexicographic-reachable" } else { "index" }
    }

    /// The position of an entry, with empty stores.
    pub(super) fn position(self, numbering: &Numbering, seeds: u32, entry: u64) -> Position {
        match self {
            Layout::Vu => vu::position(seeds, entry),
            _ => numbering.position(seeds, entry),
        }
    }

    /// What stands before the entries.
    pub(super) fn header(self, pits: u8, entries: u64) -> Vec<u8> {
        match self {
            Layout::Vu | Layout::Raw => Vec::new(),
            Layout::Npy => npy::header(entries),
            Layout::Csv => csv::header(pits.into()).into_bytes(),
        }
    }

    /// Passes the values of a layer in the order of this layout to a function, in batches with the
    /// number of their first entry. The values are compared with their checksums on the way, at the
    /// latest before the function returns for the last time.
    pub(super) fn for_each_batch(
        self,
        layer: &Layer,
        control: &Control,
        mut visit: impl FnMut(u64, &[u8]) -> Result<(), ExchangeError>,
    ) -> Result<(), ExchangeError> {
        let seeds = layer.header().seeds();
        if self != Layout::Vu {
            control.begin(format!("layer {seeds}"), layer.header().positions());
            return layer.check_and_visit(control, visit);
        }
        control.begin(format!("checking layer {seeds}"), layer.header().positions());
        layer.check(control)?;
        let values = match layer.values() {
            Some(values) => Cow::Borrowed(values),
            None => Cow::Owned(layer.load(control)?),
        };
        let total = self.entries(vu::PITS, seeds).unwrap_or(0);
        control.begin(format!("layer {seeds}"), total);
        let mut first = 0;
        vu::Order::new(seeds)?.for_each_batch(as_bytes(&values), control, |batch| {
            visit(first, batch)?;
            first += batch.len() as u64;
            Ok(())
        })
    }

    /// Passes the bytes of a batch of values as they stand in a file to a function.
    pub(super) fn write(
        self,
        numbering: &Numbering,
        seeds: u32,
        first: u64,
        values: &[u8],
        mut write: impl FnMut(&[u8]) -> Result<(), ExchangeError>,
    ) -> Result<(), ExchangeError> {
        if self != Layout::Csv {
            return write(values);
        }
        for (part, values) in values.chunks(csv::BATCH).enumerate() {
            let first = first + (part * csv::BATCH) as u64;
            csv::lines(numbering, seeds, first, values).iter().try_for_each(|text| write(text.as_bytes()))?;
        }
        Ok(())
    }
}
