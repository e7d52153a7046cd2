//! Values of opening positions: published ones, and those that tell each switch of Kalah.
//!
//! Every row is computed by recursion over the moves of the kernel, and from tables of the whole
//! board where those are small.

#[path = "common/layers.rs"]
mod layers;
#[path = "common/recursion.rs"]
mod recursion;

use recursion::Recursion;
use sowbase::board::{Game, Position, SingleLap};
use sowbase::index::Numbering;
use sowbase::rules::Rules;

/// Most positions of all layers of a board whose tables are built here.
const TABLES: u64 = 1_000_000;
/// Most positions of a board that recursion walks; larger boards need a search that prunes.
const RECURSION: u64 = 12_000_000;

/// Positions of all layers of a board.
fn positions(rules: &Rules) -> u64 {
    let numbering = Numbering::new(rules.pits.into(), rules.start_seeds()).unwrap();
    (0..=rules.start_seeds()).map(|seeds| numbering.layer(seeds).size()).sum()
}

/// The cells of a table, up to the first quoted one; the first line is a header.
fn rows(csv: &str) -> impl Iterator<Item = Vec<&str>> {
    csv.lines().skip(1).map(|line| line.split('"').next().unwrap().split(',').collect())
}

/// The value of the opening position, and whether tables gave it as well.
fn value_of_start(rules: &Rules) -> (i32, bool) {
    let start = Position::start(rules);
    let kernel = SingleLap::new(rules).unwrap();
    let value = Recursion::new(&kernel).value(&kernel.pack(&start));
    if positions(rules) > TABLES {
        return (value, false);
    }
    assert_eq!(layers::value(&layers::build(rules, start.seeds()), &start), value, "{}", rules.title());
    (value, true)
}

#[test]
fn kalah_values() {
    let (mut checked, mut by_tables) = (0, 0);
    for row in rows(include_str!("fixtures/kalah_values.csv")) {
        let [pits, seeds, empty_capture, value, status, ..] = row[..] else { panic!("{row:?}") };
        let rules = layers::game(&format!("kalah:{pits}x{seeds} empty-capture={empty_capture}"));
        if status != "proven" || positions(&rules) > RECURSION {
            continue;
        }
        let (found, tables) = value_of_start(&rules);
        assert_eq!(found, value.parse().unwrap(), "{row:?}");
        checked += 1;
        by_tables += usize::from(tables);
    }
    // Up to 6 seeds with 1 to 3 pits, 3 with 4 pits, 1 with 5 and 6; under two rules.
    assert_eq!(checked, 2 * (6 + 6 + 6 + 3 + 1 + 1));
    assert_eq!(by_tables, 2 * (6 + 6 + 4 + 2 + 1));
}

#[test]
fn every_switch_of_kalah_shows_on_small_boards() {
    let (mut checked, mut by_tables) = (0, 0);
    for row in rows(include_str!("fixtures/kalah_switches.csv")) {
        let [switches, pits, seeds, value] = row[..] else { panic!("{row:?}") };
        let rules = layers::game(&format!("kalah:{pits}x{seeds} {switches}"));
        let (found, tables) = value_of_start(&rules);
        assert_eq!(found, value.parse().unwrap(), "{row:?}");
        checked += 1;
        by_tables += usize::from(tables);
    }
    assert_eq!(checked, 13 * (6 + 6 + 6 + 3));
    assert_eq!(by_tables, 13 * (6 + 6 + 4 + 2));
}
