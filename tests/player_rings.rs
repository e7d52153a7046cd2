//! The packed rings of the games of four rows against the plain ones: each sowing by itself, and whole moves.

#[path = "common/four_rows.rs"]
mod four_rows;
#[path = "common/layers.rs"]
mod layers;

use four_rows::{Engines, moves, position, random_rings};
use sowbase::board::{Game, PackedRing, PlainRing, PlayerRing, Row, ShortRing, Stage, Way};

/// A ring whose pits hold from 0 to `most` seeds.
fn patterned(pits: usize, most: u16) -> Row {
    let mut row = Row::empty(pits);
    row.iter_mut().zip((0..=most).cycle()).for_each(|(pit, seeds)| *pit = seeds);
    row
}

/// Every sowing of rings of a kind, from one seed to many rounds: all seeds fall where they would by hand.
fn check_sowings<R: PlayerRing>() {
    for pits in (2..=R::MOST_PITS).step_by(2) {
        let sowings = R::sowings(pits);
        for most in [0, 1, 3] {
            let row = patterned(pits, most);
            for (first, seeds) in
                (0..pits).flat_map(|first| (1..=255 - row.seeds()).map(move |seeds| (first, seeds)))
            {
                for way in [Way::With, Way::Against] {
                    let mut expected = row;
                    let at = |seed: u32| match way {
                        Way::With => (first + seed as usize) % pits,
                        Way::Against => (first + pits * 255 - seed as usize) % pits,
                    };
                    (0..seeds).for_each(|seed| expected[at(seed)] += 1);
                    let mut ring = R::of_row(&row);
                    let last = ring.sow(&sowings, first, seeds, way);
                    assert_eq!(last, at(seeds - 1), "{seeds} from {first}, {way:?}, in {row:?}");
                    assert_eq!(ring.to_row(pits), expected);
                }
            }
        }
    }
}

#[test]
fn every_sowing_drops_each_seed() {
    check_sowings::<PlainRing>();
    check_sowings::<PackedRing>();
    check_sowings::<ShortRing>();
}

/// What rings say of themselves, while pits are filled and emptied.
fn check_ring<R: PlayerRing>(row: &Row) {
    let pits = row.len();
    let mut ring = R::of_row(row);
    let mut expected = *row;
    for pit in 0..pits {
        let front = expected[..pits / 2].iter().all(|&seeds| seeds == 0);
        assert_eq!(ring.is_empty_up_to(pits / 2), front, "{expected:?}");
        assert_eq!(ring.has_pair(pits), expected.iter().any(|&seeds| seeds >= 2), "{expected:?}");
        if let Some(word) = ring.packed() {
            let bytes = (0..pits.min(8)).map(|pit| u64::from(expected[pit]) << (8 * pit));
            assert_eq!(word, bytes.sum::<u64>(), "{expected:?}");
        }
        assert_eq!(ring.seeds_in(pit), expected[pit].into());
        assert_eq!(ring.lift(pit), expected[pit].into());
        expected[pit] = 0;
        assert_eq!(ring.to_row(pits), expected);
        let to = (5 * pit + 3) % pits;
        ring.put(to, 1 + pit as u32);
        expected[to] += 1 + pit as u16;
        assert_eq!(ring, R::of_row(&expected));
    }
}

#[test]
fn rings_count_their_pits() {
    for pits in (2..=16).step_by(2) {
        for row in (0..=4).map(|most| patterned(pits, most)) {
            check_ring::<PackedRing>(&row);
            check_ring::<PlainRing>(&row);
            if pits <= ShortRing::MOST_PITS {
                check_ring::<ShortRing>(&row);
            }
        }
    }
    let mut heap = Row::empty(16);
    heap[15] = 100;
    check_ring::<PackedRing>(&heap);
    assert_eq!(PackedRing::of_row(&heap).packed(), Some(0));
}

/// Most laps of a move.
const LAPS: u64 = 10_000;

/// Games with the switches that change most of their moves.
const GAMES: [(&str, usize); 10] = [
    ("omweso", 2),
    ("omweso capture-needs=inner emitwe=on", 2),
    ("omweso re-entry=capturing-pit reverse-pits=2 endless=stop", 2),
    ("omweso reverse=off endless=draw", 2),
    ("bao-kujifunza", 4),
    ("bao-kujifunza endless=stop", 4),
    ("bao-kujifunza hus=yes", 4),
    ("bao-kiswahili", 8),
    ("bao-kiswahili mtaji-house=choice house-lost=emptied", 8),
    ("bao-kiswahili namua-singletons=house-works block-singleton=yes endless=loss", 8),
];

/// All engines make the same moves, with as many seeds as bytes count.
#[test]
fn all_engines_make_the_same_moves() {
    let mut rng = fastrand::Rng::with_seed(1);
    for (game, least) in GAMES {
        let (name, switches) = game.split_once(' ').unwrap_or((game, ""));
        for pits in least..=8 {
            let engines = Engines::new(&layers::game(&format!("{name}:{pits}x2 {switches}")));
            // Where captures are rare, many seeds make moves long.
            let plain = engines.plain.giving_up_after(LAPS);
            let packed = engines.packed.giving_up_after(LAPS);
            let short = engines.short.map(|short| short.giving_up_after(LAPS));
            for _ in 0..2000 {
                let seeds = rng.u16(1..=255);
                let [own, opponent] = random_rings(&mut rng, pits, seeds);
                let mut stage = Stage::default();
                match name {
                    "omweso" => stage.opening = rng.u8(0..6).saturating_sub(3),
                    "bao-kiswahili" => {
                        let hand = (255 - seeds).min(22) / 2;
                        stage.hand = [rng.u16(0..=hand), rng.u16(0..=hand)];
                        stage.house = [own[4] > 0, opponent[4] > 0];
                        stage.blocked = if stage.hand == [0, 0] { rng.u8(0..=8) } else { 0 };
                    }
                    _ => (),
                }
                let position = position(&own, &opponent, stage);
                let expected = (moves(&plain, &position), plain.check_laps());
                assert!(packed.holds(&position));
                let found = (moves(&packed, &position), packed.check_laps());
                assert_eq!(found, expected, "{position} in {game}");
                if let Some(short) = &short {
                    let found = (moves(short, &position), short.check_laps());
                    assert_eq!(found, expected, "{position} in {game}");
                }
            }
        }
    }
}
