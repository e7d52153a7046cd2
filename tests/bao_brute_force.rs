//! The brute forces of Bao against the worked positions and the known values of the rules.

#[path = "common/brute_bao.rs"]
mod brute_bao;

use std::collections::{HashMap, HashSet};

use brute_bao::positions::{Random, all_positions, random_positions, solve};
use brute_bao::{Bao, KISWAHILI, KUJIFUNZA, Outcome, Played, Position, Switches, bao, front_is_empty};

/// Compares all lines of a list of worked positions and returns how many.
fn check(text: &str) -> usize {
    let mut lines = 0;
    let mut game = bao("bao-kujifunza", "");
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
        if let Some(header) = line.strip_prefix("# ") {
            let (name, switches) = header.split_once(' ').unwrap_or((header, ""));
            game = bao(name, switches);
            continue;
        }
        lines += 1;
        println!("{line}");
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let position = if fields[0] == "start" { game.start() } else { Position::read(fields[0]) };
        let moves = game.moves(&position);
        match fields[1..] {
            ["legal", expected] => assert_eq!(texts(&moves), expected),
            ["end", expected] => {
                assert_eq!(format!("{:?}", game.end(&position).unwrap()).to_lowercase(), expected);
                assert_eq!(moves, []);
            }
            ["perft", expected] => {
                for (depth, expected) in expected.split(' ').enumerate() {
                    assert_eq!(game.perft(&position, depth + 1).to_string(), expected);
                }
            }
            [text, "illegal"] => assert!(moves.iter().all(|played| played.text != text)),
            [text, gain, next] => {
                let played = moves.iter().find(|played| played.text == text).expect(text);
                assert_eq!((format!("gain {}", played.gain), &played.next.text()[..]), (gain.into(), next));
                assert_eq!(Position::read(next), played.next);
            }
            _ => panic!("a line of another form"),
        }
    }
    lines
}

fn texts(moves: &[Played]) -> String {
    moves.iter().map(|played| &played.text[..]).collect::<Vec<_>>().join(" ")
}

#[test]
fn worked_positions() {
    assert_eq!(check(include_str!("fixtures/bao.txt")), 33);
}

