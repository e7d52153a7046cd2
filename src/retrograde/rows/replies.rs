//! The moves of all half boards with t seeds, as places in a buffer.
//!
//! When the other half board X is fixed, all that a move leads to, for a given way of ending
//! (where the last seed fell, what was gained and spilled), is one row of some layer that depends
//! on X alone. The buffer holds these rows side by side, one for each kind of reply, so a move of
//! a half board is a fixed place in it, the same for every X.

use rayon::prelude::*;

use super::half_moves::{HalfMove, HalfMoves, LastSeed};
use super::vector_loops::{self, Places, Pull};
use crate::index::{HalfBoards, TooLarge};

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
    /// By pit and rank: a place in the buffer; place 0 for no move.
    places: Vec<Places>,
}

impl Replies {
    /// Adds those of half boards of up to `top` seeds that are missing; [`Replies::new`] says what `takes_last` does.
    pub fn raise(
        replies: &mut Vec<Replies>,
        half_moves: &HalfMoves,
        half_boards: &HalfBoards,
        top: u32,
        takes_last: bool,
    ) -> Result<(), TooLarge> {
        let missing = replies.len() as u32..=top;
        let new =
            missing.into_par_iter().map(|seeds| Replies::new(half_moves, half_boards, seeds, takes_last));
        let new = new.collect::<Option<Vec<_>>>();
        replies.extend(new.ok_or(TooLarge { pits: half_boards.pits(), seeds: top })?);
        Ok(())
    }

    /// `None` if a place does not fit 32 bits. In the part of a kind whose last seed is alone in
    /// its pit and would be taken by a capture, rows are numbered without that seed.
    fn new(
        half_moves: &HalfMoves,
        half_boards: &HalfBoards,
        seeds: u32,
        takes_last: bool,
    ) -> Option<Replies> {
        let mut replies = Replies { kinds: Vec::new(), buffer_len: 1, places: Vec::new() };
        let mut places = vec![Vec::new(); half_boards.pits()];
        for rank in 0..half_boards.count(seeds) as usize {
            for (half_move, places) in half_moves.moves(seeds, rank).iter().zip(&mut places) {
                let place = replies.place(half_moves, half_boards, seeds, half_move, takes_last);
                places.push(u32::try_from(place).ok()?);
            }
        }
        replies.places = places.into_iter().map(|places| Places::new(places, replies.buffer_len)).collect();
        Some(replies)
    }

    /// The place of a move in the buffer.
    fn place(
        &mut self,
        half_moves: &HalfMoves,
        half_boards: &HalfBoards,
        seeds: u32,
        half_move: &HalfMove,
        takes_last: bool,
    ) -> usize {
        let HalfMove { row, gain, spill, last } = *half_move;
        if last == LastSeed::NoMove {
            return 0;
        }
        let left = seeds - u32::from(gain) - u32::from(spill);
        let (row, left) = match last {
            LastSeed::Single(pit) if takes_last => half_moves.without_single(left, row as usize, pit.into()),
            _ => (row as usize, left),
        };
        self.start_of(last, gain, spill, half_boards.count(left) as usize) + row
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

    /// By pit: for each half board the place of its move in the buffer.
    pub fn places(&self) -> &[Places] {
        &self.places
    }

    /// For each half board the best of its moves. Place 0 of the buffer holds less than any value.
    #[inline(always)]
    pub fn choose_best(&self, buffer: &[i8], out: &mut [i8]) {
        out.fill(vector_loops::NO_VALUE);
        for places in &self.places {
            vector_loops::improve_at(out, Pull::plain(buffer), places);
        }
    }
}
