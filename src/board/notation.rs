//! Reading and writing positions and moves as text.

use std::fmt;
use std::str::FromStr;

use super::check::check_pits;
use super::{Move, Outcome, Position, PositionError, Quan, Row, Signs, Stage, Way};
use crate::rules::{FourRows, Refill, Rules};

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

impl Position {
    /// Reads `OWN / OPPONENT [; FIELD]...`, or `start`. A closed pit is written `x`. The fields, in any
    /// order, each at most once: `stores OWN OPPONENT`, and in games with quan cells `quan A B` (1 for
    /// a cell that holds its piece, else 0) and `quan-dan A B` (seeds in the cells). Games of four rows have
    /// no stores, but some of `hand OWN OPPONENT`, `house own opp` (either or both), `blocked PIT`, `opening
    /// MOVES` and `result win|draw|loss`.
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
        let position = parse(rules, text.trim()).and_then(|position| match position.check(rules) {
            Ok(()) => Ok(position),
            Err(error) => Err(reason(&error)),
        });
        position.map_err(|reason| NotationError { text: abridged(text), what: "position", reason })
    }

    /// The text that [`Position::parse`] reads, as people write it for a game: with the quan cells where
    /// the game has them.
    pub fn to_text(&self, rules: &Rules) -> String {
        Shown { position: self, quan: has_quan(rules) }.to_string()
    }
}

/// Whether the board has quan cells.
fn has_quan(rules: &Rules) -> bool {
    rules.switches().is_some_and(|switches| switches.quan > 0)
}

/// What is wrong with a position, in terms of its text.
fn reason(error: &PositionError) -> String {
    match error {
        PositionError::EmptyHouse { mover } => {
            format!("{error}; leave out `{}`", if *mover { "own" } else { "opp" })
        }
        _ => error.to_string(),
    }
}

fn parse(rules: &Rules, text: &str) -> Result<Position, String> {
    if text == "start" {
        return Ok(Position::start(rules));
    }
    let mut fields = text.split(';');
    let pits = fields.next().unwrap_or_default();
    let has_quan = has_quan(rules);
    let form = match rules.four_rows() {
        None => "it has the form `OWN / OPPONENT ; stores OWN OPPONENT`, or is `start`",
        Some(_) => "it has the form `OWN / OPPONENT`, each with the front row first, or is `start`",
    };
    let (own, opponent) = pits.split_once('/').filter(|(_, rest)| !rest.contains('/')).ok_or(form)?;
    let mut position = Position::of_rows(parse_row(rules, own)?, parse_row(rules, opponent)?);
    let mut seen = Vec::new();
    for field in fields {
        let words: Vec<&str> = field.split_whitespace().collect();
        match words[..] {
            [name, ..] if seen.contains(&name) => return Err(format!("the field `{name}` stands twice")),
            _ if rules.four_rows().is_some() => read_stage(rules, &words, field, &mut position)?,
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

/// Reads a field of a game of four rows.
fn read_stage(rules: &Rules, words: &[&str], field: &str, position: &mut Position) -> Result<(), String> {
    let is_kiswahili = matches!(rules.four_rows(), Some(FourRows::Kiswahili(_)));
    let is_omweso = matches!(rules.four_rows(), Some(FourRows::Omweso(_)));
    let stage = &mut position.stage;
    match *words {
        ["opening", moves] if is_omweso => {
            let count = number(moves).ok().filter(|&count| count <= 2);
            let refusal = || format!("captures are off for 0, 1 or 2 moves, not {moves:?}");
            stage.opening = count.ok_or_else(refusal)? as u8;
        }
        ["hand", own, opponent] if is_kiswahili => stage.hand = [number(own)?, number(opponent)?],
        ["house", ref owners @ ..] if is_kiswahili && !owners.is_empty() => {
            for owner in owners {
                let side = match *owner {
                    "own" if !stage.house[0] => 0,
                    "opp" if !stage.house[1] => 1,
                    _ => return Err("the owners of houses are `own`, `opp` or both, each named once".into()),
                };
                stage.house[side] = true;
            }
        }
        ["blocked", pit] if is_kiswahili => {
            let pits = rules.pits();
            let blocked = number(pit).ok().filter(|pit| (1..=u16::from(pits)).contains(pit));
            let refusal = || format!("the blocked pit is one of the front pits 1 to {pits}, not {pit:?}");
            stage.blocked = blocked.ok_or_else(refusal)? as u8;
        }
        ["result", word] => {
            let result = Outcome::named(word);
            let refusal = || format!("a result is `win`, `draw` or `loss`, not {word:?}");
            stage.result = Some(result.ok_or_else(refusal)?);
        }
        _ => {
            let known = match (is_omweso, is_kiswahili) {
                (true, _) => "none of `opening MOVES` and `result win|draw|loss`",
                (_, true) => {
                    "none of `hand OWN OPPONENT`, `house own opp`, `blocked PIT` and `result win|draw|loss`"
                }
                _ => "not `result win|draw|loss`",
            };
            return Err(format!("the field {:?} is {known}", field.trim()));
        }
    }
    Ok(())
}

fn parse_row(rules: &Rules, text: &str) -> Result<Row, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    check_pits(rules, words.len()).map_err(|error| reason(&error))?;
    let mut row = Row::empty(words.len());
    for (pit, &word) in words.iter().enumerate() {
        match word {
            "x" => row.close(pit),
            _ => row[pit] = number(word)?,
        }
    }
    Ok(row)
}

fn number(word: &str) -> Result<u16, String> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    digits
        .then(|| word.parse().ok())
        .flatten()
        .ok_or_else(|| format!("{word:?} is no number of seeds from 0 to 65535"))
}

/// The points in a store, which may be owed where rows are filled again.
fn points(rules: &Rules, word: &str) -> Result<i32, String> {
    match word.strip_prefix('-') {
        Some(debt) if rules.switches().is_some_and(|s| s.refill != Refill::None) => {
            Ok(-i32::from(number(debt)?))
        }
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
        let Position { own, opponent, stores, quan, stage } = self.position;
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
        stage.fmt(f)
    }
}

/// Its fields, each after a semicolon.
impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.hand != [0, 0] {
            write!(f, " ; hand {} {}", self.hand[0], self.hand[1])?;
        }
        if self.house != [false, false] {
            f.write_str(" ; house")?;
            for (owner, _) in ["own", "opp"].iter().zip(self.house).filter(|(_, owns)| *owns) {
                write!(f, " {owner}")?;
            }
        }
        if self.blocked > 0 {
            write!(f, " ; blocked {}", self.blocked)?;
        }
        if self.opening > 0 {
            write!(f, " ; opening {}", self.opening)?;
        }
        self.result.map_or(Ok(()), |result| write!(f, " ; result {result}"))
    }
}

