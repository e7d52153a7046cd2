//! The moves of all half boards with t seeds, as places in a buffer.
//!
//! When the other half board X is fixed, all that a move leads to, for a given way of ending
//! (where the last seed fell, what was gained and spilled), is one row of some layer that depends
//! on X alone. The buffer holds these rows side by side, one for each kind of reply, so a move of
//! a half board is a fixed place in it, the same for every X.

use super::half_moves::{HalfMove, HalfMoves, LastSeed};
use super::kernels;
use crate::index::HalfBoards;

/// One way in which moves end, and its part of the buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub last: LastSeed,
    /// Seeds dropped into the own store.
    pub gain: u8,
    /// Seeds dropped into the other row.
    pub spill: u8,
    start: usize,
    len: usize,
}

impl Reply {
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

#[derive(Debug)]
pub(super) struct Replies {
    kinds: Vec<Reply>,
    buffer_len: usize,
    pits: usize,
    /// By rank and pit: a place in the buffer, always below `buffer_len`; place 0 for no move.
    places: Vec<u32>,
}

impl Replies {
    /// `None` if a place does not fit 32 bits. In the part of a kind whose last seed is alone in
    /// its pit and would be taken by a capture, rows are numbered without that seed.
    pub fn new(
        half_moves: &HalfMoves,
        half_boards: &HalfBoards,
        seeds: u32,
        takes_last: bool,
    ) -> Option<Replies> {
        let pits = half_boards.pits();
        let mut replies = Replies { kinds: Vec::new(), buffer_len: 1, pits, places: Vec::new() };
        for rank in 0..half_boards.count(seeds) as usize {
            for &HalfMove { row, gain, spill, last } in half_moves.moves(seeds, rank) {
                if last == LastSeed::NoMove {
                    replies.places.push(0);
                    continue;
                }
                let left = seeds - u32::from(gain) - u32::from(spill);
                let (row, left) = match last {
                    LastSeed::Single(pit) if takes_last => {
                        (half_moves.emptied(left, pit.into()).row[row as usize], left - 1)
                    }
                    _ => (row, left),
                };
                let start = replies.start_of(last, gain, spill, half_boards.count(left) as usize);
                replies.places.push(u32::try_from(start + row as usize).ok()?);
            }
        }
        assert!(replies.places.iter().all(|&place| (place as usize) < replies.buffer_len));
        Some(replies)
    }

    /// Where the part of a kind starts; it is added if it is new.
    fn start_of(&mut self, last: LastSeed, gain: u8, spill: u8, len: usize) -> usize {
        let same = |kind: &&Reply| (kind.last, kind.gain, kind.spill) == (last, gain, spill);
        if let Some(kind) = self.kinds.iter().find(same) {
            return kind.start;
        }
        let start = self.buffer_len;
        self.kinds.push(Reply { last, gain, spill, start, len });
        self.buffer_len += len;
        start
    }

    pub fn kinds(&self) -> &[Reply] {
        &self.kinds
    }

    pub fn buffer_len(&self) -> usize {
        self.buffer_len
    }

    /// For each half board the best of its moves. Place 0 of the buffer holds less than any value.
    #[inline(always)]
    pub fn choose_best(&self, buffer: &[i8], out: &mut [i8]) {
        assert!(buffer.len() >= self.buffer_len);
        // SAFETY: every place is below `buffer_len`, as asserted when they were made.
        unsafe { kernels::choose_best(buffer, &self.places, self.pits, out) }
    }
}
