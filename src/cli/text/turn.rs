//! What is said about the most seeds that one turn can bring.

use serde::Serialize;
use sowbase::search::BestTurn;

/// What is known of the best turn. The order of the fields is that of the JSON keys.
#[derive(Serialize)]
pub struct TurnAnswer {
    captured: u32,
    upper: u32,
    of: u32,
    proven: bool,
    moves: Vec<String>,
}

impl TurnAnswer {
    pub fn new(turn: &BestTurn) -> TurnAnswer {
        TurnAnswer {
            captured: turn.captured,
            upper: turn.upper,
            of: turn.of,
            proven: turn.is_proven(),
            moves: turn.moves.iter().map(ToString::to_string).collect(),
        }
    }

    /// The text for people.
    pub fn text(&self) -> String {
        let TurnAnswer { captured, upper, of, moves, .. } = self;
        let most = match self.proven {
            true => {
                format!("The first turn can bring {captured} of the {of} seeds in the pits, proven most.")
            }
            false => format!(
                "The first turn can bring at least {captured} of the {of} seeds in the pits, and at most {upper}."
            ),
        };
        match moves[..] {
            [] => format!("{most}\n"),
            _ => format!("{most}\n\nMoves: {}\n", moves.join(" ")),
        }
    }
}
