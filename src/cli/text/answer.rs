//! What is said about a position: the record behind both the JSON and the text.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;
use sowbase::board::{Game, Outcome, Played, Position, Verdict};
use sowbase::retrograde::is_acyclic;
use sowbase::rules::Rules;
use sowbase::search::{Bounds, Claim, Distance, Proven};

use super::output::counted;
use crate::cli::first_turn::TurnAnswer;

/// Everything known about one position. The order of the fields is that of the JSON keys.
#[derive(Serialize)]
pub struct Answer {
    pub game: String,
    /// The switches in which the rules differ from the named game.
    #[serde(skip)]
    changes: Vec<String>,
    /// The cycle rule as `cycle=split`, where positions can repeat.
    #[serde(skip)]
    cycle: Option<String>,
    /// Sentences about a position that was not solved, for people.
    #[serde(skip)]
    pub outlook: Option<String>,
    pub rules: String,
    pub position: String,
    /// The position drawn, where the text shows it.
    #[serde(skip)]
    pub board: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Worth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<Worth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<Worth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle_lower: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle_upper: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle_free: Option<bool>,
    /// Plies to the next capture or the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// Plies within which the game is proven to end so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// Whether play can be kept in a circle, so that there is no distance.
    #[serde(skip)]
    held: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveAnswer>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
    /// The answer of `--first-turn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_turn: Option<TurnAnswer>,
    /// The proof that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// A value: points, or in games won by blocking a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Worth {
    Points(i32),
    #[serde(serialize_with = "as_word")]
    Outcome(Outcome),
}

fn as_word<S: serde::Serializer>(outcome: &Outcome, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(outcome.name())
}

impl Worth {
    fn points(self) -> Option<i32> {
        match self {
            Worth::Points(points) => Some(points),
            Worth::Outcome(_) => None,
        }
    }
}

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The game is over.
    Terminal,
    /// A table holds the position.
    Table,
    /// It was searched.
    Search,
}

/// A proof that was written.
#[derive(Serialize)]
pub struct ProofAnswer {
    pub file: String,
    /// Number of the winner's positions in it.
    pub steps: u64,
}

/// One move of a position.
#[derive(Serialize)]
pub struct MoveAnswer {
    #[serde(rename = "move")]
    pub choice: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Worth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<Worth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<Worth>,
    /// Plies to the end of the game, in games won by blocking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// Plies within which the game is proven to end so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    pub gain: i32,
    pub opponent_gain: i32,
    pub again: bool,
    pub next: String,
}

impl Answer {
    /// The position alone, nothing known about it yet.
    pub fn new(rules: &Rules, position: &Position) -> Answer {
        Answer {
            game: rules.title(),
            changes: rules.changes(),
            cycle: rules.get("cycle").filter(|_| !is_acyclic(rules)).map(|cycle| format!("cycle={cycle}")),
            outlook: None,
            rules: rules.id(),
            position: position.to_text(rules),
            board: None,
            value: None,
            lower: None,
            upper: None,
            source: None,
            cycle_lower: None,
            cycle_upper: None,
            cycle_free: None,
            distance: None,
            within: None,
            held: false,
            moves: None,
            line: None,
            first_turn: None,
            proof: None,
            nodes: None,
            seconds: None,
        }
    }

    /// Enters proven bounds, stores included.
    pub fn set_bounds(&mut self, bounds: Bounds) {
        let points = |points| Some(Worth::Points(points));
        (self.value, self.lower, self.upper) =
            (bounds.value().and_then(points), points(bounds.lower), points(bounds.upper));
    }

    /// Enters the outcome, or that nothing is known of it.
    pub fn set_outcome(&mut self, outcome: Option<Outcome>) {
        (self.value, self.lower, self.upper) = match outcome.map(Worth::Outcome) {
            Some(worth) => (Some(worth), Some(worth), Some(worth)),
            None => (None, Some(Worth::Outcome(Outcome::Loss)), Some(Worth::Outcome(Outcome::Win))),
        };
    }

    /// Enters what a table tells of a game won by blocking.
    pub fn set_verdict(&mut self, verdict: Verdict) {
        self.set_outcome(Some(verdict.outcome()));
        self.distance = verdict.plies();
    }

    /// Enters what a search has proven of such a game, if it has.
    pub fn set_claim(&mut self, claim: Option<Claim>) {
        self.set_outcome(claim.map(|claim| claim.outcome()));
        self.within = claim.map(|claim| claim.within);
    }

    /// Enters what is proven, stores included, perhaps one bound or none.
    pub fn set_proven(&mut self, proven: Proven) {
        let points = |points: Option<i32>| points.map(Worth::Points);
        (self.value, self.lower, self.upper) =
            (points(proven.value()), points(proven.lower), points(proven.upper));
    }

    /// Enters bounds that hold whatever a repetition is worth, stores included.
    pub fn set_cycle_bounds(&mut self, bounds: Bounds) {
        (self.cycle_lower, self.cycle_upper) = (Some(bounds.lower), Some(bounds.upper));
        self.cycle_free = Some(bounds.value().is_some());
    }

