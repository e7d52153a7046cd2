//! `sowbase stats`: what the values of tables are like.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sowbase::tables::{Decided, Entries, Extreme, LayerStats, SetStats, Spread, TableError, stats};

use crate::cli::interrupt::Interrupt;
use crate::cli::options::Common;
use crate::cli::text::output::{Exit, json_line, note, print};
use crate::cli::text::plot;
use crate::cli::text::progress::Progress;

/// Per layer: positions, wins, draws, losses, distribution of values, extremes
#[derive(Args)]
pub struct Stats {
    /// A folder with tables
    dir: PathBuf,
    /// This layer only
    #[arg(long, value_name = "N")]
    layer: Option<u32>,
    /// Draws how the values are distributed over the layers, as an SVG picture
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

impl Stats {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("give the folder as the argument of stats")?;
        self.plot.as_deref().map_or(Ok(()), plot::check_name)?;
        let interrupt = Interrupt::listen()?;
        let control = interrupt.control();
        let result = {
            let _progress = Progress::start(&control, common.quiet);
            stats(&self.dir, self.layer, &control)
        };
        let sets = match result {
            Err(TableError::Stopped(_)) => {
                note("stopped: not all layers were read, so there are no statistics");
                return Ok(interrupt.exit());
            }
            result => result?,
        };
        if let Some(file) = &self.plot {
            plot::write(file, &sets)?;
        }
        let text = if common.json {
            sets.iter().map(|set| json_line(&SetRecord::new(set))).collect::<String>()
        } else {
            sets.iter().map(|set| as_text(set, self.layer.is_some())).collect::<Vec<_>>().join("\n")
        };
        print(&text)?;
        Ok(Exit::Done)
    }
}

/// The order of the fields is that of the JSON keys.
#[derive(Serialize)]
struct SetRecord<'a> {
    game: &'a str,
    rules: &'a str,
    layers: Vec<LayerRecord<'a>>,
}

#[derive(Serialize)]
struct LayerRecord<'a> {
    seeds: u32,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle_free: Option<u64>,
    #[serde(flatten)]
    spread: Option<SpreadRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<Vec<DecidedRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest: Option<LongestRecord>,
}

#[derive(Serialize)]
struct SpreadRecord<'a> {
    distribution: &'a BTreeMap<i32, u64>,
    max: ExtremeRecord,
    min: ExtremeRecord,
    mean: f64,
}

#[derive(Serialize)]
struct DecidedRecord {
    won: u64,
    lost: u64,
}

#[derive(Serialize)]
struct ExtremeRecord {
    value: i32,
    position: String,
}

#[derive(Serialize)]
struct LongestRecord {
    distance: u32,
    position: String,
}

impl SetRecord<'_> {
    fn new(set: &SetStats) -> SetRecord<'_> {
        let layers = set.layers.iter().map(LayerRecord::new).collect();
        SetRecord { game: &set.game, rules: &set.rules, layers }
    }
}

impl LayerRecord<'_> {
    fn new(layer: &LayerStats) -> LayerRecord<'_> {
        let decided = |decided: &Decided| DecidedRecord { won: decided.won, lost: decided.lost };
        let (spread, plies) = match &layer.entries {
            Entries::Values(spread) => (Some(SpreadRecord::new(spread)), None),
            Entries::Verdicts(plies) => (None, Some(plies.iter().map(decided).collect())),
        };
        LayerRecord {
            seeds: layer.seeds,
            positions: layer.positions,
            wins: layer.wins,
            draws: layer.draws,
            losses: layer.losses,
            cycle_free: layer.cycle_free,
            spread,
            plies,
            longest: layer.longest.as_ref().map(|longest| LongestRecord {
                distance: longest.distance,
                position: longest.position.to_string(),
            }),
        }
    }
}

impl SpreadRecord<'_> {
    fn new(spread: &Spread) -> SpreadRecord<'_> {
        let extreme = |extreme: &Extreme| ExtremeRecord {
            value: extreme.value,
            position: extreme.position.to_string(),
        };
        SpreadRecord {
            distribution: &spread.distribution,
            max: extreme(&spread.max),
            min: extreme(&spread.min),
            mean: (spread.mean * 1e6).round() / 1e6,
        }
    }
}

