//! The brute forces of the relay games against the worked positions and the known values of the rules.

#[path = "common/brute.rs"]
mod brute;
#[path = "common/brute_o_an_quan.rs"]
mod brute_o_an_quan;
#[path = "common/brute_pallanguzhi.rs"]
mod brute_pallanguzhi;
#[path = "common/brute_relay.rs"]
mod brute_relay;

use std::collections::HashMap;

use brute::{Board, Brute, Choice, Played, Positions, Solved, perft, solve, value};
use brute_o_an_quan::{State, o_an_quan};
use brute_pallanguzhi::pallanguzhi;
use brute_relay::{CLOSED, best_turn, congklak, sadeqa};

/// A game without quan cells, with stores that only count.
struct WithStores<'a>(&'a dyn Brute<Position = Board>);

impl Brute for WithStores<'_> {
    type Position = State;

    fn end(&self, state: &State) -> Option<i64> {
        self.0.end(&state.pits)
    }

    fn moves(&self, state: &State) -> Vec<Played<State>> {
        let [own, opponent] = state.stores;
        let with_stores = |played: Played| {
            let (own, opponent) = (own + played.gain, opponent + played.opponent_gain);
            let stores = if played.again { [own, opponent] } else { [opponent, own] };
            let next = State { pits: played.next, stores, ..state.clone() };
            let Played { choice, gain, opponent_gain, again, .. } = played;
            Played { choice, gain, opponent_gain, again, next }
        };
        self.0.moves(&state.pits).into_iter().map(with_stores).collect()
    }
}

/// The game of a line `# GAME key=value ...`, if it has layers or can be searched, its pits and its seeds.
fn game(line: &str) -> (Option<Box<dyn Brute<Position = Board>>>, String, usize, i64) {
    let (name, switches) = line.split_once(' ').unwrap_or((line, ""));
    let (name, size) = name.split_once(':').unwrap_or((name, ""));
    let usual = match name {
        "congklak" | "sungka" => "7x7",
        "sadeqa-iii" => "8x6",
        "sadeqa-91" | "en-dodoi" => "8x4",
        "en-gehe" => "40x4",
        "pallanguzhi" => "7x6",
        "o-an-quan" => "5x5",
        _ => panic!("no game {name}"),
    };
    let (pits, seeds) = if size.is_empty() { usual } else { size }.split_once('x').unwrap();
    let game: Option<Box<dyn Brute<Position = Board>>> = match name {
        "congklak" | "sungka" => Some(Box::new(congklak(switches))),
        "sadeqa-iii" | "sadeqa-91" => Some(Box::new(sadeqa(switches))),
        "en-dodoi" | "en-gehe" => Some(Box::new(sadeqa(&format!("trigger=take {switches}")))),
        "pallanguzhi" => Some(Box::new(pallanguzhi(switches))),
        _ => None,
    };
    (game, switches.to_string(), pits.parse().unwrap(), seeds.parse().unwrap())
}

fn numbers(text: &str) -> Vec<i64> {
    text.split_whitespace().map(|word| if word == "x" { CLOSED } else { word.parse().unwrap() }).collect()
}

fn read(text: &str) -> State {
    let (rows, fields) = text.split_once(';').unwrap_or((text, ""));
    let (own, opponent) = rows.split_once('/').unwrap();
    let pits = [numbers(own), numbers(opponent)].concat();
    let mut state = State { pits, quan: [0, 0], dan: [0, 0], stores: [0, 0] };
    for field in fields.split(';').map(str::trim).filter(|field| !field.is_empty()) {
        let (key, values) = field.split_once(' ').unwrap();
        let values = <[i64; 2]>::try_from(numbers(values)).unwrap();
        match key {
            "stores" => state.stores = values,
            "quan" => state.quan = values,
            "quan-dan" => state.dan = values,
            _ => panic!("no field {key}"),
        }
    }
    state
}

fn printed(choice: Choice) -> String {
    match choice {
        Choice::Pass => "pass".to_string(),
        Choice::Pit(pit) => pit.to_string(),
        Choice::Along(pit) => format!("{pit}+"),
        Choice::Against(pit) => format!("{pit}-"),
    }
}

