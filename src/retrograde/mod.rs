//! Filling the layers of endgame tables, each from the finished lower ones.
//!
//! A layer's values are those of its positions with empty stores: points of the player to move
//! minus points of his opponent with best play by both. They lie in the order of
//! [`crate::index`], one signed byte a position.
//!
//! Where positions can repeat, a value is that of the game in which play that never leaves its layer
//! brings nothing further to either side. What holds whatever a repetition is worth are the bounds
//! of [`BoundLayers`].
//!
//! [`Method`] says which builder a rule set gets. Two work on whole rows of half boards and take games of single laps:
//! `acyclic` Kalah's kind, `cyclic` Oware's. Two ask the engine for every move of every position:
//! `general` takes every rule set whose order is proven, `settler` those whose positions can repeat. [`WholeBoard`]
//! decides boards that no seed leaves. [`Distances`] tells of these how far the next capture is away.

mod bound_layers;
mod by_move;
pub(crate) mod distance;
mod layer_builder;
mod layers;
mod method;
mod rows;
mod values;
mod whole_board;

use crate::board::{NoEngine, Overlong};
use crate::control::Stopped;
use crate::index::{HalfBoards, Halves, Numbered, TooLarge};
use crate::rules::{Cycle, Direction, Refill, Rules, Store};
pub use bound_layers::BoundLayers;
pub use distance::{Distances, Uncounted};
pub use layers::Layers;
pub use method::{Builder, Fields, Method, MovesBy};
pub use values::{Bounds, Leaves, Values};
pub(crate) use whole_board::verdict_by_moves;
pub use whole_board::{TooFar, WholeBoard, is_won_by_blocking};

/// Most seeds of a layer: a value is kept in one signed byte.
pub const MAX_LAYER: u32 = 127;

/// Why layers cannot be built for a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unbuildable {
    /// No engine makes the moves.
    #[error(transparent)]
    NoEngine(#[from] NoEngine),
    /// Positions can repeat, and what that is worth depends on where the circle was entered.
    #[error(
        "with cycle=own-side the value of a position of {game} depends on the play before it, so no table can hold it"
    )]
    PathDependent {
        /// The game.
        game: String,
    },
    /// Captured seeds come back to the board, so there are no layers that only depend on lower ones.
    #[error(
        "{game} has no tables: its captured seeds come back to the board, and what lies in quan cells has no place in them"
    )]
    NoLayers {
        /// The game.
        game: String,
    },
    /// A position is more than the seeds on the board.
    #[error(
        "{game} has no tables: seeds in hand, houses and blocked pits are part of its positions, and tables number the seeds on the board alone"
    )]
    Hands {
        /// The game.
        game: String,
    },
    /// A layer has more seeds than a table entry can express.
    #[error("a table entry is one byte, so layers end at {MAX_LAYER} seeds, not {seeds}")]
    TooManySeeds {
        /// The layer asked for.
        seeds: u32,
    },
    /// Indices do not fit.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// Why a layer is not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfinished {
    /// The control asked for it; the layer can be built again.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A move of one of its positions is too long to be played out.
    #[error(transparent)]
    Overlong(#[from] Overlong),
    /// Some position is decided later than a table entry can say.
    #[error(transparent)]
    TooFar(#[from] TooFar),
}

/// Whether the positions of a game fall into layers by the seeds in two rows, each of which depends on lower
/// ones only.
pub fn has_layers(rules: &Rules) -> bool {
    rules.switches().is_none_or(|s| s.quan == 0 && s.refill == Refill::None)
}

/// Whether the value of a position may depend on the play before it.
pub fn is_path_dependent(rules: &Rules) -> bool {
    rules.switches().is_some_and(|s| s.cycle == Cycle::OwnSide) && !is_acyclic(rules)
}

/// The value of a position from those of its successors, which `value` gives.
#[inline(always)]
fn worth<G: Numbered>(
    game: &G,
    half_boards: &HalfBoards,
    position: &G::Position,
    value: impl Fn(&Halves) -> i8,
) -> i8 {
    let mut best = i32::MIN;
    game.for_each_move(position, |played| {
        let next = value(&game.halves(half_boards, &played.next));
        best = best.max(played.worth(next.into()));
    });
    if best == i32::MIN {
        best = game.end_value(position).expect("a position without moves is over");
    }
    best as i8
}

/// Whether no position of a layer can come back.
///
/// A turn that never leaves the mover's row only moves seeds forward in it and so lowers the sum
/// of seeds times distance to the row's end. A turn that leaves the row has fed the own store, and
/// one that captures has taken seeds out of the pits. So a turn that keeps all seeds in the pits lowers
/// that sum, and a pass keeps it but cannot be answered by a pass.
pub fn is_acyclic(rules: &Rules) -> bool {
    rules.switches().is_some_and(|s| s.own_store == Store::Sow && s.direction == Direction::Fixed)
}
