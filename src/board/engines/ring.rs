//! The plain engine for two-row games: one ring of cells, sown seed by seed.
//!
//! It is the measure for every faster path, so it does what the rules say in the order in which
//! they say it. `playable` lists what it refuses, `relay` plays a turn out, `endless` finds the turns
//! that never end.

use super::endless::{Guard, Overlong};
use super::playable::{self, closes_pits};
use crate::board::check::fits;
use crate::board::sealed::Sealed;
use crate::board::{Game, Move, NoEngine, Played, Position, Row, Way};
use crate::rules::*;

/// A cell of the ring, from the side of the mover; pits count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// A pit of the mover.
    Own(usize),
    /// The mover's store.
    Store,
    /// A pit of the opponent.
    Opponent(usize),
    /// The opponent's store.
    OpponentStore,
    /// A quan cell: 0 lies after the mover's last pit, 1 before his first.
    Quan(usize),
}

/// The plain engine.
#[derive(Clone, Debug)]
pub struct Ring {
    rules: Rules,
    pub(in crate::board) switches: Switches,
    pub(in crate::board) pits: u8,
    /// In sowing order.
    cells: Vec<Cell>,
    pub(super) guard: Guard,
}

impl Ring {
    /// An engine for a rule set.
    ///
    /// # Errors
    /// [`NoEngine`] if switches ask for what no known game gives a meaning to.
    pub fn new(rules: &Rules) -> Result<Ring, NoEngine> {
        let s = playable::check(rules)?;
        let pits = 0..usize::from(rules.pits());
        let after_row = |store: Store, cell, quan| {
            let store = (store == Store::Sow).then_some(cell);
            store.into_iter().chain((s.quan > 0).then_some(Cell::Quan(quan)))
        };
        let mut cells: Vec<Cell> = pits.clone().map(Cell::Own).collect();
        cells.extend(after_row(s.own_store, Cell::Store, 0));
        cells.extend(pits.map(Cell::Opponent));
        cells.extend(after_row(s.opponent_store, Cell::OpponentStore, 1));
        let (switches, pits) = (s.clone(), rules.pits());
        Ok(Ring { rules: rules.clone(), switches, pits, cells, guard: Guard::default() })
    }

    /// The switches of the game.
    pub fn switches(&self) -> &Switches {
        &self.switches
    }

    /// What counts of a position: whether a row can be filled again depends on the store.
    #[inline(always)]
    fn bare(&self, position: &Position) -> Position {
        let stores = if self.switches.refill == Refill::End { position.stores } else { [0, 0] };
        Position { stores, ..*position }
    }

    /// The cell at a place in the ring.
    #[inline]
    pub(super) fn cell(&self, at: usize) -> Cell {
        self.cells[at]
    }

    /// The place in the ring that follows another one in a direction; closed pits are no part of it.
    #[inline]
    pub(super) fn after(&self, position: &Position, at: usize, way: Way) -> usize {
        let last = self.cells.len() - 1;
        let mut at = at;
        loop {
            at = match way {
                Way::With => {
                    if at == last {
                        0
                    } else {
                        at + 1
                    }
                }
                Way::Against => {
                    if at == 0 {
                        last
                    } else {
                        at - 1
                    }
                }
            };
            match self.cells[at] {
                Cell::Own(pit) if position.own.is_closed(pit) => (),
                Cell::Opponent(pit) if position.opponent.is_closed(pit) => (),
                _ => return at,
            }
        }
    }

    /// One lap: lifts the seeds of a pit, given by its place in the ring, and drops them one by one.
    /// Returns the place of the cell that got the last one. What is sown into the stores or makes a
    /// pasu is counted in `position.stores`.
    ///
    /// # Panics
    /// If the place is not that of a pit that holds seeds.
    pub(in crate::board) fn lap(&self, position: &mut Position, from: usize, way: Way) -> usize {
        let s = &self.switches;
        let mut hand = std::mem::take(pit_mut(position, self.cells[from]));
        assert!(hand > 0, "a lap starts from a pit with seeds");
        let mut at = from;
        while hand > 0 {
            at = self.after(position, at, way);
            match self.cells[at] {
                Cell::Store => position.stores[0] += 1,
                Cell::OpponentStore => position.stores[1] += 1,
                Cell::Quan(cell) => position.quan.seeds[cell] += 1,
                _ if s.origin == Origin::Skip && at == from => continue,
                pit => {
                    *pit_mut(position, pit) += 1;
                    if hand > 1 || s.pasu_last.yes() {
                        self.take_pasu(position, pit);
                    }
                }
            }
            hand -= 1;
        }
        at
    }

