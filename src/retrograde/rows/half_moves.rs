//! A move as a table over half boards.
//!
//! What a single lap does to the mover's row depends on that row alone, and what it does to the
//! other row only on how many seeds it drops there. So a move of a whole position is a few
//! look-ups: the row after sowing, the row after receiving seeds, the row after a pit is emptied.
//! The tables are filled by running the plain engine on each half board facing an empty row.

use rayon::prelude::*;

use super::vector_loops::Places;
use crate::board::{Cell, Ring, Row, unlike_kalah};
use crate::index::{HalfBoards, TooLarge};
use crate::retrograde::is_acyclic;
use crate::rules::{Capture, ExtraMove, Rules};

/// Largest number of pits in a row.
pub(super) const MAX_ROW: usize = 10;

/// Where the last seed of a lap fell, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum LastSeed {
    /// There is no move: the pit is empty.
    NoMove,
    /// In the own store, which earns an extra move.
    Again,
    /// In this own pit, from 0, which was empty: a capture if the other row allows it.
    Single(u8),
    /// In this pit of the other row, from 0, where a chain of captures may start.
    Beyond(u8),
    /// Anywhere else: the turn is over.
    Over,
}

/// What playing one pit does to the mover's row.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfMove {
    /// Rank of the row after sowing, before any capture.
    pub row: u32,
    /// Seeds dropped into the own store.
    pub gain: u8,
    /// Seeds dropped into the other row, from its first pit on.
    pub spill: u8,
    pub last: LastSeed,
}

/// The rows of some number of seeds without what a last seed captures that concerns one of their
/// pits: that pit, or the chain of pits that ends in it.
#[derive(Debug)]
pub(super) struct Emptied {
    /// By rank: seeds taken.
    held: Vec<u8>,
    /// By rank: number of the row without them among all rows, those with fewer seeds first.
    pub row: Places,
    /// For each row whose pit holds exactly one seed: its rank without it, and its rank.
    pub singles: Vec<(u32, u32)>,
}

/// The tables for the half boards with one number of seeds.
#[derive(Debug)]
struct SeedTables {
    /// By rank and pit.
    moves: Vec<HalfMove>,
    /// By seeds received, from 1, and rank: rank of the row after.
    received: Vec<Places>,
    /// By pit.
    emptied: Vec<Emptied>,
    /// Ranks by potential (seeds times distance to the row's end), for a move inside the row
    /// lowers it.
    by_potential: Vec<Vec<u32>>,
}

/// The tables for all half boards up to some number of seeds.
#[derive(Debug)]
pub(super) struct HalfMoves {
    pits: usize,
    rows: Vec<SeedTables>,
    /// By seeds: number of rows with fewer.
    below: Vec<usize>,
}

/// Whether the moves of a rule set that the plain engine plays are of this kind.
pub(in crate::retrograde) fn supports(rules: &Rules) -> bool {
    let is_of_kind = |switches| unlike_kalah(switches).is_none();
    is_acyclic(rules) && rules.switches().is_some_and(is_of_kind) && usize::from(rules.pits()) <= MAX_ROW
}

impl HalfMoves {
    /// No tables yet.
    pub fn new(pits: usize) -> HalfMoves {
        HalfMoves { pits, rows: Vec::new(), below: Vec::new() }
    }

    /// Adds what is missing for half boards of up to `top` seeds in layers of up to `top` seeds.
    pub fn raise(&mut self, ring: &Ring, half_boards: &HalfBoards, top: u32) -> Result<(), TooLarge> {
        if u32::try_from(half_boards.count_below(top + 1)).is_err() {
            return Err(TooLarge { pits: self.pits, seeds: top });
        }
        let known = self.rows.len() as u32;
        let new = (known..=top).into_par_iter().map(|seeds| SeedTables::new(ring, half_boards, seeds));
        self.rows.par_extend(new);
        let rows = self.rows.par_iter_mut().enumerate();
        rows.for_each(|(seeds, tables)| tables.receive(half_boards, seeds as u32, top));
        self.below = (0..=top).map(|seeds| half_boards.count_below(seeds) as usize).collect();
        Ok(())
    }

    /// The moves of a row, by pit.
    pub fn moves(&self, seeds: u32, rank: usize) -> &[HalfMove] {
        &self.rows[seeds as usize].moves[rank * self.pits..][..self.pits]
    }

    /// By rank, the rank of the row after it received `spill` > 0 seeds.
    pub fn received(&self, seeds: u32, spill: u8) -> &Places {
        &self.rows[seeds as usize].received[usize::from(spill) - 1]
    }

    /// The rank of a row after it received any number of seeds.
    pub fn after_receiving(&self, seeds: u32, rank: usize, spill: u8) -> usize {
        if spill == 0 { rank } else { self.received(seeds, spill).get(rank) }
    }

    /// The rows with a pit, from 0, or the chain that ends in it, emptied.
    pub fn emptied(&self, seeds: u32, pit: usize) -> &Emptied {
        &self.rows[seeds as usize].emptied[pit]
    }

