//! Proven positions, by the whole position.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::board::{Outcome, PlayerRing, Rings};

/// What is proven of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whether the player to move wins; otherwise he loses.
    pub wins: bool,
    /// The game ends so within this many plies, if the winner plays by the proof.
    pub within: u32,
}

impl Claim {
    /// The outcome for the player to move.
    pub fn outcome(&self) -> Outcome {
        if self.wins { Outcome::Win } else { Outcome::Loss }
    }
}

/// Parts of the table. They grow at different times, so that growth never takes half of the memory at once.
const PARTS: usize = 64;

/// Claims by position.
pub(super) struct Facts<R> {
    parts: Vec<HashMap<Rings<R>, Claim, FixedState>>,
    /// Most claims of all parts.
    most: usize,
    len: usize,
}

impl<R: PlayerRing> Facts<R> {
    /// Room for as many as fit some bytes.
    pub fn new(bytes: u64) -> Facts<R> {
        // After growing a part is at least 7/16 full, and an entry has a byte of its own beside.
        let entry = 16 * (size_of::<(Rings<R>, Claim)>() + 1) / 7;
        let most = usize::try_from(bytes / entry as u64).unwrap_or(usize::MAX);
        Facts { parts: vec![HashMap::default(); PARTS], most, len: 0 }
    }

    /// `hash` is that of the position.
    #[inline]
    pub fn get_hashed(&self, position: &Rings<R>, hash: u64) -> Option<Claim> {
        self.parts[hash as usize % PARTS].get(position).copied()
    }

    pub fn get(&self, position: &Rings<R>) -> Option<Claim> {
        self.get_hashed(position, super::dfpn::hash(position))
    }

    /// Enters a claim. An earlier one stays if it is as good.
    pub fn insert(&mut self, position: &Rings<R>, hash: u64, claim: Claim) {
        let part = &mut self.parts[hash as usize % PARTS];
        let entry = part.entry(*position).or_insert_with(|| {
            self.len += 1;
            claim
        });
        if claim.within < entry.within {
            *entry = claim;
        }
    }

    /// Whether no room is left.
    pub fn is_full(&self) -> bool {
        self.len >= self.most
    }
}
