//! The fast kernels play exactly as the plain engine does.

#[path = "common/layers.rs"]
mod layers;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sowbase::board::{ChainLap, Game, Move, NoEngine, Position, RelayLap, Ring, SingleLap, perft};
use sowbase::index::Numbering;
use sowbase::rules::{Endless, Rules};

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

/// What it plays of Sadeqa's kind.
const SADEQA: Values = &[
    ("capture", &["cross", "cross", "none"]),
    ("trigger", &["leave", "take"]),
    ("empty-capture", &["no", "yes"]),
    ("mikul", &["off", "off", "on", "equal"]),
    ("pasu", &["off", "off", "4", "6"]),
    ("pasu-owner", &["row", "sower"]),
    ("pasu-last", &["yes", "no"]),
    ("extra-move", &["none", "store", "store-or-capture"]),
    ("no-move", &["end", "pass"]),
    ("end", &["no-move", "row-empty", "stuck", "all-empty"]),
    ("rest", &["opponent", "owner", "nobody", "emptied"]),
    ("endless", &["illegal", "draw", "loss", "stop"]),
];

/// What it plays of Pallanguzhi's kind.
const PALLANGUZHI: Values = &[
    ("lap", &["next-hole", "same-hole"]),
    ("capture", &["next", "next-and-opposite"]),
    ("pasu", &["4", "6", "off"]),
    ("pasu-owner", &["row", "sower"]),
    ("pasu-last", &["yes", "no"]),
    ("no-move", &["end", "pass"]),
    ("end", &["no-move", "row-empty", "stuck", "all-empty"]),
    ("rest", &["opponent", "owner", "nobody", "emptied"]),
    ("endless", &["illegal", "draw", "loss", "stop"]),
];

