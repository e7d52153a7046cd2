//! What the fast kernels share: rows as words of one byte a pit, and sowing by two additions.
//!
//! Pits and stores hold at most 255 seeds together, so no byte overflows.

use crate::board::check::fits;
use crate::board::{Cell, Game, NoEngine, Position, Ring, Row};
use crate::rules::{Rules, Switches};

/// Largest number of pits in a row of single laps.
pub(super) const MAX_ROW: usize = 6;
/// Largest number of seeds.
pub(super) const MAX_SEEDS: usize = 255;
/// Position of the byte above the last pit: what falls into the mover's store.
pub(super) const STORE: u32 = 8 * MAX_ROW as u32;
/// The bytes of the pits.
pub(super) const PITS: u64 = (1 << STORE) - 1;
/// Position of the byte of the opponent's word that says where the last seed fell.
pub(super) const LAST: u32 = 56;

/// Two rows of up to eight pits, one byte a pit, pit 1 in the lowest byte; the other bytes are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Word {
    /// The mover's row.
    pub own: u64,
    /// The opponent's row.
    pub opponent: u64,
}

impl Word {
    /// Whether the rows of a position are words, on a board with so many pits, that say all.
    #[inline]
    pub(super) fn holds(position: &Position, pits: usize) -> bool {
        position.is_plain() && fits(position, pits, MAX_SEEDS as u32)
    }

    /// The pits of a position.
    ///
    /// # Panics
    /// Unless [`Word::holds`] it on a board with so many pits.
    pub(super) fn pack(position: &Position, pits: usize) -> Word {
        assert!(
            Word::holds(position, pits),
            "{position} is no position of two open rows of {pits} pits and up to 255 seeds"
        );
        Word { own: pack_row(&position.own), opponent: pack_row(&position.opponent) }
    }

    /// The position with empty stores.
    pub(super) fn unpack(&self, pits: usize) -> Position {
        let row = |row: u64| {
            let mut unpacked = Row::empty(pits);
            for (pit, seeds) in unpacked.iter_mut().enumerate() {
                *seeds = pit_seeds(row, pit) as u16;
            }
            unpacked
        };
        Position::of_rows(row(self.own), row(self.opponent))
    }

    /// The sum of both rows, byte by byte as long as none overflows; differences are added as
    /// two's complements.
    #[inline(always)]
    pub(super) fn plus(self, other: Word) -> Word {
        Word { own: self.own.wrapping_add(other.own), opponent: self.opponent.wrapping_add(other.opponent) }
    }

    /// The same position from the other side.
    #[inline(always)]
    pub(super) fn flipped(&self) -> Word {
        Word { own: self.opponent, opponent: self.own }
    }

    /// Seeds in the pits.
    #[inline(always)]
    pub(super) fn seeds(&self) -> u32 {
        row_seeds(self.own + self.opponent)
    }
}

fn pack_row(row: &Row) -> u64 {
    row.iter().rev().fold(0, |word, &pit| word << 8 | u64::from(pit))
}

/// Seeds in a row.
#[inline(always)]
pub(super) fn row_seeds(row: u64) -> u32 {
    // The sum of all bytes, at most 255, ends in the top byte.
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// Seeds in a pit, from 0.
#[inline(always)]
pub(super) fn pit_seeds(row: u64, pit: usize) -> usize {
    (row >> (8 * pit)) as usize & 0xff
}

/// What to add to both rows.
#[derive(Clone, Copy, Default)]
pub(super) struct Sowing {
    pub own: u64,
    pub opponent: u64,
}

/// By pit and seeds.
pub(super) type Sowings = Box<[[Sowing; MAX_SEEDS + 1]; MAX_ROW]>;

/// Fills the table of sowings by running the plain engine; `last` tells what a kernel wants to find
/// in the byte [`LAST`].
pub(super) fn sowings(ring: &Ring, last: impl Fn(Cell) -> u8) -> Sowings {
    let mut table = Box::new([[Sowing::default(); MAX_SEEDS + 1]; MAX_ROW]);
    let pits = usize::from(ring.rules().pits());
    for pit in 0..pits {
        for seeds in 1..=MAX_SEEDS {
            let mut row = Row::empty(pits);
            row[pit] = seeds as u16;
            let (board, cell) = ring.sow_half(&row, pit);
            let lifted = (seeds as u64) << (8 * pit);
            table[pit][seeds] = Sowing {
                own: (pack_row(&board.own) | (board.stores[0] as u64) << STORE).wrapping_sub(lifted),
                opponent: pack_row(&board.opponent) | u64::from(last(cell)) << LAST,
            };
        }
    }
    table
}

/// The plain engine of a rule set for a kernel, on boards of up to `max_row` pits a row, to take its
/// sowings from. `unlike` is the switch, with its value, that the kernel does not do.
///
/// # Errors
/// [`NoEngine`] if the plain engine does not play the rule set, the board is too large for a word, or
/// there is such a switch.
pub(super) fn ring(rules: &Rules, max_row: usize, unlike: Option<String>) -> Result<Ring, NoEngine> {
    let ring = Ring::new(rules)?;
    let refusal = if usize::from(rules.pits()) > max_row {
        Some(format!("boards of {} pits a row", rules.pits()))
    } else {
        unlike
    };
    match refusal {
        None => Ok(ring),
        Some(beyond) => Err(NoEngine::OnlyPlain { game: rules.title(), beyond }),
    }
}

/// The first switch, with its value, that is not in a list and does not have its plain value. A switch
/// that is new to the record is in no list, and so refused until somebody decides.
pub(in crate::board) fn first_beyond(known: &[&str], switches: &Switches) -> Option<String> {
    let words = switches.words().into_iter().zip(Switches::default().words());
    let mut changed = words.filter(|(word, plain)| word != plain).map(|(word, _)| word);
    let (key, value) = changed.find(|(key, _)| !known.contains(&key.as_str()))?;
    Some(format!("{key}={value}"))
}
