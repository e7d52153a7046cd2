//! A position of any two-row game, as people write it.

use std::ops::{Deref, DerefMut};

use crate::rules::{MAX_PITS, Rules};

/// The pits of one player in his sowing order. Dereferences to the slice of seed counts.
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
}

impl Position {
    /// The opening position.
    pub fn start(rules: &Rules) -> Position {
        let mut row = Row::empty(rules.pits.into());
        row.fill(rules.seeds.into());
        let quan = Quan { pieces: [rules.switches.quan > 0; 2], seeds: [0, 0] };
        Position { quan, ..Position::of_rows(row, row) }
    }

    /// A position with empty stores.
    pub fn new(own: &[u16], opponent: &[u16]) -> Position {
        Position::of_rows(own.into(), opponent.into())
    }

    /// A position with empty stores and no quan cells.
    pub fn of_rows(own: Row, opponent: Row) -> Position {
        Position { own, opponent, stores: [0, 0], quan: Quan::default() }
    }

    /// Seeds in the pits.
    pub fn seeds(&self) -> u32 {
        self.own.seeds() + self.opponent.seeds()
    }

    /// Whether the two rows say all that lies on the board: nothing lies in quan cells, and no pit is closed.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.quan == Quan::default() && !self.has_closed()
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
        Position {
            own: self.opponent,
            opponent: self.own,
            stores: [opponent_store, own_store],
            quan: Quan { pieces: [piece_b, piece_a], seeds: [b, a] },
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
pub enum Move {
    /// Sow this pit, numbered from 1 in the mover's sowing order.
    Pit(u8),
    /// Sow this pit in a direction that the player chooses.
    Directed(u8, Way),
    /// Pass.
    Pass,
}
