//! Folders of tables: `DIR/GAME-PITS/SEEDS.sow` and the bounds beside, several games under one DIR.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::build::Manifest;
use super::error::{Fault, TableError};
use super::format::{EXTENSION, LayerName, Quantity, layer_of, parse_rules};
use super::layer::Layer;
use super::storage::Access;
use crate::rules::{self, Rules};

/// Digits of a fingerprint in the name of a folder.
const ID_DIGITS: usize = 16;

/// The name of a rule set's folder: `GAME-PITS` if the name and its switches are those of a named
/// game, otherwise `GAME-PITS-ID` with the first digits of the fingerprint.
///
/// ```
/// let mut rules = sowbase::rules::game("kalah:5x3")?;
/// assert_eq!(sowbase::tables::folder_name(&rules), "kalah-5");
/// rules.set("empty-capture", "yes")?;
/// assert!(sowbase::tables::folder_name(&rules).starts_with("kalah-5-"));
/// # Ok::<(), sowbase::rules::RulesError>(())
/// ```
pub fn folder_name(rules: &Rules) -> String {
    let plain = format!("{}-{}", rules.name(), rules.pits());
    match preset_of(rules.name(), rules.pits()) {
        Some(preset) if preset.fingerprint() == rules.fingerprint() => plain,
        _ => format!("{plain}-{}", &rules.id()[..ID_DIGITS]),
    }
}

/// The named game on a board with some pits.
fn preset_of(name: &str, pits: u8) -> Option<Rules> {
    rules::preset(name)?.with_pits(pits).ok()
}

/// A folder that holds the layers of one rule set.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
    files: BTreeMap<LayerName, PathBuf>,
}

impl Folder {
    /// The files of a folder. There may be none.
    ///
    /// # Errors
    /// [`TableError::Io`] if the folder cannot be read.
    pub fn read(path: &Path) -> Result<Folder, TableError> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(path).map_err(TableError::io("read", path))? {
            let entry = entry.map_err(TableError::io("read", path))?;
            if let Some(layer) = entry.file_name().to_str().and_then(layer_of) {
                files.insert(layer, entry.path());
            }
        }
        Ok(Folder { path: path.into(), files })
    }

    /// The folders with tables: `dir` itself, and those directly in it.
    ///
    /// # Errors
    /// [`TableError::Io`] if a folder cannot be read.
    pub fn find(dir: &Path) -> Result<Vec<Folder>, TableError> {
        let mut paths = vec![dir.to_path_buf()];
        for entry in fs::read_dir(dir).map_err(TableError::io("read", dir))? {
            let path = entry.map_err(TableError::io("read", dir))?.path();
            if path.is_dir() && path.extension().is_none_or(|extension| extension != EXTENSION) {
                paths.push(path);
            }
        }
        paths.sort();
        let mut folders = Vec::new();
        for path in paths {
            match Folder::read(&path) {
                // A folder such as `lost+found`, which cannot be one of ours, is no concern.
                Err(_) if path != dir && !path.to_string_lossy().contains('-') => (),
                folder => folders.push(folder?),
            }
        }
        Ok(folders.into_iter().filter(|folder| !folder.files.is_empty()).collect())
    }

    /// As [`Folder::find`], where at least one folder is expected.
    ///
    /// # Errors
    /// [`TableError::NoTables`] too.
    pub fn find_some(dir: &Path) -> Result<Vec<Folder>, TableError> {
        let folders = Folder::find(dir)?;
        if folders.is_empty() { Err(TableError::NoTables { path: dir.into() }) } else { Ok(folders) }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files by layer: of each the values before the bounds.
    pub fn files(&self) -> &BTreeMap<LayerName, PathBuf> {
        &self.files
    }

    /// The seeds of the layers whose values are there, as text.
    pub(super) fn layers_text(&self) -> String {
        ranges(self.files.keys().filter(|name| name.quantity == Quantity::Value).map(|name| name.seeds))
    }

    /// The folder's own name.
    pub(super) fn name(&self) -> String {
        let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// Whether the name says that the tables belong to a rule set; `None` if it says nothing.
    pub(super) fn named_for(&self, fingerprint: u128) -> Option<bool> {
        let name = self.name();
        let (rest, last) = name.rsplit_once('-')?;
        if let Ok(pits) = last.parse() {
            return preset_of(rest, pits).map(|preset| preset.fingerprint() == fingerprint);
        }
        let is_id = last.len() == ID_DIGITS && last.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_id.then(|| format!("{fingerprint:032x}").starts_with(last))
    }

    /// Opens a layer of this folder and compares it with its name.
    pub(super) fn open(&self, name: LayerName, access: Access) -> Result<Layer, Fault> {
        let path = self.files.get(&name).ok_or(std::io::Error::from(std::io::ErrorKind::NotFound))?;
        let layer = Layer::open_file(path, access)?;
        let found = layer.header().name();
        if found == name { Ok(layer) } else { Err(Fault::OtherLayer { found }) }
    }

    /// The game and the rule text of this folder, from its record or else from a layer and the folder's
    /// name. A game that is not recorded has the seeds of the standard board.
    pub(super) fn identity(&self) -> Option<Identity> {
        let manifest = Manifest::read(&self.path).ok().flatten();
        let opened = || self.files.keys().find_map(|&name| self.open(name, Access::Read).ok());
        let rule_text = opened().map(|layer| layer.rule_text().to_owned());
        let manifest =
            manifest.filter(|manifest| rule_text.as_ref().is_none_or(|text| *text == manifest.rules));
        let rule_text = rule_text.or_else(|| manifest.as_ref().map(|manifest| manifest.rules.clone()))?;
        let game = manifest.map_or_else(|| self.game_by_name(&rule_text), |manifest| manifest.game);
        Some(Identity { game, rule_text })
    }

    /// What is wrong with a layer of other rules than those of the folder.
    pub(super) fn foreign(&self, layer: &Layer) -> Option<Fault> {
        let rule_text = self.identity()?.rule_text;
        (layer.rule_text() != rule_text).then(|| Fault::OtherRules {
            found: layer.rules_id(),
            wanted: format!("{:032x}", xxhash_rust::xxh3::xxh3_128(rule_text.as_bytes())),
        })
    }

    /// Whether the tables are of a game won by blocking.
    pub(super) fn has_verdicts(&self) -> bool {
        let opened = self.files.keys().find_map(|&name| self.open(name, Access::Read).ok());
        opened.is_some_and(|layer| layer.has_verdicts())
    }

    fn game_by_name(&self, rule_text: &str) -> String {
        let folder = self.name();
        let name = game_part(&folder);
        let seeds = rules::preset(name).map_or(1, |preset| preset.seeds());
        let rules = parse_rules(rule_text, name).and_then(|rules| rules.with_seeds(seeds).ok());
        rules.map_or_else(|| name.into(), |rules| rules.title())
    }
}

/// The part of a folder's name before `-PITS` or `-PITS-ID`.
fn game_part(folder: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    match folder.rsplit_once('-') {
        Some((rest, last)) if is_number(last) && last.len() < 3 => rest,
        Some((rest, last)) if last.len() == ID_DIGITS => match rest.rsplit_once('-') {
            Some((game, pits)) if is_number(pits) => game,
            _ => rest,
        },
        _ => folder,
    }
}

/// What the tables of a folder belong to.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    /// The game it was first built for.
    pub(super) game: String,
    /// The canonical rule text.
    pub(super) rule_text: String,
}

