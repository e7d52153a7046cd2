//! Bao la kujifunza, Hus and Bao la kiswahili by all engines against independent brute forces: every move
//! under all switches, and the values of whole boards.

#[path = "common/brute.rs"]
mod brute;
#[path = "common/brute_bao.rs"]
mod brute_bao;
#[path = "common/four_rows.rs"]
mod four_rows;
#[path = "common/layers.rs"]
mod layers;

use std::collections::HashSet;

use brute::combinations;
use brute_bao::positions::{all_positions, random_positions, solve};
use brute_bao::{Bao, HOUSE, KISWAHILI, KUJIFUNZA, bao};
use four_rows::{Engines, Expected, Met, is_drawn, position, random_rings};
use sowbase::board::{Game, Outcome, Position, Stage, Verdict};

/// Most laps of a move that the brute force, which remembers all of them, should play.
const LAPS: usize = 10_000;

fn outcome(outcome: brute_bao::Outcome) -> Outcome {
    match outcome {
        brute_bao::Outcome::Loss => Outcome::Loss,
        brute_bao::Outcome::Draw => Outcome::Draw,
        brute_bao::Outcome::Win => Outcome::Win,
    }
}

fn converted(board: &brute_bao::Position) -> Position {
    let mut stage = Stage::default();
    (stage.hand, stage.house) = (board.hand, board.house);
    stage.blocked = board.blocked.unwrap_or(0) as u8;
    stage.result = board.result.map(outcome);
    position(&board.own, &board.opponent, stage)
}

/// Engines and brute force of one list of switches.
struct Compared {
    engines: Engines,
    brute: Bao,
}

impl Compared {
    fn new(name: &str, switches: &str) -> Compared {
        let rules = layers::game(&format!("{name} {switches}"));
        Compared { engines: Engines::new(&rules), brute: bao(name, switches) }
    }

    fn compare(&self, board: &brute_bao::Position, met: &mut Met) {
        let Ok(moves) = self.brute.short_moves(board, LAPS) else {
            met.long += 1;
            return;
        };
        let end = self.brute.end(board).map(outcome);
        let expected: Vec<Expected> =
            moves.into_iter().map(|played| (played.text, played.gain, converted(&played.next))).collect();
        self.engines.compare(&converted(board), end, &expected, met);
    }
}

#[test]
fn moves_of_kujifunza_with_few_seeds() {
    for switches in combinations(KUJIFUNZA, 2) {
        let compared = Compared::new("bao-kujifunza:4x2", &switches);
        let mut met = Met::default();
        for seeds in 0..=5 {
            all_positions(4, seeds).iter().for_each(|board| compared.compare(board, &mut met));
        }
        let Met { moves, captures, long, .. } = met;
        assert!(moves > 4000 && captures > 100 && long == 0, "{met:?} with {switches}");
    }
}

#[test]
fn moves_of_kujifunza_on_random_boards() {
    let mut rng = fastrand::Rng::with_seed(1);
    for switches in combinations(KUJIFUNZA, 2) {
        let mut met = Met::default();
        for pits in 4..=8 {
            let compared = Compared::new(&format!("bao-kujifunza:{pits}x2"), &switches);
            let played = random_positions(&compared.brute, pits as u64, if pits == 8 { 1500 } else { 300 });
            played.iter().for_each(|board| compared.compare(board, &mut met));
            let usual = 8 * pits as u16;
            for _ in 0..100 {
                for count in [usual, rng.u16(2..usual), rng.u16(usual..150), rng.u16(100..400)] {
                    let [own, opponent] = random_rings(&mut rng, pits, count);
                    compared.compare(&brute_bao::Position::board(&own, &opponent), &mut met);
                }
            }
        }
        let Met { moves, captures, ends, long, .. } = met;
        assert!(moves > 10_000 && captures > 4000 && ends > 200 && long < 10, "{met:?} with {switches}");
    }
}

/// A position with any hands, houses and block, also such as no play leads to.
fn random_stage(rng: &mut fastrand::Rng) -> brute_bao::Position {
    let seeds = *rng.choice(&[64, 64, 20, 40, 100, 300]).unwrap();
    let hand = match rng.u8(0..4) {
        0 => [0, 0],
        1 => [0, rng.u16(0..3)],
        2 => [rng.u16(0..3), 0],
        _ => [rng.u16(0..10), rng.u16(0..10)],
    };
    let [own, opponent] = random_rings(rng, 8, seeds - hand[0] - hand[1]);
    let house = [&own, &opponent].map(|ring| ring[HOUSE - 1] > 0 && rng.bool());
    let blocked = (hand == [0, 0] && rng.u8(0..4) == 0).then(|| rng.usize(1..=8));
    brute_bao::Position { hand, house, blocked, ..brute_bao::Position::board(&own, &opponent) }
}

