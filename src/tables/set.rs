//! All layers of one rule set, and values of positions from them.

use std::path::{Path, PathBuf};

use super::build::Growing;
use super::error::{Fault, TableError};
use super::folder::{Folder, ranges};
use super::format::{LayerName, Quantity};
use super::layer::Layer;
use super::storage::Access;
use super::{Bounds, Values};
use crate::board::{Position, Verdict};
use crate::control::Control;
use crate::index::Numbering;
use crate::retrograde::{Unbuildable, is_path_dependent, is_won_by_blocking};
use crate::rules::{FourRows, Rules};

/// The layers of one rule set that are at hand, from files and from memory.
pub struct TableSet {
    rules: Rules,
    numbering: Numbering,
    sources: LayerSources,
    /// What builds further layers in memory, once some were.
    pub(super) growing: Option<Growing>,
}

/// By quantity and seeds.
type LayerSources = [Vec<Option<LayerSource>>; 3];

enum LayerSource {
    File(Layer),
    Memory(Vec<i8>),
    /// In the builder that grows the set.
    Grown,
}

impl std::fmt::Debug for TableSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (layers, bounds) = (ranges(self.layers()), ranges(self.bounds()));
        write!(f, "TableSet of {} with layers {layers} and bounds {bounds}", self.rules.title())
    }
}

impl TableSet {
    /// A set without layers.
    ///
    /// # Errors
    /// [`TableError::TooLarge`] for boards whose positions cannot be numbered.
    pub fn empty(rules: &Rules) -> Result<TableSet, TableError> {
        TableSet::of(rules, LayerSources::default())
    }

    fn of(rules: &Rules, sources: LayerSources) -> Result<TableSet, TableError> {
        let top = sources.iter().map(Vec::len).max().unwrap_or(0).saturating_sub(1) as u32;
        let numbering = Numbering::new(rules.player_pits().into(), top)?;
        Ok(TableSet { rules: rules.clone(), numbering, sources, growing: None })
    }

    /// The layers of a rule set in folders that were named by the user, by positioned reads. Each
    /// folder must be there and hold tables, though not necessarily of this game. Where two
    /// folders have the same layer, the first one's is used. Under rules by which the value of a
    /// position depends on the play before it (`cycle=own-side`) a set holds bounds only.
    ///
    /// # Errors
    /// [`TableError::Io`] and [`TableError::NoTables`] for a folder, [`TableError::RulesMismatch`]
    /// for tables that lie where those of the rule set should, and what [`Layer::open`] gives.
    pub fn open(dirs: &[PathBuf], rules: &Rules) -> Result<TableSet, TableError> {
        TableSet::open_with(dirs, rules, Access::default())
    }

    /// As [`TableSet::open`], with a choice of how the files are read.
    ///
    /// # Errors
    /// As [`TableSet::open`].
    pub fn open_with(dirs: &[PathBuf], rules: &Rules, access: Access) -> Result<TableSet, TableError> {
        let mut sources = LayerSources::default();
        // What is wrong with a game's own folder that was named and belongs to other rules. It
        // matters if nothing else has the layers.
        let mut refused = None;
        for dir in dirs {
            for folder in Folder::find_some(dir)? {
                let ours = add_folder(&mut sources, &folder, rules, access)?;
                if !ours && folder.path() == dir {
                    refused = refused.or_else(|| refusal(&folder, rules));
                }
            }
        }
        match refused {
            Some(error) if sources.iter().all(Vec::is_empty) => Err(error),
            _ => TableSet::of(rules, sources),
        }
    }

    /// As [`TableSet::open`] for a folder that is looked into by default: if it is absent or holds
    /// no tables, the set is empty.
    ///
    /// # Errors
    /// As [`TableSet::open`], but never [`TableError::NoTables`].
    pub fn open_default(dir: &Path, rules: &Rules) -> Result<TableSet, TableError> {
        TableSet::open_default_with(dir, rules, Access::default())
    }

