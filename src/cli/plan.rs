//! Which layers to build in memory before a search.
//!
//! # The cost model
//!
//! Building the layers 0..=k costs their positions over a rate; a search costs its nodes times the
//! time of one. A layer more makes the search smaller by a constant factor, a seed more on the
//! board makes it larger by another one, so the value of a position takes about
//!
//! ```text
//! nodes(seeds, k) = (SCALE * GROWTH^seeds / SAVING^k) ^ cbrt(pits / 6)
//! ```
//!
//! and the values of all its moves EVERY_MOVE times as many. The constants fit searches of Kalah
//! with six pits a row; the exponent makes the order of magnitude right for five and four pits too.
//! The choice of layers only has to be near the best one, and never changes an answer.
//!
//! Where positions can repeat, a search seldom proves a value. There all layers up to the position
//! are built if time and memory allow it, and otherwise as many as take a part of the search's time.

use sowbase::board::{ChainLap, RelayLap};
use sowbase::retrograde::{BoundLayers, Layers, MAX_LAYER, Unbuildable, is_acyclic, is_path_dependent};
use sowbase::rules::{Lap, Rules};

/// Nodes of a search at 0 seeds and 0 layers, from 21 million nodes of kalah:6x4 over the layers up
/// to 20.
const SCALE: f64 = 0.0145;
/// Factor of the nodes for a seed more on the board.
const GROWTH: f64 = 1.78;
/// Factor that one layer more saves.
const SAVING: f64 = 1.37;
/// How much longer the values of all moves take than that of the position.
const EVERY_MOVE: f64 = 5.0;
/// Boards that build whole within this time are not searched at all, in seconds.
const CHEAP: f64 = 0.25;
/// Longest building that is planned without a word from the user, in seconds.
const PATIENCE: f64 = 60.0;
/// Longest search of a position that can repeat without a word from the user, in seconds.
pub const REPEATING_SEARCH: f64 = 30.0;
/// Nodes a second of such a search.
const REPEATING_NODES: f64 = 2e6;
/// Seconds that the system may take to hand out a gibibyte of memory.
const SECONDS_PER_GIB: f64 = 2.0;
/// Bytes of hash for an expected node: the expectation may be several times too low.
const HASH_PER_NODE: f64 = 16.0;
/// More nodes a second than any search reaches.
const FASTEST_NODES: f64 = 2e7;
/// Smallest hash, in bytes.
const LEAST_HASH: u64 = 2 << 20;

/// What a plan must keep to.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Bytes for layers and hash together.
    pub memory: u64,
    /// Seconds that the whole may take, if the user said so.
    pub time: Option<f64>,
    /// Whether every move is to be valued.
    pub moves: bool,
}

/// How a position is going to be solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The layers 0..layers are built in memory.
    pub layers: u32,
    /// Bytes that building them takes.
    pub layer_bytes: u64,
    /// Seconds that building them takes.
    pub build_seconds: f64,
    /// Nodes that the search is expected to need; 0 if the layers hold the position.
    pub nodes: f64,
    /// Seconds that the search is expected to take.
    pub search_seconds: f64,
    /// Bytes for the search's table of positions.
    pub hash_bytes: u64,
}

/// The plan of least total time for a position with `seeds` seeds in its pits when `present` layers
/// are there already.
pub fn choose(rules: &Rules, seeds: u32, present: u32, limits: &Limits) -> Plan {
    if !is_acyclic(rules) {
        return choose_repeating(rules, seeds, present, limits);
    }
    let mut best = plan(rules, seeds, present, 0, 0, limits);
    // A quarter stays for the hash, which comes when what only the building needs is gone.
    let most_kept = (limits.memory - limits.memory / 4) as f64;
    // Half of a given time stays for the search.
    let most_seconds = limits.time.map_or(PATIENCE, |time| time / 2.0);
    for layers in present + 1..=seeds.min(MAX_LAYER) + 1 {
        let Ok(bytes) = Layers::memory(rules, layers - 1) else { break };
        let next = plan(rules, seeds, present, layers, bytes, limits);
        let too_large = bytes > limits.memory || positions_below(layers, rules.pits()) > most_kept;
        if too_large || next.build_seconds > most_seconds {
            break;
        }
        let is_whole_and_cheap = layers > seeds && next.build_seconds <= CHEAP;
        if is_whole_and_cheap || next.seconds() < best.seconds() {
            best = next;
        }
    }
    best
}