    /// A seed was dropped into a pit; if that makes the number that is pasu, all of them are credited.
    fn take_pasu(&self, position: &mut Position, pit: Cell) {
        let s = &self.switches;
        let pasu = match s.pasu {
            Pasu::Off => return,
            Pasu::Four => 4,
            Pasu::Six => 6,
        };
        if *pit_mut(position, pit) == pasu {
            *pit_mut(position, pit) = 0;
            let is_own = s.pasu_owner == PasuOwner::Sower || matches!(pit, Cell::Own(_));
            position.stores[usize::from(!is_own)] += i32::from(pasu);
        }
    }

    /// A move of an own pit, from 0, that holds seeds; `None` if it may not be played. Duties to feed
    /// are not regarded.
    #[inline]
    fn played(&self, start: &Position, pit: usize, way: Way) -> Option<Played<Position>> {
        let mut board = *start;
        let again = self.play(&mut board, pit, way)?;
        let [own, opponent] = start.stores;
        let (gain, opponent_gain) = (board.stores[0] - own, board.stores[1] - opponent);
        let board = self.bare(&board);
        let pit = pit as u8 + 1;
        let choice = match self.switches.direction {
            Direction::Fixed => Move::Pit(pit),
            Direction::Free => Move::Directed(pit, way),
        };
        let next = if again { board } else { board.flipped() };
        Some(Played { choice, gain, opponent_gain, again, next })
    }

    /// The moves from a position whose row is not empty, duties to feed not regarded.
    fn played_by_pit(&self, start: Position) -> impl Iterator<Item = Played<Position>> {
        let ways: &[Way] = match self.switches.direction {
            Direction::Fixed => &[Way::With],
            Direction::Free => &[Way::With, Way::Against],
        };
        let pits = (0..start.own.len()).filter(move |&pit| start.own[pit] > 0);
        pits.flat_map(move |pit| ways.iter().map(move |&way| (pit, way)))
            .filter_map(move |(pit, way)| self.played(&start, pit, way))
    }

    /// Whether only moves that leave the opponent a seed are legal.
    fn must_feed(&self, start: &Position) -> bool {
        match self.switches.feed {
            Feed::None => false,
            Feed::MustFeed => start.opponent.seeds() == 0,
            Feed::LeaveAMove => self.played_by_pit(*start).any(|played| feeds(&played)),
        }
    }

    /// The legal moves in a game that is not over by what lies on the board, but for passing.
    fn moves(&self, start: &Position) -> impl Iterator<Item = Played<Position>> {
        let must_feed = self.must_feed(start);
        // A refill is the first part of the move, so what it costs belongs to the gain.
        let paid = if start.own.seeds() == 0 { self.refill_cost() } else { 0 };
        let mut filled = *start;
        if paid > 0 {
            filled.own.fill(1);
            filled.stores[0] -= paid;
        }
        self.played_by_pit(filled)
            .map(move |played| Played { gain: played.gain - paid, ..played })
            .filter(move |played| !must_feed || feeds(played))
    }

    /// What it costs to fill an empty row again; 0 if that is not done.
    fn refill_cost(&self) -> i32 {
        if self.switches.refill == Refill::None { 0 } else { self.pits.into() }
    }

    /// Whether a player who has seeds may be without a legal move.
    fn restricts_moves(&self) -> bool {
        let s = &self.switches;
        let forbids_endless = s.endless == Endless::Illegal && self.may_be_endless();
        s.feed != Feed::None || s.grand_slam == GrandSlam::Illegal || forbids_endless
    }

