//! What a solver answers: plain data.

use std::fmt;
use std::time::Duration;

use crate::board::{Game, Move, Outcome, Played, Position, Verdict};
use crate::search::{Bounds, Claim, Distance, Proof, Proven};

/// A value: points, or in games won by blocking an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// The mover's final seeds minus the opponent's, stores included.
    Points(i32),
    /// Who wins, for the mover.
    Outcome(Outcome),
}

impl Worth {
    /// The points, in a game won by seeds.
    pub fn points(self) -> Option<i32> {
        match self {
            Worth::Points(points) => Some(points),
            Worth::Outcome(_) => None,
        }
    }

    /// The outcome, in a game won by blocking.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Worth::Points(_) => None,
            Worth::Outcome(outcome) => Some(outcome),
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Points(points) => points.fmt(f),
            Worth::Outcome(outcome) => outcome.fmt(f),
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The game is over.
    Terminal,
    /// A table holds the position.
    Table,
    /// It was searched.
    Search,
}

/// What else is to be said about an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// A move goes on for so long that it is not known whether it ends: moves are not listed.
    MovesNotListed,
    /// The bounds rest on so many positions that can follow; whether these are all.
    RestsOn {
        /// Positions looked at.
        states: u64,
        /// Whether there are no others.
        is_complete: bool,
    },
    /// No forced win was found, and more time would find none either: perhaps it is a draw.
    Exhausted,
}

/// Everything that is proven of a position. Points are those of the player to move minus the opponent's, stores
/// included.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The position.
    pub position: Position,
    /// The value, if it is proven.
    pub value: Option<Worth>,
    /// The value is proven to be at least this.
    pub lower: Option<Worth>,
    /// The value is proven to be at most this.
    pub upper: Option<Worth>,
    /// Where this comes from; `None` if nothing was asked about the value.
    pub source: Option<Source>,
    /// Bounds that hold whatever a repetition is worth, if tables have them.
    pub cycle_bounds: Option<Bounds>,
    /// Plies to the next capture or the end of the game where positions can repeat; to the end of the game in games
    /// won by blocking.
    pub distance: Option<u32>,
    /// Whether play can be kept in a circle, so that there is no distance.
    pub is_held: bool,
    /// Plies within which the game is proven to end so.
    pub within: Option<u32>,
    /// The moves, best first; none if the game is over. `None` if they were not asked for or cannot be listed.
    pub moves: Option<Vec<MoveAnswer>>,
    /// A line of best play, as far as one is proven.
    pub line: Option<Vec<Move>>,
    /// The proof of a forced win, if one was asked for.
    pub proof: Option<Proof>,
    /// Positions searched for it.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
    /// What else is to be said.
    pub notes: Vec<Note>,
}

/// A move of a position, and what is proven of it for the player who makes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MoveAnswer {
    /// The move.
    pub choice: Move,
    /// Its value, if it is proven.
    pub value: Option<Worth>,
    /// Its value is proven to be at least this.
    pub lower: Option<Worth>,
    /// Its value is proven to be at most this.
    pub upper: Option<Worth>,
    /// Plies to the end of the game, in games won by blocking.
    pub distance: Option<u32>,
    /// Plies within which the game is proven to end so.
    pub within: Option<u32>,
    /// Points that the move brings to the player who makes it.
    pub gain: i32,
    /// Points that it brings to the opponent.
    pub opponent_gain: i32,
    /// Whether the player moves again.
    pub again: bool,
    /// The position it leads to, from the side of the player who moves next.
    pub next: Position,
}

impl Answer {
    /// Nothing is known yet.
    pub(super) fn new(position: &Position, source: impl Into<Option<Source>>) -> Answer {
        Answer {
            position: *position,
            value: None,
            lower: None,
            upper: None,
            source: source.into(),
            cycle_bounds: None,
            distance: None,
            is_held: false,
            within: None,
            moves: None,
            line: None,
            proof: None,
            nodes: 0,
            time: Duration::ZERO,
            notes: Vec::new(),
        }
    }

    /// Enters bounds as if the stores were empty.
    pub(super) fn set_bounds(&mut self, bounds: Bounds) {
        self.set_proven(Proven { lower: Some(bounds.lower), upper: Some(bounds.upper) });
    }

    /// Enters what is proven as if the stores were empty, perhaps one bound or none.
    pub(super) fn set_proven(&mut self, proven: Proven) {
        let points = |points: Option<i32>| points.map(|points| Worth::Points(points + self.position.lead()));
        (self.value, self.lower, self.upper) =
            (points(proven.value()), points(proven.lower), points(proven.upper));
    }

