//! Positions have dense numbers: every index of a layer is the number of one position.

#[path = "common/layers.rs"]
mod layers;

use proptest::prelude::*;
use sowbase::board::{Game, Position, Ring, SingleLap};
use sowbase::index::{Half, HalfBoards, Numbered, Numbering};

/// All rows of a number of pits and seeds, in no particular order.
fn all_rows(pits: usize, seeds: u16) -> Vec<Vec<u16>> {
    if pits == 1 {
        return vec![vec![seeds]];
    }
    let mut rows = Vec::new();
    for first in 0..=seeds {
        for mut rest in all_rows(pits - 1, seeds - first) {
            rest.insert(0, first);
            rows.push(rest);
        }
    }
    rows
}

/// The rows in the order of the numbering: by their prefix sums, the longest prefix first.
fn sorted_rows(pits: usize, seeds: u16) -> Vec<Vec<u16>> {
    let mut rows = all_rows(pits, seeds);
    rows.sort_by_key(|row| {
        let mut sums: Vec<u16> = row
            .iter()
            .scan(0, |sum, &pit| {
                *sum += pit;
                Some(*sum)
            })
            .collect();
        sums.reverse();
        sums
    });
    rows
}

fn wide_binomial(n: u64, k: u64) -> u128 {
    (0..k).fold(1, |product, i| product * u128::from(n - i) / u128::from(i + 1))
}

fn binomial(n: u64, k: u64) -> u64 {
    wide_binomial(n, k).try_into().unwrap()
}

/// The formula as the documentation of the module writes it.
fn rank(row: &[u16]) -> u64 {
    let mut sum = 0;
    let terms = row[..row.len() - 1].iter().zip(1..).map(|(&pit, k)| {
        sum += u64::from(pit);
        if sum == 0 { 0 } else { binomial(sum + k - 1, k) }
    });
    terms.sum()
}

/// Rows of up to 10 pits with up to 60 seeds, some full and some nearly empty.
fn any_row(pits: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(prop_oneof![Just(0), 0..=3_u16, 0..=60_u16], pits).prop_map(|mut row| {
        let mut left = 60;
        for pit in row.iter_mut().rev() {
            *pit = left.min(*pit);
            left -= *pit;
        }
        row
    })
}

#[test]
fn half_boards_are_numbered_in_the_documented_order() {
    assert_eq!(
        sorted_rows(3, 2),
        [[0, 0, 2], [0, 1, 1], [1, 0, 1], [0, 2, 0], [1, 1, 0], [2, 0, 0]].map(Vec::from)
    );
    for (pits, most) in [(1, 20), (2, 20), (3, 14), (4, 10), (5, 8), (6, 8), (7, 6), (10, 4)] {
        let halves = HalfBoards::new(pits, most.into()).unwrap();
        assert_eq!((halves.pits(), halves.max_seeds()), (pits, most.into()));
        let mut below = 0;
        for seeds in 0..=most {
            let rows = sorted_rows(pits, seeds);
            assert_eq!(halves.count(seeds.into()), rows.len() as u64);
            assert_eq!(halves.count_below(seeds.into()), below);
            assert!(halves.rows(seeds.into()).map(|row| row.to_vec()).eq(rows.iter().cloned()));
            for (number, row) in (0..).zip(&rows) {
                let half = Half { seeds: seeds.into(), rank: number };
                assert_eq!(halves.rank(row), half, "{row:?}");
                assert_eq!(rank(row), number, "{row:?}");
                let mut back = vec![u16::MAX; pits];
                halves.unrank(half, &mut back);
                assert_eq!(back, *row);
            }
            below += rows.len() as u64;
        }
    }
}