#[test]
fn moves_of_kiswahili() {
    let mut rng = fastrand::Rng::with_seed(2);
    let mut all = Met::default();
    for switches in combinations(KISWAHILI, 9) {
        let compared = Compared::new("bao-kiswahili", &switches);
        let start = Position::start(compared.engines.plain.rules());
        assert_eq!(start, converted(&compared.brute.start()), "{switches}");
        let seed = rng.u64(..);
        let played = random_positions(&compared.brute, seed, 100);
        played.iter().for_each(|board| compared.compare(board, &mut all));
        (0..50).for_each(|_| compared.compare(&random_stage(&mut rng), &mut all));
    }
    let Met { captures, safaris, blocks, ends, long, .. } = all;
    assert!(captures > 50_000 && safaris > 300 && blocks > 300 && ends > 1000 && long < 100, "{all:?}");
}

/// Positions of 8 pits a row with an endless move, and in how many of them it is endless under all switches but
/// those of Hus. One random position in hundreds of thousands has an endless move.
const ENDLESS: [(&str, usize, &[&str]); 2] = [
    (
        "bao-kujifunza",
        2,
        &[
            "5 0 3 2 0 1 0 1 0 1 0 2 1 0 1 0 / 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 8",
            "1 0 3 1 2 0 4 1 0 1 0 3 0 3 4 0 / 5 0 0 3 0 0 1 0 3 1 0 0 0 0 1 0",
        ],
    ),
    (
        "bao-kiswahili",
        10,
        &[
            "3 2 1 0 1 0 5 4 3 2 1 0 2 1 0 1 / 0 0 6 0 5 0 0 0 2 2 2 3 4 4 5 3 ; hand 1 1",
            "1 0 1 1 0 1 0 1 2 0 1 2 0 1 2 0 / 0 0 0 0 0 0 3 0 3 0 0 0 0 0 0 0 ; hand 2 0",
            "1 0 1 0 2 1 0 1 2 3 0 1 6 1 0 3 / 0 3 0 0 0 0 0 0 0 0 0 6 0 0 0 0 ; hand 1 0 ; house own",
            "3 2 0 1 1 0 1 0 1 0 1 15 1 0 1 0 / 0 0 0 0 0 2 0 0 0 0 0 0 0 1 0 0 ; hand 1 1 ; house own",
            "0 3 0 3 1 2 3 0 3 4 0 1 2 1 4 3 / 0 0 0 0 0 0 0 1 0 0 0 0 0 8 0 0 ; hand 1 1 ; house own",
            "3 0 1 0 1 3 2 1 0 1 0 3 5 1 0 4 / 0 0 0 0 2 0 0 0 3 0 0 0 0 0 0 0 ; hand 2 1 ; house opp",
            "4 1 0 5 4 1 2 0 1 0 1 2 1 0 1 0 / 0 2 0 0 0 0 0 0 1 0 0 0 0 0 0 0",
            "3 0 5 0 1 4 1 2 0 8 1 0 1 0 3 0 / 0 0 0 4 1 0 0 1 0 1 1 0 0 0 0 0 ; house own opp",
            "2 1 2 0 2 1 0 2 1 0 3 0 1 0 1 0 / 0 1 0 0 0 0 0 0 2 0 0 0 0 0 0 0 ; house own",
            "0 1 0 1 3 1 0 1 0 2 1 0 4 1 0 1 / 0 0 0 5 1 0 0 0 0 0 1 1 1 2 0 0 ; house opp",
            "1 0 3 0 1 2 0 2 3 0 1 0 1 0 1 0 / 0 3 0 3 0 3 0 0 0 0 0 0 0 0 0 0",
            "0 1 0 4 9 0 1 0 1 4 1 2 0 4 0 1 / 1 0 0 0 0 0 0 0 3 0 0 0 0 1 0 0 ; house own",
            "1 2 2 3 0 3 0 1 0 2 1 0 2 4 0 2 / 0 0 0 3 0 0 0 0 0 0 0 0 0 0 0 0",
        ],
    ),
];

/// The same game under every meaning of an endless move.
fn meanings(name: &str, switches: &str) -> [Compared; 4] {
    ["illegal", "draw", "loss", "stop"]
        .map(|value| Compared::new(name, &switches.replace("endless=illegal", &format!("endless={value}"))))
}

/// Compares a position under all meanings if it has an endless move, and says whether it has one of not too many
/// laps.
fn compare_endless([illegal, draw, loss, stop]: &[Compared; 4], board: &brute_bao::Position) -> bool {
    let moves = four_rows::moves(&draw.engines.packed, &converted(board));
    if !moves.iter().any(is_drawn) {
        return false;
    }
    let mut met = Met::default();
    [illegal, draw, loss, stop].iter().for_each(|compared| compared.compare(board, &mut met));
    met.long == 0
}

