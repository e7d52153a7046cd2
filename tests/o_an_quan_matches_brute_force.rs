//! O an quan against an independent brute force: the end and every move of positions that can arise on small
//! boards, and of others.

#[path = "common/brute.rs"]
mod brute;
#[path = "common/brute_o_an_quan.rs"]
mod brute_o_an_quan;
#[path = "common/layers.rs"]
mod layers;

use brute::{Brute, Choice, combinations};
use brute_o_an_quan::{O_AN_QUAN, OAnQuan, State, o_an_quan, reachable};
use sowbase::board::{Game, Move, Position, Quan, Ring, Row, Way};
use sowbase::rules::Rules;

fn rules(pits: usize, seeds: i64, switches: &str) -> Rules {
    layers::game(&format!("o-an-quan:{pits}x{seeds} {switches}"))
}

fn position(state: &State) -> Position {
    let row = |pits: &[i64]| Row::from(&pits.iter().map(|&pit| pit as u16).collect::<Vec<_>>()[..]);
    let (own, opponent) = state.pits.split_at(state.pits.len() / 2);
    let quan = Quan { pieces: state.quan.map(|piece| piece > 0), seeds: state.dan.map(|dan| dan as u16) };
    let stores = state.stores.map(|points| points as i32);
    Position { quan, stores, ..Position::of_rows(row(own), row(opponent)) }
}

/// What a comparison has met.
#[derive(Default, Debug)]
struct Met {
    moves: u32,
    ends: u32,
    /// Positions whose moves begin with a refill.
    refills: u32,
    /// Moves that capture a piece.
    pieces: u32,
    /// Moves that bring more than they cost.
    gains: u32,
}

fn compare(game: &Ring, brute: &OAnQuan, state: &State, met: &mut Met) {
    let start = position(state);
    let packed = game.pack(&start);
    let context = || format!("{start} under {brute:?}");
    let end = brute.end(state);
    assert_eq!(game.end_value(&packed).map(i64::from), end, "{}", context());
    let expected = brute.moves(state);
    assert_eq!(expected.is_empty(), end.is_some(), "{}", context());
    let mut left = expected.iter();
    game.for_each_move(&packed, |played| {
        let expected = left.next().unwrap_or_else(|| panic!("{:?} of {}", played.choice, context()));
        let choice = match expected.choice {
            Choice::Pit(pit) => Move::Pit(pit as u8),
            Choice::Along(pit) => Move::Directed(pit as u8, Way::With),
            Choice::Against(pit) => Move::Directed(pit as u8, Way::Against),
            Choice::Pass => unreachable!("there are no passes"),
        };
        // The engine keeps the stores only where they can end the game.
        let next = position(&expected.next);
        assert_eq!(
            (
                played.choice,
                played.gain.into(),
                played.opponent_gain,
                played.again,
                game.unpack(&played.next)
            ),
            (choice, expected.gain, 0, false, game.unpack(&game.pack(&next))),
            "{}",
            context()
        );
        assert_eq!(
            Position { stores: [0, 0], ..game.unpack(&played.next) },
            Position { stores: [0, 0], ..next }
        );
        met.pieces += u32::from(expected.next.quan.iter().sum::<i64>() < state.quan.iter().sum());
        met.gains += u32::from(played.gain > 0);
    });
    assert_eq!(left.next(), None, "{}", context());
    met.moves += expected.len() as u32;
    met.ends += u32::from(end.is_some());
    met.refills += u32::from(end.is_none() && brute::seeds(&state.pits[..state.pits.len() / 2]) == 0);
}

/// Dan thrown anywhere, many or few, or an empty row of the mover's; quan cells of all kinds.
fn random_state(rng: &mut fastrand::Rng, pits: usize) -> State {
    let most = [1, 2, 5, 20][rng.usize(0..4)];
    let mut state = State::start(pits, 0);
    for pit in &mut state.pits {
        *pit = if rng.bool() { rng.i64(0..=most) } else { 0 };
    }
    if rng.u8(0..8) == 0 {
        state.pits[..pits].fill(0);
    }
    state.quan = [rng.i64(0..=1), rng.i64(0..=1)];
    state.dan = [(); 2].map(|()| if rng.bool() { rng.i64(0..=6) } else { 0 });
    state.stores = [rng.i64(-3..=20), rng.i64(-3..=20)];
    state
}

/// The first positions that can arise from the start.
#[test]
fn moves_on_small_boards() {
    for (pits, seeds, changed, most) in
        [(1, 3, 9, 300), (2, 1, 2, 1000), (2, 2, 1, 3000), (3, 1, 1, 3000), (3, 2, 0, 20_000)]
    {
        for switches in combinations(&O_AN_QUAN, changed) {
            let brute = o_an_quan(&switches);
            let game = Ring::new(&rules(pits, seeds, &switches)).unwrap();
            let mut met = Met::default();
            for state in reachable(&brute, State::start(pits, seeds), most) {
                compare(&game, &brute, &state, &mut met);
            }
            assert!(met.moves > 0, "{pits}x{seeds} {switches}");
        }
    }
}

#[test]
fn moves_of_random_positions() {
    let mut rng = fastrand::Rng::with_seed(3);
    for switches in combinations(&O_AN_QUAN, 9) {
        let brute = o_an_quan(&switches);
        for pits in [1, 2, 3, 5, 7] {
            let game = Ring::new(&rules(pits, 5, &switches)).unwrap();
            let mut met = Met::default();
            for _ in 0..if pits == 5 { 500 } else { 200 } {
                compare(&game, &brute, &random_state(&mut rng, pits), &mut met);
            }
            let Met { moves, ends, refills, pieces, gains } = met;
            let varied = refills > 0 && gains > 0 && (pits != 5 || pieces > 0);
            assert!(moves > 100 && ends > 0 && varied, "{met:?} with {pits} pits and {switches}");
        }
    }
}
