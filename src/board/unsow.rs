//! Moves taken back.
//!
//! A lap is taken back by lifting one seed from each cell that it fed and laying them all into the
//! pit in which it began. It had emptied that pit, so the pit now holds just what the lap itself
//! dropped there on full circles, and every cell must hold what the lap dropped there. That leaves
//! few laps for a last cell: of less than a circle at most one begins in a pit, since between its
//! beginning and its end no pit is empty. Laps of a relay are taken back one after the other.

use super::kernels::first_beyond;
use super::{Position, Ring, Way};
use crate::rules::*;

/// Switches that may differ from the plainest value.
const KNOWN: &[&str] = &[
    "own-store",
    "opponent-store",
    "origin",
    "lap",
    "capture",
    "trigger",
    "empty-capture",
    "extra-move",
    "no-move",
    "end",
    "rest",
    "quan-value",
    "quan-safe",
    "endless",
    "cycle",
];

/// Cells of a board, stores included.
const CELLS: usize = 32;

/// Pits and stores by their places in the ring: the mover's pits, his store, the opponent's pits, his
/// store.
type Cells = [u8; CELLS];

/// A lap, by where it begins and how many seeds it sows.
#[derive(Clone)]
struct LapDrops {
    from: usize,
    seeds: u8,
    /// What it drops into the cells.
    drops: Cells,
}

/// Finds the positions from which a move leads to a given one, in games with a sown store, single
/// laps or relays through it, and captures of the opposite pit at most.
#[derive(Clone)]
pub struct Unsow {
    switches: Switches,
    pits: usize,
    max_seeds: u8,
    /// The laps by their last cell, by rising number of seeds.
    laps: Vec<Vec<LapDrops>>,
}

impl std::fmt::Debug for Unsow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unsow")
            .field("pits", &self.pits)
            .field("max_seeds", &self.max_seeds)
            .finish_non_exhaustive()
    }
}

impl Unsow {
    /// For boards of up to `seeds` seeds, those in the stores included. `None` for rules and boards
    /// that are beyond it.
    pub fn new(rules: &Rules, seeds: u32) -> Option<Unsow> {
        let s = rules.switches()?;
        let is_known = first_beyond(KNOWN, s).is_none()
            && s.own_store == Store::Sow
            && matches!(s.lap, Lap::Single | Lap::SameHole)
            && matches!(s.capture, Capture::None | Capture::Cross)
            && matches!(s.end, End::NoMove | End::RowEmpty | End::Stuck | End::AllEmpty);
        let (pits, max_seeds) = (usize::from(rules.pits()), u8::try_from(seeds).ok()?);
        if !is_known || 2 * pits + 2 > CELLS {
            return None;
        }
        let ring = Ring::new(rules).ok()?;
        let mut unsow = Unsow { switches: s.clone(), pits, max_seeds, laps: vec![Vec::new(); 2 * pits + 2] };
        for seeds in 1..=max_seeds {
            for from in (0..pits).chain(pits + 1..=2 * pits) {
                let mut cells = [0; CELLS];
                cells[from] = seeds;
                let mut board = unsow.position(&cells);
                let last = ring.lap(&mut board, from, Way::With);
                let drops = unsow.cells(&board);
                unsow.laps[last].push(LapDrops { from, seeds, drops });
            }
        }
        Some(unsow)
    }

    /// What lies where, of a position with as few seeds as this was made for.
    fn cells(&self, position: &Position) -> Cells {
        let mut cells = [0; CELLS];
        let pits = self.pits;
        cells[..pits].iter_mut().zip(position.own.iter()).for_each(|(cell, pit)| *cell = *pit as u8);
        cells[pits + 1..].iter_mut().zip(position.opponent.iter()).for_each(|(cell, pit)| *cell = *pit as u8);
        (cells[pits], cells[2 * pits + 1]) = (position.stores[0] as u8, position.stores[1] as u8);
        cells
    }