/// What one line says of moves and ends; `false` if it speaks of values.
fn check_moves(game: &dyn Brute<Position = State>, state: &State, fields: &[&str]) -> bool {
    let moves = game.moves(state);
    let lead = state.stores[0] - state.stores[1];
    match *fields {
        ["end", expected] => {
            assert_eq!(game.end(state).map(|rest| lead + rest), Some(expected.parse().unwrap()));
            assert_eq!(moves, []);
        }
        ["legal", expected] => {
            let choices: Vec<String> = moves.iter().map(|played| printed(played.choice)).collect();
            assert_eq!(choices.join(" "), expected);
        }
        ["perft", expected] => {
            for (depth, &expected) in numbers(expected).iter().enumerate() {
                assert_eq!(perft(game, state, depth as u32 + 1), expected as u64);
            }
        }
        [choice, "illegal"] => assert!(moves.iter().all(|played| printed(played.choice) != choice)),
        [choice, gains, next] => {
            let played = moves.iter().find(|played| printed(played.choice) == choice).expect(choice);
            let mut found = format!("gain {}", played.gain);
            if played.opponent_gain != 0 {
                found += &format!(" opp {}", played.opponent_gain);
            }
            if played.again {
                found += " again";
            }
            assert_eq!((&found[..], &played.next), (gains, &read(next)));
        }
        _ => return false,
    }
    true
}

/// Compares all lines of a file of worked positions and returns how many.
fn check(text: &str) -> usize {
    let mut lines = 0;
    let mut header = "";
    // Whole layers of the game of the last header, for those lines that ask for values.
    let mut layers: Option<(Positions, Solved)> = None;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
        if let Some(new) = line.strip_prefix("# ") {
            (header, layers) = (new, None);
            continue;
        }
        lines += 1;
        println!("# {header}: {line}");
        let (plain, switches, pits, seeds) = game(header);
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let state = match fields[0] {
            "start" if plain.is_none() => State::start(pits, seeds),
            "start" => State { quan: [0, 0], ..State::start(pits, seeds) },
            layer if layer.starts_with("layer") => State::start(pits, 0),
            position => read(position),
        };
        let Some(plain) = plain else {
            assert!(check_moves(&o_an_quan(&switches), &state, &fields[1..]));
            continue;
        };
        if header.starts_with("congklak") || header.starts_with("sungka") {
            if let ["value", expected] = fields[1..] {
                let found = value(&*plain, &state.pits, &mut HashMap::new());
                assert_eq!(found, expected.parse().unwrap());
                continue;
            }
        } else if let [asked @ ("value" | "bounds" | "wdl"), expected] = fields[1..] {
            let (positions, solved) = layers.get_or_insert_with(|| {
                let positions =
                    Positions::new(pits, if asked == "wdl" { 8 } else { 2 * pits as i64 * seeds });
                let solved = solve(&*plain, &positions);
                (positions, solved)
            });
            let found = if asked == "wdl" {
                let layer = fields[0].strip_prefix("layer ").unwrap().parse().unwrap();
                counts(positions, solved, layer)
            } else {
                let at = positions.number(&state.pits);
                match asked {
                    "value" => vec![solved.split[at]],
                    _ => vec![solved.lower[at], solved.upper[at]],
                }
            };
            let expected = numbers(expected);
            assert_eq!(found[..expected.len()], expected);
            continue;
        }
        assert!(check_moves(&WithStores(&*plain), &state, &fields[1..]), "a line of another form");
    }
    lines
}

/// How many positions of a layer are won, drawn and lost, and in how many the bounds meet.
fn counts(positions: &Positions, solved: &Solved, seeds: usize) -> Vec<i64> {
    let count =
        |wanted: &dyn Fn(usize) -> bool| positions.layer(seeds).filter(|&at| wanted(at)).count() as i64;
    vec![
        count(&|at| solved.split[at] > 0),
        count(&|at| solved.split[at] == 0),
        count(&|at| solved.split[at] < 0),
        count(&|at| solved.lower[at] == solved.upper[at]),
    ]
}

