//! A turn of the plain engine: laps until one ends the relay, and what the last seed captures.

use std::ops::{ControlFlow, Range};

use super::endless::{Brent, Seen, first_repeated};
use super::ring::{Cell, pit_mut};
use crate::board::{Position, Ring, Row, Way};
use crate::rules::*;

/// What lies on the board between two laps, and the place in the ring of the pit to be lifted next.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LapState {
    lift: usize,
    board: Position,
}

/// How a turn ends: whether the mover goes on with an extra move, `None` if it may not be played.
type RelayEnd = Option<bool>;

impl Ring {
    /// Plays an own pit, from 0, which is also its place in the ring. The position is left from the
    /// mover's side, with his winnings in its stores. Returns whether the turn goes on with an extra
    /// move; `None` if the move may not be played.
    pub(super) fn play(&self, position: &mut Position, pit: usize, way: Way) -> RelayEnd {
        let first = LapState { lift: pit, board: *position };
        let mut state = first;
        let end = if self.may_be_endless() {
            let mut brent = Brent::new(first, self.guard.most_laps());
            loop {
                if let ControlFlow::Break(end) = self.relay(&mut state, way) {
                    break end;
                }
                match brent.see(&state) {
                    Seen::New => (),
                    Seen::Again => break self.never_ends(&mut state, Some(first), way),
                    Seen::Overlong => {
                        self.guard.trip();
                        break self.never_ends(&mut state, None, way);
                    }
                }
            }
        } else {
            loop {
                if let ControlFlow::Break(end) = self.relay(&mut state, way) {
                    break end;
                }
            }
        };
        *position = state.board;
        end
    }

    /// Whether a turn may go on for ever. Not if the own store is sown: a lap that does not feed it
    /// moves seeds towards it, and there is only so far to go; nor with quan cells, which keep a seed
    /// of each circle.
    pub(super) fn may_be_endless(&self) -> bool {
        let s = &self.switches;
        s.lap != Lap::Single && s.quan == 0 && s.own_store == Store::Skip
    }

    /// Ends a turn that goes on for ever, as the rules say. One that was given up has no `first` state, and
    /// ends as if it did, somewhere.
    fn never_ends(&self, state: &mut LapState, first: Option<LapState>, way: Way) -> RelayEnd {
        let (own, opponent) = (state.board.own.seeds(), state.board.opponent.seeds());
        match self.switches.endless {
            Endless::Illegal => return None,
            Endless::Draw => (),
            Endless::Loss => state.board.stores[1] += (own + opponent) as i32,
            Endless::Stop => {
                if let Some(first) = first {
                    *state = first_repeated(first, |mut state| {
                        let step = self.relay(&mut state, way);
                        debug_assert!(step.is_continue(), "an endless turn has no end");
                        state
                    });
                }
                return Some(false);
            }
        }
        state.board.own.fill(0);
        state.board.opponent.fill(0);
        Some(false)
    }

    /// One lap and what follows from its end.
    fn relay(&self, state: &mut LapState, way: Way) -> ControlFlow<RelayEnd> {
        let LapState { lift, board } = state;
        let last = self.lap(board, *lift, way);
        match self.switches.lap {
            Lap::Single => ControlFlow::Break(self.finish(board, last)),
            Lap::SameHole => match self.held(board, last) {
                Some(2..) => {
                    *lift = last;
                    ControlFlow::Continue(())
                }
                Some(1) if self.captures_beyond() => self.capture_beyond(state, last, way),
                _ => ControlFlow::Break(self.finish(board, last)),
            },
            Lap::NextHole => {
                let next = self.after(board, last, way);
                match self.held(board, next) {
                    Some(1..) => {
                        *lift = next;
                        ControlFlow::Continue(())
                    }
                    _ if self.is_gap(board, next) => self.capture_beyond(state, next, way),
                    _ => ControlFlow::Break(Some(false)),
                }
            }
        }
    }

    /// The seeds of a pit, given by its place in the ring; `None` for other cells.
    fn held(&self, board: &Position, at: usize) -> Option<u16> {
        match self.cell(at) {
            Cell::Own(pit) => Some(board.own[pit]),
            Cell::Opponent(pit) => Some(board.opponent[pit]),
            Cell::Store | Cell::OpponentStore | Cell::Quan(_) => None,
        }
    }