    /// As [`TableSet::open_default`], with a choice of how the files are read.
    ///
    /// # Errors
    /// As [`TableSet::open_default`].
    pub fn open_default_with(dir: &Path, rules: &Rules, access: Access) -> Result<TableSet, TableError> {
        if !dir.try_exists().map_err(TableError::io("read", dir))? {
            return TableSet::empty(rules);
        }
        match TableSet::open_with(&[dir.into()], rules, access) {
            Err(TableError::NoTables { .. }) => TableSet::empty(rules),
            set => set,
        }
    }

    /// A set of layers in memory, from 0 up: the values by index.
    ///
    /// # Errors
    /// [`TableError::WrongSize`], [`TableError::TooLarge`].
    pub fn from_layers(rules: &Rules, layers: Vec<Vec<i8>>) -> Result<TableSet, TableError> {
        let mut set = TableSet::empty(rules)?;
        for (seeds, values) in layers.into_iter().enumerate() {
            set.insert(seeds as u32, values)?;
        }
        Ok(set)
    }

    /// Adds or replaces a layer in memory.
    ///
    /// # Errors
    /// [`TableError::WrongSize`], [`TableError::TooLarge`].
    pub fn insert(&mut self, seeds: u32, values: Vec<i8>) -> Result<(), TableError> {
        self.put(LayerName::values(seeds), values)
    }

    /// Adds or replaces the bounds of a layer in memory.
    ///
    /// # Errors
    /// [`TableError::WrongSize`], [`TableError::TooLarge`].
    pub fn insert_bounds(&mut self, seeds: u32, lower: Vec<i8>, upper: Vec<i8>) -> Result<(), TableError> {
        self.put(LayerName { seeds, quantity: Quantity::Lower }, lower)?;
        self.put(LayerName { seeds, quantity: Quantity::Upper }, upper)
    }

    pub(super) fn put(&mut self, name: LayerName, values: Vec<i8>) -> Result<(), TableError> {
        let seeds = name.seeds;
        if seeds > self.numbering.max_seeds() {
            self.numbering = Numbering::new(self.rules.player_pits().into(), seeds)?;
        }
        let (found, expected) = (values.len() as u64, self.numbering.layer(seeds).size());
        if found != expected {
            return Err(TableError::WrongSize { seeds, found, expected });
        }
        place(&mut self.sources, name, LayerSource::Memory(values));
        Ok(())
    }

    /// Says that a layer is in the builder that grows the set.
    pub(super) fn put_grown(&mut self, name: LayerName) -> Result<(), TableError> {
        if name.seeds > self.numbering.max_seeds() {
            self.numbering = Numbering::new(self.rules.player_pits().into(), name.seeds)?;
        }
        place(&mut self.sources, name, LayerSource::Grown);
        Ok(())
    }

    /// The file with the entries of a layer, unless they lie in memory.
    pub(super) fn file_of(&self, name: LayerName) -> Option<&Layer> {
        file(self.source(name)?)
    }

    /// The entries of a layer, where they lie in memory or a file is mapped.
    fn entries(&self, name: LayerName) -> Option<&[i8]> {
        match self.source(name)? {
            LayerSource::File(layer) => layer.values(),
            LayerSource::Memory(entries) => Some(entries),
            LayerSource::Grown => Some(self.growing.as_ref()?.builder.entries(name)),
        }
    }

    /// One entry of a layer; `None` if the layer is not there.
    fn entry(&self, name: LayerName, index: u64) -> Option<Result<i32, TableError>> {
        match self.file_of(name) {
            Some(layer) => Some(layer.value(index)),
            None => Some(Ok(i32::from(*self.entries(name)?.get(index as usize)?))),
        }
    }

    /// The rule set.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The seeds of the layers whose values are at hand, rising.
    pub fn layers(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(self.of_quantity(Quantity::Value))
            .filter(|(_, layer)| layer.is_some())
            .map(|(seeds, _)| seeds)
    }

