//! Positions that are none of a game: no engine takes one of them for another position.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::collection::vec;
use proptest::prelude::*;
use sowbase::board::*;
use sowbase::rules::{self, Rules};

/// What may be wrong with a position, and what must not be.
#[derive(Clone, Debug)]
struct Parts {
    own: Vec<u16>,
    opponent: Vec<u16>,
    closed: Option<usize>,
    quan: Quan,
    hand: [u16; 2],
    opening: u8,
    house: bool,
}

impl Parts {
    fn position(&self) -> Position {
        let mut position = Position::of_rows(&self.own, &self.opponent);
        if let Some(pit) = self.closed {
            position.own.close(pit % self.own.len());
        }
        position.quan = self.quan;
        position.stage.hand = self.hand;
        position.stage.opening = self.opening;
        position.stage.house[1] = self.house;
        position
    }
}

/// Mostly boards with the pits asked for, and mostly nothing but seeds.
fn parts(pits: usize) -> impl Strategy<Value = Parts> {
    let length = prop_oneof![4 => Just(pits), 1 => 1..=20_usize];
    let pit = prop_oneof![8 => 0..5_u16, 1 => 0..=300_u16];
    let row = length.prop_flat_map(move |pits| vec(pit.clone(), pits));
    let rare = |odd: u32| prop_oneof![8 => Just(0), 1 => 1..=odd];
    let quan = (rare(3), rare(300)).prop_map(|(pieces, seeds)| Quan {
        pieces: [pieces & 1 > 0, pieces & 2 > 0],
        seeds: [seeds as u16, 0],
    });
    let closed = prop_oneof![6 => Just(None), 1 => (0..20_usize).prop_map(Some)];
    (
        row.clone(),
        row,
        closed,
        quan,
        (rare(300), rare(3)),
        rare(2),
        prop_oneof![8 => Just(false), 1 => Just(true)],
    )
        .prop_map(|(own, opponent, closed, quan, hand, opening, house)| Parts {
            own,
            opponent,
            closed,
            quan,
            hand: [hand.0 as u16, hand.1 as u16],
            opening: opening as u8,
            house,
        })
}

/// What an engine may hold.
#[derive(Clone, Copy, Default)]
struct Kind {
    pits: usize,
    most_seeds: u32,
    closed: bool,
    quan: bool,
    opening: bool,
    hands: bool,
}

impl Kind {
    /// Written from the board and not from the engines.
    fn holds(&self, parts: &Parts) -> bool {
        let of_closed = |pit: usize| parts.own[pit % parts.own.len()];
        let rows = parts.own.iter().chain(&parts.opponent);
        let beside = parts.hand.iter().chain(&parts.quan.seeds);
        let seeds = rows.chain(beside).map(|&seeds| u32::from(seeds)).sum::<u32>()
            - parts.closed.map_or(0, |pit| of_closed(pit).into());
        parts.own.len() == self.pits
            && parts.opponent.len() == self.pits
            && seeds <= self.most_seeds
            && (self.closed || parts.closed.is_none())
            && (self.quan || parts.quan == Quan::default())
            && (self.opening || parts.opening == 0)
            && (self.hands || (parts.hand == [0, 0] && !parts.house))
    }
}

fn check<G: Game>(game: &G, kind: Kind, parts: &Parts) -> Result<(), TestCaseError> {
    let position = parts.position();
    let holds = game.holds(&position);
    prop_assert_eq!(holds, kind.holds(parts), "{}", &position);
    let packed = catch_unwind(AssertUnwindSafe(|| game.pack(&position)));
    prop_assert_eq!(packed.is_ok(), holds, "{}", &position);
    let is_of_game = position.check(game.rules());
    match game.try_pack(&position) {
        Ok(packed) => {
            prop_assert!(holds && is_of_game.is_ok(), "{}", &position);
            prop_assert_eq!(game.unpack(&packed), position);
        }
        Err(PositionError::BeyondEngine { .. }) => prop_assert!(!holds && is_of_game.is_ok()),
        Err(error) => prop_assert_eq!(Err(error), is_of_game),
    }
    Ok(())
}

fn game(text: &str) -> Rules {
    rules::game(text).unwrap()
}

/// Runs the test of one engine, without the messages of the panics that are asked for.
fn run<G: Game>(game: &G, kind: Kind) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let result = runner.run(&parts(kind.pits), |parts| check(game, kind, &parts));
    std::panic::set_hook(hook);
    result.unwrap();
}

