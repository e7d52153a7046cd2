//! What the values of layers are like.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::error::TableError;
use super::folder::Folder;
use super::format::{BLOCK_BYTES, LayerName, MAX_SEEDS, Quantity, parse_rules};
use super::layer::Layer;
use super::storage::Access;
use crate::board::{ChainLap, Position, Ring};
use crate::control::Control;
use crate::index::Numbering;
use crate::retrograde::{Distances, Uncounted, is_acyclic};
use crate::rules::Rules;

/// Distances are counted in layers of at most this many positions: some seconds of work.
const MOST_COUNTED: u64 = 10_000_000;

/// The tables of one rule set.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SetStats {
    /// Their folder.
    pub folder: PathBuf,
    /// The game they were first built for, such as `kalah:6x4`.
    pub game: String,
    /// The fingerprint of the rules as 32 hex digits.
    pub rules: String,
    /// By rising seeds.
    pub layers: Vec<LayerStats>,
}

/// One layer. All positions count, those with an empty row and those that no play reaches too.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LayerStats {
    /// Seeds in play.
    pub seeds: u32,
    /// Positions.
    pub positions: u64,
    /// Positions whose value for the player to move is above 0.
    pub wins: u64,
    /// Positions of value 0.
    pub draws: u64,
    /// Positions whose value is below 0.
    pub losses: u64,
    /// Positions whose two bounds meet, so that no rule about repetitions changes their value; known
    /// if both files of bounds are there.
    pub cycle_free: Option<u64>,
    /// What the entries are like.
    pub entries: Entries,
    /// The longest way to a capture or to the end of the game; in games won by blocking to the end. Known if
    /// positions can repeat, all lower layers are there and the layer is not too large, and always if the game
    /// is won by blocking and some position is decided.
    pub longest: Option<Longest>,
}

/// What the entries of a layer are like.
#[derive(Clone, Debug)]
pub enum Entries {
    /// They are values.
    Values(Box<Spread>),
    /// They are verdicts of a game won by blocking: the positions decided in 0, 1, 2, ... plies.
    Verdicts(Vec<Decided>),
}

/// How values are spread over a layer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Spread {
    /// Positions by value; values that do not occur are left out.
    pub distribution: BTreeMap<i32, u64>,
    /// The highest value.
    pub max: Extreme,
    /// The lowest value.
    pub min: Extreme,
    /// The mean of the values.
    pub mean: f64,
}

/// The positions that end in a number of plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decided {
    /// Those that the player to move wins.
    pub won: u64,
    /// Those that he loses.
    pub lost: u64,
}

/// The highest or lowest value of a layer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extreme {
    /// The value.
    pub value: i32,
    /// Its first position by index.
    pub position: Position,
}

/// The longest distance of a layer, as [`Distances`] counts it, or the plies of its longest verdict.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Longest {
    /// Plies.
    pub distance: u32,
    /// The first position by index that has it.
    pub position: Position,
}

