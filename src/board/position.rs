//! A position of any game, as people write it.

use std::ops::{Deref, DerefMut};

use super::Outcome;
use crate::rules::{FourRows, KiswahiliSetup, MAX_PITS, OmwesoSetup, RuleKind, Rules, YesNo};

/// The pits of one player in his sowing order; in a game of four rows those of both his rows, the front row
/// first. Dereferences to the slice of seed counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Row {
    len: u8,
    /// One bit a pit, pit 1 lowest. A closed pit holds no seed.
    closed: u64,
    pits: [u16; MAX_PITS],
}

const _: () = assert!(MAX_PITS <= 64);

impl Row {
    /// A row of `len` empty pits.
    ///
    /// # Panics
    /// If `len` is larger than [`MAX_PITS`].
    pub fn empty(len: usize) -> Row {
        assert!(len <= MAX_PITS, "a row has at most {MAX_PITS} pits");
        Row { len: len as u8, closed: 0, pits: [0; MAX_PITS] }
    }

    /// Closes a pit, from 0: it is no longer part of the ring, and the seeds in it are gone.
    ///
    /// # Panics
    /// If there is no such pit.
    pub fn close(&mut self, pit: usize) {
        self[pit] = 0;
        self.closed |= 1 << pit;
    }

    /// Whether a pit, from 0, is closed.
    #[inline]
    pub fn is_closed(&self, pit: usize) -> bool {
        self.closed >> pit & 1 == 1
    }

    /// The closed pits, one bit each, pit 1 lowest.
    #[inline]
    pub fn closed(&self) -> u64 {
        self.closed
    }

    /// Seeds in the row.
    pub fn seeds(&self) -> u32 {
        self.iter().map(|&pit| u32::from(pit)).sum()
    }
}

impl From<&[u16]> for Row {
    fn from(pits: &[u16]) -> Row {
        let mut row = Row::empty(pits.len());
        row.copy_from_slice(pits);
        row
    }
}

impl From<&Vec<u16>> for Row {
    fn from(pits: &Vec<u16>) -> Row {
        Row::from(&pits[..])
    }
}

impl<const PITS: usize> From<&[u16; PITS]> for Row {
    fn from(pits: &[u16; PITS]) -> Row {
        const { assert!(PITS <= MAX_PITS, "a row has at most so many pits") };
        Row::from(&pits[..])
    }
}

impl Deref for Row {
    type Target = [u16];
    fn deref(&self) -> &[u16] {
        &self.pits[..usize::from(self.len)]
    }
}

impl DerefMut for Row {
    fn deref_mut(&mut self) -> &mut [u16] {
        &mut self.pits[..usize::from(self.len)]
    }
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.deref().fmt(f)
    }
}

/// The two end cells of a board with quan cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quan {
    /// Whether the big piece still lies in cell A, after the mover's last pit, and in cell B, before his
    /// first.
    pub pieces: [bool; 2],
    /// Seeds in the cells A and B.
    pub seeds: [u16; 2],
}

impl Quan {
    /// Whether a cell, 0 for A and 1 for B, holds neither piece nor seeds.
    pub fn is_empty(&self, cell: usize) -> bool {
        !self.pieces[cell] && self.seeds[cell] == 0
    }
}

/// What the position of a game of four rows has beside the seeds on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Stage {
    /// For so many more moves captures are off, 0 to 2 (Omweso).
    pub opening: u8,
    /// Seeds in the hand of the mover and of the opponent (Bao la kiswahili).
    pub hand: [u16; 2],
    /// Whether the mover and the opponent own their houses (Bao la kiswahili).
    pub house: [bool; 2],
    /// The front pit, from 1, that is blocked for the mover in this turn; 0 for none (Bao la kiswahili).
    pub blocked: u8,
    /// A rule other than a test of the board has ended the game so, for the mover.
    pub result: Option<Outcome>,
}

/// What lies on the board and in the stores, from the side of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The mover's pits in his sowing order.
    pub own: Row,
    /// The opponent's pits in his own sowing order.
    pub opponent: Row,
    /// Points the mover and the opponent have.
    pub stores: [i32; 2],
    /// The quan cells; empty in games without them.
    pub quan: Quan,
    /// What games of four rows have beside; plain in others.
    pub stage: Stage,
}

impl Position {
    /// The opening position.
    pub fn start(rules: &Rules) -> Position {
        let switches = match rules.kind() {
            RuleKind::TwoRows(switches) => switches,
            RuleKind::FourRows(four_rows) => return Position::start_of_four_rows(rules, four_rows),
        };
        let mut row = Row::empty(rules.pits().into());
        row.fill(rules.seeds().into());
        let quan = Quan { pieces: [switches.quan > 0; 2], seeds: [0, 0] };
        Position { quan, ..Position::of_rows(row, row) }
    }

