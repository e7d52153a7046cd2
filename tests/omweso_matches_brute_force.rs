//! Omweso by all engines against an independent brute force: every move under all switches, and the values of
//! whole boards.

#[path = "common/brute.rs"]
mod brute;
#[path = "common/brute_omweso.rs"]
mod brute_omweso;
#[path = "common/four_rows.rs"]
mod four_rows;
#[path = "common/layers.rs"]
mod layers;

use brute::combinations;
use brute_omweso::{OMWESO, Omweso, Value, all_positions, omweso, solve};
use four_rows::{Engines, Expected, Met, is_drawn, position, random_rings};
use sowbase::board::{Move, Outcome, Position, Signs, Stage, Verdict};

/// Most laps of a move that the brute force, which remembers all of them, should play.
const LAPS: usize = 10_000;

/// The switches that tell in the moves, at most `changed` of them with another value than their default.
fn switches(changed: usize) -> Vec<String> {
    let of_starts = ["first-turn-capture", "setup"];
    let keys: Vec<_> = OMWESO.into_iter().filter(|(key, _)| !of_starts.contains(key)).collect();
    combinations(&keys, changed)
}

fn outcome(outcome: brute_omweso::Outcome) -> Outcome {
    match outcome {
        brute_omweso::Outcome::Loss => Outcome::Loss,
        brute_omweso::Outcome::Draw => Outcome::Draw,
        brute_omweso::Outcome::Win => Outcome::Win,
    }
}

fn converted(board: &brute_omweso::Position) -> Position {
    let mut stage = Stage::default();
    (stage.opening, stage.result) = (board.opening, board.result.map(outcome));
    position(&board.own, &board.opponent, stage)
}

/// Engines and brute force of one list of switches.
struct Compared {
    engines: Engines,
    brute: Omweso,
}

impl Compared {
    fn new(pits: usize, switches: &str) -> Compared {
        let rules = layers::game(&format!("omweso:{pits}x2 {switches}"));
        Compared { engines: Engines::new(&rules), brute: omweso(switches) }
    }

    fn compare(&self, board: &brute_omweso::Position, met: &mut Met) {
        let Ok(moves) = self.brute.moves_within(board, LAPS) else {
            met.long += 1;
            return;
        };
        let end = board.result.map(outcome).or(moves.is_empty().then_some(Outcome::Loss));
        let expected: Vec<Expected> =
            moves.into_iter().map(|played| (played.text, played.gain, converted(&played.next))).collect();
        self.engines.compare(&converted(board), end, &expected, met);
    }
}

fn random_board(rng: &mut fastrand::Rng, pits: usize, seeds: u16) -> brute_omweso::Position {
    let [own, opponent] = random_rings(rng, pits, seeds);
    let opening = if rng.u8(0..8) == 0 { rng.u8(1..=2) } else { 0 };
    brute_omweso::Position { own, opponent, opening, result: None }
}

/// All positions, every second one also with captures off for one or two moves.
#[test]
fn moves_of_the_smallest_board() {
    let boards = all_positions(2, 8);
    let opened = boards.iter().step_by(2).zip([1, 2].into_iter().cycle());
    let opened: Vec<_> =
        opened.map(|(board, opening)| brute_omweso::Position { opening, ..board.clone() }).collect();
    for switches in switches(2) {
        let compared = Compared::new(2, &switches);
        let mut met = Met::default();
        boards.iter().chain(&opened).for_each(|board| compared.compare(board, &mut met));
        let Met { moves, captures, ends, long, .. } = met;
        assert!(moves > 9000 && captures > 400 && ends > 2000 && long == 0, "{met:?} with {switches}");
    }
}

/// Boards of all sizes with few and many seeds, under all lists of switches.
#[test]
fn moves_of_random_boards() {
    let mut rng = fastrand::Rng::with_seed(1);
    for pits in 2..=8 {
        let mut met = Met::default();
        for switches in switches(9) {
            let compared = Compared::new(pits, &switches);
            let usual = 8 * pits as u16;
            for count in [usual, usual, usual / 2, usual / 4, rng.u16(1..usual), rng.u16(usual..300)] {
                (0..10).for_each(|_| compared.compare(&random_board(&mut rng, pits, count), &mut met));
            }
        }
        let Met { positions, captures, strung, long, .. } = met;
        assert!(positions > 7000 && captures > 2000 && strung > 100 && long < 100, "{met:?} on {pits} pits");
    }
}