/// Numbers as text, those in a row as `FIRST-LAST`.
pub(super) fn ranges(numbers: impl Iterator<Item = u32>) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part = |(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// What a folder of tables holds, told by the headers alone.
#[derive(Debug)]
#[non_exhaustive]
pub struct Contents {
    /// The folder.
    pub folder: PathBuf,
    /// The game it was first built for, such as `kalah:6x4`.
    pub game: String,
    /// The fingerprint of the rules as 32 hex digits.
    pub rules: String,
    /// The canonical text of the rules.
    pub rule_text: String,
    /// The files whose headers are sound, by rising seeds, values before bounds.
    pub layers: Vec<Layer>,
    /// The files that cannot be opened.
    pub faults: Vec<(PathBuf, Fault)>,
}

/// What the tables in `dir` are: one entry for each folder with tables. Nothing but headers is
/// read, so the values may be damaged all the same.
///
/// # Errors
/// [`TableError::Io`] for a folder that cannot be read, [`TableError::NoTables`].
pub fn contents(dir: &Path) -> Result<Vec<Contents>, TableError> {
    let describe = |folder: Folder| {
        let (mut layers, mut faults) = (Vec::new(), Vec::new());
        for (&name, path) in folder.files() {
            let layer = folder.open(name, Access::Read);
            match layer.and_then(|layer| folder.foreign(&layer).map_or(Ok(layer), Err)) {
                Ok(layer) => layers.push(layer),
                Err(fault) => faults.push((path.clone(), fault)),
            }
        }
        let identity = folder.identity();
        let rule_text = identity.as_ref().map_or_else(String::new, |identity| identity.rule_text.clone());
        Contents {
            rules: layers.first().map_or_else(String::new, Layer::rules_id),
            game: identity.map_or_else(|| folder.name(), |identity| identity.game),
            folder: folder.path,
            rule_text,
            layers,
            faults,
        }
    };
    Ok(Folder::find_some(dir)?.into_iter().map(describe).collect())
}
