//! Positions, their notation, and making a move.
//!
//! [`Ring`] plays every two-row game that the program knows, plainly; [`SingleLap`] and [`ChainLap`]
//! are the fast kernels for Kalah's and Oware's kinds on boards of up to six pits, [`RelayLap`] that for
//! relays on boards of up to eight. [`TwoRings`] plays the games of four rows, plainly or packed. All
//! implement [`Game`], which the search and the builders are generic over. [`Match`] joins several rounds.
//! Nothing here knows about numbering or files.

mod check;
mod engines;
mod game;
mod kernels;
mod notation;
mod outcome;
mod perft;
mod position;
mod rounds;
mod sealed {
    /// What no other crate can implement.
    pub trait Sealed {}
}
mod unsow;

pub use check::PositionError;
pub(crate) use engines::Cell;
pub use engines::Ring;
pub(crate) use engines::final_share;
pub use engines::{HOUSE, PackedRings, PlainRings, Rings, ShortRings, TwoRings};
pub use engines::{MOST_LAPS, Overlong};
pub use engines::{PackedRing, PlainRing, PlayerRing, ShortRing};
pub use game::{Game, NoEngine, Played};
pub(crate) use kernels::unlike_kalah;
pub use kernels::{ChainLap, RelayLap, SingleLap, Word};
pub use notation::NotationError;
pub use outcome::{Outcome, Verdict};
pub use perft::perft;
pub use position::{Move, Position, Quan, Row, Signs, Stage, Way};
pub use rounds::{Beginner, Filling, Match, MatchRules, NoMatch, Player, RoundEnd, RoundError, Standing};
pub use unsow::Unsow;
