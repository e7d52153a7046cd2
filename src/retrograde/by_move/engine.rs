//! The engines of the builders that ask for every move, and positions put together from rows.

use crate::board::{Game, NoEngine, Position, RelayLap, Ring};
use crate::index::{HalfBoards, Numbered};
use crate::retrograde::method::MovesBy;

/// An engine of a builder. It is looked at once a layer, so that all below is compiled for each.
pub(in crate::retrograde) enum Engine {
    Ring(Box<Ring>),
    Relay(Box<RelayLap>),
}

impl Engine {
    /// The one asked for, which plays the rules of a plain ring.
    pub(in crate::retrograde) fn new(moves_by: MovesBy, ring: Ring) -> Result<Engine, NoEngine> {
        Ok(match moves_by {
            MovesBy::RelayLap => Engine::Relay(Box::new(RelayLap::new(ring.rules())?)),
            MovesBy::Ring => Engine::Ring(Box::new(ring)),
        })
    }

    /// Which one it is.
    pub(super) fn moves_by(&self) -> MovesBy {
        match self {
            Engine::Ring(_) => MovesBy::Ring,
            Engine::Relay(_) => MovesBy::RelayLap,
        }
    }
}

/// Runs an expression with the game of an engine.
macro_rules! with_game {
    ($engine:expr, $game:ident => $run:expr) => {
        match $engine {
            Engine::Ring(game) => {
                let $game = &**game;
                $run
            }
            Engine::Relay(game) => {
                let $game = &**game;
                $run
            }
        }
    };
}
pub(super) use with_game;

/// By seeds and rank, the positions in which both players have the same row. Any two of them give
/// the position in which their rows face each other without a look at the numbers.
pub(in crate::retrograde) type Rows<P> = Vec<Vec<P>>;

/// All rows of up to a number of seeds.
pub(in crate::retrograde) fn rows<G: Numbered>(
    game: &G,
    half_boards: &HalfBoards,
    seeds: u32,
) -> Rows<G::Position> {
    let both = |row| game.pack(&Position::of_rows(row, row));
    (0..=seeds).map(|seeds| half_boards.rows(seeds).map(both).collect()).collect()
}

/// Bytes that [`rows`] take at most.
pub(in crate::retrograde) fn memory_of_rows(half_boards: &HalfBoards, seeds: u32) -> Option<u64> {
    half_boards.count_below(seeds + 1).checked_mul(size_of::<Position>() as u64)
}
