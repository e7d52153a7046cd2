//! `sowbase stats`: what the values of tables are like.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sowbase::tables::{Extreme, LayerStats, SetStats, TableError, stats};

use super::interrupt::Interrupt;
use super::options::Common;
use super::output::{Exit, json_line, note, print};
use super::plot;
use super::progress::Progress;

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
    distribution: &'a BTreeMap<i32, u64>,
    max: ExtremeRecord,
    min: ExtremeRecord,
    mean: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest: Option<LongestRecord>,
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
        let extreme = |extreme: &Extreme| ExtremeRecord {
            value: extreme.value,
            position: extreme.position.to_string(),
        };
        LayerRecord {
            seeds: layer.seeds,
            positions: layer.positions,
            wins: layer.wins,
            draws: layer.draws,
            losses: layer.losses,
            cycle_free: layer.cycle_free,
            distribution: &layer.distribution,
            max: extreme(&layer.max),
            min: extreme(&layer.min),
            mean: (layer.mean * 1e6).round() / 1e6,
            longest: layer.longest.as_ref().map(|longest| LongestRecord {
                distance: longest.distance,
                position: longest.position.to_string(),
            }),
        }
    }
}

fn as_text(set: &SetStats, with_distribution: bool) -> String {
    let mut text = format!("{}: tables of {}, rules {}\n\n", set.folder.display(), set.game, set.rules);
    let bounds = set.layers.iter().any(|layer| layer.cycle_free.is_some());
    let head = if bounds { format!("{:>15}  ", "cycle-free") } else { String::new() };
    let counted = set.layers.iter().any(|layer| layer.longest.is_some());
    let head = if counted { format!("{head}{:>7}  ", "longest") } else { head };
    let _ = writeln!(
        text,
        "seeds  {:>15}  {:>6}  {:>6}  {:>6}  {:>6}  {head}{:>4}  {:>4}  position of the highest value",
        "positions", "won", "drawn", "lost", "mean", "max", "min"
    );
    for layer in &set.layers {
        let share = |part: u64| format!("{:.1}%", 100.0 * part as f64 / layer.positions as f64);
        let free = layer.cycle_free.map_or_else(String::new, |free| free.to_string());
        let free = if bounds { format!("{free:>15}  ") } else { free };
        let longest = layer.longest.as_ref().map_or_else(String::new, |longest| longest.distance.to_string());
        let longest = if counted { format!("{longest:>7}  ") } else { longest };
        let _ = writeln!(
            text,
            "{:>5}  {:>15}  {:>6}  {:>6}  {:>6}  {:>6.3}  {free}{longest}{:>4}  {:>4}  {}",
            layer.seeds,
            layer.positions,
            share(layer.wins),
            share(layer.draws),
            share(layer.losses),
            layer.mean,
            layer.max.value,
            layer.min.value,
            layer.max.position
        );
    }
    for layer in set.layers.iter().filter(|_| with_distribution) {
        if let Some(longest) = &layer.longest {
            let _ = writeln!(
                text,
                "\nThe longest way to a capture or the end takes {} plies: {}",
                longest.distance, longest.position
            );
        }
        let _ = writeln!(text, "\nvalue  {:>15}", "positions");
        for (value, positions) in layer.distribution.iter().rev() {
            let _ = writeln!(text, "{value:>5}  {positions:>15}");
        }
    }
    text
}