    /// The seeds of the layers whose bounds are at hand, rising.
    pub fn bounds(&self) -> impl Iterator<Item = u32> + '_ {
        let upper = self.of_quantity(Quantity::Upper).len() as u32;
        (0..upper).filter(|&seeds| self.has_bounds(seeds))
    }

    /// Whether the values of a layer are at hand.
    pub fn has_values(&self, seeds: u32) -> bool {
        self.source(LayerName::values(seeds)).is_some()
    }

    /// Whether layers were built in memory by [`TableSet::grow`].
    pub fn is_growing(&self) -> bool {
        self.growing.is_some()
    }

    /// Whether the bounds of a layer are at hand.
    pub fn has_bounds(&self, seeds: u32) -> bool {
        let has = |quantity| self.source(LayerName { seeds, quantity }).is_some();
        has(Quantity::Lower) && has(Quantity::Upper)
    }

    fn of_quantity(&self, quantity: Quantity) -> &[Option<LayerSource>] {
        &self.sources[quantity as usize]
    }

    fn source(&self, name: LayerName) -> Option<&LayerSource> {
        self.of_quantity(name.quantity).get(name.seeds as usize)?.as_ref()
    }

    /// Whether no layer of values is at hand.
    pub fn is_empty(&self) -> bool {
        self.layers().next().is_none()
    }

    /// Of a game won by blocking: the seeds of the board, one more if its layer is at hand.
    pub(super) fn board_complete_below(&self) -> u32 {
        let seeds = self.rules.start_seeds();
        seeds + u32::from(self.layers().any(|layer| layer == seeds))
    }

    /// Number of layers from 0 up without a gap: positions with fewer seeds than this have values.
    pub fn complete_below(&self) -> u32 {
        self.of_quantity(Quantity::Value).iter().take_while(|layer| layer.is_some()).count() as u32
    }

    /// As [`TableSet::complete_below`], for bounds.
    pub fn bounds_complete_below(&self) -> u32 {
        (0..).take_while(|&seeds| self.has_bounds(seeds)).count() as u32
    }

    /// The file with the values of a layer, unless they lie in memory.
    pub fn file(&self, seeds: u32) -> Option<&Layer> {
        self.file_of(LayerName::values(seeds))
    }

    /// The value of a position as if its stores were empty: points of the player to move minus
    /// those of his opponent, from -seeds to seeds. In games won by blocking: the code of
    /// [`TableSet::verdict`].
    ///
    /// # Errors
    /// [`TableError::NotCovered`] without any table, [`TableError::MissingLayer`], [`TableError::MissingBoard`],
    /// [`TableError::BoundsOnly`], [`TableError::Unbuildable`]; for other positions
    /// [`TableError::OtherBoard`], [`TableError::ClosedPits`] and [`TableError::OtherStage`]; [`TableError::Corrupt`] if the block
    /// of the file that holds the value does not match its checksum, and [`TableError::Io`].
    pub fn probe(&self, position: &Position) -> Result<i32, TableError> {
        let seeds = self.seeds_of(position)?;
        let missing = || self.missing(seeds);
        let name = LayerName::values(seeds);
        self.source(name).ok_or_else(missing)?;
        let (_, index) = self.numbering.number(position).ok_or_else(missing)?;
        self.entry(name, index).ok_or_else(missing)?
    }

    /// The verdict on a position of a game won by blocking, without regard to moves that were made before.
    ///
    /// # Errors
    /// As [`TableSet::probe`].
    pub fn verdict(&self, position: &Position) -> Result<Verdict, TableError> {
        self.probe(position).map(Verdict::of_code)
    }

    /// Bounds of the value of a position as if its stores were empty, for the player to move. They
    /// hold whatever an endless repetition is worth to whom, in a game whose record begins with the
    /// position; where they meet, they are its value under every such rule.
    ///
    /// # Errors
    /// [`TableError::MissingBounds`], and otherwise as [`TableSet::probe`].
    pub fn probe_bounds(&self, position: &Position) -> Result<Bounds, TableError> {
        let seeds = self.seeds_of(position)?;
        let missing = || self.missing_bounds(seeds);
        let (_, index) = self.numbering.number(position).ok_or_else(missing)?;
        let bound = |quantity| self.entry(LayerName { seeds, quantity }, index).ok_or_else(missing)?;
        Ok(Bounds { lower: bound(Quantity::Lower)?, upper: bound(Quantity::Upper)? })
    }

    /// The seeds of a position, if it is one of this board.
    fn seeds_of(&self, position: &Position) -> Result<u32, TableError> {
        let pits = self.rules.player_pits();
        for row in [&position.own, &position.opponent] {
            if row.len() != usize::from(pits) {
                return Err(TableError::OtherBoard { found: row.len(), pits });
            }
        }
        let game = || self.rules.full_title();
        match (position.is_plain(), self.rules.four_rows()) {
            (true, _) => Ok(position.seeds()),
            (false, None) => Err(TableError::ClosedPits { game: game() }),
            (false, Some(four_rows)) if four_rows.has_hands() => Err(self.missing(position.seeds())),
            (false, Some(_)) => Err(TableError::OtherStage { game: game() }),
        }
    }

    /// The error that tells that a layer is not at hand.
    pub fn missing(&self, seeds: u32) -> TableError {
        let game = self.rules.full_title();
        if is_path_dependent(&self.rules) {
            return TableError::BoundsOnly { game };
        }
        if self.rules.four_rows().is_some_and(FourRows::has_hands) {
            return Unbuildable::Hands { game }.into();
        }
        if self.is_empty() {
            return TableError::NotCovered { game };
        }
        let present = ranges(self.layers());
        match is_won_by_blocking(&self.rules) {
            true => TableError::MissingBoard { game, seeds, present },
            false => TableError::MissingLayer { game, seeds, present },
        }
    }

    /// The error that tells that the bounds of a layer are not at hand.
    pub fn missing_bounds(&self, seeds: u32) -> TableError {
        TableError::MissingBounds { game: self.rules.full_title(), seeds, present: ranges(self.bounds()) }
    }

    /// The layers for a search: those in memory and those of mapped files. Of files opened by [`Access::Read`] it
    /// has what [`TableSet::load_values`] has loaded. The values of mapped files are not compared with their
    /// checksums: [`TableSet::check_values`] does that.
    pub fn values(&self) -> Values<'_> {
        self.all_of(Quantity::Value)
    }

    /// As [`TableSet::values`], the lower and the upper bounds.
    pub fn bound_values(&self) -> [Values<'_>; 2] {
        [self.all_of(Quantity::Lower), self.all_of(Quantity::Upper)]
    }

    fn all_of(&self, quantity: Quantity) -> Values<'_> {
        let seeds = 0..self.of_quantity(quantity).len() as u32;
        let layers = seeds.map(|seeds| self.entries(LayerName { seeds, quantity })).collect();
        Values::new(self.rules.fingerprint(), &self.numbering, layers)
    }

    /// Compares all files with their checksums.
    ///
    /// # Errors
    /// As [`Layer::check`].
    pub fn check(&self, control: &Control) -> Result<(), TableError> {
        self.sources.iter().flatten().flatten().filter_map(file).try_for_each(|layer| layer.check(control))
    }

    /// Compares all values that [`TableSet::values`] gives with their checksums: what a search may
    /// then rely on. Under rules for which a set holds bounds only, it compares these. Fast, since it reads with all threads of the current rayon pool.
    ///
    /// # Errors
    /// As [`Layer::check_values`].
    pub fn check_values(&self, control: &Control) -> Result<(), TableError> {
        let sources = self.searched().iter().flat_map(|quantity| self.of_quantity(*quantity)).flatten();
        sources.filter_map(file).try_for_each(|layer| layer.check_values(control))
    }

    /// What a search reads.
    fn searched(&self) -> &'static [Quantity] {
        match is_path_dependent(&self.rules) {
            true => &[Quantity::Lower, Quantity::Upper],
            false => &[Quantity::Value],
        }
    }

    /// Loads what a search of positions with up to `top` seeds reads from files opened by [`Access::Read`],
    /// compared with its checksums: values, or bounds under rules for which a set holds bounds only. Layers are
    /// loaded from the lowest on, while those in memory take at most `memory` bytes together; what does not fit
    /// stays in its file, and [`TableSet::values`] is without it. Returns whether all is there. With mapped files
    /// there is nothing to load.
    ///
    /// # Errors
    /// As [`Layer::load`].
    pub fn load_values(&mut self, top: u32, memory: u64, control: &Control) -> Result<bool, TableError> {
        let quantities = self.searched();
        let mut left = memory.saturating_sub(self.bytes_in_memory());
        let layers = quantities.iter().map(|quantity| self.of_quantity(*quantity).len() as u32).max();
        for seeds in 0..layers.unwrap_or(0).min(top.saturating_add(1)) {
            for name in quantities.iter().map(|&quantity| LayerName { seeds, quantity }) {
                let Some(layer) = self.file_of(name).filter(|layer| layer.values().is_none()) else {
                    continue;
                };
                let bytes = layer.header().positions();
                if bytes > left {
                    return Ok(false);
                }
                control.begin(format!("loading layer {name}"), bytes);
                let values = layer.load(control)?;
                left -= bytes;
                self.put(name, values)?;
            }
        }
        Ok(true)
    }

    /// Bytes of the entries that the set itself keeps in memory.
    pub fn bytes_in_memory(&self) -> u64 {
        let bytes = |source: &LayerSource| match source {
            LayerSource::Memory(entries) => entries.len() as u64,
            LayerSource::File(_) | LayerSource::Grown => 0,
        };
        self.sources.iter().flatten().flatten().map(bytes).sum()
    }

    /// A copy of a layer's values, compared with their checksums, for instance to build on.
    ///
    /// # Errors
    /// [`TableError::MissingLayer`], [`TableError::BoundsOnly`], and as [`Layer::check`].
    pub fn load(&self, seeds: u32, control: &Control) -> Result<Vec<i8>, TableError> {
        self.load_entries(LayerName::values(seeds), control)
    }

    /// As [`TableSet::load`], values or bounds.
    pub(super) fn load_entries(&self, name: LayerName, control: &Control) -> Result<Vec<i8>, TableError> {
        let missing = || match name.quantity {
            Quantity::Value => self.missing(name.seeds),
            Quantity::Lower | Quantity::Upper => self.missing_bounds(name.seeds),
        };
        if let Some(layer) = self.file_of(name) {
            return layer.load(control);
        }
        Ok(self.entries(name).ok_or_else(missing)?.to_vec())
    }

    /// The numbering of the layers' positions.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }
}