    /// Whether the game is over by what lies on the board.
    fn is_over(&self, position: &Position) -> bool {
        let s = &self.switches;
        let (own, opponent) = (position.own.seeds(), position.opponent.seeds());
        let by_rule = match s.end {
            End::RowEmpty => own == 0 || opponent == 0,
            End::Stuck => own == 0,
            End::Cells => (0..2).all(|cell| position.quan.is_empty(cell)),
            End::Pieces => position.quan.pieces == [false; 2],
            End::AllEmpty | End::NoMove => own == 0 && opponent == 0,
        };
        let is_stuck = match s.refill {
            Refill::None => s.no_move == NoMove::End,
            Refill::Debt => false,
            Refill::End => position.stores[0] < self.refill_cost(),
        };
        by_rule || (own == 0 && is_stuck)
    }
}

/// Whether a move leaves the opponent a seed.
fn feeds(played: &Played<Position>) -> bool {
    let row = if played.again { &played.next.opponent } else { &played.next.own };
    row.seeds() > 0
}

/// The seeds of a pit.
pub(super) fn pit_mut(position: &mut Position, cell: Cell) -> &mut u16 {
    match cell {
        Cell::Own(pit) => &mut position.own[pit],
        Cell::Opponent(pit) => &mut position.opponent[pit],
        Cell::Store | Cell::OpponentStore | Cell::Quan(_) => panic!("{cell:?} is no pit"),
    }
}

/// What the mover and the opponent get of the seeds left on the board of a game that is over.
#[inline]
pub(in crate::board) fn final_shares(rest: Rest, own: u32, opponent: u32) -> [u32; 2] {
    match rest {
        Rest::Owner => [own, opponent],
        Rest::Nobody => [0, 0],
        Rest::Emptied if own == 0 => [opponent, 0],
        Rest::Emptied if opponent == 0 => [0, own],
        Rest::Emptied => [0, 0],
        Rest::Opponent => [0, own + opponent],
    }
}

/// As [`final_shares`]: the mover's minus the opponent's.
pub(crate) fn final_share(rest: Rest, own: u32, opponent: u32) -> i32 {
    let [own, opponent] = final_shares(rest, own, opponent);
    own as i32 - opponent as i32
}

impl Sealed for Ring {}

impl Game for Ring {
    type Position = Position;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    const MOST_SEEDS: u32 = u16::MAX as u32;

    fn holds(&self, position: &Position) -> bool {
        position.foreign_to_two_rows(&self.switches).is_none()
            && (!position.has_closed() || closes_pits(&self.switches))
            && fits(position, self.pits.into(), Self::MOST_SEEDS)
    }

    fn pack(&self, position: &Position) -> Position {
        assert!(self.holds(position), "{position} is no position of {}", self.rules);
        self.bare(position)
    }

    fn unpack(&self, position: &Position) -> Position {
        self.bare(position)
    }

    fn seeds(&self, position: &Position) -> u32 {
        position.seeds()
    }

    fn end_value(&self, position: &Position) -> Option<i32> {
        let s = &self.switches;
        let is_stuck = || {
            s.no_move == NoMove::End
                && self.restricts_moves()
                && self.moves(&self.bare(position)).next().is_none()
        };
        let share = || final_share(s.rest, position.own.seeds(), position.opponent.seeds());
        (self.is_over(position) || is_stuck()).then(share)
    }

    fn for_each_move(&self, position: &Position, mut visit: impl FnMut(Played<Position>)) {
        let start = self.bare(position);
        if self.is_over(&start) {
            return;
        }
        let mut passes = self.switches.no_move == NoMove::Pass;
        for played in self.moves(&start) {
            passes = false;
            visit(played);
        }
        if passes {
            let next = start.flipped();
            visit(Played { choice: Move::Pass, gain: 0, opponent_gain: 0, again: false, next });
        }
    }

    fn check_laps(&self) -> Result<(), Overlong> {
        self.guard.take()
    }

    fn giving_up_after(&self, most_laps: u64) -> Ring {
        Ring { guard: self.guard.sooner(most_laps), ..self.clone() }
    }
}

/// Used by builders that fill tables of half boards: an empty row faces the half board.
impl Ring {
    /// Sows one pit, from 0, of a half board that faces an empty row. Returns the position after
    /// the lap, from the mover's side and with what was sown into the stores, and the last cell.
    pub(crate) fn sow_half(&self, row: &Row, pit: usize) -> (Position, Cell) {
        let mut board = Position::of_rows(*row, Row::empty(row.len()));
        let last = self.lap(&mut board, pit, Way::With);
        (board, self.cells[last])
    }
}
