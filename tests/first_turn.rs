//! The most seeds that one turn can bring: known maxima, and every turn of small boards.

#[path = "common/layers.rs"]
mod layers;

use std::collections::HashMap;

use sowbase::board::{Game, Move, Position, RelayLap, Ring, SingleLap};
use sowbase::control::Control;
use sowbase::index::{Numbered, Numbering};
use sowbase::rules::Rules;
use sowbase::search::{BestTurn, best_turn};

const BYTES: u64 = 1 << 30;

/// Rules, and the highest layer whose positions are compared.
const GAMES: &[(&str, u32)] = &[
    ("congklak:2x2", 8),
    ("congklak:3x3", 5),
    ("congklak:3x3 trigger=leave", 4),
    ("congklak:3x3 empty-capture=yes", 4),
    ("congklak:3x3 end=row-empty", 4),
    ("congklak:3x3 end=stuck", 4),
    ("congklak:3x3 mikul=on", 4),
    ("congklak:2x3 mikul=equal", 6),
    ("congklak:3x3 extra-move=none", 3),
    ("sungka:3x3 opponent-store=sow", 5),
    ("sungka:2x3 opponent-store=sow trigger=leave", 8),
    ("kalah:3x3", 5),
    ("kalah:2x3 end=stuck origin=skip", 8),
    ("kalah:3x3 extra-move=store-or-capture", 5),
    ("kalah:3x3 extra-move=store-or-capture trigger=leave empty-capture=yes", 4),
    ("kalah:3x3 capture=none rest=nobody", 4),
];

/// What a turn brings, if its moves are legal, all but the last earn an extra move, and it is over
/// after the last one.
fn replayed<G: Game>(game: &G, position: &Position, moves: &[Move]) -> i32 {
    let (mut position, mut brought, mut again) = (game.pack(position), 0, true);
    for choice in moves {
        assert!(again, "the turn was over before {choice}");
        let mut next = None;
        game.for_each_move(&position, |played| next = next.or((played.choice == *choice).then_some(played)));
        let played = next.expect("a legal move");
        (position, again) = (played.next, played.again);
        brought += played.gain;
    }
    let mut can_go_on = false;
    game.for_each_move(&position, |played| can_go_on |= played.choice != Move::Pass);
    assert!(!again || !can_go_on, "the turn goes on");
    brought
}

fn found<G: Numbered>(game: &G, position: &Position) -> BestTurn {
    let turn = best_turn(game, position, BYTES, &Control::default()).unwrap();
    assert_eq!(turn.of, position.seeds());
    assert_eq!(replayed(game, position, &turn.moves), turn.captured as i32);
    turn
}

/// The most that a turn brings, by plain recursion.
fn most(ring: &Ring, position: &Position, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(&most) = known.get(position) {
        return most;
    }
    let mut best = 0;
    ring.for_each_move(position, |played| {
        let rest = if played.again { most(ring, &played.next, known) } else { 0 };
        best = best.max(played.gain + rest);
    });
    known.insert(*position, best);
    best
}

fn compare_all<G: Numbered>(game: &G, rules: &Rules, top: u32) {
    let (ring, numbering) = (Ring::new(rules).unwrap(), Numbering::new(rules.pits().into(), top).unwrap());
    let mut known = HashMap::new();
    for seeds in 0..=top {
        for index in 0..numbering.layer(seeds).size() {
            let position = numbering.position(seeds, index);
            let turn = found(game, &position);
            assert!(turn.is_proven());
            let most = most(&ring, &position, &mut known);
            assert_eq!(turn.captured as i32, most, "{position} under {}", rules.full_title());
        }
    }
}

#[test]
fn every_turn_of_small_boards() {
    for (game, top) in GAMES {
        let rules = layers::game(game);
        compare_all(&Ring::new(&rules).unwrap(), &rules, *top);
        if let Ok(kernel) = SingleLap::new(&rules) {
            compare_all(&kernel, &rules, *top);
        }
        if let Ok(kernel) = RelayLap::new(&rules) {
            compare_all(&kernel, &rules, *top);
        }
    }
}

#[test]
fn first_turns_of_congklak() {
    for row in include_str!("fixtures/congklak_first_turns.csv").lines().skip(1) {
        let [pits, captured, of, proven, moves] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let rules = layers::game(&format!("congklak:{pits}x{pits}"));
        let start = Position::start(&rules);
        let (captured, of): (u32, u32) = (captured.parse().unwrap(), of.parse().unwrap());
        let moves: Vec<Move> = moves.split(' ').map(|pit| Move::Pit(pit.parse().unwrap())).collect();
        assert_eq!(replayed(&Ring::new(&rules).unwrap(), &start, &moves), captured as i32, "{row}");
        assert_eq!(start.seeds(), of);
        if proven == "yes" {
            let turn = found(&RelayLap::new(&rules).unwrap(), &start);
            assert_eq!((turn.captured, turn.upper), (captured, captured), "{row}");
        }
    }
}

#[test]
fn closed_pits_stay_closed() {
    let rules = layers::game("congklak:3x3");
    let ring = Ring::new(&rules).unwrap();
    let mut known = HashMap::new();
    for text in ["x 2 3 / 1 x 3", "3 x 3 / 3 3 3", "2 2 x / x 4 1"] {
        let position = Position::parse(&rules, text).unwrap();
        let turn = found(&ring, &position);
        let most = most(&ring, &position, &mut known);
        assert_eq!((turn.captured, turn.is_proven()), (most as u32, true), "{text}");
    }
}

#[test]
fn a_search_that_is_stopped_gives_bounds() {
    let rules = layers::game("congklak");
    let control = Control::default();
    control.stop();
    let start = Position::start(&rules);
    let turn = best_turn(&RelayLap::new(&rules).unwrap(), &start, BYTES, &control).unwrap();
    assert_eq!((turn.captured, turn.upper, turn.of, turn.moves.len()), (0, 98, 98, 0));
    // Little memory ends it too. A board of 9 pits takes keys of 128 bits.
    let rules = layers::game("congklak:9x9");
    let ring = Ring::new(&rules).unwrap();
    let start = Position::start(&rules);
    let turn = best_turn(&ring, &start, 1 << 23, &Control::default()).unwrap();
    assert!(turn.captured > 100 && turn.captured < turn.upper && turn.upper <= 162, "{turn:?}");
    assert_eq!(replayed(&ring, &start, &turn.moves), turn.captured as i32);
}
