//! Omweso with every switch: its moves, its ends, and the values of all positions of a small board. Slow,
//! short, and sharing no code with the program it is used to check.
#![allow(dead_code)]

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;

/// The switches with their values, the default first.
pub const OMWESO: [(&str, &[&str]); 8] = [
    ("reverse", &["on", "off"]),
    ("reverse-pits", &["4", "2"]),
    ("first-turn-capture", &["no", "yes"]),
    ("re-entry", &["lap-origin", "capturing-pit"]),
    ("capture-needs", &["both", "inner"]),
    ("emitwe", &["off", "on"]),
    ("endless", &["illegal", "draw", "loss", "stop"]),
    ("setup", &["outer", "even"]),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endless {
    Illegal,
    Draw,
    Loss,
    Stop,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Omweso {
    pub reverse: bool,
    pub four_reverse_pits: bool,
    pub first_turn_capture: bool,
    pub from_capturing_pit: bool,
    pub needs_both: bool,
    pub emitwe: bool,
    pub endless: Endless,
    pub even: bool,
}

/// The switches in words such as `reverse=off endless=draw`; those left out keep their default.
pub fn omweso(text: &str) -> Omweso {
    let mut s = Omweso {
        reverse: true,
        four_reverse_pits: true,
        first_turn_capture: false,
        from_capturing_pit: false,
        needs_both: true,
        emitwe: false,
        endless: Endless::Illegal,
        even: false,
    };
    for word in text.split_whitespace() {
        match word {
            "reverse=on" => s.reverse = true,
            "reverse=off" => s.reverse = false,
            "reverse-pits=4" => s.four_reverse_pits = true,
            "reverse-pits=2" => s.four_reverse_pits = false,
            "first-turn-capture=no" => s.first_turn_capture = false,
            "first-turn-capture=yes" => s.first_turn_capture = true,
            "re-entry=lap-origin" => s.from_capturing_pit = false,
            "re-entry=capturing-pit" => s.from_capturing_pit = true,
            "capture-needs=both" => s.needs_both = true,
            "capture-needs=inner" => s.needs_both = false,
            "emitwe=off" => s.emitwe = false,
            "emitwe=on" => s.emitwe = true,
            "endless=illegal" => s.endless = Endless::Illegal,
            "endless=draw" => s.endless = Endless::Draw,
            "endless=loss" => s.endless = Endless::Loss,
            "endless=stop" => s.endless = Endless::Stop,
            "setup=outer" => s.even = false,
            "setup=even" => s.even = true,
            _ => panic!("not a switch of omweso: {word}"),
        }
    }
    s
}

/// How a game ended for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    Loss,
    Draw,
    Win,
}

/// The rings of both players, each from his front right pit on. `opening` is the number of moves without
/// captures that are still to come, `result` what a rule has ended the game with.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    pub own: Vec<u16>,
    pub opponent: Vec<u16>,
    pub opening: u8,
    pub result: Option<Outcome>,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |ring: &[u16]| ring.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        write!(f, "{} / {}", row(&self.own), row(&self.opponent))?;
        if self.opening > 0 {
            write!(f, " ; opening {}", self.opening)?;
        }
        match self.result {
            None => Ok(()),
            Some(Outcome::Loss) => write!(f, " ; result loss"),
            Some(Outcome::Draw) => write!(f, " ; result draw"),
            Some(Outcome::Win) => write!(f, " ; result win"),
        }
    }
}

/// A position from its text.
pub fn read(text: &str) -> Position {
    let mut fields = text.split(';').map(str::trim);
    let row = |text: &str| text.split_whitespace().map(|word| word.parse().unwrap()).collect::<Vec<u16>>();
    let (own, opponent) = fields.next().unwrap().split_once('/').unwrap();
    let mut position = Position { own: row(own), opponent: row(opponent), opening: 0, result: None };
    for field in fields {
        match field.split_once(' ').unwrap() {
            ("opening", moves) => position.opening = moves.parse().unwrap(),
            ("result", "loss") => position.result = Some(Outcome::Loss),
            ("result", "draw") => position.result = Some(Outcome::Draw),
            ("result", "win") => position.result = Some(Outcome::Win),
            _ => panic!("no field {field}"),
        }
    }
    position
}

