//! `sowbase bench`: fixed searches whose node counts are the fingerprint of the search.

use std::fmt::Write;
use std::time::Instant;

use anyhow::ensure;
use clap::Args;
use serde::Serialize;
use sowbase::board::{Game, Position, SingleLap};
use sowbase::control::Control;
use sowbase::retrograde::Layers;
use sowbase::rules;
use sowbase::search::{Resources, Solver};

use crate::cli::interrupt::Interrupt;
use crate::cli::options::Common;
use crate::cli::text::output::{Exit, print, print_json};
use crate::cli::text::progress::Progress;

/// Games solved from the start, and the layers that are built for it.
const ITEMS: &[(&str, u32)] = &[("kalah:6x3", 8), ("kalah:5x4", 8)];
/// Bytes for the table of positions met.
const HASH_BYTES: u64 = 64 << 20;

/// A fixed search with one thread; its node count is the fingerprint of the search
#[derive(Args)]
pub struct Bench {}

#[derive(Serialize)]
struct Item {
    game: &'static str,
    layers: u32,
    value: i32,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct BenchReport {
    items: Vec<Item>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

impl Bench {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("bench searches with layers of its own")?;
        let interrupt = Interrupt::listen()?;
        let control = interrupt.control();
        let progress = Progress::start(&control, common.quiet);
        let mut items = Vec::new();
        for &(game, layers) in ITEMS {
            let item = search(game, layers, &control)?;
            if interrupt.was_hit() {
                return Ok(interrupt.exit());
            }
            items.push(item);
        }
        drop(progress);
        let nodes = items.iter().map(|item| item.nodes).sum();
        let seconds: f64 = items.iter().map(|item| item.seconds).sum();
        let nodes_per_second = (nodes as f64 / seconds.max(1e-6)) as u64;
        let report = BenchReport { items, nodes, seconds, nodes_per_second };
        if common.json {
            print_json(&report)?
        } else {
            print(&text(&report))?
        }
        Ok(Exit::Done)
    }
}

fn search(title: &'static str, layers: u32, control: &Control) -> anyhow::Result<Item> {
    let rules = rules::game(title)?;
    let position = Position::start(&rules);
    let mut built = Layers::new(&rules, layers - 1)?;
    while built.next() < layers && built.build_next(control).is_ok() {}
    let resources = Resources::new(1, HASH_BYTES);
    let game = SingleLap::new(&rules)?;
    let packed = game.pack(&position);
    let solver = Solver::new(game, built.values(), position.seeds(), &resources)?;
    control.begin(format!("searching {title}"), 0);
    let begun = Instant::now();
    let bounds = solver.solve(&packed, control);
    let seconds = begun.elapsed().as_secs_f64();
    ensure!(bounds.value().is_some() || control.is_stopped(), "the search of {title} ended without a value");
    Ok(Item { game: title, layers, value: bounds.lower, nodes: solver.nodes(), seconds })
}

fn text(report: &BenchReport) -> String {
    let mut text = String::new();
    for Item { game, layers, value, nodes, seconds } in &report.items {
        let _ = writeln!(
            text,
            "{game}  {layers:>2} layers  value {value:>3}  {nodes:>10} nodes  {seconds:>7.3} s"
        );
    }
    let BenchReport { nodes, seconds, nodes_per_second, .. } = report;
    let _ = writeln!(text, "total {nodes} nodes  {seconds:.3} s  {nodes_per_second} nodes/s");
    text
}
