//! Reading and writing positions and moves as text.

use std::fmt;
use std::str::FromStr;

use super::{Move, Position, Row};
use crate::rules::{Lap, Rules};

/// Why a text is no position or no move of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no {what}: {reason}")]
#[non_exhaustive]
pub struct NotationError {
    /// The text read.
    pub text: String,
    /// `position` or `move`.
    pub what: &'static str,
    /// What is wrong and what would be right.
    pub reason: String,
}

/// Most seeds that pits and stores of a game can hold together: its kernels count in bytes where
/// laps are single.
pub(crate) fn seed_limit(rules: &Rules) -> u32 {
    if rules.switches.lap == Lap::Single { 255 } else { 65_535 }
}

impl Position {
    /// Reads `OWN / OPPONENT [; stores OWN OPPONENT]`, or `start`.
    ///
    /// ```
    /// use sowbase::{board::Position, rules};
    /// let rules = rules::game("kalah")?;
    /// let position = Position::parse(&rules, "0 1 0 2 5 0 / 3 0 0 1 0 0 ; stores 17 19")?;
    /// assert_eq!(position.stores, [17, 19]);
    /// assert_eq!(position.to_string(), "0 1 0 2 5 0 / 3 0 0 1 0 0 ; stores 17 19");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NotationError`] if the text has another form, another number of pits, or more seeds than
    /// the engines count.
    pub fn parse(rules: &Rules, text: &str) -> Result<Position, NotationError> {
        let position = parse(rules, text.trim()).and_then(|position| within_limit(rules, position));
        position.map_err(|reason| NotationError { text: abridged(text), what: "position", reason })
    }
}

fn parse(rules: &Rules, text: &str) -> Result<Position, String> {
    if text == "start" {
        return Ok(Position::start(rules));
    }
    let mut fields = text.split(';');
    let pits = fields.next().unwrap_or_default();
    let (own, opponent) = pits
        .split_once('/')
        .ok_or("it has the form `OWN / OPPONENT ; stores OWN OPPONENT`, or is `start`")?;
    let mut position =
        Position { own: parse_row(rules, own)?, opponent: parse_row(rules, opponent)?, stores: [0, 0] };
    let mut seen = false;
    for field in fields {
        let words: Vec<&str> = field.split_whitespace().collect();
        match words[..] {
            ["stores", own, opponent] if !seen => {
                position.stores = [number(own)?.into(), number(opponent)?.into()];
                seen = true;
            }
            _ => return Err(format!("the field {:?} is not `stores OWN OPPONENT`, once", field.trim())),
        }
    }
    Ok(position)
}

fn parse_row(rules: &Rules, text: &str) -> Result<Row, String> {
    let pits = text.split_whitespace().map(number).collect::<Result<Vec<u16>, _>>()?;
    if pits.len() != usize::from(rules.pits) {
        return Err(format!("a row of {} has {} pits, not {}", rules.title(), rules.pits, pits.len()));
    }
    Ok(pits[..].into())
}

fn number(word: &str) -> Result<u16, String> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten().ok_or_else(|| format!("{word:?} is no number of seeds"))
}

/// Checks the seeds of a position against what the engines count.
fn within_limit(rules: &Rules, position: Position) -> Result<Position, String> {
    let [own, opponent] = position.stores;
    let total = i64::from(position.seeds()) + i64::from(own) + i64::from(opponent);
    let limit = seed_limit(rules);
    if total > i64::from(limit) {
        return Err(format!("it has {total} seeds, and {} is played with at most {limit}", rules.name));
    }
    Ok(position)
}

/// A text cut to a length that fits an error line.
fn abridged(text: &str) -> String {
    match text.char_indices().nth(120) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.into(),
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |row: &Row| row.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        write!(f, "{} / {}", row(&self.own), row(&self.opponent))?;
        match self.stores {
            [0, 0] => Ok(()),
            [own, opponent] => write!(f, " ; stores {own} {opponent}"),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Pit(pit) => pit.fmt(f),
            Move::Pass => "pass".fmt(f),
        }
    }
}

impl FromStr for Move {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Move, NotationError> {
        match (text, number(text).ok().and_then(|pit| u8::try_from(pit).ok())) {
            ("pass", _) => Ok(Move::Pass),
            (_, Some(pit)) if pit > 0 => Ok(Move::Pit(pit)),
            _ => Err(NotationError {
                text: abridged(text),
                what: "move",
                reason: "a move is the number of a pit, from 1, or `pass`".into(),
            }),
        }
    }
}