/// A move made: its text, the seeds taken from the opponent, and the position as the opponent sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    pub text: String,
    pub gain: u16,
    pub next: Position,
}

/// A lap about to be sown: the seeds in hand are in no pit, and the first one goes next to the origin.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Lap {
    own: Vec<u16>,
    opponent: Vec<u16>,
    origin: usize,
    hand: u16,
    upwards: bool,
}

/// A move up to its lap about to be sown.
#[derive(Clone)]
struct Path {
    text: String,
    gain: u16,
    /// Whether there was a capture at the first and at the last front pit.
    captured_at_ends: [bool; 2],
    lap: Lap,
    /// The laps before.
    met: HashSet<Lap>,
}

/// A move was given up for its number of laps.
#[derive(Debug)]
pub struct TooLong;

impl Omweso {
    pub fn start(&self, pits: usize, seeds: u16) -> Position {
        let ring =
            if self.even { vec![seeds; 2 * pits] } else { [vec![0; pits], vec![2 * seeds; pits]].concat() };
        let opening = if self.first_turn_capture { 0 } else { 2 };
        Position { own: ring.clone(), opponent: ring, opening, result: None }
    }

    /// The legal moves, by pit and `+` before `-`; none if the game is over.
    pub fn moves(&self, position: &Position) -> Vec<Played> {
        self.moves_within(position, usize::MAX).unwrap()
    }

    /// As `moves`, unless some move has more than `most` laps before it ends or repeats itself.
    pub fn moves_within(&self, position: &Position, most: usize) -> Result<Vec<Played>, TooLong> {
        let mut moves = Vec::new();
        if position.result.is_none() {
            for pit in 0..position.own.len() {
                if position.own[pit] >= 2 {
                    moves.extend(self.play(position, pit, most)?);
                }
            }
        }
        Ok(moves)
    }

    /// All moves from the pit at index `origin`.
    fn play(&self, position: &Position, origin: usize, most: usize) -> Result<Vec<Played>, TooLong> {
        let captures_on = position.opening == 0;
        let pits = position.own.len() / 2;
        let mut lap = Lap {
            own: position.own.clone(),
            opponent: position.opponent.clone(),
            origin,
            hand: 0,
            upwards: true,
        };
        lap.hand = std::mem::take(&mut lap.own[origin]);
        let mut first = Path {
            text: (origin + 1).to_string(),
            gain: 0,
            captured_at_ends: [false, false],
            lap,
            met: HashSet::new(),
        };
        let mut found = Vec::new();
        let mut open = Vec::new();
        if let Some(downwards) = self.reversed(&mut first, captures_on) {
            open.push(downwards);
        }
        open.push(first);
        while let Some(mut path) = open.pop() {
            if !path.met.insert(path.lap.clone()) {
                found.extend(self.endless(position, path));
                continue;
            }
            if path.met.len() > most {
                return Err(TooLong);
            }
            let last = sow(&mut path.lap);
            if path.lap.own[last] == 1 {
                found.push(self.ended(position, path));
                continue;
            }
            if captures_on && self.captures(&path.lap, last) {
                let [front, back] = column(pits, last);
                let lap = &mut path.lap;
                lap.hand = std::mem::take(&mut lap.opponent[front]) + std::mem::take(&mut lap.opponent[back]);
                path.gain += lap.hand;
                path.captured_at_ends[0] |= last == 0;
                path.captured_at_ends[1] |= last == pits - 1;
                if self.from_capturing_pit {
                    lap.origin = last;
                }
            } else {
                path.lap.hand = std::mem::take(&mut path.lap.own[last]);
                path.lap.origin = last;
            }
            path.lap.upwards = true;
            if let Some(downwards) = self.reversed(&mut path, captures_on) {
                open.push(downwards);
            }
            open.push(path);
        }
        Ok(found)
    }

