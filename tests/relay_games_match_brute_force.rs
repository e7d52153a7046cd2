//! Congklak, sungka, sadeqa, en-dodoi, en-gehe and pallanguzhi against independent brute forces: every move,
//! whole layers of values, and bounds.

#[path = "common/brute.rs"]
mod brute;
#[path = "common/brute_pallanguzhi.rs"]
mod brute_pallanguzhi;
#[path = "common/brute_relay.rs"]
mod brute_relay;
#[path = "common/layers.rs"]
mod layers;

use std::collections::HashMap;

use brute::{Board, Brute, Choice, Positions, Solved, combinations, solve};
use brute_pallanguzhi::{PALLANGUZHI, pallanguzhi};
use brute_relay::{CLOSED, CONGKLAK, SADEQA, congklak, sadeqa};
use sowbase::board::{Game, Move, Position, RelayLap, Ring, Row};
use sowbase::retrograde::{BoundLayers, Layers, is_acyclic};
use sowbase::rules::Rules;

type AnyGame = Box<dyn Brute<Position = Board>>;

/// A game's brute force by the name of the game and its switches, which must all be given where they do not
/// have the default of sadeqa.
fn brute_force(name: &str, switches: &str) -> AnyGame {
    match name {
        "congklak" | "sungka" => Box::new(congklak(switches)),
        "sadeqa-iii" | "sadeqa-91" => Box::new(sadeqa(switches)),
        "en-dodoi" | "en-gehe" => Box::new(sadeqa(&format!("trigger=take {switches}"))),
        "pallanguzhi" => Box::new(pallanguzhi(switches)),
        _ => panic!("no brute force of {name}"),
    }
}

/// All switches of a game, at most `changed` of them with another value than the first.
fn switches(name: &str, changed: usize) -> Vec<String> {
    let keys: &[(&str, &[&str])] = match name {
        "congklak" => &CONGKLAK,
        "sadeqa-iii" => &SADEQA,
        "pallanguzhi" => &PALLANGUZHI,
        _ => panic!("no switches of {name}"),
    };
    let mut all = combinations(keys, changed);
    all.retain(|words| !(words.contains("chain=yes") && words.contains("after-capture=continue")));
    all
}

fn rules(name: &str, pits: usize, switches: &str) -> Rules {
    layers::game(&format!("{name}:{pits}x4 {switches}"))
}

/// The board with empty stores.
fn position(board: &Board) -> Position {
    let row = |pits: &[i64]| {
        let seeds: Vec<u16> = pits.iter().map(|&pit| if pit == CLOSED { 0 } else { pit as u16 }).collect();
        let mut row = Row::from(&seeds[..]);
        (0..pits.len()).filter(|&pit| pits[pit] == CLOSED).for_each(|pit| row.close(pit));
        row
    };
    let (own, opponent) = board.split_at(board.len() / 2);
    Position::of_rows(row(own), row(opponent))
}

/// Most laps of a move that the brute forces, which remember all of them, should play.
const LAPS: usize = 100_000;

/// What a comparison has met.
#[derive(Default, Debug)]
struct Met {
    moves: u32,
    captures: u32,
    payments: u32,
    extra: u32,
    passes: u32,
    ends: u32,
    /// Own pits with seeds whose move is endless.
    endless: u32,
    /// Positions left out for moves of too many laps.
    long: u32,
}

impl std::ops::AddAssign for Met {
    fn add_assign(&mut self, other: Met) {
        self.moves += other.moves;
        self.captures += other.captures;
        self.payments += other.payments;
        self.extra += other.extra;
        self.passes += other.passes;
        self.ends += other.ends;
        self.endless += other.endless;
        self.long += other.long;
    }
}

/// Compares end and moves of one position.
fn compare_moves(game: &impl Game, brute: &AnyGame, board: &Board, met: &mut Met) {
    let packed = game.pack(&position(board));
    let context = || format!("{} in {:?}", position(board), game.rules());
    let end = brute.end(board);
    assert_eq!(game.end_value(&packed).map(i64::from), end, "{}", context());
    let expected = brute.moves(board);
    let mut left = expected.iter();
    game.for_each_move(&packed, |played| {
        let expected = left.next().unwrap_or_else(|| panic!("{:?} of {}", played.choice, context()));
        let choice = match expected.choice {
            Choice::Pit(pit) => Move::Pit(pit as u8),
            Choice::Pass => Move::Pass,
            _ => unreachable!("no directions here"),
        };
        assert_eq!(
            (
                played.choice,
                played.gain.into(),
                played.opponent_gain.into(),
                played.again,
                game.unpack(&played.next)
            ),
            (choice, expected.gain, expected.opponent_gain, expected.again, position(&expected.next)),
            "{}",
            context()
        );
        met.captures += u32::from(played.gain > 1);
        met.payments += u32::from(played.opponent_gain > 0);
        met.extra += u32::from(played.again);
        met.passes += u32::from(played.choice == Move::Pass);
    });
    assert_eq!(left.next(), None, "{}", context());
    met.moves += expected.len() as u32;
    met.ends += u32::from(end.is_some());
}