    fn position(&self, cells: &Cells) -> Position {
        let pits = self.pits;
        let mut position = Position::of_rows(&[0; CELLS][..pits], &[0; CELLS][..pits]);
        position.own.iter_mut().zip(&cells[..pits]).for_each(|(pit, cell)| *pit = (*cell).into());
        position.opponent.iter_mut().zip(&cells[pits + 1..]).for_each(|(pit, cell)| *pit = (*cell).into());
        position.stores = [cells[pits].into(), cells[2 * pits + 1].into()];
        position
    }

    /// Calls `visit` for each position from which a move leads to `after`, with what the stores held
    /// before; for some more than once. `after` is written from the side of the player who made the
    /// move, whoever moves next, and `again` says whether the move earned him an extra move. Seeds in
    /// the stores limit what moves can have brought.
    ///
    /// # Panics
    /// If the board has other pits or more seeds than this was made for, a closed pit or points below 0.
    pub fn for_each(&self, after: &Position, again: bool, mut visit: impl FnMut(&Position)) {
        let s = &self.switches;
        let stores = after.stores.iter().map(|&points| u32::try_from(points).expect("no points below 0"));
        let seeds = after.seeds() + stores.sum::<u32>();
        assert!(
            after.own.len() == self.pits && seeds <= self.max_seeds.into() && after.is_plain(),
            "the board is one that this was made for"
        );
        let cells = self.cells(after);
        let (store, opponent_store) = (self.pits, 2 * self.pits + 1);
        let mut visit = |cells: &Cells| {
            let position = self.position(cells);
            let is_over = s.end == End::RowEmpty && position.opponent.seeds() == 0;
            if !is_over {
                visit(&position);
            }
        };
        if again == (s.extra_move != ExtraMove::None) {
            self.unlap(&cells, store, &mut visit);
        }
        if !again {
            self.unlap(&cells, opponent_store, &mut visit);
        }
        for (row, last) in
            (0..self.pits).map(|pit| (0, pit)).chain((store + 1..opponent_store).map(|pit| (1, pit)))
        {
            // A last seed in an own pit that was empty may have captured.
            if row == 0 && s.capture == Capture::Cross {
                self.uncapture(&cells, last, again, &mut visit);
                if cells[last] == 1 {
                    continue;
                }
            }
            let ends_turn = match s.lap {
                Lap::Single => cells[last] > 0,
                _ => cells[last] == 1,
            };
            if ends_turn && !again {
                self.unlap(&cells, last, &mut visit);
            }
        }
    }

    /// Moves whose last seed fell into an own pit that was empty.
    fn uncapture(&self, after: &Cells, last: usize, again: bool, visit: &mut impl FnMut(&Cells)) {
        let s = &self.switches;
        let (store, opposite) = (self.pits, 2 * self.pits - last);
        if after[opposite] != 0 || after[last] > 1 {
            return;
        }
        for captured in 0..=after[store] {
            let takes_last = s.trigger == Trigger::Take && (captured > 0 || s.empty_capture.yes());
            let gain = captured.saturating_add(takes_last.into());
            let moves_again = captured > 0 && s.extra_move == ExtraMove::StoreOrCapture;
            if again != moves_again || gain > after[store] || after[last] != u8::from(!takes_last) {
                continue;
            }
            let mut before = *after;
            (before[last], before[opposite]) = (1, captured);
            before[store] -= gain;
            self.unlap(&before, last, visit);
        }
    }

    /// Takes back the lap that ended in `last`, and in a relay the laps before it.
    fn unlap(&self, after: &Cells, last: usize, visit: &mut impl FnMut(&Cells)) {
        for lap in &self.laps[last] {
            // Longer laps drop no less.
            if lap.drops[last] > after[last] {
                break;
            }
            if lap.drops[lap.from] != after[lap.from] {
                continue;
            }
            let mut before = *after;
            let mut missing = 0;
            for (cell, drops) in before.iter_mut().zip(&lap.drops) {
                missing |= drops.saturating_sub(*cell);
                *cell = cell.wrapping_sub(*drops);
            }
            if missing > 0 {
                continue;
            }
            before[lap.from] = lap.seeds;
            if lap.from < self.pits {
                visit(&before);
            }
            // A relay goes on where the last seed joined others.
            if lap.seeds > 1 && self.switches.lap == Lap::SameHole {
                self.unlap(&before, lap.from, visit);
            }
        }
    }
}