#[test]
fn endless_moves() {
    for (name, least, boards) in ENDLESS {
        let keys = if name == "bao-kiswahili" { KISWAHILI } else { KUJIFUNZA };
        for switches in combinations(keys, 9).iter().filter(|switches| switches.ends_with("endless=illegal"))
        {
            let games = meanings(name, switches);
            let endless =
                boards.iter().filter(|text| compare_endless(&games, &brute_bao::Position::read(text)));
            let found = endless.count();
            assert!(
                if switches.contains("hus=yes") { found == 0 } else { found >= least },
                "{found}, {switches}"
            );
        }
    }
    // A circle lifts every pit of the ring. So nothing is left to be captured, and the game is over before.
    let mut rng = fastrand::Rng::with_seed(3);
    for (pits, least) in [(4, 10), (5, 3)] {
        for hus in ["no", "yes"] {
            let games = meanings(&format!("bao-kujifunza:{pits}x2"), &format!("hus={hus} endless=illegal"));
            let mut found = 0;
            for _ in 0..60_000 {
                let seeds = rng.u16(2..=8 * pits as u16);
                let [own, mut opponent] = random_rings(&mut rng, pits, seeds);
                // Few pits that can be captured.
                let kept = rng.usize(0..pits);
                (0..pits).filter(|&pit| pit != kept).for_each(|pit| opponent[pit] = 0);
                found += u32::from(compare_endless(&games, &brute_bao::Position::board(&own, &opponent)));
            }
            assert!(
                if hus == "yes" { found == 0 } else { found >= least },
                "{found} on {pits} pits, hus={hus}"
            );
        }
    }
}

/// The values of all positions of a board, as built by the fast engines and the plain one.
fn compare_values(pits: usize, seeds: u16, switches: &str) {
    let name = format!("bao-kujifunza:{pits}x1");
    let solved = solve(&bao(&name, switches), &all_positions(pits, seeds));
    let values = solved.iter().map(|(board, &(outcome, plies))| {
        let verdict = match outcome {
            brute_bao::Outcome::Loss => Verdict::of_code(-1 - plies as i32),
            brute_bao::Outcome::Draw => Verdict::DRAW,
            brute_bao::Outcome::Win => Verdict::of_code(1 + plies as i32),
        };
        (converted(board), verdict)
    });
    let rules = layers::game(&format!("{name} {switches}"));
    four_rows::compare_values(&rules, seeds.into(), &values.collect::<Vec<_>>());
}

#[test]
fn values_of_whole_boards() {
    for switches in combinations(KUJIFUNZA, 2) {
        for (pits, seeds) in [(4, 1), (4, 5), (5, 4), (6, 3)] {
            compare_values(pits, seeds, &switches);
        }
    }
    ["", "hus=yes"].iter().for_each(|switches| compare_values(4, 6, switches));
}

/// Left and right exchanged.
fn mirrored(position: &Position) -> Position {
    let mut mirrored = *position;
    for ring in [&mut mirrored.own, &mut mirrored.opponent] {
        let (front, back) = ring.split_at_mut(8);
        front.reverse();
        back.reverse();
    }
    mirrored
}

/// Breadth-first from the start: the new positions of each ply and their moves.
#[test]
fn known_numbers_of_positions() {
    let game = Engines::new(&layers::game("bao-kujifunza")).packed;
    let mut new = vec![game.pack(&Position::start(game.rules()))];
    let mut met: HashSet<_> = new.iter().copied().collect();
    let mut found = "ply,new_states,new_states_mirror,capture_moves,takata_moves,ending_moves\n".to_string();
    for ply in 0..7 {
        let class = |position| {
            let position = game.unpack(position);
            let other = mirrored(&position);
            let is_first = (&*position.own, &*position.opponent) < (&*other.own, &*other.opponent);
            if is_first { position } else { other }
        };
        let classes: HashSet<Position> = new.iter().map(class).collect();
        let (mut captures, mut takata, mut ending) = (0, 0, 0);
        let mut newer = Vec::new();
        for position in &new {
            game.for_each_move(position, |played| {
                captures += u32::from(played.gain > 0);
                takata += u32::from(played.gain == 0);
                if game.end_value(&played.next).is_some() {
                    ending += 1;
                } else if met.insert(played.next) {
                    newer.push(played.next);
                }
            });
        }
        found += &format!("{ply},{},{},{captures},{takata},{ending}\n", new.len(), classes.len());
        new = newer;
    }
    println!("{found}");
    let known = include_str!("fixtures/bao_kujifunza_bfs.csv");
    assert_eq!(found[..known.len()], *known);
    // Two more plies, of which the brute force of the tests says the same.
    assert_eq!(found[known.len()..], *"5,6288,3144,16146,7248,516\n6,22860,11430,56796,27126,2854\n");
}
