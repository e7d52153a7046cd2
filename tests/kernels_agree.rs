//! The fast kernel plays exactly as the plain engine does.

#[path = "common/layers.rs"]
mod layers;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sowbase::board::{Game, Move, Position, Ring, SingleLap, perft};
use sowbase::rules::{self, Rules};

/// The switches that the kernel knows, with all values it plays.
const SWITCHES: &[(&str, &[&str])] = &[
    ("origin", &["sow", "skip"]),
    ("capture", &["cross", "none"]),
    ("trigger", &["take", "leave"]),
    ("empty-capture", &["no", "yes"]),
    ("extra-move", &["none", "store", "store-or-capture"]),
    ("end", &["row-empty", "stuck", "all-empty", "no-move"]),
    ("rest", &["owner", "nobody", "emptied", "opponent"]),
];

/// Every combination of the switches on one board.
fn every_rule_set(pits: u8) -> Vec<Rules> {
    let mut all = vec![Rules { pits, ..rules::game("kalah").unwrap() }];
    for (key, values) in SWITCHES {
        let combine = |rules: &Rules, value: &str| {
            let mut rules = rules.clone();
            rules.switches.set(key, value).unwrap();
            rules
        };
        all = all.iter().flat_map(|rules| values.iter().map(|value| combine(rules, value))).collect();
    }
    all
}

/// Positions of up to 255 seeds: empty pits, few seeds, full circles, and nearly all in one pit.
fn any_position(pits: usize) -> impl Strategy<Value = Position> {
    let pit =
        prop_oneof![4 => Just(0), 4 => 1..=3_u16, 4 => 4..=16_u16, 1 => 17..=99_u16, 1 => 100..=255_u16];
    (prop::collection::vec(pit, 2 * pits), 0..2 * pits, any::<bool>()).prop_map(
        move |(mut cells, first, bare)| {
            if bare {
                cells[pits..].fill(0);
            }
            // Where there are too many seeds, the pits before the first one go short.
            cells.rotate_left(first);
            let mut left = 255;
            for pit in &mut cells {
                *pit = left.min(*pit);
                left -= *pit;
            }
            cells.rotate_right(first);
            Position::new(&cells[..pits], &cells[pits..])
        },
    )
}

/// Moves with gains, whether the turn goes on, and the next position.
type Moves = Vec<(Move, i32, i32, bool, Position)>;

fn moves<G: Game>(game: &G, position: &Position) -> Moves {
    let mut moves = Vec::new();
    game.for_each_move(&game.pack(position), |played| {
        let next = game.unpack(&played.next);
        moves.push((played.choice, played.gain, played.opponent_gain, played.again, next));
    });
    moves
}

fn agree(ring: &Ring, kernel: &SingleLap, position: &Position) -> Result<(), TestCaseError> {
    let (plain, packed) = (ring.pack(position), kernel.pack(position));
    prop_assert_eq!(kernel.unpack(&packed), *position);
    prop_assert_eq!(kernel.seeds(&packed), position.seeds());
    let played = moves(ring, position);
    prop_assert_eq!(&moves(kernel, position), &played);
    prop_assert_eq!(kernel.end_value(&packed), ring.end_value(&plain));
    prop_assert_eq!(played.is_empty(), ring.end_value(&plain).is_some());
    for &(_, gain, opponent_gain, _, next) in &played {
        let seeds = next.seeds() as i32 + gain + opponent_gain;
        prop_assert_eq!(seeds, position.seeds() as i32, "seeds are neither made nor lost");
    }
    for depth in 0..=2 {
        let count = perft(ring, &plain, depth, &|| true);
        prop_assert_eq!(perft(kernel, &packed, depth, &|| true), count);
    }
    Ok(())
}

#[test]
fn moves_ends_and_perft_are_the_same_under_every_rule_set() {
    let mut checked = 0;
    for pits in 1..=6 {
        for rules in every_rule_set(pits) {
            let (ring, kernel) = (Ring::new(&rules).unwrap(), SingleLap::new(&rules).unwrap());
            let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) };
            let result = TestRunner::new(config)
                .run(&any_position(pits.into()), |position| agree(&ring, &kernel, &position));
            if let Err(error) = result {
                panic!("{}: {error}", rules.to_toml());
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 6 * 2 * 2 * 2 * 2 * 3 * 4 * 4);
}

#[test]
fn every_number_of_seeds_is_sown_alike_from_every_pit() {
    for text in ["kalah", "kalah origin=skip", "kalah trigger=leave", "kalah end=stuck"] {
        for pits in 1..=6_usize {
            let rules = Rules { pits: pits as u8, ..layers::game(text) };
            let (ring, kernel) = (Ring::new(&rules).unwrap(), SingleLap::new(&rules).unwrap());
            for pit in 0..pits {
                for seeds in 1..=255 {
                    let mut own = vec![0; pits];
                    own[pit] = seeds;
                    // The rest of the seeds makes captures of many seeds possible.
                    let mut opponent = vec![0; pits];
                    opponent[pits - 1 - (pit + usize::from(seeds)) % pits] = 255 - seeds;
                    agree(&ring, &kernel, &Position::new(&own, &opponent)).unwrap();
                }
            }
        }
    }
}

#[test]
fn the_kernel_refuses_what_it_does_not_play() {
    for text in [
        "congklak:6x4",
        "kalah:7x4",
        "kalah lap=same-hole",
        "kalah opponent-store=sow",
        "kalah mikul=on",
        "kalah no-move=pass end=all-empty",
    ] {
        let rules = layers::game(text);
        assert!(Ring::new(&rules).is_ok(), "{text}");
        let error = SingleLap::new(&rules).map(|_| ()).unwrap_err();
        assert_eq!(error.game, rules.title());
    }
    for text in
        ["oware", "awari", "sadeqa-iii", "en-dodoi", "pallanguzhi", "o-an-quan", "kalah feed=must-feed"]
    {
        let rules = layers::game(text);
        let error = Ring::new(&rules).unwrap_err();
        assert_eq!(SingleLap::new(&rules).map(|_| ()).unwrap_err(), error, "{text}");
        let (key, value) = error.switch.split_once('=').unwrap();
        assert_eq!(rules.switches.get(key).as_deref(), Some(value), "{text}");
    }
}