/// What the worked positions leave out, played by hand.
const BY_HAND: &str = "
# bao-kujifunza
// A lone kichwa stays in the front row; the back row is played if no front pit has two seeds.
0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 / 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 | legal | 8-
0 0 0 0 0 0 0 1 2 0 0 1 0 0 0 0 / 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 | legal | 9+ 9-
1 0 0 0 0 0 0 1 1 0 0 1 0 0 0 0 / 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 | end | loss
1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0 | end | win
# bao-kujifunza:4x2
0 1 0 1 6 0 2 1 / 1 1 1 0 0 0 18 0 | 7- | illegal
# bao-kujifunza:4x2 endless=draw
0 1 0 1 6 0 2 1 / 1 1 1 0 0 0 18 0 | 7- | gain 0 | 1 1 1 0 0 0 18 0 / 0 1 0 1 6 0 2 1 ; result draw
1 1 1 0 0 0 18 0 / 0 1 0 1 6 0 2 1 ; result draw | end | draw
# bao-kujifunza:4x2 endless=loss
0 1 0 1 6 0 2 1 / 1 1 1 0 0 0 18 0 | 7- | gain 0 | 1 1 1 0 0 0 18 0 / 0 1 0 1 6 0 2 1 ; result win
1 1 1 0 0 0 18 0 / 0 1 0 1 6 0 2 1 ; result win | end | win
# bao-kujifunza:4x2 endless=stop
0 1 0 1 6 0 2 1 / 1 1 1 0 0 0 18 0 | 7- | gain 0 | 1 1 1 0 0 0 18 0 / 0 1 0 1 6 0 2 1
# bao-kujifunza hus=yes
0 0 0 0 0 0 0 2 0 3 0 0 0 0 0 0 / 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 | legal | 8+ 8- 10+ 10-
0 0 0 0 0 0 0 2 0 3 0 0 0 0 0 0 / 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 | 8+ | gain 0 | 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 0 0 0 1 4 0 0 0 0 0 0
0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 0 0 0 1 4 0 0 0 0 0 0 | end | win
# bao-kiswahili
0 1 0 0 7 1 0 0 0 0 0 0 0 0 0 0 / 0 0 7 0 6 2 2 0 0 0 0 0 0 0 0 0 ; hand 19 19 ; house own opp | legal | 2+ 2+s 6+ 6- 6-s
0 1 0 0 7 1 0 0 0 0 0 0 0 0 0 0 / 0 0 7 0 6 2 2 0 0 0 0 0 0 0 0 0 ; hand 19 19 ; house own opp | 6+ | gain 7 | 0 0 0 0 6 2 2 0 0 0 0 0 0 0 0 0 / 1 2 1 1 8 3 1 0 0 0 0 0 0 0 0 0 ; hand 19 18 ; house own opp
1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 / 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ; hand 1 1 | legal | 1+
0 0 2 0 6 0 0 0 0 0 0 0 0 0 0 0 / 1 0 0 0 0 0 0 2 0 0 0 0 0 0 0 0 ; house own | 3+ | gain 0 | 1 0 0 0 0 0 0 2 0 0 0 0 0 0 0 0 / 0 0 0 1 0 1 1 1 1 1 1 1 0 0 0 0
2 0 1 0 6 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 5 0 1 0 0 0 0 0 0 0 0 ; house own | legal | 1+
2 0 1 0 6 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 5 0 1 0 0 0 0 0 0 0 0 ; house own | 1+ | gain 5 | 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 / 1 2 3 1 0 1 1 1 1 1 1 1 0 0 0 0
// A block, and none of an owned house, a single seed, the only occupied pit or the only one with two seeds.
0 2 0 0 0 2 0 0 5 0 0 0 2 0 0 0 / 1 0 1 2 10 0 0 10 0 1 2 1 4 8 2 2 | 6- | gain 0 | 1 0 1 2 10 0 0 10 0 1 2 1 4 8 2 2 / 0 2 0 1 1 0 0 0 5 0 0 0 2 0 0 0 ; blocked 5
0 2 0 0 0 2 0 0 5 0 0 0 2 0 0 0 / 1 0 1 2 10 0 0 10 0 1 2 1 4 8 2 2 ; house opp | 6- | gain 0 | 1 0 1 2 10 0 0 10 0 1 2 1 4 8 2 2 / 0 2 0 1 1 0 0 0 5 0 0 0 2 0 0 0 ; house own
0 2 0 0 0 0 2 0 4 6 2 0 2 2 0 0 / 1 0 1 1 10 0 0 10 0 1 2 1 4 8 2 2 | 7- | gain 0 | 1 0 1 1 10 0 0 10 0 1 2 1 4 8 2 2 / 0 2 0 0 1 1 0 0 4 6 2 0 2 2 0 0
0 2 0 0 0 2 0 0 5 0 0 0 2 0 0 0 / 0 0 0 0 10 0 0 0 0 1 0 1 0 0 0 0 | 6- | gain 0 | 0 0 0 0 10 0 0 0 0 1 0 1 0 0 0 0 / 0 2 0 1 1 0 0 0 5 0 0 0 2 0 0 0
0 2 0 0 0 2 0 0 5 0 0 0 2 0 0 0 / 1 0 1 0 10 0 0 0 0 1 0 1 0 0 0 0 | 6- | gain 0 | 1 0 1 0 10 0 0 0 0 1 0 1 0 0 0 0 / 0 2 0 1 1 0 0 0 5 0 0 0 2 0 0 0
// A lap that ends in the blocked pit ends the move.
0 2 0 3 0 0 0 0 0 0 0 0 0 0 0 0 / 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ; blocked 4 | 2+ | gain 0 | 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 / 0 0 1 4 0 0 0 0 0 0 0 0 0 0 0 0
# bao-kiswahili block-singleton=yes
0 2 0 0 0 0 2 0 4 6 2 0 2 2 0 0 / 1 0 1 1 10 0 0 10 0 1 2 1 4 8 2 2 | 7- | gain 0 | 1 0 1 1 10 0 0 10 0 1 2 1 4 8 2 2 / 0 2 0 0 1 1 0 0 4 6 2 0 2 2 0 0 ; blocked 4
# bao-kiswahili house-lost=emptied
0 3 2 1 1 0 1 0 1 3 2 0 0 0 0 0 / 0 6 1 3 1 0 0 0 0 0 0 0 0 0 0 0 ; house own opp | 2+ | gain 9 | 0 0 1 0 1 0 0 0 0 0 0 0 0 0 0 0 / 1 1 1 4 4 2 3 1 1 3 2 0 0 0 0 0 ; house own opp
2 0 1 0 6 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 5 0 1 0 0 0 0 0 0 0 0 ; house own | legal | 1+
# bao-kiswahili mtaji-house=choice
0 0 2 0 6 0 0 0 0 0 0 0 0 0 0 0 / 1 0 0 0 0 0 0 2 0 0 0 0 0 0 0 0 ; house own | 3+ | gain 0 | 1 0 0 0 0 0 0 2 0 0 0 0 0 0 0 0 / 0 0 0 1 7 0 0 0 0 0 0 0 0 0 0 0 ; house opp
2 0 1 0 6 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 5 0 1 0 0 0 0 0 0 0 0 ; house own | legal | 1+
# bao-kiswahili mtaji-house=choice house-lost=emptied
2 0 1 0 6 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 5 0 1 0 0 0 0 0 0 0 0 ; house own | legal | 1+ 1+s
2 0 1 0 6 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 5 0 1 0 0 0 0 0 0 0 0 ; house own | 1+ | gain 5 | 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 / 1 2 3 1 7 0 0 0 0 0 0 0 0 0 0 0 ; house opp
2 0 1 0 6 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 0 5 0 1 0 0 0 0 0 0 0 0 ; house own | 1+s | gain 5 | 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 / 1 2 3 1 0 1 1 1 1 1 1 1 0 0 0 0
# bao-kiswahili setup=malawi
start | 6+ | gain 0 | 0 0 0 0 8 2 2 0 0 0 0 0 0 0 0 0 / 0 0 0 0 8 0 3 1 1 0 0 0 0 0 0 0 ; hand 20 19 ; house own opp
# bao-kiswahili endless=draw
3 2 1 0 1 0 5 4 3 2 1 0 2 1 0 1 / 0 0 6 0 5 0 0 0 2 2 2 3 4 4 5 3 ; hand 1 1 | 1+ | gain 0 | 0 0 6 0 5 0 0 0 2 2 2 3 4 4 5 3 / 3 2 1 0 1 0 5 4 3 2 1 0 2 1 0 1 ; hand 1 1 ; result draw
# bao-kiswahili endless=loss
3 2 1 0 1 0 5 4 3 2 1 0 2 1 0 1 / 0 0 6 0 5 0 0 0 2 2 2 3 4 4 5 3 ; hand 1 1 | 1+ | gain 0 | 0 0 6 0 5 0 0 0 2 2 2 3 4 4 5 3 / 3 2 1 0 1 0 5 4 3 2 1 0 2 1 0 1 ; hand 1 1 ; result win
# bao-kiswahili endless=stop
3 2 1 0 1 0 5 4 3 2 1 0 2 1 0 1 / 0 0 6 0 5 0 0 0 2 2 2 3 4 4 5 3 ; hand 1 1 | 1+ | gain 0 | 0 0 6 0 5 0 0 0 2 2 2 3 4 4 5 3 / 4 2 1 0 1 0 5 4 3 2 1 0 2 1 0 1 ; hand 1 0
";