    fn start_of_four_rows(rules: &Rules, four_rows: &FourRows) -> Position {
        let (pits, seeds) = (usize::from(rules.pits()), u16::from(rules.seeds()));
        let mut row = Row::empty(2 * pits);
        let mut stage = Stage::default();
        match four_rows {
            FourRows::Omweso(switches) => {
                match switches.setup {
                    OmwesoSetup::Outer => row[pits..].fill(2 * seeds),
                    OmwesoSetup::Even => row.fill(seeds),
                }
                stage.opening = if switches.first_turn_capture == YesNo::Yes { 0 } else { 2 };
            }
            FourRows::Kujifunza(_) => row.fill(seeds),
            FourRows::Kiswahili(switches) => {
                let house = if switches.setup == KiswahiliSetup::Malawi { 8 } else { 6 };
                row[4..7].copy_from_slice(&[house, 2, 2]);
                stage.hand = [switches.setup.in_hand() as u16; 2];
                stage.house = [true; 2];
            }
        }
        Position { stage, ..Position::of_rows(row, row) }
    }

    /// Two rows with empty stores and no quan cells, of whatever game: [`Position::check`] tells of which ones.
    ///
    /// # Panics
    /// If a row has more than [`MAX_PITS`] pits.
    pub fn of_rows(own: impl Into<Row>, opponent: impl Into<Row>) -> Position {
        let (own, opponent) = (own.into(), opponent.into());
        Position { own, opponent, stores: [0, 0], quan: Quan::default(), stage: Stage::default() }
    }

    /// Seeds in the pits.
    pub fn seeds(&self) -> u32 {
        self.own.seeds() + self.opponent.seeds()
    }

    /// Whether the two rows say all: nothing lies in quan cells, no pit is closed, and the stage is plain.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.quan == Quan::default() && !self.has_closed() && self.stage == Stage::default()
    }

    /// Whether any pit is closed.
    #[inline]
    pub fn has_closed(&self) -> bool {
        self.own.closed() | self.opponent.closed() != 0
    }

    /// What the mover has more in his store than the opponent.
    pub fn lead(&self) -> i32 {
        self.stores[0] - self.stores[1]
    }

    /// The same position from the other side.
    pub fn flipped(&self) -> Position {
        let [own_store, opponent_store] = self.stores;
        let Quan { pieces: [piece_a, piece_b], seeds: [a, b] } = self.quan;
        let Stage { hand: [own_hand, opponent_hand], house: [own_house, opponent_house], .. } = self.stage;
        Position {
            own: self.opponent,
            opponent: self.own,
            stores: [opponent_store, own_store],
            quan: Quan { pieces: [piece_b, piece_a], seeds: [b, a] },
            stage: Stage {
                hand: [opponent_hand, own_hand],
                house: [opponent_house, own_house],
                result: self.stage.result.map(Outcome::flipped),
                ..self.stage
            },
        }
    }
}

/// The direction of a sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// Along the ring, in the player's sowing order.
    With,
    /// Against the ring.
    Against,
}

/// A choice of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Move {
    /// Sow this pit, numbered from 1 in the mover's sowing order.
    Pit(u8),
    /// Sow this pit in a direction that the player chooses.
    Directed(u8, Way),
    /// Sow this pit in that direction, and go on from the own house where the move could end (Bao).
    Safari(u8, Way),
    /// Sow this pit, with a choice of direction for more than one of the laps (Omweso).
    Strung(u8, Signs),
    /// Pass.
    Pass,
}

impl Move {
    /// A move of a pit with any number of choices.
    pub fn with_signs(pit: u8, signs: Signs) -> Move {
        match signs.len {
            0 => Move::Pit(pit),
            1 => Move::Directed(pit, signs.way(0)),
            _ => Move::Strung(pit, signs),
        }
    }
}

/// The directions chosen inside a move, in the order of the laps that left a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Signs {
    len: u8,
    /// One bit a choice, set for [`Way::Against`].
    against: [u64; Signs::MOST / 64],
}

impl Signs {
    /// Most choices of a move.
    pub const MOST: usize = 128;

    /// Adds a choice, unless there are [`Signs::MOST`].
    pub fn push(&mut self, way: Way) -> Option<()> {
        let at = usize::from(self.len);
        if at == Signs::MOST {
            return None;
        }
        self.against[at / 64] |= u64::from(way == Way::Against) << (at % 64);
        self.len += 1;
        Some(())
    }

    fn way(&self, at: usize) -> Way {
        if self.against[at / 64] >> (at % 64) & 1 == 1 { Way::Against } else { Way::With }
    }

    /// The choices.
    pub fn iter(&self) -> impl Iterator<Item = Way> + '_ {
        (0..self.len.into()).map(|at| self.way(at))
    }
}
