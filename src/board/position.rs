//! A position of any two-row game, as people write it.

use std::ops::{Deref, DerefMut};

use crate::rules::{MAX_PITS, Rules};

/// The pits of one player in his sowing order. Dereferences to the slice of seed counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Row {
    len: u8,
    pits: [u16; MAX_PITS],
}

impl Row {
    /// A row of `len` empty pits.
    ///
    /// # Panics
    /// If `len` is larger than [`MAX_PITS`].
    pub fn empty(len: usize) -> Row {
        assert!(len <= MAX_PITS, "a row has at most {MAX_PITS} pits");
        Row { len: len as u8, pits: [0; MAX_PITS] }
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

/// Pits and stores, from the side of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The mover's pits in his sowing order.
    pub own: Row,
    /// The opponent's pits in his own sowing order.
    pub opponent: Row,
    /// Points the mover and the opponent have.
    pub stores: [i32; 2],
}

impl Position {
    /// The opening position.
    pub fn start(rules: &Rules) -> Position {
        let mut row = Row::empty(rules.pits.into());
        row.fill(rules.seeds.into());
        Position { own: row, opponent: row, stores: [0, 0] }
    }

    /// A position with empty stores.
    pub fn new(own: &[u16], opponent: &[u16]) -> Position {
        Position { own: own.into(), opponent: opponent.into(), stores: [0, 0] }
    }

    /// Seeds in the pits.
    pub fn seeds(&self) -> u32 {
        self.own.seeds() + self.opponent.seeds()
    }

    /// What the mover has more in his store than the opponent.
    pub fn lead(&self) -> i32 {
        self.stores[0] - self.stores[1]
    }

    /// The same position from the other side.
    pub fn flipped(&self) -> Position {
        let [own, opponent] = self.stores;
        Position { own: self.opponent, opponent: self.own, stores: [opponent, own] }
    }
}

/// A choice of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Sow this pit, numbered from 1 in the mover's sowing order.
    Pit(u8),
    /// Pass.
    Pass,
}
