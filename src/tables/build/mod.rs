//! Building the tables of a game: which layers, in which folder, and what is already there.
//!
//! The layers are written one by one, each complete before it gets its name, so whatever ends a
//! build costs at most the layer in work; the next build keeps the layers that are intact.

mod in_memory;
mod kinds;
mod lock;
mod manifest;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::error::{Fault, TableError};
use super::folder::{Folder, folder_name};
use super::format::{Header, LayerName, file_name, part_name, remove_if_there, sync_folder, write_layer};
use super::storage::Access;
use crate::control::{Control, Stopped};
use crate::machine::{free_disk, free_memory, size_text};
use crate::retrograde::{Layers, Unbuildable, is_acyclic, is_won_by_blocking};
use crate::rules::Rules;
pub(super) use in_memory::Growing;
pub(super) use kinds::{TableBuilder, TableKind};
use lock::FolderLock;
pub use manifest::{MANIFEST, Manifest, ManifestEntry};

/// Why tables were not built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No layers can be made for the rule set.
    #[error(transparent)]
    Unbuildable(#[from] Unbuildable),
    /// Bounds of a game whose positions cannot repeat.
    #[error("no position of {game} can repeat, so its bounds equal the values")]
    NoBounds {
        /// The game.
        game: String,
    },
    /// Bounds of a game whose endless play is a draw by every rule.
    #[error("endless play is a draw in every form of {game}, so its tables need no bounds")]
    OnlyDraws {
        /// The game.
        game: String,
    },
    /// Another layer than the one of a game that no seed leaves.
    #[error(
        "no seed ever leaves the board of {game}, so its one layer is that of {seeds} seeds, not of {up_to}"
    )]
    OtherSeeds {
        /// The game.
        game: String,
        /// Its seeds.
        seeds: u32,
        /// What was asked for.
        up_to: u32,
    },
    /// Not enough memory.
    #[error(
        "building the tables up to {up_to} seeds takes {} of memory and {} may be used",
        size_text(*.needed), size_text(*.allowed)
    )]
    Memory {
        /// The highest layer.
        up_to: u32,
        /// Bytes needed.
        needed: u64,
        /// Bytes free or allowed.
        allowed: u64,
    },
    /// Not enough room on the disk.
    #[error(
        "the missing tables up to {up_to} seeds take {} in {} and {} are free there",
        size_text(*.needed), folder.display(), size_text(*.free)
    )]
    Disk {
        /// The highest layer.
        up_to: u32,
        /// Where they would be written.
        folder: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// Another build is at work in the folder.
    #[error("{} is in use by {holder}", folder.display())]
    Locked {
        /// The folder.
        folder: PathBuf,
        /// What the other build says about itself.
        holder: String,
    },
    /// A file or folder could not be used, or holds tables of other rules.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl From<Stopped> for BuildError {
    fn from(stopped: Stopped) -> BuildError {
        BuildError::Table(stopped.into())
    }
}

impl BuildError {
    /// Whether the work was stopped by its control.
    pub fn is_stop(&self) -> bool {
        matches!(self, BuildError::Table(TableError::Stopped(_)))
    }
}

/// What to build.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuildPlan {
    /// The rule set.
    pub rules: Rules,
    /// The highest layer, in seeds; in a game won by blocking the only one, which has the seeds of the board.
    pub up_to: u32,
    /// Folder of all tables; those of the rule set get a folder of their own in it.
    pub out: PathBuf,
    /// Bytes of memory that may be used; by default, what the system has free.
    pub memory: Option<u64>,
    /// Whether to build bounds that hold whatever a repetition is worth, beside the values. They
    /// are asked for where `cycle` makes a value depend on the play before a position; the values
    /// built beside are then those of `cycle=split`, as in all tables.
    pub bounds: bool,
}

impl BuildPlan {
    /// All layers up to one, of values, with the memory that is free.
    pub fn new(rules: &Rules, up_to: u32, out: impl Into<PathBuf>) -> BuildPlan {
        BuildPlan { rules: rules.clone(), up_to, out: out.into(), memory: None, bounds: false }
    }

