//! The fast kernel for Oware's kind: single laps that pass the stores by and capture chains of two and
//! three, on boards of up to six pits.
//!
//! A move costs two additions, and the top byte of the opponent's word says how much of his row the
//! last seed reached. All pits of a chain are found at once: they are those above the highest one,
//! of the pits reached, that does not hold two or three.

use super::word::{self, LAST, MAX_ROW, MAX_SEEDS, PITS, Sowings, pit_seeds, row_seeds};
use crate::board::engines::{final_share, two_rows};
use crate::board::{Cell, Game, Move, NoEngine, Played, Position, Word};
use crate::rules::*;

/// The switches that Oware varies, and those that say nothing about games of its kind.
const OWARE: &[&str] = &[
    "origin",
    "capture",
    "trigger",
    "empty-capture",
    "grand-slam",
    "feed",
    "extra-move",
    "end",
    "rest",
    "quan-value",
    "quan-safe",
    "endless",
    "cycle",
];

/// The kernel with its table of sowings.
#[derive(Clone)]
pub struct ChainLap {
    rules: Rules,
    pits: usize,
    /// The byte [`LAST`] holds the bits of the opponent's pits up to the last seed; 0 if it fell into
    /// the own row.
    sowings: Sowings,
    grand_slam: GrandSlam,
    feed: Feed,
    ends_when_either_is_empty: bool,
    rest: Rest,
}

impl ChainLap {
    /// A kernel for a rule set, if it is of this kind.
    ///
    /// # Errors
    /// [`NoEngine`] naming a switch that the kernel does not do; [`Ring`](crate::board::Ring) may do it.
    pub fn new(rules: &Rules) -> Result<ChainLap, NoEngine> {
        let s = two_rows(rules)?;
        let unlike = match s.capture {
            Capture::TwoThree => word::first_beyond(OWARE, s),
            _ => s.get("capture").map(|value| format!("capture={value}")),
        };
        let ring = word::ring(rules, MAX_ROW, unlike)?;
        let last = |cell| match cell {
            Cell::Opponent(pit) => 8 * (pit as u8 + 1),
            _ => 0,
        };
        Ok(ChainLap {
            rules: rules.clone(),
            pits: rules.pits().into(),
            sowings: word::sowings(&ring, last),
            grand_slam: s.grand_slam,
            feed: s.feed,
            ends_when_either_is_empty: s.end == End::RowEmpty,
            rest: s.rest,
        })
    }

    /// Sows an own pit, from 0, that holds `seeds` > 0. Returns the own row, the opponent's row before
    /// captures, and the part of it that the last seed captures.
    #[inline(always)]
    fn sow(&self, word: &Word, pit: usize, seeds: usize) -> (u64, u64, u64) {
        let sowing = &self.sowings[pit][seeds];
        let own = word.own.wrapping_add(sowing.own);
        let sown = word.opponent.wrapping_add(sowing.opponent);
        let opponent = sown & PITS;
        (own, opponent, chain(opponent, sown >> LAST))
    }

    /// Plays an own pit, from 0, that holds `seeds` > 0: points gained and the next position; `None`
    /// if the move is illegal.
    #[inline(always)]
    fn play(&self, word: &Word, pit: usize, seeds: usize) -> Option<(i32, Word)> {
        let (own, opponent, mut captured) = self.sow(word, pit, seeds);
        if captured == opponent {
            captured = self.capture_all(word, captured)?;
        }
        Some((row_seeds(captured) as i32, Word { own: opponent - captured, opponent: own }))
    }

    /// What a move captures that would leave the opponent no seed, and would capture the row
    /// `captured`, which is empty if he has none; `None` if the move is illegal.
    #[inline]
    fn capture_all(&self, word: &Word, captured: u64) -> Option<u64> {
        match self.grand_slam {
            GrandSlam::NoCapture if captured > 0 => return Some(0),
            GrandSlam::Illegal if captured > 0 => return None,
            _ => (),
        }
        let must_feed = match self.feed {
            Feed::None => false,
            Feed::MustFeed => word.opponent == 0,
            Feed::LeaveAMove => self.can_feed(word),
        };
        (!must_feed).then_some(captured)
    }

    /// Whether a move leaves the opponent a seed.
    fn can_feed(&self, word: &Word) -> bool {
        let slams_feed = self.grand_slam == GrandSlam::NoCapture;
        self.own_pits(word).any(|(pit, seeds)| {
            let (_, opponent, captured) = self.sow(word, pit, seeds);
            captured != opponent || (slams_feed && captured > 0)
        })
    }

    /// The own pits that hold seeds, and how many.
    #[inline(always)]
    fn own_pits(&self, word: &Word) -> impl Iterator<Item = (usize, usize)> {
        let own = word.own;
        (0..self.pits).map(move |pit| (pit, pit_seeds(own, pit))).filter(|&(_, seeds)| seeds > 0)
    }

    /// Whether the game is over by the seeds in the rows.
    #[inline(always)]
    fn is_over(&self, word: &Word) -> bool {
        word.own == 0 || (word.opponent == 0 && self.ends_when_either_is_empty)
    }

    /// Whether a player who has seeds is without a legal move. A move that leaves the opponent a seed
    /// is illegal only as a grand slam, so most positions need no look at the moves.
    #[inline(always)]
    fn is_stuck(&self, word: &Word) -> bool {
        let unsure = match self.feed {
            Feed::MustFeed => word.opponent == 0,
            _ => false,
        };
        (unsure || self.grand_slam == GrandSlam::Illegal)
            && self.own_pits(word).all(|(pit, seeds)| self.play(word, pit, seeds).is_none())
    }
}

/// The pits that a last seed captures in a row of which it reached the lowest `reached` bits, in their
/// bytes; the other bytes are 0.
#[inline(always)]
fn chain(row: u64, reached: u64) -> u64 {
    const TWOS: u64 = 0x0202_0202_0202_0202;
    const ALL_BUT_LOWEST: u64 = 0xfefe_fefe_fefe_fefe;
    // Bytes of two or three become 0, all others do not.
    let others = (row ^ TWOS) & ALL_BUT_LOWEST & !(!0 << reached);
    // The highest bit one byte further up, rounded down to its byte: the first bit above the pit. If
    // there is no such pit, the added bit makes that 0.
    let spared = (others << 8 | 1).ilog2() & !7;
    row & !(!0 << reached) & (!0 << spared)
}

engine!(ChainLap);

impl Game for ChainLap {
    type Position = Word;
    const MOST_SEEDS: u32 = MAX_SEEDS as u32;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn holds(&self, position: &Position) -> bool {
        Word::holds(position, self.pits)
    }

    fn pack(&self, position: &Position) -> Word {
        Word::pack(position, self.pits)
    }

    fn unpack(&self, word: &Word) -> Position {
        word.unpack(self.pits)
    }

    #[inline(always)]
    fn seeds(&self, word: &Word) -> u32 {
        word.seeds()
    }

    #[inline(always)]
    fn end_value(&self, word: &Word) -> Option<i32> {
        let over = self.is_over(word) || self.is_stuck(word);
        over.then(|| final_share(self.rest, row_seeds(word.own), row_seeds(word.opponent)))
    }

    #[inline(always)]
    fn for_each_move(&self, word: &Word, mut visit: impl FnMut(Played<Word>)) {
        if self.is_over(word) {
            return;
        }
        for (pit, seeds) in self.own_pits(word) {
            if let Some((gain, next)) = self.play(word, pit, seeds) {
                let choice = Move::Pit(pit as u8 + 1);
                visit(Played { choice, gain, opponent_gain: 0, again: false, next });
            }
        }
    }
}
