//! What a solver is asked.

use std::time::Duration;

use crate::board::Position;
use crate::rules::Rules;

/// A question about a position. By default everything is asked for, for as long as it takes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Question {
    /// The position.
    pub position: Position,
    /// Whether every move is to be valued, and a line of best play given.
    pub moves: bool,
    /// Whether a search and building in memory are allowed; otherwise tables at hand answer or nothing does.
    pub search: bool,
    /// Whether a proof of a forced win is wanted (games of four rows).
    pub proof: bool,
    /// After this time the answer says what is proven by then. Comparing tables with their checksums comes on top.
    pub time: Option<Duration>,
}

impl Question {
    /// All about a position.
    pub fn new(position: Position) -> Question {
        Question { position, moves: true, search: true, proof: false, time: None }
    }

    /// All about the start of a game.
    pub fn start(rules: &Rules) -> Question {
        Question::new(Position::start(rules))
    }

    /// Only the value.
    #[must_use]
    pub fn value_only(mut self) -> Question {
        self.moves = false;
        self
    }

    /// From tables at hand alone.
    #[must_use]
    pub fn without_search(mut self) -> Question {
        self.search = false;
        self
    }

    /// With a proof.
    #[must_use]
    pub fn with_proof(mut self) -> Question {
        self.proof = true;
        self
    }

    /// Within a time.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Question {
        self.time = Some(time);
        self
    }
}