    /// Seeds in a pit, from 0, of a row, or in the chain that ends in it, and the rank of the row
    /// without them.
    pub fn without(&self, seeds: u32, rank: usize, pit: usize) -> (u32, usize) {
        let emptied = self.emptied(seeds, pit);
        let held = u32::from(emptied.held[rank]);
        (held, emptied.row.get(rank) - self.below[(seeds - held) as usize])
    }

    /// Rank and seeds of a row without the one seed that a pit holds.
    pub fn without_single(&self, seeds: u32, rank: usize, pit: usize) -> (usize, u32) {
        let (held, row) = self.without(seeds, rank, pit);
        debug_assert_eq!(held, 1);
        (row, seeds - 1)
    }

    /// The ranks of the rows with a number of seeds, grouped by rising potential.
    pub fn by_potential(&self, seeds: u32) -> &[Vec<u32>] {
        &self.rows[seeds as usize].by_potential
    }
}

impl SeedTables {
    /// All but the rows after receiving seeds.
    fn new(ring: &Ring, half_boards: &HalfBoards, seeds: u32) -> SeedTables {
        let pits = half_boards.pits();
        let count = half_boards.count(seeds) as usize;
        let rows: Vec<Row> = half_boards.rows(seeds).collect();
        let of_row = |row| (0..pits).map(move |pit| half_move(ring, half_boards, row, pit));
        let moves = rows.par_iter().flat_map_iter(of_row).collect();
        let mut emptied = vec![(Vec::with_capacity(count), Vec::with_capacity(count), Vec::new()); pits];
        let mut by_potential = vec![Vec::new(); (pits - 1) * seeds as usize + 1];
        let captured = match ring.switches().capture {
            Capture::TwoThree => Ring::chain,
            _ => |_: &Row, pit| pit..pit + 1,
        };
        for (rank, row) in rows.into_iter().enumerate() {
            by_potential[potential(&row)].push(rank as u32);
            for (pit, (held, without, singles)) in emptied.iter_mut().enumerate() {
                let mut left = row;
                left[captured(&row, pit)].fill(0);
                held.push((seeds - left.seeds()) as u8);
                let left = half_boards.rank(&left);
                without.push((half_boards.count_below(left.seeds) + left.rank) as u32);
                if row[pit] == 1 {
                    singles.push((left.rank as u32, rank as u32));
                }
            }
        }
        let below = half_boards.count_below(seeds + 1) as usize;
        SeedTables {
            moves,
            received: Vec::new(),
            emptied: emptied
                .into_iter()
                .map(|(held, row, singles)| Emptied { held, row: Places::new(row, below), singles })
                .collect(),
            by_potential,
        }
    }

    /// Adds the rows after receiving so many seeds that there are `top`.
    fn receive(&mut self, half_boards: &HalfBoards, seeds: u32, top: u32) {
        let (pits, known) = (half_boards.pits(), self.received.len());
        let count = half_boards.count(seeds) as usize;
        let mut received = vec![Vec::with_capacity(count); (top - seeds) as usize - known];
        if received.is_empty() {
            return;
        }
        for row in half_boards.rows(seeds) {
            let mut fuller = row;
            (0..known).for_each(|spill| fuller[spill % pits] += 1);
            for (spill, received) in (known..).zip(&mut received) {
                fuller[spill % pits] += 1;
                received.push(half_boards.rank(&fuller).rank as u32);
            }
        }
        let fuller = seeds + 1 + known as u32..;
        let new = received.into_iter().zip(fuller);
        self.received
            .extend(new.map(|(places, seeds)| Places::new(places, half_boards.count(seeds) as usize)));
    }
}

/// Seeds times distance to the row's end; a seed in the last pit counts 0.
pub(in crate::retrograde) fn potential(row: &Row) -> usize {
    row.iter().rev().enumerate().map(|(distance, &seeds)| distance * usize::from(seeds)).sum()
}

fn half_move(ring: &Ring, half_boards: &HalfBoards, row: &Row, pit: usize) -> HalfMove {
    if row[pit] == 0 {
        return HalfMove { row: 0, gain: 0, spill: 0, last: LastSeed::NoMove };
    }
    let (after, last) = ring.sow_half(row, pit);
    let switches = ring.switches();
    let last = match last {
        Cell::Store if switches.extra_move != ExtraMove::None => LastSeed::Again,
        Cell::Own(pit) if after.own[pit] == 1 && switches.capture == Capture::Cross => {
            LastSeed::Single(pit as u8)
        }
        Cell::Opponent(pit) if switches.capture == Capture::TwoThree => LastSeed::Beyond(pit as u8),
        _ => LastSeed::Over,
    };
    HalfMove {
        row: half_boards.rank(&after.own).rank as u32,
        gain: after.stores[0] as u8,
        spill: after.opponent.seeds() as u8,
        last,
    }
}