/// The plan for positions that can repeat: all layers if they are within the limits, and otherwise
/// what can be built in a third of the whole time.
fn choose_repeating(rules: &Rules, seeds: u32, present: u32, limits: &Limits) -> Plan {
    let mut best = plan(rules, seeds, present, 0, 0, limits);
    let most_seconds = limits.time.unwrap_or(PATIENCE);
    let before_search = limits.time.map_or(REPEATING_SEARCH / 2.0, |time| time / 3.0);
    for layers in present + 1..=seeds.min(MAX_LAYER) + 1 {
        let Ok(bytes) = memory(rules, layers - 1) else { break };
        let next = plan(rules, seeds, present, layers, bytes, limits);
        if bytes > limits.memory || next.build_seconds > most_seconds {
            break;
        }
        if layers > seeds || next.build_seconds <= before_search {
            best = next;
        }
    }
    best
}

/// Bytes for building the layers 0..=`top` of what the rules have in tables: values or bounds.
fn memory(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
    if is_path_dependent(rules) { BoundLayers::memory(rules, top) } else { Layers::memory(rules, top) }
}

/// Positions a second of the builder that fills layers of a rule set, on two threads of an ordinary
/// server: for the row builders a little less than measured, for the others the order of magnitude.
pub fn building_rate(rules: &Rules) -> f64 {
    let is_single = rules.switches().is_some_and(|s| s.lap == Lap::Single);
    match (is_acyclic(rules), ChainLap::new(rules).is_ok(), is_path_dependent(rules)) {
        (true, ..) if is_single => 3.5e8,
        (false, true, false) => 4e7,
        (false, true, true) => 2e7,
        (true, ..) if RelayLap::new(rules).is_ok() => 1e7,
        _ if RelayLap::new(rules).is_ok() => 5e6,
        (false, false, true) => 5e5,
        _ => 1e6,
    }
}

/// A plan that builds nothing and counts on the layers 0..present.
pub fn without_layers(rules: &Rules, seeds: u32, present: u32, limits: &Limits) -> Plan {
    plan(rules, seeds, present, 0, 0, limits)
}

fn plan(rules: &Rules, seeds: u32, present: u32, layers: u32, bytes: u64, limits: &Limits) -> Plan {
    let positions_per_second = building_rate(rules);
    let seconds_per_node = if rules.switches().is_some_and(|s| s.lap == Lap::Single) { 200e-9 } else { 2e-6 };
    let width = (f64::from(rules.pits()) / 6.0).cbrt();
    let factor = if limits.moves { EVERY_MOVE } else { 1.0 };
    let reach = present.max(layers);
    let nodes = if reach > seeds {
        0.0
    } else if !is_acyclic(rules) {
        REPEATING_NODES * limits.time.unwrap_or(REPEATING_SEARCH)
    } else {
        let exponent = f64::from(seeds) * GROWTH.ln() - f64::from(reach) * SAVING.ln() + SCALE.ln();
        (exponent * width).exp().max(1.0) * factor
    };
    let kept = (positions_below(layers, rules.pits()) * bytes_per_position(rules)) as u64;
    let left = limits.memory.saturating_sub(kept);
    // A hash larger than the time allows to fill would only take time to clear.
    let in_time = limits.time.map_or(f64::INFINITY, |time| FASTEST_NODES * time);
    Plan {
        layers,
        layer_bytes: bytes,
        build_seconds: (positions_below(layers, rules.pits())
            - positions_below(present.min(layers), rules.pits()))
            / positions_per_second,
        nodes,
        search_seconds: if is_acyclic(rules) { nodes * seconds_per_node } else { nodes / REPEATING_NODES },
        hash_bytes: ((nodes.min(in_time) * HASH_PER_NODE) as u64).min(left).max(LEAST_HASH),
    }
}