    /// The same, with at most so many bytes of memory, if they are given.
    #[must_use]
    pub fn memory(self, bytes: impl Into<Option<u64>>) -> BuildPlan {
        BuildPlan { memory: bytes.into(), ..self }
    }

    /// The same, with bounds beside the values or not.
    #[must_use]
    pub fn bounds(self, bounds: bool) -> BuildPlan {
        BuildPlan { bounds, ..self }
    }
}

/// What happened during a build, as it happens.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildEvent {
    /// A file that was there is intact and stays.
    Kept {
        /// The layer.
        name: LayerName,
    },
    /// A file that was there is not intact and is built again.
    Damaged {
        /// The layer.
        name: LayerName,
        /// Its file.
        file: PathBuf,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The record of the folder was damaged or at odds with the files, and is written again.
    ManifestRepaired {
        /// What was wrong.
        fault: Fault,
    },
    /// A file was built and written.
    Built {
        /// The layer.
        name: LayerName,
        /// Its positions.
        positions: u64,
        /// Its file.
        file: PathBuf,
    },
}

/// What a finished build has done. A layer is one file, or three with bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildReport {
    /// Folder of the layers.
    pub folder: PathBuf,
    /// Files that were there.
    pub kept: u32,
    /// Files that were built.
    pub built: u32,
    /// How many of the files built replace a damaged one.
    pub repaired: u32,
    /// Positions of the files built.
    pub positions: u64,
}

impl BuildPlan {
    /// The folder of the layers.
    pub fn folder(&self) -> PathBuf {
        self.out.join(folder_name(&self.rules))
    }

    /// Bytes of memory that the build takes if no file is there yet.
    ///
    /// # Errors
    /// [`BuildError::Unbuildable`], [`BuildError::NoBounds`], [`BuildError::OnlyDraws`],
    /// [`BuildError::OtherSeeds`].
    pub fn memory_needed(&self) -> Result<u64, BuildError> {
        self.check_rules()?;
        self.memory_for(|_| true)
    }

    fn kinds(&self) -> &'static [TableKind] {
        if self.bounds { &TableKind::ALL } else { &[TableKind::Values] }
    }

    /// The layers of the build.
    fn layers(&self) -> RangeInclusive<u32> {
        if is_won_by_blocking(&self.rules) { self.up_to..=self.up_to } else { 0..=self.up_to }
    }

    /// The files of the build, layer by layer.
    fn files(&self) -> impl Iterator<Item = LayerName> + use<> {
        let kinds = self.kinds();
        self.layers().flat_map(|seeds| kinds.iter().flat_map(move |kind| kind.files(seeds)))
    }

    /// Bytes of memory that filling some files takes.
    fn memory_for(&self, missing: impl Fn(LayerName) -> bool) -> Result<u64, BuildError> {
        let (mut needed, mut kept) = (0_u64, 0_u64);
        for kind in self.kinds() {
            // Of each kind asked for, so that what cannot be built is refused whatever is there.
            let method = kind.method(&self.rules)?;
            let memory = method.memory(self.up_to)?;
            if self.files().any(|name| kind.has(name) && missing(name)) {
                // Bounds, which take more, are built when the values of their layer are done.
                needed = needed.max(kept.saturating_add(memory));
                if self.bounds && *kind == TableKind::Values {
                    kept = method.memory_kept(self.up_to)?;
                }
            }
        }
        Ok(needed)
    }

    /// Refuses what no table can hold or what nobody needs.
    fn check_rules(&self) -> Result<(), BuildError> {
        let (game, up_to) = (self.rules.title(), self.up_to);
        if is_won_by_blocking(&self.rules) {
            let seeds = self.rules.start_seeds();
            if seeds != up_to {
                return Err(BuildError::OtherSeeds { game, seeds, up_to });
            }
            if self.bounds {
                return Err(BuildError::OnlyDraws { game });
            }
        }
        if self.rules.four_rows().is_some() {
            return Ok(());
        }
        if !self.bounds {
            Layers::memory(&self.rules, up_to)?;
        } else if is_acyclic(&self.rules) {
            return Err(BuildError::NoBounds { game });
        }
        Ok(())
    }

    /// Bytes of some files.
    fn disk_needed(&self, files: &BTreeSet<LayerName>) -> u64 {
        let length = |name: &LayerName| Header::new(&self.rules, *name, 0).map(|header| header.file_length());
        files.iter().map(|name| length(name).unwrap_or(u64::MAX)).fold(0, u64::saturating_add)
    }

    /// Refuses a build that would run out of memory or disk.
    fn check_room(&self, folder: &Path, missing: &BTreeSet<LayerName>) -> Result<(), BuildError> {
        let up_to = self.up_to;
        let needed = self.memory_for(|name| missing.contains(&name))?;
        let allowed = self.memory.unwrap_or_else(free_memory);
        if needed > allowed {
            return Err(BuildError::Memory { up_to, needed, allowed });
        }
        let needed = self.disk_needed(missing);
        match free_disk(folder) {
            Some(free) if needed > free => {
                Err(BuildError::Disk { up_to, folder: folder.into(), needed, free })
            }
            _ => Ok(()),
        }
    }
}

