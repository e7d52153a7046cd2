//! Every move of Kalah under every combination of its switches, against the independent brute force.

#[path = "common/brute_kalah.rs"]
mod brute_kalah;
#[path = "common/kalah_rules.rs"]
mod kalah_rules;
#[path = "common/layers.rs"]
mod layers;

use kalah_rules::rules_of;
use sowbase::board::{Game, Move, Position, Ring, SingleLap};
use sowbase::rules::Rules;

fn row(row: &[u8]) -> Vec<u16> {
    row.iter().map(|&pit| pit.into()).collect()
}

/// Compares end and moves of one position; returns the number of moves.
fn compare<G: Game>(game: &G, switches: brute_kalah::Switches, own: &[u8], opponent: &[u8]) -> usize {
    let position = Position::of_rows(&row(own), &row(opponent));
    let packed = game.pack(&position);
    let context = || format!("{position} under {switches:?}");
    assert_eq!(game.end_value(&packed), brute_kalah::end_value(switches, own, opponent), "{}", context());
    let mut found = Vec::new();
    game.for_each_move(&packed, |played| {
        let Move::Pit(pit) = played.choice else { panic!("Kalah has no pass: {}", context()) };
        let expected =
            brute_kalah::play(switches, own, opponent, pit.into()).unwrap_or_else(|| panic!("{}", context()));
        let next = Position::of_rows(&row(&expected.own), &row(&expected.opponent));
        let all = (played.gain, played.opponent_gain, played.again, game.unpack(&played.next));
        assert_eq!(all, (expected.gain as i32, 0, expected.again, next), "pit {pit} of {}", context());
        found.push(usize::from(pit));
    });
    assert_eq!(found, brute_kalah::legal_moves(switches, own, opponent), "{}", context());
    found.len()
}

fn compare_all(rules: &Rules, switches: brute_kalah::Switches, top: usize) -> usize {
    let (ring, kernel) = (Ring::new(rules).unwrap(), SingleLap::new(rules).unwrap());
    let positions = (0..=top).flat_map(|seeds| brute_kalah::every_position(rules.pits().into(), seeds));
    positions
        .map(|(own, opponent)| {
            compare(&ring, switches, &own, &opponent) + compare(&kernel, switches, &own, &opponent)
        })
        .sum()
}

#[test]
fn both_engines_play_as_the_rules_say() {
    let mut moves = 0;
    for switches in brute_kalah::all_switches() {
        for (pits, top) in [(1, 20), (2, 8), (3, 5), (4, 4)] {
            moves += compare_all(&rules_of(pits, switches), switches, top);
        }
    }
    assert!(moves > 1_000_000, "{moves} moves compared");
}