#[test]
fn layers_are_blocks_of_the_movers_seeds() {
    for (pits, most) in [(1, 12), (2, 10), (3, 7), (4, 5), (6, 4)] {
        let numbering = Numbering::new(pits, most.into()).unwrap();
        assert_eq!(numbering.max_seeds(), most.into());
        for seeds in 0..=most {
            let layer = numbering.layer(seeds.into());
            assert_eq!(layer.seeds(), seeds.into());
            let mut index = 0;
            for own in 0..=seeds {
                assert_eq!(layer.start(own.into()), index);
                let opponents = sorted_rows(pits, seeds - own);
                for own in sorted_rows(pits, own) {
                    for opponent in &opponents {
                        let position = Position::of_rows(&own, opponent);
                        assert_eq!(numbering.number(&position), Some((seeds.into(), index)));
                        assert_eq!(numbering.position(seeds.into(), index), position);
                        let halves = layer.halves(index);
                        assert_eq!(halves.seeds(), seeds.into());
                        assert_eq!(halves.own, numbering.half_boards().rank(&own));
                        assert_eq!(halves.opponent, numbering.half_boards().rank(opponent));
                        assert_eq!(layer.index(&halves), index);
                        index += 1;
                    }
                }
            }
            assert_eq!(layer.size(), index);
            assert_eq!(index, binomial(u64::from(seeds) + 2 * pits as u64 - 1, 2 * pits as u64 - 1));
        }
    }
}

#[test]
fn sizes_are_the_known_ones() {
    let numbering = Numbering::new(6, 48).unwrap();
    let (mut sum, mut lines) = (0, 0);
    for line in include_str!("fixtures/kalah_sizes.csv").lines().skip(1) {
        let cells: Vec<u64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let layer = numbering.layer(cells[0] as u32);
        assert_eq!(layer.size(), cells[1], "{line}");
        // The first block has an empty row of the mover, the last one of the opponent.
        assert_eq!(layer.start(layer.seeds()) - layer.start(1.min(layer.seeds())), cells[2], "{line}");
        sum += layer.size();
        assert_eq!(sum, cells[3], "{line}");
        lines += 1;
    }
    assert_eq!(lines, 49);
}

#[test]
fn only_covered_positions_have_a_number() {
    let numbering = Numbering::new(3, 5).unwrap();
    let number = |own: &[u16], opponent: &[u16]| numbering.number(&Position::of_rows(own, opponent));
    assert_eq!(number(&[0, 0, 0], &[0, 0, 0]), Some((0, 0)));
    assert!(number(&[0, 0, 3], &[2, 0, 0]).is_some());
    assert_eq!(number(&[0, 0, 3], &[3, 0, 0]), None);
    assert_eq!(number(&[0, 3], &[2, 0]), None);
    assert_eq!(number(&[0, 0, 0, 3], &[2, 0, 0, 0]), None);
}

#[test]
fn numbers_beyond_64_bits_are_refused() {
    for pits in [6, 8, 10, 12, 20, 40] {
        let size = |seeds| wide_binomial(seeds + 2 * pits - 1, 2 * pits - 1);
        let too_many = (0..).find(|&seeds| size(seeds) > u64::MAX.into()).unwrap();
        let (pits, too_many) = (pits as usize, too_many as u32);
        let numbering = Numbering::new(pits, too_many - 1).unwrap();
        let layer = numbering.layer(too_many - 1);
        assert_eq!(u128::from(layer.size()), size(u64::from(too_many) - 1));
        let last = numbering.position(layer.seeds(), layer.size() - 1);
        assert_eq!(numbering.number(&last), Some((layer.seeds(), layer.size() - 1)));
        let error = Numbering::new(pits, too_many).unwrap_err();
        assert_eq!((error.pits, error.seeds), (pits, too_many));
        let told =
            format!("positions of {pits} pits a player and {too_many} seeds have numbers beyond 64 bits");
        assert!(error.to_string().starts_with(&told), "{error}");
    }
    assert!(HalfBoards::new(40, 255).is_err());
    assert!(HalfBoards::new(6, 255).is_ok());
}