    /// Enters how far the next capture is away.
    pub fn set_distance(&mut self, distance: Distance) {
        self.held = distance == Distance::Never;
        self.distance = match distance {
            Distance::Plies(plies) => Some(plies),
            Distance::Never | Distance::Unknown => None,
        };
    }

    /// Enters what the answer took.
    pub fn set_effort(&mut self, nodes: u64, time: Duration) {
        self.nodes = Some(nodes);
        self.seconds = Some((time.as_secs_f64() * 1e6).round() / 1e6);
    }

    /// The text for people, with the styles that a drawing has.
    pub fn text(&self) -> String {
        let changes: String = self.changes.iter().map(|change| format!(" {change}")).collect();
        let mut text = format!("{}{changes}  {}\n", self.game, self.position);
        if let Some(board) = &self.board {
            let _ = write!(text, "\n{board}\n");
        }
        if let Some(sentence) = self.sentence() {
            let _ = writeln!(text, "{sentence}");
        }
        if let Some(turn) = &self.first_turn {
            text += &turn.text();
        }
        match self.distance {
            _ if self.is_won_by_blocking() => (),
            Some(1) => text += "A capture or the end of the game comes with the next ply.\n",
            Some(plies @ 2..) => {
                let _ =
                    writeln!(text, "The next capture, or the end of the game, comes after {plies} plies.");
            }
            _ if self.held => {
                text += "With best play nobody gains anything further: play can be kept in a circle.\n"
            }
            _ => (),
        }
        text += self.outlook.as_deref().unwrap_or_default();
        if let Some(moves) = self.moves.as_deref().filter(|moves| !moves.is_empty()) {
            if self.board.is_none() || !text.ends_with("\n\n") {
                text += "\n";
            }
            text += &move_table(moves);
        }
        if let Some(line) = self.line.as_deref().filter(|line| !line.is_empty()) {
            let _ = writeln!(text, "\nBest line: {}", line.join(" "));
        }
        if let Some(proof) = &self.proof {
            let steps = counted(proof.steps, "step", "steps");
            let file = proof.file.replace(char::is_control, " ");
            let _ = writeln!(text, "\nThe proof, of {steps}, is in {file}.");
        }
        if let (Some(nodes @ 1..), Some(seconds)) = (self.nodes, self.seconds) {
            let _ = writeln!(text, "Searched {nodes} positions in {seconds:.2} s.");
        }
        text
    }

    fn is_won_by_blocking(&self) -> bool {
        matches!(self.upper.or(self.value), Some(Worth::Outcome(_)))
    }

    /// What is known in a game won by blocking.
    fn outcome_sentence(&self) -> String {
        let is_over = matches!(&self.moves, Some(moves) if moves.is_empty());
        let verb = match self.value {
            Some(Worth::Outcome(Outcome::Win)) => ["wins", "has won"],
            Some(Worth::Outcome(Outcome::Loss)) => ["loses", "has lost"],
            Some(_) if is_over => return "The game is over: a draw.".into(),
            Some(_) => return "A draw: neither player can force a win.".into(),
            None => return "Not solved: no forced win of either player was found.".into(),
        };
        let plies = |plies: u32| counted(plies.into(), "ply", "plies");
        match (self.distance, self.within) {
            _ if is_over => format!("The game is over: the player to move {}.", verb[1]),
            (Some(distance), _) => format!("The player to move {} in {}.", verb[0], plies(distance)),
            (_, Some(within)) => format!("The player to move {} within {}.", verb[0], plies(within)),
            _ => format!("The player to move {}.", verb[0]),
        }
    }

    fn sentence(&self) -> Option<String> {
        if self.is_won_by_blocking() {
            return Some(self.outcome_sentence());
        }
        let over = matches!(&self.moves, Some(moves) if moves.is_empty());
        if over {
            return Some(match self.value?.points()? {
                0 => "The game is over: a draw.".into(),
                value => {
                    let verb = if value > 0 { "has won" } else { "has lost" };
                    format!("The game is over: the player to move {verb} by {}.", value.abs())
                }
            });
        }
        let Some(cycle) = &self.cycle else {
            let statement = self.statement("")?;
            return Some(format!("{}{}.", statement[..1].to_uppercase(), &statement[1..]));
        };
        let further = match (self.cycle_lower, self.cycle_upper) {
            _ if self.value.is_none() && self.source == Some(Source::Table) => {
                "; it depends on the play before, and cycle=split gives a value".into()
            }
            _ if self.value.is_none() => String::new(),
            (Some(lower), Some(upper)) if lower == upper => {
                "; so it is whatever a repetition is worth".into()
            }
            (Some(lower), Some(upper)) => {
                format!("; whatever a repetition is worth, the value lies from {lower} to {upper}")
            }
            _ => String::new(),
        };
        let statement = self.statement(&format!("under {cycle}, "))?;
        Some(format!("{}{}{further}.", statement[..1].to_uppercase(), &statement[1..]))
    }

