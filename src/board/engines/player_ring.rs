//! The ring of one player's pits in a game of four rows: plainly, and packed into a machine word.

use std::fmt::Debug;
use std::hash::Hash;

use crate::board::sealed::Sealed;
use crate::board::{Row, Way};
use crate::rules::MAX_PITS;

/// Most pits of a ring.
pub(super) const MOST_PITS: usize = 16;

/// The pits of one player, which he alone sows, numbered from 0 in a circle.
///
/// It is sealed: more may be asked of rings at any time.
pub trait PlayerRing: Sealed + Copy + Eq + Hash + Send + Sync + Debug + 'static {
    /// Most seeds of both players together that rings count.
    const MOST_SEEDS: u32;
    /// Most pits of a ring.
    const MOST_PITS: usize;
    /// What sowing looks up.
    type Sowings: Clone + Send + Sync + Debug;

    /// What sowing in rings of some even number of pits, at most [`PlayerRing::MOST_PITS`], looks up.
    fn sowings(pits: usize) -> Self::Sowings;

    /// A ring with the seeds of a row.
    fn of_row(row: &Row) -> Self;

    /// Seeds in a pit.
    fn seeds_in(&self, pit: usize) -> u32;

    /// Puts seeds into a pit.
    fn put(&mut self, pit: usize, seeds: u32);

    /// Takes all seeds of a pit and returns their number.
    fn lift(&mut self, pit: usize) -> u32;

    /// Drops at least one seed, one by one, the first into this pit; returns the pit that got the last one.
    fn sow(&mut self, sowings: &Self::Sowings, first: usize, seeds: u32, way: Way) -> usize;

    /// The pits 1 to 8 with a byte each, pit 1 lowest, if they are kept so.
    fn packed(&self) -> Option<u64> {
        None
    }

    /// Whether the first `pits` pits, at most 8, are empty.
    fn is_empty_up_to(&self, pits: usize) -> bool {
        (0..pits).all(|pit| self.seeds_in(pit) == 0)
    }

    /// Whether some pit holds two seeds or more.
    fn has_pair(&self, pits: usize) -> bool {
        (0..pits).any(|pit| self.seeds_in(pit) >= 2)
    }

    /// The row of so many pits.
    fn to_row(&self, pits: usize) -> Row {
        let mut row = Row::empty(pits);
        (0..pits).for_each(|pit| row[pit] = self.seeds_in(pit) as u16);
        row
    }
}

/// A ring as a list of numbers: the measure for the packed one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlainRing([u16; MOST_PITS]);

const _: () = assert!(MOST_PITS <= MAX_PITS);

impl Sealed for PlainRing {}

impl PlayerRing for PlainRing {
    const MOST_SEEDS: u32 = u16::MAX as u32;
    const MOST_PITS: usize = MOST_PITS;
    type Sowings = usize;

    fn sowings(pits: usize) -> usize {
        pits
    }

    fn of_row(row: &Row) -> PlainRing {
        let mut pits = [0; MOST_PITS];
        pits[..row.len()].copy_from_slice(row);
        PlainRing(pits)
    }

    fn seeds_in(&self, pit: usize) -> u32 {
        self.0[pit].into()
    }

    fn put(&mut self, pit: usize, seeds: u32) {
        self.0[pit] += seeds as u16;
    }

    fn lift(&mut self, pit: usize) -> u32 {
        std::mem::take(&mut self.0[pit]).into()
    }

    fn sow(&mut self, pits: &usize, first: usize, seeds: u32, way: Way) -> usize {
        // Whole rounds at once, up to the one that has the last seed.
        let ring = *pits as u32;
        let rounds = (seeds - 1) / ring;
        if rounds > 0 {
            (0..*pits).for_each(|pit| self.put(pit, rounds));
        }
        let mut pit = first;
        for _ in 1..seeds - rounds * ring {
            self.put(pit, 1);
            pit = beside(pit, way, *pits);
        }
        self.put(pit, 1);
        pit
    }
}

/// The pit that follows another one in a direction.
#[inline(always)]
pub(super) fn beside(pit: usize, way: Way, pits: usize) -> usize {
    match way {
        Way::With if pit + 1 == pits => 0,
        Way::With => pit + 1,
        Way::Against if pit == 0 => pits - 1,
        Way::Against => pit - 1,
    }
}

