//! What a solver may use, and what it tells before it works.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::machine::free_memory;
use crate::rules::Rules;
use crate::tables::{Access, TableError, TableSet};

/// Memory that is used even if less seems to be free.
const LEAST_MEMORY: u64 = 16 << 20;

/// Where tables come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableSource {
    /// No file is read; layers are built in memory where they pay.
    #[default]
    Memory,
    /// Folders that were named: each must be there and hold tables, though not necessarily of this game.
    Folders(Vec<PathBuf>),
    /// A folder that is looked into and need not be there.
    Default(PathBuf),
    /// No table at all, on disk or in memory: everything is searched.
    Nothing,
}

/// What a solver may use.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Means {
    /// Threads; by default one for each processor.
    pub threads: Option<usize>,
    /// Bytes of memory; by default half of what is free when a question is asked.
    pub memory: Option<u64>,
    /// Tables.
    pub tables: TableSource,
    /// How files are read. By reads, the default, the layers that a search needs are loaded into at most half of the
    /// memory; see [`Access`].
    pub access: Access,
}

impl Means {
    /// So many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Means {
        self.threads = Some(threads.max(1));
        self
    }

    /// So many bytes of memory.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Means {
        self.memory = Some(bytes);
        self
    }

    /// Tables from somewhere.
    #[must_use]
    pub fn with_tables(mut self, tables: TableSource) -> Means {
        self.tables = tables;
        self
    }

    /// Threads to work with.
    pub(super) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }

    /// Bytes that may be used now.
    pub(super) fn memory_allowed(&self) -> u64 {
        self.memory.unwrap_or_else(|| (free_memory() / 2).max(LEAST_MEMORY))
    }

    /// The tables on disk.
    pub(super) fn open(&self, rules: &Rules) -> Result<TableSet, TableError> {
        match &self.tables {
            TableSource::Memory | TableSource::Nothing => TableSet::empty(rules),
            TableSource::Folders(folders) => TableSet::open_with(folders, rules, self.access),
            TableSource::Default(folder) => TableSet::open_default_with(folder, rules, self.access),
        }
    }

    /// Whether layers may be built in memory.
    pub(super) fn builds(&self) -> bool {
        self.tables != TableSource::Nothing
    }
}

/// What a solver is going to do about a question, as far as it is known beforehand.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Plan {
    /// Search, and build layers when the search has cost about as much as they will.
    Turns {
        /// Layers at hand, from 0 up without a gap.
        present: u32,
        /// The highest layer that memory allows to build, if any may be built.
        most: Option<u32>,
        /// Bytes that layers and the table of positions may take together.
        memory: u64,
        /// When the search ends by itself.
        time: Option<Duration>,
    },
    /// Build all positions of a board.
    WholeBoard {
        /// Seeds on it.
        seeds: u32,
        /// Its positions.
        positions: u64,
        /// Bytes that it takes.
        memory: u64,
        /// How long it takes, roughly.
        time: Duration,
    },
    /// Look at what can follow from the position.
    Reachable {
        /// Bytes for what is looked at.
        memory: u64,
        /// When the work ends by itself.
        time: Duration,
    },
    /// Search for a forced win.
    ForcedWin {
        /// Bytes for what is proven.
        memory: u64,
        /// When the search ends by itself.
        time: Duration,
    },
}