/// Every combination of the switches on one board.
fn every_rule_set(game: &str, switches: Values, pits: u8) -> Vec<Rules> {
    let mut all = vec![layers::game(game).with_pits(pits).unwrap()];
    for (key, values) in switches {
        let combine = |rules: &Rules, value: &str| {
            let mut rules = rules.clone();
            rules.set(key, value).unwrap();
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
    positions_of(pits, pit, 255)
}

/// Positions in which last seeds capture chains, whole rows among them, after less than a circle and
/// after several.
fn position_of_chains(pits: usize) -> impl Strategy<Value = Position> {
    let few = prop_oneof![4 => Just(0), 6 => 1..=2_u16, 1 => 3..=16_u16];
    let many = prop_oneof![3 => Just(0), 6 => 1..=2_u16, 1 => 3..=11_u16, 3 => 12..=40_u16];
    prop_oneof![positions_of(pits, few, 255), positions_of(pits, many, 255)]
}

/// Positions of about three seeds a pit at most. On larger boards with more of them no pit is ever empty, and
/// relays take more laps than can be made.
fn position_of_relays(pits: usize) -> impl Strategy<Value = Position> {
    let few = prop_oneof![3 => Just(0), 3 => 1..=2_u16, 1 => 3..=5_u16, 1 => 6..=20_u16];
    let many = prop_oneof![2 => Just(0), 1 => 1..=9_u16, 2 => 10..=100_u16];
    let most = if pits == 1 { 255 } else { 6 * pits as u16 + 6 };
    prop_oneof![positions_of(pits, few, most), positions_of(pits, many, most)]
}

/// Positions of up to a number of seeds, with no seeds in the opponent's row in every other one.
fn positions_of(pits: usize, pit: impl Strategy<Value = u16>, most: u16) -> impl Strategy<Value = Position> {
    (prop::collection::vec(pit, 2 * pits), 0..2 * pits, any::<bool>()).prop_map(
        move |(mut cells, first, bare)| {
            if bare {
                cells[pits..].fill(0);
            }
            // Where there are too many seeds, the pits before the first one go short.
            cells.rotate_left(first);
            let mut left = most;
            for pit in &mut cells {
                *pit = left.min(*pit);
                left -= *pit;
            }
            cells.rotate_right(first);
            Position::of_rows(&cells[..pits], &cells[pits..])
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
    agree_on_moves(ring, kernel, position)?;
    for depth in 0..=2 {
        let count = perft(ring, &ring.pack(position), depth, &|| true);
        prop_assert_eq!(perft(kernel, &kernel.pack(position), depth, &|| true), count);
    }
    Ok(())
}

fn agree_on_moves<K: Game>(ring: &Ring, kernel: &K, position: &Position) -> Result<(), TestCaseError> {
    let (plain, packed) = (ring.pack(position), kernel.pack(position));
    prop_assert_eq!(kernel.unpack(&packed), *position);
    prop_assert_eq!(kernel.seeds(&packed), position.seeds());
    let played = moves(ring, position);
    prop_assert_eq!(&moves(kernel, position), &played);
    prop_assert_eq!(kernel.end_value(&packed), ring.end_value(&plain));
    prop_assert_eq!(played.is_empty(), ring.end_value(&plain).is_some());
    for &(_, gain, opponent_gain, _, next) in &played {
        let seeds = next.seeds() as i32 + gain + opponent_gain;
        let is_drawn = next.seeds() == 0 && ring.switches().endless == Endless::Draw;
        prop_assert!(is_drawn || seeds == position.seeds() as i32, "seeds are neither made nor lost");
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
            let (ring, kernel) = (Ring::new(&rules).unwrap(), kernel(&rules).unwrap());
            let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) };
            let result = TestRunner::new(config)
                .run(&positions(pits.into()), |position| agree(&ring, &kernel, &position));
            if let Err(error) = result {
                panic!("{}: {error}", rules.to_toml());
            }
            checked += 1;
        }
    }
    checked
}

/// A rule set with one value of each switch.
fn any_rule_set(game: &'static str, switches: Values, pits: u8) -> impl Strategy<Value = Rules> {
    let values: Vec<_> = switches.iter().map(|(_, values)| prop::sample::select(*values)).collect();
    values.prop_map(move |values| {
        let mut rules = layers::game(game).with_pits(pits).unwrap();
        for ((key, _), value) in switches.iter().zip(values) {
            rules.set(key, value).unwrap();
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
        let positions = prop::collection::vec(positions(pits.into()), 20);
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) };
        let result = TestRunner::new(config).run(
            &(any_rule_set(game, switches, pits), positions),
            |(rules, positions)| {
                let (ring, kernel) = (Ring::new(&rules).unwrap(), RelayLap::new(&rules).unwrap());
                positions.iter().try_for_each(|position| agree_on_moves(&ring, &kernel, position))
            },
        );
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
fn moves_and_ends_are_the_same_under_rule_sets_of_congklak() {
    relays_agree("congklak", CONGKLAK, any_position);
}

#[test]
fn moves_and_ends_are_the_same_under_rule_sets_of_sadeqa() {
    relays_agree("sadeqa-iii", SADEQA, position_of_relays);
}

#[test]
fn moves_and_ends_are_the_same_under_rule_sets_of_pallanguzhi() {
    relays_agree("pallanguzhi", PALLANGUZHI, position_of_relays);
    for more in ["chain", "after-capture"] {
        let value: &[&str] = if more == "chain" { &["yes"] } else { &["continue"] };
        let switches: Vec<_> = PALLANGUZHI.iter().copied().chain([(more, value)]).collect();
        relays_agree("pallanguzhi", switches.leak(), position_of_relays);
    }
}

#[test]
fn every_relay_of_few_seeds_is_played_alike() {
    for game in ["sadeqa-iii", "en-dodoi", "pallanguzhi pasu=off", "pallanguzhi pasu-last=no", "pallanguzhi"]
    {
        let mut legal = [0; 2];
        for (end, legal) in ["illegal", "stop"].iter().zip(&mut legal) {
            for (pits, top) in [(1, 40), (2, 18), (3, 14), (4, 11)] {
                let rules = layers::game(&format!("{game} endless={end}")).with_pits(pits).unwrap();
                let (ring, kernel) = (Ring::new(&rules).unwrap(), RelayLap::new(&rules).unwrap());
                let numbering = Numbering::new(pits.into(), top).unwrap();
                for position in (0..=top).flat_map(|seeds| every_position(&numbering, seeds)) {
                    agree_on_moves(&ring, &kernel, &position).unwrap();
                    *legal += moves(&kernel, &position).len();
                }
            }
        }
        assert!(legal[0] < legal[1], "{game}: no endless move among {legal:?}");
    }
}

/// The positions of a layer.
fn every_position(numbering: &Numbering, seeds: u32) -> impl Iterator<Item = Position> {
    (0..numbering.layer(seeds).size()).map(move |index| numbering.position(seeds, index))
}

#[test]
fn every_position_of_few_seeds_is_played_alike_under_every_rule_set_of_oware() {
    for pits in 1..=3 {
        let numbering = Numbering::new(pits.into(), 6).unwrap();
        for rules in every_rule_set("oware", OWARE, pits) {
            let (ring, kernel) = (Ring::new(&rules).unwrap(), ChainLap::new(&rules).unwrap());
            for position in (0..=6).flat_map(|seeds| every_position(&numbering, seeds)) {
                if let Err(error) = agree(&ring, &kernel, &position) {
                    panic!("{}{position}: {error}", rules.to_toml());
                }
            }
        }
    }
}

/// Plays every number of seeds from every pit of a board.
fn sown_alike<K: Game>(rules: &Rules, kernel: &K) {
    let ring = Ring::new(rules).unwrap();
    let pits = usize::from(rules.pits());
    for pit in 0..pits {
        for seeds in 1..=255 {
            let mut own = vec![0; pits];
            own[pit] = seeds;
            // The rest of the seeds makes captures of many seeds possible.
            let mut opponent = vec![0; pits];
            opponent[pits - 1 - (pit + usize::from(seeds)) % pits] = 255 - seeds;
            agree(&ring, kernel, &Position::of_rows(&own, &opponent)).unwrap();
            // Equal pits make chains.
            for each in (0..=2).filter(|each| seeds + each * pits as u16 <= 255) {
                agree(&ring, kernel, &Position::of_rows(&own, &vec![each; pits])).unwrap();
            }
        }
    }
}

#[test]
fn every_number_of_seeds_is_sown_alike_from_every_pit() {
    for pits in 1..=6 {
        for text in ["kalah", "kalah origin=skip", "kalah trigger=leave", "kalah end=stuck"] {
            let rules = layers::game(text).with_pits(pits).unwrap();
            sown_alike(&rules, &SingleLap::new(&rules).unwrap());
        }
        for text in ["oware", "oware origin=sow", "oware grand-slam=illegal", "awari", "awari origin=sow"] {
            let rules = layers::game(text).with_pits(pits).unwrap();
            sown_alike(&rules, &ChainLap::new(&rules).unwrap());
        }
    }
    for pits in 1..=8 {
        for text in ["congklak", "congklak opponent-store=sow", "congklak origin=skip"] {
            let rules = layers::game(text).with_pits(pits).unwrap();
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
        assert!(matches!(error, NoEngine::OnlyPlain { .. }), "{text}: {error}");
        assert!(error.to_string().contains(&rules.title()) && !error.to_string().contains("--"), "{error}");
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
    let beyond_relays = [
        "kalah",
        "oware",
        "congklak:9x1",
        "congklak feed=must-feed no-move=end",
        "congklak pasu=4",
        "sadeqa-iii:9x1",
        "sadeqa-iii direction=free",
        "sadeqa-iii opponent-store=sow",
        "sadeqa-iii origin=skip",
        "o-an-quan",
    ];
    refuses(RelayLap::new, &beyond_relays);
    refuses(SingleLap::new, &["oware", "awari", "sadeqa-iii:6x4", "pallanguzhi:6x4", "o-an-quan"]);
    refuses(ChainLap::new, &["kalah", "sadeqa-iii:6x4", "pallanguzhi:6x4", "o-an-quan"]);
    for text in ["oware lap=same-hole", "kalah capture=next", "pallanguzhi own-store=sow"] {
        let rules = layers::game(text);
        let error = Ring::new(&rules).unwrap_err();
        assert_eq!(SingleLap::new(&rules).map(|_| ()).unwrap_err(), error, "{text}");
        assert_eq!(ChainLap::new(&rules).map(|_| ()).unwrap_err(), error, "{text}");
        assert_eq!(RelayLap::new(&rules).map(|_| ()).unwrap_err(), error, "{text}");
    }
}
