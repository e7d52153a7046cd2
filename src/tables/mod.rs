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
mod error;
mod exchange;
mod folder;
mod format;
mod layer;
mod set;
mod stats;
mod storage;
mod verify;

pub use build::{BuildError, BuildEvent, BuildPlan, BuildReport, build};
pub use build::{MANIFEST, Manifest, ManifestEntry};
pub use error::{Fault, TableError, Unchecked};
pub use exchange::{Compared, Difference, ExchangeError, Exported, Layout, compare, export};
pub use folder::{Contents, contents, folder_name};
pub use format::{FORMAT_VERSION, Header};
pub use format::{LayerName, NoLayerName, Quantity, file_name};
pub use format::{try_name, write_layer, write_whole};
pub use layer::Layer;
pub use set::TableSet;
pub use stats::{Decided, Entries, Extreme, LayerStats, Longest, SetStats, Spread, stats};
pub use storage::{Access, MapPromise};
pub use verify::{Checksum, Comparison, compare_checksums, folder_checksums, read_checksums};
pub use verify::{Finding, Report, verify, verify_within};

pub use crate::machine::free_memory;
pub use crate::retrograde::{Bounds, Values};
