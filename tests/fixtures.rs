//! Every worked position of the rules, played by the engines.
//!
//! The form of the files: a line `# GAME key=value ...` sets the game and its switches for the
//! lines below it, which have fields separated by ` | `:
//!
//! ```text
//! POSITION | MOVE | gain G [opp H] [again] | NEXT     a move, what it brings, where it leads
//! POSITION | MOVE | illegal                           a move that may not be played
//! POSITION | legal | MOVE MOVE ...                    all moves
//! POSITION | end | V                                  the game is over with this value
//! POSITION | value | V                                the exact value
//! POSITION | bounds | L U                             bounds whatever a repetition is worth
//! POSITION | perft | A B C ...                        move sequences of 1, 2, 3 ... moves
//! layer S | wdl | W D L [F]                           won, drawn, lost and cycle-free positions
//! ```

#[path = "common/layers.rs"]
mod layers;
#[path = "common/recursion.rs"]
mod recursion;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use recursion::Recursion;
use sowbase::board::{
    ChainLap, Game, Move, Outcome, PackedRings, PlainRings, Played, Position, RelayLap, Ring, SingleLap,
    Verdict, perft,
};
use sowbase::control::Control;
use sowbase::index::Numbering;
use sowbase::retrograde::{WholeBoard, is_acyclic};
use sowbase::rules::{self, Rules};

const FILES: &[(&str, &str)] = &[
    ("bao.txt", include_str!("fixtures/bao.txt")),
    ("congklak.txt", include_str!("fixtures/congklak.txt")),
    ("kalah.txt", include_str!("fixtures/kalah.txt")),
    ("o-an-quan.txt", include_str!("fixtures/o-an-quan.txt")),
    ("omweso.txt", include_str!("fixtures/omweso.txt")),
    ("oware.txt", include_str!("fixtures/oware.txt")),
    ("pallanguzhi.txt", include_str!("fixtures/pallanguzhi.txt")),
    ("sadeqa.txt", include_str!("fixtures/sadeqa.txt")),
];

/// The games that have lines.
const PLAYED: &[&str] = &[
    "awari",
    "bao-kiswahili",
    "bao-kujifunza",
    "congklak",
    "en-dodoi",
    "en-gehe",
    "kalah",
    "o-an-quan",
    "omweso",
    "oware",
    "pallanguzhi",
    "sadeqa-91",
    "sadeqa-iii",
    "sungka",
];

/// Most positions of all layers of a board whose tables are built for a value.
const TABLES: u64 = 1_000_000;

/// What a line says, in the order of the documentation above.
enum Claim<'a> {
    Plays { choice: Move, effect: &'a str, next: &'a str },
    Illegal(Move),
    Legal(&'a str),
    End(i32),
    Value(i32),
    Verdict(&'a str),
    Bounds(i32, i32),
    Perft(Vec<u64>),
}

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn claim<'a>(fields: &[&'a str]) -> Claim<'a> {
    match *fields {
        ["legal", moves] => Claim::Legal(moves),
        ["end", value] => Claim::End(match Outcome::named(value) {
            Some(outcome) => outcome.sign(),
            None => value.parse().unwrap(),
        }),
        ["value", verdict] if verdict.parse::<i32>().is_err() => Claim::Verdict(verdict),
        ["value", value] => Claim::Value(value.parse().unwrap()),
        ["bounds", bounds] => {
            let bounds = numbers(bounds);
            Claim::Bounds(bounds[0], bounds[1])
        }
        ["perft", counts] => Claim::Perft(numbers(counts)),
        [choice, "illegal"] => Claim::Illegal(choice.parse().unwrap()),
        [choice, effect, next] => Claim::Plays { choice: choice.parse().unwrap(), effect, next },
        _ => panic!("a line of an unknown form: {fields:?}"),
    }
}

fn moves<G: Game>(game: &G, position: &Position) -> Vec<Played<G::Position>> {
    let mut moves = Vec::new();
    game.for_each_move(&game.pack(position), |played| moves.push(played));
    moves
}

/// The effect of a move as the fixtures write it.
fn effect<P>(played: &Played<P>) -> String {
    let opponent = match played.opponent_gain {
        0 => String::new(),
        gain => format!(" opp {gain}"),
    };
    format!("gain {}{opponent}{}", played.gain, if played.again { " again" } else { "" })
}

/// The value by recursion and, where the board is small, from its tables. Where positions repeat a
/// recursion does not end, and only tables have the value.
fn value<G: Game<Position: Hash>>(game: &G, position: &Position) -> i32 {
    if !is_acyclic(game.rules()) {
        return layers::value(&layers::build(game.rules(), position.seeds()), position);
    }
    let value = Recursion::new(game).value(&game.pack(position)) + position.lead();
    let (pits, seeds) = (game.rules().pits().into(), position.seeds());
    let numbering = Numbering::new(pits, seeds).unwrap();
    if (0..=seeds).map(|seeds| numbering.layer(seeds).size()).sum::<u64>() <= TABLES {
        assert_eq!(layers::value(&layers::build(game.rules(), seeds), position), value, "tables");
    }
    value
}

