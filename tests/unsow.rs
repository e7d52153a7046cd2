//! Moves taken back are exactly the moves that the plain engine makes.

use std::collections::BTreeSet;

use sowbase::board::{Game, Move, Position, Ring, Unsow};
use sowbase::rules::{self, Rules};

/// The switches of games with a sown store that earn extra moves or do not.
const SWITCHES: &[(&str, &[&str])] = &[
    ("opponent-store", &["skip", "sow"]),
    ("origin", &["sow", "skip"]),
    ("lap", &["single", "same-hole"]),
    ("capture", &["none", "cross"]),
    ("trigger", &["take", "leave"]),
    ("empty-capture", &["no", "yes"]),
    ("extra-move", &["none", "store", "store-or-capture"]),
    ("no-move", &["end", "pass"]),
    ("end", &["row-empty", "stuck", "all-empty", "no-move"]),
];

/// Every rule set of these switches on a board.
fn all_rules(pits: u8) -> Vec<Rules> {
    let mut all = vec![rules::game(&format!("congklak:{pits}x1")).unwrap()];
    for (key, values) in SWITCHES {
        let varied = all.iter().flat_map(|rules| {
            values.iter().map(|value| {
                let mut rules = rules.clone();
                rules.set(key, value).unwrap();
                rules
            })
        });
        all = varied.collect();
    }
    all
}

/// Every way to lay `seeds` seeds into a number of cells.
fn all_cells(cells: usize, seeds: u16) -> Vec<Vec<u16>> {
    if cells == 1 {
        return vec![vec![seeds]];
    }
    let first =
        |here| all_cells(cells - 1, seeds - here).into_iter().map(move |rest| [vec![here], rest].concat());
    (0..=seeds).flat_map(first).collect()
}

/// Every position of a board, the seeds in the stores included.
fn all_positions(pits: usize, seeds: u16) -> Vec<Position> {
    let position = |cells: Vec<u16>| {
        let mut position = Position::of_rows(&cells[..pits], &cells[pits..2 * pits]);
        position.stores = [cells[2 * pits].into(), cells[2 * pits + 1].into()];
        position
    };
    all_cells(2 * pits + 2, seeds).into_iter().map(position).collect()
}

/// A move: before, after, and whether it earned another one.
type Made = (String, String, bool);

fn made(ring: &Ring, positions: &[Position]) -> BTreeSet<Made> {
    let mut made = BTreeSet::new();
    for before in positions {
        ring.for_each_move(&ring.pack(before), |played| {
            if played.choice == Move::Pass {
                return;
            }
            let after = if played.again { played.next } else { played.next.flipped() };
            let stores = [before.stores[0] + played.gain, before.stores[1] + played.opponent_gain];
            let after = Position { stores, ..after };
            made.insert((before.to_string(), after.to_string(), played.again));
        });
    }
    made
}

fn taken_back(unsow: &Unsow, positions: &[Position]) -> BTreeSet<Made> {
    let mut taken_back = BTreeSet::new();
    for after in positions {
        for again in [false, true] {
            unsow.for_each(after, again, |before| {
                taken_back.insert((before.to_string(), after.to_string(), again));
            });
        }
    }
    taken_back
}

#[test]
fn moves_taken_back_are_those_that_can_be_made() {
    let (mut games, mut moves) = (0, 0);
    for (pits, seeds) in [(1, 9), (2, 5), (3, 3)] {
        let positions = all_positions(pits, seeds);
        for rules in all_rules(pits as u8) {
            let Ok(ring) = Ring::new(&rules) else { continue };
            let unsow = Unsow::new(&rules, seeds.into()).unwrap();
            let made = made(&ring, &positions);
            let taken_back = taken_back(&unsow, &positions);
            let differs = made.symmetric_difference(&taken_back).next();
            assert_eq!(differs, None, "{}", rules.full_title());
            games += 1;
            moves += made.len();
        }
    }
    assert!(games > 1000 && moves > 700_000, "{games} games, {moves} moves");
}

#[test]
fn moves_of_long_laps_are_taken_back() {
    for game in ["congklak:2x5", "kalah:2x5"] {
        let rules = rules::game(game).unwrap();
        let positions = all_positions(2, 14);
        let made = made(&Ring::new(&rules).unwrap(), &positions);
        assert_eq!(made, taken_back(&Unsow::new(&rules, 14).unwrap(), &positions), "{game}");
    }
}

#[test]
fn other_rules_and_larger_boards_are_refused() {
    assert!(Unsow::new(&rules::game("congklak:15x8").unwrap(), 240).is_some());
    assert!(Unsow::new(&rules::game("congklak:16x4").unwrap(), 128).is_none());
    assert!(Unsow::new(&rules::game("congklak:8x16").unwrap(), 256).is_none());
    assert!(Unsow::new(&rules::game("oware").unwrap(), 48).is_none());
    for (key, value) in
        [("mikul", "on"), ("capture", "two-three"), ("feed", "must-feed"), ("own-store", "skip")]
    {
        let mut rules = rules::game("congklak").unwrap();
        rules.set(key, value).unwrap();
        assert!(Unsow::new(&rules, 98).is_none(), "{key}={value}");
    }
}
