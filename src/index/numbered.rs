//! The halves of positions, for each engine.

use super::{Half, HalfBoards, Halves};
use crate::board::{ChainLap, Game, PlayerRing, Position, RelayLap, Ring, Rings, SingleLap, TwoRings, Word};

/// A game whose positions can be numbered.
pub trait Numbered: Game {
    /// Whether positions may have closed pits, which halves do not tell.
    const CLOSES_PITS: bool = false;

    /// The closed pits of the mover and of the opponent, one bit each.
    #[inline(always)]
    fn closed(&self, _: &Self::Position) -> [u64; 2] {
        [0, 0]
    }

    /// The halves of a position whose seeds the half boards cover.
    fn halves(&self, half_boards: &HalfBoards, position: &Self::Position) -> Halves;

    /// The position in which the mover has his row of one position and the opponent his of another.
    fn facing(&self, own: &Self::Position, opponent: &Self::Position) -> Self::Position;
}

macro_rules! numbered_by_word {
    ($($kernel:ty)+) => {
        $(impl Numbered for $kernel {
            #[inline(always)]
            fn halves(&self, half_boards: &HalfBoards, word: &Word) -> Halves {
                Halves {
                    own: half_boards.rank_packed(word.own),
                    opponent: half_boards.rank_packed(word.opponent),
                }
            }

            #[inline(always)]
            fn facing(&self, own: &Word, opponent: &Word) -> Word {
                Word { own: own.own, opponent: opponent.opponent }
            }
        })+
    };
}
numbered_by_word!(SingleLap ChainLap RelayLap);

impl Numbered for Ring {
    const CLOSES_PITS: bool = true;

    fn closed(&self, position: &Position) -> [u64; 2] {
        [position.own.closed(), position.opponent.closed()]
    }

    fn halves(&self, half_boards: &HalfBoards, position: &Position) -> Halves {
        Halves { own: half_boards.rank(&position.own), opponent: half_boards.rank(&position.opponent) }
    }

    fn facing(&self, own: &Position, opponent: &Position) -> Position {
        Position { own: own.own, ..*opponent }
    }
}

impl<R: PlayerRing> Numbered for TwoRings<R> {
    #[inline(always)]
    fn halves(&self, half_boards: &HalfBoards, position: &Rings<R>) -> Halves {
        Halves {
            own: half_of(half_boards, &position.own),
            opponent: half_of(half_boards, &position.opponent),
        }
    }

    #[inline(always)]
    fn facing(&self, own: &Rings<R>, opponent: &Rings<R>) -> Rings<R> {
        Rings { own: own.own, ..*opponent }
    }
}

/// The half board of a ring.
#[inline(always)]
pub(crate) fn half_of<R: PlayerRing>(half_boards: &HalfBoards, ring: &R) -> Half {
    match ring.packed().filter(|_| half_boards.pits() <= 8) {
        Some(word) => half_boards.rank_packed(word),
        None => half_boards.rank(&ring.to_row(half_boards.pits())),
    }
}
