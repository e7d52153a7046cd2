//! What a lap does to the other row where it may capture, and the rows that it leaves alone.

use rayon::prelude::*;

use crate::index::HalfBoards;
use crate::retrograde::rows::half_moves::HalfMoves;
use crate::retrograde::rows::vector_loops::Places;
use crate::rules::{Feed, GrandSlam, Switches};

/// What a move is that would capture everything the opponent has, in a position in which both
/// players have seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WholeCapture {
    /// It captures like any other.
    Captures,
    /// It captures nothing.
    Quiet,
    /// It is legal, if at all, only where there is no other move.
    LastResort,
}

impl WholeCapture {
    pub fn new(switches: &Switches) -> WholeCapture {
        match (switches.grand_slam, switches.feed) {
            (GrandSlam::NoCapture, _) => WholeCapture::Quiet,
            (GrandSlam::Illegal, _) | (GrandSlam::Free, Feed::LeaveAMove) => WholeCapture::LastResort,
            (GrandSlam::Free, Feed::None | Feed::MustFeed) => WholeCapture::Captures,
        }
    }
}

/// For laps that end in the other row: what that row becomes, if nothing is captured.
#[derive(Debug, Default)]
pub(super) struct QuietLaps {
    /// By seeds of the other row and seeds it receives, from 1.
    rows: Vec<Vec<Places>>,
}

impl QuietLaps {
    pub fn new(
        half_moves: &HalfMoves,
        half_boards: &HalfBoards,
        top: u32,
        whole_capture: WholeCapture,
    ) -> QuietLaps {
        let quiet = |seeds: u32, spill: u32| {
            let after = seeds + spill;
            let count = half_boards.count(after) as u32;
            let pit = (spill as usize - 1) % half_boards.pits();
            let place = |rank: usize| {
                let rank = half_moves.received(seeds, spill as u8).get(rank);
                match half_moves.without(after, rank, pit).0 {
                    0 => rank as u32,
                    taken if taken == after && whole_capture == WholeCapture::Quiet => rank as u32,
                    // Behind the row.
                    _ => count,
                }
            };
            let places = (0..half_boards.count(seeds) as usize).map(place).collect();
            Places::new(places, count as usize + 1)
        };
        let rows = (0..=top)
            .into_par_iter()
            .map(|seeds| (1..=top - seeds).map(|spill| quiet(seeds, spill)).collect())
            .collect();
        QuietLaps { rows }
    }

    /// By rank of a row, the place of what it becomes in a row of successors behind which there is
    /// one that counts as no move.
    #[inline(always)]
    pub fn places(&self, seeds: u32, spill: u8) -> &Places {
        &self.rows[seeds as usize][usize::from(spill) - 1]
    }
}
