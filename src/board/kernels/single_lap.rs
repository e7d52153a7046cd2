//! The hot kernel: single laps through the own store, on boards of up to six pits.
//!
//! A move of any number of seeds costs two additions; the byte above the last pit collects what
//! falls into the store, and the top byte of the opponent's word says where the last seed fell.

use super::word::{self, LAST, MAX_ROW, MAX_SEEDS, PITS, STORE, Sowings, pit_seeds, row_seeds};
use crate::board::engines::{final_share, two_rows};
use crate::board::{Cell, Game, Move, NoEngine, Played, Position, Word};
use crate::rules::*;

/// The last seed fell into the own store.
const LAST_STORE: u8 = 0xfe;
/// The last seed fell where nothing can happen.
const LAST_OTHER: u8 = 0xff;

/// The switches that Kalah varies, and those that say nothing about games without cycles.
const KALAH: &[&str] = &[
    "own-store",
    "origin",
    "capture",
    "trigger",
    "empty-capture",
    "extra-move",
    "end",
    "rest",
    "quan-value",
    "quan-safe",
    "endless",
    "cycle",
];

/// The first switch, with its value, in which a rule set that [`Ring`](crate::board::Ring) plays is not of
/// Kalah's kind.
pub(crate) fn unlike_kalah(switches: &Switches) -> Option<String> {
    if switches.capture == Capture::TwoThree {
        return Some("capture=two-three".into());
    }
    word::first_beyond(KALAH, switches)
}

/// The kernel with its table of sowings.
#[derive(Clone)]
pub struct SingleLap {
    rules: Rules,
    pits: usize,
    sowings: Sowings,
    captures: bool,
    takes_last: bool,
    empty_capture: bool,
    store_again: bool,
    capture_again: bool,
    ends_when_either_is_empty: bool,
    rest: Rest,
}

impl SingleLap {
    /// A kernel for a rule set, if it is of this kind.
    ///
    /// # Errors
    /// [`NoEngine`] naming a switch that the kernel does not do; [`Ring`](crate::board::Ring) may do it.
    pub fn new(rules: &Rules) -> Result<SingleLap, NoEngine> {
        let s = two_rows(rules)?;
        let ring = word::ring(rules, MAX_ROW, unlike_kalah(s))?;
        let last = |cell| match cell {
            Cell::Own(pit) => pit as u8,
            Cell::Store => LAST_STORE,
            _ => LAST_OTHER,
        };
        Ok(SingleLap {
            rules: rules.clone(),
            pits: rules.pits().into(),
            sowings: word::sowings(&ring, last),
            captures: s.capture == Capture::Cross,
            takes_last: s.trigger == Trigger::Take,
            empty_capture: s.trigger == Trigger::Take && s.empty_capture.yes(),
            store_again: s.extra_move != ExtraMove::None,
            capture_again: s.extra_move == ExtraMove::StoreOrCapture,
            ends_when_either_is_empty: s.end == End::RowEmpty,
            rest: s.rest,
        })
    }

    /// Plays an own pit, from 0, that holds `seeds` > 0: points gained, extra move, next position.
    #[inline(always)]
    fn play(&self, word: Word, pit: usize, seeds: usize) -> (i32, bool, Word) {
        let sowing = &self.sowings[pit][seeds];
        let mut own = word.own.wrapping_add(sowing.own);
        let mut opponent = word.opponent.wrapping_add(sowing.opponent);
        let last = opponent >> LAST;
        let mut gain = (own >> STORE) as i32;
        own &= PITS;
        opponent &= PITS;
        let mut again = last == u64::from(LAST_STORE) && self.store_again;
        if last < MAX_ROW as u64 {
            let here = 8 * last as u32;
            if (own >> here) & 0xff == 1 && self.captures {
                let there = 8 * (self.pits as u32 - 1) - here;
                let captured = (opponent >> there) & 0xff;
                if captured > 0 || self.empty_capture {
                    opponent &= !(0xff << there);
                    gain += captured as i32;
                    if self.takes_last {
                        own &= !(0xff << here);
                        gain += 1;
                    }
                    again = captured > 0 && self.capture_again;
                }
            }
        }
        let next = if again { Word { own, opponent } } else { Word { own: opponent, opponent: own } };
        (gain, again, next)
    }
}

engine!(SingleLap);

impl Game for SingleLap {
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
        let over = word.own == 0 || (word.opponent == 0 && self.ends_when_either_is_empty);
        over.then(|| final_share(self.rest, row_seeds(word.own), row_seeds(word.opponent)))
    }

    #[inline(always)]
    fn for_each_move(&self, word: &Word, mut visit: impl FnMut(Played<Word>)) {
        if self.ends_when_either_is_empty && word.opponent == 0 {
            return;
        }
        for pit in 0..self.pits {
            let seeds = pit_seeds(word.own, pit);
            if seeds > 0 {
                let (gain, again, next) = self.play(*word, pit, seeds);
                let choice = Move::Pit(pit as u8 + 1);
                visit(Played { choice, gain, opponent_gain: 0, again, next });
            }
        }
    }
}