#[test]
fn positions_played_by_hand() {
    assert_eq!(check(BY_HAND), 37);
}

/// Breadth-first from the start: the new positions of each ply and their moves.
#[test]
fn known_numbers_of_positions() {
    let game = bao("bao-kujifunza", "");
    let mut new = vec![game.start()];
    let mut met: HashSet<Position> = new.iter().cloned().collect();
    let mut found = "ply,new_states,new_states_mirror,capture_moves,takata_moves,ending_moves\n".to_string();
    for ply in 0..5 {
        let classes: HashSet<Position> = new
            .iter()
            .map(|position| {
                let mirrored = position.mirrored();
                if position.text() < mirrored.text() { position.clone() } else { mirrored }
            })
            .collect();
        let (mut captures, mut takata, mut ending) = (0, 0, 0);
        let mut newer = Vec::new();
        for played in new.iter().flat_map(|position| game.moves(position)) {
            if played.gain > 0 {
                captures += 1;
            } else {
                takata += 1;
            }
            if game.end(&played.next).is_some() {
                ending += 1;
            } else if met.insert(played.next.clone()) {
                newer.push(played.next);
            }
        }
        found += &format!("{ply},{},{},{captures},{takata},{ending}\n", new.len(), classes.len());
        new = newer;
    }
    assert_eq!(found, include_str!("fixtures/bao_kujifunza_bfs.csv"));
}