#[test]
fn worked_positions() {
    assert_eq!(check(include_str!("fixtures/congklak.txt")), 29);
    assert_eq!(check(include_str!("fixtures/sadeqa.txt")), 47);
    assert_eq!(check(include_str!("fixtures/pallanguzhi.txt")), 29);
    assert_eq!(check(include_str!("fixtures/o-an-quan.txt")), 25);
}

#[test]
fn known_values_of_congklak() {
    let sizes = [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4), (4, 2), (4, 3)];
    let table = [
        ("", [8, 12, 4, 6, 8, 22, 6, 22]),
        ("trigger=leave", [8, 12, 12, 6, 10, 20, 8, 22]),
        ("empty-capture=yes", [8, 12, 4, 6, 10, 22, 6, 22]),
        ("extra-move=none", [2, 2, 10, 2, 8, 8, 8, 0]),
        ("opponent-store=sow", [6, 2, -4, 8, 4, 10, 4, 12]),
        ("end=row-empty", [8, 12, 8, 6, 16, 22, 6, 22]),
        ("end=stuck", [8, 12, 8, 6, 12, 22, 6, 22]),
        ("mikul=on", [8, 12, 14, 8, 10, 20, 4, 20]),
        ("mikul=equal", [8, 12, 4, 6, 8, 22, 6, 22]),
    ];
    for (switches, values) in table {
        let found = sizes
            .map(|(pits, seeds)| value(&congklak(switches), &vec![seeds; 2 * pits], &mut HashMap::new()));
        assert_eq!(found, values, "{switches}");
    }
    let most = [(2, 2), (3, 3), (4, 4)]
        .map(|(pits, seeds)| best_turn(&congklak(""), &vec![seeds; 2 * pits], &mut HashMap::new()));
    assert_eq!(most, [8, 12, 30]);
}

/// Values of the start on boards of some sizes, with the bounds where they do not meet.
#[test]
fn known_values_of_starts() {
    let sizes = [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)];
    let met = |value| (value, value, value);
    let table = [
        ("sadeqa-iii", [met(4), met(2), (6, 8, 10), met(6), met(6), met(6)]),
        ("en-dodoi", [met(4), met(0), met(0), met(6), (-2, -2, 0), met(6)]),
        ("pallanguzhi", [4, 8, -4, 6, 10, 2].map(met)),
    ];
    for (name, values) in table {
        for ((pits, seeds), expected) in sizes.into_iter().zip(values) {
            let start = vec![seeds; 2 * pits];
            let positions = Positions::new(pits, brute::seeds(&start));
            let solved = solve(&*game(name).0.unwrap(), &positions);
            let at = positions.number(&start);
            let found = (solved.lower[at], solved.split[at], solved.upper[at]);
            assert_eq!(found, expected, "{name} on {pits}x{seeds}");
        }
    }
}

/// Wins, draws, losses and positions without influence of cycles of layers on four pits a row.
#[test]
fn known_counts_of_layers() {
    let positions = Positions::new(4, 12);
    let table = [
        ("sadeqa-iii", [[2960, 1944, 1531, 6327], [9567, 6237, 3644, 18931], [26642, 15321, 8425, 48948]]),
        ("en-dodoi", [[3342, 1705, 1388, 6422], [11681, 3535, 4232, 19274], [31075, 9502, 9811, 49885]]),
    ];
    for (name, expected) in table {
        let solved = solve(&*game(name).0.unwrap(), &positions);
        let found = [8, 10, 12].map(|seeds| counts(&positions, &solved, seeds));
        assert_eq!(found, expected, "{name}");
    }
    let solved = solve(&*game("pallanguzhi").0.unwrap(), &positions);
    assert_eq!(counts(&positions, &solved, 12), [32024, 5515, 12849, 50388]);
    assert_eq!(solved.lower, solved.upper, "every position is free of cycles");
    let positions = Positions::new(3, 9);
    let solved = solve(&*game("pallanguzhi").0.unwrap(), &positions);
    assert_eq!(solved.lower, solved.upper, "every position is free of cycles");
}