fn run<G: Game<Position: Hash>>(game: &G, position: &Position, claim: &Claim) {
    let played = moves(game, position);
    let over = game.end_value(&game.pack(position));
    assert_eq!(played.is_empty(), over.is_some(), "a position has no moves exactly if the game is over");
    match claim {
        Claim::Plays { choice, effect: told, next: expected } => {
            let played = played.iter().find(|played| played.choice == *choice).expect("the move is legal");
            assert_eq!(effect(played), *told);
            assert_eq!(game.after(position, played).to_text(game.rules()), *expected);
        }
        Claim::Illegal(choice) => assert!(played.iter().all(|played| played.choice != *choice)),
        Claim::Legal(expected) => {
            let legal: Vec<String> = played.iter().map(|played| played.choice.to_string()).collect();
            assert_eq!(legal.join(" "), *expected);
        }
        Claim::End(expected) => assert_eq!(over.map(|share| share + position.lead()), Some(*expected)),
        Claim::Value(expected) => assert_eq!(value(game, position), *expected),
        Claim::Verdict(expected) => {
            let layer = WholeBoard::new(game.rules()).unwrap();
            let codes = layer.build(&Control::default()).unwrap();
            let (_, index) = layer.numbering().number(position).unwrap();
            assert_eq!(Verdict::of_code(codes[index as usize].into()).to_string(), *expected);
        }
        Claim::Bounds(lower, upper) => {
            let bounds = layers::build_bounds(game.rules(), position.seeds());
            let (seeds, index) = bounds.numbering().number(position).unwrap();
            let end = |side: &[i8]| i32::from(side[index as usize]) + position.lead();
            assert_eq!((end(bounds.lower(seeds)), end(bounds.upper(seeds))), (*lower, *upper));
        }
        Claim::Perft(counts) => {
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(perft(game, &game.pack(position), depth, &|| true), Some(*count), "depth {depth}");
            }
        }
    }
}

/// Counts the won, drawn, lost and cycle-free positions of a layer.
fn run_layer(rules: &Rules, seeds: u32, expected: &[u64]) {
    if rules.four_rows().is_some() {
        let layer = WholeBoard::new(rules).unwrap();
        assert_eq!(layer.seeds(), seeds);
        for codes in [layer.build(&Control::default()), layer.build_plain(&Control::default())] {
            let codes = codes.unwrap();
            let counts =
                [1, 0, -1].map(|sign| codes.iter().filter(|code| code.signum() == sign).count() as u64);
            assert_eq!(counts, *expected);
        }
        return;
    }
    let layers = layers::build(rules, seeds);
    let count = |sign| layers.layer(seeds).iter().filter(|value| value.signum() == sign).count() as u64;
    let cycle_free = layers::cycle_free(&layers::build_bounds(rules, seeds), seeds) as u64;
    let counts = [count(1), count(0), count(-1), cycle_free];
    assert_eq!(counts[..expected.len()], *expected);
}

/// The rules of a header line.
fn header(line: &str) -> Rules {
    let mut words = line.split_whitespace();
    let mut rules = rules::game(words.next().unwrap()).unwrap_or_else(|error| panic!("{line}: {error}"));
    for word in words {
        let (key, value) = word.split_once('=').unwrap();
        rules.set(key, value).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    rules
}

/// Runs one line; returns by how many engines it was played.
fn run_line(rules: &Rules, line: &str) -> usize {
    let fields: Vec<&str> = line.split(" | ").map(str::trim).collect();
    if let Some(seeds) = fields[0].strip_prefix("layer ") {
        assert_eq!(fields[1], "wdl");
        run_layer(rules, seeds.parse().unwrap(), &numbers(fields[2]));
        return 1;
    }
    let claim = claim(&fields[1..]);
    let position = Position::parse(rules, fields[0]).unwrap();
    // Empty quan cells may be left out, but are written.
    let is_short = rules.switches().is_some_and(|switches| switches.quan > 0) && !fields[0].contains("quan");
    assert!(fields[0] == "start" || is_short || position.to_text(rules) == fields[0]);
    if rules.four_rows().is_some() {
        run(&PlainRings::new(rules).unwrap(), &position, &claim);
        run(&PackedRings::new(rules).unwrap(), &position, &claim);
        return 2;
    }
    run(&Ring::new(rules).unwrap(), &position, &claim);
    if !position.is_plain() {
        return 1;
    }
    if let Ok(kernel) = SingleLap::new(rules) {
        run(&kernel, &position, &claim);
        return 2;
    }
    if let Ok(kernel) = ChainLap::new(rules) {
        run(&kernel, &position, &claim);
        return 2;
    }
    if let Ok(kernel) = RelayLap::new(rules) {
        run(&kernel, &position, &claim);
        return 2;
    }
    1
}

#[test]
fn every_worked_position_is_played() {
    let mut lines_played = BTreeMap::<String, usize>::new();
    let mut by_kernel = 0;
    for (file, text) in FILES {
        let mut game: Option<Rules> = None;
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with("//")) {
            println!("{file}:{number}: {line}");
            if let Some(line) = line.strip_prefix("# ") {
                game = Some(header(line));
            } else if let Some(rules) = &game {
                by_kernel += run_line(rules, line) - 1;
                *lines_played.entry(rules.name().to_owned()).or_default() += 1;
            }
        }
    }
    println!("lines played: {lines_played:?}, {by_kernel} of them by both engines");
    assert!(lines_played.keys().eq(PLAYED), "{lines_played:?}");
    assert!(by_kernel >= lines_played["kalah"]);
    // No game is without lines of its own.
    assert_eq!(PLAYED.iter().copied().collect::<BTreeSet<_>>(), rules::names().collect());
}
