//! What a game is to the search and the builders: the moves of its positions.

use super::sealed::Sealed;
use super::{Move, Overlong, Position, PositionError};
use crate::rules::Rules;

/// A move that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played<P> {
    /// The move.
    pub choice: Move,
    /// Points it brings to the mover.
    pub gain: i32,
    /// Points it brings to the opponent.
    pub opponent_gain: i32,
    /// Whether the last seed earned an extra move.
    pub again: bool,
    /// The position it leads to, from the side of the player who moves next.
    pub next: P,
}

impl<P> Played<P> {
    /// What the move is worth to the player who makes it, if the value of `next` for the player who
    /// moves there is this.
    #[inline(always)]
    pub fn worth(&self, next: i32) -> i32 {
        self.gain - self.opponent_gain + if self.again { next } else { -next }
    }
}

/// The rules at work on one kind of position. A position of a game holds the board only: stores
/// shift values and never change what is legal, except where a row can be filled again from the store
/// as long as it suffices.
///
/// It is sealed: more may be asked of engines at any time.
pub trait Game: Sealed + Clone + Sync {
    /// What lies on the board, from the side of the player to move.
    type Position: Copy + Eq + Send + Sync + std::fmt::Debug;

    /// The rule set played.
    fn rules(&self) -> &Rules;

    /// Most seeds that it counts in pits, quan cells and hands.
    const MOST_SEEDS: u32;

    /// Whether a position is of the kind that [`Game::pack`] takes: one of this board, with as few seeds as the
    /// engine counts. The plain engine takes all that [`Position::check`] accepts; the kernels only those that
    /// [`Position::is_plain`] says.
    fn holds(&self, position: &Position) -> bool;

    /// What lies on the board.
    ///
    /// # Panics
    /// If the game does not hold the position; [`Game::try_pack`] refuses it instead.
    fn pack(&self, position: &Position) -> Self::Position;

    /// What lies on the board, of a position of which it is not known whether it is one of this game.
    ///
    /// # Errors
    /// [`PositionError`] if [`Position::check`] finds a fault, or the engine does not hold the position.
    fn try_pack(&self, position: &Position) -> Result<Self::Position, PositionError> {
        position.check(self.rules())?;
        if self.holds(position) {
            return Ok(self.pack(position));
        }
        let (game, position) = (self.rules().title(), position.to_string());
        Err(PositionError::BeyondEngine { game, position, most_seeds: Self::MOST_SEEDS })
    }

    /// The position with empty stores.
    fn unpack(&self, position: &Self::Position) -> Position;

    /// Seeds in the pits.
    fn seeds(&self, position: &Self::Position) -> u32;

    /// If the game is over: points from the seeds left on the board, the mover's minus the
    /// opponent's. In games won by blocking 1, 0 or -1 if the mover has won, drawn or lost.
    fn end_value(&self, position: &Self::Position) -> Option<i32>;

    /// Calls `visit` for each legal move, by rising pit. There is at least one exactly when
    /// [`Game::end_value`] is `None`.
    ///
    /// A move that is given up for its length stands as if it were endless, and [`Game::check_laps`] tells
    /// of it.
    fn for_each_move(&self, position: &Self::Position, visit: impl FnMut(Played<Self::Position>));

    /// The position after one of the moves of another, with what the players then have in their stores.
    /// Where captured seeds are sown again, stores stay empty.
    fn after(&self, before: &Position, played: &Played<Self::Position>) -> Position {
        let next = self.unpack(&played.next);
        if self.rules().four_rows().is_some() {
            return next;
        }
        let [own, opponent] = before.stores;
        let (own, opponent) = (own + played.gain, opponent + played.opponent_gain);
        Position { stores: if played.again { [own, opponent] } else { [opponent, own] }, ..next }
    }

    /// Whether all moves made since the last call could be played out. If not, nothing that rests on
    /// them may be used.
    ///
    /// # Errors
    /// [`Overlong`] for a move of more than [`MOST_LAPS`](super::MOST_LAPS) laps, or fewer after [`Game::giving_up_after`], once,
    /// whichever clone of the game made it.
    fn check_laps(&self) -> Result<(), Overlong> {
        Ok(())
    }

    /// The same engine, told of moves that were given up apart from this one and its clones, and giving up after so
    /// many laps, if this one does not do so sooner. It is for callers who do without a move.
    #[must_use]
    fn giving_up_after(&self, _most_laps: u64) -> Self {
        self.clone()
    }
}

/// Why an engine does not play a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoEngine {
    /// No engine plays it: two switches have values to which no known game gives a meaning together.
    #[error(
        "{game} cannot be played with {switch} together with {other}; no known game says what that means"
    )]
    NoMeaning {
        /// The game.
        game: String,
        /// A switch and its value.
        switch: String,
        /// The other one.
        other: String,
    },
    /// A fast engine does not play it; the plain one of its kind does.
    #[error("the fast engine plays no {beyond}, so {game} needs the plain one")]
    OnlyPlain {
        /// The game.
        game: String,
        /// What the fast engine does not play: a switch and its value, or the size of the board.
        beyond: String,
    },
    /// It is a game of the other kind.
    #[error("{game} has {} rows, and the engine is one for games of {}", rows(*.four_rows), rows(!*.four_rows))]
    OtherKind {
        /// The game.
        game: String,
        /// Whether the game is one of four rows.
        four_rows: bool,
    },
}

fn rows(four: bool) -> &'static str {
    if four { "four" } else { "two" }
}
