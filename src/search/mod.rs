//! The value of a position too big for the tables.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::board::{Move, Played};
use crate::control::Control;
use crate::index::{Numbered, Numbering, TooLarge};
use crate::tables::Values;

/// Proven bounds of a value, in points of the player to move with empty stores; equal when the
/// value is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
}

impl Bounds {
    /// The value, if it is proven.
    pub fn value(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// What a solver may use.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Threads that search together, at least 1.
    pub threads: usize,
    /// Bytes for the table of positions met.
    pub hash_bytes: u64,
}

/// Solves positions of one game, keeping what it learns from one call to the next.
pub struct Solver<'a, G: Numbered> {
    game: G,
    values: Values<'a>,
    numbering: Numbering,
    nodes: AtomicU64,
}

impl<'a, G: Numbered> Solver<'a, G> {
    /// A solver for positions of up to `max_seeds` seeds in the pits.
    ///
    /// # Errors
    /// [`TooLarge`] if positions of so many seeds have no number.
    pub fn new(
        game: G,
        values: Values<'a>,
        max_seeds: u32,
        _resources: &Resources,
    ) -> Result<Self, TooLarge> {
        let numbering = Numbering::new(game.rules().pits.into(), max_seeds)?;
        Ok(Solver { game, values, numbering, nodes: AtomicU64::new(0) })
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Proven bounds of a position's value; equal unless the control stopped the search.
    pub fn solve(&self, position: &G::Position, control: &Control) -> Bounds {
        let value = self.negamax(position, control);
        Bounds { lower: value, upper: value }
    }

    /// Each move with proven bounds of its worth for the mover (gains of the move included), best
    /// first, equal ones by pit.
    pub fn moves(&self, position: &G::Position, control: &Control) -> Vec<(Played<G::Position>, Bounds)> {
        let mut moves = Vec::new();
        self.game.for_each_move(position, |played| {
            let value = self.negamax(&played.next, control);
            let value = played.gain - played.opponent_gain + if played.again { value } else { -value };
            moves.push((played, Bounds { lower: value, upper: value }));
        });
        moves.sort_by_key(|(_, bounds)| -bounds.lower);
        moves
    }

    /// A line of best play to the end of the game, or as far as it was proven before a stop.
    pub fn line(&self, position: &G::Position, control: &Control) -> Vec<Move> {
        let mut line = Vec::new();
        let mut position = *position;
        while let Some((played, _)) = self.moves(&position, control).first().copied() {
            line.push(played.choice);
            position = played.next;
        }
        line
    }

    fn negamax(&self, position: &G::Position, control: &Control) -> i32 {
        if let Some(value) = self.game.end_value(position) {
            return value;
        }
        let halves = self.game.halves(self.numbering.half_boards(), position);
        let layer = self.numbering.layer(halves.seeds());
        if let Some(value) = self.values.get(halves.seeds(), layer.index(&halves)) {
            return value;
        }
        self.nodes.fetch_add(1, Relaxed);
        let mut best = i32::MIN;
        self.game.for_each_move(position, |played| {
            let value = self.negamax(&played.next, control);
            best = best.max(played.gain - played.opponent_gain + if played.again { value } else { -value });
        });
        best
    }
}
