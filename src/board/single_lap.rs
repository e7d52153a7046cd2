//! The hot kernel: single laps through the own store, on boards of up to six pits.
//!
//! A row is a word with one byte a pit. Sowing adds one precomputed pair of words, so a move of
//! any number of seeds costs two additions; the byte above the last pit collects what falls into
//! the store, and the top byte of the opponent's word says where the last seed fell. Pits and
//! stores hold at most 255 seeds together, so no byte overflows.

use super::ring::final_share;
use super::{Cell, Game, Move, NoEngine, Played, Position, Ring, Row};
use crate::rules::*;

/// Largest number of pits in a row.
const MAX_ROW: usize = 6;
const MAX_SEEDS: usize = 255;
/// Position of the store's byte.
const STORE: u32 = 8 * MAX_ROW as u32;
const PITS: u64 = (1 << STORE) - 1;

/// The last seed fell into the own store.
const LAST_STORE: u64 = 0xfe;
/// The last seed fell where nothing can happen.
const LAST_OTHER: u64 = 0xff;

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

/// The first switch, with its value, in which a rule set that [`Ring`] plays is not of Kalah's kind.
/// What is not listed must have its plain value, so a switch that is new to the record is refused
/// until somebody decides.
pub(crate) fn unlike_kalah(switches: &Switches) -> Option<String> {
    let plain = Switches::default();
    let of_kalah =
        |key: &str| KALAH.contains(&key) && (key != "capture" || switches.capture != Capture::TwoThree);
    let keys = Switches::keys().into_iter().filter(|key| !of_kalah(key));
    keys.filter_map(|key| {
        let value = switches.get(&key);
        (value != plain.get(&key)).then(|| format!("{key}={}", value.unwrap_or_default()))
    })
    .next()
}

/// Two rows, one byte a pit, pit 1 in the lowest byte; the upper two bytes are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Word {
    /// The mover's row.
    pub own: u64,
    /// The opponent's row.
    pub opponent: u64,
}

/// What to add to both rows.
#[derive(Clone, Copy, Default)]
struct Sowing {
    own: u64,
    opponent: u64,
}

/// The kernel with its table of sowings.
#[derive(Clone)]
pub struct SingleLap {
    rules: Rules,
    pits: usize,
    /// By pit and seeds.
    sowings: Box<[[Sowing; MAX_SEEDS + 1]; MAX_ROW]>,
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
    /// [`NoEngine`] naming a switch that the kernel does not do; [`Ring`] may do it.
    pub fn new(rules: &Rules) -> Result<SingleLap, NoEngine> {
        let ring = Ring::new(rules)?;
        let refusal = if usize::from(rules.pits) > MAX_ROW {
            Some(format!("{} pits a row in the fast kernel", rules.pits))
        } else {
            unlike_kalah(&rules.switches).map(|switch| format!("{switch} in the fast kernel"))
        };
        if let Some(switch) = refusal {
            return Err(NoEngine { game: rules.title(), switch });
        }
        let s = &rules.switches;
        Ok(SingleLap {
            rules: rules.clone(),
            pits: rules.pits.into(),
            sowings: sowings(&ring),
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
        let last = opponent >> 56;
        let mut gain = (own >> STORE) as i32;
        own &= PITS;
        opponent &= PITS;
        let mut again = last == LAST_STORE && self.store_again;
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

/// Seeds in a row.
#[inline(always)]
pub(crate) fn row_seeds(row: u64) -> u32 {
    // The sum of all bytes, at most 255, ends in the top byte.
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// Fills the table of sowings by running the plain engine.
fn sowings(ring: &Ring) -> Box<[[Sowing; MAX_SEEDS + 1]; MAX_ROW]> {
    let mut table = Box::new([[Sowing::default(); MAX_SEEDS + 1]; MAX_ROW]);
    let pits = usize::from(ring.rules().pits);
    for pit in 0..pits {
        for seeds in 1..=MAX_SEEDS {
            let mut row = Row::empty(pits);
            row[pit] = seeds as u16;
            let (board, last) = ring.sow_half(&row, pit);
            let last = match last {
                Cell::Own(pit) => pit as u64,
                Cell::Store => LAST_STORE,
                _ => LAST_OTHER,
            };
            let lifted = (seeds as u64) << (8 * pit);
            table[pit][seeds] = Sowing {
                own: (pack_row(&board.own) | (board.stores[0] as u64) << STORE).wrapping_sub(lifted),
                opponent: pack_row(&board.opponent) | last << 56,
            };
        }
    }
    table
}

fn pack_row(row: &Row) -> u64 {
    row.iter().rev().fold(0, |word, &pit| word << 8 | u64::from(pit))
}

impl Game for SingleLap {
    type Position = Word;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    /// # Panics
    /// If the pits hold more than 255 seeds.
    fn pack(&self, position: &Position) -> Word {
        assert!(position.seeds() <= MAX_SEEDS as u32, "the kernel counts in bytes: {position}");
        Word { own: pack_row(&position.own), opponent: pack_row(&position.opponent) }
    }

    fn unpack(&self, word: &Word) -> Position {
        let row = |row: u64| {
            let mut pits = Row::empty(self.pits);
            pits.iter_mut().enumerate().for_each(|(pit, seeds)| *seeds = (row >> (8 * pit)) as u16 & 0xff);
            pits
        };
        Position { own: row(word.own), opponent: row(word.opponent), stores: [0, 0] }
    }

    #[inline(always)]
    fn seeds(&self, word: &Word) -> u32 {
        row_seeds(word.own + word.opponent)
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
            let seeds = (word.own >> (8 * pit)) as usize & 0xff;
            if seeds > 0 {
                let (gain, again, next) = self.play(*word, pit, seeds);
                let choice = Move::Pit(pit as u8 + 1);
                visit(Played { choice, gain, opponent_gain: 0, again, next });
            }
        }
    }
}