/// Why no file of a folder can be used for a rule set.
fn refusal(folder: &Folder, rules: &Rules) -> Option<TableError> {
    let fault = |(&name, path): (&LayerName, &PathBuf)| {
        let layer = folder.open(name, Access::Read).and_then(|layer| layer.belongs_to(rules));
        layer.err().map(|fault| fault.at(path))
    };
    folder.files().iter().find_map(fault)
}

/// Adds the layers of a folder, if it belongs to a rule set, and returns whether it does.
fn add_folder(
    sources: &mut LayerSources,
    folder: &Folder,
    rules: &Rules,
    access: Access,
) -> Result<bool, TableError> {
    let opened: Vec<_> = folder
        .files()
        .iter()
        .map(|(&name, path)| {
            let layer = folder.open(name, access);
            (name, path, layer.and_then(|layer| layer.belongs_to(rules).map(|()| layer)))
        })
        .collect();
    // A folder belongs to the rules if its name or any of its files does; a file at odds with that
    // is then an error. Other folders are passed over, whatever is in them.
    let expected = folder.named_for(rules.fingerprint()).unwrap_or(false);
    let ours = expected || opened.iter().any(|(_, _, layer)| layer.is_ok());
    if !ours {
        return Ok(false);
    }
    for (name, path, layer) in opened {
        let layer = layer.map_err(|fault: Fault| fault.at(path))?;
        // Tables are shared by all rules about repetitions, and their values are not those of all.
        if name.quantity == Quantity::Value && is_path_dependent(rules) {
            continue;
        }
        if sources[name.quantity as usize].get(name.seeds as usize).is_none_or(Option::is_none) {
            place(sources, name, LayerSource::File(layer));
        }
    }
    Ok(true)
}

/// The file of a layer that is not in memory.
fn file(source: &LayerSource) -> Option<&Layer> {
    match source {
        LayerSource::File(layer) => Some(layer),
        LayerSource::Memory(_) | LayerSource::Grown => None,
    }
}

/// Puts a layer into its place.
fn place(sources: &mut LayerSources, name: LayerName, source: LayerSource) {
    let (layers, seeds) = (&mut sources[name.quantity as usize], name.seeds as usize);
    // A file is placed only after its header was believed, so the seeds are at most 127.
    while layers.len() <= seeds {
        layers.push(None);
    }
    layers[seeds] = Some(source);
}
