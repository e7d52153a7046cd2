//! The fast kernels play exactly as the plain engine does.

#[path = "common/layers.rs"]
mod layers;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sowbase::board::{ChainLap, Game, Move, NoEngine, Position, RelayLap, Ring, SingleLap, perft};
use sowbase::index::Numbering;
use sowbase::rules::Rules;

/// Switches with all values that a kernel plays.
type Values = &'static [(&'static str, &'static [&'static str])];

/// What the kernel for Kalah's kind plays.
const KALAH: Values = &[
    ("origin", &["sow", "skip"]),
    ("capture", &["cross", "none"]),
    ("trigger", &["take", "leave"]),
    ("empty-capture", &["no", "yes"]),
    ("extra-move", &["none", "store", "store-or-capture"]),
    ("end", &["row-empty", "stuck", "all-empty", "no-move"]),
    ("rest", &["owner", "nobody", "emptied", "opponent"]),
];

/// What the kernel for Oware's kind plays.
const OWARE: Values = &[
    ("origin", &["sow", "skip"]),
    ("grand-slam", &["free", "no-capture", "illegal"]),
    ("feed", &["none", "must-feed", "leave-a-move"]),
    ("end", &["row-empty", "stuck", "all-empty", "no-move"]),
    ("rest", &["owner", "nobody", "emptied", "opponent"]),
];

/// What the kernel for relays plays of Congklak's kind.
const CONGKLAK: Values = &[
    ("opponent-store", &["skip", "sow"]),
    ("origin", &["sow", "skip"]),
    ("capture", &["cross", "none"]),
    ("trigger", &["take", "leave"]),
    ("empty-capture", &["no", "yes"]),
    ("mikul", &["off", "on", "equal"]),
    ("extra-move", &["none", "store", "store-or-capture"]),
    ("no-move", &["pass", "end"]),
    ("end", &["row-empty", "stuck", "all-empty", "no-move"]),
    ("rest", &["owner", "nobody", "emptied", "opponent"]),
];