fn as_text(set: &SetStats, with_distribution: bool) -> String {
    let text = format!("{}: tables of {}, rules {}\n\n", set.folder.display(), set.game, set.rules);
    let has_verdicts = set.layers.iter().any(|layer| matches!(layer.entries, Entries::Verdicts(_)));
    text + &if has_verdicts {
        verdicts_as_text(&set.layers, with_distribution)
    } else {
        values_as_text(&set.layers, with_distribution)
    }
}

/// A part of the positions of a layer, in per cent.
fn share(part: u64, layer: &LayerStats) -> String {
    format!("{:.1}%", 100.0 * part as f64 / layer.positions as f64)
}

/// Whole boards of a game won by blocking.
fn verdicts_as_text(layers: &[LayerStats], with_plies: bool) -> String {
    let mut text = format!(
        "seeds  {:>15}  {:>15}  {:>15}  {:>15}  {:>6}  {:>6}  {:>6}  longest  position of the longest\n",
        "positions", "won", "drawn", "lost", "won", "drawn", "lost"
    );
    for layer in layers {
        let shares = [layer.wins, layer.draws, layer.losses].map(|part| share(part, layer));
        let longest = layer.longest.as_ref();
        let _ = writeln!(
            text,
            "{:>5}  {:>15}  {:>15}  {:>15}  {:>15}  {:>6}  {:>6}  {:>6}  {:>7}  {}",
            layer.seeds,
            layer.positions,
            layer.wins,
            layer.draws,
            layer.losses,
            shares[0],
            shares[1],
            shares[2],
            longest.map_or_else(|| "-".into(), |longest| longest.distance.to_string()),
            longest.map_or_else(|| "-".into(), |longest| longest.position.to_string()),
        );
    }
    for layer in layers.iter().filter(|_| with_plies) {
        let Entries::Verdicts(decided) = &layer.entries else { continue };
        let _ = writeln!(text, "\nplies  {:>15}  {:>15}", "won", "lost");
        for (plies, decided) in decided.iter().enumerate() {
            let _ = writeln!(text, "{plies:>5}  {:>15}  {:>15}", decided.won, decided.lost);
        }
    }
    text
}

fn values_as_text(layers: &[LayerStats], with_distribution: bool) -> String {
    let mut text = String::new();
    let bounds = layers.iter().any(|layer| layer.cycle_free.is_some());
    let head = if bounds { format!("{:>15}  ", "cycle-free") } else { String::new() };
    let counted = layers.iter().any(|layer| layer.longest.is_some());
    let head = if counted { format!("{head}{:>7}  ", "longest") } else { head };
    let _ = writeln!(
        text,
        "seeds  {:>15}  {:>6}  {:>6}  {:>6}  {:>6}  {head}{:>4}  {:>4}  position of the highest value",
        "positions", "won", "drawn", "lost", "mean", "max", "min"
    );
    for layer in layers {
        let Entries::Values(spread) = &layer.entries else { continue };
        let free = layer.cycle_free.map_or_else(String::new, |free| free.to_string());
        let free = if bounds { format!("{free:>15}  ") } else { free };
        let longest = layer.longest.as_ref().map_or_else(String::new, |longest| longest.distance.to_string());
        let longest = if counted { format!("{longest:>7}  ") } else { longest };
        let _ = writeln!(
            text,
            "{:>5}  {:>15}  {:>6}  {:>6}  {:>6}  {:>6.3}  {free}{longest}{:>4}  {:>4}  {}",
            layer.seeds,
            layer.positions,
            share(layer.wins, layer),
            share(layer.draws, layer),
            share(layer.losses, layer),
            spread.mean,
            spread.max.value,
            spread.min.value,
            spread.max.position
        );
    }
    for layer in layers.iter().filter(|_| with_distribution) {
        let Entries::Values(spread) = &layer.entries else { continue };
        if let Some(longest) = &layer.longest {
            let _ = writeln!(
                text,
                "\nThe longest way to a capture or the end takes {} plies: {}",
                longest.distance, longest.position
            );
        }
        let _ = writeln!(text, "\nvalue  {:>15}", "positions");
        for (value, positions) in spread.distribution.iter().rev() {
            let _ = writeln!(text, "{value:>5}  {positions:>15}");
        }
    }
    text
}
