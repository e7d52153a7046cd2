//! The plain engine for two-row games: one ring of cells, sown seed by seed.
//!
//! It is the measure for every faster path, so it does what the rules say in the order in which
//! they say it. It plays the games that sow the own store (Kalah with all its switches, Congklak
//! and Sungka) and those of single laps without stores in the ring (Oware). In these a turn always
//! ends: a relay goes on only where the store is sown, a lap that does not feed the store moves the
//! seeds of one row forward, and there is only so far to go.

use std::ops::Range;

use super::{Game, Move, NoEngine, Played, Position, Row};
use crate::rules::*;

/// The switches of which only some values have an engine, and those values.
const PLAYED: &[Choice] = &[
    ("quan", &["0"]),
    ("direction", &["fixed"]),
    ("lap", &["single", "same-hole"]),
    ("capture", &["none", "cross", "two-three"]),
    ("chain", &["no"]),
    ("after-capture", &["stop"]),
    ("pasu", &["off"]),
    ("end", &["row-empty", "stuck", "all-empty", "no-move"]),
    ("refill", &["none"]),
];

/// A switch and some of its values.
type Choice = (&'static str, &'static [&'static str]);

/// The switches of which some values have an engine only together with values of another one.
const PLAYED_TOGETHER: &[(Choice, Choice)] = &[
    (("own-store", &["skip"]), ("lap", &["single"])),
    (("mikul", &["on", "equal"]), ("capture", &["none", "cross"])),
    (("grand-slam", &["no-capture", "illegal"]), ("capture", &["two-three"])),
    (("grand-slam", &["illegal"]), ("no-move", &["end"])),
    (("feed", &["must-feed", "leave-a-move"]), ("no-move", &["end"])),
];

/// A cell of the ring, from the side of the mover; pits count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A pit of the mover.
    Own(usize),
    /// The mover's store.
    Store,
    /// A pit of the opponent.
    Opponent(usize),
    /// The opponent's store.
    OpponentStore,
}

/// The plain engine.
#[derive(Clone, Debug)]
pub struct Ring {
    rules: Rules,
}

impl Ring {
    /// An engine for a rule set.
    ///
    /// # Errors
    /// [`NoEngine`] if a switch asks for what this engine does not do.
    pub fn new(rules: &Rules) -> Result<Ring, NoEngine> {
        let value = |key| rules.switches.get(key).expect("the keys above are keys of the record");
        let is = |(key, values): &Choice| values.contains(&value(key).as_str());
        let together =
            PLAYED_TOGETHER.iter().filter(|(one, other)| is(one) && !is(other)).map(|(one, _)| one);
        if let Some((key, _)) = PLAYED.iter().filter(|choice| !is(choice)).chain(together).next() {
            return Err(NoEngine { game: rules.title(), switch: format!("{key}={}", value(key)) });
        }
        Ok(Ring { rules: rules.clone() })
    }

    /// The cell after another one in the mover's ring.
    fn after(&self, cell: Cell) -> Cell {
        let last = usize::from(self.rules.pits) - 1;
        match cell {
            Cell::Own(pit) if pit < last => Cell::Own(pit + 1),
            Cell::Own(_) if self.rules.switches.own_store == Store::Sow => Cell::Store,
            Cell::Own(_) | Cell::Store => Cell::Opponent(0),
            Cell::Opponent(pit) if pit < last => Cell::Opponent(pit + 1),
            Cell::Opponent(_) if self.rules.switches.opponent_store == Store::Sow => Cell::OpponentStore,
            Cell::Opponent(_) | Cell::OpponentStore => Cell::Own(0),
        }
    }

    /// One lap: lifts the seeds of a pit and drops them one by one. Returns the cell that got the
    /// last one. Seeds sown into the stores are counted in `position.stores`.
    ///
    /// # Panics
    /// If the cell is no pit or holds no seed.
    pub fn lap(&self, position: &mut Position, from: Cell) -> Cell {
        let mut hand = std::mem::take(pit_mut(position, from));
        assert!(hand > 0, "a lap starts from a pit with seeds");
        let skip_origin = self.rules.switches.origin == Origin::Skip;
        let mut cell = from;
        while hand > 0 {
            cell = self.after(cell);
            match cell {
                Cell::Store => position.stores[0] += 1,
                Cell::OpponentStore => position.stores[1] += 1,
                _ if skip_origin && cell == from => continue,
                _ => *pit_mut(position, cell) += 1,
            }
            hand -= 1;
        }
        cell
    }

    /// Plays an own pit, from 0. The position is left from the mover's side, with his winnings in
    /// its stores. Returns whether the turn goes on with an extra move; `None` if the capture is one
    /// that may not be made.
    fn play(&self, position: &mut Position, pit: usize) -> Option<bool> {
        let s = &self.rules.switches;
        let mut last = self.lap(position, Cell::Own(pit));
        while s.lap == Lap::SameHole && is_pit(last) && *pit_mut(position, last) > 1 {
            last = self.lap(position, last);
        }
        match last {
            Cell::Store => Some(s.extra_move != ExtraMove::None),
            Cell::Own(pit) if position.own[pit] == 1 => Some(self.capture_across(position, pit)),
            Cell::Opponent(pit) if s.capture == Capture::TwoThree => {
                self.capture_chain(position, pit).then_some(false)
            }
            Cell::Opponent(pit) if position.opponent[pit] == 1 => {
                self.capture_neighbours(position, pit);
                Some(false)
            }
            _ => Some(false),
        }
    }

    /// The pits of the opponent's row that a last seed in `pit`, from 0, captures by twos and threes.
    pub(crate) fn chain(row: &Row, pit: usize) -> Range<usize> {
        let pits = (0..=pit).rev().take_while(|&pit| matches!(row[pit], 2 | 3)).count();
        pit + 1 - pits..pit + 1
    }

    /// The last seed fell into the opponent's `pit`: it and those before it are captured as long as
    /// they hold two or three. Returns whether the move may be played.
    fn capture_chain(&self, position: &mut Position, pit: usize) -> bool {
        let held = position.opponent.seeds();
        let row = &mut position.opponent;
        let chain = Self::chain(row, pit);
        let captured: u32 = row[chain.clone()].iter().map(|&seeds| u32::from(seeds)).sum();
        if captured == held {
            match self.rules.switches.grand_slam {
                GrandSlam::Free => (),
                GrandSlam::NoCapture => return true,
                GrandSlam::Illegal => return false,
            }
        }
        row[chain].fill(0);
        position.stores[0] += captured as i32;
        true
    }

    /// The last seed fell into the own empty `pit`. Returns whether that earned an extra move.
    fn capture_across(&self, position: &mut Position, pit: usize) -> bool {
        let s = &self.rules.switches;
        if s.capture != Capture::Cross {
            return false;
        }
        let opposite = usize::from(self.rules.pits) - 1 - pit;
        let captured = std::mem::take(&mut position.opponent[opposite]);
        let takes_last = s.trigger == Trigger::Take && (captured > 0 || s.empty_capture.yes());
        let last = if takes_last { std::mem::take(&mut position.own[pit]) } else { 0 };
        position.stores[0] += i32::from(captured + last);
        captured > 0 && s.extra_move == ExtraMove::StoreOrCapture
    }

    /// The last seed fell into the opponent's empty `pit`, which may capture the pits beside it.
    fn capture_neighbours(&self, position: &mut Position, pit: usize) {
        let row = &mut position.opponent;
        let before = pit.checked_sub(1).map(|pit| row[pit]);
        let behind = row.get(pit + 1).copied();
        let captures = match self.rules.switches.mikul {
            Mikul::Off => false,
            Mikul::On => true,
            Mikul::Equal => before.is_some() && before == behind && before != Some(0),
        };
        if captures {
            position.stores[0] += i32::from(before.unwrap_or(0) + behind.unwrap_or(0));
            if pit > 0 {
                row[pit - 1] = 0;
            }
            if pit + 1 < row.len() {
                row[pit + 1] = 0;
            }
        }
    }

    /// A move of an own pit, from 0, that holds seeds; `None` if it may not be played. Duties to feed
    /// are not regarded.
    #[inline]
    fn played(&self, start: &Position, pit: usize) -> Option<Played<Position>> {
        let mut board = *start;
        let again = self.play(&mut board, pit)?;
        let [gain, opponent_gain] = std::mem::take(&mut board.stores);
        let next = if again { board } else { board.flipped() };
        Some(Played { choice: Move::Pit(pit as u8 + 1), gain, opponent_gain, again, next })
    }

    /// Whether only moves that leave the opponent a seed are legal.
    fn must_feed(&self, start: &Position) -> bool {
        match self.rules.switches.feed {
            Feed::None => false,
            Feed::MustFeed => start.opponent.seeds() == 0,
            Feed::LeaveAMove => {
                own_pits(start).any(|pit| self.played(start, pit).is_some_and(|played| feeds(&played)))
            }
        }
    }

    /// The legal moves of a player who has seeds, in a game that is not over by the seeds in the rows.
    fn moves(&self, start: &Position) -> impl Iterator<Item = Played<Position>> {
        let must_feed = self.must_feed(start);
        own_pits(start)
            .filter_map(|pit| self.played(start, pit))
            .filter(move |played| !must_feed || feeds(played))
    }

    /// Whether a player who has seeds may be without a legal move.
    fn restricts_moves(&self) -> bool {
        let s = &self.rules.switches;
        s.feed != Feed::None || s.grand_slam == GrandSlam::Illegal
    }

    /// Whether the game is over by the seeds in the rows.
    fn is_over(&self, own: u32, opponent: u32) -> bool {
        let s = &self.rules.switches;
        let by_rule = match s.end {
            End::RowEmpty => own == 0 || opponent == 0,
            End::Stuck => own == 0,
            _ => own == 0 && opponent == 0,
        };
        by_rule || (own == 0 && s.no_move == NoMove::End)
    }
}

/// Whether a move leaves the opponent a seed.
fn feeds(played: &Played<Position>) -> bool {
    let row = if played.again { &played.next.opponent } else { &played.next.own };
    row.seeds() > 0
}

fn own_pits(position: &Position) -> impl Iterator<Item = usize> {
    (0..position.own.len()).filter(|&pit| position.own[pit] > 0)
}

fn is_pit(cell: Cell) -> bool {
    matches!(cell, Cell::Own(_) | Cell::Opponent(_))
}

fn pit_mut(position: &mut Position, cell: Cell) -> &mut u16 {
    match cell {
        Cell::Own(pit) => &mut position.own[pit],
        Cell::Opponent(pit) => &mut position.opponent[pit],
        Cell::Store | Cell::OpponentStore => panic!("a store is no pit"),
    }
}

/// The points of the seeds left on the board of a game that is over, the mover's minus the
/// opponent's.
pub(crate) fn final_share(rest: Rest, own: u32, opponent: u32) -> i32 {
    let (left_own, left_opponent) = (own as i32, opponent as i32);
    match rest {
        Rest::Owner => left_own - left_opponent,
        Rest::Nobody => 0,
        Rest::Emptied if own == 0 => left_opponent,
        Rest::Emptied if opponent == 0 => -left_own,
        Rest::Emptied => 0,
        Rest::Opponent => -left_own - left_opponent,
    }
}

impl Game for Ring {
    type Position = Position;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn pack(&self, position: &Position) -> Position {
        Position { stores: [0, 0], ..*position }
    }

    fn unpack(&self, position: &Position) -> Position {
        self.pack(position)
    }

    fn seeds(&self, position: &Position) -> u32 {
        position.seeds()
    }

    fn end_value(&self, position: &Position) -> Option<i32> {
        let (own, opponent) = (position.own.seeds(), position.opponent.seeds());
        let stuck = || self.restricts_moves() && self.moves(&self.pack(position)).next().is_none();
        (self.is_over(own, opponent) || stuck()).then(|| final_share(self.rules.switches.rest, own, opponent))
    }

    fn for_each_move(&self, position: &Position, mut visit: impl FnMut(Played<Position>)) {
        let start = self.pack(position);
        let (own, opponent) = (start.own.seeds(), start.opponent.seeds());
        if self.is_over(own, opponent) {
            return;
        }
        if own == 0 {
            let next = start.flipped();
            visit(Played { choice: Move::Pass, gain: 0, opponent_gain: 0, again: false, next });
        }
        self.moves(&start).for_each(visit);
    }
}

/// Used by builders that fill tables of half boards: an empty row faces the half board.
impl Ring {
    /// Sows one pit, from 0, of a half board that faces an empty row. Returns the position after
    /// the lap, from the mover's side and with what was sown into the stores, and the last cell.
    pub fn sow_half(&self, row: &Row, pit: usize) -> (Position, Cell) {
        let mut board = Position::new(row, &vec![0; row.len()]);
        let last = self.lap(&mut board, Cell::Own(pit));
        (board, last)
    }
}