/// Builds the files of the layers 0 to `plan.up_to` that are not there yet, with all threads of the current
/// rayon pool, and tells `report` what happens. The files do not depend on the number of threads or
/// on interruptions. The control counts the positions of the layer in work.
///
/// # Errors
/// [`BuildError`]; [`BuildError::is_stop`] tells a stop by the control. The layers written before
/// stay and are kept by the next build.
pub fn build(
    plan: &BuildPlan,
    control: &Control,
    mut report: impl FnMut(&BuildEvent),
) -> Result<BuildReport, BuildError> {
    // Before anything is done once a layer: the number of layers is only now known to be possible.
    plan.memory_needed()?;
    let folder = plan.folder();
    let absent = |name: &LayerName| !folder.join(file_name(name.seeds, name.quantity)).exists();
    plan.check_room(&folder, &plan.files().filter(absent).collect())?;
    fs::create_dir_all(&folder).map_err(TableError::io("create", &folder))?;
    sync_folder(&plan.out)?;
    let _lock = FolderLock::take(&folder, &format!("building {}", plan.rules.title()))?;

    let present = Folder::read(&folder)?;
    refuse_other_rules(&present, &plan.rules)?;
    // Those of an unfinished build of bounds too, whether or not this one builds any.
    for name in
        plan.layers().flat_map(|seeds| TableKind::ALL.into_iter().flat_map(move |kind| kind.files(seeds)))
    {
        remove_if_there(&part_name(&folder.join(file_name(name.seeds, name.quantity))))?;
    }
    let mut known = BTreeMap::new();
    let mut missing = BTreeSet::new();
    let mut damaged = 0;
    for name in plan.files() {
        control.check()?;
        let Some(file) = present.files().get(&name) else {
            missing.insert(name);
            continue;
        };
        match check_layer(&present, name, &plan.rules, control)? {
            Ok(checksum) => {
                report(&BuildEvent::Kept { name });
                known.insert(name, checksum);
            }
            Err(fault) => {
                damaged += 1;
                missing.insert(name);
                report(&BuildEvent::Damaged { name, file: file.clone(), fault });
            }
        }
    }
    // Files beyond those asked for are not read, only entered by their headers.
    let asked: BTreeSet<LayerName> = plan.files().collect();
    for &name in present.files().keys().filter(|name| !asked.contains(name)) {
        let layer = present.open(name, Access::Read);
        known.extend(layer.map(|layer| (name, layer.header().values_checksum())));
    }
    let mut manifest = repaired_manifest(&folder, &plan.rules, &known, &mut report);
    manifest.write(&folder, control)?;
    let mut done = BuildReport { folder: folder.clone(), kept: 0, built: 0, repaired: damaged, positions: 0 };
    done.kept = (asked.len() - missing.len()) as u32;
    plan.check_room(&folder, &missing)?;

    let mut builders = Vec::new();
    for kind in plan.kinds() {
        if let Some(last) = missing.iter().filter(|name| kind.has(**name)).map(|name| name.seeds).max() {
            let mut builder = kind.builder(&plan.rules, plan.up_to)?;
            builder.allow(plan.memory.unwrap_or_else(free_memory));
            builders.push((kind, last, builder));
        }
    }
    for seeds in plan.layers() {
        for (kind, _, builder) in builders.iter_mut().filter(|(_, last, _)| seeds <= *last) {
            control.check()?;
            let absent: Vec<LayerName> = kind.files(seeds).filter(|name| missing.contains(name)).collect();
            if absent.is_empty() {
                builder.adopt(&mut |name| {
                    let layer = present.open(name, Access::Read);
                    layer.map_err(|fault| fault.at(&present.files()[&name]))?.load(control)
                })?;
                continue;
            }
            let positions = builder.positions(seeds);
            let stage = if **kind == TableKind::Bounds { "bounds of layer" } else { "layer" };
            control.begin(format!("{stage} {seeds}"), positions);
            builder.build_next(control).map_err(TableError::from)?;
            for name in absent {
                let file = folder.join(file_name(seeds, name.quantity));
                let entries = builder.entries(name);
                let header = write_layer(&file, &plan.rules, seeds, name.quantity, entries, control)?;
                manifest.set(name, header.values_checksum());
                manifest.write(&folder, control)?;
                done.built += 1;
                done.positions += positions;
                report(&BuildEvent::Built { name, positions, file });
            }
        }
    }
    Ok(done)
}