    /// What is known of the value, after the condition under which it is.
    fn statement(&self, condition: &str) -> Option<String> {
        let points = |worth: Option<Worth>| worth.and_then(Worth::points);
        Some(match (points(self.value), points(self.lower), points(self.upper)) {
            (Some(0), ..) => format!("{condition}the game is a draw"),
            (Some(value @ 1..), ..) => format!("{condition}the player to move wins by {value}"),
            (Some(value), ..) => format!("{condition}the player to move loses by {}", -value),
            (None, Some(lower), Some(upper)) => {
                let open = if self.source == Some(Source::Table) { "" } else { "not solved: " };
                format!(
                    "{open}{condition}the value for the player to move is proven to lie from {lower} to {upper}"
                )
            }
            (None, Some(lower), None) => {
                format!(
                    "not solved: {condition}the value for the player to move is proven to be at least {lower}"
                )
            }
            (None, None, Some(upper)) => {
                format!(
                    "not solved: {condition}the value for the player to move is proven to be at most {upper}"
                )
            }
            (None, None, None) if self.source.is_some() => {
                format!("not solved: {condition}no bound of the value is proven")
            }
            (None, None, None) => return None,
        })
    }
}

impl MoveAnswer {
    /// A move of a position, without its value. `next` gets the stores.
    pub fn new<G: Game>(game: &G, position: &Position, played: &Played<G::Position>) -> MoveAnswer {
        MoveAnswer {
            choice: played.choice.to_string(),
            value: None,
            lower: None,
            upper: None,
            distance: None,
            within: None,
            gain: played.gain,
            opponent_gain: played.opponent_gain,
            again: played.again,
            next: game.after(position, played).to_text(game.rules()),
        }
    }

    /// Enters proven bounds, stores included; a move says either its value or its bounds.
    pub fn set_bounds(&mut self, bounds: Bounds) {
        self.set_proven(Proven { lower: Some(bounds.lower), upper: Some(bounds.upper) });
    }

    /// Enters what a table tells of the position that the move leads to, in a game won by blocking.
    pub fn set_verdict(&mut self, next: Verdict) {
        let verdict = next.of_move();
        self.value = Some(Worth::Outcome(verdict.outcome()));
        self.distance = verdict.plies();
    }

    /// Enters what a search has proven of that position, if it has.
    pub fn set_claim(&mut self, next: Option<Claim>) {
        match next {
            Some(claim) => {
                self.value = Some(Worth::Outcome(claim.outcome().flipped()));
                self.within = Some(claim.within + 1);
            }
            None => {
                (self.lower, self.upper) =
                    (Some(Worth::Outcome(Outcome::Loss)), Some(Worth::Outcome(Outcome::Win)));
            }
        }
    }

    /// As [`MoveAnswer::set_bounds`], perhaps with one bound or none.
    pub fn set_proven(&mut self, proven: Proven) {
        match proven.value() {
            Some(value) => self.value = Some(Worth::Points(value)),
            None => {
                (self.lower, self.upper) = (proven.lower.map(Worth::Points), proven.upper.map(Worth::Points))
            }
        }
    }

    fn worth(&self) -> String {
        if let Some(Worth::Outcome(outcome)) = self.value {
            return match (self.distance, self.within) {
                (Some(distance), _) => format!("{outcome} {distance}"),
                (_, Some(within)) => format!("{outcome} within {within}"),
                _ => outcome.to_string(),
            };
        }
        let points = |worth: Option<Worth>| worth.and_then(Worth::points);
        match (points(self.value), points(self.lower), points(self.upper)) {
            (Some(value), ..) => value.to_string(),
            (None, Some(lower), Some(upper)) => format!("{lower} to {upper}"),
            (None, Some(lower), None) => format!("{lower} or more"),
            (None, None, Some(upper)) => format!("{upper} or less"),
            (None, None, None) => String::new(),
        }
    }
}

/// A table of moves; columns that say nothing for any of them are left out.
fn move_table(moves: &[MoveAnswer]) -> String {
    let valued = moves.iter().any(|played| !played.worth().is_empty());
    let pays = moves.iter().any(|played| played.opponent_gain != 0);
    let worths = moves.iter().map(|played| played.worth().len()).max().unwrap_or(0).max(5);
    let mut text = String::from("move");
    if valued {
        let _ = write!(text, "  {:>worths$}", "value");
    }
    text += "  gain";
    if pays {
        text += "  opponent's gain";
    }
    text += "         next position (who moves next first)\n";
    for played in moves {
        let _ = write!(text, "{:>4}", played.choice);
        if valued {
            let _ = write!(text, "  {:>worths$}", played.worth());
        }
        let _ = write!(text, "  {:>4}", played.gain);
        if pays {
            let _ = write!(text, "  {:>15}", played.opponent_gain);
        }
        let _ = writeln!(text, "  {:5}  {}", if played.again { "again" } else { "" }, played.next);
    }
    text
}