/// Without the rules, the quan cells are written where they are not empty; [`Position::to_text`] writes
/// them wherever the game has them.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown { position: self, quan: self.quan != Quan::default() }.fmt(f)
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Way::With => "+",
            Way::Against => "-",
        })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Pit(pit) => pit.fmt(f),
            Move::Directed(pit, way) => write!(f, "{pit}{way}"),
            Move::Safari(pit, way) => write!(f, "{pit}{way}s"),
            Move::Strung(pit, signs) => {
                pit.fmt(f)?;
                signs.iter().try_for_each(|way| way.fmt(f))
            }
            Move::Pass => "pass".fmt(f),
        }
    }
}

impl FromStr for Move {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Move, NotationError> {
        let found = if text == "pass" { Some(Move::Pass) } else { sown(text) };
        found.ok_or_else(|| NotationError {
            text: abridged(text),
            what: "move",
            reason: "a move is the number of a pit, from 1, with `+` or `-` after it for each direction that is chosen and `s` for a safari, or `pass`"
                .into(),
        })
    }
}

/// A move of a pit.
fn sown(text: &str) -> Option<Move> {
    let (digits, choices) = text.split_at(text.find(['+', '-']).unwrap_or(text.len()));
    let pit = number(digits).ok().and_then(|pit| u8::try_from(pit).ok()).filter(|&pit| pit > 0)?;
    let way = |sign| match sign {
        '+' => Some(Way::With),
        '-' => Some(Way::Against),
        _ => None,
    };
    if let Some(sign) = choices.strip_suffix('s') {
        let mut signs = sign.chars();
        return signs
            .next()
            .and_then(way)
            .filter(|_| signs.next().is_none())
            .map(|way| Move::Safari(pit, way));
    }
    let mut signs = Signs::default();
    choices.chars().try_for_each(|sign| signs.push(way(sign)?))?;
    Some(Move::with_signs(pit, signs))
}
