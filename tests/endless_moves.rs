//! Moves that never end: where their laps come back to, what each value of `endless` makes of them, and that
//! long moves are told from endless ones.

#[path = "../examples/longest_moves.rs"]
#[allow(dead_code)]
mod longest_moves;

use std::collections::HashMap;

use longest_moves::{laps, survey};
use sowbase::board::{Game, Move, Played, Position, Ring};
use sowbase::rules::{self, Rules};

/// Worked positions, and after how many laps their first lap state is there again.
const ENDLESS: &[(&str, &str, u8, u64)] = &[
    ("8x6", "2 3 2 0 1 2 1 4 / 3 2 1 3 2 3 2 1", 3, 490),
    ("4x2", "1 2 0 1 / 5 4 1 2", 2, 22),
    ("6x2", "1 0 3 0 1 2 / 2 3 1 2 3 6", 6, 258),
];

/// What every game with same-hole relays and no store in the ring does with a move.
const GAMES: [&str; 4] = ["sadeqa-iii", "sadeqa-91", "en-dodoi", "en-gehe"];

fn rules(game: &str, size: &str, endless: &str) -> Rules {
    let mut rules = rules::game(&format!("{game}:{size}")).unwrap();
    rules.set("endless", endless).unwrap();
    rules
}

fn board(position: &Position) -> Vec<u16> {
    [&position.own[..], &position.opponent[..]].concat()
}

fn played(rules: &Rules, position: &Position, pit: u8) -> Option<Played<Position>> {
    let ring = Ring::new(rules).unwrap();
    let mut found = None;
    ring.for_each_move(position, |played| {
        if played.choice == Move::Pit(pit) {
            found = Some(played);
        }
    });
    assert_eq!(ring.check_laps(), Ok(()));
    found
}

/// All lap states in order until one comes a second time: the number of the lap before which it was there
/// first, and how many laps later it comes back.
fn repetition(start: &[u16], pit: usize) -> (usize, usize) {
    let (mut pits, mut at, mut met) = (start.to_vec(), pit, HashMap::new());
    loop {
        let laps = met.len();
        if let Some(first) = met.insert((pits.clone(), at), laps) {
            return (first, laps - first);
        }
        let hand = std::mem::take(&mut pits[at]);
        for _ in 0..hand {
            at = (at + 1) % pits.len();
            pits[at] += 1;
        }
        assert!(pits[at] > 1, "the move ends after {laps} laps");
    }
}

#[test]
fn endless_moves_come_back_to_their_first_lap_state() {
    for &(size, text, pit, period) in ENDLESS {
        let position = Position::parse(&rules("sadeqa-iii", size, "illegal"), text).unwrap();
        let (board, pit) = (board(&position), usize::from(pit) - 1);
        assert_eq!(repetition(&board, pit), (0, period as usize), "{text}");
        assert_eq!(laps(&board, pit), Err(period), "{text}");
    }
}

#[test]
fn each_value_of_endless_ends_the_move_in_its_way() {
    for (game, &(size, text, pit, _)) in GAMES.iter().flat_map(|game| ENDLESS.iter().map(move |e| (game, e)))
    {
        let play = |endless| {
            let rules = rules(game, size, endless);
            let position = Position::parse(&rules, &format!("{text} ; stores 3 5")).unwrap();
            played(&rules, &position, pit).map(|played| {
                assert!(!played.again);
                let end = Ring::new(&rules).unwrap().end_value(&played.next);
                (played.gain, played.opponent_gain, played.next, end)
            })
        };
        let start = Position::parse(&rules(game, size, "illegal"), text).unwrap();
        let seeds = start.seeds() as i32;
        let pits = start.own.len();
        let empty = Position::of_rows(&vec![0; pits], &vec![0; pits]);
        assert_eq!(play("illegal"), None, "{game} {text}");
        assert_eq!(play("draw"), Some((0, 0, empty, Some(0))), "{game} {text}");
        assert_eq!(play("loss"), Some((0, seeds, empty, Some(0))), "{game} {text}");
        // The first state that comes back is the first of all.
        assert_eq!(play("stop"), Some((0, 0, start.flipped(), None)), "{game} {text}");
    }
}

#[test]
fn a_player_with_endless_moves_only_is_at_the_end_where_they_are_illegal() {
    // Four handfuls of three go round four pits. In the last one both moves come back, after 36 and 54 laps.
    for (size, text, periods) in
        [("2x2", "3 0 / 1 2", &[4][..]), ("2x2", "2 0 / 2 1", &[8]), ("3x2", "3 5 0 / 1 2 1", &[36, 54])]
    {
        let position = Position::parse(&rules("sadeqa-iii", size, "illegal"), text).unwrap();
        let board = board(&position);
        let own = (0..position.own.len()).filter(|&pit| board[pit] > 0);
        assert_eq!(own.map(|pit| laps(&board, pit).unwrap_err()).collect::<Vec<_>>(), periods, "{text}");
        let end = |endless| Ring::new(&rules("sadeqa-iii", size, endless)).unwrap().end_value(&position);
        assert_eq!(end("illegal"), Some(-(position.seeds() as i32)), "{text}");
        for endless in ["draw", "loss", "stop"] {
            assert_eq!(end(endless), None, "{text}");
        }
    }
}

#[test]
fn the_engine_and_a_count_of_laps_agree_on_random_positions() {
    let ring = Ring::new(&rules::game("sadeqa-iii").unwrap()).unwrap();
    // With more seeds periods of more than a hundred million laps are met.
    let moves = survey(&ring, 10_000, 40, 1971);
    assert_eq!(ring.check_laps(), Ok(()));
    let endless: Vec<u64> = moves.iter().filter_map(|(laps, ..)| laps.err()).collect();
    println!("{} moves; periods of those that never end: {endless:?}", moves.len());
    assert!(!endless.is_empty());
}