/// Seeds thrown anywhere, or few in a row, or a pit of the mover's with many.
fn random_board(rng: &mut fastrand::Rng, pits: usize, most: i64) -> Board {
    let mut board = vec![0; 2 * pits];
    match rng.u8(0..3) {
        0 => {
            for _ in 0..rng.i64(0..=most) {
                board[rng.usize(0..2 * pits)] += 1;
            }
        }
        kind => {
            let (own, other) = (rng.i64(0..=3), rng.i64(0..=3));
            for (at, pit) in board.iter_mut().enumerate() {
                *pit = rng.i64(0..=if at < pits { own } else { other });
            }
            if kind == 2 {
                board[rng.usize(0..pits)] = rng.i64(1..=most / 2 + 1);
            }
        }
    }
    board
}

/// Engines and brute force of one list of switches.
struct Compared {
    ring: Ring,
    kernel: Option<RelayLap>,
    brute: AnyGame,
    /// The same game in which endless moves are illegal.
    strict: AnyGame,
}

impl Compared {
    fn new(name: &str, pits: usize, switches: &str) -> Self {
        let rules = rules(name, pits, switches);
        let strict = ["draw", "loss", "stop"].into_iter().fold(switches.to_string(), |switches, value| {
            switches.replace(&format!("endless={value}"), "endless=illegal")
        });
        Compared {
            ring: Ring::new(&rules).unwrap(),
            kernel: (pits <= 8).then(|| RelayLap::new(&rules).unwrap()),
            brute: brute_force(name, switches),
            strict: brute_force(name, &strict),
        }
    }

    fn compare(&self, board: &Board, met: &mut Met) {
        if self.brute.is_long(board, LAPS) {
            met.long += 1;
            return;
        }
        compare_moves(&self.ring, &self.brute, board, met);
        if let Some(kernel) = self.kernel.as_ref().filter(|kernel| kernel.holds(&position(board))) {
            compare_moves(kernel, &self.brute, board, &mut Met::default());
        }
        let held = board[..board.len() / 2].iter().filter(|&&pit| pit > 0).count();
        let legal = self.strict.moves(board).into_iter().filter(|played| played.choice != Choice::Pass);
        // Where another rule has ended the game, there are no moves at all.
        met.endless += if self.endless_is_possible() { (held - legal.count()) as u32 } else { 0 };
    }

    fn endless_is_possible(&self) -> bool {
        !is_acyclic(self.ring.rules())
    }
}

/// Compares all positions with up to `top` seeds, and `others` random ones with up to `most`, under all lists
/// of switches in which at most `changed` have another value than their first.
fn compare_all(name: &str, pits: usize, changed: usize, top: i64, others: usize, most: i64) -> Met {
    let positions = Positions::new(pits, top);
    let mut rng = fastrand::Rng::with_seed(pits as u64);
    let mut all = Met::default();
    for switches in switches(name, changed) {
        let compared = Compared::new(name, pits, &switches);
        let mut met = Met::default();
        positions.boards.iter().for_each(|board| compared.compare(board, &mut met));
        (0..others).for_each(|_| compared.compare(&random_board(&mut rng, pits, most), &mut met));
        let Met { moves, captures, ends, .. } = met;
        assert!(moves > 20 && ends > 0 && (pits < 2 || captures > 0), "{met:?} with {switches}");
        all += met;
    }
    all
}

#[test]
fn moves_of_congklak() {
    compare_all("congklak", 1, 9, 12, 0, 0);
    compare_all("congklak", 2, 9, 8, 100, 30);
    compare_all("congklak", 3, 2, 6, 200, 40);
    compare_all("congklak", 4, 1, 5, 200, 40);
    compare_all("congklak", 7, 9, 0, 200, 98);
    let met = compare_all("congklak", 7, 0, 2, 3000, 98);
    assert!(met.extra > 1000 && met.passes > 100, "{met:?}");
    compare_all("congklak", 10, 1, 0, 500, 120);
}

/// Any pit may be closed, even all of a row.
#[test]
fn moves_with_closed_pits() {
    let mut rng = fastrand::Rng::with_seed(1);
    for switches in switches("congklak", 9) {
        for pits in [1, 2, 3, 7] {
            let compared = Compared::new("congklak", pits, &switches);
            for _ in 0..100 {
                let mut board = random_board(&mut rng, pits, 14 * pits as i64);
                for _ in 0..rng.usize(1..=pits) {
                    board[rng.usize(0..2 * pits)] = CLOSED;
                }
                compared.compare(&board, &mut Met::default());
            }
        }
    }
}

#[test]
fn moves_of_sadeqa() {
    compare_all("sadeqa-iii", 1, 9, 20, 0, 0);
    compare_all("sadeqa-iii", 2, 9, 12, 200, 30);
    compare_all("sadeqa-iii", 3, 9, 8, 500, 40);
    let met = compare_all("sadeqa-iii", 4, 9, 6, 1000, 40);
    assert!(met.endless > 100, "{met:?}");
    compare_all("sadeqa-iii", 6, 9, 0, 500, 40);
    compare_all("sadeqa-iii", 8, 0, 2, 3000, 96);
    compare_all("sadeqa-iii", 8, 9, 0, 200, 96);
}