/// Every list of values of all switches.
fn combinations(switches: Switches) -> Vec<String> {
    let mut all = vec![String::new()];
    for (key, values) in switches {
        let longer = |text: &String| values.iter().map(|v| format!("{text} {key}={v}")).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Where each game is compared on random positions.
const PLACES: [(&str, Switches); 3] =
    [("bao-kujifunza", KUJIFUNZA), ("bao-kujifunza:4x2", KUJIFUNZA), ("bao-kiswahili", KISWAHILI)];

/// Random positions are of all kinds, and moves of all games keep the seeds and leave both players what the
/// rules say they keep.
#[test]
fn random_positions_hold_all_seeds() {
    let seeds = |position: &Position| -> u16 {
        position.own.iter().chain(&position.opponent).chain(&position.hand).sum()
    };
    for (name, switches) in PLACES {
        for switches in combinations(switches) {
            let game = bao(name, &switches);
            let total = seeds(&game.start());
            let positions = random_positions(&game, 1, 200);
            assert_eq!(positions.iter().collect::<HashSet<_>>().len(), 200);
            for position in &positions {
                assert_eq!(seeds(position), total);
                assert_eq!(&Position::read(&position.text()), position);
                let moves = game.moves(position);
                assert!(!moves.is_empty());
                for Played { text, gain, next } in moves {
                    let place = || format!("{name} {switches}: {} plays {text}", position.text());
                    assert_eq!(seeds(&next), total, "{}", place());
                    if next.result.is_none() {
                        let taken = position.opponent.iter().sum::<u16>() - next.own.iter().sum::<u16>();
                        assert_eq!(taken, gain, "{}", place());
                        assert!(position.house[1] || !next.house[0], "{}", place());
                        assert!(position.house[0] || !next.house[1], "{}", place());
                        if !switches.contains("hus=yes") {
                            assert!(!front_is_empty(&next.opponent), "{}", place());
                        }
                    }
                }
            }
        }
    }
    let positions = random_positions(&bao("bao-kiswahili", ""), 1, 5000);
    let kinds: [&dyn Fn(&Position) -> bool; 6] = [
        &|position| position.hand == [0, 0],
        &|position| position.hand[0] > 0 && position.hand[0] == position.hand[1],
        &|position| position.hand[0] > position.hand[1],
        &|position| position.house[0] && !position.house[1],
        &|position| position.house[1] && !position.house[0],
        &|position| position.blocked.is_some(),
    ];
    for (number, kind) in kinds.iter().enumerate() {
        let count = positions.iter().filter(|position| kind(position)).count();
        assert!(count > 100, "{count} of kind {number}");
    }
}

/// Left and right can be exchanged where there is no house.
#[test]
fn mirror_images_have_mirrored_moves() {
    for (name, switches) in &PLACES[..2] {
        for switches in combinations(switches) {
            let game = bao(name, &switches);
            for position in random_positions(&game, 2, 500) {
                let nexts = |position: &Position| -> HashMap<Position, u16> {
                    game.moves(position).into_iter().map(|played| (played.next, played.gain)).collect()
                };
                let mirrored =
                    nexts(&position).into_iter().map(|(next, gain)| (next.mirrored(), gain)).collect();
                assert_eq!(nexts(&position.mirrored()), mirrored, "{name} {switches}: {}", position.text());
            }
        }
    }
}

/// Each switch of kiswahili and of kujifunza tells in some position.
#[test]
fn every_switch_tells() {
    for (name, switches, count) in
        [("bao-kujifunza", &KUJIFUNZA[..1], 500), ("bao-kiswahili", &KISWAHILI[..5], 20_000)]
    {
        let game = bao(name, "");
        let positions = random_positions(&game, 3, count);
        for (key, values) in switches {
            let other = bao(name, &format!("{key}={}", values[1]));
            let differ = positions.iter().filter(|position| game.moves(position) != other.moves(position));
            assert!(differ.count() > 0, "{name} {key}");
        }
    }
}

/// Whether the player to move can reach a won end within `plies`.
fn can_win(game: &Bao, position: &Position, plies: u32) -> bool {
    match game.end(position) {
        Some(outcome) => outcome == Outcome::Win,
        None if plies == 0 => false,
        None => game.moves(position).iter().any(|played| must_lose(game, &played.next, plies - 1)),
    }
}

/// Whether the player to move cannot avoid a lost end within `plies`.
fn must_lose(game: &Bao, position: &Position, plies: u32) -> bool {
    match game.end(position) {
        Some(outcome) => outcome == Outcome::Loss,
        None if plies == 0 => false,
        None => game.moves(position).iter().all(|played| can_win(game, &played.next, plies - 1)),
    }
}

/// Values of whole boards agree with a search of each position by itself.
#[test]
fn values_are_those_of_a_search() {
    for switches in ["", "hus=yes", "endless=draw", "hus=yes endless=loss", "hus=yes endless=stop"] {
        for (seeds, size) in [(1, 16), (2, 136), (6, 54_264)] {
            let game = bao("bao-kujifunza:4x2", switches);
            let positions = all_positions(4, seeds);
            assert_eq!(positions.len(), size);
            let values = solve(&game, &positions);
            assert_eq!(values.len(), size);
            let mut counts = [0, 0, 0];
            let mut longest = 0;
            let mut random = Random(4);
            for (position, &(outcome, distance)) in &values {
                assert_eq!(values[&position.mirrored()], (outcome, distance));
                counts[outcome as usize] += 1;
                longest = longest.max(distance);
                if random.below(10) > 0 && distance > 1 {
                    continue;
                }
                for plies in 0..5.min(distance + 2) {
                    let known = |wanted| outcome == wanted && distance <= plies;
                    assert_eq!(can_win(&game, position, plies), known(Outcome::Win), "{}", position.text());
                    assert_eq!(
                        must_lose(&game, position, plies),
                        known(Outcome::Loss),
                        "{}",
                        position.text()
                    );
                }
            }
            println!("{switches} {seeds}: {counts:?}, {longest} plies");
        }
    }
}