/// Makes rings that have one byte a pit in a word, so that a sowing is one addition. They count up to 255 seeds.
macro_rules! rings_in_words {
    ($($(#[$about:meta])* $ring:ident, $sowings:ident, $word:ty, $halves:literal;)+) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
            pub struct $ring([u64; $halves]);

            /// By direction and first pit, what a sowing of fewer seeds than pits adds, and where it ends.
            #[derive(Clone, Debug)]
            pub struct $sowings {
                pits: u32,
                /// One seed in every pit.
                all: $word,
                lines: Vec<[($word, u8); 8 * $halves]>,
            }

            impl Sealed for $ring {}

            impl PlayerRing for $ring {
                const MOST_SEEDS: u32 = u8::MAX as u32;
                const MOST_PITS: usize = 8 * $halves;
                type Sowings = $sowings;

                fn sowings(pits: usize) -> $sowings {
                    let line = |way, first: usize| {
                        let mut line = [(0 as $word, 0_u8); Self::MOST_PITS];
                        let (mut added, mut pit) = (0, first);
                        // No seed left over after whole rounds: the last pit is the one before the first.
                        line[0].1 = (0..pits - 1).fold(first, |pit, _| beside(pit, way, pits)) as u8;
                        for entry in &mut line[1..pits] {
                            added += (1 as $word) << (8 * pit);
                            *entry = (added, pit as u8);
                            pit = beside(pit, way, pits);
                        }
                        line
                    };
                    let unused = [(0, 0); Self::MOST_PITS];
                    let lines = [Way::With, Way::Against].into_iter().flat_map(|way| {
                        (0..Self::MOST_PITS).map(move |first| if first < pits { line(way, first) } else { unused })
                    });
                    let all = (0..pits).map(|pit| (1 as $word) << (8 * pit)).sum();
                    $sowings { pits: pits as u32, all, lines: lines.collect() }
                }

                fn of_row(row: &Row) -> $ring {
                    let pits = row.iter().enumerate();
                    $ring::of_word(pits.map(|(pit, &seeds)| <$word>::from(seeds) << (8 * pit)).sum())
                }

                #[inline(always)]
                fn seeds_in(&self, pit: usize) -> u32 {
                    (self.word() >> (8 * pit)) as u32 & 0xff
                }

                #[inline(always)]
                fn put(&mut self, pit: usize, seeds: u32) {
                    *self = $ring::of_word(self.word() + (<$word>::from(seeds) << (8 * pit)));
                }

                #[inline(always)]
                fn lift(&mut self, pit: usize) -> u32 {
                    let seeds = self.seeds_in(pit);
                    *self = $ring::of_word(self.word() & !(0xff << (8 * pit)));
                    seeds
                }

                #[inline(always)]
                fn sow(&mut self, sowings: &$sowings, first: usize, seeds: u32, way: Way) -> usize {
                    let (mut rest, mut word) = (seeds, self.word());
                    while rest >= sowings.pits {
                        word += sowings.all;
                        rest -= sowings.pits;
                    }
                    let (added, last) = sowings.lines[Self::MOST_PITS * way as usize + first][rest as usize];
                    *self = $ring::of_word(word + added);
                    last.into()
                }

                #[inline(always)]
                fn packed(&self) -> Option<u64> {
                    Some(self.0[0])
                }

                #[inline(always)]
                fn is_empty_up_to(&self, pits: usize) -> bool {
                    self.0[0] << (64 - 8 * pits) == 0
                }

                #[inline(always)]
                fn has_pair(&self, _: usize) -> bool {
                    // A byte is at least two exactly if it has a bit above the lowest.
                    self.0.iter().any(|half| half & 0xfefe_fefe_fefe_fefe != 0)
                }
            }
        )+
    };
}

rings_in_words! {
    /// A ring of up to 16 pits with one byte a pit.
    PackedRing, PackedSowings, u128, 2;
    /// A ring of up to 8 pits with one byte a pit.
    ShortRing, ShortSowings, u64, 1;
}

impl PackedRing {
    #[inline(always)]
    fn word(&self) -> u128 {
        u128::from(self.0[1]) << 64 | u128::from(self.0[0])
    }

    #[inline(always)]
    fn of_word(word: u128) -> PackedRing {
        PackedRing([word as u64, (word >> 64) as u64])
    }
}

impl ShortRing {
    #[inline(always)]
    fn word(&self) -> u64 {
        self.0[0]
    }

    #[inline(always)]
    fn of_word(word: u64) -> ShortRing {
        ShortRing([word])
    }
}