/// The statistics of all tables in a folder or of one layer of each; the values are compared with
/// their checksums on the way. Sets without the layer asked for are left out.
///
/// # Errors
/// [`TableError::Io`] and [`TableError::NoTables`] for the folder, [`TableError::MissingLayer`] if
/// no set has the layer, and what [`Layer::check`] gives for the first damaged file.
pub fn stats(dir: &Path, layer: Option<u32>, control: &Control) -> Result<Vec<SetStats>, TableError> {
    let folders = Folder::find_some(dir)?;
    let mut sets = Vec::new();
    let mut games = Vec::new();
    for folder in &folders {
        let mut layers = Vec::new();
        let mut read = Vec::new();
        for seeds in (0..=MAX_SEEDS).filter(|seeds| layer.is_none_or(|layer| layer == *seeds)) {
            let Some(values) = open(folder, seeds, Quantity::Value)? else { continue };
            control.begin(format!("layer {seeds}"), values.header().positions());
            let stats = layer_stats(&values, control)?;
            let cycle_free = cycle_free(folder, seeds, control)?;
            let longest = match repeating_rules(&values) {
                _ if values.has_verdicts() => stats.longest,
                Some(rules) if stats.positions <= MOST_COUNTED => {
                    longest(folder, &rules, seeds, &mut read, control)?
                }
                _ => None,
            };
            layers.push((values.rules_id(), LayerStats { cycle_free, longest, ..stats }));
        }
        let game = folder.identity().map_or_else(|| folder.name(), |identity| identity.game);
        games.push(game.clone());
        let Some((rules, _)) = layers.first() else {
            continue;
        };
        let rules = rules.clone();
        let layers = layers.into_iter().map(|(_, layer)| layer).collect();
        sets.push(SetStats { folder: folder.path().into(), game, rules, layers });
    }
    match layer {
        // A folder may hold nothing but bounds.
        seeds if sets.is_empty() => {
            let seeds = seeds.unwrap_or(0);
            let game = games.swap_remove(0);
            let present = folders[0].layers_text();
            Err(match folders[0].has_verdicts() {
                true => TableError::MissingBoard { game, seeds, present },
                false => TableError::MissingLayer { game, seeds, present },
            })
        }
        _ => Ok(sets),
    }
}

/// A file of a folder, if it is there.
fn open(folder: &Folder, seeds: u32, quantity: Quantity) -> Result<Option<Layer>, TableError> {
    let name = LayerName { seeds, quantity };
    let Some(path) = folder.files().get(&name) else { return Ok(None) };
    let opened = folder.open(name, Access::Read);
    let opened = opened.and_then(|layer| folder.foreign(&layer).map_or(Ok(layer), Err));
    opened.map(Some).map_err(|fault| fault.at(path))
}

/// How many positions of a layer have bounds that meet, if both are there.
fn cycle_free(folder: &Folder, seeds: u32, control: &Control) -> Result<Option<u64>, TableError> {
    let (lower, upper) = (open(folder, seeds, Quantity::Lower)?, open(folder, seeds, Quantity::Upper)?);
    let (Some(lower), Some(upper)) = (lower, upper) else { return Ok(None) };
    control.begin(format!("bounds of layer {seeds}"), lower.header().positions());
    let mut meet = 0;
    let mut buffer = Vec::new();
    lower.scan(control, |first, lower| {
        buffer.resize(lower.len(), 0);
        upper.read_blocks(first, &mut buffer)?;
        meet += lower.iter().zip(&buffer).filter(|(lower, upper)| lower == upper).count() as u64;
        Ok::<(), TableError>(())
    })?;
    Ok(Some(meet))
}

/// The rules of a layer, if its positions can repeat.
fn repeating_rules(layer: &Layer) -> Option<Rules> {
    parse_rules(layer.rule_text(), "").filter(|rules| !is_acyclic(rules))
}

/// The longest distance of a layer, if all lower ones are there. `read` keeps the layers that have been
/// read for it, from 0 up.
fn longest(
    folder: &Folder,
    rules: &Rules,
    seeds: u32,
    read: &mut Vec<Vec<i8>>,
    control: &Control,
) -> Result<Option<Longest>, TableError> {
    while read.len() <= seeds as usize {
        let Some(layer) = open(folder, read.len() as u32, Quantity::Value)? else { return Ok(None) };
        read.push(layer.load(control)?);
    }
    let numbering = Numbering::new(rules.player_pits().into(), seeds)?;
    let layers: Vec<&[i8]> = read[..=seeds as usize].iter().map(Vec::as_slice).collect();
    control.begin(format!("distances of layer {seeds}"), numbering.layer(seeds).size());
    let counted = match ChainLap::new(rules) {
        Ok(game) => Distances::new(&game, &numbering, &layers, control),
        Err(_) => match Ring::new(rules) {
            Ok(game) => Distances::new(&game, &numbering, &layers, control),
            Err(_) => return Ok(None),
        },
    };
    match counted {
        Ok(distances) => {
            let longest = distances.longest();
            let longest = longest.map(|(distance, index)| (distance, numbering.position(seeds, index)));
            Ok(longest.map(|(distance, position)| Longest { distance, position }))
        }
        Err(Uncounted::TooLarge { .. }) => Ok(None),
        Err(Uncounted::Stopped(stopped)) => Err(stopped.into()),
        Err(Uncounted::Overlong(overlong)) => Err(overlong.into()),
    }
}

