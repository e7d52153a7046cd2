//! Tables on disk and in memory.
//!
//! A *layer* holds the value of every position with some number of seeds in the pits; on disk it is
//! one file, whose bytes `docs/FORMAT.md` explains. Games whose positions can repeat may have two
//! more files a layer: bounds that hold whatever a repetition is worth. The layers of one rule set
//! lie in one folder. [`TableSet`] opens them and answers for positions, [`build`](fn@build) makes
//! them, [`verify`](fn@verify) tells whether they are what was written and whether it is true.
//! [`export`](fn@export) writes layers in the forms of other programs, [`compare`] reads these.
//!
//! Tables belong to the pits and the switches of a game, not to its name or its start, and are
//! refused for any other rule set. A position that is not covered is an error and never a value.

mod build;
mod builder;
mod checksums;
mod deep;
mod error;
mod export;
mod folder;
mod format;
mod import;
mod layer;
mod layouts;
mod lock;
mod manifest;
mod name;
mod probe;
mod stats;
mod storage;
mod verify;
mod writer;

pub use build::{BuildError, BuildEvent, BuildPlan, BuildReport, build, free_memory};
pub use checksums::{Checksum, Comparison, compare_checksums, folder_checksums, read_checksums};
pub use error::{Fault, TableError};
pub use export::{Exported, export, record_path};
pub use folder::{Contents, Folder, contents, folder_name};
pub use format::{FORMAT_VERSION, HEADER_BYTES, Header, RawHeader, Section};
pub use import::{Compared, Difference, compare};
pub use layer::Layer;
pub use layouts::{ExchangeError, Layout};
pub use manifest::{Entry, MANIFEST, Manifest};
pub use name::{LayerName, NoLayerName, Quantity, file_name};
pub use probe::TableSet;
pub use stats::{Decided, Entries, Extreme, LayerStats, Longest, SetStats, Spread, stats};
pub use storage::Access;
pub use verify::{Finding, Report, verify, verify_within};
pub use writer::{try_name, write_layer, write_whole};

/// Proven bounds of a value, in points of the player to move with empty stores; equal when the
/// value is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
}

impl Bounds {
    /// The value, if it is proven.
    pub fn value(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// The finished layers that a search may look into: by seeds, the value of each position by index.
#[derive(Clone, Debug, Default)]
pub struct Values<'a> {
    /// By seeds in the pits; `None` where there is no table.
    pub layers: Vec<Option<&'a [i8]>>,
}

impl Values<'_> {
    /// A layer, if it is there.
    #[inline(always)]
    pub fn layer(&self, seeds: u32) -> Option<&[i8]> {
        self.layers.get(seeds as usize).copied().flatten()
    }

    /// The value of a position, if its layer is there and has this index.
    #[inline(always)]
    pub fn value(&self, seeds: u32, index: u64) -> Option<i32> {
        let value = self.layer(seeds)?.get(usize::try_from(index).ok()?)?;
        Some(i32::from(*value))
    }
}
