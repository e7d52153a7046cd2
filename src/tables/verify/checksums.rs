//! Lists of checksums of values, to compare tables that were built elsewhere or by other programs.
//!
//! A line is `GAME RULES LAYER CHECKSUM`: the name of the game's folder, the fingerprint of the
//! rules as 32 hex digits, the seeds in play, with `.lower` or `.upper` for bounds, and the xxh3-128 of the decoded values in index
//! order as 32 hex digits. Lines that begin with `#` and empty ones are passed over.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use crate::control::Control;
use crate::tables::error::TableError;
use crate::tables::folder::Folder;
use crate::tables::format::LayerName;
use crate::tables::storage::Access;

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checksum {
    /// The name of the folder, such as `kalah-6`. The rules tell games apart, not this name.
    pub game: String,
    /// The fingerprint of the rules.
    pub rules: u128,
    /// Seeds in play, and whether they are values or bounds.
    pub layer: LayerName,
    /// xxh3-128 of the decoded values, one signed byte each, in index order.
    pub checksum: u128,
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:032x} {} {:032x}", self.game, self.rules, self.layer, self.checksum)
    }
}

/// How tables compare with a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// Layers with the checksum of the list.
    pub equal: u64,
    /// Layers with another one: what was found, and what the list says.
    pub different: Vec<(Checksum, Checksum)>,
    /// Layers that the list does not know.
    pub unknown: Vec<Checksum>,
}

/// The checksums of all tables in a folder, computed from the values.
///
/// # Errors
/// [`TableError::Io`] and [`TableError::NoTables`] for the folder, and what [`super::Layer::check`]
/// gives for the first damaged file.
pub fn folder_checksums(dir: &Path, control: &Control) -> Result<Vec<Checksum>, TableError> {
    let mut checksums = Vec::new();
    for folder in Folder::find_some(dir)? {
        for (&name, path) in folder.files() {
            let layer = folder.open(name, Access::Read).map_err(|fault| fault.at(path))?;
            let mut values = Xxh3::new();
            control.begin(format!("layer {name}"), layer.header().positions());
            layer.scan(control, |_, bytes| {
                values.update(bytes);
                Ok::<(), TableError>(())
            })?;
            let (rules, checksum) = (layer.header().fingerprint(), values.digest128());
            let game = folder.name().replace(char::is_whitespace, "_");
            checksums.push(Checksum { game, rules, layer: name, checksum });
        }
    }
    Ok(checksums)
}

/// Reads a list.
///
/// # Errors
/// [`TableError::Io`], [`TableError::BadChecksums`] with the line.
pub fn read_checksums(path: &Path) -> Result<Vec<Checksum>, TableError> {
    let text = std::fs::read_to_string(path).map_err(TableError::io("read", path))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            parse(line).ok_or_else(|| TableError::BadChecksums { path: path.into(), line: number + 1 })
        })
        .collect()
}

fn parse(line: &str) -> Option<Checksum> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [game, rules, layer, checksum] = words[..] else {
        return None;
    };
    let digits = |word: &str| (word.len() == 32).then(|| u128::from_str_radix(word, 16).ok())?;
    let (rules, checksum) = (digits(rules)?, digits(checksum)?);
    Some(Checksum { game: game.into(), rules, layer: layer.parse().ok()?, checksum })
}

/// Compares checksums with a list, by rules and layer.
pub fn compare_checksums(found: &[Checksum], list: &[Checksum]) -> Comparison {
    let known: BTreeMap<(u128, LayerName), &Checksum> =
        list.iter().map(|line| ((line.rules, line.layer), line)).collect();
    let mut comparison = Comparison::default();
    for line in found {
        match known.get(&(line.rules, line.layer)) {
            None => comparison.unknown.push(line.clone()),
            Some(known) if known.checksum == line.checksum => comparison.equal += 1,
            Some(known) => comparison.different.push((line.clone(), (*known).clone())),
        }
    }
    comparison
}