/// Every combination of the switches on one board.
fn every_rule_set(game: &str, switches: Values, pits: u8) -> Vec<Rules> {
    let mut all = vec![Rules { pits, ..layers::game(game) }];
    for (key, values) in switches {
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
    positions_of(pits, pit)
}

/// Positions in which last seeds capture chains, whole rows among them, after less than a circle and
/// after several.
fn position_of_chains(pits: usize) -> impl Strategy<Value = Position> {
    let few = prop_oneof![4 => Just(0), 6 => 1..=2_u16, 1 => 3..=16_u16];
    let many = prop_oneof![3 => Just(0), 6 => 1..=2_u16, 1 => 3..=11_u16, 3 => 12..=40_u16];
    prop_oneof![positions_of(pits, few), positions_of(pits, many)]
}

/// Positions of few seeds, which relay longest.
fn sparse_position(pits: usize) -> impl Strategy<Value = Position> {
    positions_of(pits, prop_oneof![6 => Just(0), 6 => 1..=2_u16, 2 => 3..=8_u16, 1 => 9..=20_u16])
}

/// Positions of up to 255 seeds, with no seeds in the opponent's row in every other one.
fn positions_of(pits: usize, pit: impl Strategy<Value = u16>) -> impl Strategy<Value = Position> {
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

fn agree<K: Game>(ring: &Ring, kernel: &K, position: &Position) -> Result<(), TestCaseError> {
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

/// Plays some positions with a kernel and the plain engine, under every rule set and on every board
/// that the kernel takes. Returns the number of rule sets.
fn agree_under_every_rule_set<K: Game, S: Strategy<Value = Position>>(
    game: &str,
    switches: Values,
    kernel: impl Fn(&Rules) -> Result<K, NoEngine>,
    positions: impl Fn(usize) -> S,
) -> usize {
    let mut checked = 0;
    for pits in 1..=6 {
        for rules in every_rule_set(game, switches, pits) {
            agree_on(&rules, &kernel(&rules).unwrap(), positions(pits.into()), 40);
            checked += 1;
        }
    }
    checked
}

/// Plays a number of positions with a kernel and the plain engine.
fn agree_on<K: Game>(rules: &Rules, kernel: &K, positions: impl Strategy<Value = Position>, cases: u32) {
    let ring = Ring::new(rules).unwrap();
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    let result = TestRunner::new(config).run(&positions, |position| agree(&ring, kernel, &position));
    if let Err(error) = result {
        panic!("{}: {error}", rules.to_toml());
    }
}

/// A rule set with one value of each switch.
fn any_rule_set(game: &'static str, switches: Values, pits: u8) -> impl Strategy<Value = Rules> {
    let values: Vec<_> = switches.iter().map(|(_, values)| prop::sample::select(*values)).collect();
    values.prop_map(move |values| {
        let mut rules = Rules { pits, ..layers::game(game) };
        for ((key, _), value) in switches.iter().zip(values) {
            rules.switches.set(key, value).unwrap();
        }
        rules
    })
}

/// Plays some positions with the kernel for relays and the plain engine, under rule sets of a kind and on
/// every board that the kernel takes.
fn relays_agree<S: Strategy<Value = Position>>(
    game: &'static str,
    switches: Values,
    positions: impl Fn(usize) -> S,
) {
    for pits in 1..=8 {
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) };
        let result = TestRunner::new(config).run(&any_rule_set(game, switches, pits), |rules| {
            agree_on(&rules, &RelayLap::new(&rules).unwrap(), positions(pits.into()), 20);
            Ok(())
        });
        result.unwrap();
    }
}

#[test]
fn moves_ends_and_perft_are_the_same_under_every_rule_set_of_kalah() {
    let checked = agree_under_every_rule_set("kalah", KALAH, SingleLap::new, any_position);
    assert_eq!(checked, 6 * 2 * 2 * 2 * 2 * 3 * 4 * 4);
}

#[test]
fn moves_ends_and_perft_are_the_same_under_every_rule_set_of_oware() {
    let positions = |pits| prop_oneof![1 => any_position(pits), 2 => position_of_chains(pits)];
    let checked = agree_under_every_rule_set("oware", OWARE, ChainLap::new, positions);
    assert_eq!(checked, 6 * 2 * 3 * 3 * 4 * 4);
}

#[test]
fn moves_ends_and_perft_are_the_same_under_rule_sets_of_congklak() {
    relays_agree("congklak", CONGKLAK, |pits| prop_oneof![any_position(pits), sparse_position(pits)]);
}

#[test]
fn every_position_of_few_seeds_is_played_alike_under_every_rule_set_of_oware() {
    for pits in 1..=3 {
        let numbering = Numbering::new(pits.into(), 6).unwrap();
        for rules in every_rule_set("oware", OWARE, pits) {
            let (ring, kernel) = (Ring::new(&rules).unwrap(), ChainLap::new(&rules).unwrap());
            for seeds in 0..=6 {
                for index in 0..numbering.layer(seeds).size() {
                    let position = numbering.position(seeds, index);
                    if let Err(error) = agree(&ring, &kernel, &position) {
                        panic!("{}{position}: {error}", rules.to_toml());
                    }
                }
            }
        }
    }
}

/// Plays every number of seeds from every pit of a board.
fn sown_alike<K: Game>(rules: &Rules, kernel: &K) {
    let ring = Ring::new(rules).unwrap();
    let pits = usize::from(rules.pits);
    for pit in 0..pits {
        for seeds in 1..=255 {
            let mut own = vec![0; pits];
            own[pit] = seeds;
            // The rest of the seeds makes captures of many seeds possible.
            let mut opponent = vec![0; pits];
            opponent[pits - 1 - (pit + usize::from(seeds)) % pits] = 255 - seeds;
            agree(&ring, kernel, &Position::new(&own, &opponent)).unwrap();
            // Equal pits make chains.
            for each in (0..=2).filter(|each| seeds + each * pits as u16 <= 255) {
                agree(&ring, kernel, &Position::new(&own, &vec![each; pits])).unwrap();
            }
        }
    }
}

#[test]
fn every_number_of_seeds_is_sown_alike_from_every_pit() {
    for pits in 1..=6 {
        for text in ["kalah", "kalah origin=skip", "kalah trigger=leave", "kalah end=stuck"] {
            let rules = Rules { pits, ..layers::game(text) };
            sown_alike(&rules, &SingleLap::new(&rules).unwrap());
        }
        for text in ["oware", "oware origin=sow", "oware grand-slam=illegal", "awari", "awari origin=sow"] {
            let rules = Rules { pits, ..layers::game(text) };
            sown_alike(&rules, &ChainLap::new(&rules).unwrap());
        }
    }
    for pits in 1..=8 {
        for text in ["congklak", "congklak opponent-store=sow", "congklak origin=skip"] {
            let rules = Rules { pits, ..layers::game(text) };
            sown_alike(&rules, &RelayLap::new(&rules).unwrap());
        }
    }
}

/// Refuses each of some rule sets that the plain engine plays.
fn refuses<K>(kernel: impl Fn(&Rules) -> Result<K, NoEngine>, games: &[&str]) {
    for text in games {
        let rules = layers::game(text);
        assert!(Ring::new(&rules).is_ok(), "{text}");
        let error = kernel(&rules).map(|_| ()).unwrap_err();
        assert_eq!(error.game, rules.title());
        assert!(error.switch.ends_with(" in the fast kernel"), "{text}: {}", error.switch);
    }
}

#[test]
fn the_kernels_refuse_what_they_do_not_play() {
    let by_ring_alone = [
        "congklak:6x4",
        "kalah:7x4",
        "kalah lap=same-hole",
        "kalah opponent-store=sow",
        "kalah mikul=on",
        "kalah no-move=pass end=all-empty",
        "kalah feed=must-feed",
        "kalah capture=two-three",
        "oware:7x4",
        "oware own-store=sow",
        "oware opponent-store=sow",
        "oware grand-slam=free capture=none",
        "oware grand-slam=free capture=cross",
        "oware grand-slam=free feed=none no-move=pass",
    ];
    refuses(SingleLap::new, &by_ring_alone);
    refuses(ChainLap::new, &by_ring_alone);
    let beyond_relays = ["kalah", "oware", "congklak:9x1", "congklak feed=must-feed no-move=end"];
    refuses(RelayLap::new, &beyond_relays);
    refuses(SingleLap::new, &["oware", "awari"]);
    refuses(ChainLap::new, &["kalah"]);
    for text in ["sadeqa-iii", "en-dodoi", "pallanguzhi", "o-an-quan", "oware lap=same-hole", "oware pasu=4"]
    {
        let rules = layers::game(text);
        let error = Ring::new(&rules).unwrap_err();
        assert_eq!(SingleLap::new(&rules).map(|_| ()).unwrap_err(), error, "{text}");
        assert_eq!(ChainLap::new(&rules).map(|_| ()).unwrap_err(), error, "{text}");
        assert_eq!(RelayLap::new(&rules).map(|_| ()).unwrap_err(), error, "{text}");
        let (key, value) = error.switch.split_once('=').unwrap();
        assert_eq!(rules.switches.get(key).as_deref(), Some(value), "{text}");
    }
}