#[test]
fn moves_of_pallanguzhi() {
    compare_all("pallanguzhi", 1, 9, 9, 0, 0);
    compare_all("pallanguzhi", 2, 9, 6, 50, 20);
    compare_all("pallanguzhi", 2, 2, 9, 50, 20);
    compare_all("pallanguzhi", 3, 2, 6, 200, 40);
    let met = compare_all("pallanguzhi", 4, 2, 4, 300, 40);
    assert!(met.endless > 50 && met.payments > 1000 && met.passes > 100, "{met:?}");
    compare_all("pallanguzhi", 7, 0, 2, 3000, 84);
    compare_all("pallanguzhi", 7, 9, 0, 20, 40);
}

/// Games that have only another name or another default.
#[test]
fn moves_of_named_games() {
    let mut rng = fastrand::Rng::with_seed(2);
    for (name, pits, most) in
        [("sungka", 7, 98), ("sadeqa-91", 8, 64), ("en-dodoi", 8, 64), ("en-gehe", 12, 100)]
    {
        let compared = Compared::new(name, pits, "");
        let mut met = Met::default();
        (0..2000).for_each(|_| compared.compare(&random_board(&mut rng, pits, most), &mut met));
        assert!(met.moves > 5000 && met.captures > 300 && met.ends > 20, "{met:?} in {name}");
    }
}

/// Every value that the brute force gives, in the order of the boards, as the builders should give it.
fn compare_values(positions: &Positions, rules: &Rules, expected: &[i64]) {
    let top = positions.top() as u32;
    let usual = layers::build(rules, top);
    let general = layers::finished(Layers::new_general(rules, top).unwrap());
    for (builder, built) in [("usual", usual), ("general", general)] {
        for (board, &expected) in positions.boards.iter().zip(expected) {
            let position = position(board);
            let value = i64::from(layers::value(&built, &position));
            assert_eq!(value, expected, "value of {position} by the {builder} builder in {rules:?}");
        }
    }
}

fn compare_bounds(positions: &Positions, rules: &Rules, expected: &Solved) {
    let top = positions.top() as u32;
    let usual = layers::build_bounds(rules, top);
    let general = layers::finished_bounds(BoundLayers::new_general(rules, top).unwrap());
    for (builder, built) in [("usual", usual), ("general", general)] {
        for (at, board) in positions.boards.iter().enumerate() {
            let position = position(board);
            let (seeds, index) = built.numbering().number(&position).unwrap();
            let found =
                [built.lower(seeds), built.upper(seeds)].map(|layer| i64::from(layer[index as usize]));
            let expected = [expected.lower[at], expected.upper[at]];
            assert_eq!(found, expected, "bounds of {position} by the {builder} builder in {rules:?}");
        }
    }
}

/// Boards by pits and most seeds, and how many switches are changed there.
type Sizes = [(usize, i64, usize)];

fn compare_layers(name: &str, sizes: &Sizes) {
    for &(pits, top, changed) in sizes {
        let positions = Positions::new(pits, top);
        for switches in switches(name, changed) {
            let rules = rules(name, pits, &switches);
            let brute = brute_force(name, &switches);
            if name == "congklak" {
                let mut known = HashMap::new();
                let value = |board: &Board| brute::value(&*brute, board, &mut known);
                let values: Vec<i64> = positions.boards.iter().map(value).collect();
                compare_values(&positions, &rules, &values);
            } else {
                let solved = solve(&*brute, &positions);
                compare_values(&positions, &rules, &solved.split);
                compare_bounds(&positions, &rules, &solved);
            }
        }
    }
}

#[test]
fn layers_of_congklak() {
    let sizes = [(1, 20, 9), (2, 10, 9), (3, 7, 2), (4, 5, 2), (4, 8, 0), (5, 6, 0), (7, 4, 0)];
    compare_layers("congklak", &sizes);
}

#[test]
fn layers_of_sadeqa() {
    let sizes = [(1, 20, 9), (2, 14, 9), (3, 9, 9), (4, 7, 9), (4, 10, 0), (5, 6, 0), (8, 4, 0)];
    compare_layers("sadeqa-iii", &sizes);
    let positions = Positions::new(4, 9);
    let solved = solve(&*brute_force("en-dodoi", ""), &positions);
    compare_values(&positions, &rules("en-dodoi", 4, ""), &solved.split);
    compare_bounds(&positions, &rules("en-dodoi", 4, ""), &solved);
}

#[test]
fn layers_of_pallanguzhi() {
    let sizes = [(1, 9, 9), (2, 5, 9), (2, 12, 2), (3, 7, 2), (4, 6, 1), (4, 9, 0), (7, 4, 0)];
    compare_layers("pallanguzhi", &sizes);
}
