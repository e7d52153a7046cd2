//! What a game is to the search and the builders: the moves of its positions.

use super::{Move, Overlong, Position};
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
pub trait Game: Clone + Sync {
    /// What lies on the board, from the side of the player to move.
    type Position: Copy + Eq + Send + Sync + std::fmt::Debug;

    /// The rule set played.
    fn rules(&self) -> &Rules;

    /// Whether a position is of the kind that [`Game::pack`] takes. The plain engine takes all that
    /// [`Position::parse`] accepts; the kernels take those that [`Position::is_plain`] says, of up to 255 seeds.
    fn holds(&self, position: &Position) -> bool {
        position.is_plain()
    }

    /// What lies on the board.
    ///
    /// # Panics
    /// If the game does not hold the position.
    fn pack(&self, position: &Position) -> Self::Position;

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
        if self.rules().four_rows.is_some() {
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

/// A rule set for whose moves there is no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{game} cannot be played with {switch}; no known game says what that means, so change one of the two with --rule"
)]
pub struct NoEngine {
    /// The game.
    pub game: String,
    /// The switch and its value.
    pub switch: String,
}