    /// Enters the outcome, or that nothing is known of it.
    pub(super) fn set_outcome(&mut self, outcome: Option<Outcome>) {
        (self.value, self.lower, self.upper) = match outcome.map(Worth::Outcome) {
            Some(worth) => (Some(worth), Some(worth), Some(worth)),
            None => (None, Some(Worth::Outcome(Outcome::Loss)), Some(Worth::Outcome(Outcome::Win))),
        };
    }

    /// Enters what a table tells of a game won by blocking.
    pub(super) fn set_verdict(&mut self, verdict: Verdict) {
        self.set_outcome(Some(verdict.outcome()));
        self.distance = verdict.plies();
    }

    /// Enters what a search has proven of such a game, if it has.
    pub(super) fn set_claim(&mut self, claim: Option<Claim>) {
        self.set_outcome(claim.map(|claim| claim.outcome()));
        self.within = claim.map(|claim| claim.within);
    }

    /// Enters bounds, as if the stores were empty, that hold whatever a repetition is worth.
    pub(super) fn set_cycle_bounds(&mut self, bounds: Bounds) {
        let lead = self.position.lead();
        self.cycle_bounds = Some(Bounds { lower: bounds.lower + lead, upper: bounds.upper + lead });
    }

    /// Enters how far the next capture is away.
    pub(super) fn set_distance(&mut self, distance: Distance) {
        self.is_held = distance == Distance::Never;
        self.distance = match distance {
            Distance::Plies(plies) => Some(plies),
            Distance::Never | Distance::Unknown => None,
        };
    }

    /// Enters that the game is over, so that there is nothing to move.
    pub(super) fn set_over(&mut self, moves: bool) {
        if moves {
            (self.moves, self.line) = (Some(Vec::new()), Some(Vec::new()));
        }
    }
}

impl fmt::Display for Answer {
    /// The value, or what is proven of it: `8`, `4 to 12`, `win`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_worth(f, self.value, self.lower, self.upper)
    }
}

impl MoveAnswer {
    /// A move of a position, without its value. `next` gets the stores.
    pub(super) fn new<G: Game>(game: &G, position: &Position, played: &Played<G::Position>) -> MoveAnswer {
        MoveAnswer {
            choice: played.choice,
            value: None,
            lower: None,
            upper: None,
            distance: None,
            within: None,
            gain: played.gain,
            opponent_gain: played.opponent_gain,
            again: played.again,
            next: game.after(position, played),
        }
    }

    /// Enters what is proven of the move as if the stores before it, whose difference is `lead`, were empty.
    pub(super) fn set_proven(&mut self, proven: Proven, lead: i32) {
        let points = |points: Option<i32>| points.map(|points| Worth::Points(points + lead));
        (self.value, self.lower, self.upper) =
            (points(proven.value()), points(proven.lower), points(proven.upper));
    }

    /// As [`MoveAnswer::set_proven`], with both bounds.
    pub(super) fn set_bounds(&mut self, bounds: Bounds, lead: i32) {
        self.set_proven(Proven { lower: Some(bounds.lower), upper: Some(bounds.upper) }, lead);
    }

    /// Enters what a table tells of the position that the move leads to, in a game won by blocking.
    pub(super) fn set_verdict(&mut self, next: Verdict) {
        let verdict = next.of_move();
        let worth = Some(Worth::Outcome(verdict.outcome()));
        (self.value, self.lower, self.upper) = (worth, worth, worth);
        self.distance = verdict.plies();
    }

    /// Enters what a search has proven of that position, if it has.
    pub(super) fn set_claim(&mut self, next: Option<Claim>) {
        let outcome = next.map(|claim| Worth::Outcome(claim.outcome().flipped()));
        self.within = next.map(|claim| claim.within + 1);
        (self.value, self.lower, self.upper) = match outcome {
            Some(worth) => (Some(worth), Some(worth), Some(worth)),
            None => (None, Some(Worth::Outcome(Outcome::Loss)), Some(Worth::Outcome(Outcome::Win))),
        };
    }
}

impl fmt::Display for MoveAnswer {
    /// What the move is worth, as in [`Answer`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_worth(f, self.value, self.lower, self.upper)
    }
}

/// Writes a value, or what is proven of it.
fn write_worth(
    f: &mut fmt::Formatter<'_>,
    value: Option<Worth>,
    lower: Option<Worth>,
    upper: Option<Worth>,
) -> fmt::Result {
    match (value, lower, upper) {
        (Some(value), ..) => write!(f, "{value}"),
        (None, Some(lower), Some(upper)) => write!(f, "{lower} to {upper}"),
        (None, Some(lower), None) => write!(f, "at least {lower}"),
        (None, None, Some(upper)) => write!(f, "at most {upper}"),
        (None, None, None) => f.write_str("unknown"),
    }
}
