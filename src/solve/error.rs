//! Why a question has no answer.

use crate::board::{NoEngine, Overlong, PositionError};
use crate::index::TooLarge;
use crate::rules::RulesError;
use crate::tables::TableError;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The game is not known.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// No engine plays the rules.
    #[error(transparent)]
    NoEngine(#[from] NoEngine),
    /// The position is not one of this game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// No search was allowed, and tables do not tell.
    #[error(transparent)]
    NotCovered(TableError),
    /// The game has no tables, and no search was allowed.
    #[error("{game} has no tables, as captured seeds come back")]
    NoTables {
        /// The game.
        game: String,
    },
    /// Layers of another rule set were given.
    #[error("the layers given are of {tables}, and the rules are those of {game}")]
    OtherRules {
        /// The game asked for.
        game: String,
        /// The game of the layers.
        tables: String,
    },
    /// Tables could not be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A move could not be played out.
    #[error(transparent)]
    Overlong(#[from] Overlong),
    /// Positions have no numbers.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The threads were not granted.
    #[error("the system does not grant {threads} threads")]
    Threads {
        /// Threads asked for.
        threads: usize,
    },
    /// No move of the game earns an extra move.
    #[error("no move of {game} earns an extra move, so a turn is one move")]
    NoExtraMoves {
        /// The game.
        game: String,
    },
    /// The search for the best turn does not know the game's board.
    #[error("the search for the best turn knows no quan cells, and {game} has some")]
    NoTurns {
        /// The game.
        game: String,
    },
    /// Proofs are written of games of four rows.
    #[error("{game} is won by seeds, and proofs are written of games of four rows")]
    ProofOfSeeds {
        /// The game.
        game: String,
    },
    /// A proof was asked for and none was found.
    #[error("no forced win was found")]
    NoProof {
        /// Whether more time and memory would not find one either.
        is_exhausted: bool,
    },
    /// A proof was asked for of a game that is over as a draw.
    #[error("the game is over as a draw, so there is nothing to prove")]
    Drawn,
}

impl SolveError {
    /// Whether the question was understood and could be answered with more tables or more work.
    pub fn is_open(&self) -> bool {
        matches!(
            self,
            SolveError::NotCovered(_)
                | SolveError::NoTables { .. }
                | SolveError::NoProof { .. }
                | SolveError::Drawn
        )
    }
}