// One test, since the hook of panics is that of the whole process.
#[test]
fn engines_take_positions_of_their_own_boards_alone() {
    let word = |pits| Kind { pits, most_seeds: 255, ..Kind::default() };
    run(&SingleLap::new(&game("kalah:6x4")).unwrap(), word(6));
    run(&SingleLap::new(&game("kalah:4x4")).unwrap(), word(4));
    run(&ChainLap::new(&game("oware:6x4")).unwrap(), word(6));
    run(&ChainLap::new(&game("awari:3x3")).unwrap(), word(3));
    run(&RelayLap::new(&game("congklak:7x7")).unwrap(), word(7));
    run(&RelayLap::new(&game("sadeqa-iii:5x4")).unwrap(), word(5));
    let plain = |pits| Kind { pits, most_seeds: 65_535, ..Kind::default() };
    run(&Ring::new(&game("kalah:6x4")).unwrap(), Kind { closed: true, ..plain(6) });
    run(&Ring::new(&game("oware:6x4")).unwrap(), plain(6));
    run(&Ring::new(&game("o-an-quan")).unwrap(), Kind { quan: true, ..plain(5) });
    let bytes = |pits| Kind { most_seeds: 255, ..plain(pits) };
    run(&PlainRings::new(&game("omweso:8x2")).unwrap(), Kind { opening: true, ..plain(16) });
    run(&PackedRings::new(&game("omweso:8x2")).unwrap(), Kind { opening: true, ..bytes(16) });
    run(&ShortRings::new(&game("omweso:4x2")).unwrap(), Kind { opening: true, ..bytes(8) });
    run(&PackedRings::new(&game("bao-kujifunza")).unwrap(), bytes(16));
    run(&PackedRings::new(&game("bao-kiswahili")).unwrap(), Kind { hands: true, ..bytes(16) });
}

#[test]
fn what_is_wrong_with_a_position_is_told() {
    let kalah = game("kalah:6x4");
    let six = [4; 6];
    let said = |error: PositionError| error.to_string();
    let refused = |rules: &Rules, own: &[u16], opponent: &[u16], stores| {
        said(Position::new(rules, own, opponent, stores).unwrap_err())
    };
    assert_eq!(Position::new(&kalah, &six, &six, [0, 0]).unwrap(), Position::start(&kalah));
    assert_eq!(refused(&kalah, &six, &[4; 7], [0, 0]), "a row of kalah:6x4 has 6 pits, not 7");
    assert_eq!(refused(&kalah, &[0; 50], &six, [0, 0]), "a row of kalah:6x4 has 6 pits, not 50");
    let seeds = "it has 256 seeds, and kalah is played with at most 255";
    assert_eq!(refused(&kalah, &six, &six, [200, 8]), seeds);
    assert_eq!(
        refused(&kalah, &six, &six, [-1, 0]),
        "a store holds -1 points, and in kalah nothing can be owed"
    );
    let quan = Position { quan: Quan { pieces: [true; 2], seeds: [0, 0] }, ..Position::start(&kalah) };
    assert_eq!(said(quan.check(&kalah).unwrap_err()), "kalah has no quan cells");
    let mut closed = Position::start(&kalah);
    closed.own.close(2);
    assert_eq!(closed.check(&kalah), Ok(()));
    closed.own[2] = 1;
    assert_eq!(said(closed.check(&kalah).unwrap_err()), "pit 3 is closed and holds seeds");
    let omweso = game("omweso");
    let pits = "the two rows of a player of omweso:8x2 have together 16 pits, not 8";
    assert_eq!(refused(&omweso, &[1; 8], &[1; 8], [0, 0]), pits);
    assert_eq!(refused(&omweso, &[1; 16], &[1; 16], [1, 0]), "omweso has no stores");
    let mut stage = Position::start(&omweso);
    stage.stage.opening = 3;
    assert_eq!(said(stage.check(&omweso).unwrap_err()), "captures are off for 0, 1 or 2 moves, not 3");
    stage.stage.opening = 0;
    stage.stage.house = [true, false];
    assert_eq!(said(stage.check(&omweso).unwrap_err()), "omweso has no houses");
    for name in rules::names() {
        assert_eq!(Position::start(&game(name)).check(&game(name)), Ok(()), "{name}");
    }
}