    /// The same path with its next lap downwards, if it may be so; both then have a sign.
    fn reversed(&self, path: &mut Path, captures_on: bool) -> Option<Path> {
        let reverse_pits = self.reverse_pits(path.lap.own.len() / 2);
        if !captures_on || !reverse_pits.contains(&(path.lap.origin + 1)) {
            return None;
        }
        let mut tried = Lap { upwards: false, ..path.lap.clone() };
        let last = sow(&mut tried);
        if tried.own[last] == 1 || !self.captures(&tried, last) {
            return None;
        }
        let mut downwards = path.clone();
        downwards.lap.upwards = false;
        downwards.text.push('-');
        path.text.push('+');
        Some(downwards)
    }

    /// The numbers of the pits whose laps may go downwards.
    pub fn reverse_pits(&self, pits: usize) -> Vec<usize> {
        match (self.reverse, self.four_reverse_pits) {
            (false, _) => vec![],
            (true, true) => vec![pits - 1, pits, pits + 1, pits + 2],
            (true, false) => vec![pits - 1, pits + 1],
        }
    }

    /// Whether a lap that ended at index `last`, in a pit that held seeds, captures where captures are on.
    fn captures(&self, lap: &Lap, last: usize) -> bool {
        let pits = lap.own.len() / 2;
        if last >= pits {
            return false;
        }
        let [front, back] = column(pits, last);
        lap.opponent[front] > 0 && (lap.opponent[back] > 0 || !self.needs_both)
    }

    fn ended(&self, position: &Position, path: Path) -> Played {
        let result = (self.emitwe && path.captured_at_ends == [true, true]).then_some(Outcome::Loss);
        let next = Position {
            own: path.lap.opponent,
            opponent: path.lap.own,
            opening: position.opening.saturating_sub(1),
            result,
        };
        Played { text: path.text, gain: path.gain, next }
    }

    /// What becomes of a move whose next lap it has met before.
    fn endless(&self, position: &Position, mut path: Path) -> Option<Played> {
        let result = match self.endless {
            Endless::Illegal => return None,
            Endless::Draw => Outcome::Draw,
            Endless::Loss => Outcome::Win,
            Endless::Stop => {
                path.lap.own[path.lap.origin] += path.lap.hand;
                return Some(self.ended(position, path));
            }
        };
        let next = Position {
            own: position.opponent.clone(),
            opponent: position.own.clone(),
            opening: position.opening.saturating_sub(1),
            result: Some(result),
        };
        Some(Played { text: path.text, gain: 0, next })
    }

    pub fn perft(&self, position: &Position, moves: u32) -> u64 {
        if moves == 0 {
            return 1;
        }
        self.moves(position).iter().map(|played| self.perft(&played.next, moves - 1)).sum()
    }
}

/// Sows the seeds in hand and gives the index of the pit that got the last one.
fn sow(lap: &mut Lap) -> usize {
    let ring = lap.own.len();
    let mut pit = lap.origin;
    for _ in 0..lap.hand {
        pit = (if lap.upwards { pit + 1 } else { pit + ring - 1 }) % ring;
        lap.own[pit] += 1;
    }
    lap.hand = 0;
    pit
}

/// The indices of the opponent's front pit that faces the front pit at `index` and of his pit behind it.
fn column(pits: usize, index: usize) -> [usize; 2] {
    let facing = pits + 1 - (index + 1);
    let behind = 2 * pits + 1 - facing;
    [facing - 1, behind - 1]
}

/// What a position is worth to the player to move, with the plies to the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Loss(u16),
    Draw,
    Win(u16),
}

impl Value {
    /// The same for the player who moved to the position.
    fn before(self) -> Value {
        match self {
            Value::Loss(plies) => Value::Win(plies + 1),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies + 1),
        }
    }

    /// Greater is better: quick wins and slow losses.
    fn rank(self) -> (Outcome, Reverse<u16>, u16) {
        match self {
            Value::Loss(plies) => (Outcome::Loss, Reverse(0), plies),
            Value::Draw => (Outcome::Draw, Reverse(0), 0),
            Value::Win(plies) => (Outcome::Win, Reverse(plies), 0),
        }
    }

    /// The value for a mover with these positions to choose from.
    fn best(next: impl Iterator<Item = Value>) -> Value {
        next.map(Value::before).max_by_key(|value| value.rank()).unwrap_or(Value::Loss(0))
    }
}

