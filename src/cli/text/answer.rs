//! What is said about a position: the record behind both the JSON and the text.

use std::fmt::Write;
use std::time::Duration;

use serde::{Serialize, Serializer};
use sowbase::board::{Outcome, Position};
use sowbase::retrograde::is_acyclic;
use sowbase::rules::Rules;
use sowbase::solve::{self, Source, Worth};

use super::output::counted;
use super::turn::TurnAnswer;

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
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_worth")]
    pub value: Option<Worth>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_worth")]
    pub lower: Option<Worth>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_worth")]
    pub upper: Option<Worth>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_source")]
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

/// Writes a value as points, or in games won by blocking as a word.
fn as_worth<S: Serializer>(worth: &Option<Worth>, to: S) -> Result<S::Ok, S::Error> {
    match worth {
        Some(Worth::Points(points)) => to.serialize_i32(*points),
        Some(Worth::Outcome(outcome)) => to.serialize_str(outcome.name()),
        None => to.serialize_none(),
    }
}

/// Writes where a value came from.
fn as_source<S: Serializer>(source: &Option<Source>, to: S) -> Result<S::Ok, S::Error> {
    match source {
        Some(Source::Terminal) => to.serialize_str("terminal"),
        Some(Source::Table) => to.serialize_str("table"),
        Some(Source::Search) => to.serialize_str("search"),
        None => to.serialize_none(),
    }
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
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_worth")]
    pub value: Option<Worth>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_worth")]
    pub lower: Option<Worth>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_worth")]
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

    /// What a solver answered.
    pub fn of(rules: &Rules, solved: &solve::Answer) -> Answer {
        let mut answer = Answer::new(rules, &solved.position);
        answer.value = solved.value;
        if solved.source.is_some() {
            (answer.lower, answer.upper) = (solved.lower, solved.upper);
        }
        answer.source = solved.source;
        if let Some(bounds) = solved.cycle_bounds {
            (answer.cycle_lower, answer.cycle_upper) = (Some(bounds.lower), Some(bounds.upper));
            answer.cycle_free = Some(bounds.value().is_some());
        }
        (answer.distance, answer.within, answer.held) = (solved.distance, solved.within, solved.is_held);
        let moves = solved.moves.as_ref();
        answer.moves = moves.map(|moves| moves.iter().map(|played| MoveAnswer::of(rules, played)).collect());
        answer.line = solved.line.as_ref().map(|line| line.iter().map(ToString::to_string).collect());
        if solved.source.is_some() {
            answer.set_effort(solved.nodes, solved.time);
        }
        answer
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
    /// What a solver says of a move: its value or its bounds.
    fn of(rules: &Rules, played: &solve::MoveAnswer) -> MoveAnswer {
        let is_open = played.value.is_none();
        MoveAnswer {
            choice: played.choice.to_string(),
            value: played.value,
            lower: played.lower.filter(|_| is_open),
            upper: played.upper.filter(|_| is_open),
            distance: played.distance,
            within: played.within,
            gain: played.gain,
            opponent_gain: played.opponent_gain,
            again: played.again,
            next: played.next.to_text(rules),
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