    /// A turn of games that do not capture beyond gaps is over at this place.
    fn finish(&self, board: &mut Position, last: usize) -> RelayEnd {
        let s = &self.switches;
        Some(match self.cell(last) {
            Cell::Store => s.extra_move != ExtraMove::None,
            Cell::Own(pit) if board.own[pit] == 1 => self.capture_across(board, pit),
            Cell::Opponent(pit) if s.capture == Capture::TwoThree => {
                return self.capture_chain(board, pit).then_some(false);
            }
            Cell::Opponent(pit) if board.opponent[pit] == 1 => {
                self.capture_neighbours(board, pit);
                false
            }
            _ => false,
        })
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
            match self.switches.grand_slam {
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
        let s = &self.switches;
        if s.capture != Capture::Cross {
            return false;
        }
        let opposite = usize::from(self.pits) - 1 - pit;
        let captured = std::mem::take(&mut position.opponent[opposite]);
        let takes_last = s.trigger == Trigger::Take && (captured > 0 || s.empty_capture.yes());
        let last = if takes_last { std::mem::take(&mut position.own[pit]) } else { 0 };
        position.stores[0] += i32::from(captured + last);
        captured > 0 && s.extra_move == ExtraMove::StoreOrCapture
    }

    /// The last seed fell into the opponent's empty `pit`, which may capture the pits beside it.
    fn capture_neighbours(&self, position: &mut Position, pit: usize) {
        let row = &mut position.opponent;
        let beside = |pit: usize| (pit < row.len() && !row.is_closed(pit)).then(|| row[pit]);
        let (before, behind) = (pit.checked_sub(1).and_then(beside), beside(pit + 1));
        let captures = match self.switches.mikul {
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

    fn captures_beyond(&self) -> bool {
        matches!(self.switches.capture, Capture::Next | Capture::NextAndOpposite)
    }

    /// Whether a cell is one beyond which captures are made: an empty pit, or an empty quan cell where
    /// that counts as one.
    fn is_gap(&self, board: &Position, at: usize) -> bool {
        match self.cell(at) {
            Cell::Quan(cell) => board.quan.is_empty(cell) && self.switches.empty_quan == EmptyQuan::Pass,
            _ => self.held(board, at) == Some(0),
        }
    }

    /// A lap has ended at a gap, given by its place: the cell beyond it is captured, and perhaps more.
    fn capture_beyond(&self, state: &mut LapState, gap: usize, way: Way) -> ControlFlow<RelayEnd> {
        let s = &self.switches;
        let board = &mut state.board;
        let over = ControlFlow::Break(Some(false));
        if !self.captures_beyond() {
            return over;
        }
        let mut at = self.after(board, gap, way);
        if !self.take(board, at) {
            return over;
        }
        while s.chain.yes() {
            let gap = self.after(board, at, way);
            at = self.after(board, gap, way);
            if !self.is_gap(board, gap) || !self.take(board, at) {
                return over;
            }
        }
        if s.after_capture == AfterCapture::Stop {
            return over;
        }
        let captured = at;
        loop {
            at = self.after(board, at, way);
            if self.held(board, at) > Some(0) {
                state.lift = at;
                return ControlFlow::Continue(());
            }
            if at == captured {
                return over;
            }
        }
    }

    /// Captures all that a cell beyond a gap holds; false if that is nothing or is safe.
    fn take(&self, board: &mut Position, at: usize) -> bool {
        let s = &self.switches;
        let cell = self.cell(at);
        if let Cell::Quan(cell) = cell {
            let seeds = board.quan.seeds[cell];
            let is_safe = board.quan.pieces[cell] && seeds < u16::from(s.quan_safe);
            if is_safe || board.quan.is_empty(cell) {
                return false;
            }
            let piece = if std::mem::take(&mut board.quan.pieces[cell]) { s.quan_value } else { 0 };
            board.quan.seeds[cell] = 0;
            board.stores[0] += i32::from(seeds) + i32::from(piece);
            return true;
        }
        let captured = std::mem::take(pit_mut(board, cell));
        if captured == 0 {
            return false;
        }
        let last = usize::from(self.pits) - 1;
        let opposite = match (s.capture, cell) {
            (Capture::NextAndOpposite, Cell::Own(pit)) => std::mem::take(&mut board.opponent[last - pit]),
            (Capture::NextAndOpposite, Cell::Opponent(pit)) => std::mem::take(&mut board.own[last - pit]),
            _ => 0,
        };
        board.stores[0] += i32::from(captured) + i32::from(opposite);
        true
    }
}