impl From<Outcome> for Value {
    fn from(outcome: Outcome) -> Value {
        match outcome {
            Outcome::Loss => Value::Loss(0),
            Outcome::Draw => Value::Draw,
            Outcome::Win => Value::Win(0),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Loss(plies) => write!(f, "loss {plies}"),
            Value::Draw => write!(f, "draw"),
            Value::Win(plies) => write!(f, "win {plies}"),
        }
    }
}

/// Every way to put `seeds` seeds in all into the pits of a board with `pits` pits a row, in rising order,
/// without `opening` and `result`.
pub fn all_positions(pits: usize, seeds: u16) -> Vec<Position> {
    fn fill(board: &mut Vec<u16>, wanted: usize, left: u16, all: &mut Vec<Position>) {
        if board.len() + 1 == wanted {
            let board = [&board[..], &[left]].concat();
            let (own, opponent) = board.split_at(wanted / 2);
            let (own, opponent) = (own.to_vec(), opponent.to_vec());
            all.push(Position { own, opponent, opening: 0, result: None });
            return;
        }
        for here in 0..=left {
            board.push(here);
            fill(board, wanted, left - here, all);
            board.pop();
        }
    }
    let mut all = Vec::new();
    fill(&mut Vec::new(), 4 * pits, seeds, &mut all);
    all
}

/// The values of all positions of a board.
pub struct Solved {
    pub game: Omweso,
    pub positions: Vec<Position>,
    /// In the order of `positions`.
    pub values: Vec<Value>,
}

/// Values of all positions with `seeds` seeds: everything is a draw at first, and each sweep looks one ply
/// further, until nothing changes.
pub fn solve(game: Omweso, pits: usize, seeds: u16) -> Solved {
    enum Next {
        At(u32),
        Over(Outcome),
    }
    let positions = all_positions(pits, seeds);
    // One list for the moves of all positions, and where the moves of each end: large boards need the memory.
    let (mut all, mut ends) = (Vec::new(), Vec::new());
    for position in &positions {
        all.extend(game.moves(position).into_iter().map(|played| match played.next.result {
            Some(outcome) => Next::Over(outcome),
            None => Next::At(positions.binary_search(&played.next).unwrap() as u32),
        }));
        ends.push(all.len());
    }
    let mut values = vec![Value::Draw; positions.len()];
    loop {
        let mut from = 0;
        let sweep: Vec<Value> = ends
            .iter()
            .map(|&end| {
                let moves = &all[std::mem::replace(&mut from, end)..end];
                Value::best(moves.iter().map(|next| match *next {
                    Next::At(number) => values[number as usize],
                    Next::Over(outcome) => outcome.into(),
                }))
            })
            .collect();
        if sweep == values {
            return Solved { game, positions, values };
        }
        values = sweep;
    }
}

impl Solved {
    /// The value of a position of this board, with `opening` and `result` or without.
    pub fn value(&self, position: &Position) -> Value {
        if let Some(outcome) = position.result {
            return outcome.into();
        }
        if position.opening > 0 {
            let moves = self.game.moves(position);
            return Value::best(moves.iter().map(|played| self.value(&played.next)));
        }
        self.values[self.positions.binary_search(position).unwrap()]
    }

    /// How many positions are won, drawn and lost for the mover.
    pub fn counts(&self) -> [usize; 3] {
        [Outcome::Win, Outcome::Draw, Outcome::Loss]
            .map(|outcome| self.values.iter().filter(|value| value.rank().0 == outcome).count())
    }

    /// The most plies to the end of a position that is won or lost.
    pub fn longest(&self) -> u16 {
        let plies = |value: &Value| match *value {
            Value::Loss(plies) | Value::Win(plies) => plies,
            Value::Draw => 0,
        };
        self.values.iter().map(plies).max().unwrap()
    }
}