/// The board that is played on, with all seeds.
#[test]
fn moves_of_the_standard_board() {
    let mut rng = fastrand::Rng::with_seed(2);
    for switches in switches(1) {
        let compared = Compared::new(8, &switches);
        let mut met = Met::default();
        (0..3000).for_each(|_| compared.compare(&random_board(&mut rng, 8, 64), &mut met));
        let Met { moves, captures, ends, long, .. } = met;
        assert!(moves > 10_000 && captures > 1000 && ends > 50 && long < 10, "{met:?} with {switches}");
    }
}

/// Starts, and every line of play from them.
#[test]
fn moves_from_the_start() {
    for start in combinations(&[OMWESO[2], OMWESO[7]], 2) {
        for (pits, seeds, plies) in [(2, 1, 6), (3, 2, 4), (8, 2, 3)] {
            let rules = layers::game(&format!("omweso:{pits}x{seeds} {start}"));
            let compared = Compared { engines: Engines::new(&rules), brute: omweso(&start) };
            let mut boards = vec![compared.brute.start(pits, seeds)];
            assert_eq!(Position::start(&rules), converted(&boards[0]), "{start}");
            for _ in 0..plies {
                boards.iter().for_each(|board| compared.compare(board, &mut Met::default()));
                let moves = boards.iter().flat_map(|board| compared.brute.moves(board));
                boards = moves.map(|played| played.next).collect();
            }
        }
    }
}

/// Positions in which some move is endless, under every meaning of that.
#[test]
fn endless_moves() {
    let mut rng = fastrand::Rng::with_seed(3);
    let (mut after_capture, mut strung) = (0, 0);
    for pits in 2..=6 {
        let mut found = 0;
        for switches in switches(9).iter().filter(|switches| switches.ends_with("endless=illegal")) {
            let [illegal, draw, loss, stop] = ["illegal", "draw", "loss", "stop"]
                .map(|value| Compared::new(pits, &switches.replace("illegal", value)));
            for _ in 0..if pits < 5 { 2000 } else { 8000 } {
                let seeds = rng.u16(2..=8 * pits as u16);
                let mut board = random_board(&mut rng, pits, seeds);
                if rng.bool() {
                    // Fewer columns that can be captured.
                    let kept = rng.usize(0..2 * pits);
                    (0..2 * pits).filter(|&pit| pit != kept).for_each(|pit| board.opponent[pit] = 0);
                }
                let drawn = four_rows::moves(&draw.engines.packed, &converted(&board));
                if !drawn.iter().any(is_drawn) {
                    continue;
                }
                let stopped = four_rows::moves(&stop.engines.packed, &converted(&board));
                for (drawn, stopped) in drawn.iter().zip(stopped).filter(|(drawn, _)| is_drawn(drawn)) {
                    found += 1;
                    after_capture += u32::from(stopped.1 > 0);
                    strung += u32::from(drawn.0.contains(['+', '-']));
                }
                for compared in [&illegal, &draw, &loss, &stop] {
                    compared.compare(&board, &mut Met::default());
                }
            }
        }
        assert!(found > 20, "{found} endless moves on {pits} pits");
    }
    assert!(after_capture > 100 && strung > 100, "{after_capture} after captures, {strung} with choices");
}

/// Moves with more choices than occur in random positions are written and read.
#[test]
fn moves_with_many_choices() {
    let text = |choices| format!("9{}", "+--".chars().cycle().take(choices).collect::<String>());
    for choices in 0..=Signs::MOST {
        let choice: Move = text(choices).parse().unwrap();
        assert_eq!(choice.to_string(), text(choices));
    }
    assert!(text(Signs::MOST + 1).parse::<Move>().is_err());
}

/// The values of all positions of a board, as built by the fast engines and the plain one.
fn compare_values(pits: usize, seeds: u16, switches: &str) {
    let solved = solve(omweso(switches), pits, seeds);
    let values = solved.positions.iter().zip(&solved.values).map(|(board, value)| {
        let verdict = match *value {
            Value::Loss(plies) => Verdict::of_code(-1 - i32::from(plies)),
            Value::Draw => Verdict::DRAW,
            Value::Win(plies) => Verdict::of_code(1 + i32::from(plies)),
        };
        (converted(board), verdict)
    });
    let rules = layers::game(&format!("omweso:{pits}x1 {switches}"));
    four_rows::compare_values(&rules, seeds.into(), &values.collect::<Vec<_>>());
}

#[test]
fn values_of_whole_boards() {
    switches(2).iter().for_each(|switches| compare_values(2, 8, switches));
    for (pits, seeds) in [(2, 5), (2, 12), (3, 7), (4, 5), (5, 4)] {
        for switches in ["", "reverse=off endless=stop", "re-entry=capturing-pit emitwe=on endless=loss"] {
            compare_values(pits, seeds, switches);
        }
    }
}
