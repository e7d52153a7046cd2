//! Values of opening positions: published ones, and those that tell each switch of Kalah; and counts of
//! move sequences of Oware.
//!
//! Every value is computed by recursion over the moves of the kernel, and from tables of the whole
//! board where those are small; boards too large for both by the search over some layers.

#[path = "common/layers.rs"]
mod layers;
#[path = "common/recursion.rs"]
mod recursion;

use recursion::Recursion;
use sowbase::board::{ChainLap, Game, Move, Position, Ring, SingleLap, perft};
use sowbase::control::Control;
use sowbase::index::Numbering;
use sowbase::rules::Rules;
use sowbase::search::{Resources, Solver};

/// Most positions of all layers of a board whose tables are built here.
const TABLES: u64 = 20_000_000;
/// Most positions of a board that recursion walks; larger boards need a search that prunes.
const RECURSION: u64 = 12_000_000;

/// Positions of all layers of a board.
fn positions(rules: &Rules) -> u64 {
    let numbering = Numbering::new(rules.pits().into(), rules.start_seeds()).unwrap();
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
    // By recursion and by tables. Up to 6 seeds with 1 to 3 pits, 3 with 4 pits, 1 with 5 and 6; under two rules.
    assert_eq!(checked, 2 * (6 + 6 + 6 + 3 + 1 + 1));
    assert_eq!(by_tables, checked);
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
    assert_eq!(by_tables, checked);
}

/// Proves values of a large board with a search over the layers up to `top`.
fn with_solver(rules: &Rules, top: u32, check: impl FnOnce(&Solver<SingleLap>, &Control)) {
    let layers = layers::build(rules, top);
    let game = SingleLap::new(rules).unwrap();
    let resources = Resources::new(2, 128 << 20);
    let solver = Solver::new(game, layers.values(), rules.start_seeds(), &resources).unwrap();
    check(&solver, &Control::default());
}

#[test]
fn kalah_values_by_search() {
    let mut checked = 0;
    for row in rows(include_str!("fixtures/kalah_values.csv")) {
        let [pits, seeds, empty_capture, value, ..] = row[..] else { panic!("{row:?}") };
        // The layers that make the search a matter of seconds.
        let top = match (pits, seeds) {
            ("4", "4") => 14,
            ("4", "5" | "6") => 18,
            ("5", "2" | "3" | "4") | ("6", "2" | "3") => 14,
            ("6", "4") => 20,
            _ => continue,
        };
        let rules = layers::game(&format!("kalah:{pits}x{seeds} empty-capture={empty_capture}"));
        with_solver(&rules, top, |solver, control| {
            let start = solver.game().pack(&Position::start(&rules));
            assert_eq!(solver.solve(&start, control).value(), Some(value.parse().unwrap()), "{row:?}");
        });
        checked += 1;
    }
    assert_eq!(checked, 2 * (3 + 3 + 3));
}

#[test]
fn first_turns_of_kalah_6x3() {
    let rules = layers::game("kalah:6x3 empty-capture=no");
    with_solver(&rules, 14, |solver, control| {
        let mut checked = 0;
        for row in rows(include_str!("fixtures/kalah_first_moves.csv")) {
            let ["6", "3", "no", turn, value, ..] = row[..] else { continue };
            // The worth of the turn: the mover's margin if it is played.
            let mut position = solver.game().pack(&Position::start(&rules));
            let (mut gained, mut side) = (0, 1);
            for pit in turn.split(' ') {
                assert_eq!(side, 1, "a turn goes on only after an extra move: {turn}");
                let choice: Move = pit.parse().unwrap();
                let mut found = None;
                solver.game().for_each_move(&position, |played| {
                    if played.choice == choice {
                        found = Some(played);
                    }
                });
                let played = found.unwrap_or_else(|| panic!("{turn} is no legal turn"));
                gained += played.gain - played.opponent_gain;
                (position, side) = (played.next, if played.again { 1 } else { -1 });
            }
            let rest = solver.solve(&position, control).value().unwrap();
            assert_eq!(gained + side * rest, value.parse::<i32>().unwrap(), "{turn}");
            checked += 1;
        }
        assert_eq!(checked, 10);
    });
}

#[test]
fn move_sequences_of_oware() {
    for text in ["oware", "awari"] {
        let rules = layers::game(text);
        let (ring, kernel) = (Ring::new(&rules).unwrap(), ChainLap::new(&rules).unwrap());
        let start = Position::start(&rules);
        let mut checked = 0;
        for row in rows(include_str!("fixtures/oware_perft.csv")) {
            let [depth, sequences] = row[..] else { panic!("{row:?}") };
            let (depth, sequences) = (depth.parse().unwrap(), Some(sequences.parse().unwrap()));
            assert_eq!(perft(&kernel, &kernel.pack(&start), depth, &|| true), sequences, "{text}: {row:?}");
            if depth <= 6 {
                assert_eq!(perft(&ring, &ring.pack(&start), depth, &|| true), sequences, "{text}: {row:?}");
            }
            checked += 1;
        }
        assert_eq!(checked, 8);
    }
}
