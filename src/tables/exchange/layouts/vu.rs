//! The order of the public Awari data set (Romein, Bal and Verstoep 2024).
//!
//! Pits 0 to 5 are the mover's, 6 to 11 the opponent's, each in sowing order. Positions stand in
//! colexicographic order, pit 11 most significant. Those whose pits 6 to 11 are all occupied are
//! left out: whoever has just moved has an empty pit.

use rayon::prelude::*;

use crate::board::Position;
use crate::control::{Control, Stopped};
use crate::index::{HalfBoards, LayerIndex, Numbering, TooLarge};

/// Pits in a row: the data set knows no other board.
pub(super) const PITS: u8 = 6;
/// Seeds of the largest layer of the data set.
pub(super) const MAX_SEEDS: u32 = 48;
/// Entries that are gathered at a time, unless a single run has more.
const BATCH: usize = 1 << 24;
/// First pit of the opponent.
const OPPONENT: usize = PITS as usize;
/// Pits of the opponent that are the same throughout a run.
const TAIL: usize = 4;

/// The entries with certain seeds in the last pits of the opponent; they stand side by side.
struct Run {
    tail: [u16; TAIL],
    /// Seeds in the other eight pits.
    left: u32,
}

/// A layer whose values by index are put into this order.
pub(super) struct Order {
    numbering: Numbering,
    seeds: u32,
}

impl Order {
    /// The order of a layer.
    ///
    /// # Errors
    /// [`TooLarge`], beyond any layer that fits a disk.
    pub(super) fn new(seeds: u32) -> Result<Order, TooLarge> {
        Ok(Order { numbering: Numbering::new(PITS.into(), seeds)?, seeds })
    }

    fn halves(&self) -> &HalfBoards {
        self.numbering.half_boards()
    }

    fn layer(&self) -> &LayerIndex {
        self.numbering.layer(self.seeds)
    }

    /// Passes the values of a layer, given by index, to a function in this order, in batches.
    pub(super) fn for_each_batch<E: From<Stopped>>(
        &self,
        values: &[u8],
        control: &Control,
        mut visit: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut buffer = Vec::new();
        let mut tail = Some([0; TAIL]);
        while tail.is_some() {
            let mut runs = Vec::new();
            let mut entries = 0;
            while let Some(now) = tail.filter(|_| entries < BATCH) {
                let left = self.seeds - now.iter().map(|&pit| u32::from(pit)).sum::<u32>();
                let run = Run { tail: now, left };
                let length = self.entries(&run);
                entries += length;
                runs.push((run, length));
                tail = successor(now, self.seeds);
            }
            buffer.resize(entries, 0);
            let mut rest = &mut buffer[..];
            let parts: Vec<(Run, &mut [u8])> = runs
                .into_iter()
                .map(|(run, length)| (run, rest.split_off_mut(..length).expect("the lengths add up")))
                .collect();
            parts.into_par_iter().try_for_each(|(run, part)| {
                control.check()?;
                self.gather(&run, values, part);
                Ok::<(), Stopped>(())
            })?;
            visit(&buffer)?;
            control.advance(entries as u64);
        }
        Ok(())
    }

    /// Entries of a run with `second` seeds in the opponent's second pit.
    fn group(&self, run: &Run, second: u32) -> u64 {
        match run.is_full() && second > 0 {
            // Only with an empty first pit.
            true => self.halves().count(run.left - second),
            false => self.halves().count_below(run.left - second + 1),
        }
    }

    fn entries(&self, run: &Run) -> usize {
        (0..=run.left).map(|second| self.group(run, second) as usize).sum()
    }

    /// Fills the entries of a run.
    ///
    /// For a number of seeds in the opponent's first two pits, his rows differ by seeds moved from
    /// the first to the second pit, each of which lowers the rank by one: they are neighbours in
    /// the index. For a row of the opponent, the mover's rows stand here in the reverse order of
    /// their ranks. So a block of the index is read row by row and written column by column.
    fn gather(&self, run: &Run, values: &[u8], out: &mut [u8]) {
        let halves = self.halves();
        let mut groups = Vec::with_capacity(run.left as usize + 1);
        let mut at = 0;
        for second in 0..=run.left {
            groups.push(at);
            at += self.group(run, second) as usize;
        }
        let mut columns = Vec::with_capacity(groups.len());
        for pair in 0..=run.left {
            let own = run.left - pair;
            let [third, fourth, fifth, sixth] = run.tail;
            let highest = halves.rank(&[pair as u16, 0, third, fourth, fifth, sixth]).rank;
            let (rows, width) = (halves.count(own) as usize, halves.count(self.seeds - own) as usize);
            columns.clear();
            for second in (0..=pair).filter(|&second| !run.is_full() || second == 0 || second == pair) {
                // Entries of the group with more seeds in the mover's row.
                let before = match second > 0 && run.is_full() {
                    true => 0,
                    false => halves.count_below(run.left - second + 1) - halves.count_below(own + 1),
                };
                columns.push((second as usize, groups[second as usize] + before as usize));
            }
            let first = self.layer().start(own) as usize + highest as usize - pair as usize;
            for row in 0..rows {
                let from = first + (rows - 1 - row) * width;
                let neighbours = &values[from..=from + pair as usize];
                for &(second, to) in &columns {
                    out[to + row] = neighbours[pair as usize - second];
                }
            }
        }
    }
}

impl Run {
    /// Whether all pits of the tail are occupied.
    fn is_full(&self) -> bool {
        !self.tail.contains(&0)
    }
}

/// The next tail of at most `seeds` seeds, the last pit most significant.
fn successor(mut tail: [u16; TAIL], seeds: u32) -> Option<[u16; TAIL]> {
    let mut sum: u32 = tail.iter().map(|&pit| u32::from(pit)).sum();
    for pit in 0..TAIL {
        if sum < seeds {
            tail[pit] += 1;
            return Some(tail);
        }
        sum -= u32::from(tail[pit]);
        tail[pit] = 0;
    }
    None
}

/// Ways to put seeds into pits.
fn ways(seeds: u32, pits: usize) -> u64 {
    if pits == 0 {
        return u64::from(seeds == 0);
    }
    let others = pits as u128 - 1;
    // At most 12 pits and 127 seeds: far below 128 bits.
    let count = (1..=others).fold(1, |count, k| count * (u128::from(seeds) + k) / k);
    count as u64
}

/// The position of an entry, which must be one of the layer.
pub(super) fn position(seeds: u32, entry: u64) -> Position {
    let mut pits = [0_u16; 2 * OPPONENT];
    let (mut left, mut before, mut full) = (seeds, entry, true);
    for pit in (0..pits.len()).rev() {
        let full_with = |here: u16| full && pit >= OPPONENT && here > 0;
        // Entries with `here` seeds in this pit.
        let entries = |here: u16| {
            let rest = left - u32::from(here);
            // Those in which all of the opponent's pits are occupied: one seed lies in each.
            let missing = match full_with(here) {
                true => rest.checked_sub((pit - OPPONENT) as u32).map_or(0, |free| ways(free, pit)),
                false => 0,
            };
            ways(rest, pit) - missing
        };
        let mut here = 0;
        while u32::from(here) < left && before >= entries(here) {
            before -= entries(here);
            here += 1;
        }
        full = full_with(here);
        left -= u32::from(here);
        pits[pit] = here;
    }
    let (own, opponent) = pits.split_at(OPPONENT);
    Position::of_rows(own, opponent)
}
