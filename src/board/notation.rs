//! Reading and writing positions and moves as text.

use std::fmt;
use std::str::FromStr;

use super::playable::allows_closed_pits;
use super::{Move, Position, Quan, Row, Way};
use crate::rules::{Lap, Refill, Rules};

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

/// Most points that board and stores of a game can hold together: its kernels count in bytes where
/// laps are single, and where rows are filled again there must be room for more.
pub(crate) fn seed_limit(rules: &Rules) -> u32 {
    match (rules.switches.lap, rules.switches.refill) {
        (Lap::Single, _) => 255,
        (_, Refill::None) => 65_535,
        _ => 10_000,
    }
}

impl Position {
    /// Reads `OWN / OPPONENT [; FIELD]...`, or `start`. A closed pit is written `x`. The fields, in any
    /// order, each at most once: `stores OWN OPPONENT`, and in games with quan cells `quan A B` (1 for
    /// a cell that holds its piece, else 0) and `quan-dan A B` (seeds in the cells).
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

    /// The text that [`Position::parse`] reads, as people write it for a game: with the quan cells where
    /// the game has them.
    pub fn to_text(&self, rules: &Rules) -> String {
        Shown { position: self, quan: rules.switches.quan > 0 }.to_string()
    }
}

fn parse(rules: &Rules, text: &str) -> Result<Position, String> {
    if text == "start" {
        return Ok(Position::start(rules));
    }
    let mut fields = text.split(';');
    let pits = fields.next().unwrap_or_default();
    let has_quan = rules.switches.quan > 0;
    let (own, opponent) = pits
        .split_once('/')
        .ok_or("it has the form `OWN / OPPONENT ; stores OWN OPPONENT`, or is `start`")?;
    let mut position = Position::of_rows(parse_row(rules, own)?, parse_row(rules, opponent)?);
    let mut seen = Vec::new();
    for field in fields {
        let words: Vec<&str> = field.split_whitespace().collect();
        match words[..] {
            [name, ..] if seen.contains(&name) => return Err(format!("the field `{name}` stands twice")),
            ["stores", own, opponent] => {
                position.stores = [points(rules, own)?, points(rules, opponent)?];
            }
            ["quan", a, b] if has_quan => position.quan.pieces = [piece(a)?, piece(b)?],
            ["quan-dan", a, b] if has_quan => position.quan.seeds = [number(a)?, number(b)?],
            _ => {
                let known = if has_quan {
                    "none of `stores OWN OPPONENT`, `quan A B` and `quan-dan A B`"
                } else {
                    "not `stores OWN OPPONENT`"
                };
                return Err(format!("the field {:?} is {known}", field.trim()));
            }
        }
        seen.extend(words.first().copied());
    }
    Ok(position)
}

fn parse_row(rules: &Rules, text: &str) -> Result<Row, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() != usize::from(rules.pits) {
        return Err(format!("a row of {} has {} pits, not {}", rules.title(), rules.pits, words.len()));
    }
    let mut row = Row::empty(words.len());
    for (pit, &word) in words.iter().enumerate() {
        match word {
            "x" if allows_closed_pits(&rules.switches) => row.close(pit),
            "x" => return Err(format!("{} has no closed pits", rules.name)),
            _ => row[pit] = number(word)?,
        }
    }
    Ok(row)
}

fn number(word: &str) -> Result<u16, String> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten().ok_or_else(|| format!("{word:?} is no number of seeds"))
}

/// The points in a store, which may be owed where rows are filled again.
fn points(rules: &Rules, word: &str) -> Result<i32, String> {
    match word.strip_prefix('-') {
        Some(debt) if rules.switches.refill != Refill::None => Ok(-i32::from(number(debt)?)),
        _ => Ok(number(word)?.into()),
    }
}

fn piece(word: &str) -> Result<bool, String> {
    match word {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(format!("{word:?} is no number of pieces in a quan cell, which is 0 or 1")),
    }
}

/// Checks the points of a position against what the engines count.
fn within_limit(rules: &Rules, position: Position) -> Result<Position, String> {
    let stores = position.stores.map(|points| i64::from(points.unsigned_abs()));
    let seeds = i64::from(position.seeds()) + position.quan.seeds.map(i64::from).iter().sum::<i64>();
    let pieces = position.quan.pieces.iter().filter(|&&piece| piece).count() as i64;
    let total = seeds + pieces * i64::from(rules.switches.quan_value) + stores.iter().sum::<i64>();
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

/// A position as text; `quan` whether the game has quan cells, which are then always written.
struct Shown<'a> {
    position: &'a Position,
    quan: bool,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { own, opponent, stores, quan } = self.position;
        let pit = |row: &Row, pit: usize| if row.is_closed(pit) { "x".into() } else { row[pit].to_string() };
        let row = |row: &Row| (0..row.len()).map(|at| pit(row, at)).collect::<Vec<_>>().join(" ");
        write!(f, "{} / {}", row(own), row(opponent))?;
        if *stores != [0, 0] {
            write!(f, " ; stores {} {}", stores[0], stores[1])?;
        }
        if self.quan {
            let [a, b] = quan.pieces.map(u8::from);
            write!(f, " ; quan {a} {b}")?;
        }
        if quan.seeds != [0, 0] {
            write!(f, " ; quan-dan {} {}", quan.seeds[0], quan.seeds[1])?;
        }
        Ok(())
    }
}

/// Without the rules, the quan cells are written where they are not empty; [`Position::to_text`] writes
/// them wherever the game has them.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown { position: self, quan: self.quan != Quan::default() }.fmt(f)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Pit(pit) => pit.fmt(f),
            Move::Directed(pit, Way::With) => write!(f, "{pit}+"),
            Move::Directed(pit, Way::Against) => write!(f, "{pit}-"),
            Move::Pass => "pass".fmt(f),
        }
    }
}

impl FromStr for Move {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Move, NotationError> {
        let pit = |word| number(word).ok().and_then(|pit| u8::try_from(pit).ok()).filter(|&pit| pit > 0);
        let found = match (text.strip_suffix('+'), text.strip_suffix('-')) {
            _ if text == "pass" => Some(Move::Pass),
            (Some(word), _) => pit(word).map(|pit| Move::Directed(pit, Way::With)),
            (_, Some(word)) => pit(word).map(|pit| Move::Directed(pit, Way::Against)),
            _ => pit(text).map(Move::Pit),
        };
        found.ok_or_else(|| NotationError {
            text: abridged(text),
            what: "move",
            reason: "a move is the number of a pit, from 1, with `+` or `-` after it where the direction is free, or `pass`"
                .into(),
        })
    }
}