/// Boards of 7 to 10 pits with 60 seeds, and small ones.
fn any_position() -> impl Strategy<Value = (Vec<u16>, Vec<u16>)> {
    (1..=10_usize).prop_flat_map(|pits| (any_row(pits), any_row(pits))).prop_map(|(own, mut opponent)| {
        let mut left = 60 - own.iter().sum::<u16>();
        for pit in &mut opponent {
            *pit = left.min(*pit);
            left -= *pit;
        }
        (own, opponent)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn large_half_boards_come_back_from_their_rank(row in (1..=10_usize).prop_flat_map(any_row)) {
        let halves = HalfBoards::new(row.len(), 60).unwrap();
        let half = halves.rank(&row);
        prop_assert_eq!(half, Half { seeds: row.iter().map(|&pit| u32::from(pit)).sum(), rank: rank(&row) });
        prop_assert!(half.rank < halves.count(half.seeds));
        let mut back = vec![u16::MAX; row.len()];
        halves.unrank(half, &mut back);
        prop_assert_eq!(back, row);
    }

    #[test]
    fn large_positions_come_back_from_their_number((own, opponent) in any_position()) {
        let numbering = Numbering::new(own.len(), 60).unwrap();
        let position = Position::of_rows(&own, &opponent);
        let (seeds, index) = numbering.number(&position).unwrap();
        prop_assert_eq!(seeds, position.seeds());
        prop_assert!(index < numbering.layer(seeds).size());
        prop_assert_eq!(numbering.position(seeds, index), position);
        // The blocks before it, each a full product of two sets of half boards.
        let count = |seeds: u32| binomial(u64::from(seeds) + own.len() as u64 - 1, own.len() as u64 - 1);
        let s = position.own.seeds();
        let start: u64 = (0..s).map(|s| count(s) * count(seeds - s)).sum();
        prop_assert_eq!(index, start + rank(&own) * count(seeds - s) + rank(&opponent));
    }

    #[test]
    fn indices_come_back_from_their_position(pits in 1..=10_usize, seeds in 0..=60_u32, part: u64) {
        let numbering = Numbering::new(pits, 60).unwrap();
        let index = part % numbering.layer(seeds).size();
        let position = numbering.position(seeds, index);
        prop_assert_eq!(numbering.number(&position), Some((seeds, index)));
        prop_assert_eq!(numbering.layer(seeds).index(&numbering.layer(seeds).halves(index)), index);
    }

    #[test]
    fn packed_rows_have_the_same_rank(row in (1..=6_usize).prop_flat_map(|pits| {
        prop::collection::vec(prop_oneof![Just(0), 0..=3_u16, 0..=255_u16], pits)
    })) {
        let mut left = 255;
        let row: Vec<u16> = row.iter().map(|&pit| { let pit = pit.min(left); left -= pit; pit }).collect();
        let halves = HalfBoards::new(row.len(), 255).unwrap();
        let packed = row.iter().rev().fold(0_u64, |word, &pit| word << 8 | u64::from(pit));
        prop_assert_eq!(halves.rank_packed(packed), halves.rank(&row));
        prop_assert_eq!(halves.rank(&row).rank, rank(&row));
    }

    #[test]
    fn both_engines_number_a_position_alike((own, opponent) in any_position()) {
        let own = &own[..own.len().min(6)];
        let opponent = &opponent[..own.len()];
        let rules = layers::game(&format!("kalah:{}x4", own.len()));
        let (ring, kernel) = (Ring::new(&rules).unwrap(), SingleLap::new(&rules).unwrap());
        let halves = HalfBoards::new(own.len(), 60).unwrap();
        let position = Position::of_rows(own, opponent);
        let expected = Numbered::halves(&ring, &halves, &ring.pack(&position));
        prop_assert_eq!(Numbered::halves(&kernel, &halves, &kernel.pack(&position)), expected);
        prop_assert_eq!(expected.own, halves.rank(own));
        prop_assert_eq!(expected.opponent, halves.rank(opponent));
    }
}