/// How often each byte occurs.
type Histogram = [u64; 256];

/// A pass over one layer.
fn layer_stats(layer: &Layer, control: &Control) -> Result<LayerStats, TableError> {
    let (pits, seeds) = (layer.header().pits(), layer.header().seeds());
    let mut totals: Histogram = [0; 256];
    // Index of the first position with each value.
    let mut first_with: [Option<u64>; 256] = [None; 256];
    layer.scan(control, |first, bytes| {
        let blocks: Vec<Histogram> = bytes.par_chunks(BLOCK_BYTES).map(histogram).collect();
        for ((block, counts), bytes) in blocks.iter().enumerate().zip(bytes.chunks(BLOCK_BYTES)) {
            for value in 0..256 {
                if counts[value] > 0 && first_with[value].is_none() {
                    let at = bytes.iter().position(|byte| usize::from(*byte) == value);
                    first_with[value] = at.map(|at| first + (block * BLOCK_BYTES + at) as u64);
                }
                totals[value] += counts[value];
            }
        }
        Ok::<(), TableError>(())
    })?;
    let value_of = |byte: usize| i32::from(byte as u8 as i8);
    let distribution: BTreeMap<i32, u64> =
        (0..256).filter(|&byte| totals[byte] > 0).map(|byte| (value_of(byte), totals[byte])).collect();
    let sum = |wanted: fn(i32) -> bool| {
        distribution.iter().filter(|(value, _)| wanted(**value)).map(|(_, n)| n).sum()
    };
    let positions = layer.header().positions();
    let numbering = Numbering::new(pits.into(), seeds)?;
    let first_of = |value: i32| first_with[usize::from(value as i8 as u8)];
    let (wins, draws, losses) = (sum(|value| value > 0), sum(|value| value == 0), sum(|value| value < 0));
    let (entries, longest) = if layer.has_verdicts() {
        let most = distribution.keys().map(|code| code.unsigned_abs()).max().unwrap_or(0) as i32;
        let count = |code: i32| distribution.get(&code).copied().unwrap_or(0);
        let decided = (1..=most).map(|code| Decided { won: count(code), lost: count(-code) }).collect();
        // The first of those that are won and those that are lost.
        let first = [most, -most].into_iter().filter(|code| *code != 0).filter_map(first_of).min();
        let longest = first
            .map(|index| Longest { distance: most as u32 - 1, position: numbering.position(seeds, index) });
        (Entries::Verdicts(decided), longest)
    } else {
        let total: i128 = distribution.iter().map(|(value, n)| i128::from(*value) * i128::from(*n)).sum();
        let extreme = |value: Option<&i32>| {
            let value = *value.expect("a layer has at least one position");
            let index = first_of(value).expect("a value that was counted was met");
            Extreme { value, position: numbering.position(seeds, index) }
        };
        let (max, min) = (extreme(distribution.keys().next_back()), extreme(distribution.keys().next()));
        let mean = total as f64 / positions as f64;
        (Entries::Values(Box::new(Spread { max, min, mean, distribution })), None)
    };
    Ok(LayerStats { seeds, positions, wins, draws, losses, cycle_free: None, entries, longest })
}

/// Counts bytes. Four tables in turn, since counting equal bytes one after the other in one table
/// waits for each sum to be stored.
fn histogram(bytes: &[u8]) -> Histogram {
    let mut tables = [[0_u64; 256]; 4];
    let mut chunks = bytes.chunks_exact(4);
    for chunk in &mut chunks {
        for (table, byte) in tables.iter_mut().zip(chunk) {
            table[usize::from(*byte)] += 1;
        }
    }
    for byte in chunks.remainder() {
        tables[0][usize::from(*byte)] += 1;
    }
    std::array::from_fn(|byte| tables.iter().map(|table| table[byte]).sum())
}