/// The checksum of a file's entries if all of it is intact. An error is no fault of the file.
fn check_layer(
    folder: &Folder,
    name: LayerName,
    rules: &Rules,
    control: &Control,
) -> Result<Result<u128, Fault>, TableError> {
    let opened = folder.open(name, Access::Read).and_then(|layer| layer.belongs_to(rules).map(|()| layer));
    let layer = match opened {
        Ok(layer) => layer,
        Err(fault) => return Ok(Err(fault)),
    };
    control.begin(format!("checking layer {name}"), layer.header().positions());
    match layer.check(control) {
        Ok(()) => Ok(Ok(layer.header().values_checksum())),
        Err(TableError::Corrupt { fault, .. }) => Ok(Err(fault)),
        Err(TableError::Io { cause, .. }) => Ok(Err(Fault::Unreadable(cause))),
        Err(error) => Err(error),
    }
}

/// Tables of another rule set, a later version or another numbering are not overwritten.
fn refuse_other_rules(folder: &Folder, rules: &Rules) -> Result<(), TableError> {
    for (&name, path) in folder.files() {
        let opened = folder.open(name, Access::Read).and_then(|layer| layer.belongs_to(rules));
        if let Err(fault) = opened
            && matches!(
                fault,
                Fault::OtherRules { .. }
                    | Fault::NewerVersion { .. }
                    | Fault::UnknownCodec { .. }
                    | Fault::UnknownIndex { .. }
                    | Fault::UnknownQuantity { .. }
            )
        {
            return Err(fault.at(path));
        }
    }
    Ok(())
}

/// The record of the folder, in agreement with its intact files.
fn repaired_manifest(
    folder: &Path,
    rules: &Rules,
    intact: &BTreeMap<LayerName, u128>,
    report: &mut impl FnMut(&BuildEvent),
) -> Manifest {
    let mut repair = |fault| {
        report(&BuildEvent::ManifestRepaired { fault });
        None
    };
    let found = match Manifest::read(folder) {
        Ok(Some(found)) if found.rules != rules.canonical() => {
            repair(Fault::Manifest("the record names other rules".into()))
        }
        Ok(found) => {
            let differs = found.as_ref().and_then(|found| {
                found.files().find(|(name, checksum)| intact.get(name).is_some_and(|known| known != checksum))
            });
            if let Some((name, _)) = differs {
                repair(Fault::Manifest(format!("the record has another checksum for layer {name}")));
            }
            found
        }
        Err(fault) => repair(fault),
    };
    let game = found.map_or_else(|| rules.title(), |found| found.game);
    let mut manifest = Manifest {
        game,
        rules: rules.canonical(),
        generator: env!("CARGO_PKG_VERSION").into(),
        layers: Vec::new(),
    };
    intact.iter().for_each(|(&name, &checksum)| manifest.set(name, checksum));
    manifest
}