/// Bytes that a position of a finished layer takes.
fn bytes_per_position(rules: &Rules) -> f64 {
    if is_path_dependent(rules) { 2.0 } else { 1.0 }
}

impl Plan {
    fn seconds(&self) -> f64 {
        let gib = self.layer_bytes as f64 / (1 << 30) as f64;
        self.build_seconds + self.search_seconds + SECONDS_PER_GIB * gib
    }
}

/// Positions of the layers 0..layers: C(layers - 1 + 2 pits, 2 pits).
pub fn positions_below(layers: u32, pits: u8) -> f64 {
    if layers == 0 {
        return 0.0;
    }
    (1..=2 * u32::from(pits)).fold(1.0, |product, k| product * f64::from(layers - 1 + k) / f64::from(k))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sowbase::rules;

    const LIMITS: Limits = Limits { memory: 8 << 30, time: None, moves: true };

    #[test]
    fn a_small_board_is_built_whole() {
        let plan = choose(&rules::game("kalah:3x3").unwrap(), 18, 0, &LIMITS);
        assert_eq!((plan.layers, plan.nodes), (19, 0.0));
    }

    #[test]
    fn a_large_board_is_built_as_far_as_it_pays() {
        let plan = choose(&rules::game("kalah:6x4").unwrap(), 48, 0, &LIMITS);
        assert!((18..=25).contains(&plan.layers), "{plan:?}");
        assert!(plan.hash_bytes >= LIMITS.memory / 32, "{plan:?}");
    }

    #[test]
    fn limits_are_kept() {
        let rules = rules::game("kalah:6x6").unwrap();
        let plan = choose(&rules, 72, 0, &Limits { memory: 64 << 20, ..LIMITS });
        assert!(plan.layer_bytes <= 64 << 20 && plan.hash_bytes >= 16 << 20, "{plan:?}");
        let plan = choose(&rules, 72, 0, &Limits { memory: 1 << 40, time: Some(1.0), ..LIMITS });
        assert!(plan.build_seconds <= 0.5 && plan.hash_bytes <= 2 << 30, "{plan:?}");
    }

    #[test]
    fn tables_that_reach_make_building_pointless() {
        let plan = choose(&rules::game("kalah:6x4").unwrap(), 48, 25, &LIMITS);
        assert_eq!(plan.layers, 0);
        let plan = choose(&rules::game("kalah:6x4").unwrap(), 10, 25, &LIMITS);
        assert_eq!((plan.layers, plan.nodes), (0, 0.0));
    }

    #[test]
    fn positions_that_can_repeat_are_built_whole_or_searched_for_a_while() {
        let plan = choose(&rules::game("oware:6x2").unwrap(), 24, 0, &LIMITS);
        assert_eq!((plan.layers, plan.nodes), (25, 0.0));
        assert!(plan.layer_bytes <= 4 << 30, "{plan:?}");
        let plan = choose(&rules::game("oware:6x4").unwrap(), 48, 0, &LIMITS);
        assert!((18..=24).contains(&plan.layers) && plan.nodes > 0.0, "{plan:?}");
        assert!(plan.search_seconds <= REPEATING_SEARCH, "{plan:?}");
        let limits = Limits { memory: 64 << 20, ..LIMITS };
        let plan = choose(&rules::game("oware:6x2").unwrap(), 24, 0, &limits);
        assert!(plan.layer_bytes <= 64 << 20 && plan.nodes > 0.0, "{plan:?}");
        let plan = choose(&rules::game("oware:6x4").unwrap(), 10, 25, &LIMITS);
        assert_eq!((plan.layers, plan.nodes), (0, 0.0));
    }

    #[test]
    fn positions_are_counted_as_the_numbering_counts_them() {
        let numbering = sowbase::index::Numbering::new(6, 10).unwrap();
        let positions: u64 = (0..=10).map(|seeds| numbering.layer(seeds).size()).sum();
        assert_eq!(positions_below(11, 6).round() as u64, positions);
        assert_eq!(positions_below(0, 6), 0.0);
    }
}
